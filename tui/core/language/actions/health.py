"""Hit points, conditions, and who is out. Amounts are dice notation as text, `2d8+2`; `/2` or `*2` may end them."""

from __future__ import annotations

from typing import ClassVar

from tui.core.language.actions.base import Request
from tui.core.language.slots import AMOUNT, WHO, Flag, KeyValue, Word
from tui.core.language.syntax import Syntax


class Damage(Request, frozen=True):
    """Hit points down."""

    who: str
    amount: str
    half: str = ""
    none: str = ""
    type: str = ""
    syntax: ClassVar = Syntax(
        "damage",
        (
            WHO,
            AMOUNT,
            KeyValue("half", "WHO", "who"),
            KeyValue("none", "WHO", "who"),
            KeyValue("type", "KIND"),
        ),
        "takes hit points off; N may be dice, end in /2 or *2; half= takes half of it, none= nothing",
    )


class Heal(Request, frozen=True):
    """Hit points up, to the maximum."""

    who: str
    amount: str
    syntax: ClassVar = Syntax("heal", (WHO, AMOUNT), "gives hit points back, up to the maximum")


class Temp(Request, frozen=True):
    """Temporary hit points; the higher number stays."""

    who: str
    amount: str
    syntax: ClassVar = Syntax("temp", (WHO, AMOUNT), "gives temporary hit points; 0 takes them away")


class Afflict(Request, frozen=True):
    """A condition, with an end or without; `rounds` may be dice."""

    who: str
    name: str
    rounds: str = ""
    until: str = ""
    of: str = ""
    conc: bool = False
    save: str = ""
    dc: str = ""
    syntax: ClassVar = Syntax(
        "condition",
        (WHO, Word("name", "NAME", "condition"), KeyValue("rounds", "N"), KeyValue("until", choices=("start", "end")),
         KeyValue("of", "WHO", "who"), Flag("conc"), KeyValue("save", "KEY"),
         KeyValue("dc", "N")),
        "gives a condition; rounds=N: for N whole turns of WHO after this one; conc=yes: while WHO concentrates; "
        "save=wis dc=15: until a save at the end of a turn",
    )  # fmt: skip


class Clear(Request, frozen=True):
    """Take a condition away; `of` which one, where two of one name stand."""

    who: str
    name: str
    of: str = ""
    syntax: ClassVar = Syntax(
        "clear",
        (WHO, Word("name", "NAME", "carried"), KeyValue("of", "WHO", "who")),
        "ends a condition or a counter",
    )


class Tally(Request, frozen=True):
    """A counter: made, spent (`-N`), given back (`+N`), set."""

    who: str
    counter: str
    amount: str = ""
    max: str = ""
    reset: str = ""
    syntax: ClassVar = Syntax(
        "count",
        (WHO, Word("counter", "NAME", "counter"), Word("amount", "N|+N|-N", optional=True), KeyValue("max", "N"),
         KeyValue("reset", "turn|round|short|long|never|1d6>=5")),
        "counts: slots, charges, a recharge; count Dragon breath 1 reset=1d6>=5, then -1",
    )  # fmt: skip


class Out(Request, frozen=True):
    """Down, fled or dead."""

    who: str
    syntax: ClassVar = Syntax("out", (WHO,), "takes out of the fight: down, fled, dead")


class Back(Request, frozen=True):
    """In the fight again."""

    who: str
    syntax: ClassVar = Syntax("back", (WHO,), "brings back into the fight")


HealthAction = Damage | Heal | Temp | Afflict | Clear | Tally | Out | Back
