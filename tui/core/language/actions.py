"""Define what may be asked of a fight: actions as data, each with its syntax."""

from __future__ import annotations

from typing import ClassVar

from msgspec import field

from tui.core.language.creature_actions import (
    Add,
    Afflict,
    EffectAction,
    HealthAction,
    Load,
    OwnVerb,
    Party,
    Request,
    RosterAction,
)
from tui.core.language.syntax import (
    WHO,
    Faces,
    Flag,
    KeyValue,
    Names,
    Number,
    Pairs,
    Several,
    Syntax,
    Tail,
    Text,
    Totals,
    Word,
)

MOST_TURNS = 1_000


class Begin(Request, frozen=True):
    """Start the fight, in round 1 or in the phase with which the system begins."""

    syntax: ClassVar = Syntax("begin", (), "starts the fight")


class Finish(Request, frozen=True):
    """End the fight; then let the foes go and the players' sides rest."""

    rest: str = ""
    foes: str = ""
    syntax: ClassVar = Syntax(
        "finish",
        (KeyValue("rest", choices=("none", "short", "long")), KeyValue("foes", choices=("stay", "go"))),
        "ends the fight; keeps creatures, conditions without an end, and the log; "
        "rest=short rests after it, foes=go removes all who are not on a side with a player's character",
    )


class Roll(Request, frozen=True):
    """Answer rolls: all that are due, or those of WHO, by the app or with typed faces."""

    who: str = ""
    faces: tuple[int | str, ...] = ()
    syntax: ClassVar = Syntax(
        "roll",
        (Word("who", "WHO", "roller", optional=True), Faces("faces", "[FACE…]")),
        "rolls what is due, or takes faces from the table: roll Ana,Bo 12 9",
    )


class Total(Request, frozen=True):
    """Answer rolls with typed totals, each for the next roll of its WHO."""

    totals: tuple[tuple[str, int], ...]
    syntax: ClassVar = Syntax(
        "total",
        (Totals("totals", "WHO N…", "roller"),),
        "takes totals that players call, or corrects them: total Ana 17 Bo 9",
    )


class Made(Request, frozen=True):
    """Answer the first save that each of these owes: it is made."""

    names: tuple[str, ...]
    syntax: ClassVar = Syntax("made", (Several("names", "WHO…", "saver"),), "records that WHO made the save")


class Failed(Request, frozen=True):
    """Answer the first save that each of these owes: it has failed."""

    names: tuple[str, ...]
    syntax: ClassVar = Syntax(
        "failed", (Several("names", "WHO…", "saver"),), "records that WHO failed the save"
    )


class Apply(Request, frozen=True):
    """Deal the effects that WHO owes, or only the one called `name`; `amount` replaces the dice."""

    who: str
    name: str = ""
    amount: str = ""
    syntax: ClassVar = Syntax(
        "apply",
        (
            Word("who", "WHO", "bearer"),
            Word("name", "NAME", "effect", optional=True),
            Word("amount", "N", optional=True),
        ),
        "deals what WHO owes at the start or end of a turn; apply Ana burning 7: 7 as rolled at the table",
    )


class Skip(Request, frozen=True):
    """Leave out the effects that WHO owes at this edge, or only the one called `name`."""

    who: str
    name: str = ""
    syntax: ClassVar = Syntax(
        "skip",
        (Word("who", "WHO", "bearer"), Word("name", "NAME", "effect", optional=True)),
        "skips an effect that WHO owes, this time",
    )


class Pick(Request, frozen=True):
    """Answer a due choice; no names choose nobody."""

    names: tuple[str, ...] = ()
    syntax: ClassVar = Syntax(
        "pick", (Names("names", "WHO…", "picked"),), "answers a choice; pick none chooses no creature"
    )


class Order(Request, frozen=True):
    """Answer a due form."""

    who: str
    keys: dict[str, str] = field(default_factory=dict)
    syntax: ClassVar = Syntax(
        "order",
        (Word("who", "WHO", "writer"), Pairs("keys", "key=value", "form")),
        "writes an order, a declaration or an intent",
    )


class Lock(Request, frozen=True):
    """Close the writing of orders; with `missing` "empty", a missing order counts as an empty one."""

    missing: str = ""
    syntax: ClassVar = Syntax(
        "lock", (KeyValue("missing", choices=("empty",)),), "locks the orders: no more can be written"
    )


class Unlock(Request, frozen=True):
    """Open the writing of orders again."""

    syntax: ClassVar = Syntax("unlock", (), "unlocks the orders, before the dice are rolled")


class Next(Request, frozen=True):
    """Take the next step of play that needs no choice, `times` times."""

    times: int = 1
    syntax: ClassVar = Syntax(
        "next",
        (Number("times", "N", least=1, most=MOST_TURNS, default=1),),
        "ends the turn and starts the next",
    )


class TakeTurn(Request, frozen=True):
    """Begin an offered turn."""

    who: str
    syntax: ClassVar = Syntax("turn", (Word("who", "WHO", "actor"),), "starts the turn of WHO")


class Pass(Request, frozen=True):
    """Decline the offered turns with `pass`, if the system allows it."""

    syntax: ClassVar = Syntax("pass", (), "passes, if the system allows it")


class End(Request, frozen=True):
    """End the running turn, or the side's."""

    syntax: ClassVar = Syntax("end", (), "ends the turn and starts no other")


