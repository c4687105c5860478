"""What newcomers bear beside their keys: counters of the library, and what a kept party left the table
with."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tests.store.library.shelf import GOBLIN, only, shelve, table
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Combatant, Counted
from tui.systems import Registry

WAR_CRY = "counters = ['\"War Cry\" 1 max=1 reset=1d6>=5', 'legendary 3 reset=turn']\n"


def borne(c: Combatant) -> tuple[str, tuple[Counted, ...], dict[str, tuple[int, str, bool]]]:
    return c.alias, c.counters, {x.name: (x.rounds, x.until, x.hidden) for x in c.conditions}


def test_a_creature_of_the_library_brings_its_counters(tmp_path: Path) -> None:
    shelve(tmp_path, "creatures", "mine", GOBLIN + WAR_CRY)
    t = table(tmp_path)
    t.store.run("add 2 goblin")
    for c in t.encounter.combatants.values():
        found = [(x.name, x.n, x.most, x.reset) for x in c.counters]
        assert found == [("War Cry", 1, 1, "1d6>=5"), ("legendary", 3, 3, "turn")]
    assert "count" not in c.card
    t.store.run('count "Goblin 1" war -1')
    t.store.run("undo")
    t.store.run("undo")
    assert not t.encounter.combatants


def test_a_counter_that_cannot_be_is_named_with_its_line(tmp_path: Path) -> None:
    shelve(tmp_path, "creatures", "mine", GOBLIN + 'counters = ["Fire -1"]\n')
    with pytest.raises(RuleError, match=r"mine\.toml, line 14: "):
        table(tmp_path).store.run("add goblin")


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("counters", '["Fire 2 max=1"]', "line 4"),
        ("counters", '"Fire 1"', "a list of texts"),
        ("death_saves", '"3 made, 0 failed"', "is not a count of death saves"),
        ("death_saves", "2", "death_saves is a text"),
        ("conditions", '["poisoned rounds=many"]', "line 4"),
        ("conditions", "[3]", "a list of texts"),
        ("hidden_conditions", '["cursed"]', "not one of the conditions"),
        ("alias", '"a, b"', "cannot be a name"),
    ],
)
def test_a_mistake_in_what_they_bear_is_named_with_its_line(
    tmp_path: Path, key: str, value: str, said: str
) -> None:
    shelve(tmp_path, "parties", "two", f'[[combatant]]\nname = "Ana"\n\n{key} = {value}\n')
    t = table(tmp_path)
    with pytest.raises(RuleError, match=said) as refused:
        t.store.run("party two")
    assert "two.toml, line 4" in str(refused.value)
    assert not t.encounter.combatants


def test_what_ends_with_somebody_who_is_kept_still_does(tmp_path: Path) -> None:
    t = table(tmp_path)
    for line in (
        "add Ana owner=A hp=9", "add Bo owner=B hp=9", "add Orc hp=9",
        "condition Bo blessed of=Ana conc=yes", "condition Bo marked rounds=3 of=Orc",
        "condition Ana sick rounds=2 until=start",
        "save party two", "remove Ana,Bo", "begin", "roll", "party two",
    ):  # fmt: skip
        t.store.run(line)
    ana, bo = (c for c in t.encounter.combatants.values() if c.owner)
    assert {x.name for x in bo.conditions} == {"blessed"}, "marked lasted as long as the orc's turns"
    assert {x.name: x.rounds for x in ana.conditions} == {"sick": 2, "concentration": 0}
    t.store.run("damage Ana 9")
    assert not t.encounter.combatants[bo.id].conditions


NAMES = st.sampled_from(["fire", "War Cry", "slots", 'the "x"'])
COUNTERS = st.builds(
    lambda name, n, more, reset: (name, n, n + more, reset),
    NAMES,
    st.integers(0, 9),
    st.integers(1, 9),
    st.sampled_from(["turn", "round", "never", "1d6>=5"]),
)
CONDITIONS = st.tuples(
    st.sampled_from(["poisoned", "on fire", "concentration"]),
    st.integers(0, 9),
    st.sampled_from(["start", "end"]),
    st.booleans(),
)


@cases(60)
@given(
    st.lists(COUNTERS, max_size=3, unique_by=lambda c: c[0].lower()),
    st.lists(CONDITIONS, max_size=3, unique_by=lambda c: c[0]),
    st.sampled_from(["", "The Old One"]),
)
def test_a_party_is_loaded_with_all_that_outlasts_a_fight(
    counters: list[tuple[str, int, int, str]], conditions: list[tuple[str, int, str, bool]], alias: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        t = table(Path(folder))
        t.store.run("add Ana owner=Ann hp=12")
        for name, n, most, reset in counters:
            quoted = name.replace('"', '\\"')
            t.store.run(f'count Ana "{quoted}" {n} max={most} reset={reset}')
        for name, rounds, until, hidden in conditions:
            t.store.run(f'condition Ana "{name}"' + (f" rounds={rounds} until={until}" if rounds else ""))
            if hidden:
                t.store.run(f'hide Ana "{name}"')
        if alias:
            t.store.run(f'alias Ana "{alias}"')
        before = borne(only(t))
        for line in ("save party one", "remove Ana", "party one"):
            t.store.run(line)
        lasting = {k: v for k, v in before[2].items() if not v[0]}
        assert borne(only(t)) == (*before[:2], lasting), "what counts turns ended with the fight"


@cases(20)
@given(
    st.permutations(["12", "15", "3", "8"]).flatmap(lambda faces: st.integers(0, 4).map(lambda n: faces[:n]))
)
def test_who_is_kept_while_dying_goes_on_with_the_death_saves_it_had(faces: list[str]) -> None:
    """Two that succeed and two that fail at the most: nobody is stable or dead by them."""
    with tempfile.TemporaryDirectory() as folder:
        t = table(Path(folder))
        for line in (
            "option zero.pc=dying",
            "add Ana owner=Ann hp=12",
            "begin",
            "roll Ana 20",
            "damage Ana 12",
        ):
            t.store.run(line)
        for face in faces:
            t.store.run("next")
            t.store.run(f"roll Ana {face}")
        before = only(t).dying
        assert before is not None
        assert before.good + before.bad == len(faces)
        for line in ("finish", "save party one", "remove Ana", "party one"):
            t.store.run(line)
        assert only(t).dying == before
        for line in ("remove Ana", "option zero.pc=nothing", "party one"):
            t.store.run(line)
        assert only(t).dying is None


def test_a_fresh_one_has_its_counters_back_and_nothing_holds_it(tmp_path: Path) -> None:
    t = table(tmp_path)
    for line in (
        "add Ana owner=A hp=9", "count Ana fire 1 max=3", "condition Ana sick", "alias Ana Grey",
        "save party one hp=full", "remove Ana", "party one",
    ):  # fmt: skip
        t.store.run(line)
    c = only(t)
    assert (c.alias, [(x.n, x.most) for x in c.counters], c.conditions) == ("Grey", [(3, 3)], ())


@pytest.mark.parametrize("system", Registry().ids())
def test_who_is_kept_dead_is_dead_until_a_rest_that_names_them(tmp_path: Path, system: str) -> None:
    t = table(tmp_path, system)
    for line in ("option zero.massive=dead", "add Ana owner=A hp=9", "add Bo owner=B hp=9", "damage Ana 18"):
        t.store.run(line)
    said = t.store.run("save party one").lines[0].text
    assert said.endswith("2 creatures saved in parties/one.toml, Ana as dead")
    for fresh in ("", " fresh=yes"):
        t.store.run("remove Ana,Bo")
        t.store.run(f"party one{fresh}")
        ana, bo = t.store.encounter.combatants.values()
        assert (ana.dead, ana.out, ana.hp) == (True, True, 0)
        assert (bo.dead, bo.out, bo.hp) == (False, False, 9)
    rest = [m.text for m in t.store.run("rest long").lines]
    assert rest == ["Ana is dead and does not rest: `rest long Ana` brings it back"]
    t.store.run("rest long Ana")
    ana = t.store.encounter.combatants[ana.id]
    assert (ana.dead, ana.out, ana.hp) == (False, False, 9)
    t.store.run("save party one hp=full over=yes")
    # In the middle of a fight too: nothing is due of the dead.
    t.store.run("damage Ana 18")
    t.store.run("save party one over=yes")
    t.store.run("remove Ana,Bo")
    for line in ("add Imp side=dark", "add Cay owner=C", "begin", "party one"):
        t.store.run(line)
    (ana,) = (c for c in t.encounter.combatants.values() if c.name == "Ana")
    assert ana.dead
    assert ana.id not in [a.who for a in t.due()]
