"""Who is here: adding, editing, naming, grouping, hiding, removing."""

from __future__ import annotations

from typing import ClassVar

from msgspec import field

from tui.core.language.actions.base import Request
from tui.core.language.shorthand import Count, NewName, Shorthand
from tui.core.language.slots import NAME, WHO, Flag, Pairs, Word
from tui.core.language.syntax import Syntax


class Add(Request, frozen=True):
    """`count` ("" for one without a number) new combatants; `mod` is `+MOD` as written."""

    name: str
    count: str = ""
    mod: str = ""
    keys: dict[str, str] = field(default_factory=dict)
    syntax: ClassVar = Syntax(
        "add",
        (
            Count("count", "N"),
            NewName("name", "NAME", "creature"),
            Shorthand("mod"),
            Pairs("keys", "key=value", "attributes"),
        ),
        "adds combatants: add 5 Orc hp=7, add Ana +3 18 ac15",
    )


class Party(Request, frozen=True):
    """A file with a party."""

    file: str
    fresh: bool = False
    syntax: ClassVar = Syntax(
        "party",
        (Word("file", "FILE", "party"), Flag("fresh")),
        "adds a party from a file; fresh=yes: as after a long rest",
    )


class Load(Request, frozen=True):
    """A file with a prepared encounter."""

    file: str
    syntax: ClassVar = Syntax("load", (Word("file", "FILE", "encounter"),), "adds a prepared encounter")


class Set(Request, frozen=True):
    """Edit attributes and fields."""

    who: str
    keys: dict[str, str]
    syntax: ClassVar = Syntax(
        "set", (WHO, Pairs("keys", "key=value", "attributes", least=1)), "changes what is known of somebody"
    )


class Remove(Request, frozen=True):
    """Strike from the roster."""

    who: str
    syntax: ClassVar = Syntax("remove", (WHO,), "removes somebody from the fight for good")


class Rename(Request, frozen=True):
    """Give one combatant another name."""

    who: str
    name: str
    syntax: ClassVar = Syntax("rename", (WHO, NAME), "gives another name")


class Alias(Request, frozen=True):
    """The name that players read instead; `none` ends it."""

    who: str
    name: str
    syntax: ClassVar = Syntax("alias", (WHO, NAME), "the name that players read; alias WHO none ends it")


class Group(Request, frozen=True):
    """One place on the track for several."""

    who: str
    name: str
    syntax: ClassVar = Syntax("group", (WHO, Word("name", "NAME", "group")), "makes one row of several")


class Ungroup(Request, frozen=True):
    """A place for each of them again."""

    who: str
    syntax: ClassVar = Syntax("ungroup", (WHO,), "gives each a row again")


class Hide(Request, frozen=True):
    """Out of the players' sight: a creature, or one of its conditions."""

    who: str
    condition: str = ""
    syntax: ClassVar = Syntax(
        "hide", (WHO, Word("condition", "CONDITION", "carried", optional=True)), "hides from the players"
    )


class Reveal(Request, frozen=True):
    """Into the players' sight."""

    who: str
    condition: str = ""
    syntax: ClassVar = Syntax(
        "reveal", (WHO, Word("condition", "CONDITION", "carried", optional=True)), "shows to the players"
    )


RosterAction = Add | Party | Load | Set | Remove | Rename | Alias | Group | Ungroup | Hide | Reveal
