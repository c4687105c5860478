"""Every action in every system is decided or refused in one line, and whatever is decided can be taken in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.strategies import SHAPES, of_shape
from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.language.actions import Goto, Redo, Undo
from tui.core.language.creature_actions import Request
from tui.core.rules.decide import Rules, decide
from tui.store.sources import SeededDice
from tui.systems import Registry

SYSTEMS = Registry()
TRAVEL = (Undo, Redo, Goto)
PEOPLE = (
    "add Bo hp=9 kind=pc",
    'add "Orc 1" hp=5 group=Orcs',
    'add "Ana Maria" owner=Mia',
    "add Zoë side=heroes",
)


def fight(system: str, seed: int) -> Table:
    """A fight that has gone on for a while, to a place that the seed chooses."""
    t = Table(system, dice=SeededDice(seed))
    side = " side=dark" if SYSTEMS.get(system).sides else ""
    t.do(*(line if "side=" in line or "owner" in line else line + side * ("Orc" in line) for line in PEOPLE))
    for line in (
        "begin",
        "meet Bo",
        "lock missing=empty",
        "roll",
        "pick none",
        "ok",
        "next",
        "hold Bo",
        "next",
    )[: seed % 10]:
        try:
            t.do(line)
        except RuleError:
            continue
    return t


@cases(25)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
@given(data=st.data(), system=st.sampled_from(SYSTEMS.ids()), seed=st.integers(0, 29))
def test_an_action_is_decided_or_refused_and_nothing_else(
    shape: type[Request], data: st.DataObject, system: str, seed: int
) -> None:
    e = fight(system, seed).encounter
    action = data.draw(of_shape(shape))
    try:
        events = decide(e, action, Rules(SYSTEMS, SeededDice(seed)))  # type: ignore[arg-type]
    except RuleError as error:
        said = str(error)
    else:
        said = "decided"
        assert shape not in TRAVEL, "they are the store's"
        assert events
        assert isinstance(fold(e, events), Encounter)
    assert said
    assert said.isprintable()


@pytest.mark.parametrize("system", SYSTEMS.ids())
@pytest.mark.parametrize("verb", [shape.syntax.verb for shape in SHAPES if shape not in TRAVEL])
def test_a_bare_verb_never_fails(system: str, verb: str) -> None:
    t = fight(system, 7)
    before = t.encounter
    try:
        t.do(verb)
    except RuleError:
        after = t.encounter
    else:
        t.do("undo")
        after = t.encounter
    assert after == before


@given(system=st.sampled_from(SYSTEMS.ids()), seed=st.integers(0, 29), data=st.data())
def test_undo_and_redo_of_what_is_decided_are_exact(system: str, seed: int, data: st.DataObject) -> None:
    t = fight(system, seed)
    before = t.encounter
    action = data.draw(st.one_of([of_shape(s) for s in SHAPES if s not in TRAVEL]))
    try:
        t.do(action.syntax.write(action))
    except RuleError:
        accepted = False
    else:
        accepted = True
    after = t.encounter
    if accepted:
        t.do("undo")
        assert t.encounter == before
        t.do("redo")
        assert t.encounter == after
    else:
        assert after is before


def classic(*lines: str) -> Table:
    t = Table("classic")
    t.do("add Ana owner=Mia hp=9", "add 2 Orc hp=7", "begin")
    t.do("roll", dice=[15, 10, 5])
    for line in lines:
        t.do(line)
    return t


@given(st.integers(1, 9))
def test_next_n_is_n_times_next_as_one_step(n: int) -> None:
    many, single = classic(), classic()
    many.do(f"next {n}")
    for _ in range(n):
        single.do("next")
    assert many.encounter == single.encounter
    assert many.store.step == single.store.step - n + 1


@given(st.lists(st.integers(1, 6), min_size=2, max_size=2), st.booleans())
def test_free_dice_change_nothing_and_are_the_game_masters_unless_open(faces: list[int], open_: bool) -> None:
    t = classic()
    before = t.encounter
    t.do("dice 2d6+1 the bridge" + (" open=yes" if open_ else ""), dice=faces)
    assert t.encounter == before
    told = [x["text"] for x in t.state()["last"]]
    assert any(x.startswith(f"GM rolls {sum(faces) + 1} for the bridge: 2d6+1 (") for x in told)
    assert ("the bridge" in str(t.state("Mia")["last"])) == open_


@pytest.mark.parametrize("system", Registry().ids())
def test_before_the_fight_who_is_back_is_only_back(system: str) -> None:
    t = Table(system)
    t.do("add Ana kind=pc", "add Orc", "out Orc", "back Orc")
    assert [type(event).__name__ for event in t.ledger.steps[-1].events] == ["CameBack"]
    t.refuse("back Orc", "already in the fight")


@pytest.mark.parametrize("system", Registry().ids())
def test_who_has_not_arrived_has_no_reaction_to_spend(system: str) -> None:
    t = Table(system)
    t.do("add Ana kind=pc", "add Orc", "add Late round=3", "begin")
    assert "not here before round 3" in t.refuse("react Late").message
