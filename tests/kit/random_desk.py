"""Random keys, pastes and sizes at desk and start screen: `python -m tests.kit.random_desk KEYS [SEED]`.

Fight number n of a seed is always the same, so that a failure can be repeated: every exception is printed
with seed, number and the last keys. Nothing may be raised, no row may be wider than its part, and a refused
line must change nothing.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from tests.kit.keyboard import NAMED, Player, press_of
from tests.kit.visitor import Visitor
from tui.store.saves import data_folder
from tui.systems import Registry
from tui.ui.desk.desk import STEADY_KEYS
from tui.ui.state.settings import Settings
from tui.ui.text.press import Press

REGISTRY = Registry([str(Path(__file__).parents[1] / "ui" / "toys")])
SYSTEMS = tuple(REGISTRY.ids())
EXAMPLES = Path(data_folder("examples"))
SAMPLES = sorted(path.name for path in EXAMPLES.glob("*.toml"))
KEYS_A_FIGHT = 250
KEYS = [
    *"nrRoadc+uzptxiN,.wgGhjkl/:?&mysSMCTFEfbq!", *"1234567890", *sorted(NAMED), "space",
    "ctrl+r", "ctrl+p", "shift+tab", "ctrl+t", "ctrl+u", "ctrl+w", "ctrl+k", "ctrl+d", "ctrl+e", "ctrl+l",
    "ctrl+c",
]  # fmt: skip
OFTEN = ["enter", "n", "r", "j", "tab", "escape", "enter", "o"]
ODD = [*"²³¹①٣½æ龍é\u0301\u200d🧝🇩'\"\\,=@*{}[]<>`~|&;#%-", "\x00", "\x9b", "\ufeff", "\u2028"]
WORDS = [
    "next", "roll", "damage Orc 3", "5 Orc", "hp=7", "@all", "**", "rounds=2", "group=Orcs", "undo 3",
    "goto 2", "X if Y or else Z", "a => b", "-1", "99999999999", "d6+2", '"', "=", ",", " ", "龍龍",
    "👩‍🚀 🇩🇪",
    "e\u0301\u0302", "x" * 3_999, "龍" * 900, " " * 500, "* " * 300, "order Ana ", "condition Ana a\nb",
    "\x1b[2J", "or else " * 50,
]  # fmt: skip
START = (
    "add Ana owner=Mia hp=18",
    "add Bo owner=Tom hp=9",
    "add 3 Orc hp=7 group=Orcs",
    "add Ogre hp=30 hidden=yes",
)
SHOWN_ELSEWHERE = ("q", "h", "l", "ctrl+l", "escape", "ctrl+c")
"""Keys that leave, go to a pane, draw the screen again, or go back, even from where nothing is open."""
SETTINGS = [Settings(), Settings(ascii=True), Settings(a11y=True), Settings(masked=True), Settings(bell=True)]


def size(chance: random.Random) -> tuple[int, int]:
    """Return a random size of the terminal; usual sizes are more likely."""
    return chance.choice(
        [
            (80, 24),
            (80, 24),
            (120, 40),
            (1, 1),
            (chance.randint(1, 12), chance.randint(1, 8)),
            (chance.randint(1, 140), chance.randint(1, 50)),
        ]
    )


def keys(chance: random.Random) -> Iterator[Press]:
    """Yield random keys for ever; keys that change the fight are more likely."""
    while True:
        kind = chance.random()
        if kind < 0.35:
            yield press_of(chance.choice(OFTEN))
        elif kind < 0.93:
            yield press_of(chance.choice(KEYS))
        else:
            letter = chance.choice(ODD)
            yield Press(letter, letter)


class Fight:
    """One random fight. `pressed` holds the last inputs."""

    def __init__(self, seed: int, number: int) -> None:
        self.chance = random.Random(f"{seed} {number}")
        self.system = SYSTEMS[number % len(SYSTEMS)]
        self.pressed: list[str] = []
        there = START[: self.chance.randint(0, len(START))]
        lines = [*there, *(["begin"] if there and self.chance.random() < 0.7 else [])]
        self.player = Player(self.system, lines, systems=REGISTRY, settings=self.chance.choice(SETTINGS))

    def play(self, count: int) -> None:
        """Press `count` random keys; sometimes paste, sometimes change the size."""
        for press in (key for key, _ in zip(keys(self.chance), range(count), strict=False)):
            what = self.chance.random()
            if what < 0.03:
                self.player.size = size(self.chance)
                self._note(f"size {self.player.size}")
            elif what < 0.07:
                text = "".join(self.chance.choices([*WORDS, *ODD], k=self.chance.randint(1, 3)))
                self._note(f"paste {text[:40]!r}")
                self.player.desk.paste(text)
            if press.char in "1234567890" and self.player.desk.view.count:
                continue  # hundreds of creatures take their time, and show nothing new
            self._press(press)
            self.player.picture()

    def _press(self, press: Press) -> None:
        store = self.player.store
        before, record, desk = store.encounter, store.record, self.player.desk
        view = replace(desk.view, notice=None)
        self._note(press.name)
        desk.press(press)
        assert store.record > record or store.encounter is before, "refused, and yet changed"
        is_silent = desk.view.notice is None and desk.view == view and store.record == record
        assert not is_silent or press.name in {*STEADY_KEYS, *SHOWN_ELSEWHERE}, "a key did nothing, unsaid"

    def _note(self, what: str) -> None:
        self.pressed = [*self.pressed[-30:], what]


class Visit:
    """A random visit of the start screen, in a folder with fights, damaged files and a party."""

    system = "start screen"

    def __init__(self, seed: int, number: int) -> None:
        self.chance = random.Random(f"start {seed} {number}")
        self.pressed: list[str] = []
        self._folder = tempfile.TemporaryDirectory(prefix="tocsin-random-")
        folder = Path(self._folder.name)
        for name in self.chance.sample(SAMPLES, self.chance.randint(0, len(SAMPLES))):
            shutil.copy(EXAMPLES / name, folder / name)
        if self.chance.random() < 0.5:
            (folder / "empty.toml").write_bytes(b"")
            (folder / "strange \x1b.toml").write_bytes(self.chance.randbytes(200))
            (folder / "parties").mkdir()
            (folder / "parties" / "mill.toml").write_text('[[combatant]]\nname = "Ana"\n')
        settings = self.chance.choice(SETTINGS[:3])
        self.visitor = Visitor(folder, settings=settings, welcome=self.chance.random() < 0.3)
        self.visitor.doors.busy = {"mill", "gate"} if self.chance.random() < 0.3 else set()

    def play(self, count: int) -> None:
        """Press `count` random keys; sometimes paste, sometimes change the size."""
        for press in (key for key, _ in zip(keys(self.chance), range(count), strict=False)):
            what = self.chance.random()
            if what < 0.05:
                self.visitor.size = size(self.chance)
            elif what < 0.1:
                self.visitor.desk.paste(
                    "".join(self.chance.choices([*WORDS, *ODD], k=self.chance.randint(1, 3)))
                )
            self.pressed = [*self.pressed[-30:], press.name]
            self.visitor.desk.press(press)
            self.visitor.picture()
            if self.visitor.doors.gone and self.visitor.doors.gone[-1][0] == "new":
                self.visitor.desk.open()  # as the fight does when it is left
        self._folder.cleanup()


def visits(count: int, seed: int) -> Iterator[tuple[int, Visit, BaseException | None]]:
    """Yield visits of the start screen until `count` keys were pressed, each with its exception or None."""
    for number in range(-(-count // KEYS_A_FIGHT)):
        visit = Visit(seed, number)
        try:
            visit.play(KEYS_A_FIGHT)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            yield number, visit, error
        else:
            yield number, visit, None


def drive(count: int, seed: int) -> Iterator[tuple[int, Fight, BaseException | None]]:
    """Yield fights until `count` keys were pressed, each with its exception or None."""
    for number in range(-(-count // KEYS_A_FIGHT)):
        fight = Fight(seed, number)
        try:
            fight.play(KEYS_A_FIGHT)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            yield number, fight, error
        else:
            yield number, fight, None


def main(arguments: list[str]) -> int:
    """Play visits and fights, and print exceptions; return 1 if there was any, else 0."""
    count = int(arguments[0]) if arguments else 100_000
    seed = int(arguments[1]) if len(arguments) > 1 else time.time_ns() % 10**9
    print(f"seed {seed}, {count:,} keys", flush=True)
    found = 0
    for number, visit, error in visits(count // 20, seed):
        if error is not None:
            found += 1
            print(f"seed {seed}, visit {number}: {visit.pressed}", flush=True)
            traceback.print_exception(error)
    for number, fight, error in drive(count, seed):
        if error is not None:
            found += 1
            print(f"seed {seed}, fight {number}, {fight.system}: {fight.pressed}", flush=True)
            traceback.print_exception(error)
        if number % 400 == 399:
            print(f"{(number + 1) * KEYS_A_FIGHT:,} keys, {found} exceptions", flush=True)
    print(f"seed {seed}: {count:,} keys, {found} exceptions")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
