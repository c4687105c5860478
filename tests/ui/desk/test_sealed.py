"""What a player sends: sealed on the game master's screen until the lock, and asked about before an undo."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player
from tests.kit.table import Memory
from tui.core.table_lines import table_lines
from tui.store.dependencies import StoreEffects
from tui.store.sources import SeededDice
from tui.ui.desk.ports import Services

FIGHT = ("add Ana owner=Mia hp=9", "add Cay owner=Jon hp=9", "add 2 Ogre hp=9", "begin")
SECRET = "climbs"


@pytest.fixture
def sent() -> Player:
    p = Player("chaos", FIGHT)
    p.size = (120, 40)
    p.store.run(f'order Ana action="{SECRET}"', by="mia 1")
    return p


def everything(p: Player) -> str:
    """All that the screen shows of Ana's order: panes, card, log and step page, and the form of its row."""
    texts = [p.text()]
    p.desk.submit("card Ana") if "card" in p.desk.words else None
    texts.append(p.press("escape").text())
    p.desk.submit("go Ana")
    texts += [p.press(key).text() for key in ("o", "escape", "w", "escape")]
    return "\n".join(texts)


def test_a_sent_order_is_sealed_until_the_lock(sent: Player) -> None:
    assert SECRET not in everything(sent)
    assert "written (sealed)" in sent.text()
    assert "[ctrl+t] opens" in sent.text()
    assert SECRET not in "\n".join(table_lines(sent.store.table()))
    assert SECRET in str(sent.store.table())
    sent.desk.submit("lock missing=empty")
    assert SECRET in sent.text()


def test_the_key_of_masks_opens_and_seals_it(sent: Player) -> None:
    assert SECRET in sent.press("ctrl+t").text()
    assert SECRET not in sent.press("ctrl+t").text()


def test_an_order_of_the_game_masters_own_is_never_sealed(sent: Player) -> None:
    sent.press(":", "'order Cay action=waits'", "enter")
    assert "waits" in sent.text()


def test_it_stays_sealed_when_it_is_undone(sent: Player) -> None:
    sent.store.run("undo")
    sent.press(":", "'log'", "escape")
    assert SECRET not in everything(sent)
    sent.store.run("redo")
    assert SECRET not in everything(sent)


def test_a_doubt_about_it_is_counted_and_not_quoted() -> None:
    p = Player("chaos", FIGHT)
    p.size = (120, 40)
    p.store.run('order Ana action="strike if she comes"', by="mia 1")
    assert "written (sealed) ! 1 doubt" in p.text()


def test_undo_asks_before_a_players_line_falls_with_it(sent: Player) -> None:
    before = sent.store.step
    asked = "Undo begin, and Mia's line? [y] both, [h] only Mia's order Ana, [Esc] goes back"
    assert asked in " ".join(" ".join(sent.press("u").picture()["now"]).split())
    assert asked in " ".join(" ".join(sent.press("u").picture()["now"]).split())
    assert sent.store.step == before
    assert "[y]" not in sent.press("n").text()
    sent.press("u", "h")
    assert sent.asked() == ["begin"]
    assert "Mia" in sent.message()
    assert sent.press("ctrl+r").store.step == before
    assert sent.press("u", "y").store.step == before - 2


def test_undo_offers_no_players_line_alone_that_an_own_step_follows(sent: Player) -> None:
    sent.press(":", "'note rain'", "enter", ":", "'undo 2 mine=yes'", "enter")
    asked = "Undo note rain, begin, and Mia's line? [y] all, [Esc] goes back"
    assert asked in " ".join(" ".join(sent.picture()["now"]).split())


def test_undo_asks_again_if_a_line_came_after_the_question(sent: Player) -> None:
    before = sent.store.step
    sent.press("u")
    sent.store.run("order Cay action=waits", by="jon 1")
    sent.press("y")
    assert sent.store.step == before + 1
    assert "Jon's" in " ".join(sent.picture()["now"])
    assert sent.press("y").store.step == before - 2


def test_undo_of_a_players_line_runs_later_lines_of_others_again(sent: Player) -> None:
    sent.store.run("order Cay action=waits", by="jon 1")
    sent.press("u", "h")
    assert sent.asked(2) == ["begin", f'order Ana action="{SECRET}"']
    sent.store.run("redo")
    sent.store.run("undo player=Mia")
    assert sent.asked(2) == ["begin", "order Cay action=waits"]


