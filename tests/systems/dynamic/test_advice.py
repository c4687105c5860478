"""The Dynamic Initiative System: what is known before confirming, and what the table hears."""

from __future__ import annotations

from tests.systems.dynamic.fights import rolled, table, values
from tests.table import Table, order_of, row
from tui.core.rules.on_screen import on_screen
from tui.store.sources import SeededDice


def test_dis_16_the_price_and_the_place_are_known_before_confirming() -> None:
    t = rolled()
    t.do("next", "next")
    system = t.store.system
    assert on_screen(system).preview(t.encounter, "c1", {"action": "1"}).notes == (
        "+6: 11, place 3, after Oren",
    )
    assert on_screen(system).preview(t.encounter, "c1", {"dance": "1"}).errors
    found = {x.line: x.note for x in on_screen(system).choices(t.encounter, "switch")}
    assert found["switch Sela from=none move=yes"].startswith("+4: 9")
    for line, note in found.items():
        t.do(line)
        price, total = note.split(", place")[0].removeprefix("+").split(": ")
        place = int(note.split("place ")[1].split(",")[0])
        assert values(t)["Sela"] == int(total) == 5 + int(price), line
        assert t.order().index("Sela") + 1 == place, line
        t.do("undo")


def test_the_pool_is_known_before_declaring() -> None:
    t = table()
    system = t.store.system
    assert on_screen(system).preview(t.encounter, "c1", {"weapon": "1d8", "spell": "3"}).notes == (
        "pool d8 + d8 + 3: 5 to 19",
    )
    t.do("set Sela bonus=1 adv=dis")
    assert on_screen(system).preview(t.encounter, "c1", {"weapon": "1d8"}).notes == (
        "pool d6 twice, the higher: 1 to 6",
    )
    assert on_screen(system).preview(t.encounter, "c1", {"weapon": "sword"}).errors
    assert on_screen(system).preview(t.encounter, "c3", {"intent": "x"}).notes == ()
    assert on_screen(system).choices(t.encounter, "switch") == ()


def test_dis_20_how_many_hidden_ones_there_are_is_nobodys() -> None:
    t = Table("dynamic")
    t.do("add Ana owner=Lia", "add 2 Rat group=Rats", "add 1 Rat group=Rats hidden=yes", "begin", "order Ana")
    said = t.do("roll Rats 2").lines
    assert "2 + 2 for the others" in " ".join(line.text for line in said)
    assert "for the others" in row(t, "Rats")["why"]
    state = t.state("Lia")
    assert "others" not in str(state)
    assert [r["entry"] for r in state["track"]] == ["Ana", "Rats"]


def test_dis_7_the_table_hears_what_a_switch_comes_to() -> None:
    t = rolled()
    t.do("next", "next")
    said = [line.text for line in t.do("switch Sela action=1").lines]
    assert said == [
        "Sela: action 1",
        "Sela switches: +6, 11 in all (DIS-16)",
        "Sela goes after Oren (DIS-7)",
        "Sela waits",
    ]
    assert order_of(t, "Sela", "Lia")["text"] == {"action": "1"}  # type: ignore[index]


def test_dis_5_a_phase_is_told_once_and_an_order_that_stands_is_not_decided_anew() -> None:
    t = table()
    assert [line.text for line in t.do("order Sela weapon=1d8").lines] == ["Sela: weapon 1d8"]
    diceless = table("out Orc", "order Sela", "order Oren weapon=1")
    assert diceless.state()["phase"] == "turns"
    before = diceless.encounter
    assert [line.text for line in diceless.do("hide Sela").lines] == ["Sela is hidden"]
    assert diceless.encounter.notes is before.notes


def test_dis_16_who_stands_alone_switches_to_the_first_place() -> None:
    t = Table("dynamic")
    t.do("add Sela kind=pc", "begin", "order Sela weapon=1d8", "roll Sela 3", "next")
    notes = {x.note for x in on_screen(t.store.system).choices(t.encounter, "switch")}
    assert "+6: 9, place 1, first" in notes
    assert all(note.endswith(", place 1, first") for note in notes)


def test_dis_4_what_a_player_says_in_words_stays_with_the_declaration() -> None:
    t = table('order Sela weapon=1d8 intent="from behind"', "order Oren")
    assert order_of(t, "Sela")["text"] == {"weapon": "1d8", "intent": "from behind"}  # type: ignore[index]


def test_dis_10_the_dice_of_a_group_of_characters_are_told_though_one_is_hidden() -> None:
    t = Table("dynamic")
    t.do(
        "add 2 Scout kind=pc group=Scouts",
        "begin",
        "order @Scouts weapon=1d6",
        "roll Scouts 4",
        'hide "Scout 2"',
    )
    assert "d6 (4) = 4" in t.state("Nobody")["track"][0]["why"]


def test_dis_7_the_switch_that_a_hint_names_is_another_than_what_was_declared() -> None:
    t = Table("dynamic")
    t.do("add Ana kind=pc", "add Orc", "begin", "order Ana action=1", "roll", "next", dice=[1, 8])
    hint = t.refuse("hold Ana").hint
    assert hint == "`switch Ana from=none action=1` goes later"
    t.do("switch Ana from=none action=1")


def test_dis_18_no_switch_is_named_to_an_enemy_who_acts_alone_of_a_cut_group() -> None:
    t = Table("dynamic", dice=SeededDice(1))
    t.do("add Bo kind=pc side=dark", "add Early", "group Bo,Early Gang", "begin", "surprised Early")
    t.do("order Gang weapon=1d6", "roll", "next")
    t.do("next")
    assert t.refuse("switch Gang action=1").rule == "DIS-18"
    assert "switch" not in t.refuse("order Bo action=1").hint
