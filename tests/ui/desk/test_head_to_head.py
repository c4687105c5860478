"""Players at one screen without a game master: nobody reads an order before the first slot."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.keyboard import Player
from tests.kit.program import Program
from tests.manual.calls import calls
from tui.core.table_lines import table_lines
from tui.manual import read_chapter

PLAYERS = ("add Ana owner=Lia +2 9", "add Bo owner=Max +1 9", "begin")
DUEL = {"cha.mode": "head-to-head"}
DOUBTED = "climbs if he comes"


def everything(p: Player) -> str:
    """All that keys show of Ana's order, with each setting of masks: panes, card, step, forms, text."""
    shown = list(table_lines(p.store.table()))
    for _ in range(3):
        p.desk.submit("go Ana")
        for key in ("o", "enter", "ctrl+t", "escape", "w", "escape", "escape"):
            shown += [p.press(key).text(), p.message()]
        p.press("ctrl+t")
    return "\n".join(shown)


@pytest.mark.parametrize("by", ["lia 1", ""])
def test_no_key_opens_an_order_before_the_first_slot(by: str) -> None:
    p = Player("chaos", PLAYERS, options=DUEL)
    p.size = (120, 40)
    p.store.run(f'order Ana action="{DOUBTED}"', by=by)
    p.store.run("order Bo action=hides", by=by and "max 1")
    for line in ("lock", "roll Ana 15", "roll Bo 4"):
        seen = everything(p)
        assert "climbs" not in seen
        assert "doubt" not in seen
        assert "[ctrl+t]" not in seen
        p.store.run(line)
    assert "climbs" not in p.text()
    p.store.run("ok")
    p.store.run("next")
    assert "climbs" in p.text()
    assert "hides" in "\n".join(table_lines(p.store.table()))


def test_the_form_asks_whose_order_it_is_and_shows_dots() -> None:
    p = Player("chaos", PLAYERS, options=DUEL)
    asked = p.press("o").text()
    assert "[Whose order is it?]" in asked
    assert "Ana  Lia" in asked
    assert "Bo   Max" in asked
    empty = p.press("j", "enter").text()
    assert "[Order: Bo" in empty
    assert "········" in empty
    assert p.press(f"'{DOUBTED}'").text() == empty
    # A doubt would quote the order: it is not asked about.
    p.press("enter")
    assert p.asked() == [f'order Bo movement="{DOUBTED}"']
    assert "[Whose order is it?]" in p.text()
    p.press("enter", "'runs'", "enter", "u", "ctrl+r")
    assert p.asked() == ["order Ana movement=runs"]
    p.desk.submit("finish")
    assert not p.store.encounter.running


def test_the_chapter_keeps_its_orders_until_the_first_slot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOCSIN_SAVES", str(tmp_path / "saves"))
    program = Program(tmp_path)
    lines = [words[1:] for words in calls(read_chapter("players").text) if "duel" in words]
    assert lines[0][:2] == ["new", "duel"]
    read: list[bool] = []
    for words in lines:
        assert program.bare(*words).code == 0
        seen = program.bare("show", "duel").out + program.bare("log", "duel").out
        read.append("strike Bo" in seen)
        assert read[-1] == ("or else flee" in seen)
    opened = next(i for i, words in enumerate(lines) if "next" in words)
    assert read == [False] * opened + [True] * (len(lines) - opened)
    assert '"hp":4' in program.bare("show", "duel", "--json", "--as", "Lia").out
