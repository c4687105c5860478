"""Counters, death saves, concentration, damage: laws over random fights first, then examples."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.table import Table, who
from tests.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.viewer import GAME_MASTER, viewer_of
from tui.core.table_lines import table_lines
from tui.store.sources import SeededDice
from tui.systems import Registry

PEOPLE = ("Ana", "Bo", "Orc", "Rat")


def said(t: Table, *lines: str, dice: list[int] | None = None) -> list[str]:
    t.do(*lines, dice=dice)
    return [m.text for m in t.store.messages(t.store.step, GAME_MASTER)]


def fight(*lines: str, **options: Any) -> Table:
    """Ana, Mia's; Bo, Jon's; Orc and Rat of the dark: in classic, Ana acts first."""
    t = Table("classic", {k.replace("__", "."): v for k, v in options.items()})
    t.do("add Ana owner=Mia hp=20", "add Bo owner=Jon hp=9", "add Orc hp=20", "add Rat hp=3", *lines, "begin")
    t.do("roll", dice=[20, 15, 10, 5])
    t.do("next")
    return t


def lines_of(random: Random) -> str:
    one, two = random.choice(PEOPLE), random.choice(PEOPLE)
    n = random.randint(0, 9)
    return random.choice([
        f"damage {one} {n}", f"damage {one},{two} {n} half={two}", f"damage @dark {n} none={one}",
        f"heal {one} {n}",
        f"condition {one} held of={two} conc=yes", f"condition {one} bane of={two} conc=yes rounds=2",
        f"condition {one} concentration", f"clear {one} concentration", f"out {one}", f"back {one}",
        f"set {one} hp={n}",
        f"set {one} temp_max={n - 5}", f"set {one} resist=fire", f"set {one} vulnerable=all",
        f"damage {one} {n} type=fire",
        f"count {one} slots 2 reset=turn", f"count {one} slots -1", f"count {one} slots +1",
        f"count {one} breath 1 reset=1d6>=5",
        f"count {one} breath -1", f"count {one} fury max=2 reset=round", f"count {one} fury -1",
        f"clear {one} slots",
        "next", "next", "next", "roll", "end",
    ])  # fmt: skip


@pytest.mark.parametrize("system", Registry().ids())
@cases(15)
@given(seed=st.integers(0, 10**6))
def test_no_effect_outlives_its_concentration_and_no_number_leaves_its_bounds(system: str, seed: int) -> None:
    random = Random(seed)
    rules = {f"zero.{kind}": random.choice(["nothing", "out", "dying"]) for kind in ("pc", "npc", "monster")}
    t = Table(system, dice=SeededDice(seed))
    t.do(*(f"option {k}={v}" for k, v in rules.items()))
    t.do(
        *(
            f"add {n} hp=9 side={'heroes' if n in PEOPLE[:2] else 'dark'}{' kind=pc' * (n == 'Ana')}"
            for n in PEOPLE
        )
    )
    t.do("begin")
    for _ in range(40):
        line, before = lines_of(random), t.encounter
        try:
            t.do(line)
        except RuleError:
            assert t.encounter is before
            if t.state()["due"] and t.state()["due"][0]["kind"] != "roll":
                answer(t)
            continue
        lawful(t, line)
        t.do("undo")
        assert t.encounter == before, line
        t.do("redo")


def answer(t: Table) -> None:
    due = t.state()["due"][0]
    t.do(
        {"form": f"order {due['who']}", "lock": "lock", "acknowledge": "ok", "pick": "pick none"}[due["kind"]]
    )


def lawful(t: Table, line: str) -> None:
    for c in t.encounter.combatants.values():
        assert c.hp is None or c.most_hp is None or 0 <= c.hp <= max(c.most_hp, 0), line
        minds = {
            k
            for k, x in t.encounter.combatants.items()
            if any(y.name == "concentration" for y in x.conditions)
        }
        assert all(x.of in minds for x in c.conditions if x.conc), line
        assert not (any(x.name == "concentration" for x in c.conditions) and (c.out or c.hp == 0)), line
        assert all(x.n >= 0 and (not x.most or x.n <= x.most) for x in c.counters), line
        if c.dying:
            assert c.hp == 0, line
            assert max(c.dying.good, c.dying.bad) < 3, line
    owed = [d for d in t.state()["due"] if "death save" in d["why"] or "comes back" in d["why"]]
    here = {c.name for c in t.encounter.combatants.values() if not c.out}
    assert {d["who"] for d in owed} <= here, line


# --- dying


def dying(*lines: str) -> Table:
    t = fight("option zero.pc=dying")
    t.do("next", "next", "damage Bo 30", *lines)
    return t


def test_a_player_character_at_0_owes_a_death_save_at_its_turn_and_is_not_offered_out() -> None:
    t = dying()
    assert "out Bo" not in t.state()["now"]
    assert t.state()["due"] == []
    t.do("next", "next", "next")
    assert [(d["kind"], d["who"], d["dice"]) for d in t.state()["due"]] == [("roll", "Bo", [20])]
    assert "Bo owes a death save" in t.state()["now"]
    assert "Bo owes a roll" in t.refuse("next").hint
    assert "Bo: 1 of 3 successes, 0 of 3 failures" in said(t, "roll Bo 10")
    assert who(t, "Bo")["saves"] == {"successes": 1, "failures": 0, "stable": False}
    assert any("dying, 1 save made and 0 failed" in line for line in table_lines(t.store.table()))


def around(t: Table, face: int) -> list[str]:
    """One round on, to Bo's death save."""
    while not t.state()["due"]:
        t.do("next")
    return said(t, f"roll Bo {face}")


