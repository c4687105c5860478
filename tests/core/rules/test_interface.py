"""What every system does unless it says otherwise, and what the core asks of all of them alike."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import msgspec
import pytest

from tests.table import Table
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import NOTHING, Act, Preview, RollAsk, Sentence
from tui.core.fight.combatant import AREA, CONCENTRATION, CONDITION, DYING, Combatant, OwedSave
from tui.core.fight.encounter import Encounter, Turn
from tui.core.fight.events import Passed, TurnBegan
from tui.core.language.creature_actions import Area, OwnVerb
from tui.core.rules import saving_throws
from tui.core.rules.decide import refusal
from tui.core.rules.draft import Draft
from tui.core.rules.fields import Borne, named_apart, tried
from tui.core.rules.newcomers import CreatureKind, group_line, highest, kinds, stem_of
from tui.core.rules.on_screen import OnScreen, on_screen
from tui.core.rules.optional import Corrections, Deck, Hits, Orders, OwnSaves, orders_of, own_saves, writing
from tui.core.rules.system import (
    PARTS,
    Absent,
    InitiativeSystem,
    carried_out,
    having,
    notes,
    resolves,
    running,
    without_gm,
)
from tui.core.rules.transfer import opposition
from tui.core.views.glossary import glossary
from tui.systems import Registry

SYSTEMS = Registry().ids()
ANA, BO = Combatant("c1", "Ana", "heroes"), Combatant("c2", "Bo", "dark", group="Gang")
E = Encounter(combatants={"c1": ANA, "c2": BO}, phase="turns", round=1, turn=Turn("c1", ("c1",)))


class Plainest(InitiativeSystem):
    """A system that says nothing of its own."""

    title = "Plainest"


SYSTEM = Plainest()
SCREEN = on_screen(SYSTEM)
LACKING: list[tuple[Callable[[Draft], object], str]] = [
    (SYSTEM.end_side, "no turn is running"),
    (lambda _: writing(SYSTEM), "Plainest has no orders"),
    (lambda d: SYSTEM.hold(d, "c1"), "Plainest knows no delaying"),
    (lambda d: SYSTEM.act(d, "c1"), "Plainest knows no delaying"),
    (lambda d: SYSTEM.move(d, "c1", "before", "c2"), "Plainest has no track to move rows on"),
    (lambda d: SYSTEM.report(d, OwnVerb("meet", ())), "Plainest has no verb meet"),
]


@pytest.mark.parametrize(("ask", "says"), LACKING, ids=[says for _, says in LACKING])
def test_what_a_system_does_not_know_it_refuses(ask: Callable[[Draft], object], says: str) -> None:
    d = Draft(E)
    with pytest.raises(RuleError) as refused:
        ask(d)
    assert refused.value.message == says
    assert not d.events


def test_what_a_system_answers_that_says_nothing_of_its_own() -> None:
    ask = RollAsk("a", "c1", (6, 6), Sentence("x"))
    assert (SYSTEM.due(E), SYSTEM.rows(E), orders_of(SYSTEM, E), SCREEN.remarks(E), SYSTEM.offer(E)) == (
        (),
        (),
        (),
        (),
        NOTHING,
    )
    assert (SYSTEM.value_of(E, "c1"), SYSTEM.number_of(E, ask, (3, 4)), SYSTEM.places_by(E, ask)) == (
        0,
        7,
        True,
    )
    assert (SCREEN.preview(E, "c1", {}), SCREEN.choices(E, "x"), SCREEN.order_fields(E, "c1")) == (
        Preview(),
        (),
        (),
    )
    assert (
        SCREEN.asked_first(E),
        SCREEN.form(E, "x"),
        SCREEN.lines(E, "x", {}),
        SCREEN.beside(E, "x", {}),
    ) == ((), (), ("x",), {})
    assert (SCREEN.instead(E, "x", ()), SYSTEM.open_sheets(E), SYSTEM.turn_side(E)) == ("", "", "heroes")
    assert SYSTEM.in_play(E) == [ANA, BO]
    assert SYSTEM.without(E, {"c1"}) is E
    assert [x.key for x in SYSTEM.entries(E)] == ["c1", "@Gang"]
    assert (SYSTEM.turn_begun(E, "c1"), SYSTEM.turn_begun(E, "c2"), SYSTEM.turn_begun(E, "@Gang")) == (
        True,
        False,
        False,
    )
    assert (SYSTEM.in_combat(E, "dark"), SYSTEM.in_combat(Encounter(), "dark")) == (True, False)
    assert own_saves(SYSTEM).owes(E, "c1", OwedSave(1, "x"))
    assert (without_gm(SYSTEM, E), resolves(SYSTEM, E, "c1", "Mia"), carried_out(SYSTEM, E)) == (
        False,
        False,
        "c1",
    )
    assert carried_out(SYSTEM, Encounter()) == ""
    assert (
        SYSTEM.no_reaction(E, ANA),
        SYSTEM.no_reaction(E, msgspec.structs.replace(ANA, marks={"reaction": "round"})),
    ) == ("", "spent")


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


def test_a_turn_and_a_pass_are_taken_as_they_are_offered() -> None:
    d = Draft(Encounter(combatants={"c1": ANA, "c2": BO}, phase="turns", round=1))
    SYSTEM.took(d, Act("pass", "@heroes"))
    SYSTEM.took(d, Act("turn", "@Gang"))
    assert d.events == [Passed("@heroes"), TurnBegan("@Gang", ("c2",))]
    d = Draft(E)
    SYSTEM.react(d, "c2", "a parry")
    with pytest.raises(RuleError, match="Bo has spent its reaction"):
        SYSTEM.react(d, "c2", "")


class Strict(msgspec.Struct, frozen=True):
    """Notes of a system."""

    number: int = 0


def test_notes_are_read_strictly() -> None:
    assert notes(Encounter(notes={"number": 3}), Strict) == Strict(3)
    for wrong in ("3", 3.5, None):
        with pytest.raises(msgspec.ValidationError):
            notes(Encounter(notes={"number": wrong}), Strict)


def test_a_system_that_is_missing_has_a_stand_in() -> None:
    systems = Registry()
    assert isinstance(running(systems, Encounter(system="nowhere")), Absent)
    assert running(systems, Encounter(system="chaos")).id == "chaos"
    assert having(systems, "meet")[0] == "dungeon-track"
    assert having(systems, "nothing of this kind") == ("", "")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_systems_verb_waits_for_the_fight(system: str) -> None:
    t = Table(system)
    t.do("add Ana", "add Orc")
    for verb in t.store.system.verbs:
        error = t.refuse(f"{verb.name} Ana Orc", "the fight has not begun")
        assert refusal(t.encounter, t.store.system, OwnVerb(verb.name, ("Ana", "Orc"))) == error.message


def test_whether_damage_to_many_would_be_refused_is_known_before() -> None:
    t = Table("classic")
    t.do("add Ana hp=9", "add Orc hp=9")
    asked = [
        Area("Ana", "3"),
        Area("Ana", "2d6"),
        Area("Zed", "3"),
        Area("Ana", ""),
        Area("Ana", "3", made="Orc"),
    ]
    told = [refusal(t.encounter, t.store.system, x) for x in asked]
    assert told == [
        "", "", 'no combatant is called "Zed"', "area: damage= is missing",
        "area: made=Orc names Orc, who is not in the area",
    ]  # fmt: skip


# --- creatures


def test_words_and_reasons_of_saves() -> None:
    owed = [
        OwedSave(1, DYING), OwedSave(2, CONCENTRATION, 10, "con"), OwedSave(3, CONDITION, 12, "wis", "held"),
        OwedSave(4, CONDITION, 12, "", "held"), OwedSave(5, AREA, 15, "dex"), OwedSave(6, AREA, 15),
        OwedSave(7, "morale", 8),
        OwedSave(8, "x", why="{0} shivers", rule="X-1"),
    ]  # fmt: skip
    assert [saving_throws.words(x) for x in owed] == [
        "death save", "concentration save", "save against held", "save against held", "save", "save",
        "morale save", "x save",
    ]  # fmt: skip
    assert [saving_throws.reason(ANA, x).text for x in owed] == [
        "{0} owes a death save: 10 or more", "{0} owes a concentration save: DC 10",
        "{0} owes a save against held: DC 12 wis", "{0} owes a save against held: DC 12",
        "{0} owes a save: DC 15 dex", "{0} owes a save: DC 15", "{0} owes a save: DC 8", "{0} shivers",
    ]  # fmt: skip
    assert [saving_throws.reason(ANA, x).rule for x in owed] == [""] * 7 + ["X-1"]


@pytest.mark.parametrize(
    ("cause", "key", "bonus"),
    [
        (DYING, "con", 0), (CONCENTRATION, "con", 3), (CONCENTRATION, "wis", 2), (AREA, "dex", 0),
        (AREA, "wis", 2),
        (CONDITION, "con", 0), (CONDITION, "", 0), ("morale", "con", 3), ("morale", "int", 0),
    ],
)  # fmt: skip
def test_what_is_added_to_the_die_of_a_save(cause: str, key: str, bonus: int) -> None:
    c = Combatant("c1", "Ana", "heroes", fields={"con": 3}, save_bonus="wis+2")
    assert saving_throws.bonus(c, OwedSave(1, cause, 10, key)) == bonus


def test_kinds_are_creatures_that_differ_by_a_number_outside_any_group() -> None:
    t = Table("classic")
    t.do(
        "add 2 Orc",
        "add Orc",
        "add 1 Elf",
        "add 2 Rat group=Rats",
        "add 2 Wolf side=heroes",
        "add 1 Wolf side=dark",
    )
    e = t.encounter
    found = kinds(e.combatants.values())
    assert [(k.stem, k.side, k.names(e)) for k in found] == [
        ("Orc", "dark", "Orc 1, Orc 2"),
        ("Wolf", "heroes", "Wolf 1, Wolf 2"),
    ]
    assert [group_line(e, k) for k in found] == ['group "Orc 1,Orc 2" Orcs', 'group "Wolf 1,Wolf 2" Wolves']
    assert (stem_of("Orc 3"), stem_of("Orc")) == ("Orc", "")
    assert (highest(e, "orc"), highest(e, "Rat"), highest(e, "Or"), highest(e, "Imp")) == (2, 2, 0, 0)
    t.do("add Orcs side=heroes", "add Zed group=Wolves", "add Cat group=Elfs side=heroes")
    e = t.encounter
    assert [group_line(e, k) for k in found] == [
        'group "Orc 1,Orc 2" "Orcs 2"',
        'group "Wolf 1,Wolf 2" "Wolves 2"',
    ]
    same = CreatureKind("Elf", "heroes", ("c4",))
    assert group_line(e, same) == 'group "Elf 1" Elves'
    joined = CreatureKind("Rat", "dark", ("c1", "c2"))
    assert group_line(e, joined) == 'group "Orc 1,Orc 2" Rats', "a group of its side is joined"


def test_the_opposition_is_everybody_who_is_not_on_a_side_with_a_players_character() -> None:
    t = Table("classic")
    t.do(
        "add Ana owner=Mia", "add Pet side=heroes", "add Orc", "add Imp round=4", "add Cat side=cats kind=pc"
    )
    assert [c.name for c in opposition(t.encounter)] == ["Orc", "Imp"]


def test_a_value_is_named_with_its_system_where_another_means_something_else_by_it() -> None:
    systems = Registry()
    assert named_apart("mod", "classic", systems) == "classic.mod"
    assert named_apart("kind", "classic", systems) == "kind"
    assert named_apart("mod", "nowhere", systems) == "mod"
    assert named_apart("nothing", "classic", systems) == "nothing"


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
        tried(borne)
        return
    with pytest.raises(RuleError) as refused:
        tried(borne)
    assert says in refused.value.message


def test_words_are_in_their_order() -> None:
    for name in SYSTEMS:
        system = Registry().get(name)
        words = glossary(system)
        assert list(words) == sorted(words, key=str.lower)
        assert words.items() >= system.glossary.items()
