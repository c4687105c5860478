"""A random player: legal answers, random changes during rounds, and laws that always hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tests.kit.journals import AT, journal
from tui import VERSION
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, FormAsk, PickAsk, RollAsk, TrackRow
from tui.core.fight.apply import apply, fold
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE, Encounter, active, key_of, label, members
from tui.core.fight.viewer import Viewer, players
from tui.core.language.grammar import parse
from tui.core.language.tokens import quote
from tui.core.rules.decide import Rules, decide
from tui.core.rules.draft import members_in_play
from tui.core.rules.on_screen import on_screen
from tui.core.rules.optional import correctable_rolls, orders_of
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import all_owed
from tui.core.views.log import story
from tui.core.views.table_for import table_for
from tui.store.history import History, replay
from tui.store.journal.format import Header, Record, require_plain
from tui.store.journal.verification import survey_journal
from tui.store.validation import Witness
from tui.systems import Registry

BOOKKEEPING = (
    ev.Noted, ev.Forgot, ev.Marked, ev.Unmarked, ev.PhaseEntered, ev.TurnBegan, ev.TurnEnded, ev.TurnPaused,
    ev.TurnResumed, ev.TurnHandedOn, ev.Shifted, ev.ShiftsForgotten, ev.OrdersForgotten, ev.WentOut,
    ev.CameBack,
)  # fmt: skip
"""Events that the rules add by themselves; each of them must change the encounter."""
QUESTIONS: tuple[Callable[[InitiativeSystem, Encounter], object], ...] = (
    lambda s, e: s.due(e), lambda s, e: s.offer(e), lambda s, e: s.rows(e), orders_of,
    lambda s, e: on_screen(s).remarks(e), lambda s, e: s.entries(e), lambda s, e: s.in_play(e),
)  # fmt: skip


class Habits(Struct, frozen=True):
    """How a system is played at random.

    `keys` gives the fields of a new creature, `write` the keys of an order for a form, `extra` more lines
    that may be tried at any time, `sides` the sides of newcomers, `options` house rules. `new_span` says
    after which events everybody may act again. `waits`: who joins a group after its turn is barred. `firm`:
    creatures present when the turns begin must get a turn, and cannot be barred, unless they join a group
    that has acted.
    """

    keys: Callable[[Random], str] = lambda _: ""
    write: Callable[[Random, FormAsk], str] = lambda _, __: ""
    extra: Callable[[Random, Encounter], Sequence[str]] = lambda _, __: ()
    sides: tuple[str, ...] = ("heroes", "dark")
    groups: bool = True
    waits: bool = True
    firm: bool = False
    options: Callable[[Random], dict[str, Any]] = lambda _: {}
    new_span: Callable[[ev.Event], bool] = lambda event: isinstance(event, ev.RoundBegan)


class Chance:
    """Dice that use a Random."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def roll(self, sides: int) -> int:
        """Return a face from 1 to `sides`; low faces are more likely, so that ties happen."""
        return self.random.randint(1, min(sides, 3) if self.random.random() < 0.5 else sides)


