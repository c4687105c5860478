"""Dice, totals, ticks and choices by value: what one line answers, of a system that only notes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from tests.table import NoDice
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import (
    AcknowledgeAsk,
    Act,
    Ask,
    Offer,
    OrderRow,
    PickAsk,
    RollAsk,
    Saving,
    Sentence,
    say,
)
from tui.core.fight.combatant import Combatant, Condition, Counted, Dying, OwedSave
from tui.core.fight.dice import GivenDice
from tui.core.fight.encounter import Encounter, PendingArea, Turn
from tui.core.language.actions import PlayAction
from tui.core.language.grammar import parse
from tui.core.rules import rolling, turns
from tui.core.rules.draft import Draft
from tui.core.rules.faces import dealt
from tui.core.rules.numbers import Roller
from tui.core.rules.optional import Orders, OwnSaves
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import upkeep

Heard = list[tuple[object, ...]]


class Dealer(InitiativeSystem, Orders, OwnSaves):
    """A system that owes what it is given, and notes what it is answered."""

    title = "Dealer"

    def __init__(self, *asks: Ask, acts: tuple[Act, ...] = (), why: Sentence = Sentence("")) -> None:  # noqa: B008 -- frozen
        self.asks, self.acts, self.why = asks, acts, why
        self.heard: Heard = []

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return what is still owed: the dice of those who are out are not."""
        out = {k for k, c in e.combatants.items() if c.out}
        return tuple(a for a in self.asks if a.key not in e.rolls and a.who not in out)

    def offer(self, e: Encounter) -> Offer:
        """Return the acts that it was given."""
        del e
        return Offer(self.acts, self.why)

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """Note an answer."""
        del d
        self.heard.append((ask.key, answer))

    def answer_total(self, d: Draft, ask: RollAsk, faces: tuple[int, ...], total: int) -> None:
        """Note a total."""
        del d
        self.heard.append((ask.key, faces, total))

    def ticked(self, d: Draft, ask: RollAsk, *, made: bool) -> None:
        """Note a tick."""
        del d
        self.heard.append((ask.key, made))

    def settle(self, d: Draft) -> None:
        """Note that it was asked to."""
        del d
        self.heard.append(("settle",))

    def took(self, d: Draft, act: Act) -> None:
        """Note what was taken."""
        del d
        self.heard.append(("took", act.kind, act.who))

    def ended(self, d: Draft, turn: Turn) -> None:
        """Note whose turn ended; one that it cut into goes on."""
        self.heard.append(("ended", turn.who))
        if d.encounter.paused:
            d.emit(ev.TurnResumed())

    def end_side(self, d: Draft) -> None:
        """Note the end of a side."""
        del d
        self.heard.append(("end_side",))

    def begin(self, d: Draft) -> None:
        """Note the beginning."""
        del d
        self.heard.append(("begin",))

    def orders(self, e: Encounter) -> tuple[OrderRow, ...]:
        """Return no orders."""
        del e
        return ()

    def order(self, d: Draft, key: str, text: Mapping[str, str]) -> None:
        """Note an order."""
        del d
        self.heard.append(("order", key, dict(text)))

    def lock(self, d: Draft, *, missing: bool) -> None:
        """Note the lock."""
        del d
        self.heard.append(("lock", missing))

    def unlock(self, d: Draft) -> None:
        """Note the unlocking."""
        del d
        self.heard.append(("unlock",))

    def hold(self, d: Draft, key: str) -> None:
        """Note who delays, and end its turn."""
        if d.encounter.turn and d.encounter.acting == key:
            d.emit(ev.TurnEnded(key, d.encounter.turn.members, taken=False))
        self.heard.append(("hold", key))

    def act(self, d: Draft, key: str) -> None:
        """Note who acts now."""
        del d
        self.heard.append(("act", key))

    def move(self, d: Draft, key: str, where: str, other: str) -> None:
        """Note a move."""
        del d
        self.heard.append(("move", key, where, other))

    def react(self, d: Draft, who: str, text: str) -> None:
        """Note a reaction."""
        del d
        self.heard.append(("react", who, text))


def roll(key: str, who: str, *dice: int, **how: Any) -> RollAsk:
    """Return dice that are owed."""
    return RollAsk(key, who, dice, Sentence(key), **how)


SAVES = tuple(OwedSave(n, "concentration", 10, "con") for n in (1, 2, 3))
FOCUS = Condition("concentration")
HELD = Condition("held", of="c1", conc=True, dc=12, key="wis")
AGAINST = OwedSave(1, "condition", 12, "wis", "held", "c1")
A, B, PAIR, GANG = roll("a", "c1", 20), roll("b", "c2", 6, 8), roll("p", "c2", 6, 6), roll("g", "@Gang", 6)


def fight(ana: dict[str, Any] | None = None, bo: dict[str, Any] | None = None, **how: Any) -> Encounter:
    """Return Ana and Bo, and a gang of two, in a fight that runs."""
    people = [
        Combatant("c1", "Ana", "heroes", **(ana or {})),
        Combatant("c2", "Bo", "heroes", **(bo or {})),
        Combatant("c3", "Imp", "dark", group="Gang"),
        Combatant("c4", "Rat", "dark", group="Gang"),
    ]
    return Encounter(combatants={c.id: c for c in people}, **{"phase": "turns", "round": 1, **how})


