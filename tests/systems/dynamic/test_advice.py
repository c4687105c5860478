"""The Dynamic Initiative System: what is known before confirming, and what the table hears."""

from __future__ import annotations

from tests.kit.table import Table
from tests.systems.dynamic.fights import rolled, table, values
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


def test_dis_16_who_stands_alone_switches_to_the_first_place() -> None:
    t = Table("dynamic")
    t.do("add Sela kind=pc", "begin", "order Sela weapon=1d8", "roll Sela 3", "next")
    notes = {x.note for x in on_screen(t.store.system).choices(t.encounter, "switch")}
    assert "+6: 9, place 1, first" in notes
    assert all(note.endswith(", place 1, first") for note in notes)


def test_dis_18_no_switch_is_named_to_an_enemy_who_acts_alone_of_a_cut_group() -> None:
    t = Table("dynamic", dice=SeededDice(1))
    t.do("add Bo kind=pc side=dark", "add Early", "group Bo,Early Gang", "begin", "surprised Early")
    t.do("order Gang weapon=1d6", "roll", "next")
    t.do("next")
    assert t.refuse("switch Gang action=1").rule == "DIS-18"
    assert "switch" not in t.refuse("order Bo action=1").hint