def test_the_dying_have_no_reaction() -> None:
    t = Table("classic")
    t.do(
        "option zero.pc=dying",
        "add Ana kind=pc hp=9",
        "add Orc",
        "begin",
        "total Ana 9 Orc 5",
        "damage Ana 9",
    )
    t.refuse("react Ana", "is dying")
    t.do("heal Ana 1", "react Ana")


def test_three_successes_are_stable_and_three_failures_are_death() -> None:
    t = dying()
    assert [around(t, face)[-1] for face in (10, 19, 12)][-1] == "Bo is stable"
    for _ in range(5):
        t.do("next")
    assert t.state()["due"] == []
    t.do("damage Bo 1")
    assert who(t, "Bo")["saves"] == {"successes": 0, "failures": 1, "stable": False}
    around(t, 9)
    assert "Bo has failed three death saves and dies" in around(t, 1)
    assert who(t, "Bo")["out"] is True
    assert t.state()["acting"] == ""


def test_a_1_fails_twice_a_20_wakes_and_healing_ends_it() -> None:
    t = dying()
    around(t, 1)
    assert who(t, "Bo")["saves"]["failures"] == 2
    around(t, 20)
    assert (who(t, "Bo")["hp"], who(t, "Bo")["saves"]) == (1, {})
    t.do("damage Bo 1", "heal Bo 4")
    assert (who(t, "Bo")["hp"], who(t, "Bo")["saves"]) == (4, {})
    t.do("damage Bo 9", "set Bo hp=2")
    assert who(t, "Bo")["saves"] == {}


def test_by_default_0_hit_points_do_nothing_and_by_house_rule_monsters_go_out() -> None:
    t = fight("option zero.monster=out")
    t.do("damage Bo,Rat 30")
    assert (who(t, "Bo")["out"], who(t, "Rat")["out"]) == (False, True)
    assert "`out Bo`" in t.state()["now"]


# --- concentration


def test_damage_names_the_dc_by_house_rule() -> None:
    t = fight("condition Ana concentration")
    assert "Ana owes the concentration save: DC 10 con" in said(t, "damage Ana 1")
    t.do("set Ana max_hp=99 hp=99")
    assert "Ana owes the concentration save: DC 15 con" in said(t, "damage Ana 31")
    t.do("option concentration.dc=none")
    assert "Ana is concentrating: the damage may break it" in said(t, "damage Ana 31")


# --- damage as it falls


def test_an_area_is_one_step_whole_half_and_nothing() -> None:
    t = fight()
    step = t.store.step
    t.do("damage @dark 9 half=Bo none=Rat")
    assert [who(t, n)["hp"] for n in PEOPLE] == [20, 5, 11, 3]
    assert t.store.step == step + 1


def test_resistance_halves_and_vulnerability_doubles_the_kinds_it_names() -> None:
    t = fight('set Orc resist="fire, cold" vulnerable=thunder')
    assert (
        "Orc resists fire, cold and is vulnerable to thunder: `type=KIND` after the damage counts it"
        in said(t, "damage Orc 1")
    )
    t.do("damage Orc 5 type=Fire", "damage Orc 2 type=thunder", "damage Orc 3 type=acid")
    assert who(t, "Orc")["hp"] == 20 - 1 - 2 - 4 - 3


def test_immunity_leaves_nothing_of_the_kinds_it_names() -> None:
    t = fight('set Orc resist=all immune="fire, Poison" vulnerable=fire')
    t.do("damage Orc 9 type=FIRE", "damage Orc 9 type=poison", "damage Orc 9 type=cold")
    assert (who(t, "Orc")["hp"], who(t, "Orc")["immune"]) == (20 - 4, "fire, Poison")
    t.do("set Orc immune=all", "damage Orc 99")
    assert who(t, "Orc")["hp"] == 16
    t.do("set Orc immune=")
    assert who(t, "Orc")["immune"] == ""
    assert "immune" not in who(t, "Orc", "Mia")