class Done(Request, frozen=True):
    """Give all creatures of a side that have not acted their turns."""

    side: str = ""
    syntax: ClassVar = Syntax(
        "done",
        (Word("side", "SIDE", "side", optional=True),),
        "gives all of a side who have not acted their turns",
    )


class Hold(Request, frozen=True):
    """Delay the turn of WHO."""

    who: str
    syntax: ClassVar = Syntax("hold", (WHO,), "delays")


class ActNow(Request, frozen=True):
    """Act now, after having delayed."""

    who: str
    syntax: ClassVar = Syntax("act", (WHO,), "acts now, after delaying")


class Move(Request, frozen=True):
    """Put a row before or after another."""

    who: str
    where: str
    other: str
    syntax: ClassVar = Syntax(
        "move",
        (WHO, Word("where", "before|after", choices=("before", "after")), Word("other", "WHO", "who")),
        "moves a row to another place on the track",
    )


class React(Request, frozen=True):
    """Spend a reaction."""

    who: str
    text: str = ""
    syntax: ClassVar = Syntax(
        "react",
        (WHO, Tail("text", "TEXT", after="with")),
        "spends a reaction, or readies an action on its own turn (Classic)",
    )


class Ok(Request, frozen=True):
    """Acknowledge what must be read."""

    syntax: ClassVar = Syntax("ok", (), "confirms that all have read the page")


PlayAction = (
    Begin | Finish | Roll | Total | Made | Failed | Apply | Skip | Pick | Order | Lock | Unlock | Next
    | TakeTurn | Pass | End | Done | Hold | ActNow | Move | React | Ok
)  # fmt: skip


class FreeRoll(Request, frozen=True):
    """Roll dice that no rule asks for; only the GM reads them, unless they are `open`."""

    expression: str
    text: str = ""
    open: bool = False
    syntax: ClassVar = Syntax(
        "dice",
        (Word("expression", "EXPRESSION"), Text("text", "[TEXT]"), Flag("open")),
        "rolls dice for the log; players see them only with open=yes",
    )


class Option(Request, frozen=True):
    """Set house rules."""

    keys: dict[str, str]
    syntax: ClassVar = Syntax(
        "option", (Pairs("keys", "KEY=VALUE", "options", least=1),), "sets a house rule"
    )


class System(Request, frozen=True):
    """Change to another initiative system in the same fight."""

    system: str
    bonus: bool = False
    """Whether the bonus to the roll in the old system becomes that of the new one."""
    syntax: ClassVar = Syntax(
        "system",
        (Word("system", "ID"), Flag("bonus")),
        "changes to another initiative system; bonus=yes keeps the bonuses to rolls",
    )


class Note(Request, frozen=True):
    """Write a line into the log."""

    text: str
    syntax: ClassVar = Syntax("note", (Tail("text", "TEXT"),), "writes a line into the log")


class Undo(Request, frozen=True):
    """Undo a number of steps.

    `mine`: only the GM's own last steps; `player`: only the last step of that player. Later steps of seats
    are run again then.
    """

    steps: int = 1
    mine: bool = False
    player: str = ""
    syntax: ClassVar = Syntax(
        "undo",
        (Number("steps", "N", least=1, default=1), Flag("mine"), KeyValue("player", "NAME")),
        "undoes steps; mine=yes: only yours, player=NAME: only that player's last; runs later lines again",
    )


class Redo(Request, frozen=True):
    """Redo a number of steps."""

    steps: int = 1
    syntax: ClassVar = Syntax(
        "redo", (Number("steps", "N", least=1, default=1),), "redoes steps, with the same dice"
    )


class Goto(Request, frozen=True):
    """Go to the state after this many steps."""

    step: int
    syntax: ClassVar = Syntax("goto", (Number("step", "STEP"),), "goes to a step, back or forward")


TableAction = FreeRoll | Option | System | Note
Travel = Undo | Redo | Goto


class KeepInLibrary(Request, frozen=True):
    """Write a creature, unhurt, or a condition into the library; this is no step."""

    what: str
    name: str
    like: str = ""
    """The name under which a creature is kept; "" for that of its kind."""
    over: bool = False
    syntax: ClassVar = Syntax(
        "keep",
        (
            Word("what", "creature|condition", choices=("creature", "condition")),
            Word("name", "NAME", "kept"),
            KeyValue("like", "NAME", word="as"),
            Flag("over"),
        ),
        "writes a creature, unhurt, or a condition into the library: keep creature Orc as=Guard",
    )


class Save(Request, frozen=True):
    """Write creatures into the library; this is no step."""

    what: str
    name: str
    who: str = ""
    hp: str = ""
    over: bool = False
    syntax: ClassVar = Syntax(
        "save",
        (
            Word("what", "party", choices=("party",)),
            Word("name", "NAME"),
            Word("who", "WHO", "who", optional=True),
            KeyValue("hp", choices=("now", "full")),
            Flag("over"),
        ),
        "writes the creatures into the library: hit points as they are now, or full",
    )


Deed = RosterAction | HealthAction | EffectAction | PlayAction | TableAction
"""Every action that the rules of the core decide."""

Action = Deed | OwnVerb | Travel | Save | KeepInLibrary

LibraryAction = Add | Party | Load | Afflict
"""The actions that may name something in the library."""
