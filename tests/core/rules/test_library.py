"""Creatures that come from files: what the rules make of whatever a library hands them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.kit.table import NoDice
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant
from tui.core.fight.dice import Dice, GivenDice
from tui.core.fight.encounter import Encounter
from tui.core.language.creature_actions import Add
from tui.core.language.grammar import parse
from tui.core.rules.creature_fields import Borne, Kept, Newcomer, check_borne
from tui.core.rules.decide import Rules, draft
from tui.core.rules.draft import Draft
from tui.systems import Registry

REGISTRY = Registry()
ORC = Newcomer(Add("Orc", keys={"hp": "9"}), Borne(alias="Brute", counters=("rage 2 reset=turn",)))
WORN = Newcomer(
    Add("Ana", keys={"hp": "3", "max_hp": "20", "owner": "Mia", "card": "bites"}),
    Borne(counters=("ki 1 max=3",), conditions=("held of=Orc rounds=2", "Veil"), unseen=("veil",)),
)


def library(*people: Newcomer) -> Kept:
    """Return a library in which every file holds these, and that knows an orc's hit points."""

    def read(file: str, kind: str) -> Sequence[Newcomer]:
        if file == "nothing":
            raise RuleError(f"no {kind} called nothing")
        return people

    def known(add: Add) -> Newcomer:
        return Newcomer(Add(add.name, add.count, keys={"hp": "15", **add.keys}))

    return Kept(read, known)


def done(e: Encounter, line: str, *people: Newcomer, dice: Dice | None = None) -> Draft:
    """Return what a line does where such a library is at hand."""
    return draft(e, parse(line), Rules(REGISTRY, dice or NoDice(), "app", library(*people)))


def by_name(d: Draft) -> dict[str, Combatant]:
    """Return the creatures by name."""
    return {c.name: c for c in d.encounter.combatants.values()}


def test_what_is_added_has_what_the_library_knows_of_it() -> None:
    assert [c.hp for c in by_name(done(Encounter(), "add 2 Orc")).values()] == [15, 15]
    assert by_name(done(Encounter(), "add Orc hp=4"))["Orc"].hp == 4
    without = draft(Encounter(), parse("add Orc"), Rules(REGISTRY, NoDice()))
    assert by_name(without)["Orc"].hp is None


@pytest.mark.parametrize("line", ["party FILE", "load FILE"])
def test_a_file_brings_its_creatures_with_all_that_they_bear(line: str) -> None:
    found = by_name(done(Encounter(), line, WORN, ORC))
    ana, orc = found["Ana"], found["Orc"]
    assert (ana.hp, ana.max_hp, ana.owner, ana.side, ana.card) == (3, 20, "Mia", "heroes", "bites")
    assert (orc.hp, orc.max_hp, orc.alias, orc.side) == (9, 9, "Brute", "dark")
    assert [(x.name, x.n, x.most, x.reset) for x in ana.counters] == [("ki", 1, 3, "never")]
    assert [(x.name, x.n, x.most, x.reset) for x in orc.counters] == [("rage", 2, 2, "turn")]
    # It may last as long as the turns of one who comes behind it.
    assert [(x.name, x.of, x.rounds, x.hidden) for x in ana.conditions] == [
        ("held", orc.id, 2, False),
        ("Veil", "", 0, True),
    ]


def test_a_fresh_party_is_rested_and_nobody_else_is() -> None:
    here = done(Encounter(), "party FILE", ORC).encounter
    hurt = draft(here, parse("damage Orc 4"), Rules(REGISTRY, NoDice())).encounter
    found = by_name(done(hurt, "party FILE fresh=yes", WORN))
    assert (found["Ana"].hp, found["Orc"].hp) == (20, 5)
    dead = Newcomer(Add("Zed", keys={"hp": "0", "max_hp": "9"}), Borne(saves="dead"))
    d = done(hurt, "party FILE fresh=yes", dead)
    assert (by_name(d)["Zed"].dead, by_name(d)["Zed"].hp) == (True, 0)
    assert [x.n for x in found["Orc"].counters] == [2]
    assert by_name(done(hurt, "party FILE", WORN))["Ana"].hp == 3


def test_a_party_of_a_running_fight_joins_it_and_who_comes_later_does_not() -> None:
    e = draft(Encounter(), parse("add Bo"), Rules(REGISTRY, NoDice())).encounter
    e = draft(e, parse("begin"), Rules(REGISTRY, NoDice())).encounter
    late = Newcomer(Add("Rat", keys={"round": "3"}))
    d = done(e, "party FILE", ORC, late)
    system = REGISTRY.get("classic")
    assert [ask.who for ask in system.due(d.encounter)] == ["c1", by_name(d)["Orc"].id]
    assert by_name(d)["Rat"].arrives == 3


def test_dice_of_a_file_are_rolled_for_each_creature() -> None:
    rats = Newcomer(Add("Rat", "2", keys={"hp": "2d4"}))
    d = done(Encounter(), "load FILE", rats, dice=GivenDice((1, 2, 3, 4)))
    assert [(c.name, c.hp) for c in d.encounter.combatants.values()] == [("Rat 1", 3), ("Rat 2", 7)]