def test_undo_does_not_ask_if_every_players_line_still_counts(sent: Player) -> None:
    sent.press(":", "'note rain'", "enter")
    sent.store.run("order Cay action=waits", by="jon 1")
    sent.press("u")
    assert sent.asked() == ["order Cay action=waits"]


def test_the_key_of_orders_opens_that_of_the_row_gone_to() -> None:
    p = Player("chaos", FIGHT)
    assert "[Order: Ogre 2" in p.press("G", "o").text()


def test_the_next_form_is_one_that_no_player_who_looks_can_write() -> None:
    p = Player("chaos", FIGHT, services=Services(present=lambda: frozenset({"mia"})))
    for name in ("Cay", "Ogre 1", "Ogre 2", "Ana"):
        assert f"[Order: {name}" in (p if p.desk.view.mode else p.press("G", "k", "k", "o")).text()
        p.press("'waits'", "enter")


def test_the_key_opens_hides_and_returns_to_the_first_view(sent: Player) -> None:
    sent.store.run('order Cay action="waits if it rains"')
    seen = []
    for _ in range(4):
        text = " ".join(sent.text().split())
        seen.append((SECRET in text, "waits if it" in text, "reads like" in text or "! 1 doubt" in text))
        sent.press("ctrl+t")
    assert seen == [(False, True, True), (True, True, True), (False, False, True), (False, True, True)]
    # In a form the key hides first what is being typed.
    sent.press("ctrl+t", "ctrl+t", "ctrl+t", "G", "o", "'bites'", "ctrl+t")
    assert "bites" not in sent.text()
    assert SECRET not in sent.text()


def test_a_question_about_a_doubt_shows_the_order_or_how_to_open_it(sent: Player) -> None:
    sent.press("G", "o", "tab", "'bite if it comes'", "enter")
    assert "action: bite if it comes" in sent.text()
    assert "is this the order that you mean?" in sent.text()
    sent.press("escape", "ctrl+t", "enter")
    assert "bite if it comes" not in sent.text()
    assert "ctrl+t shows the order" in sent.text()
    sent.store.run('order Ana action="strike if it comes"', by="mia 2")
    for who in ("Cay", "Ogre 1", "Ogre 2"):
        sent.store.run(f'order "{who}" action=run')
    assert "[ctrl+t] opens it" in " ".join(sent.press("escape", "escape").text().split())


def test_the_cursor_is_on_the_row_whose_order_is_written() -> None:
    p = Player("chaos", FIGHT)
    p.size = (120, 40)
    for name in ("Ana", "Cay", "Ogre 1", "Ogre 2"):
        text = (p if p.desk.view.mode else p.press("o")).text()
        assert f"[Order: {name}" in text
        assert any(row.startswith(">") and name in row for row in text.split("\n")), text
        p.press("'waits'", "enter")


def test_orders_that_came_behind_a_page_leave_the_cursor_on_the_owed_one() -> None:
    p, now = Player("chaos", FIGHT), ["12:00:00"]
    p.store.effects = StoreEffects(Memory(), SeededDice(1), lambda: f"2026-01-01T{now[0]}Z")
    p.press("?")
    p.store.run("order Ana action=run", by="mia 1")
    p.store.run("order Cay action=run", by="jon 1")
    now[0] = "12:00:09"
    assert "[Order: Ogre 1, 1 more to come]" in p.press("escape", "o").text()


def test_o_opens_the_owed_order_when_a_players_has_just_come() -> None:
    p = Player("chaos", FIGHT)
    p.size = (120, 40)
    p.text()
    p.store.run("order Ana action=run", by="mia 1")
    assert "[Order: Cay" in p.press("o").text()
    p.press("escape", "G")
    p.store.run("order Cay action=run", by="jon 1")
    assert "[Order: Ogre 2" in p.press("o").text(), "a row that was gone to is meant"


def test_enter_on_a_players_order_that_was_only_looked_at_leaves_it_theirs() -> None:
    p = Player("chaos", FIGHT)
    p.size = (120, 40)
    p.store.run("order Ana action=run", by="mia 1")
    step = p.store.step
    assert "[Order: Ana, rewritten]" in p.press("G", "g", "o").text(), "a row that was gone to is meant"
    assert "stays as it is" in p.press("enter").text()
    assert p.store.step == step
