"""What a system declares is what the core lets it write, and what the outside reads of it."""

from __future__ import annotations

import pytest

from tests.table import Table
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import GAME_MASTER
from tui.core.rules.complete import complete
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem
from tui.core.views.log import story
from tui.systems import Registry

SYSTEMS = [Registry().get(name) for name in Registry().ids()]


@pytest.mark.parametrize("rules", SYSTEMS, ids=lambda s: s.id)
def test_a_mark_and_a_phase_are_declared_once_and_in_words_that_can_be_read(rules: InitiativeSystem) -> None:
    assert len(rules.all_marks) == len({m.key for m in rules.all_marks.values()})
    assert all(m.word or not (m.tag or m.short or m.logged) for m in rules.all_marks.values())
    assert len({p.name for p in rules.phases}) == len(rules.phases)


@pytest.mark.parametrize(
    ("fact", "says"),
    [
        (ev.Marked(("c1",), "frantic"), "declares no mark frantic"),
        (ev.PhaseEntered("tea"), "no phase tea"),
    ],
)
def test_what_no_system_declares_is_refused_to_its_author_and_nothing_has_happened(
    fact: ev.Event, says: str
) -> None:
    table = Table("classic")
    table.do("add Ana")
    d = Draft(table.encounter)
    with pytest.raises(RuleError, match=says):
        d.emit(fact)
    assert (d.events, d.encounter) == ([], table.encounter)


def test_a_mark_ends_where_it_is_declared_to_unless_it_is_said_otherwise() -> None:
    table = Table("chaos")
    table.do("add Ana")
    rules = table.store.system
    d = Draft(table.encounter, rules.all_marks, rules.all_phases)
    d.mark(["c1"], "ready")
    d.mark(["c1"], "holding")
    d.mark(["c1"], "barred", "fight")
    assert d.encounter.combatants["c1"].marks == {"ready": "fight", "holding": "round", "barred": "fight"}


def test_a_side_is_told_by_its_name_whatever_words_are_in_it() -> None:
    table = Table("classic")
    table.do('add 2 Orc side="Red joins Blue"')
    told = [m.text for m in table.store.messages(1)]
    assert told == ["Orc 1 and Orc 2 join the Red joins Blue"]
    table.do('set "Orc 1" note="he joins the band"', 'group @"Red joins Blue" "joins the"')
    assert [m.text for m in table.store.messages(3)] == ["Orc 1 and Orc 2 join the group joins the"]


def test_a_mark_of_a_system_that_is_gone_is_passed_over_in_silence() -> None:
    e, rules = Encounter(), Registry().get("classic")
    assert list(story(e, (ev.Marked(("c1",), "frantic"), ev.PhaseEntered("tea")), GAME_MASTER, rules)) == []


@pytest.mark.parametrize("rules", SYSTEMS, ids=lambda s: s.id)
def test_a_verb_that_is_a_whole_line_is_written_so_and_no_other_is(rules: InitiativeSystem) -> None:
    assert [v.name for v in rules.verbs if v.whole != (v.usage == v.name)] == []
    assert [v.name for v in rules.verbs if v.damages and "amount" not in v.takes] == []


def test_what_a_verb_takes_is_offered_without_a_look_at_its_usage() -> None:
    table = Table("unbound")
    table.do("add Ana side=red", "add Bo side=blue")
    rules = table.store.system
    assert complete("surprise ", table.encounter, rules) == [
        "surprise red ",
        "surprise blue ",
        "surprise by=",
    ]
    assert complete("surprise red by=b", table.encounter, rules) == ["surprise red by=blue "]
    assert complete("surprised A", table.encounter, rules) == ["surprised Ana "]


def test_a_field_that_names_a_creature_is_offered_creatures_and_follows_a_new_name() -> None:
    table = Table("dungeon-universalis")
    table.do("add Ana side=heroes", "add Dog side=heroes acts_with=ana")
    assert "set Dog acts_with=Ana " in complete("set Dog acts_with=", table.encounter, table.store.system)
    table.do("rename Ana Bea")
    assert table.encounter.combatants["c2"].fields["acts_with"] == "Bea"


def test_nobody_is_hidden_where_the_system_lays_all_sheets_open() -> None:
    table = Table("chaos", {"cha.mode": "head-to-head"})
    table.do("add Ana")
    assert table.refuse("hide Ana", "sheets lie open").rule == "CHA-25"