class Game:
    """A fight with a random player.

    `log` holds all lines, with the reasons of refused ones; `met` the encounter after each accepted one.
    """

    def __init__(
        self,
        system: str,
        habits: Habits,
        random: Random,
        options: dict[str, Any] | None = None,
        registry: Registry | None = None,
    ) -> None:
        self.registry, self.habits, self.random = registry or Registry(), habits, random
        self.encounter = self.first = Encounter(system=system, options=options or {})
        self.records: list[Record[ev.Event]] = []
        self.rules: InitiativeSystem = self.registry.get(system)
        self.log: list[str] = []
        self.met: list[Encounter] = []
        self.acted: Counter[str] = Counter()
        self.rounds = 0
        self.there: set[str] = set()
        self.barred: set[str] = set()

    # --- saying

    def say(self, line: str) -> bool:
        """Run a line and check the laws; return whether the line was accepted."""
        own = [v.name for v in self.rules.verbs]
        asked = Rules(self.registry, Chance(self.random), "app")
        try:
            events = decide(self.encounter, parse(line, own), asked)
        except RuleError as error:
            self.log.append(f"{line}  # {error}")
            return False
        self.log.append(line)
        before = self.encounter
        self.records.append(Record(len(self.records) + 1, AT, line, events))
        self.barred = {k for x in events if isinstance(x, ev.Marked) and x.mark == "barred" for k in x.who}
        for event in _through_the_journal(events):
            self._watch(event)
            self.encounter = changed(self.encounter, event, self.log)
        self.met.append(self.encounter)
        assert fold(before, events) == self.encounter, "facts put in together come to something else"
        self.laws(before, events)
        return True

    def must(self, lines: Iterable[str]) -> None:
        """Run the lines until one is accepted. Raises AssertionError if none is."""
        if not any(self.say(line) for line in lines):
            raise AssertionError("stuck:\n" + "\n".join(self.log))

    def _watch(self, event: ev.Event) -> None:
        """Assert, at each event, that nobody acts twice in a span and nobody is skipped in a round."""
        if self.habits.new_span(event):
            self.acted.clear()
        if isinstance(event, ev.TurnEnded) and event.taken:
            self.acted.update(k for k in event.members if k in self.encounter.combatants)
            twice = [k for k, n in self.acted.items() if n > 1]
            assert not twice, f"{twice} acted twice:\n" + "\n".join(self.log)
        if self.habits.firm and isinstance(event, ev.PhaseEntered) and event.phase == "turns":
            self.there = {c.id for c in self.rules.in_play(self.encounter) if "barred" not in c.marks}
        if isinstance(event, ev.Marked) and event.mark == "barred":
            self.there -= {k for k in event.who if self._joined_too_late(k)}
        if isinstance(event, ev.RoundEnded):
            self.rounds += 1
            lost = [
                c.name
                for c in self.rules.in_play(self.encounter)
                if c.id in self.there and "acted" not in c.marks
            ]
            assert not lost, f"{lost} lost a turn:\n" + "\n".join(self.log)
            self.there = set()
            left = [
                c.name
                for c in self.rules.in_play(self.encounter)
                if not {"acted", "again", "barred", "holds"} & set(c.marks)
            ]
            assert not left, f"{left} skipped:\n" + "\n".join(self.log)

    def _joined_too_late(self, who: str) -> bool:
        """Return whether all others in a creature's group have acted, are acting, or are barred too."""
        c, turn = self.encounter.combatants[who], self.encounter.turn
        mates = [x for x in active(self.encounter) if c.group and x.group == c.group and x.id != who]
        gone = [x for x in mates if "acted" in x.marks or (turn and x.id in turn.members)]
        barred = [x for x in mates if x not in gone and ("barred" in x.marks or x.id in self.barred)]
        return bool(mates) and len(gone) + len(barred) == len(mates)

    # --- laws

    def laws(self, before: Encounter, events: tuple[ev.Event, ...]) -> None:
        """Assert the laws of a state.

        A fresh instance of the system gives the same answers; the rows have every creature once; state and
        story can be made for every viewer.
        """
        said = "\n".join(self.log)
        if self.encounter.running:
            self._regrouped(before, events)
            fresh = type(self.rules)()
            for ask in QUESTIONS:
                assert plainly(ask(self.rules, self.encounter)) == plainly(ask(fresh, self.encounter)), said
            rows = [k for row in self.rules.rows(self.encounter) if row.state != "out" for k in row.members]
            assert sorted(rows) == sorted(c.id for c in self.rules.in_play(self.encounter)), (
                f"rows {rows}:\n{said}"
            )
            self._values()
            self._acting()
            if len(self.log) % 5 == 0:
                self._advice()
            keys = [ask.key for ask in all_owed(self.encounter, self.rules)]
            assert len(keys) == len(set(keys)), f"{keys}:\n{said}"
        owners = players(self.encounter)
        unknown = next(name for name in ("Nobody", "Nemo") if name not in owners)
        for viewer in (Viewer(), *(Viewer(name, gm=False) for name in ("", unknown, *owners))):
            msgspec.json.encode(table_for(self.encounter, self.rules, viewer))
            told = list(story(before, events, viewer, self.rules))
            assert told == list(story(before, events, viewer, self.rules, self.encounter)), said

    def _regrouped(self, before: Encounter, events: tuple[ev.Event, ...]) -> None:
        """Assert that who joins a group late waits, and that no turn ends with its entry's new group."""
        e, said = self.encounter, "\n".join(self.log)
        moved = {x.who for x in events if isinstance(x, ev.Changed) and x.key == "group"}
        moved |= {x.c.id for x in events if isinstance(x, ev.Added)}
        if not before.running or e.round != before.round or not moved:
            return
        busy = {k for t in before.turns for k in t.members}
        for c in (e.combatants[k] for k in moved if self.habits.waits and k in e.combatants):
            mates = [x for x in members_in_play(e, key_of(c)) if x.id not in moved] if c.group else []
            known = [before.combatants[x.id] for x in mates]
            had = [x for x in known if "acted" in x.marks or x.id in busy]
            late = had and all(x in had or "barred" in x.marks for x in known)
            if late and not c.out and c.id not in busy and "acted" not in c.marks:
                assert "barred" in c.marks, f"{c.name} joins {c.group} late and may act:\n{said}"
        for t in before.turns:
            people = [x for k in t.members if (x := e.combatants.get(k)) and not x.out]
            keys = {key_of(x) for x in people}
            if len(keys) == 1 and keys.pop().startswith(SIDE):
                ids = {x.id for x in people}
                assert any(ids <= set(x.members) for x in e.turns), f"the turn of {t.who} ended:\n{said}"

    def _acting(self) -> None:
        """Assert that the acting row, and no other, has the state `now`."""
        e, said = self.encounter, "\n".join(self.log)
        rows = self.rules.rows(e)
        now = [row.entry for row in rows if row.state == "now"]
        if e.turn is None:
            assert now == [], f"{now} are now, and nobody acts:\n{said}"
            return
        standing = [row.entry for row in rows if e.acting in (row.entry, *row.members)]
        assert now == standing, f"{e.acting} acts, now are {now}:\n{said}"
        assert len(now) == 1, f"{now} are now:\n{said}"

    def _values(self) -> None:
        """Assert that `value_of` returns the number of each row, and 0 for a key without a row."""
        e = self.encounter
        shown = {row.entry: row.value for row in self.rules.rows(e)}
        names = {name for c in e.combatants.values() for name in (c.group, c.side) if name}
        for key in {*shown, *e.combatants, *e.gone, *(SIDE + name for name in names), e.acting}:
            assert self.rules.value_of(e, key) == shown.get(key, 0), f"{key}:\n" + "\n".join(self.log)

    def _advice(self) -> None:
        """Assert that previews can be made at any time, and that every choice offered can be parsed."""
        for key in [x.key for x in self.rules.entries(self.encounter)]:
            on_screen(self.rules).preview(self.encounter, key, {})
        own = [v.name for v in self.rules.verbs]
        for verb in own:
            for choice in on_screen(self.rules).choices(self.encounter, verb):
                parse(choice.line, own)

    def check_file(self) -> None:
        """Assert that `tocsin check` finds nothing in the fight's file, and that it holds this fight."""
        said, options = "\n".join(self.log), dict(self.first.options)
        file = journal(self.records, Header("fight", self.first.system, AT, VERSION, options))
        witness = Witness(self.first, self.registry)
        survey = survey_journal(file, ev.Event, applies=witness)
        assert survey.sound, f"{survey.findings}:\n{said}"
        assert not witness.describe_bad_step("fight"), f"{witness.describe_bad_step('fight')}:\n{said}"
        history = History(self.first)
        replay(history, survey.steps)
        assert history.encounter == self.encounter, f"the file holds another fight:\n{said}"

    # --- playing

    def start(self, creatures: int) -> None:
        """Add random creatures, and begin the fight."""
        for _ in range(creatures):
            self.say(self.newcomer())
        self.say("add 1 Early")
        # Without a GM all players cannot be on one side.
        if not self.say("begin"):
            self.must(["set Early* owner=Max side=far"])
            self.must(["begin"])
        for _ in range(self.random.randint(0, 3)):
            self.say(self.random.choice(self.habits.extra(self.random, self.encounter) or ["end"]))

    def newcomer(self) -> str:
        """Return a random line that adds creatures."""
        r = self.random
        many = r.choice(["", "", "1 ", "2 ", "3 "])
        name = r.choice(["Ana", "Bo", "Orc", "Wolf", "Rat"])
        side = r.choice(["", f" side={r.choice(self.habits.sides)}"])
        owner = r.choice(["", "", " owner=Lia", " kind=pc"])
        group = f" group=Gang{r.randint(1, 2)}" if self.habits.groups and r.random() < 0.2 else ""
        hidden = " hidden=yes" if r.random() < 0.1 else ""
        return f"add {many}{name}{side}{owner}{group}{hidden} hp=9 {self.habits.keys(r)}"

    def _here(self, key: str) -> Combatant | None:
        return self.encounter.combatants.get(key)

    def somebody(self) -> str:
        """Return the name of a random creature, in quotes if needed."""
        return quote(self.random.choice([c.name for c in self.encounter.combatants.values()] or ["Nobody"]))

    def edit(self) -> None:
        """Run a random line that changes the fight; it may be refused."""
        who, other, r = self.somebody(), self.somebody(), self.random
        gone = [c.name for c in self.encounter.combatants.values() if c.out]
        back = quote(r.choice(gone)) if gone else who
        lines = [
            f"out {who}", *([f"back {back}"] * 4 if gone else []), f"remove {who}", self.newcomer(),
            self.newcomer(), f"damage {who} 3",
            f"react {who}", f"hold {who}", f"act {who}", f"move {who} before {other}",
            f"move {who} after {other}",
            f"hide {who}", f"condition {who} Prone rounds=1", "end", f"turn {who}", "pass", f"set {who} hp=9",
            *self.habits.extra(r, self.encounter),
        ]  # fmt: skip
        if self.habits.groups:
            gang = f"Gang{r.randint(1, 2)}"
            lines += [f"group {who},{other} {gang}", f"ungroup {who}", f"set {who} group={gang}"]
            # Those whose turn runs or is interrupted, and those who delay, would be met too seldom.
            busy = [c.name for t in self.encounter.turns for k in t.members if (c := self._here(k))]
            lines += [
                line
                for x in map(quote, busy)
                for line in (
                    f"ungroup {x}", f"set {x} group={gang}", f"group {x},{other} {gang}", f"out {x}",
                    f"remove {x}", f"hold {x}",
                )
            ]  # fmt: skip
            held = [c.name for c in self.encounter.combatants.values() if "held" in c.marks]
            lines += [f"act {quote(x)}" for x in held] * 3
        self.say(r.choice(common_lines(self, who) if r.random() < 0.4 else lines))

    def go_on(self) -> None:
        """Take a step that must be accepted: an answer to what is owed, `next`, or the choice of a turn."""
        if due := all_owed(self.encounter, self.rules):
            self._answer(due)
            return
        if self.encounter.turn:
            self.must([self.random.choice(["next", "end"])])
            return
        acts = self.rules.offer(self.encounter).acts
        if not acts:
            assert not active(self.encounter) or not self.rules.entries(self.encounter), (
                "nothing is offered:\n" + "\n".join(self.log)
            )
            self.must(["add 1 Late"])
        elif len(acts) == 1:
            self.must(["next"])
        else:
            act = self.random.choice(acts)
            self.must(
                [f"turn {quote(label(self.encounter, act.who))}" if act.kind == "turn" else "pass", "next"]
            )

    def _answer(self, due: Sequence[Ask]) -> None:
        ask = self.random.choice([a for a in due if a.kind == due[0].kind])
        match ask:
            case RollAsk():
                self._roll(next(a for a in due if isinstance(a, RollAsk) and a.who == ask.who))
            case PickAsk():
                first = next(a for a in due if isinstance(a, PickAsk))
                count = self.random.randint(first.least, first.most)
                names = self.random.sample([label(self.encounter, k) for k in first.names], count)
                self.must(["pick " + (" ".join(map(quote, names)) or "none")])
            case FormAsk():
                line = f"order {quote(label(self.encounter, ask.who))} {self.habits.write(self.random, ask)}"
                self.must([self.random.choice([line, line, "lock missing=empty"])])
            case _:
                self.must(
                    [
                        "ok"
                        if ask.kind == "acknowledge"
                        else self.random.choice(["lock", "lock missing=empty"])
                    ]
                )

    def _roll(self, ask: RollAsk) -> None:
        """Answer a roll by the app, with faces, or with their total; then the row must show the number."""
        assert all(members(self.encounter, key) for key in ask.among), f"{ask.among} roll off"
        faces = tuple(self.random.randint(1, s) for s in ask.dice)
        who, number = quote(label(self.encounter, ask.who)), self.rules.number_of(self.encounter, ask, faces)
        lines = ["roll", f"roll {who}", f"roll {who} {' '.join(map(str, faces))}", f"total {who} {number}"]
        line = self.random.choice(lines)
        self.must([line, "roll"])
        if self.log[-1] in lines[2:] and ask.key.startswith("init "):
            # A part of a group may roll while the rest of it stands at the fixed place of a member.
            fixed = {c.value for c in members_in_play(self.encounter, ask.who)}
            assert self.rules.value_of(self.encounter, ask.who) in {0, number, *fixed}, "\n".join(self.log)

    def play(self, steps: int, edits: float = 0.3) -> None:
        """Play a fight of `steps` steps; before each, a random change with the probability `edits`."""
        self.start(self.random.randint(1, 5))
        for _ in range(steps):
            if self.random.random() < edits:
                self.edit()
            self.go_on()
        self.check_file()