def test_where_no_library_is_at_hand_no_file_is_read() -> None:
    for line in ("party FILE", "load FILE"):
        with pytest.raises(RuleError, match="no files can be read here"):
            draft(Encounter(), parse(line), Rules(REGISTRY, NoDice()))
    for line, kind in (("party nothing", "party"), ("load nothing", "encounter")):
        with pytest.raises(RuleError, match=f"no {kind} called nothing"):
            done(Encounter(), line)


def test_an_alias_is_that_of_one_creature() -> None:
    several = Newcomer(Add("Orc", "2"), Borne(alias="Brute"))
    with pytest.raises(RuleError, match="2 creatures cannot be called Brute"):
        done(Encounter(), "load FILE", several)
    alone = Newcomer(Add("Orc", "1"), Borne(alias="Brute"))
    assert by_name(done(Encounter(), "load FILE", alone))["Orc 1"].alias == "Brute"
    with pytest.raises(RuleError, match="Brute"):
        done(Encounter(), "load FILE", alone, Newcomer(Add("Brute")))
    with pytest.raises(RuleError, match="Brute"):
        done(Encounter(), "load FILE", Newcomer(Add("Brute")), alone)


@pytest.mark.parametrize(
    ("line", "notices"),
    [
        ("party FILE", []),
        ("load FILE", []),
        ("add Orc hp=9", ["Orc has 9 hit points; `add 9 Orc` makes 9"]),
        ("add Orc 9", ["Orc has 9 hit points; `add 9 Orc` makes 9"]),
        ('add "Old Orc" hp=9', ['Old Orc has 9 hit points; `add 9 "Old Orc"` makes 9']),
        ("add 2 Orc hp=9", []),
        ("add Orc hp=9 ac=12", []),
        ("add Orc hp=9 mod=1", []),
        ("add Orc +1 9", []),
        ("add Orc ac=9", []),
        ("add Orc hp=1d6", []),
        ("add Orc", []),
    ],
)
def test_only_a_typed_line_is_asked_whether_its_number_was_a_count(line: str, notices: list[str]) -> None:
    dice = GivenDice((3,)) if "d6" in line else None
    assert done(Encounter(), line, Newcomer(Add("Orc", keys={"hp": "9"})), dice=dice).notices == notices


def test_a_modifier_for_another_system_is_noticed() -> None:
    chaotic = Newcomer(Add("Elf", keys={"chaos.bonus": "2"}))
    assert done(Encounter(), "party FILE", WORN, Newcomer(Add("Orc"))).notices == []
    notices = done(Encounter(), "party FILE", chaotic).notices
    assert len(notices) == 1
    assert "Elf" in notices[0]
    there = done(Encounter(), "party FILE", chaotic).encounter
    assert done(there, "party FILE", Newcomer(Add("Orc"))).notices == []


def test_death_saves_of_a_file_are_kept_where_they_count() -> None:
    dying = Newcomer(
        Add("Ana", keys={"hp": "0", "max_hp": "9", "kind": "pc"}), Borne(saves="1 made, 2 failed")
    )
    plain = done(Encounter(), "party FILE", dying)
    assert by_name(plain)["Ana"].dying is None
    kept = by_name(done(Encounter(options={"zero.pc": "dying"}), "party FILE", dying))["Ana"].dying
    assert kept is not None
    assert (kept.good, kept.bad) == (1, 2)
    dead = Newcomer(dying.add, Borne(saves="dead"))
    d = done(Encounter(), "party FILE", dead)
    assert (by_name(d)["Ana"].dead, by_name(d)["Ana"].out) == (True, True)
    assert [x for x in d.events if isinstance(x, ev.Died | ev.WentOut)] == [ev.Died("c1"), ev.WentOut("c1")]


@pytest.mark.parametrize(
    "borne",
    [
        Borne(),
        Borne(alias="Brute"),
        Borne(saves="stable"),
        Borne(counters=("ki 1 max=3", "breath 1 reset=1d6>=5")),
        Borne(conditions=("held of=Nobody rounds=2", "veil of=Nobody conc=yes", "slow save=wis dc=12")),
        Borne(conditions=("Veil",), unseen=("veil",)),
    ],
)
def test_what_a_creature_can_bear_is_let_in(borne: Borne) -> None:
    check_borne(borne)


@pytest.mark.parametrize(
    ("borne", "says"),
    [
        (Borne(saves="alive"), "says nothing of death saves"),
        (Borne(counters=("ki",)), "has no counter ki"),
        (Borne(counters=("ki 4 max=3",)), "more than the 3"),
        (Borne(counters=("ki 1 reset=often",)), "reset"),
        (Borne(conditions=("",)), "NAME|needs|missing"),
        (Borne(conditions=("slow rounds=x",)), "rounds"),
        (Borne(conditions=("slow",), unseen=("veil",)), "veil is hidden, and is none of the conditions"),
        (Borne(unseen=("veil",)), "veil is hidden, and is none of the conditions"),
    ],
)
def test_what_no_creature_can_bear_is_refused(borne: Borne, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        check_borne(borne)
