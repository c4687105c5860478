"""A number that was heard wrongly is said again: the fight goes on as if it had been heard rightly."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import FormAsk, LockAsk, RollAsk
from tui.core.fight.apply import fold
from tui.core.fight.combatant import Plain
from tui.core.fight.encounter import Encounter, SurpriseOutcome, label
from tui.core.language.grammar import parse
from tui.core.language.tokens import quote
from tui.core.rules.decide import Rules, decide
from tui.core.rules.optional import correctable_rolls
from tui.core.rules.upkeep import all_owed
from tui.systems import Registry

REGISTRY = Registry()
SETTINGS: dict[str, list[dict[str, Plain]]] = {
    "classic": [{}, {"classic.tie": "mod"}],
    "chaos": [{}, {"cha.tie": "bonus"}],
    "dynamic": [{}, {"dis.group": "staggered"}],
    "unbound": [{}],
    "dungeon-universalis": [{}],
    "alternate": [{}, {"alt.next": "other"}],
    "side-initiative": [{}, {"sid.tie": "together"}, {"sid.roll": "once"}],
    "dungeon-track": [{}, {"trk.tie": "heroes_first"}],
}

EDITS: dict[str, list[tuple[str, str]]] = {
    "classic": [("set Ana mod=1 adv=dis", "set Ana mod=7 adv="), ("set Bo adv=adv", "set Bo adv=dis"),
                ("set Bo mod=-2", "set Bo mod=3")],
    "chaos": [("set Ana bonus=1 adv=dis", "set Ana bonus=3 adv="), ("set Bo adv=adv", "set Bo adv=dis")],
    "dynamic": [("set Bo adv=dis", "set Bo adv= die=1d12"), ("set Bo size=small", "set Bo size=huge adv=adv"),
                ("set Bo count=3", "set Bo count=1 bonus=1")],
}  # fmt: skip
"""For each system lines before the fight, and lines after the rolls that change what a roll is made with.

