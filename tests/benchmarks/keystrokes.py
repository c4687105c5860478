"""The same fight in every system, by keys alone: four heroes join from a party file, twelve foes are added,
and two rounds are played with damage, conditions and somebody falling. How many keys that takes, is printed;
under `kept` with the foes from a prepared encounter of the library.

    python -m tests.benchmarks.keystrokes

A key is a key: one with shift or ctrl counts once, and so does every letter of a name or an order.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from tests.ui.keyboard import press_of
from tui.core.fight.agenda import FormAsk, LockAsk, RollAsk
from tui.core.fight.encounter import key_of, label
from tui.store.opening import create
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.desk.desk import Desk
from tui.ui.state.layout import Pane
from tui.ui.state.scene import current, due, focus, people, rows_pane, track_rows
from tui.ui.state.view import Form, Menu, Prompt

SIZE = (80, 24)
ROUNDS = 2
HEROES = ("Ana", "Bo", "Cay", "Dov")
PARTY = "\n".join(f'[[combatant]]\nname = "{name}"\nowner = "{name}"\nhp = 20\n{{fields}}' for name in HEROES)


class Plan(Struct, frozen=True):
    """What else a system needs: fields of the heroes, lines for the foes, orders by who writes them."""

    fields: str = ""
    foes: tuple[str, ...] = ("8 Orc hp=15", "4 Wolf hp=9")
    orders: Mapping[str, tuple[str, ...]] = {}
    before: tuple[str, ...] = ()


DECLARED = dict.fromkeys(HEROES, ("'1d8'", "enter"))
WRITTEN = dict.fromkeys(HEROES, ("tab", "'strike an orc'", "enter"))
PLANS = {
    "classic": Plan("mod = 2"),
    "dungeon-universalis": Plan(
        "per = 4\nint = 4\ndistance = 5",
        ("8 Orc hp=15 distance=5", "4 Wolf hp=9 distance=7"),
        before=("@meet", "enter"),
    ),
    "dungeon-track": Plan(
        "per = 4\nint = 4\ndistance = 5",
        ("8 Orc hp=15 distance=5", "4 Wolf hp=9 distance=7"),
        before=("@meet", "enter"),
    ),
    "chaos": Plan(
        "bonus = 2",
        ("8 Orc hp=15 group=Orcs", "4 Wolf hp=9 group=Wolves"),
        {**WRITTEN, **dict.fromkeys(("Orcs", "Wolves"), ("tab", "'strike the nearest'", "enter"))},
    ),
    "unbound": Plan("per = 2"),
    "dynamic": Plan(orders=DECLARED),
}


MOST = 2_000
"""Keys of a session that goes on for ever."""


class Hand:
    """Press the keys of a desk; `count` is the number of keys by task, `pressed` the keys of each command."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.count: Counter[str] = Counter()
        self.pressed: list[list[str]] = []
        self.doing = "setting up"

    def press(self, *keys: str) -> None:
        """Named keys, `@id` for a command's or a word's, text in quotes letter by letter."""
        self.pressed.append([])
        for key in keys:
            for name in [*key[1:-1]] if key.startswith("'") else self._named(key):
                self.desk.press(press_of("space" if name == " " else name))
                # Drawn, for what has been shown already is not shown before it is agreed to.
                self.desk.draw(self.desk.boxes(*SIZE))
                self.count[self.doing] += 1
                self.pressed[-1].append(name)
                assert self.count.total() < MOST, f"{self.doing} leads nowhere"

    def _named(self, key: str) -> list[str]:
        if not key.startswith("@"):
            return [key]
        own = next((k for k, c in self.desk.keys.commands.items() if c.id == key[1:]), "")
        return [own] if own else self.desk.scene.verbs[key[1:]].split(" ")

    # --- who is meant

    def aim(self, name: str) -> None:
        """Go to the row of a creature: in the pane that has the keys, else in the roster."""
        # What was read last has the keys: they go back to the rows first.
        self._turn_to("track", "roster")
        scene = self.desk.scene
        c = next(x for x in scene.encounter.combatants.values() if x.name == name)
        wanted = key_of(c) if rows_pane(scene) == "track" else c.id
        keys = (
            [r.entry for r in track_rows(scene)]
            if rows_pane(scene) == "track"
            else [x.id for x in people(scene)]
        )
        if wanted not in keys:
            self.press("@panes")
            self.aim(name)
            return
        way = keys.index(wanted) - keys.index(current(scene))
        key = "j" if way > 0 else "k"
        self.press(*([key] * abs(way) if abs(way) < 3 else [*str(abs(way)), key]))

    def _turn_to(self, *panes: Pane) -> None:
        """Go to one of these panes."""
        while focus(self.desk.scene) not in panes:
            self.press("@panes")

    def _member(self, name: str) -> None:
        """On a row of several: the member meant."""
        while (
            isinstance(mode := self.desk.view.mode, Prompt) and mode.members and f'"{name}"' not in mode.stem
        ):
            self.press("down")

    def hit(self, name: str, points: int, *, half: bool = False) -> None:
        """So much damage to one."""
        self.aim(name)
        if half:
            self.press("@damage")
            self._member(name)
            self.press(*str(points), "h")
            return
        self.press(*str(points), "@damage")
        if isinstance(self.desk.view.mode, Prompt):
            self._member(name)
            self.press("enter")

    def burn(self, names: tuple[str, ...], points: int) -> None:
        """The same damage to several, who stand side by side in the roster."""
        self._turn_to("roster")
        for name in names:
            self.aim(name)
            self.press("@select")
        self.press(*str(points), "@damage")

    def afflict(self, name: str, words: str) -> None:
        """A condition on one."""
        self.aim(name)
        self.press("@condition")
        self._member(name)
        self.press(f"'{words}'", "enter")

    def fell(self, name: str) -> None:
        """Somebody at 0 is out."""
        self.aim(name)
        self.press("@out")
        if isinstance(self.desk.view.mode, Prompt):
            self._member(name)
            self.press("enter")


