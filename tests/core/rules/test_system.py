"""What every system does unless it says otherwise, and what the core asks of all of them alike."""

from __future__ import annotations

import inspect

import pytest

from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.core.rules.on_screen import OnScreen
from tui.core.rules.optional import Corrections, Deck, Hits, Orders, OwnSaves
from tui.core.rules.system import PARTS, Absent, InitiativeSystem, running_system, system_with_verb
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