def played(e: Encounter, system: InitiativeSystem, line: str, faces: tuple[int, ...] = ()) -> Draft:
    """Return what a line of play writes; all faces must be used."""
    d, action = Draft(e), parse(line)
    assert isinstance(action, PlayAction)
    dice = GivenDice(faces)
    turns.perform(d, system, action, Roller(dice if faces else NoDice(), "given"))
    with pytest.raises(Exception, match=r"(?i)dice|face"):
        dice.roll(20)
    return d


def rolled(d: Draft) -> list[tuple[object, ...]]:
    """Return the dice of a draft: purpose, faces, how, who threw for others, total."""
    return [(x.ask, x.faces, x.how, x.by, x.total) for x in d.events if isinstance(x, ev.Rolled)]


@pytest.mark.parametrize(
    ("line", "faces", "heard", "found"),
    [
        ("roll", (7, 3, 4, 5), ["a", "b", "g"], [("a", (7,)), ("b", (3, 4)), ("g", (5,))]),
        ("roll Ana", (7,), ["a"], [("a", (7,))]),
        ("roll Bo,Ana", (3, 4, 7), ["b", "a"], [("b", (3, 4)), ("a", (7,))]),
        ("roll Gang", (5,), ["g"], [("g", (5,))]),
        ("roll @Gang", (5,), ["g"], [("g", (5,))]),
        ("roll @heroes", (7, 3, 4), ["a", "b"], [("a", (7,)), ("b", (3, 4))]),
        ("roll A*", (7,), ["a"], [("a", (7,))]),
        ("roll an", (7,), ["a"], [("a", (7,))]),
    ],
)
def test_the_app_rolls_what_is_owed(
    line: str, faces: tuple[int, ...], heard: list[str], found: list[tuple[object, ...]]
) -> None:
    system = Dealer(A, B, GANG)
    d = played(fight(), system, line, faces)
    assert rolled(d) == [(key, some, "given", "", None) for key, some in found]
    assert system.heard == [*found, *([("settle",)] if line == "roll" else [])]
    assert heard == [x[0] for x in found]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("roll Ana 7", [("a", (7,), "table", "", None)]),
        ("roll Bo 3 4", [("b", (3, 4), "table", "", None)]),
        ("roll Bo,Ana 6 8 20", [("b", (6, 8), "table", "", None), ("a", (20,), "table", "", None)]),
        ("roll Imp 6", [("g", (6,), "table", "c3", None)]),
        ("roll Gang 1", [("g", (1,), "table", "", None)]),
        ("total Ana 7", [("a", (7,), "table", "", None)]),
        ("total Rat 6", [("g", (6,), "table", "c4", None)]),
        ("total Bo 14", [("b", (), "table", "", 14)]),
        ("total Bo 2 Ana 1", [("b", (), "table", "", 2), ("a", (1,), "table", "", None)]),
    ],
)
def test_faces_and_totals_of_the_table_are_recorded(line: str, found: list[tuple[object, ...]]) -> None:
    assert rolled(played(fight(), Dealer(A, B, GANG), line)) == found


def test_a_total_of_several_dice_is_answered_with_faces_that_give_it() -> None:
    for ask, total in [(B, n) for n in range(2, 15)] + [(PAIR, n) for n in range(2, 13)]:
        system = Dealer(ask)
        played(fight(), system, f"total Bo {total}")
        [(key, faces, n)] = system.heard
        assert (key, n) == (ask.key, total)
        assert isinstance(faces, tuple)
        assert sum(faces) == total
        assert all(1 <= face <= sides for face, sides in zip(faces, ask.dice, strict=True))


class Highest(Dealer):
    """A system in which the higher of the dice counts."""

    def number_of(self, e: Encounter, ask: RollAsk, faces: tuple[int, ...]) -> int:
        """Return the higher face."""
        del e, ask
        return max(faces)


def test_of_a_die_that_is_rolled_twice_a_total_is_one_face() -> None:
    system = Highest(PAIR)
    d = played(fight(), system, "total Bo 5")
    assert [(x.dice, x.faces, x.total) for x in d.events if isinstance(x, ev.Rolled)] == [((6,), (5,), None)]
    assert system.heard == [("p", (5, 5))]
    assert rolling.reach(fight(), Highest(PAIR), PAIR) == (1, 6)
    assert rolling.reach(fight(), Dealer(PAIR), PAIR) == (2, 12)
    assert rolling.reach(fight(), Dealer(B), B) == (2, 14)
    assert rolling.reach(fight(), Dealer(A), A) == (1, 20)
    three = roll("t", "c2", 6, 6, 6)
    assert rolling.reach(fight(), Highest(three), three) == (1, 6)
    system = Highest(three)
    played(fight(), system, "total Bo 4")
    assert [x[0] for x in system.heard] == ["t"]
    assert len(system.heard[0]) == len(("key", "faces", "total"))


