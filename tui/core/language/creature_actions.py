"""Define the actions on creatures (roster, hit points, conditions) and the base of all actions."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct, field

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight.agenda import Verb
from tui.core.language.noted import NoteSyntax
from tui.core.language.syntax import (
    AMOUNT,
    LONG_NAME,
    WHO,
    Bare,
    Count,
    Flag,
    KeyValue,
    Kind,
    NewName,
    Pairs,
    Several,
    Shorthand,
    Syntax,
    Word,
)


class Request(Struct, frozen=True):
    """An action of the core; `syntax` has a slot for each of its fields."""

    syntax: ClassVar[Syntax]


class OwnVerb(Struct, frozen=True):
    """A verb of the running system, with its words and its keys."""

    verb: str
    words: tuple[str, ...] = ()
    keys: dict[str, str] = {}


def check_words(request: OwnVerb, verb: Verb) -> None:
    """Raise RuleError for a key that the verb does not declare, and for too few or too many words."""
    words, most = request.words, len(verb.takes)
    if strange := next((k for k in request.keys if all(f.key != k for f in verb.keys)), ""):
        message = f"{verb.name} has no key {strange}="
    elif len(words) < most - verb.damages:
        message = f"{verb.name}: {''.join(verb.usage.split()[len(words) + 1 :][:1]).strip('…')} is missing"
    elif len(words) > most and "several" not in verb.takes and not verb.brings:
        message = f"{verb.name}: one word too many, {quote(words[most])}"
    else:
        return
    raise RuleError(message, verb.usage, verb.rule)


class Add(Request, frozen=True):
    """Add creatures."""

    name: str
    count: str = ""
    """The number of creatures, as digits or dice; "" for one creature, whose name gets no number."""
    mod: str = ""
    """The modifier as it was written, such as `+3`; "" for none."""
    keys: dict[str, str] = field(default_factory=dict)
    bare: bool = False
    """Whether only hit points follow the name, as a number."""
    like: str = ""
    """The name of the kind whose numbers are taken, `none` for no numbers; "" for `name`."""
    syntax: ClassVar = NoteSyntax(
        "add",
        (
            Count("count", "[N]"),
            NewName("name", "NAME", "creature"),
            KeyValue("like", "NAME", "creature", word="as"),
            Bare("bare"),
            Shorthand("mod", "[+MOD] [HP] [acAC]"),
            Pairs("keys", "key=value", "attributes"),
        ),
        "adds combatants: add 5 Orc hp=7, add Ana +3 18 ac15",
    )


class Party(Request, frozen=True):
    """Add the party of a file."""

    file: str
    fresh: bool = False
    syntax: ClassVar = Syntax(
        "party",
        (Word("file", "FILE", "party"), Flag("fresh")),
        "adds a party from a file; fresh=yes: as after a long rest",
    )


class Load(Request, frozen=True):
    """Add the creatures of another fight that are on no side with a player's character."""

    file: str
    syntax: ClassVar = Syntax(
        "load",
        (Word("file", "FIGHT", "fight"),),
        "adds the foes of a prepared fight, or of a file with an encounter of 1.x",
    )


class Set(Request, frozen=True):
    """Edit attributes and fields."""

    who: str
    keys: dict[str, str]
    syntax: ClassVar = Syntax(
        "set", (WHO, Pairs("keys", "key=value", "attributes", least=1)), "edits a creature: hp=, ac=, note= …"
    )


class Remove(Request, frozen=True):
    """Remove creatures from the roster for good; `out` means all that are out and no player's character."""

    who: str
    syntax: ClassVar = Syntax(
        "remove",
        (WHO,),
        "removes a creature from the fight for good; remove out: all that are out, but players' characters",
    )


class Rename(Request, frozen=True):
    """Give one combatant another name."""

    who: str
    name: str
    syntax: ClassVar = Syntax("rename", (WHO, LONG_NAME), "renames a creature; several get numbers")


class Alias(Request, frozen=True):
    """Set the name that players read instead; `none` ends it."""

    who: str
    name: str
    syntax: ClassVar = Syntax(
        "alias", (WHO, LONG_NAME), "sets the name that players read; alias WHO none ends it"
    )


class Group(Request, frozen=True):
    """Make one row of several creatures."""

    who: str
    name: str
    syntax: ClassVar = Syntax(
        "group", (WHO, Word("name", "NAME", "group")), "puts several creatures into one row"
    )


class Ungroup(Request, frozen=True):
    """Give each creature of a group its own row again."""

    who: str
    syntax: ClassVar = Syntax("ungroup", (WHO,), "breaks a group up: each member gets its own row")


class Hide(Request, frozen=True):
    """Hide a creature, or one of its conditions, from the players."""

    who: str
    condition: str = ""
    syntax: ClassVar = Syntax(
        "hide",
        (WHO, Word("condition", "CONDITION", "carried", optional=True)),
        "hides a creature, or its condition, from the players",
    )


class Reveal(Request, frozen=True):
    """Show a creature, or one of its conditions, to the players."""

    who: str
    condition: str = ""
    syntax: ClassVar = Syntax(
        "reveal",
        (WHO, Word("condition", "CONDITION", "carried", optional=True)),
        "shows a hidden creature or condition to the players",
    )


RosterAction = Add | Party | Load | Set | Remove | Rename | Alias | Group | Ungroup | Hide | Reveal