def common_lines(game: Game, who: str) -> list[str]:
    """Return lines for any system: fixed places, staging, areas, fields after rolls, corrections."""
    e, r = game.encounter, game.random
    side = r.choice(game.habits.sides)
    lines = [
        f"set {who} value={r.choice(['', '4', '11'])}",
        f"add Late side={side} round={e.round + r.randint(0, 2)}",
        f"set {who} round={e.round + r.randint(0, 2)}",
        f"area {r.choice([who, f'@{side}'])} damage={r.randint(1, 3)} {r.choice(['', 'dc=12 save=dex'])}",
    ]  # fmt: skip
    if keys := game.habits.keys(r).strip():
        lines += [f"set {who} {keys}"] * 2
    for ask in correctable_rolls(game.rules, e):
        faces = tuple(r.randint(1, sides) for sides in ask.dice)
        name = quote(label(e, ask.who))
        lines.append(f"roll {name} {' '.join(map(str, faces))}")
        lines.append(f"total {name} {game.rules.number_of(e, ask, faces) + r.choice([0, 0, 1, -2])}")
    return lines


def changed(e: Encounter, event: ev.Event, said: Sequence[str]) -> Encounter:
    """Return the encounter after an event; an event that the rules added must change the encounter."""
    after = apply(e, event)
    if isinstance(event, BOOKKEEPING):
        assert after != e, f"{event} says what is so already:\n" + "\n".join(said)
    if isinstance(event, ev.TurnBegan) and e.turn:
        assert {*event.members} & {*e.turn.members}, f"{e.turn} never ended:\n" + "\n".join(said)
    return after


def plainly(answer: Any) -> Any:
    """Return an answer with its lazy reasons evaluated, so that answers of two instances can be compared."""
    if isinstance(answer, tuple | list):
        return [plainly(x) for x in answer]
    return (
        (answer.entry, answer.members, answer.value, answer.state, answer.why)
        if isinstance(answer, TrackRow)
        else answer
    )


def _through_the_journal(events: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
    """Return the events after encoding to JSON and decoding; a journal can hold them."""
    plain = msgspec.json.encode(events)
    require_plain(msgspec.to_builtins(events))
    again = msgspec.json.decode(plain, type=tuple[ev.Event, ...])
    assert msgspec.json.encode(again) == plain
    return tuple(replace(event) for event in again)