On the dungeon's track roll-offs after such a line are made with the new numbers, so it has none here.
"""

BEFORE_TURNS = {"unbound", "alternate", "side-initiative"}
"""The systems whose dice stand from the first turn on."""


class Table:
    """A fight in which each roll has its own dice, whenever it is asked for."""

    def __init__(self, system: str, options: dict[str, Plain], seed: int) -> None:
        self.encounter = Encounter(system=system, options=dict(options))
        self.seed = seed
        self.said: list[str] = []
        self.right: dict[str, tuple[int, ...]] = {}
        self.place = 0
        """Which of the rolls under one name the right number is for: the one that decided."""
        self.asked: Counter[str] = Counter()

    def say(self, line: str) -> None:
        """Run a line."""
        system = REGISTRY.get(self.encounter.system)
        action = parse(line, [v.name for v in system.verbs])
        self.encounter = fold(self.encounter, decide(self.encounter, action, Rules(REGISTRY, Random(0))))  # type: ignore[arg-type]
        self.said.append(line)

    def faces(self, ask: RollAsk) -> tuple[int, ...]:
        """Return the dice of this roll: few numbers, so that ties happen."""
        # Equal opposed rolls are rolled again under the same name.
        again = self.asked[ask.key] if ask.key.startswith("opposed") else 0
        self.asked[ask.key] += 1
        if ask.key in self.right and again == self.place:
            return self.right[ask.key]
        dice = Random(f"{self.seed} {ask.key} {again}")
        return tuple(dice.randint(1, min(sides, 4)) for sides in ask.dice)

    def deciding(self, ask: RollAsk) -> int:
        """Return which of the rolls under this name is the last one."""
        return self.asked[ask.key] - 1 if ask.key.startswith("opposed") else 0

    def owed(self) -> tuple[object, ...]:
        """Return what is owed."""
        return all_owed(self.encounter, REGISTRY.get(self.encounter.system))

    def settle(self) -> None:
        """Answer all that is owed."""
        while due := self.owed():
            match ask := due[0]:
                case RollAsk():
                    self.say(
                        f"roll {quote(label(self.encounter, ask.who))} {' '.join(map(str, self.faces(ask)))}"
                    )
                case FormAsk():
                    what = "weapon=1d8" if self.encounter.system == "dynamic" else ""
                    self.say(f"order {quote(label(self.encounter, ask.who))} {what}")
                case LockAsk():
                    self.say("lock")
                case _:
                    self.say("pick none" if getattr(ask, "least", 1) == 0 else "ok")

    def order(self) -> list[tuple[str, int]]:
        """Return the track."""
        rows = REGISTRY.get(self.encounter.system).rows(self.encounter)
        return [(row.entry, row.value) for row in rows]


def _edit(system: str, people: list[str], which: int) -> tuple[str, str]:
    """Return an edit before the fight and one after the rolls; notes if the creature is not there."""
    edits = EDITS.get(system, [("note before", "note after")])
    before, after = edits[which % len(edits)]
    there = before.startswith("note") or any(before.split()[1] in line.split() for line in people)
    return (before, after) if there else ("note before", "note after")


def _met(system: str, options: dict[str, Plain], seed: int, people: list[str]) -> Table:
    table = Table(system, options, seed)
    for line in people:
        table.say(line)
    table.say("begin")
    if system.startswith("dungeon"):
        table.say("meet Ana")
    return table


PEOPLE = st.lists(
    st.sampled_from(
        ["Cid side=heroes kind=pc", "3 Orc group=Orcs", "Wolf", "Imp", "Dov side=heroes kind=pc", "2 Rat"]
    ),
    min_size=1, max_size=5, unique=True,
)  # fmt: skip


@cases(60)
@given(st.sampled_from(sorted(SETTINGS)), st.integers(0, 99), PEOPLE, st.integers(0, 9), st.integers(0, 3))
def test_a_corrected_fight_is_the_fight_rolled_rightly_at_first(
    system: str, seed: int, more: list[str], which: int, turns: int
) -> None:
    people = ["add Ana side=heroes kind=pc", "add Bo", *(f"add {x}" for x in more)]
    before_fight, after_rolls = _edit(system, people, which)
    people.append(before_fight)
    for options in SETTINGS[system]:
        wrong = _met(system, options, seed, people)
        wrong.settle()
        rules = REGISTRY.get(system)
        for _ in range(0 if system in BEFORE_TURNS else turns):
            if wrong.encounter.turn:
                wrong.say("end")
            acts = rules.offer(wrong.encounter).acts
            if not acts or acts[0].kind != "turn":
                break
            wrong.say(f"turn {quote(label(wrong.encounter, acts[0].who))}")
        wrong.say(after_rolls)
        acting = wrong.encounter.turn
        asks = correctable_rolls(rules, wrong.encounter)
        if not asks:
            continue
        ask = asks[which % len(asks)]
        right = tuple(Random(f"{seed} right").randint(1, min(sides, 6)) for sides in ask.dice)
        before = wrong.encounter
        name = quote(label(before, ask.who))
        try:
            wrong.say(f"roll {name} {' '.join(map(str, right))}")
        except RuleError as error:
            if "already" not in error.message:
                raise
            continue
        assert wrong.encounter.turn == acting
        deciding = wrong.deciding(ask)
        wrong.settle()
        heard = _met(system, options, seed, people)
        heard.right, heard.place = {ask.key: right}, deciding
        heard.settle()
        heard.say(after_rolls)
        assert wrong.order() == heard.order(), (wrong.said, heard.said)
        acted = {k for k, c in before.combatants.items() if "acted" in c.marks}
        assert acted == {k for k, c in wrong.encounter.combatants.items() if "acted" in c.marks}
        # A contest that the correction has tied is rolled again: the same faces then correct that roll.
        if (stands := wrong.encounter.rolls.get(ask.key)) and stands.faces == right:
            with pytest.raises(RuleError, match="already"):
                wrong.say(f"roll {name} {' '.join(map(str, right))}")
        with pytest.raises(RuleError):
            wrong.say(f"roll {name}")


DUNGEON: list[tuple[str, dict[str, Plain]]] = [
    ("dungeon-universalis", {}),
    ("dungeon-universalis", {"dun.surprise_int": "each", "dun.second_activation": True}),
    ("dungeon-track", {}),
    ("dungeon-track", {"trk.roller_group": "rolls_again", "trk.losers_same_turn": False}),
]
HEROES = ("add Ana side=heroes kind=pc per=2 int=3 hp=9", "add Cid side=heroes kind=pc per=1 int=2 hp=9")
ENEMIES = ("add 2 Orc group=Orcs int=2 hp=9", "add Wolf per=1 int=3 hp=9", "add Boss rank=leader int=4 hp=9")


def _contest(
    how: tuple[str, dict[str, Plain]],
    seed: int,
    lines: list[str],
    second: bool,
    right: dict[str, tuple[int, ...]],
) -> Table:
    """Play until a contest is decided; with `right` its first roller has other dice from the start."""
    table = Table(*how, seed)
    for line in (*HEROES, *lines, "begin"):
        table.say(line)
    if second:
        table.say("add Rat int=2 per=1 hp=9")
        table.say("meet Ana with=Rat")
        table.settle()
        acts = REGISTRY.get(how[0]).offer(table.encounter).acts
        table.say("turn Ana" if any(a.kind == "turn" and a.who == "c1" for a in acts) else "note no turn")
        people = table.encounter.combatants.values()
        table.say("place " + " ".join(quote(c.name) for c in people if "met" not in c.marks))
        table.asked.clear()
        table.seed += 1000
    else:
        table.say("meet Ana")
    table.right = dict(right)
    return table


def _same(table: Table) -> tuple[object, ...]:
    e = table.encounter
    notes = {k: v for k, v in e.notes.items() if k != "places"}
    people = {k: (c.marks, c.fields, c.hp, c.out) for k, c in e.combatants.items()}
    return (e.phase, e.turn, e.paused, e.outcome, notes, people, table.order())


@cases(100)
@given(
    st.sampled_from(DUNGEON),
    st.integers(0, 999),
    st.lists(st.sampled_from(ENEMIES), min_size=1, unique=True),
    st.booleans(),
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    st.booleans(),
    st.sampled_from(["damage {} 3", "set {} per=5 int=1", "set {} per=0 mod=2 int=6"]),
)
def test_a_contest_is_decided_again_by_the_right_roll(
    how: tuple[str, dict[str, Plain]],
    seed: int,
    lines: list[str],
    second: bool,
    faces: tuple[int, int],
    later: bool,
    edit: str,
) -> None:
    wrong = _contest(how, seed, lines, second, {})
    rules = REGISTRY.get(how[0])
    while not wrong.encounter.decision:
        ask = wrong.owed()[0]
        assert isinstance(ask, RollAsk)
        name = label(wrong.encounter, ask.who)
        wrong.say(f"roll {quote(name)} {' '.join(map(str, wrong.faces(ask)))}")
    if later:
        wrong.settle()
    asks = [x for x in correctable_rolls(rules, wrong.encounter) if x.key.startswith("opposed")]
    ask = asks[seed % len(asks)]
    name = quote(label(wrong.encounter, ask.who))
    owing = {x.who for x in wrong.owed() if isinstance(x, RollAsk)}
    rows = {ask.who, f"@{wrong.encounter.combatants[ask.who].group}"}
    if rows & owing or (how[1].get("trk.roller_group") == "rolls_again" and ask.who != "c1"):
        return  # the roller's row rolls for the track as well, and its name means that roll
    if wrong.encounter.rolls[ask.key].faces == faces:
        return
    deciding, asked = wrong.deciding(ask), Counter(wrong.asked)
    edit = edit.format(quote(label(wrong.encounter, asks[len(lines) % len(asks)].who)))
    wrong.say(edit)
    wrong.say(f"roll {name} {faces[0]} {faces[1]}")
    wrong.settle()
    if edit.startswith("set") and any(k.startswith(("opposed", "tie")) for k in wrong.asked - asked):
        return  # what is rolled again is rolled with the numbers of today
    heard = _contest(how, seed, lines, second, {ask.key: faces})
    heard.place = deciding
    heard.settle()
    heard.say(edit)
    assert _same(wrong) == _same(heard), (wrong.said, heard.said)
    acts = rules.offer(wrong.encounter).acts if not wrong.encounter.turn else ()
    if acts and acts[0].kind == "turn":
        wrong.say(f"turn {quote(label(wrong.encounter, acts[0].who))}")
        with pytest.raises(RuleError) as refused:
            wrong.say(f"roll {name} 1 2")
        if f"track {ask.who}" not in wrong.encounter.rolls:
            assert "undo" in (refused.value.hint or "")


CHANGES = {
    "dungeon-track": ("hit Ana", "hit Bo", "hit Wolf 2", "kill Bo by=Ana", "kill Wolf", "move Ana after Cid"),
    "dynamic": ("out Wolf", "damage Bo 3", "set Ana size=large", "add 2 Rat"),
}


def _takes(table: Table, line: str) -> bool:
    try:
        table.say(line)
    except RuleError:
        return False
    return True


@cases(60)
@given(st.sampled_from(sorted(CHANGES)), st.integers(0, 199), st.data(), st.integers(0, 9))
def test_what_changed_numbers_since_the_roll_changes_the_right_number(
    system: str, seed: int, data: st.DataObject, which: int
) -> None:
    options: dict[str, Plain] = {"trk.variable": True} if system == "dungeon-track" else {}
    kind = " kind=pc" if system == "dynamic" else ""
    people = ["add Ana side=heroes kind=pc hp=9", f"add Bo hp=9{kind}", "add Cid side=heroes kind=pc"]
    people.append("add Wolf hp=9")
    lines = data.draw(st.lists(st.sampled_from(CHANGES[system]), max_size=4))

    def played(right: dict[str, tuple[int, ...]]) -> tuple[Table, list[bool]]:
        table = _met(system, options, seed, people)
        table.right = right
        table.settle()
        taken = [_takes(table, line) for line in lines]
        table.settle()
        return table, taken

    wrong, taken = played({})
    rules = REGISTRY.get(system)
    asks = [x for x in correctable_rolls(rules, wrong.encounter) if not x.key.startswith("opposed")]
    if not asks:
        return
    ask = asks[which % len(asks)]
    right = tuple(Random(f"{seed} right").randint(1, sides) for sides in ask.dice)
    if not _takes(wrong, f"roll {quote(label(wrong.encounter, ask.who))} {' '.join(map(str, right))}"):
        return
    wrong.settle()
    heard, also = played({ask.key: right})
    if taken == also:
        assert wrong.order() == heard.order(), (lines, wrong.said)


@cases(30)
@given(st.integers(0, 99), st.integers(1, 8))
def test_a_switch_costs_as_much_after_its_roll_is_put_right(seed: int, face: int) -> None:
    table = _met("dynamic", {}, seed, ["add Ana kind=pc", "add Bo kind=pc", "add Cid kind=pc"])
    table.settle()
    table.say("next")
    actor = table.encounter.acting
    name = label(table.encounter, actor)
    before = dict(table.order())[actor]
    table.say(f"switch {name} from=weapon spell=1")
    price = dict(table.order())[actor] - before
    # A face is put right before the price; a total is the number that the row shows.
    line = f"roll {name} {face}" if seed % 2 else f"total {name} {face + price}"
    if face == before:
        with pytest.raises(RuleError, match="already"):
            table.say(line)
        return
    table.say(line)
    assert dict(table.order())[actor] == face + price, table.said


@cases(40)
@given(
    st.integers(0, 99),
    st.integers(0, 3),
    st.booleans(),
    st.sampled_from(["", "surprised Ana", "damage Ana 2"]),
)
def test_a_check_that_was_heard_wrongly_catches_whom_the_right_one_catches(
    seed: int, which: int, twice: bool, also: str
) -> None:
    people = [
        "add Ana side=heroes per=2 hp=9",
        "add Bo side=heroes",
        "add Orc",
        "add Imp side=fiends stealth=2",
    ]

    def met(right: dict[str, tuple[int, ...]]) -> Table:
        table = _met("unbound", {}, seed, people)
        table.right = right
        table.say("surprise heroes by=dark")
        if twice:
            table.say("surprise heroes by=fiends")
        if also:
            table.say(also)
        table.settle()
        return table

    wrong = met({})
    rules = REGISTRY.get("unbound")
    asks = {
        x.who: x for x in reversed(correctable_rolls(rules, wrong.encounter)) if x.key.startswith("notice")
    }
    ask = list(asks.values())[which % len(asks)]
    right = tuple(Random(f"{seed} right").randint(1, 10) for _ in ask.dice)
    if sum(right) == sum(wrong.encounter.rolls[ask.key].faces):
        return
    name = label(wrong.encounter, ask.who)
    if which % 2:
        wrong.say(f"roll {name} {right[0]} {right[1]}")
    else:
        wrong.say(f"total {name} {rules.number_of(wrong.encounter, ask, right)}")
    heard = met({ask.key: right})
    assert _same(wrong)[5:] == _same(heard)[5:], wrong.said
    caught = tuple(k for k, c in wrong.encounter.combatants.items() if "surprised" in c.marks)
    assert wrong.encounter.outcome == SurpriseOutcome(caught)
    wrong.say("turn " + label(wrong.encounter, rules.offer(wrong.encounter).acts[0].who))
    with pytest.raises(RuleError, match="undo"):
        wrong.say(f"roll {name} 1 1")
