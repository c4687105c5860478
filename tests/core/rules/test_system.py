"""What every system does unless it says otherwise, and what the core asks of all of them alike."""

from __future__ import annotations

import inspect

import pytest

from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import GAME_MASTER
from tui.core.rules.on_screen import OnScreen
from tui.core.rules.optional import Corrections, Deck, Hits, Orders, OwnSaves
from tui.core.rules.system import PARTS, Absent, InitiativeSystem, running_system, system_with_verb
from tui.core.views.log import story
from tui.systems import Registry

ANA, BO = Combatant("c1", "Ana", "heroes"), Combatant("c2", "Bo", "dark", group="Gang")


def test_a_systems_author_has_33_methods_to_read_and_each_has_a_default() -> None:
    methods = [m for m in vars(InitiativeSystem).values() if inspect.isfunction(m)]
    assert len([m for m in methods if not m.__name__.startswith("_")]) <= 33
    assert not inspect.isabstract(InitiativeSystem)


def test_a_method_of_an_optional_class_needs_it_as_a_base() -> None:
    parts = {x.__name__: x for x in (OnScreen, Orders, Corrections, OwnSaves, Hits, Deck)}
    assert {name: set(methods) for name, methods in PARTS.items()} == {
        name: {k for k, v in vars(part).items() if inspect.isfunction(v) and not k.startswith("_")}
        for name, part in parts.items()
    }
    body = {"id": "lost", "form": lambda *_: ()}
    with pytest.raises(TypeError, match="Lost has form, a method of OnScreen"):
        type("Lost", (InitiativeSystem,), dict(body))
    assert type("Found", (InitiativeSystem, OnScreen), dict(body))


def test_a_system_that_is_missing_has_a_stand_in() -> None:
    systems = Registry()
    assert isinstance(running_system(systems, Encounter(system="nowhere")), Absent)
    assert running_system(systems, Encounter(system="chaos")).id == "chaos"
    assert system_with_verb(systems, "meet")[0] == "dungeon-track"
    assert system_with_verb(systems, "nothing of this kind") == ("", "")


SYSTEMS = [Registry().get(name) for name in Registry().ids()]


@pytest.mark.parametrize("rules", SYSTEMS, ids=lambda s: s.id)
def test_a_mark_and_a_phase_are_declared_once_and_in_words_that_can_be_read(rules: InitiativeSystem) -> None:
    assert len(rules.all_marks) == len({m.key for m in rules.all_marks.values()})
    assert all(m.word or not (m.tag or m.short or m.logged) for m in rules.all_marks.values())
    assert len({p.name for p in rules.phases}) == len(rules.phases)


def test_a_mark_of_a_system_that_is_gone_is_passed_over_in_silence() -> None:
    e, rules = Encounter(), Registry().get("classic")
    assert list(story(e, (ev.Marked(("c1",), "frantic"), ev.PhaseEntered("tea")), GAME_MASTER, rules)) == []


@pytest.mark.parametrize("rules", SYSTEMS, ids=lambda s: s.id)
def test_a_verb_that_is_a_whole_line_is_written_so_and_no_other_is(rules: InitiativeSystem) -> None:
    assert [v.name for v in rules.verbs if v.whole != (v.usage == v.name)] == []
    assert [v.name for v in rules.verbs if v.damages and "amount" not in v.takes] == []
