"""Plain mode: lines in, lines out, the same grammar and store; Textual stays outside."""

from __future__ import annotations

import io
import subprocess
import sys

from tests.kit.keyboard import PARTY
from tests.kit.table import Table
from tui.store.problems import NotSaved
from tui.store.sources import SeededDice
from tui.ui.launch.plain import Talk, run_conversation


def talk(*said: str, lines: tuple[str, ...] = PARTY) -> list[str]:
    table = Table("classic", dice=SeededDice(4))
    for line in lines:
        table.store.run(line)
    out = io.StringIO()
    assert (
        run_conversation(
            table.store, lambda: None, io.StringIO("\n".join(said) + "\n"), Talk(table.store, out)
        )
        == 0
    )
    return out.getvalue().splitlines()


def test_every_event_is_a_line_and_now_follows() -> None:
    said = talk("damage Bo 3")
    assert said[-2:] == ["Bo takes 3 damage: 19 left", "Now: Ready: begin starts the fight"]


def test_an_empty_line_goes_on_through_a_whole_fight() -> None:
    said = talk("", "", "", "", "quit", "note never")
    assert "Round 1 begins" in said
    assert sum(line.endswith(" acts") for line in said if not line.startswith("Now")) == 2
    assert not any("never" in line for line in said)


def test_a_refusal_is_one_line_and_changes_nothing() -> None:
    said = talk("turn Ana", "damage Zed 3", "# a comment", "bogus")
    refused = [line for line in said if line.startswith("Refused: ")]
    assert len(refused) == 3
    assert not any("`" in line for line in said)


def test_the_clock_is_read_when_it_is_asked_for() -> None:
    assert "turn 0:00, round 0:00" in talk("begin", "roll", "next", "times")


def test_questions_change_nothing() -> None:
    said = talk(
        "track",
        "roster",
        "why Ana",
        "log",
        "rule",
        "help",
        "help damage",
        "words",
        "dam?",
        lines=(*PARTY, "begin", "roll"),
    )
    text = "\n".join(said)
    assert "  2 waits    Ana                         8  d20 (5) +3 = 8" in text
    assert "    heroes     Bo                           22/22" in text
    assert "Ana: d20 (5) +3 = 8 (CLASSIC-1)" in text
    assert "5. roll: Ana rolls 8 (5+3)" in text
    assert "damage WHO N" in text
    assert "deals damage" in text
    assert "damage " in said[-1]


def test_what_could_not_be_brought_to_the_disk_is_said() -> None:
    table = Table("classic")

    def settled() -> None:
        raise NotSaved("the disk is full", "free some space")

    out = io.StringIO()
    run_conversation(table.store, settled, io.StringIO("add Ana\n"), Talk(table.store, out))
    assert "Not saved: the disk is full; free some space" in out.getvalue()


def test_plain_mode_loads_no_textual() -> None:
    code = (
        "import sys, tui.ui.launch.plain; "
        "print([m for m in sys.modules if m.startswith(('textual', 'rich', 'asyncio'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
