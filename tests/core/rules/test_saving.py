"""Areas, settled saves and 0 hit points by value: what a line leaves when it has come to rest."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import NoDice
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant, Condition, Dying, OwedSave
from tui.core.fight.encounter import Encounter, PendingArea, Turn
from tui.core.language.creature_actions import Area
from tui.core.language.grammar import parse
from tui.core.rules import saving, saving_throws
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller
from tui.core.rules.optional import OwnSaves
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import upkeep

DEX = OwedSave(1, "area", 13, "dex")


class Listener(InitiativeSystem, OwnSaves):
    """A system with a save of its own, which is owed as long as it says so."""

    def __init__(self, *, owed: bool = True) -> None:
        self.owed, self.heard = owed, list[tuple[object, ...]]()

    def saved(self, d: Draft, who: str, save: OwedSave, *, made: bool) -> None:
        """Note a save."""
        del d
        self.heard.append((who, save.cause, made))

    def owes(self, e: Encounter, who: str, save: OwedSave) -> bool:
        """Return what it was given."""
        del e, who, save
        return self.owed


def fight(*how: dict[str, Any], **rest: Any) -> Encounter:
    """Return Ana, Bo and Cy with 20 hit points each, unless it says otherwise."""
    names = ("Ana", "Bo", "Cy")
    people = [
        Combatant(
            f"c{n}",
            name,
            **{"side": "heroes", "hp": 20, "max_hp": 20, **(how[n - 1] if n <= len(how) else {})},
        )
        for n, name in enumerate(names, 1)
    ]
    return Encounter(combatants={c.id: c for c in people}, **{"phase": "turns", "round": 1, **rest})


def laid(e: Encounter, line: str) -> Draft:
    """Return what an area writes, without what follows."""
    d, action = Draft(e), parse(line)
    assert isinstance(action, Area)
    saving.lay(d, InitiativeSystem(), action, Roller(NoDice()))
    return d


@pytest.mark.parametrize(
    ("line", "area", "owing"),
    [
        ("area Ana,Bo damage=7", PendingArea(7, ("c1", "c2")), ()),
        ("area Bo,Ana damage=7 dc=13 save=dex", PendingArea(7, ("c1", "c2"), dc=13, key="dex"), ("c1", "c2")),
        (
            "area @heroes damage=7 dc=13 save=dex",
            PendingArea(7, ("c1", "c2"), dc=13, key="dex"),
            ("c1", "c2"),
        ),
        (
            "area Ana,Bo,Cy damage=7 dc=13 save=dex made=Ana half=no type=fire",
            PendingArea(7, ("c1", "c2"), ("c1",), (), "fire", 13, "dex", half=False),
            ("c2",),
        ),
        (
            "area Ana,Bo damage=7 dc=13 save=dex made=Ana failed=Bo",
            PendingArea(7, ("c1", "c2"), ("c1",), ("c2",), dc=13, key="dex"),
            (),
        ),
    ],
)
def test_what_an_area_is_and_who_saves(line: str, area: PendingArea, owing: tuple[str, ...]) -> None:
    d = laid(fight({}, {}, {"out": True}), line)
    assert d.events == [ev.AreaLaid(area), *(ev.SaveOwed(k, DEX) for k in owing)]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("area Ana dc=13", "area: damage= is missing"),
        ("area Cy damage=7", "Cy: nobody of them is in the fight"),
        (
            "area Ana,Bo damage=7 dc=13 made=Ana failed=Ana,Bo",
            "area: Ana stands in made= and in failed=",
        ),
        ("area Ana damage=7 dc=13 made=Bo", "area: made=Bo names Bo, who is not in the area"),
        ("area Ana damage=7 dc=13 failed=Ana,Bo", "area: failed=Ana,Bo names Bo, who is not in the area"),
    ],
)
def test_what_an_area_cannot_be(line: str, says: str) -> None:
    with pytest.raises(RuleError) as refused:
        laid(fight({}, {}, {"out": True}), line)
    assert refused.value.message == says


def test_one_area_is_over_before_the_next() -> None:
    other = OwedSave(1, "concentration", 10, "con")
    e = fight({"owes": (DEX,)}, {"owes": (other,)}, area=PendingArea(7, ("c1",), dc=13))
    with pytest.raises(RuleError, match="saves against the area are owed first: Ana;") as refused:
        laid(e, "area Bo damage=3")
    assert refused.value.hint == "`roll`, `made Ana` or `failed Ana`"


@pytest.mark.parametrize(
    ("area", "amounts"),
    [
        (PendingArea(7, ("c1", "c2", "c3", "c9")), {"c1": 7, "c2": 7}),
        (PendingArea(7, ("c1", "c2"), ("c1",), ("c2",), dc=13), {"c1": 3, "c2": 7}),
        (PendingArea(7, ("c1", "c2"), ("c1",), ("c2",), dc=13, half=False), {"c1": 0, "c2": 7}),
        (PendingArea(7, ("c1", "c2"), (), ("c2",), dc=13), {"c2": 7}),
    ],
)
def test_whom_an_area_damages(area: PendingArea, amounts: dict[str, int]) -> None:
    other = Combatant("x", "x", "dark", owes=(OwedSave(1, "concentration", 10),)).owes
    d = Draft(
        fight({"owes": other, "conditions": (Condition("concentration"),)}, {}, {"out": True}, area=area)
    )
    saving.come_to_rest(d, Listener())
    assert d.events[0] == ev.AreaOver()
    assert {x.who: x.amount for x in d.events if isinstance(x, ev.Damaged)} == amounts
    waiting = Draft(fight({"owes": (DEX,)}, area=area))
    saving.come_to_rest(waiting, Listener())
    assert waiting.events == []


OWN = OwedSave(1, "nerve", 12)


@pytest.mark.parametrize(
    ("how", "rest", "owed", "dropped"),
    [
        ({"owes": (DEX,)}, {}, True, True),
        ({"owes": (OWN,)}, {}, True, False),
        ({"owes": (OWN,)}, {}, False, True),
        ({"owes": (OWN,)}, {"phase": "setup", "round": 0}, True, True),
        ({"owes": (OwedSave(1, "dying", 10),), "hp": 0, "dying": Dying(owes=True)}, {}, True, False),
        ({"owes": (OwedSave(1, "dying", 10),), "hp": 0, "dying": Dying()}, {}, True, True),
        ({"owes": (OwedSave(1, "dying", 10),)}, {}, True, True),
        ({"owes": (OwedSave(1, "condition", 12, "", "slow"),)}, {}, True, True),
        (
            {"owes": (OwedSave(1, "condition", 12, "", "slow"),), "conditions": (Condition("Slow", dc=12),)},
            {},
            True,
            False,
        ),
        (
            {"owes": (OwedSave(1, "condition", 12, "", "slow"),), "conditions": (Condition("slow"),)},
            {},
            True,
            True,
        ),
        (
            {"owes": (OwedSave(1, "condition", 12, "", "slow"),), "conditions": (Condition("bane", dc=12),)},
            {},
            True,
            True,
        ),
    ],
)
def test_which_saves_are_no_longer_owed(
    how: dict[str, Any], rest: dict[str, Any], owed: bool, dropped: bool
) -> None:
    d = Draft(fight(how, **rest))
    saving.come_to_rest(d, Listener(owed=owed))
    assert d.events == ([ev.SaveDropped("c1", 1)] if dropped else [])


@pytest.mark.parametrize(
    ("fact", "how", "rule", "follows"),
    [
        (ev.Changed("c1", "hp", 0), {}, "out", [ev.WentOut("c1")]),
        (
            ev.Changed("c1", "hp", 0),
            {},
            "dying",
            [ev.DeathSaves("c1"), ev.Announced("{0} is dying", ("c1",))],
        ),
        (ev.Changed("c1", "hp", 0), {}, "nothing", []),
        (ev.Changed("c1", "hp", 1), {}, "out", []),
        (ev.Changed("c1", "note", "x"), {"hp": 0}, "out", []),
        (ev.Changed("c1", "owner", ""), {"hp": 0}, "out", [ev.WentOut("c1")]),
        (ev.FieldSet("c1", "kind", "monster"), {"hp": 0}, "out", [ev.WentOut("c1")]),
        (ev.FieldSet("c1", "mod", 1), {"hp": 0}, "out", []),
        (ev.Changed("c1", "hp", 0), {"out": True}, "out", []),
        (ev.OptionSet("zero.pc", "out"), {"hp": 0}, "out", [ev.WentOut("c1")]),
        (ev.OptionSet("view.health", "none"), {"hp": 0}, "out", []),
        (ev.Changed("c1", "hp", 0), {"dying": Dying(1)}, "dying", []),
        (ev.Changed("c1", "hp", 0), {"dying": Dying(1)}, "nothing", [ev.DeathSaves("c1", over=True)]),
        (
            ev.Changed("c1", "hp", 0),
            {"dying": Dying(1)},
            "out",
            [ev.DeathSaves("c1", over=True), ev.WentOut("c1")],
        ),
        (ev.Added(Combatant("c1", "Ana", "heroes", hp=0)), {}, "out", [ev.WentOut("c1")]),
    ],
)
def test_what_0_hit_points_mean_behind_a_line(
    fact: ev.Event, how: dict[str, Any], rule: str, follows: list[ev.Event]
) -> None:
    d = Draft(fight(how, options={"zero.monster": rule}))
    d.emit(fact)
    saving.at_rest(d, Listener())
    assert d.events == [fact, *follows]


def test_a_save_of_the_systems_own_is_settled_by_it() -> None:
    for made in (True, False):
        system, d = Listener(), Draft(fight({"owes": (OWN,)}))
        ask = next(x for x in upkeep(d.encounter, system))
        saving.ticked(d, system, ask, made=made)
        assert (d.events, system.heard) == ([ev.SaveSettled("c1", 1, made)], [("c1", "nerve", made)])


@pytest.mark.parametrize(
    ("save", "bonus"),
    [
        (OwedSave(1, "area", 13, "dex"), 5),
        (OwedSave(1, "area", 13, "con"), 0),
        (OwedSave(1, "condition", 13, "con"), 0),
        (OwedSave(1, "area", 13), 0),
        (OwedSave(1, "dying", 10, "dex"), 0),
        (OwedSave(1, "concentration", 10, "con"), 2),
        (OwedSave(1, "concentration", 10, "dex"), 5),
    ],
)
def test_what_a_save_adds(save: OwedSave, bonus: int) -> None:
    c = Combatant("c1", "Ana", "heroes", save_bonus="dex+5", fields={"con": 2})
    assert saving_throws.bonus(c, save) == bonus


@pytest.mark.parametrize(
    ("save", "why", "words"),
    [
        (OwedSave(1, "dying", 10), "{0} owes a death save: 10 or more", "death save"),
        (
            OwedSave(1, "concentration", 11, "con"),
            "{0} owes a concentration save: DC 11",
            "concentration save",
        ),
        (
            OwedSave(1, "condition", 12, "wis", "slow"),
            "{0} owes a save against slow: DC 12 wis",
            "save against slow",
        ),
        (OwedSave(1, "area", 13), "{0} owes a save: DC 13", "save"),
        (OwedSave(1, "nerve", 12, why="{0} trembles", rule="N-1"), "{0} trembles", "nerve save"),
    ],
)
def test_in_which_words_a_save_is_owed(save: OwedSave, why: str, words: str) -> None:
    reason = saving_throws.reason(Combatant("c1", "Ana", "heroes"), save)
    assert (reason.text, reason.about, reason.rule) == (why, ("c1",), save.rule)
    assert saving_throws.words(save) == words


def test_which_saves_are_due_now() -> None:
    kept = OwedSave(2, "area", 13, kept=True)
    e = fight({"owes": (DEX, kept)}, {"owes": (DEX,), "out": True}, {"owes": (DEX,), "arrives": 3})
    assert [(c.id, x.number) for c, x in saving_throws.due(e)] == [("c1", 1)]
    acting = fight({"owes": (DEX, kept)}, turn=Turn("c1", ("c1",)))
    assert [(c.id, x.number) for c, x in saving_throws.due(acting)] == [("c1", 1), ("c1", 2)]
    d = Draft(fight({"owes": (OwedSave(1, "area"), OwedSave(2, "dying"))}))
    saving_throws.drop(d, "c1", "dying")
    assert d.events == [ev.SaveDropped("c1", 2)]


@pytest.mark.parametrize(
    ("how", "made", "events"),
    [
        (
            {"owes": (OwedSave(1, "condition", 12, "", "slow"),), "conditions": (Condition("slow", dc=12),)},
            True,
            [ev.SaveSettled("c1", 1, made=True), ev.Cleared("c1", "slow", over=True, of="")],
        ),
        (
            {"owes": (OwedSave(1, "condition", 12, "", "slow"),), "conditions": (Condition("slow", dc=12),)},
            False,
            [ev.SaveSettled("c1", 1, made=False)],
        ),
        (
            {"owes": (OwedSave(1, "concentration", 10),), "conditions": (Condition("concentration"),)},
            False,
            [ev.SaveSettled("c1", 1, made=False), ev.Cleared("c1", "concentration", over=True)],
        ),
        (
            {"owes": (OwedSave(1, "dying", 10),), "hp": 0, "dying": Dying(0, 2, owes=True)},
            False,
            [
                ev.DeathSaves("c1", over=True),
                ev.Announced("{0} has failed three death saves and dies", ("c1",)),
                ev.Died("c1"),
                ev.WentOut("c1"),
            ],
        ),
        (
            {"owes": (OwedSave(1, "dying", 10),), "hp": 0, "dying": Dying(0, 2, owes=True)},
            True,
            [
                ev.DeathSaves("c1", 1, 2),
                ev.Announced("{0}: 1 of 3 successes, 2 of 3 failures", ("c1",)),
            ],
        ),
    ],
)
def test_what_a_save_that_is_ticked_ends(how: dict[str, Any], made: bool, events: list[ev.Event]) -> None:
    system, d = Listener(), Draft(fight(how))
    saving.ticked(d, system, upkeep(d.encounter, system)[0], made=made)
    assert [x for x in d.events if not isinstance(x, ev.SaveDropped)] == events


def test_only_a_save_against_a_hidden_condition_is_hidden() -> None:
    c = Combatant("c1", "Ana", "heroes", conditions=(Condition("slow", hidden=True), Condition("bane")))
    hidden = {
        name: saving_throws.hides(c, OwedSave(1, cause, 12, "", name))
        for cause, name in (("condition", "slow"), ("condition", "bane"), ("concentration", ""))
    }
    assert hidden == {"slow": True, "bane": False, "": False}
    assert not saving_throws.hides(c, OwedSave(1, "area", 12, "", "slow"))
    assert saving_throws.of_purpose(c, "save c1 1") is None
    assert saving_throws.of_purpose(Combatant("c1", "Ana", "heroes", owes=(DEX,)), "save c1 2") is None
    assert not saving_throws.bare(c, DEX)


def test_an_area_that_there_is_none_of_is_not_given_up() -> None:
    d = Draft(fight())
    saving.dropped(d)
    assert d.events == []
