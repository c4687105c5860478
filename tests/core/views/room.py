"""A fight with secrets, and lines that ask for them."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.kit.two_fights import Fight
from tui.core.fight.viewer import as_read
from tui.systems import Registry

DUEL = {"cha.mode": "head-to-head"}


KINDS: tuple[tuple[str, dict[str, str]], ...] = (*((x, {}) for x in Registry().ids()), ("chaos", DUEL))


SECRET = (
    "Lurk", "Shade", "Coven", "@Coven", "@cult", "cult", "Warg", "Wor", "Lu", "L*", "S*ade", '"Ana,Lurk"',
    "@lost", "W*",
)  # fmt: skip
"""What only one of the fights has, or neither: creatures, a group, a side, a true name, beginnings."""


OPEN = (
    "Ana", "Bo", "Orc", "Beast", "@dark", "@heroes", "*", "Ana", "A", "Nobody", "Or", "Be", '"Ana,Bo"',
    "heroes", "none", "dark",
)  # fmt: skip


TAILS = {
    "order": ("", 'action="strike the Lurk"', "weapon=1d8", "move=yes", "maintain=yes", "spell=2", "zzz=1",
    'reaction="x => y"', "movement=Shade"),
    "roll": ("", "5", "3 4", "12", "99", "5 5 5", "2 Lurk"),
    "react": ("", "with strike", "with Lurk"),
    "switch": ("", "weapon=1d8", "from=none spell=1", "from=weapon move=yes"),
    "else": ("action", "move", "Lurk"),
    "target": ("among=Orc", "among=Lurk", "among=Warg,Orc"), "redirect": ("melee=Orc:2", "melee=Lurk:2"),
    "damage": ("3", "3 half=Lurk", "1d4", "-1"), "heal": ("2",), "temp": ("2",), "stable": ("",),
    "condition": ("prone", "prone of=Lurk", "veiled rounds=1", "slow save=wis dc=12", "slow save=zz dc=x",
    "concentration", "veil of=Lurk conc=yes"), "clear": ("Warg-bane", "Worg-bane", "prone",
    "prone of=Shade"),
    "set": ("hp=3",), "next": ("", "2"), "undo": ("", "2"),
    "surprise": ("by=cult", "by=dark"), "lock": ("",), "remove": ("",), "move": ("after Lurk",),
    "area": ("damage=3", "damage=2d4 dc=12", "damage=3 dc=9 made=Lurk", "damage=3 dc=9 failed=Ana"),
    "total": ("12", "12 Lurk 9", "99", "x"), "made": ("", "Ana"), "failed": ("", "Lurk"),
    "count": ("luck 1 reset=turn", "luck -1", "luck 1 max=2 reset=1d6>=5", "luck 1 reset=zzz"),
}  # fmt: skip


BARE = (
    "pass", "end", "next", "ok", "undo", "begin", "lock", "roll", "turn", "order", "Lurk", "fire",
    "total Ana 12", "made Lurk", "failed Ana", "rest long", "rest short Lurk", "area",
    "option zero.massive=dead",
)  # fmt: skip


NAMED = (
    "order", "roll", "react", "turn", "fire", "switch", "else", "target", "redirect", "damage", "heal",
    "temp", "condition", "clear", "out", "set", "hold", "surprise", "remove", "reveal", "total", "made",
    "failed", "area", "rest", "count", "move",
)  # fmt: skip


class Room(Fight):
    """A fight with secrets: the unseen with a group and a side of their own, an alias, a hidden condition."""

    def __init__(self, system: str, seed: int, unseen: int, true_name: str, options: dict[str, Any]) -> None:
        super().__init__(system, seed, unseen, options)
        self.say(f"rename Wolf {true_name}")
        self.say(f"alias {true_name} Beast")
        if unseen:
            self.say("set Lurk side=cult")
            self.say("group Lurk,Shade Coven") if unseen > 1 and seed % 2 else None
        # Mia was told of it when it was given, and is not told any more whether it still is there.
        self.say(f"condition Orc {true_name}-bane")
        self.say(f"hide Orc {true_name}-bane")

    def stir(self) -> None:
        """Without a GM nothing is unseen that could stir."""
        if not self.system.open_sheets(self.table.encounter):
            super().stir()

    def left(self) -> tuple[Any, ...]:
        """What is left, by the names that Mia reads."""
        people, *rest = super().left()
        return (tuple(as_read(c) for c in people), *rest)


def line_of(chance: Random) -> str:
    """A line as somebody might type it who wants to find out what is there."""
    if chance.random() < 0.15:
        return chance.choice(BARE)
    verb = chance.choice(NAMED)
    who = chance.choice(SECRET if chance.random() < 0.6 else OPEN)
    return f"{verb} {who} {chance.choice(TAILS.get(verb, ('',)))}".strip()
