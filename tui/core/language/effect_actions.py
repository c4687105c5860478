"""What reaches many at once: damage with a save each, and a rest."""

from __future__ import annotations

from typing import ClassVar

from tui.core.language.creature_actions import Request
from tui.core.language.slots import WHO, KeyValue, Word
from tui.core.language.syntax import Syntax


class Area(Request, frozen=True):
    """Damage to many, with a save each where there is a `dc`."""

    who: str
    damage: str
    type: str = ""
    dc: str = ""
    save: str = ""
    made: str = ""
    failed: str = ""
    half: str = ""
    syntax: ClassVar = Syntax(
        "area",
        (
            WHO,
            KeyValue("damage", "DICE"),
            KeyValue("type", "KIND"),
            KeyValue("dc", "N"),
            KeyValue("save", "KEY"),
            KeyValue("made", "WHO", "who"),
            KeyValue("failed", "WHO", "who"),
            KeyValue("half", choices=("yes", "no")),
        ),
        "damages many: area @dark damage=8d6 dc=15 save=dex; "
        "who makes the save takes half, or nothing with half=no",
    )


class Rest(Request, frozen=True):
    """Give back what a rest gives; nobody named: all of the players' sides."""

    length: str
    who: str = ""
    syntax: ClassVar = Syntax(
        "rest",
        (Word("length", "short|long", choices=("short", "long")), Word("who", "WHO", "who", optional=True)),
        "after the fight: counters come back by their reset; a long rest heals",
    )


EffectAction = Area | Rest