class Crowned(Dealer):
    """A system in which the higher of the dice counts, and two sixes count 7."""

    def number_of(self, e: Encounter, ask: RollAsk, faces: tuple[int, ...]) -> int:
        """Return the higher face, or 7."""
        del e, ask
        return max(faces) + (min(faces) == 6)


def test_where_two_dice_reach_more_than_one_of_them_a_total_stands_for_both() -> None:
    system = Crowned(PAIR)
    played(fight(), system, "total Bo 7")
    assert system.heard == [("p", (6, 6), 7)]
    coin = roll("o", "c1", 1)
    assert rolling.reach(fight(), Dealer(coin), coin) == (1, 1)


class Faces(Dealer):
    """A system that takes only faces."""

    def answer_total(self, d: Draft, ask: RollAsk, faces: tuple[int, ...], total: int) -> None:
        """Refuse."""
        raise RuleError("faces decide")


def test_where_only_faces_are_taken_no_total_is_in_reach() -> None:
    assert rolling.reach(fight(), Faces(B), B) is None
    assert rolling.reach(fight(), Faces(A), A) == (1, 20)


@pytest.mark.parametrize(
    ("asks", "faces", "result"),
    [
        ([A], (7,), [(7,)]),
        ([A, B], (7, 3, 4), [(7,), (3, 4)]),
        ([B, A], (6, 8, 20), [(6, 8), (20,)]),
        ([A], (0,), "0 is not on a d20 | Ana owes d20"),
        ([A], (21,), "21 is not on a d20 | Ana owes d20"),
        ([B], (7, 1), "7 is not on a d6 | Bo owes d6 d8"),
        ([B], (6, 9), "9 is not on a d8 | Bo owes d6 d8"),
        ([A], (1, 2), "Ana owes d20 | give 1 face, not 2"),
        ([A], (1, 21), "21 is not on a d20 | Ana owes d20"),
        ([A], (1, 0), "0 is not on a d20 | Ana owes d20"),
        ([A], (1, 20), "Ana owes d20 | give 1 face, not 2"),
        ([PAIR], (71,), "71 is not on a d6 | Bo owes d6 d6"),
        ([PAIR], (6,), "Bo owes d6 d6 | give 2 faces, not 1"),
        ([B], (71,), "Bo owes d6 d8 | give 2 faces, not 1"),
        ([A, B], (7, 3), "Ana owes d20, Bo owes d6 d8 | give 3 faces, not 2"),
        ([GANG], (), "Gang owe d6 | give 1 face, not 0"),
        ([roll("s", "@heroes", 6)], (), "heroes owe d6 | give 1 face, not 0"),
    ],
)
def test_whose_faces_they_are(
    asks: list[RollAsk], faces: tuple[int, ...], result: list[tuple[int, ...]] | str
) -> None:
    if isinstance(result, list):
        assert dealt(fight(), asks, faces) == result
        return
    with pytest.raises(RuleError) as refused:
        dealt(fight(), asks, faces)
    assert f"{refused.value.message} | {refused.value.hint}" == result


def test_dice_that_never_settle_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(Dealer):
        def due(self, e: Encounter) -> tuple[Ask, ...]:
            del e
            return self.asks

    monkeypatch.setattr(rolling, "MOST_SETTLINGS", 3)
    with pytest.raises(RuleError, match="the dice never settle") as refused:
        played(fight(), Endless(A), "roll", (1, 2, 3))
    assert refused.value.hint == "use other dice"


# --- saves among other dice


def test_saves_are_rolled_one_by_one_for_each_may_end_the_others() -> None:
    e = fight({"hp": 9, "conditions": (FOCUS,), "owes": SAVES})
    system = Dealer(A)
    d = played(e, system, "roll", (20, 1, 13))
    assert [x[:2] for x in rolled(d)] == [("save c1 1", (20,)), ("save c1 2", (1,)), ("a", (13,))]
    assert d.encounter.combatants["c1"].conditions == ()
    assert system.heard == [("a", (13,)), ("settle",)]


def test_by_name_only_the_first_save_is_rolled_and_all_other_dice() -> None:
    e = fight({"hp": 9, "conditions": (FOCUS,), "owes": SAVES})
    d = played(e, Dealer(A), "roll Ana", (20, 13))
    assert [x[:2] for x in rolled(d)] == [("save c1 1", (20,)), ("a", (13,))]
    d = played(e, Dealer(A), "roll Ana 20")
    assert [x[:2] for x in rolled(d)] == [("save c1 1", (20,))]


def test_who_dies_of_a_death_save_rolls_nothing_else() -> None:
    e = fight({"hp": 0, "dying": Dying(0, 2, owes=True), "owes": (OwedSave(1, "dying", 10),)})
    assert [x.who for x in upkeep(e, Dealer())] == ["c1"]
    assert [x[:2] for x in rolled(played(e, Dealer(A), "roll Ana", (2,)))] == [("save c1 1", (2,))]
    alive = played(e, Dealer(A), "roll Ana", (15, 4))
    assert [x[:2] for x in rolled(alive)] == [("save c1 1", (15,)), ("a", (4,))]


