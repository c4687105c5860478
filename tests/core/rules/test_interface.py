"""What every system does unless it says otherwise, and what the core asks of all of them alike."""

from __future__ import annotations

import inspect

import pytest

from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.core.rules.creature_fields import Borne, check_borne
from tui.core.rules.on_screen import OnScreen
from tui.core.rules.optional import Corrections, Deck, Hits, Orders, OwnSaves
from tui.core.rules.system import (
    PARTS,
    Absent,
    InitiativeSystem,
    running_system,
    system_with_verb,
)
from tui.core.views.glossary import glossary
from tui.systems import Registry

SYSTEMS = Registry().ids()
ANA, BO = Combatant("c1", "Ana", "heroes"), Combatant("c2", "Bo", "dark", group="Gang")


def test_a_systems_author_has_32_methods_to_read_and_each_has_a_default() -> None:
    methods = [m for m in vars(InitiativeSystem).values() if inspect.isfunction(m)]
    assert len([m for m in methods if not m.__name__.startswith("_")]) <= 32
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


# --- creatures


@pytest.mark.parametrize(
    ("borne", "says"),
    [
        (Borne(), ""),
        (Borne(alias="Thing"), ""),
        (Borne(saves="1 made, 2 failed"), ""),
        (Borne(saves="stable"), ""),
        (Borne(saves="dead"), ""),
        (Borne(saves="3 made, 0 failed"), "says nothing of death saves"),
        (Borne(counters=("luck 2", "breath 1 reset=1d6>=5")), ""),
        (Borne(counters=("luck",)), "has no counter luck"),
        (Borne(counters=("luck 2 max=1",)), "more than"),
        (Borne(conditions=("held of=Nobody conc=yes save=wis dc=12",)), ""),
        (Borne(conditions=("held save=wis",)), "needs to know what it must reach"),
        (Borne(conditions=("held rounds=10000",)), "takes 0 to 9999"),
        (Borne(conditions=("held", "prone"), unseen=("Prone",)), ""),
        (Borne(conditions=("held",), unseen=("prone",)), "prone is hidden, and is none of the conditions"),
    ],
)
def test_what_a_file_says_of_a_creature_is_tried_before_anybody_is_there(borne: Borne, says: str) -> None:
    if not says:
        check_borne(borne)
        return
    with pytest.raises(RuleError) as refused:
        check_borne(borne)
    assert says in refused.value.message


def test_words_are_in_their_order() -> None:
    for name in SYSTEMS:
        system = Registry().get(name)
        words = glossary(system)
        assert list(words) == sorted(words, key=str.lower)
        assert words.items() >= system.glossary.items()
