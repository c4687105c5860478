"""Define the interface of an initiative system: the page of theory, then the methods, each with a default.

**Questions and facts.** A system never rolls and never chooses. It answers *questions*, pure functions of
the encounter that may be asked at any time (`due`, `offer`, `rows`), and it writes *facts*: methods that
get a draft write events into it, or raise RuleError, and then nothing has changed (`begin`, `answer`,
`took`).

**A draft** is a line that is being carried out. `d.encounter` is the encounter as the events so far leave
it, so that within a line one contest decides the next; `d.emit` appends events, `d.mark`, `d.unmark` and
`d.announce` are short for frequent ones. All events of a line reach the disk together and are one step for
`undo`. A system keeps nothing in itself: what it must know later it notes (`ev.Noted`) and reads with
`notes(e, Shape)`.

**The loop.** After every line the core calls `settle`, and then asks in this order:

| asked | if so | lines that go on | then the core calls |
|---|---|---|---|
| `due`: what is owed? | dice, choices, forms | `roll` `total` `pick` `order` `lock` `ok` | `answer` |
| does a turn run? | its members act | `next` `end` | `ended` |
| `offer`: who may act? | one act is forced, several are a choice | `next` `turn` `pass` | `took` |

`due` and `offer` say *that* something is to happen and who answers for it, never what comes of it. The `key`
of an ask names its purpose and stays the same until it is answered. `settle` takes the steps that need no
answer: from the last die to the first turn, from a contest to what it decides, and what an `add`, `out` or
`group` has changed. It is called again and again, so at rest it writes nothing.

The ask for a number in the order is `init WHO`, that of a roll-off `tie1 WHO`, `tie2 WHO` (WHO is the key).
The `chooser` of an offer is a key, too: a creature, group or side. Its owners choose from their seats; with
none each player speaks for the own creatures. A row is `ranked` also while its number is owed.

**Turns and rounds.** `took` begins a turn with `start_turn` and a round with `next_round`. The core ends a
turn: for `next` and `end`, and when the last of its members goes out or leaves its entry; if all of them
join one group, it goes on as the group's. A turn that was taken marks its members `acted` until the round
ends; one that was not (a delay) does not. At these edges conditions count and saves fall due (`turn_edges`,
`upkeep_edges`). `joined`, `left` and `regrouped` report creatures that come, go and change entries in the
middle of it. A creature without a turn in this round (too late, passed by) gets a mark of the system, as a
rule `barred`, and the row that state. A round in which perhaps no turn comes is offered by an act that
`pauses`.

**Delays.** `hold` gives a mark that `delays`, and ends a running turn by
`end_turn(d, self, was_taken=False)`. `act` takes the mark away and begins the turn. To cut into another's,
it emits `ev.TurnPaused` first; `ended` resumes that. For `hold` and `act` the core does not look whether
something is `due`.

**Phases.**

| phase | begins | what is asked |
|---|---|---|
| `setup` | before the fight, and after `finish` | nothing: people come to the table |
| `rolls` | in `begin`, and when the order is rolled again | `due`: the dice |
| `turns` | in `settle`, when nothing is owed for the order | `offer`; late rolls are `due` |
| its own, declared in `phases` | where the system emits `ev.PhaseEntered` | what it makes `due` or offers |

What a screen may ask beside the rules is in `on_screen`; written orders, corrections, saves and hits of a
system's own, and dice whose faces have names, are in `optional`. Neither is needed for a system that can be
played.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from typing import ClassVar, Literal, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from tui.core.base.cache import remember_results
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import (
    COMMON_MARKS,
    COMMON_PHASES,
    NOTHING,
    Act,
    Ask,
    Field,
    Mark,
    Offer,
    Phase,
    RollAsk,
    TrackRow,
    Verb,
    literal,
    say,
)
from tui.core.fight.combatant import Combatant, Plain
from tui.core.fight.encounter import (
    SIDE,
    Encounter,
    Entry,
    Turn,
    active,
    entries,
    key_of,
    members,
    side_of,
    to_act,
)
from tui.core.fight.events import Passed, Reacted, Rolled, TurnResumed
from tui.core.language.creature_actions import OwnVerb
from tui.core.rules.draft import (
    Draft,
    finish_part,
    finish_round,
    finish_turn,
    hand_on_turn,
    has_members,
    is_round_over,
    members_in_play,
    start_round,
    start_turn,
)

N = TypeVar("N", bound=msgspec.Struct)


PARTS: Mapping[str, tuple[str, ...]] = {
    "OnScreen": ("remarks", "choices", "form", "lines", "beside", "instead", "preview", "order_fields",
                 "asked_first"),
    "Orders": ("orders", "order", "order_left", "lock", "unlock"),
    "Corrections": ("correctable", "settled", "correct", "overrule", "takes_any_total"),
    "OwnSaves": ("saved", "owes", "ticked"),
    "Hits": ("counts_hits", "count_hit"),
    "Deck": ("names", "gone"),
}  # fmt: skip
"""The optional classes besides `InitiativeSystem`, in `on_screen` and `optional`, with their methods."""


class InitiativeSystem:
    """A way to decide the order of turns; all texts are our own words, not those of a rule book."""

    id: ClassVar[str] = ""
    title: ClassVar[str] = ""
    short: ClassVar[str] = ""
    """A shorter title; "" for none."""
    summary: ClassVar[str] = ""
    credit: ClassVar[str] = ""
    """The source and its licence."""
    fields: ClassVar[tuple[Field, ...]] = ()
    options: ClassVar[tuple[Field, ...]] = ()
    verbs: ClassVar[tuple[Verb, ...]] = ()
    marks: ClassVar[tuple[Mark, ...]] = ()
    """The marks that the system gives creatures, besides those of every system."""
    phases: ClassVar[tuple[Phase, ...]] = ()
    """The phases that the system enters, besides setup, rolls and turns."""
    sides: ClassVar[tuple[str, ...]] = ()
    """The only sides that may exist; empty if any may."""
    turn_edges: ClassVar[Literal["turn", "round"]] = "turn"
    """Whether conditions count the edges of each turn (`turn`), or all together those of the round (`round`).
    """
    upkeep_edges: ClassVar[Literal["turn", "round"]] = "turn"
    """Whether counters, recharges and death saves come with the start of each turn or of the round."""
    once_rule: ClassVar[str] = ""
    """The clause by which no creature has two turns in a round; "" for none."""
    modifier: ClassVar[str] = ""
    """The key of the field that `+MOD` after a new name sets; "" for none."""
    new_options: ClassVar[Mapping[str, Plain]] = {}
    """House rules of the system that a new fight has unless somebody chooses others."""
    reaction_returns: ClassVar[str] = ""
    """The words that say when a spent reaction is restored."""
    reaction_rule: ClassVar[str] = ""
    reaction_until: ClassVar[Literal["round", "fight"]] = "round"
    """The edge that ends the mark of a spent reaction; `fight` if the system removes the mark itself."""
    players_turns: ClassVar[bool] = True
    """Whether players choose, pass and end their own turns; else the GM resolves them."""
    delays: ClassVar[bool] = False
    """Whether entries may delay (`hold`, `act`); else the screen binds no keys for it."""
    instead_of_delays: ClassVar[tuple[str, str]] = ("", "")
    """What works where nobody can delay, and the clause for it."""
    readies: ClassVar[str] = ""
    """The short word for an action that `react` with a text readies in the own turn, "" if it cannot."""
    passes: ClassVar[bool] = False
    """Whether it ever offers to pass; else the screen binds no key for it."""
    is_d20: ClassVar[bool] = False
    """Whether its creatures are those of d20 games, so that figures of the System Reference Documents fit."""
    takes_places: ClassVar[bool] = True
    """Whether `value=` can be typed: as a fixed place, or to be kept for another system."""
    grouped: ClassVar[bool] = False
    """Whether creatures of one kind can be one row, so that the screen offers to group them."""
    clauses: ClassVar[Mapping[str, str]] = {}
    """The texts of the rules, by clause."""
    glossary: ClassVar[Mapping[str, str]] = {}
    """The meanings of the system's own words, a sentence each, for the help."""
    all_marks: ClassVar[Mapping[str, Mark]] = {m.name: m for m in COMMON_MARKS}
    all_phases: ClassVar[Mapping[str, Phase]] = {p.name: p for p in COMMON_PHASES}
    _defaults: ClassVar[dict[str, Plain]] = {}

    def __init_subclass__(cls) -> None:
        """Index the declarations by name.

        Raises TypeError for a method of an optional class that is not a base.
        """
        bases = {base.__name__ for base in cls.__mro__}
        for part, methods in PARTS.items():
            # Unless the optional class is a base, nothing calls the method.
            if cls.id and part not in bases and (method := next((m for m in methods if hasattr(cls, m)), "")):
                raise TypeError(
                    f"{cls.__name__} has {method}, a method of {part}: make {part} one of its bases"
                )
        cls.all_marks = {m.name: m for m in (*cls.marks, *COMMON_MARKS)}
        cls.all_phases = {p.name: p for p in (*COMMON_PHASES, *cls.phases)}
        cls._defaults = {f.key: f.default for f in cls.options}

    # --- questions, pure

    def due(self, e: Encounter) -> tuple[Ask, ...]:  # noqa: ARG002
        """Return the asks that must be answered before play goes on, in order."""
        return ()

    def offer(self, e: Encounter) -> Offer:  # noqa: ARG002
        """Return the acts that are possible now; asked only if no turn runs and nothing is due."""
        return NOTHING

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:  # noqa: ARG002
        """Return the rows of the track, first to act first."""
        return ()

    def value_of(self, e: Encounter, key: str) -> int:
        """Return the number in the row of a key; 0 without a number or a row.

        A system that knows the number without making every row overrides this, because a story asks at every
        turn.
        """
        return next((row.value for row in self.rows(e) if row.entry == key), 0)

    def total_of(self, e: Encounter, roll: Rolled) -> tuple[int, tuple[int, ...]] | None:  # noqa: ARG002
        """Return a roll's total and the faces that count, for the log; None if all faces are simply added."""
        return None

    def number_of(self, e: Encounter, ask: RollAsk, faces: tuple[int, ...]) -> int:
        """Return the number that these faces give as the answer of an ask."""
        worth = self.total_of(e, Rolled(ask.key, ask.who, ask.dice, faces))
        return worth[0] if worth else sum(faces)

    def places_by(self, e: Encounter, ask: RollAsk) -> bool:  # noqa: ARG002
        """Return whether a roll decides the place of its roller, whose row has no place until the roll."""
        return True

    def in_play(self, e: Encounter) -> list[Combatant]:
        """Return the creatures that take part now; reserves do not."""
        return active(e)

    def entries(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the entries in roster order."""
        return entries(self.in_play(e))

    def turn_side(self, e: Encounter) -> str:
        """Return the side whose turn it is."""
        return side_of(e, e.acting)

    def side_acts_whole(self, e: Encounter) -> bool:  # noqa: ARG002
        """Return whether the turn of a side lasts until all of its creatures have acted."""
        return False

    def turn_begun(self, e: Encounter, key: str) -> bool:
        """Return whether the next end of a turn of this key is that of a turn that has already begun."""
        if self.turn_edges == "round" and is_round_over(e):
            return False
        if self.turn_edges == "round":
            return any("acted" in c.marks or (e.turn and c.id in e.turn.members) for c in members(e, key))
        return any(key == t.who or key in t.members for t in e.turns)

    def in_combat(self, e: Encounter, side: str) -> bool:  # noqa: ARG002
        """Return whether a side is fighting."""
        return e.running

    def open_sheets(self, e: Encounter) -> str:  # noqa: ARG002
        """Return the clause by which all sheets are open and hiding is impossible; "" for none."""
        return ""

    def without(self, e: Encounter, unseen: Collection[str]) -> Encounter:  # noqa: ARG002
        """Return the encounter without everything that only these unseen creatures (ids) have caused."""
        return e

    # --- facts, written into a draft

    def begin(self, d: Draft) -> None:
        """Start the fight."""

    def answer(self, d: Draft, ask: Ask, answer: tuple[Plain, ...]) -> None:
        """Take the answer of an ask: faces, keys, or nothing for a lock and an acknowledgement."""

    def answer_total(self, d: Draft, ask: RollAsk, faces: tuple[int, ...], total: int) -> None:  # noqa: ARG002
        """Take the typed total of several dice; `faces` are possible ones.

        Raises RuleError if faces decide.
        """
        self.answer(d, ask, faces)

    def took(self, d: Draft, act: Act) -> None:
        """Carry out an offered act: begin the turn, or record the pass."""
        if act.kind == "turn":
            fresh = [c.id for c in to_act(members_in_play(d.encounter, act.who))]
            start_turn(d, act.who, fresh, edges=self.turn_edges == "turn", upkeep=self.upkeep_edges == "turn")
        elif act.kind == "pass":
            d.emit(Passed(act.who))

    def ended(self, d: Draft, turn: Turn) -> None:  # noqa: ARG002
        """React to the end of a turn: resume one that was interrupted, if any of its members are left."""
        if d.encounter.paused:
            d.emit(TurnResumed())
            if d.encounter.turn and not has_members(d.encounter, d.encounter.turn):
                end_turn(d, self)

    def settle(self, d: Draft) -> None:
        """Take the steps that need no answer; called after every action until nothing changes."""

    def end_side(self, d: Draft) -> None:  # noqa: ARG002
        """Run `end` without a running turn. Raises RuleError."""
        raise RuleError("no turn is running")

    def hold(self, d: Draft, key: str) -> None:  # noqa: ARG002
        """Let an entry delay. Raises RuleError."""
        raise RuleError(f"{self.title} has no delaying", *self.instead_of_delays)

    def act(self, d: Draft, key: str) -> None:
        """Let an entry that delayed act now. Raises RuleError."""
        InitiativeSystem.hold(self, d, key)

    def move(self, d: Draft, key: str, where: str, other: str) -> None:  # noqa: ARG002
        """Move a row before or after another, for the GM. Raises RuleError."""
        raise RuleError(f"{self.title} has no track to move rows on")

    def react(self, d: Draft, who: str, text: str) -> None:
        """Spend a creature's reaction; `text` is what the player says. Raises RuleError if it is spent."""
        c = d.encounter.combatants[who]
        if "reaction" in c.marks:
            raise RuleError(f"{c.name} has spent its reaction", self.reaction_returns, self.reaction_rule)
        d.emit(Reacted(who, text))
        d.mark((who,), "reaction", self.reaction_until)

    def no_reaction(self, e: Encounter, c: Combatant) -> str:  # noqa: ARG002
        """Return the reason why a creature has no reaction left, in a few words; "" if it has one."""
        return "spent" if "reaction" in c.marks else ""

    def report(self, d: Draft, request: OwnVerb) -> None:  # noqa: ARG002
        """Run one of the system's own verbs. Raises RuleError."""
        raise RuleError(f"{self.title} has no verb {request.verb}")

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """React to creatures that were added, arrived or came back while the fight runs."""

    def left(self, d: Draft, who: tuple[str, ...]) -> None:
        """React to creatures that went out or were removed while the fight runs."""

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """React to creatures that changed entries in a running fight; `before`: the old key by id."""
        leave_turn(d, self, before)

    def damaged(self, d: Draft, who: str, amount: int) -> None:
        """React to damage that a creature took in a running fight."""

    def option(self, e: Encounter, key: str) -> Plain:
        """Return the value of a house rule, or its default if it is not set."""
        return e.options[key] if key in e.options else self._defaults[key]


def notes(e: Encounter, shape: type[N]) -> N:
    """Return the running system's notes as its own frozen struct. Raises ValidationError for wrong types."""
    return _convert(e.notes, shape)


# One key pressed, 200 creatures in dynamic: 20 ms, 29 without the cache.
@remember_results
def due_of(e: Encounter, system: InitiativeSystem) -> tuple[Ask, ...]:
    """Return what the system asks for now, as `InitiativeSystem.due` does; () outside a fight."""
    return system.due(e) if e.running else ()


@remember_results
def offer_of(e: Encounter, system: InitiativeSystem) -> Offer:
    """Return the acts that are possible now, as `InitiativeSystem.offer` does."""
    return system.offer(e)


def rows_of(e: Encounter, system: InitiativeSystem) -> tuple[TrackRow, ...]:
    """Return the rows of the track, as `InitiativeSystem.rows` does; none outside a running fight."""
    return system.rows(e) if e.running else ()


# One key pressed, 200 creatures in dungeon-track: at worst 18 ms, 148 without the cache; a roll for all: 47
# ms, 513 without.
@remember_results
def _convert(plain: dict[str, Plain], shape: type[N]) -> N:
    return msgspec.convert(plain, shape, strict=True)


def in_reserve(e: Encounter, system: InitiativeSystem) -> list[Combatant]:
    """Return the creatures that have not come into play: they would not take part even if nobody were out."""
    if any(c.out for c in e.combatants.values()):
        standing = {k: replace(c, out=False) if c.out else c for k, c in e.combatants.items()}
        return [e.combatants[c.id] for c in in_reserve(replace(e, combatants=standing), system)]
    present = {c.id for c in system.in_play(e)}
    return [c for k, c in e.combatants.items() if k not in present]


def end_turn(d: Draft, system: InitiativeSystem, *, was_taken: bool = True) -> None:
    """End the running turn, and let the system react."""
    if turn := d.encounter.turn:
        finish_turn(d, was_taken=was_taken, edges=system.turn_edges == "turn")
        system.ended(d, turn)
        system.settle(d)


def leave_turn(d: Draft, system: InitiativeSystem, before: Mapping[str, str]) -> None:
    """Settle the turns, running or interrupted, of creatures that left their entry.

    If all of them are in one group now, the turn goes on as the group's. Else they have had it, and it goes
    on for the members that stayed; without any it ends. `before`: the key of the entry that each id had.
    """
    running = d.encounter.turn
    # The turns that wait are checked first: one that is over must not resume when the running turn ends.
    for turn in (*d.encounter.paused, *((running,) if running else ())):
        people = d.encounter.combatants
        rows = {k: x for x in system.entries(d.encounter) for k in x.members}
        # A newcomer that acts alone, under its own id in the row of its group, goes on alone.
        mine = [k for k in turn.members if before.get(k) == turn.who and key_of(people[k]) != turn.who]
        stayed = [k for k in turn.members if k not in mine and k in rows and rows[k].key == turn.who]
        joined = {rows[k].key for k in mine if k in rows}
        if not mine:
            continue
        if stayed:
            for k in mine:
                finish_part(d, k, edges=system.turn_edges == "turn")
        elif len(joined) == 1 and (key := joined.pop()).startswith(SIDE):
            _hand_on(d, system, turn, next(x for x in rows.values() if x.key == key))
        elif turn == d.encounter.turn:
            end_turn(d, system)
        else:
            finish_turn(d, turn, edges=system.turn_edges == "turn")


def _hand_on(d: Draft, system: InitiativeSystem, turn: Turn, row: Entry) -> None:
    """Let a turn go on as that of the row which all its creatures have joined."""
    edges, people = system.turn_edges == "turn", d.encounter.combatants
    left = [k for k in turn.members if k in people and k not in row.members and key_of(people[k]) != row.key]
    for k in left:
        finish_part(d, k, edges=edges)
    busy = d.encounter.busy
    joining = [c.id for c in to_act(members_in_play(d.encounter, row.key)) if c.id not in busy]
    staying = replace(turn, members=tuple(k for k in turn.members if k not in left))
    hand_on_turn(d, staying, row.key, joining, edges=edges, upkeep=system.upkeep_edges == "turn")


def next_round(d: Draft, system: InitiativeSystem) -> None:
    """End the running round and start the next, with edges and arrivals; in round 1 no creature is late."""
    if d.encounter.round:
        finish_round(d, edges=system.turn_edges == "round")
    start_round(d, edges=system.turn_edges == "round", upkeep=system.upkeep_edges == "round")
    e = d.encounter
    if e.round > 1 and (arrivals := tuple(c.id for c in active(e) if c.arrives == e.round)):
        system.joined(d, arrivals)


_TUPLES: Mapping[str, type] = {
    "fields": Field, "options": Field, "verbs": Verb, "marks": Mark, "phases": Phase, "sides": str,
}  # fmt: skip


def find_flaw(system: type[InitiativeSystem]) -> str:
    """Return the flaw that keeps a class from being a system, such as `it lacks dice_for`; "" for none."""
    if missing := ", ".join(sorted(getattr(system, "__abstractmethods__", ()))):
        return f"it lacks {missing}"
    if not (isinstance(system.title, str) and system.title):
        return "it lacks a title"
    for name in ("short", "summary", "credit"):
        if not isinstance(getattr(system, name), str):
            return f"{name} must be a text"
    for name, kind in _TUPLES.items():
        values = getattr(system, name)
        if not (isinstance(values, tuple) and all(isinstance(x, kind) for x in values)):
            return f"{name} must be a tuple of {kind.__name__}: a tuple of one ends in a comma"
    return ""


class Absent(InitiativeSystem):
    """Replaces a system that cannot be loaded, so that its saves can still be read."""

    title = "System not loaded"

    def offer(self, e: Encounter) -> Offer:
        """Return an offer without acts and with the reason; players read it, so no file is named."""
        return Offer(why=say(f"The system {literal(e.system)} cannot be loaded, so nobody can act"))


class Systems(Protocol):
    """All initiative systems that exist."""

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all systems."""

    def get(self, name: str) -> InitiativeSystem:
        """Return the system of that id.

        Raises RuleError with the known ids, or with the error in its file.
        """

    def known(self) -> Iterable[InitiativeSystem]:
        """Yield every system that can be loaded, in the order of `ids`."""

    def problems(self) -> tuple[str, ...]:
        """Return a line with place and reason for each file that should bring a system and does not."""

    def find_bundled(self, name: str, kind: Literal["lesson", "sample"]) -> str:
        """Return the path of the lesson or sample next to a system's file; "" for none."""


def running_system(systems: Systems, e: Encounter) -> InitiativeSystem:
    """Return the system that runs the fight, or `Absent` if it cannot be loaded."""
    try:
        return systems.get(e.system)
    except RuleError:
        return Absent()


def explain_absence(systems: Systems, e: Encounter) -> str:
    """Return the reason why the system of a fight cannot be loaded, with file and line; "" if it can."""
    try:
        systems.get(e.system)
    except RuleError as error:
        return error.message
    return ""


def system_with_verb(systems: Systems, verb: str) -> tuple[str, str]:
    """Return the id of a system with this verb and a line that does much the same elsewhere; "" for none."""
    for system in systems.known():
        if own := next((v for v in system.verbs if v.name == verb), None):
            return system.id, own.instead
    return "", ""


class Gmless(ABC):
    """A system that can be played without a GM."""

    @abstractmethod
    def without_gm(self, e: Encounter) -> bool:
        """Return whether this fight is played without a GM."""

    @abstractmethod
    def resolvers(self, e: Encounter, key: str) -> tuple[str, ...]:
        """Return the players who may carry out an entry's turn, the first choice first."""


def is_gmless(system: InitiativeSystem, e: Encounter) -> bool:
    """Return whether this fight is played without a GM."""
    return isinstance(system, Gmless) and system.without_gm(e)


def may_resolve(system: InitiativeSystem, e: Encounter, key: str, player: str) -> bool:
    """Return whether a player may carry out an entry's turn; letter case of players' names is ignored."""
    if not isinstance(system, Gmless) or not system.without_gm(e):
        return False
    return player.lower() in (name.lower() for name in system.resolvers(e, key))


def resolved_entry(system: InitiativeSystem, e: Encounter) -> str:
    """Return the key of the entry whose turn runs or comes next; "" if none does, or something is due."""
    if e.acting or system.due(e):
        return e.acting
    return next(iter(system.offer(e).turns), "")