@pytest.mark.parametrize(
    ("line", "faces", "answers"),
    [
        ("roll Ana,Bo", (1,), 1),
        ("roll Ana,Bo", (20, 1), 2),
        ("roll Bo,Ana", (1, 1), 2),
        ("roll Ana,Bo 1 1", (), 1),
        ("roll Ana,Bo 20 1", (), 2),
        ("failed Ana Bo", (), 1),
        ("failed Bo Ana", (), 2),
        ("made Ana Bo", (), 2),
    ],
)
def test_a_save_that_another_has_ended_is_not_answered_any_more(
    line: str, faces: tuple[int, ...], answers: int
) -> None:
    e = fight(
        {"hp": 9, "conditions": (FOCUS,), "owes": SAVES[:1]}, {"conditions": (HELD,), "owes": (AGAINST,)}
    )
    system = Dealer()
    d = played(e, system, line, faces)
    assert system.heard == []
    assert len([x for x in d.events if isinstance(x, ev.SaveSettled)]) == answers


def test_what_may_be_ticked_is_ticked_in_the_system() -> None:
    asks = (roll("a", "c1", 20, ticks=True), roll("b", "c2", 20, ticks=True), roll("g", "@Gang", 20))
    for line, heard in (
        ("made Bo", [("b", True)]),
        ("failed Ana,Bo", [("a", False), ("b", False)]),
        ("failed Bo Ana Bo", [("b", False), ("a", False)]),
    ):
        system = Dealer(*asks)
        played(fight(), system, line)
        assert system.heard == heard
    with pytest.raises(RuleError, match="Imp owes no save") as refused:
        played(fight(), Dealer(*asks), "made Imp")
    assert refused.value.hint == "still to save: Ana, Bo: `made Ana`"


# --- what is refused


@pytest.mark.parametrize(
    ("asks", "line", "says", "hint"),
    [
        ((), "roll", "no roll is due", "nobody is left to act: `add 1 Orc`, or `finish`"),
        ((A,), "roll Bo", "Bo owes no roll", "still to roll: Ana: `roll Ana`"),
        ((A,), "roll @Gang", "Imp, Rat owe no roll", "still to roll: Ana: `roll Ana`"),
        ((), "roll Bo", "Bo owes no roll", ""),
        ((A,), "roll Bo 7", "Bo owes no roll", "still to roll: Ana: `roll Ana`"),
        ((A, B), "total Ana,Bo 7", "total: Ana,Bo names Ana, Bo", "`total Ana 7 …`"),
        ((A, B), "total Bo,Ana 7", "total: Bo,Ana names Bo, Ana", "`total Bo 7 …`"),
        ((A,), "total Ana 0", "0 is no total of Ana", "it can roll 1 to 20"),
        ((B,), "total Bo 15", "15 is no total of Bo", "it can roll 2 to 14"),
        ((A,), "made Ana", "no save is due", "Ana owes a roll: `roll`"),
        ((A,), "pick Ana", "no choice is due", "Ana owes a roll: `roll`"),
        ((A,), "ok", "nothing is waiting to be acknowledged", "Ana owes a roll: `roll`"),
        ((A,), "next", "next has to wait", "Ana owes a roll: `roll`"),
        ((A,), "pass", "nobody can pass now", "Ana owes a roll: `roll`"),
        ((A,), "turn Ana", "Ana has to wait", "Ana owes a roll: `roll`"),
    ],
)
def test_what_is_not_due_is_refused_with_what_is(
    asks: tuple[Ask, ...], line: str, says: str, hint: str
) -> None:
    e = fight()
    with pytest.raises(RuleError) as refused:
        played(e, Dealer(*asks), line)
    assert (refused.value.message, refused.value.hint) == (says, hint)


# --- choices


PICK = PickAsk("x", "c1", ("c2", "c3", "c4"), Sentence("who?"), 1, 2)


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("pick Bo", ("c2",)),
        ("pick Rat Bo", ("c4", "c2")),
        ("pick Rat,Bo", ("c4", "c2")),
        ("pick Bo Bo", ("c2",)),
        ("pick @Gang", ("c3", "c4")),
        ("pick Gang", ("c3", "c4")),
        ("pick ?at", ("c4",)),
        ("pick im", ("c3",)),
    ],
)
def test_what_is_picked(line: str, keys: tuple[str, ...]) -> None:
    system = Dealer(PICK)
    played(fight(), system, line)
    assert system.heard == [("x", keys)]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("pick none", "pick takes 1 to 2 of Bo, Imp, Rat, not 0"),
        ("pick Bo Imp Rat", "pick takes 1 to 2 of Bo, Imp, Rat, not 3"),
        ("pick Ana", 'no choice is called "Ana"'),
        ("pick A*", "A* is not among Bo, Imp, Rat"),
    ],
)
def test_what_cannot_be_picked(line: str, says: str) -> None:
    with pytest.raises(RuleError) as refused:
        played(fight(), Dealer(PICK), line)
    assert refused.value.message == says


