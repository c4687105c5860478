"""Every bound of the manual's table: the last that fits, the first that does not, and nothing changed."""

from __future__ import annotations

import re
from pathlib import Path

from tests.kit.program import Program
from tests.kit.table import Table
from tui.core.base.text import LONGEST_LINE, NAME_LIMIT, TEXT_LIMIT
from tui.core.fight.dice import MOST_DICE, MOST_ROLLS, MOST_SIDES, MOST_TERMS
from tui.core.rules.creature_fields import MOST_HP
from tui.core.rules.health import MOST_CONDITIONS
from tui.core.rules.newcomers import MOST_COMBATANTS
from tui.core.rules.numbers import MOST_POINTS
from tui.manual import read_chapter
from tui.store.journal.format import RECORD_CAP, SAVE_CAP
from tui.store.library.rosters import MOST_COMBATANTS as MOST_PARTY
from tui.store.safetoml import CAP, DEPTH, DIGITS, DOTS, VALUES
from tui.store.sources import SeededDice
from tui.ui.desk.desk import LONGEST_PASTE
from tui.ui.terminal.input_parser import MOST_PASTED

STATED = {
    "save": f"{SAVE_CAP // 1_000_000} MB",
    "step": f"{RECORD_CAP // 1_000_000} MB",
    "line": f"{LONGEST_LINE:,} characters",
    "name": f"{NAME_LIMIT} characters",
    "order, note": f"{TEXT_LIMIT:,} characters",
    "paste": f"{LONGEST_PASTE:,} characters",
    "combatants": f"{MOST_COMBATANTS:,}",
    "conditions of a creature": f"{MOST_CONDITIONS}",
    "hit points": f"{MOST_HP:,}",
    "party or encounter file": f"{MOST_PARTY}",
    "dice": f"{MOST_DICE} a term",
    "TOML from elsewhere": f"{CAP // 1_000_000} MB",
}
"""What the manual's table must say of each; the bounds are the code's."""


def fight(*lines: str) -> Table:
    table = Table("classic", dice=SeededDice(1))
    for line in lines:
        table.store.run(line)
    return table


def test_the_manual_states_every_bound() -> None:
    section = read_chapter("files").text.split("## Limits\n")[1]
    rows = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|$", section, re.MULTILINE))
    missing = {name: told for name, told in STATED.items() if told not in rows.get(name, "")}
    assert missing == {}
    assert f"{MOST_SIDES:,} sides" in rows["dice"]
    assert f"{MOST_TERMS} terms" in rows["dice"]
    assert f"{MOST_ROLLS:,} rolls" in rows["dice"]
    for number in (DEPTH, DOTS, DIGITS, VALUES):
        assert f"{number:,}" in rows["TOML from elsewhere"]


def test_a_line() -> None:
    table = fight()
    table.do("note ab" + " " * (LONGEST_LINE - 7))
    table.refuse("note ab" + " " * (LONGEST_LINE - 6), f"{LONGEST_LINE + 1} characters")


def test_a_name() -> None:
    table = fight("add " + "x" * NAME_LIMIT, "add " + "y" * (NAME_LIMIT + 40))
    assert sorted(len(c.name) for c in table.encounter.combatants.values()) == [NAME_LIMIT] * 2
    table.do("add 9 " + "z" * (NAME_LIMIT - 2))
    table.refuse("add 10 " + "w" * (NAME_LIMIT - 2), "too long to be numbered", str(NAME_LIMIT))
    assert max(len(c.name) for c in table.encounter.combatants.values()) == NAME_LIMIT


def test_an_order_and_a_note() -> None:
    table = fight("note " + "x" * TEXT_LIMIT)
    table.refuse("note " + "x" * (TEXT_LIMIT + 1), f"{TEXT_LIMIT + 1} characters", str(TEXT_LIMIT))
    chaos = Table("chaos")
    chaos.do("add Ana", "begin")
    chaos.refuse("order Ana action=" + "x" * (TEXT_LIMIT + 1), f"{TEXT_LIMIT + 1} characters")
    chaos.do("order Ana action=" + "x" * TEXT_LIMIT)


def test_combatants() -> None:
    table = fight(f"add {MOST_COMBATANTS} Orc hp=7", "begin", "roll", "next")
    table.refuse("add Ana", f"{MOST_COMBATANTS} combatants")
    table.do("remove @dark")
    table.refuse(f"add {MOST_COMBATANTS + 1} Orc", f"1 to {MOST_COMBATANTS}")


def test_conditions() -> None:
    table = fight("add Ana", *(f"condition Ana c{n}x" for n in range(MOST_CONDITIONS)))
    assert len(table.encounter.combatants["c1"].conditions) == MOST_CONDITIONS
    table.refuse("condition Ana more", f"{MOST_CONDITIONS} conditions")
    table.do("condition Ana C0x rounds=9999")
    table.refuse("condition Ana c0x rounds=10000", "9999")


def test_points() -> None:
    table = fight(f"add Ana hp={MOST_HP}", f"damage Ana {MOST_POINTS}", f"heal Ana {MOST_POINTS}")
    assert table.encounter.combatants["c1"].hp == MOST_HP
    table.refuse(f"damage Ana {MOST_POINTS + 1}", str(MOST_POINTS))
    table.refuse(f"add Bo hp={MOST_HP + 1}", str(MOST_HP))


def test_a_party(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.call("new")
    for number in (MOST_PARTY, MOST_PARTY + 1):
        text = "".join(f'[[combatant]]\nname = "N{number} {n}"\n' for n in range(number))
        (tmp_path / f"p{number}.toml").write_text(text)
    assert program.do(f"party {tmp_path}/p{MOST_PARTY}.toml").code == 0
    refused = program.do(f"party {tmp_path}/p{MOST_PARTY + 1}.toml")
    assert refused.code == 1
    assert str(MOST_PARTY) in refused.error["hint"]
    assert len(program.state()[0]["combatants"]) == MOST_PARTY


def test_the_largest_step_that_lines_can_make_is_taken_or_refused_whole(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.call("new")
    wide = "龍" * (NAME_LIMIT - 5)
    ended = program.call("do", f"add {MOST_COMBATANTS} {wide} owner={wide}a group={wide}b side={wide}c")
    assert ended.code in (0, 3)
    assert program.call("check").code == 0
    assert len(program.state()[0]["combatants"]) == (MOST_COMBATANTS if ended.code == 0 else 0)


def test_thousands_of_steps_open(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.call("new")
    assert program.call("do", *["note x"] * 3_000).code == 0
    assert program.state()[0]["step"] == 3_000


def test_a_paste_keeps_what_the_line_can_hold() -> None:
    from tests.kit.keyboard import Player

    player = Player().press(":")
    player.desk.paste("note " + "x" * MOST_PASTED)
    assert "the paste was cut" in player.message()
    player.press("enter")
    assert "characters" in player.message()
    assert LONGEST_PASTE < LONGEST_LINE < MOST_PASTED
