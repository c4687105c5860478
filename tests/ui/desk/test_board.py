"""A fight by keys alone: what each key sends to the store."""

from __future__ import annotations

from tests.kit.keyboard import FIGHT, Player
from tui.ui.state.scene import current


def test_rows_are_put_by_hand() -> None:
    p = Player(lines=FIGHT)
    rows = [r.entry for r in p.store.system.rows(p.store.encounter)]
    p.press("G", "K")
    moved = [r.entry for r in p.store.system.rows(p.store.encounter)]
    assert moved == [*rows[:-2], rows[-1], rows[-2]]
    p.press("J")
    assert [r.entry for r in p.store.system.rows(p.store.encounter)] == rows


def test_q_leaves_at_once() -> None:
    left = []
    p = Player(lines=FIGHT)
    from msgspec.structs import replace

    p.desk.services = replace(p.desk.services, leave=lambda: left.append(True))
    p.press("q")
    assert left == [True]


def test_words_of_the_screen_can_be_typed_too() -> None:
    p = Player(lines=FIGHT).press(":", "'help'", "enter")
    assert "does what the row needs" in p.text()
    p.press("escape", ":", "'filter orc'", "enter")
    assert p.desk.view.filter == "orc"


def test_the_cursor_is_where_play_is_when_a_turn_begins() -> None:
    p = Player(lines=FIGHT)
    p.press("j", "j", "d", "'1'", "enter")
    assert p.desk.view.track
    p.press("n")
    assert p.desk.view.track == ""
    assert current(p.desk.scene) == p.store.encounter.acting