def test_what_is_read_is_acknowledged() -> None:
    system = Dealer(PICK, AcknowledgeAsk("k", "gm", Sentence("read")))
    played(fight(), system, "ok")
    assert system.heard == [("k", ())]


# --- turns


TURN = Turn("c1", ("c1",))
ACTED = {"marks": {"acted": "round"}}


@pytest.mark.parametrize(
    ("turn", "acts", "line", "heard"),
    [
        (None, ("c1",), "next", [("took", "turn", "c1"), ("settle",)]),
        (None, ("c1", "c2"), "turn Bo", [("took", "turn", "c2")]),
        (None, ("c1", "@Gang"), "turn Rat", [("took", "turn", "@Gang")]),
        (TURN, ("c2",), "turn Bo", [("ended", "c1"), ("settle",), ("took", "turn", "c2")]),
        (TURN, (), "end", [("ended", "c1"), ("settle",)]),
        (None, (), "end", [("end_side",)]),
        (TURN, (), "next", [("ended", "c1"), ("settle",)]),
    ],
)
def test_turns_are_taken_and_ended(
    turn: Turn | None, acts: tuple[str, ...], line: str, heard: list[tuple[object, ...]]
) -> None:
    system = Dealer(acts=tuple(Act("turn", k) for k in acts))
    e = fight(turn=turn)
    if line == "next":
        # An act that is forced is taken again and again while no turn runs.
        system.acts = tuple(Act("turn", k, pauses=True) for k in acts)
    played(e, system, line)
    assert system.heard == heard


@pytest.mark.parametrize(
    ("how", "ana", "acts", "line", "says", "hint"),
    [
        ({}, {}, ("c1", "c2"), "next", "next has to wait", "choose who goes, Ana or Bo: `turn Ana`"),
        ({}, {"out": True}, ("c2",), "turn Ana", "Ana is out", "`back Ana`"),
        ({}, ACTED, ("c2",), "turn Ana", "Ana has had a turn this round", "`next` goes on"),
        ({}, {}, ("c2",), "turn Ana", "Ana cannot act now", "`next` goes on"),
        ({}, {}, (), "turn Gang", "Gang cannot act now", "nobody is left to act: `add 1 Orc`, or `finish`"),
        ({"turn": TURN}, {}, ("c2",), "pass", "Ana is acting", "`end` ends the turn"),
        ({}, {}, ("c2",), "pass", "nobody can pass now", "`next` goes on"),
    ],
)  # fmt: skip
def test_who_may_not_act_is_told_why(  # of a table
    how: dict[str, Any], ana: dict[str, Any], acts: tuple[str, ...], line: str, says: str, hint: str
) -> None:
    with pytest.raises(RuleError) as refused:
        played(fight(ana, **how), Dealer(acts=tuple(Act("turn", k) for k in acts)), line)
    assert (refused.value.message, refused.value.hint) == (says, hint)


def test_a_pass_is_taken_where_one_is_offered_and_else_the_reason_is_said_once() -> None:
    system = Dealer(acts=(Act("turn", "c1"), Act("pass", "@heroes")))
    played(fight(), system, "pass")
    assert system.heard == [("took", "pass", "@heroes")]
    for acts, hint in (
        ((Act("turn", "c1"), Act("turn", "c2")), "it is so; choose who goes, Ana or Bo: `turn Ana`"),
        ((), "it is so"),
    ):
        with pytest.raises(RuleError, match="nobody can pass now") as refused:
            played(fight(), Dealer(acts=acts, why=say("it is so")), "pass")
        assert refused.value.hint == hint


def test_the_dice_of_who_acts_hold_a_turn_up_and_those_of_others_do_not() -> None:
    for asks, line, waits in (
        ((A,), "next", True),
        ((B,), "next", False),
        ((A,), "end", False),
        ((A,), "turn Bo", True),
    ):
        system = Dealer(*asks, acts=(Act("turn", "c2"),))
        if waits:
            with pytest.raises(RuleError, match="has to wait") as refused:
                played(fight(turn=TURN), system, line)
            assert refused.value.hint == "Ana owes a roll: `roll`"
        else:
            played(fight(turn=TURN), system, line)
            assert system.heard[:1] == [("ended", "c1")]
    held = fight({"hp": 9, "conditions": (FOCUS,), "owes": SAVES[:1]}, turn=TURN)
    for line in ("end", "next", "turn Bo"):
        with pytest.raises(RuleError, match="has to wait"):
            played(held, Dealer(), line)
    assert not turns.may_end(held, Dealer())
    assert turns.may_end(fight(turn=TURN), Dealer(A))
    assert not turns.may_end(fight(), Dealer())


# --- the other lines of play


