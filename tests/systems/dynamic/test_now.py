"""What Now says in the Dynamic Initiative System, for who has no screen, and what refusals say instead."""

from __future__ import annotations

import re

import pytest

from tests.systems.dynamic.fights import rolled, table
from tests.table import Table, order_of, row
from tui.core.rules.on_screen import on_screen


def test_dis_4_now_tells_what_whoever_acts_has_declared() -> None:
    t = table("order Sela weapon=2d6 move=yes", "order Oren")
    t.do("roll", "next", dice=[1, 1, 1, 8])
    assert "weapon" not in t.state()["now"]
    t.do("next")
    for viewer in (None, "Lia", "Nobody"):
        assert "weapon: 2d6; move: yes" in t.state(viewer)["now"]


def test_dis_3_now_tells_the_enemies_intents_before_anybody_declares() -> None:
    t = table('order Orc intent="rush {all} the mage" spell=2')
    for viewer in (None, "Lia", "Nobody"):
        assert "Orc's intent: spell 2, rush {all} the mage" in t.state(viewer)["now"]
    t.do("hide Orc")
    assert "rush" not in t.state("Lia")["now"]
    assert order_of(t, "Orc", "Lia") is None
    t.do("reveal Orc", "order @heroes move=yes", "roll", "next", dice=[2, 3, 1])
    assert "intent: rush {all} the mage; spell: 2" in t.state()["now"]
    t.do("next")
    assert "rush" not in t.state()["now"]


def test_dis_2_all_who_are_surprised_are_named() -> None:
    t = table("add 6 Imp side=cult")
    assert "nobody is surprised" in t.state()["now"]
    t.do("surprised Sela")
    assert "Sela is surprised" in t.state()["now"]
    t.do("surprised imp*")
    assert "Sela, Imp 1 to 6 are surprised" in t.state()["now"]
    t.do("group imp* Imps")
    assert "Sela, Imps are surprised" in t.state()["now"]


def test_dis_20_a_type_that_would_roll_singly_is_named_with_the_line_that_groups_it() -> None:
    t = Table("dynamic")
    t.do("add 3 Goblin", "add Ogre", "add 2 Fay kind=pc", "begin")
    now = t.state()["now"]
    line = 'group "Goblin 1,Goblin 2,Goblin 3" Goblins'
    assert f"3 Goblins roll separately: `{line}` gives them one roll" in now
    assert "2 Fay roll" not in now
    assert "one by one" not in t.state("Nobody")["now"]
    t.do(line)
    assert "one by one" not in t.state()["now"]
    t.do("ungroup Goblins", "option dis.group=off")
    assert "one by one" not in t.state()["now"]
    t.do("option dis.group=shared", "order @heroes move=yes", "roll Ogre 1")
    assert "one by one" not in t.state()["now"]


def test_dis_20_a_group_of_that_name_is_joined_and_another_name_is_avoided() -> None:
    t = Table("dynamic")
    t.do("add Orcs", "add 2 Orc", "add 2 Rat group=Rats", "begin")
    assert '`group "Orc 1,Orc 2" "Orcs 2"`' in t.state()["now"]
    t.do('group "Orc 1,Orc 2" "Orcs 2"', "add 2 Orc", "add 2 Rat")
    now = t.state()["now"]
    assert '`group "Orc 3,Orc 4" "Orcs 2"`' in now
    assert '`group "Rat 3,Rat 4" Rats`' in now


def test_dis_26_who_came_after_the_dice_is_not_told_to_switch() -> None:
    t = rolled()
    t.do("add Bo kind=pc")
    for line in ("order Bo weapon=1d4", "switch Bo action=1"):
        error = t.refuse(line, "came after the dice", "next round")
        assert error.rule == "DIS-26"
        assert "switch" not in str(error.hint)


def test_dis_4_a_late_declaration_is_answered_with_the_switch_that_works() -> None:
    t = rolled()
    t.do('rename Oren "Old Oren"')
    error = t.refuse('order "Old Oren" weapon=1d4', "in its own turn")
    assert 'switch "Old Oren" action=1' in error.hint
    t.do("next", "next", "next")
    hint = t.refuse('order "Old Oren" weapon=1d4').hint
    t.do(hint.strip("`"))


def test_dis_9_who_has_acted_declares_in_the_next_round() -> None:
    t = rolled()
    t.do("next", "next", "end")
    assert t.refuse("order Sela weapon=1d4", "no turn left").rule == "DIS-9"


def test_dis_15_a_switch_to_the_move_that_is_declared_is_refused_with_what_works() -> None:
    t = table("order Sela weapon=1d8 move=yes", "order Oren")
    t.do("roll", "next", "next", dice=[1, 1, 8])
    for line in (
        "switch Sela move=yes",
        "switch Sela move=yes from=none",
        "switch Sela move=yes from=weapon",
    ):
        error = t.refuse(line, "moves anyway", "switch Sela action=1")
        assert error.rule == "DIS-15"
    t.do("switch Sela action=1")