def blows(hand: Hand, who: str, number: int) -> None:
    """Do the same turns in every system: a hit or a condition each, fire on three, one creature falls."""
    match who:
        case "Ana":
            hand.hit("Orc 1", 8)
            if number == ROUNDS:
                hand.fell("Orc 1")
        case "Bo":
            hand.hit("Orc 2", 13, half=True)
        case "Cay":
            hand.burn(("Orc 4", "Orc 5", "Orc 6"), 5)
        case "Dov":
            hand.afflict("Wolf 1", "prone rounds=2")
        case "Orc 7":
            hand.hit("Ana", 4)
        case "Wolf 4":
            hand.hit("Bo", 3)
            hand.afflict("Cay", f"bitten rounds={number}")
        case _:
            pass


def set_up(hand: Hand, plan: Plan, *, kept: bool) -> None:
    """Four heroes from a file, twelve foes, groups where the system rolls by group; then the fight begins."""
    hand.press("@party", "enter")
    if kept:
        hand.press("@party", "enter")
    else:
        hand.press("@add", *(key for line in plan.foes for key in (f"'{line}'", "enter")), "enter")
    while hand.desk.grouping:
        hand.press("@group")
    hand.press("@begin", *plan.before)


def go_on(hand: Hand, plan: Plan) -> None:
    """Whatever is needed until somebody acts: forms, the lock, dice, the board, who goes."""
    desk = hand.desk
    if isinstance(desk.view.mode, Form):
        who = label(desk.store.encounter, desk.view.mode.who)
        again = bool(desk.view.mode.texts.get("action") or desk.view.mode.texts.get("weapon"))
        hand.press(*(["enter"] if again else plan.orders.get(who, ["enter"])))
        return
    asks = due(desk.scene)
    first = asks[0] if asks else None
    if isinstance(first, FormAsk):
        hand.press("escape" if desk.view.track else "@order")
    elif isinstance(first, RollAsk):
        hand.press("@roll")
    elif isinstance(first, LockAsk):
        hand.press("@lock")
    else:
        hand.press(
            "@next" if not asks and len(desk.store.system.offer(desk.store.encounter).acts) == 1 else "@go"
        )
        if isinstance(desk.view.mode, Menu):
            hand.press("enter")


def play(hand: Hand, plan: Plan) -> None:
    """Two rounds, up to the first moment of the third."""
    desk, struck = hand.desk, set[tuple[int, str]]()
    while (e := desk.store.encounter).round <= ROUNDS:
        hand.doing = f"round {max(1, e.round)}"
        if not e.turn:
            go_on(hand, plan)
            continue
        for name in [e.combatants[k].name for k in e.turn.members]:
            if (e.round, name) not in struck:
                struck.add((e.round, name))
                blows(hand, name, e.round)
        hand.press("@next")


@contextmanager
def desk_of(system: str, plan: Plan, folder: Path) -> Iterator[Desk]:
    """A save with a party and a prepared encounter beside it, and its desk."""
    (folder / "parties").mkdir()
    (folder / "parties" / "four.toml").write_text(PARTY.format(fields=plan.fields), encoding="utf-8")
    registry = Registry()
    path = create("fight", str(folder), registry, system, {})
    session = open_session(path, str(folder), registry, SeededDice(5), how="inline")
    for line in (*(f"add {foe}" for foe in plan.foes), "save encounter foes", "undo 2"):
        session.store.run(line)
    try:
        yield Desk(session.store)
    finally:
        session.close()


def measured(
    system: str, look: Callable[[Desk], None] = lambda _: None, *, kept: bool = False
) -> Counter[str]:
    """The keys of the whole session in one system, by part of it; `look` sees the desk at the end.

    `kept`: the foes are a prepared encounter of the library, and not typed.
    """
    plan = PLANS[system]
    with tempfile.TemporaryDirectory() as folder, desk_of(system, plan, Path(folder)) as desk:
        hand = Hand(desk)
        set_up(hand, plan, kept=kept)
        play(hand, plan)
        look(desk)
        return hand.count


def main() -> None:
    parts = ("setting up", *(f"round {n}" for n in range(1, ROUNDS + 1)))
    print(f"{'system':<20} " + " ".join(f"{part:>10}" for part in parts) + f" {'all':>6} {'kept':>6}")
    for system in PLANS:
        count, kept = measured(system), measured(system, kept=True)
        told = " ".join(f"{count[part]:>10}" for part in parts)
        print(f"{system:<20} {told} {count.total():>6} {kept.total():>6}")


if __name__ == "__main__":
    main()