@pytest.mark.parametrize(
    ("line", "heard"),
    [
        ("order Ana action=hide", [("order", "c1", {"action": "hide"})]),
        ("order Imp,Rat,Bo a=b", [("order", "@Gang", {"a": "b"}), ("order", "c2", {"a": "b"})]),
        ("lock", [("lock", False)]),
        ("lock missing=empty", [("lock", True)]),
        ("unlock", [("unlock",)]),
        ("hold Rat", [("hold", "@Gang")]),
        ("act Bo", [("act", "c2")]),
        ("move Ana after Rat", [("move", "c1", "after", "@Gang")]),
        ("react Ana with parries", [("react", "c1", "parries")]),
        ("react Rat", [("react", "c4", "")]),
    ],
)
def test_what_a_system_is_asked(line: str, heard: list[tuple[object, ...]]) -> None:
    system = Dealer()
    d = played(fight(), system, line)
    assert (d.events, system.heard) == ([], heard)
    with pytest.raises(RuleError, match="the fight has not begun") as refused:
        played(fight(phase="setup", round=0), Dealer(), line)
    assert refused.value.hint == "`begin` starts it"
    with pytest.raises(RuleError, match="the fight has not begun") as refused:
        played(Encounter(), Dealer(), line)
    assert refused.value.hint == "`add 5 Orc` first"


def test_who_holds_keeps_the_saves_that_it_owes() -> None:
    owing = {"hp": 9, "conditions": (FOCUS,), "owes": SAVES[:1]}
    for who, turn, kept in (
        ("Ana", TURN, [ev.SavesKept(("c1",))]),
        ("Ana", None, []),
        ("Bo", TURN, []),
        ("Ana", Turn("c2", ("c2",)), []),
        ("Bo", Turn("c2", ("c2",)), []),
    ):
        d = played(fight(owing, turn=turn), Dealer(), f"hold {who}")
        assert [x for x in d.events if isinstance(x, ev.SavesKept)] == kept


class Rounds(Dealer):
    """A system in which upkeep falls due with the round."""

    upkeep_edges = "round"


def test_where_upkeep_falls_due_with_the_round_the_lock_waits_for_it() -> None:
    owing = fight({"hp": 9, "conditions": (FOCUS,), "owes": SAVES[:1]})
    with pytest.raises(RuleError, match="lock has to wait") as refused:
        played(owing, Rounds(), "lock")
    assert refused.value.hint == "Ana owes a roll: `roll`"
    for e, system in ((owing, Dealer()), (fight(), Rounds())):
        played(e, system, "lock")
        assert system.heard == [("lock", False)]


def test_neither_the_dying_nor_who_is_not_here_yet_reacts() -> None:
    for ana, says, hint in (
        ({"hp": 0, "dying": Dying()}, "Ana has no reaction: it is dying", "`heal` brings it back"),
        (
            {"hp": 0, "dying": Dying(stable=True)},
            "Ana has no reaction: it is stable",
            "`heal` brings it back",
        ),
        ({"arrives": 3}, "Ana is not here before round 3", ""),
    ):
        with pytest.raises(RuleError) as refused:
            played(fight(ana), Dealer(), "react Ana")
        assert (refused.value.message, refused.value.hint) == (says, hint)


LAID: dict[str, Any] = {"area": PendingArea(3, ("c1",), dc=12, key="dex")}
CAUGHT: dict[str, Any] = {"hp": 9, "owes": (OwedSave(1, "area", 12, "dex"),)}
BEFORE: dict[str, Any] = {"phase": "setup", "round": 0}


@pytest.mark.parametrize("line", ["next", "turn Ana", "pass", "end", "hold Ana", "act Ana"])
def test_an_area_holds_turns_up_and_nothing_else(line: str) -> None:
    e = fight(CAUGHT, **LAID)
    with pytest.raises(RuleError, match="saves against the area are owed first: Ana") as refused:
        played(e, Dealer(), line)
    assert refused.value.hint == "`roll`, `made Ana` or `failed Ana`"
    system = Dealer()
    played(e, system, "move Ana after Bo")
    assert system.heard == [("move", "c1", "after", "c2")]
    assert not turns.may_end(fight(CAUGHT, turn=Turn("c2", ("c2",)), **LAID), Dealer())


def test_a_fight_begins_when_nothing_is_owed() -> None:
    system = Dealer()
    played(fight(**BEFORE), system, "begin")
    assert system.heard == [("begin",)]
    owing = {"hp": 9, "conditions": (FOCUS,), "owes": SAVES[:1]}
    for e, says, hint in (
        (fight(), "the fight is already running", "`finish` ends it"),
        (Encounter(), "nobody is here to fight", "`add 5 Orc`"),
        (fight(owing, **BEFORE), "begin has to wait", "Ana owes a roll: `roll`"),
        (
            fight(CAUGHT, **BEFORE, **LAID),
            "saves against the area are owed first: Ana",
            "`roll`, `made Ana` or `failed Ana`",
        ),
    ):
        with pytest.raises(RuleError) as refused:
            played(e, Dealer(), "begin")
        assert (refused.value.message, refused.value.hint) == (says, hint)


def test_saves_are_answered_outside_a_fight_as_well() -> None:
    owing = fight({"hp": 9, "conditions": (FOCUS,), "owes": SAVES[:1]}, **BEFORE)
    for line in ("roll Ana 20", "total Ana 20", "made Ana"):
        d = played(owing, Dealer(), line)
        assert ev.SaveSettled("c1", 1, made=True) in d.events
    for line in ("pick Ana", "ok", "next"):
        with pytest.raises(RuleError, match="the fight has not begun"):
            played(owing, Dealer(), line)
    with pytest.raises(RuleError, match="the fight has not begun"):
        played(fight(**BEFORE), Dealer(A), "roll")