def test_dis_7_a_switch_that_would_change_nothing_is_refused_with_what_works() -> None:
    t = table("order Sela weapon=1d8", "order Oren")
    t.do("roll", "next", "next", dice=[1, 8])
    error = t.refuse("switch Sela weapon=1d8", "just that")
    assert "`switch Sela from=none weapon=1d8`" in error.hint
    t.do("switch Sela from=none weapon=1d8")


@pytest.mark.parametrize(
    ("line", "works"),
    [
        ("switch Sela", "switch Sela action=1"),
        ("switch Sela from=spell action=1", "switch Sela from=none action=1"),
        ("switch", "switch Sela action=1"),
    ],
)
def test_dis_7_a_refused_switch_quotes_a_line_that_works(line: str, works: str) -> None:
    t = rolled()
    t.do("next", "next")
    assert f"`{works}`" in t.refuse(line).hint
    t.do(works)


def test_dis_a23_a_fixed_place_is_said_to_count_from_the_low_end() -> None:
    t = Table("classic")
    t.do("add Lair value=20", "add Orc", "system dynamic")
    said = [line.text for line in t.do("begin").lines]
    assert "Lair has the fixed place 20; the lowest acts first" in said
    assert "the lowest number acts first" in row(t, "Lair")["why"]
    t.do("roll Orc 5")
    assert t.order() == ["Orc", "Lair"]


def test_dis_7_from_takes_the_kinds_of_actions() -> None:
    t = rolled()
    t.do("next", "next")
    t.refuse("switch Sela spell=2 from=dance", "from= takes weapon, spell, action, move, none", '"dance"')
    t.refuse("switch Sela spell=2 from=weapon,move", "2 actions for 1 new", "one each")


def test_who_cannot_delay_is_told_what_works() -> None:
    t = rolled()
    t.do("next")
    assert "move Orc after" in t.refuse("hold Orc").hint
    t.do("next")
    assert "switch Sela action=1" in t.refuse("hold Sela").hint


def test_dis_26_now_says_who_of_a_group_acts_when_not_all_of_it_do() -> None:
    t = Table("dynamic")
    t.do("add 2 Rat group=Rats", "begin", "roll Rats 1", "add 1 Rat group=Rats", "next")
    assert "of Rats only Rat 1, Rat 2" in t.state()["now"]


def test_dis_2_after_the_dice_now_asks_for_surprise_and_intents_no_more() -> None:
    t = table('order Orc intent="charges"', "surprised Sela", "order Sela", "order Oren")
    assert "Sela is surprised" in t.state()["now"]
    t.do("roll Orc 1")
    assert t.state()["offer"]
    assert "surprised" not in t.state()["now"]
    assert "charges" not in t.state()["now"]


def test_dis_a2_where_surprise_belongs_to_the_first_round_later_rounds_do_not_ask() -> None:
    t = Table("dynamic", {"dis.surprise_each_round": "first_only"})
    t.do("add Orc")
    assert any("Who is surprised? What" in line.text for line in t.do("begin").lines)
    said = " ".join(line.text for line in t.do("roll Orc 1", "next", "next").lines)
    assert "What are the enemies about to do?" in said
    assert "surprised" not in said + t.state()["now"]


def test_dis_18_where_nobody_declares_no_declarations_are_opened() -> None:
    t = Table("dynamic")
    t.do("add Orc")
    assert "Declarations" not in " ".join(line.text for line in t.do("begin").lines)
    t.do("add Ana kind=pc")
    assert t.state()["phase"] == "orders"


def test_dis_18_of_an_enemy_without_an_intent_nothing_is_said() -> None:
    t = rolled()
    t.do("next")
    assert re.fullmatch("Orc acts, then [^;:]+; `next` when done", t.state()["now"])


def test_who_is_dying_is_offered_no_switch() -> None:
    t = Table("dynamic")
    t.do("option zero.pc=dying", "add Ana owner=Mia hp=9", "add Orc hp=9", "begin")
    t.do("order Ana weapon=1d4", "roll Ana 1", "roll Orc 8", "next")
    system = t.store.system
    offers = [
        bool(on_screen(system).choices(t.encounter, "switch")),
        "switch" in str(on_screen(system).remarks(t.encounter)),
    ]
    t.do("damage Ana 9")
    offers += [
        bool(on_screen(system).choices(t.encounter, "switch")),
        "switch" in str(on_screen(system).remarks(t.encounter)),
    ]
    assert offers == [True, True, False, False]
