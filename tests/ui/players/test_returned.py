"""A seat whose lines were taken back: its player is told, and has them as drafts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.seats import DUEL, Hall
from tests.ui.players.chair import Chair
from tests.ui.players.post import page, seated
from tui.core.published_page import ReturnedLine, Seat
from tui.ui.players.returned import LINE_DRAFT, ReturnedDrafts
from tui.ui.settings.drafts import Drafts

TAKEN = "the order of Ana no longer counts: the game master undid"


@pytest.fixture
def chair(tmp_path: Path) -> Iterator[Chair]:
    hall = Hall(tmp_path)
    hall.do("add Ana owner=Mia hp=9", "add Orc hp=9", "begin")
    yield Chair(hall)
    hall.close()


def shows(chair: Chair, text: str) -> bool:
    """Whether a text stands on the screen, over however many rows."""
    return text in " ".join(row.strip() for row in chair.press())


def order(chair: Chair) -> dict[str, str]:
    """The order of Ana that counts."""
    e = chair.hall.store.encounter
    return dict(e.orders["c1"]) if "c1" in e.orders else {}


def test_an_order_outlives_the_undo_of_what_the_game_master_did_before_it(chair: Chair) -> None:
    chair.hall.do("damage Ana 3")
    chair.send_order("over the wall")
    answer = chair.hall.store.run("undo mine=yes").notices[0].text
    assert answer == "took back: Ana takes 3 damage: 6 left"
    assert chair.hall.sees("Mia")["combatants"][0]["hp"] == 9
    assert order(chair) == {"movement": "over the wall"}
    assert not shows(chair, TAKEN)


def test_an_order_that_is_refused_now_is_a_draft_until_it_counts_again(chair: Chair) -> None:
    chair.hall.do("undo", "set Ana hp=8", "begin")
    chair.send_order("over the wall")
    answer = chair.hall.store.run("undo mine=yes").notices[1].text
    assert answer == "no longer counts: Mia's order Ana"
    assert shows(chair, TAKEN)
    assert "over the wall" in chair.drafts["order Ana"]
    assert shows(chair, f'{TAKEN} "Round 1 begins; …"; it is a draft again (Esc closes this)')
    # It is told also to a player who comes back only now, and until it was read.
    later = Chair(chair.hall)
    assert shows(later, f"{TAKEN} a step")
    chair.hall.do("redo")
    assert shows(chair, "it counts again: the order of Ana")
    assert (chair.drafts["order Ana"], order(chair)) == ("", {"movement": "over the wall"})
    chair.hall.do("undo mine=yes")
    assert shows(chair, TAKEN)
    # Nothing says the opposite any more, nor names a key that opens nothing.
    assert not shows(chair, "it counts again")
    assert not shows(chair, "o opens it")
    chair.hall.do("begin")
    assert shows(chair, "o opens it")
    assert not shows(Chair(chair.hall), "unfinished from before")
    chair.press("escape")
    assert not shows(chair, TAKEN)
    assert "over the wall" in " ".join(chair.press("o"))
    assert "taken" in " ".join(chair.press("enter"))
    assert order(chair) == {"movement": "over the wall"}
    assert chair.hall.sees("Mia")["due"][0]["who"] == "Orc"


def test_what_counts_again_is_said_until_play_goes_on(chair: Chair) -> None:
    chair.hall.do("undo", "set Ana hp=8", "begin")
    chair.send_order("over the wall")
    chair.hall.do("undo mine=yes")
    assert shows(chair, TAKEN)
    chair.hall.do("redo")
    assert shows(chair, "it counts again: the order of Ana")
    # A step right after it clears nothing that nobody has read.
    chair.hall.do("damage Orc 1")
    assert shows(chair, "it counts again: the order of Ana")
    for passes in chair.loop.calls:
        passes()
    assert shows(chair, "it counts again: the order of Ana")
    chair.seating.press(":")
    chair.hall.do("undo mine=yes", "undo mine=yes", "undo mine=yes")
    chair.press()
    chair.hall.do("redo 3")
    assert shows(chair, "it counts again: the order of Ana")
    for passes in chair.loop.calls:
        passes()
    chair.hall.do("damage Orc 1")
    assert not shows(chair, "it counts again")


def test_a_line_that_was_undone_waits_where_lines_are_typed(chair: Chair) -> None:
    chair.hall.do("order Orc")
    chair.send_order("up")
    chair.hall.do("lock")
    chair.press()
    chair.press("R")
    chair.type("7")
    chair.press("enter")
    rolled = chair.sent[-1]
    assert rolled.startswith("roll Ana 7")
    answer = chair.hall.store.run("undo").notices[0].text
    assert answer == "took back Mia's roll Ana: it no longer counts"
    undone = 'the game master undid "Ana rolls 7 at the table"; it is a draft again'
    assert shows(chair, f'"{rolled}" no longer counts: {undone} (: opens it, Esc closes this)')
    assert rolled in " ".join(chair.press("escape", ":"))


def test_a_reaction_goes_with_the_turn_that_it_was_meant_for(chair: Chair) -> None:
    store = chair.hall.store
    chair.hall.do("order Ana", "order Orc", "lock", "roll Ana 2", "roll Orc 9", "ok", "next", "damage Ana 1")
    assert chair.hall.send("Mia", "react Ana").became == "taken"
    # The turn that it answered still runs.
    chair.hall.do("undo mine=yes")
    assert "reaction" in store.encounter.combatants["c1"].marks
    assert store.run("undo mine=yes").notices[1].text == "no longer counts: Mia's react Ana"
    assert "reaction" not in store.encounter.combatants["c1"].marks
    assert shows(chair, '"react Ana" no longer counts: the game master undid a step; it is a draft again')
    chair.hall.do("redo")
    assert "reaction" in store.encounter.combatants["c1"].marks
    assert shows(chair, 'it counts again: "react Ana"')


def test_the_notice_goes_with_the_order_that_it_names(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.do(*(f"add {who} owner=Mia hp=9" for who in ("Ana", "Alf", "Ada")), "add Orc hp=9", "begin")
    chair = Chair(hall)
    chair.press("o")
    for text in ("left", "right", "up"):
        chair.type(text)
        chair.press("enter")
    hall.do("undo mine=yes", "begin")
    assert shows(chair, "the order of Ana, the order of Alf, the order of Ada no longer count")
    hall.do("order Alf action=wait")
    assert shows(chair, "the order of Ana, the order of Ada no longer count")
    chair.press("enter")
    # What Esc does is said by the form.
    assert shows(chair, "what was written is a draft again Enter send")
    chair.press("enter")
    assert shows(chair, "the order of Ada no longer counts")
    assert shows(chair, "taken")
    # The form of Ada has opened: the same Esc leaves it.
    chair.press("escape")
    assert not shows(chair, "no longer counts")
    assert not shows(Chair(hall, chair.drafts), "no longer counts")
    hall.close()


def test_a_seat_reads_what_was_undone_that_cost_it_no_line(chair: Chair) -> None:
    chair.send_order("up")
    chair.hall.do("damage Ana 1", "hide Orc")
    chair.press()
    chair.hall.do("undo")
    assert not waited(chair, "undid"), "the step of a hidden creature would be told"
    chair.hall.do("undo mine=yes")
    assert waited(chair, 'the game master undid "Ana takes 1 damage: 8 left"')
    chair.hall.do("redo")
    assert not shows(chair, "undid")
    # Its own sealed order, written again in the place of the first, is undone by nobody.
    chair.hall.do("order Orc")
    chair.send_order(" and down")
    chair.send_order(" and away")
    assert not waited(chair, "undid")


def waited(chair: Chair, text: str) -> bool:
    """Whether a text is on the screen a second later."""
    chair.press()
    calls, chair.loop.calls = chair.loop.calls, []
    for passes in calls:
        passes()
    return shows(chair, text)


def test_a_draft_that_is_newer_than_an_undone_order_is_told_too(chair: Chair) -> None:
    chair.send_order("up")
    chair.press("o")
    chair.type(" and away")
    chair.hall.do("undo")
    later = Chair(chair.hall, chair.drafts)
    assert shows(later, "the order of Ana no longer counts")
    assert shows(later, "unfinished from before: the order of Ana; o continues it")


def test_a_newer_draft_is_not_written_over(chair: Chair) -> None:
    chair.send_order("over the wall")
    chair.press("o")
    chair.type(" and back")
    chair.press("escape")
    chair.hall.do("undo")
    chair.press()
    assert "and back" in chair.drafts["order Ana"]
    assert 'movement="over the wall"' in chair.drafts["line"]


def test_an_order_that_was_rewritten_is_named_once(chair: Chair) -> None:
    chair.hall.do("undo", "set Ana hp=8", "begin")
    chair.send_order("over the wall")
    chair.send_order(" and back")
    chair.hall.do("undo mine=yes")
    assert shows(chair, TAKEN)
    chair.hall.do("redo")
    assert shows(chair, "it counts again: the order of Ana")
    assert not shows(chair, "the order of Ana, the order of Ana")


def test_whoever_has_gone_on_with_a_draft_is_told_too_that_the_line_counts_again(chair: Chair) -> None:
    chair.send_order("over the wall")
    chair.hall.do("undo")
    chair.press("o")
    chair.type(" and back")
    chair.press("escape")
    chair.hall.do("redo")
    assert shows(chair, "it counts again: the order of Ana")
    assert "and back" in chair.drafts["order Ana"]
    chair.hall.do("undo")
    chair.send_order(" twice")
    assert not shows(chair, "it counts again")


def test_an_order_that_its_seat_writes_anew_is_no_line_that_went(chair: Chair) -> None:
    chair.send_order("up")
    chair.send_order(" and down")
    assert order(chair) == {"movement": "up and down"}
    assert not shows(chair, "no longer counts")
    assert chair.hall.store.step == 4


def test_in_a_duel_both_have_their_lines_back(tmp_path: Path) -> None:
    hall = Hall(tmp_path, options=DUEL)
    hall.do("add Ana owner=Mia hp=9 side=red", "add Bo owner=Jon hp=9 side=blue", "begin")
    chair = Chair(hall)
    chair.send_order("up")
    chair.press("u")
    hall.send("Jon", "undo")
    assert shows(chair, 'the order of Ana no longer counts: "Ana has written" was undone')
    assert "up" in chair.drafts["order Ana"]
    hall.do("order Ana", "order Bo")
    assert hall.send("Mia", "order Ana movement=x").became == "taken"
    hall.do("note x")
    hall.send("Jon", "order Bo movement=y")
    with pytest.raises(Exception, match="a step of a player came after it"):
        hall.do("undo mine=yes")
    hall.close()


def test_a_seat_in_lines_says_what_went_and_what_counts_again(tmp_path: Path) -> None:
    hall, _, seat, out = seated(tmp_path)
    hall.do("undo", "begin")
    seat.line(page(hall), "order Ana action=up")
    hall.intake.look()
    for line in ("undo mine=yes", "redo", "undo mine=yes"):
        hall.do(line)
        seat.news(page(hall))
    said = [line for line in out.getvalue().splitlines() if "count" in line]
    gone = "A step was undone, and this no longer counts: order Ana action=up"
    assert said == [gone, "This counts again: order Ana action=up", gone]
    hall.close()


class Kept(Drafts):
    """Drafts in memory."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def load(self) -> dict[str, str]:
        return dict(self.texts)

    def save(self, name: str, text: str) -> None:
        self.texts[name] = text