def test_the_end_of_a_fight_ends_what_has_an_end_and_gives_an_area_up() -> None:
    worn = (Condition("slow", 2, "end"), Condition("bane", of="c2", dc=9), Condition("prone"))
    d = played(fight({"conditions": worn}, **LAID), Dealer(), "finish")
    assert d.events == [
        ev.AreaOver(dropped=True),
        ev.Cleared("c1", "slow", over=True, of=""),
        ev.Cleared("c1", "bane", over=True, of="c2"),
        ev.FightEnded(),
    ]


@pytest.mark.parametrize(
    ("who", "heard"),
    [
        ("Ana", [("ended", "c2"), ("settle",)]),
        ("Bo", [("ended", "c2"), ("settle",), ("ended", "c1"), ("settle",), ("took", "turn", "c2")]),
    ],
)
def test_behind_a_turn_that_cut_in_the_other_goes_on_or_ends(
    who: str, heard: list[tuple[object, ...]]
) -> None:
    system = Dealer(acts=(Act("turn", "c2"),))
    e = fight(turn=Turn("c2", ("c2",)), paused=(TURN,))
    assert played(e, system, f"turn {who}").encounter.acting == ("c1" if who == "Ana" else "")
    assert system.heard == heard


@pytest.mark.parametrize("who", ["Gang", "Imp", "Rat", "Imp,Rat"])
def test_a_group_that_was_cut_into_goes_on_by_the_name_of_any_member(who: str) -> None:
    system = Dealer(acts=(Act("turn", "c2"),))
    e = fight(turn=Turn("c2", ("c2",)), paused=(Turn("@Gang", ("c3",)),))
    assert played(e, system, f"turn {who}").encounter.acting == "@Gang"


def test_next_goes_on_until_something_is_due() -> None:
    system = Dealer(acts=(Act("turn", "c1", pauses=True),))
    d = played(fight(), system, "next 3")
    assert (system.heard, d.notices) == ([("took", "turn", "c1"), ("settle",)] * 3, [])

    class Owing(Dealer):
        def took(self, d: Draft, act: Act) -> None:
            super().took(d, act)
            d.emit(ev.Noted("owes", value=True))

        def due(self, e: Encounter) -> tuple[Ask, ...]:
            return (A,) if "owes" in e.notes else ()

    d = played(fight(), Owing(acts=(Act("turn", "c1", pauses=True),)), "next 3")
    assert d.notices == ["stopped after 1 of 3: Ana owes a roll: `roll`"]


# --- who is meant


STAR = Combatant("c5", "Bo*", "dark")


def test_a_roller_is_meant_by_its_name_its_group_its_side_or_a_pattern() -> None:
    e = fight()
    e = replace(e, combatants={**e.combatants, "c5": STAR})
    imp, rat, star = roll("i", "c3", 6), roll("r", "c4", 6), roll("s", "c5", 6)
    side = roll("h", "@heroes", 6)
    for asks, line, keys in (
        ((A, B, star), "roll Bo*", ["s"]),
        ((A, B, star), "roll B?", ["b"]),
        ((A, B, star), "roll B??", ["s"]),
        ((A, imp, rat), "roll Gang", ["i", "r"]),
        ((A, rat), "roll Gang", ["r"]),
        ((A, imp, rat), "roll @Gang", ["i", "r"]),
        ((A, imp, rat, star), "roll @dark", ["i", "r", "s"]),
        ((A, GANG), "roll @Gang", ["g"]),
        ((A, GANG), "roll Rat", ["g"]),
        ((GANG, side), "roll Bo", ["h"]),
        ((GANG, side), "roll @heroes", ["h"]),
        ((GANG, side), "roll heroes", ["h"]),
        ((rat, imp, B, A), "roll *", ["a", "b", "i", "r"]),
        ((A, roll("n", "@none", 6)), "roll *", ["n", "a"]),
        ((A, GANG), "roll Ga*", ["g"]),
        ((A, side), "roll @heroes", ["a", "h"]),
    ):
        d = played(e, Dealer(*asks), line, (1,) * len(keys) if "b" not in keys else (1,) * (len(keys) + 1))
        assert [x[0] for x in rolled(d)] == keys, line
    for line in ("roll ,", "roll @Gang,Imp"):
        with pytest.raises(RuleError) as refused:
            played(e, Dealer(A, B), line)
        assert refused.value.hint == "still to roll: Ana, Bo: `roll Ana`"
    rob = replace(e, combatants={**e.combatants, "c6": Combatant("c6", "Rob", "dark")})
    with pytest.raises(RuleError, match='"R" fits Rat, Rob'):
        played(rob, Dealer(rat, roll("o", "c6", 6)), "roll R")