def test_what_saves_add_is_read_by_key_and_told_to_the_owner_alone() -> None:
    t = fight('set Ana saves="DEX+5, wis-1"')
    assert who(t, "Ana")["save_bonus"] == {"dex": 5, "wis": -1}
    assert "save_bonus" not in who(t, "Ana", "Jon")
    for wrong in ("dex", "dex+5 dex+6", "+5", "dex+1000", "dex+5x"):
        t.refuse(f'set Ana saves="{wrong}"', "saves=")
    t.do("set Ana saves=")
    assert who(t, "Ana")["save_bonus"] == {}


def test_a_temporary_maximum_bounds_healing_and_hit_points_go_down_with_it() -> None:
    t = fight("set Bo temp_max=5")
    t.do("heal Bo 99")
    assert who(t, "Bo")["hp"] == 14
    t.do("set Bo temp_max=-3")
    assert (who(t, "Bo")["hp"], who(t, "Bo")["max_hp"]) == (6, 9)
    t.refuse("set Bo hp=7", "maximum", "6")


# --- counters


def test_a_counter_is_spent_and_comes_back_with_the_turn_or_the_round() -> None:
    t = fight("count Bo actions max=3 reset=turn", "count Bo fury 2 reset=round", "count Bo kills 0")
    t.do("count Bo act -2", "count Bo fury -1", "count Bo kills +1")
    found = {x["name"]: (x["n"], x["max"], x["reset"]) for x in who(t, "Bo")["counters"]}
    assert found == {"actions": (1, 3, "turn"), "fury": (1, 2, "round"), "kills": (1, None, "never")}
    t.refuse("count Bo actions -2", "1 of 3 actions left")
    t.do("next")
    assert [x["n"] for x in who(t, "Bo")["counters"]] == [3, 1, 1]
    t.do("next", "next", "next")
    assert [x["n"] for x in who(t, "Bo")["counters"]] == [3, 2, 1]
    t.do("clear Bo kills")
    assert [x["name"] for x in who(t, "Bo")["counters"]] == ["actions", "fury"]


def test_a_recharge_is_owed_at_the_turns_start_and_nobody_else_hears_of_it() -> None:
    t = fight("count Orc breath 1 reset=1d6>=5", "count Orc breath -1")
    t.do("next", "next")
    assert [(d["who"], d["dice"]) for d in t.state()["due"]] == [("Orc", [6])]
    assert t.state("Mia")["due"] == []
    t.do("roll Orc 4")
    assert who(t, "Orc")["counters"][0]["n"] == 0
    t.do("next", "next", "next", "next")
    t.do("roll", dice=[5])
    assert who(t, "Orc")["counters"][0]["n"] == 1
    assert who(t, "Orc", "Mia")["counters"] == []
    assert "breath" not in str(t.state("Mia"))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("count Bo luck", "no counter"), ("count Bo luck reset=turn", "no counter"), ("count Bo luck -1",
        "no counter"),
        ("count Bo luck 1 reset=1d6>=7", "never comes: 6 is the most"), ("count Bo luck 4 max=3",
        "more than the 3"),
        ("count Bo luck 0 reset=turn", "max=N"), ("count Bo luck 99999", "0 to 9999"),
        ("condition Orc held of=@heroes conc=yes", "of="),
    ],
)  # fmt: skip
def test_what_a_counter_cannot_be_is_one_clear_line(line: str, says: str) -> None:
    fight().refuse(line, says)


# --- what others see of hit points


def test_the_table_says_what_others_see_of_hit_points() -> None:
    t = fight()
    assert who(t, "Orc", "Mia")["health"] == "unhurt"
    t.do("option view.health=none")
    assert not {"health", "hp"} & who(t, "Orc", "Mia").keys()
    assert table_lines(t.store.table(viewer_of("Mia")))
    t.do("option view.health=numbers")
    assert (who(t, "Orc", "Mia")["hp"], "fields" in who(t, "Orc", "Mia")) == (20, False)
    assert who(t, "Ana", "Mia")["fields"] == {}


@pytest.mark.parametrize("system", Registry().ids())
def test_who_is_stabilised_owes_no_death_save_and_stays_at_0(system: str) -> None:
    t = Table(system)
    t.do("option zero.pc=dying", "add Ana kind=pc hp=9", "add Bo kind=pc hp=9", "add Orc hp=9")
    t.refuse("stable Ana", "Ana is not dying")
    t.do("damage @heroes 9")
    assert [x.text for x in t.do("stable Ana").lines] == ["Ana is stable"]
    assert (t.encounter.combatants["c1"].hp, t.encounter.combatants["c1"].owes) == (0, ())
    t.refuse("stable Ana", "Ana is stable already")
    t.refuse("stable Orc", "Orc is not dying")
    # Of several those who are dying are meant.
    assert [x.text for x in t.do("stable @heroes").lines] == ["Bo is stable"]
    t.do("undo", "heal Ana 1")
    assert t.encounter.combatants["c1"].dying is None
    dying = t.encounter.combatants["c2"].dying
    assert dying is not None
    assert not dying.stable