def test_every_line_that_came_back_waits_its_turn_where_lines_are_typed() -> None:
    drafts = Kept()
    returned = ReturnedDrafts(drafts)
    both = (ReturnedLine(3, "turn Iris"), ReturnedLine(4, "end"))
    returned.news(Seat(returned=both), {}, "undone")
    assert returned.first_line() == "turn Iris"
    drafts.save(LINE_DRAFT, "")  # it is sent
    assert returned.first_line() == "end"
    returned.news(Seat(returned=both[:1]), {}, "undone")  # the other one counts again
    assert returned.first_line() == ""


def test_a_refused_roll_that_is_owed_no_more_opens_no_form(chair: Chair) -> None:
    chair.hall.do("order Ana", "order Orc", "lock")
    chair.press("j", "R")
    chair.type("33")
    chair.seating.press("enter")
    chair.hall.do("undo mine=yes")
    assert shows(chair, "refused: 33 is not on a d20")
    assert not shows(chair, "faces of d20")


def test_a_key_that_begins_a_line_goes_on_with_its_draft_and_keeps_another(chair: Chair) -> None:
    chair.hall.do("order Ana", "order Orc", "lock", "roll Ana 9", "roll Orc 2", "ok", "next")
    chair.press("f")
    chair.type("cut")
    later = Chair(chair.hall, chair.drafts)
    assert shows(later, "unfinished from before: a line")
    assert ":react Ana with cut" in " ".join(later.press("f"))
    again = Chair(chair.hall, chair.drafts)
    again.drafts["line"] = "roll Ana 7"
    assert "with cut" not in " ".join(again.press("f", "x"))
    assert "roll Ana 7" in " ".join(again.press("escape", ":"))


def test_a_key_after_a_question_goes_on_with_the_order(chair: Chair) -> None:
    chair.press("o")
    assert shows(chair, "movement")
    chair.press("enter")
    assert shows(chair, "does nothing at all this round")
    chair.type("wait")
    chair.press("enter")
    assert order(chair) == {"movement": "wait"}


def test_a_word_that_was_undone_is_told_and_is_no_draft(tmp_path: Path) -> None:
    hall = Hall(tmp_path, options=DUEL)
    hall.do("add Ana owner=Mia hp=9 side=red", "add Bo owner=Jon hp=9 side=blue", "begin")
    hall.do("order Ana", "order Bo", "lock", "roll Ana 1", "roll Bo 9", "ok")
    chair = Chair(hall)
    chair.press("n")
    assert hall.store.encounter.turn
    chair.press("u")
    hall.send("Jon", "undo")
    assert not hall.store.encounter.turn
    undone = '"All reactions are shown (CHA-15); …" was undone'
    assert shows(chair, f'"next" no longer counts: {undone} (Esc closes this)')
    assert not any(text for name, text in chair.drafts.items() if name.startswith(LINE_DRAFT))
    hall.close()