def test_a_member_s_save_comes_before_the_dice_of_its_group() -> None:
    e = fight()
    saver = replace(e.combatants["c4"], hp=5, conditions=(FOCUS,), owes=SAVES[:1])
    e = replace(e, combatants={**e.combatants, "c4": saver})
    assert [x[0] for x in rolled(played(e, Dealer(GANG), "roll Gang 20"))] == ["save c4 1"]
    assert [x[0] for x in rolled(played(e, Dealer(GANG), "roll Rat 20"))] == ["save c4 1"]


def test_a_save_is_called_with_what_is_added() -> None:
    owing = {"hp": 9, "conditions": (FOCUS,), "owes": SAVES[:1], "save_bonus": "con+3"}
    e = fight(owing)
    assert rolling.reach(e, Dealer(), upkeep(e, Dealer())[0]) == (4, 23)
    for total, made in ((9, False), (10, True)):
        system = Dealer()
        d = played(e, system, f"total Ana {total}")
        assert rolled(d)[0][1] == (total - 3,)
        assert ev.SaveSettled("c1", 1, made=made) in d.events
        assert system.heard == []
    with pytest.raises(RuleError, match="24 is no total of Ana") as refused:
        played(e, Dealer(), "total Ana 24")
    assert refused.value.hint == "it can roll 4 to 23"


def test_dice_that_run_out_are_refused() -> None:
    with pytest.raises(RuleError, match=r"(?i)face|dice"):
        played(fight(), Dealer(B), "roll Bo", (3,))


class Replaced(Dealer):
    """A system in which the first of Ana's dice takes the place of her second."""

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return what is still owed, and count how often it is asked."""
        self.asked = getattr(self, "asked", 0) + 1
        return tuple(a for a in super().due(e) if a.key != "a2" or "a" not in e.rolls)


def test_what_is_owed_is_looked_at_again_only_where_something_may_have_ended() -> None:
    system = Replaced(A, roll("a2", "c1", 20))
    assert [x[0] for x in rolled(played(fight(), system, "roll Ana", (7,)))] == ["a"]
    few, many = Replaced(A), Replaced(A, B, GANG)
    played(fight(), few, "roll Ana", (7,))
    played(fight(), many, "roll Ana,Bo,Gang", (7, 1, 1, 1))
    assert few.asked == many.asked


def test_a_save_of_the_systems_own_is_rolled_with_the_dice_before_it() -> None:
    own = roll("z", "c1", 20, save=Saving("other", "", 10, "", 0))
    assert [x[0] for x in rolled(played(fight(), Dealer(A, own), "roll Ana", (7, 8)))] == ["a", "z"]


def test_a_choice_that_is_due_is_no_roll() -> None:
    assert [x[0] for x in rolled(played(fight(), Dealer(A, PICK), "roll", (7,)))] == ["a"]


def test_next_stops_in_a_turn_when_another_owes_something() -> None:
    class Acting(Dealer):
        def took(self, d: Draft, act: Act) -> None:
            d.emit(ev.TurnBegan(act.who, (act.who,)))
            self.asks = (B,)

    d = played(fight(), Acting(acts=(Act("turn", "c1"),)), "next 3")
    assert d.notices == ["stopped after 1 of 3: Bo owes a roll: `roll`"]
    assert d.encounter.acting == "c1"


def test_whom_a_turn_is_offered_and_who_is_told_why_not() -> None:
    system = Dealer(acts=(Act("turn", "c3"), Act("turn", "c2")))
    played(fight(), system, "turn Imp")
    assert system.heard == [("took", "turn", "c3")]
    e = fight(turn=Turn("c2", ("c2",)), paused=(Turn("@Two", ("c1", "c3")),))
    assert played(e, Dealer(), "turn Ana,Imp").encounter.acting == "@Two"
    e = fight()
    imp, rat = (replace(e.combatants[k], marks={"acted": "round"} if k == "c3" else {}) for k in ("c3", "c4"))
    acted = replace(e, combatants={**e.combatants, "c3": imp, "c4": replace(rat, out=True)})
    only = (Act("pass", "c1"), Act("turn", "c2"))
    for where, line, says in (
        (fight(), "turn Ana", "Ana cannot act now"),
        (fight(), "turn Rat", "Rat cannot act now"),
        (acted, "turn Gang", "Gang have had a turn this round"),
    ):
        with pytest.raises(RuleError) as refused:
            played(where, Dealer(acts=only), line)
        assert refused.value.message == says
    with pytest.raises(RuleError, match="Ana is acting") as refused:
        played(fight(turn=TURN), Dealer(A), "pass")
    assert refused.value.hint == "`end` ends the turn"


def test_each_save_and_recharge_is_rolled_with_its_own_dice() -> None:
    breath = Counted("breath", 0, 1, "2d6>=9", owes=True)
    e = fight({"hp": 9, "conditions": (FOCUS,), "owes": SAVES[:1], "counters": (breath,)}, turn=TURN)
    d = played(e, Dealer(), "roll", (15, 4, 5))
    assert [x[:2] for x in rolled(d)] == [("save c1 1", (15,)), ("recharge c1 breath", (4, 5))]
    assert d.encounter.combatants["c1"].counters == (replace(breath, n=1, owes=False),)
