"""`python -m tests.rendering`: the table of sizes, colour depths and themes, over all sample fights."""

from __future__ import annotations

from tests.rendering import SIZES, palette_of, table
from tests.samples import NAMES


def main() -> None:
    head = " ".join(f"{w}x{h}".rjust(7) for w, h in SIZES)
    print(
        f"{len(NAMES)} samples in every cell; "
        "contrast: the least of a text on its ground (- the terminal's own)\n"
    )
    print(f"{'theme':<14} {'depth':<10} {head}  contrast  shown in")
    faults: list[str] = []
    for (theme, depth), row in table().items():
        found = " ".join((f"{len(x.faults)} bad" if x.faults else "ok").rjust(7) for x in row.values())
        least = min((x.contrast for x in row.values() if x.contrast), default=0.0)
        name = palette_of(theme, depth).name
        print(f"{theme:<14} {depth:<10} {found}  {f'{least:.1f}:1' if least else '-':<8}  {name}")
        faults += [f"{theme}, {depth}, {w}x{h}: {fault}" for (w, h), x in row.items() for fault in x.faults]
    print("\n" + ("\n".join(faults) or "no fault"))


if __name__ == "__main__":
    main()
