"""Several attacks in one line, and attacks without damage."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tui.core.language.attacks import Strikes
from tui.core.rules.attacking import list_choices

ARMS = (
    "Multiattack: 2 claws, one bite; Claw +5 1d6 slashing; Bite +5 1d8+2 piercing; Web +3: restrained; "
    "Gaze dc12 con"
)


def table(*lines: str) -> Table:
    t = Table("classic")
    t.do(
        f'add Dragon hp=80 ac=18 attacks="{ARMS}"',
        "add Ana kind=pc hp=30 ac=12",
        "add Bo kind=pc hp=5 ac=12",
        *lines,
    )
    return t


def test_the_attacks_of_a_multiattack_are_one_step_in_their_order() -> None:
    t = table()
    result = t.do("attack Dragon multi Ana", dice=[10, 4, 1, 10, 5])
    assert [x.text for x in result.lines] == [
        "Dragon attacks Ana with Claw: 10 + 5 = 15 against AC 12, hit, 4 slashing",
        "Ana takes 4 damage: 26 left",
        "Dragon attacks Ana with Claw: 1 + 5 = 6 against AC 12, miss",
        "Dragon attacks Ana with Bite: 10 + 5 = 15 against AC 12, hit, 7 piercing",
        "Ana takes 7 damage: 19 left",
    ]
    t.do("undo")
    assert t.encounter.combatants["c2"].hp == 30


def test_several_targets_take_the_attacks_in_order_and_the_last_the_rest() -> None:
    t = table()
    t.do("attack Dragon multiattack Bo Ana", dice=[10, 4, 10, 3, 10, 5])
    assert [t.encounter.combatants[k].hp for k in ("c2", "c3")] == [30 - 3 - 7, 1]
    t.refuse("attack Dragon multiattack Bo Ana Bo Ana", "3 attacks cannot have 4 targets")


def test_it_stops_when_its_target_is_down_and_says_what_is_left() -> None:
    t = table()
    result = t.do("attack Dragon multiattack Bo", dice=[10, 6])
    assert result.lines[-1].text == "1 Claw, 1 Bite left"
    t.do('attack Dragon "1 Claw, 1 Bite" Ana', dice=[10, 6, 10, 1])
    assert t.encounter.combatants["c2"].hp == 30 - 6 - 3


def test_a_choice_is_refused_with_its_lines() -> None:
    t = table('set Dragon attacks="Multiattack: 2 of Claw or Bite; Claw +5 1d6; Bite +5 1d8"')
    error = t.refuse("attack Dragon multiattack Ana", "must be chosen")
    assert error.hint == (
        '`attack Dragon "2 Claw" Ana`, `attack Dragon "1 Claw, 1 Bite" Ana`, `attack Dragon "2 Bite" Ana`'
    )
    t.do('attack Dragon "1 Claw, 1 Bite" Ana', dice=[2, 3])


def test_a_die_gives_the_number_of_attacks() -> None:
    t = table('set Dragon attacks="Multiattack: 1d4 claws; Claw +5 1d6"')
    result = t.do("attack Dragon multiattack Ana", dice=[2, 2, 3])
    assert [x.text.partition(":")[0] for x in result.lines] == [
        "GM rolls d4",
        *["Dragon attacks Ana with Claw"] * 2,
    ]
    t.refuse("attack Dragon multiattack Ana Bo Ana Bo Ana", "4 attacks cannot have 5 targets")


def test_every_way_to_choose_is_listed_once() -> None:
    parts = (Strikes(1, ("Bite",)), Strikes(2, ("Claw", "Tail")))
    assert list_choices(parts) == ["1 Bite, 2 Claw", "1 Bite, 1 Claw, 1 Tail", "1 Bite, 2 Tail"]


@pytest.mark.parametrize("text", ["makes two claw attacks", "2 Tail", "3 attacks"])
def test_other_texts_are_shown_only(text: str) -> None:
    t = table(f'set Dragon attacks="Multiattack: {text}; Claw +5 1d6; Bite +5 1d8"')
    t.refuse("attack Dragon multiattack Ana", "rolls nothing")


def test_an_attack_without_damage_says_only_hit_or_miss() -> None:
    t = table()
    assert t.do("attack Dragon web Ana", dice=[10]).lines[0].text.endswith("against AC 12, hit")
    assert t.do("attack Dragon web Ana", dice=[2]).lines[0].text.endswith("miss")
    assert t.encounter.combatants["c2"].hp == 30
    t.refuse("attack Dragon web Ana damage=3", "Web does no damage")


def test_a_save_against_an_attack_without_damage_is_owed_and_does_nothing() -> None:
    t = table("attack Dragon gaze Ana")
    (due,) = t.state()["due"]
    assert (due["who"], due["save"]["for"], due["save"]["name"], due["save"]["dc"]) == (
        "Ana",
        "attack",
        "Gaze",
        12,
    )
    assert t.do("roll Ana 15").lines[-1].text == "Ana makes the save against Gaze"
    assert t.encounter.combatants["c2"].hp == 30
    t.do("attack Dragon gaze Ana", "failed Ana", "attack Dragon gaze Bo", "total Bo 3", "begin")


def test_now_names_unspent_legendary_actions_while_a_hero_acts() -> None:
    t = table(
        'count Dragon "Legendary actions" 3 reset=turn', "begin", "roll Ana 19", "roll Dragon 15", "roll Bo 2"
    )
    t.do("next")
    assert "after this turn Dragon has 3 legendary actions" in t.state()["now"]
    assert "legendary" not in t.state("nobody")["now"]
    t.do('count Dragon "Legendary actions" -3')
    assert "legendary" not in t.state()["now"]
