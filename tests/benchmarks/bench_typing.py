"""A key at the bounds: 10 MB pasted in pieces, then the next keys with their pictures.

`python -m tests.benchmarks.bench_typing`.
"""

from __future__ import annotations

import time

from tests.ui.keyboard import Player, press_of

CHAOS = ("add Ana owner=Mia", "add Orc", "begin")
PLACES = {"prompt": (":",), "filter": ("/",), "order": ("o",)}
TEXTS = {
    "letters": "x",
    "blanks": "x  ",
    "wide": "龍",
    "marks": "e\u0301\u0302",
    "flags": "🇩🇪",
    "or else": "or else ",
}
SIZES = ((80, 24), (120, 40), (5, 5))
PIECE = 4_000
PASTED = 10_000_000


def key(p: Player, name: str) -> float:
    """Milliseconds from a key to its picture."""
    begun = time.perf_counter()
    p.desk.press(press_of(name))
    p.desk.draw(p.desk.boxes(*p.size))
    return 1_000 * (time.perf_counter() - begun)


def filled(place: str, text: str) -> tuple[Player, float]:
    """A desk with all of it pasted, and the seconds that took."""
    p = Player("chaos", CHAOS).press(*PLACES[place])
    piece = text * (PIECE // len(text))
    begun = time.perf_counter()
    for _ in range(PASTED // len(piece.encode())):
        p.desk.paste(piece)
    return p, time.perf_counter() - begun


def main() -> None:
    """Every place with every kind of text."""
    print("place   text      pasting s   worst key ms: " + "  ".join(f"{w}x{h}" for w, h in SIZES))
    for place in PLACES:
        for name, text in TEXTS.items():
            p, pasting = filled(place, text)
            worst = []
            for size in SIZES:
                p.size = size
                worst.append(max(key(p, k) for k in ("backspace", "y", "left", "home", "right", "end", "z")))
            print(
                f"{place:<7} {name:<9} {pasting:>9.1f}                 "
                + "  ".join(f"{ms:>6.1f}" for ms in worst)
            )


if __name__ == "__main__":
    main()