class Damage(Request, frozen=True):
    """Take hit points away."""

    who: str
    amount: str
    half: str = ""
    """The creatures (a WHO) that take half of the damage."""
    none: str = ""
    """The creatures (a WHO) that take no damage."""
    type: str = ""
    pool: bool = False
    """Whether the damage goes from one creature to the next, bringing each to 0."""
    syntax: ClassVar = Syntax(
        "damage",
        (
            WHO,
            AMOUNT,
            KeyValue("half", "WHO", "who"),
            KeyValue("none", "WHO", "who"),
            Kind("type", "KIND"),
            Flag("pool"),
        ),
        "deals damage; N may be dice, end in /2 or *2; half= takes half of it, none= nothing; "
        "pool=yes: runs through a group, from one member to the next",
    )


class Heal(Request, frozen=True):
    """Restore hit points, up to the maximum."""

    who: str
    amount: str
    syntax: ClassVar = Syntax("heal", (WHO, AMOUNT), "restores hit points, up to the maximum")


class Temp(Request, frozen=True):
    """Give temporary hit points; the higher number stays."""

    who: str
    amount: str
    syntax: ClassVar = Syntax("temp", (WHO, AMOUNT), "gives temporary hit points; 0 removes them")


class Afflict(Request, frozen=True):
    """Give a condition; `rounds` may be dice."""

    who: str
    name: str
    rounds: str = ""
    until: str = ""
    of: str = ""
    conc: bool = False
    save: str = ""
    dc: str = ""
    at: str = ""
    damage: str = ""
    type: str = ""
    heal: str = ""
    note: str = ""
    syntax: ClassVar = Syntax(
        "condition",
        (
            WHO,
            Word("name", "NAME", "condition"),
            KeyValue("rounds", "N"),
            KeyValue("until", choices=("start", "end")),
            KeyValue("of", "WHO", "who"),
            Flag("conc"),
            KeyValue("save", "KEY"),
            KeyValue("dc", "N"),
            KeyValue("at", choices=("start", "end")),
            KeyValue("damage", "DICE"),
            KeyValue("type", "KIND"),
            KeyValue("heal", "DICE"),
            KeyValue("note", "TEXT"),
        ),
        "gives a condition; rounds=N: for N whole turns of WHO after this one; "
        "at=start damage=1d6 type=fire (or heal=10): owed at each of its turns; "
        "conc=yes: while of=, or who acts, concentrates; save=wis dc=15: until a save at the end of a turn",
    )


class Clear(Request, frozen=True):
    """End a condition or a counter; `of` chooses among two of one name."""

    who: str
    name: str
    of: str = ""
    syntax: ClassVar = Syntax(
        "clear",
        (WHO, Word("name", "NAME", "endable"), KeyValue("of", "WHO", "who")),
        "ends a condition or a counter",
    )


class Tally(Request, frozen=True):
    """Make, spend (`-N`), restore (`+N`) or set a counter."""

    who: str
    counter: str
    amount: str = ""
    max: str = ""
    reset: str = ""
    syntax: ClassVar = Syntax(
        "count",
        (
            WHO,
            Word("counter", "NAME", "counter"),
            Word("amount", "N|+N|-N", optional=True),
            KeyValue("max", "N"),
            KeyValue("reset", "turn|round|short|long|never|1d6>=5"),
        ),
        "counts: slots, charges, a recharge; count Dragon breath 1 reset=1d6>=5, then -1",
    )


class Out(Request, frozen=True):
    """Take creatures out of the fight: down, fled or dead."""

    who: str
    syntax: ClassVar = Syntax("out", (WHO,), "takes a creature out of the fight: down, fled, dead")


class Back(Request, frozen=True):
    """Bring creatures back that are out of the fight."""

    who: str
    syntax: ClassVar = Syntax("back", (WHO,), "brings a creature back into the fight")


class Stable(Request, frozen=True):
    """Stop death saves of a dying creature, which stays at 0 hit points."""

    who: str
    syntax: ClassVar = Syntax(
        "stable",
        (WHO,),
        "ends dying at 0 hit points, without healing: first aid, a spell; no more death saves",
    )


HealthAction = Damage | Heal | Temp | Afflict | Clear | Tally | Out | Back | Stable


class Area(Request, frozen=True):
    """Damage several creatures; with a `dc` each of them owes a saving throw first."""

    who: str
    damage: str
    type: str = ""
    dc: str = ""
    save: str = ""
    made: str = ""
    failed: str = ""
    half: str = ""
    hit: str = ""
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
            KeyValue("hit", choices=("yes", "no")),
        ),
        "damages many: area @dark damage=8d6 dc=15 save=dex; a made save takes half, or nothing with half=no",
    )


class Rest(Request, frozen=True):
    """Let creatures rest; the sides of the players if `who` is ""."""

    length: str
    who: str = ""
    syntax: ClassVar = Syntax(
        "rest",
        (Word("length", "short|long", choices=("short", "long")), Word("who", "WHO", "who", optional=True)),
        "rests after the fight: restores counters by their reset; a long rest also heals",
    )


class Strike(Request, frozen=True):
    """Attack each of `targets`, in order; `face` and `damage` are typed numbers."""

    who: str
    name: str
    targets: tuple[str, ...]
    adv: str = ""
    face: str = ""
    damage: str = ""
    syntax: ClassVar = Syntax(
        "attack",
        (
            WHO,
            Word("name", "NAME", "attack"),
            Several("targets", "TARGET…", "who"),
            KeyValue("adv", choices=("adv", "dis")),
            KeyValue("face", "N"),
            KeyValue("damage", "N"),
        ),
        "makes an attack of WHO: attack Troll bite Ana; face=14 damage=9: dice rolled at the table",
    )


EffectAction = Area | Rest | Strike
