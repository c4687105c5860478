"""What a seat writes is read while it is typed, asked about before it is sent, and closed when it is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.seats import Hall
from tests.kit.table import Table
from tests.ui.players.chair import Chair
from tui.core.fight.viewer import text
from tui.core.language.typed_order import WrittenFor
from tui.core.rules.now import now
from tui.core.rules.on_screen import on_screen
from tui.systems import Registry

PARTS = ("movement", "action", "bonus", "object", "reaction")
BRANCHES = "stab it if the worg comes and hide"
TEXTS = st.lists(
    st.sampled_from(["run", "or else", "if it comes", "ready a bolt", "=>", "hide", ",", "when", "1d8", "2"]),
    max_size=6,
).map(" ".join)


@pytest.fixture
def chair(tmp_path: Path) -> Iterator[Chair]:
    hall = Hall(tmp_path)
    hall.do("add Ana owner=Mia hp=9", "add Bo owner=Jon hp=9", "begin")
    yield Chair(hall)
    hall.close()


def part(chair: Chair, name: str, text: str) -> list[str]:
    """Types a text into a part of the order, from its first part on."""
    chair.press(*["tab"] * PARTS.index(name))
    return chair.type(text)


def said(rows: Sequence[str]) -> str:
    """Return the screen in one line."""
    return " ".join(" ".join(rows).split())


def now_of(chair: Chair) -> Mapping[str, str]:
    return dict(chair.hall.store.encounter.orders.get("c1", {}))


@given(st.dictionaries(st.sampled_from(["movement", "action", "bonus", "reaction", "ready"]), TEXTS))
def test_a_seat_reads_an_order_of_chaos_as_the_game_masters_form_does(texts: dict[str, str]) -> None:
    table = Table("chaos")
    table.do("add Ana", "begin")
    given_ = {key: text for key, text in texts.items() if text.strip()}
    fields = on_screen(table.store.system).preview(table.encounter, "c1", given_)
    reader = Registry().reader("chaos")
    assert reader
    assert reader(given_, WrittenFor(("movement", "action"))) == fields


@given(
    st.dictionaries(
        st.sampled_from(["weapon", "spell", "action", "move"]), st.sampled_from(["1d8", "2", "yes"])
    ),
    st.sampled_from(["", " bonus=1,-1", " bonus=2", " adv=dis"]),
)
def test_a_seat_reads_a_declaration_as_the_game_masters_form_does(texts: dict[str, str], more: str) -> None:
    table = Table("dynamic")
    table.do(f"add Ana kind=pc{more}", "begin")
    reader = Registry().reader("dynamic")
    assert reader
    people = (table.encounter.combatants["c1"].fields,)
    assert reader(texts, WrittenFor(people=people)) == on_screen(table.store.system).preview(
        table.encounter, "c1", texts
    )


def test_a_trigger_is_read_back_while_it_is_typed(chair: Chair) -> None:
    chair.press("o")
    shown = part(chair, "reaction", "she falls => catch her")
    assert any("reads as: when she falls, then catch her" in row for row in shown)


def test_what_cannot_be_sent_is_said_at_once_and_the_word_goes_with_the_next_letter(chair: Chair) -> None:
    chair.press("o")
    part(chair, "movement", "run or else jump or else hide")
    shown = chair.press("enter")
    assert any("more than one 'or else'" in row for row in shown)
    assert not chair.sent
    chair.press(*["backspace"] * len(" or else hide"))
    assert not any("more than one" in row for row in chair.press())
    chair.press("enter")
    assert now_of(chair) == {"movement": "run or else jump"}


def test_a_condition_is_asked_about_and_the_game_master_reads_of_it(chair: Chair) -> None:
    chair.press("o")
    part(chair, "action", BRANCHES)
    asked = " ".join(row.strip() for row in chair.press("enter"))
    assert 'a trigger belongs in reaction or ready, a second way after "or else": [y] sends it' in asked
    assert not chair.sent
    chair.press("enter")  # any other key goes back
    assert any("Order of Ana" in row for row in chair.press())
    assert not chair.sent
    chair.press("enter")
    chair.press("y")
    assert now_of(chair) == {"action": BRANCHES}
    chair.hall.do("order Bo action=hide")
    e = chair.hall.store.encounter
    assert "Ana's order reads like a condition" in text(e, now(e, chair.hall.store.system))


def test_a_question_is_answered_only_by_a_key_after_it_was_shown(chair: Chair) -> None:
    chair.press("o")
    part(chair, "action", BRANCHES)
    chair.seating.press("enter")
    chair.seating.press("y")
    assert not chair.sent
    chair.press()
    chair.press("y")
    assert now_of(chair) == {"action": BRANCHES}


@pytest.mark.parametrize(
    ("key", "sent"), [("y", {"movement": "left", "action": "swing"}), ("n", {"action": "swing"})]
)
def test_parts_of_the_round_before_are_asked_about_once_another_is_written(
    chair: Chair, key: str, sent: Mapping[str, str]
) -> None:
    chair.hall.do(
        "order Ana movement=left action=hit", "order Bo", "lock", "roll Ana 9", "roll Bo 3", "ok", "next 3"
    )
    chair.press()
    chair.press("o")
    part(chair, "action", "swing")
    assert any("movement: as proposed" in row for row in chair.press("enter"))
    chair.press(key)
    assert now_of(chair) == sent


def test_a_form_ends_with_what_it_is_about_and_letters_meant_for_it_do_nothing(chair: Chair) -> None:
    chair.press("o")
    part(chair, "reaction", "jump")
    assert "cannot be sent" in said(chair.press("enter"))
    chair.hall.do("lock missing=empty")
    assert "asked for no more" in said(shown := chair.press())
    assert "cannot be sent" not in said(shown)
    assert any("asked for no more" in row for row in chair.press("r", "e", "o"))
    assert not any("asked for no more" in row for row in chair.press("enter"))
    assert not chair.sent


def test_a_form_ends_when_its_order_is_written_elsewhere_and_what_was_typed_is_a_draft(
    chair: Chair,
) -> None:
    chair.press("o")
    part(chair, "action", "hide")
    chair.hall.do("order Bo action=wave")
    assert any("Order of Ana" in row for row in chair.press())
    chair.hall.do("order Ana action=strike")
    shown = said(chair.press())
    assert "written elsewhere; what you wrote is kept, and o opens it later" in shown
    chair.press("enter")
    assert not chair.sent
    assert "action hide" in said(chair.press("o"))
    chair.press("enter")
    assert now_of(chair) == {"action": "hide"}
    chair.press("o")
    chair.hall.do("undo")
    assert "Order of Ana" in said(chair.press()), "it is owed again"


def test_a_draft_is_offered_beside_the_order_that_is_owed(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.do("add Ana owner=Mia hp=9", "add Cat owner=Mia hp=3", "begin")
    chair = Chair(hall)
    chair.press("o")
    part(chair, "movement", "run")
    hall.do("order Ana action=strike")
    assert "o opens it" in said(chair.press())
    chair.press("escape")
    assert "Order of Cat" in said(chair.press("enter"))
    chair.press("escape", "o")
    assert "movement run" in said(chair.press("2"))
    hall.close()


def test_a_form_opened_before_its_order_is_on_the_page_stays_open(chair: Chair) -> None:
    chair.press("o")
    part(chair, "action", "hide")
    for key in ("enter", "o"):
        chair.seating.press(key)
    assert chair.sent
    assert "Order of Ana" in said(chair.press())


def test_a_masked_form_ends_without_a_word_of_the_order(chair: Chair) -> None:
    chair.press("o", "ctrl+t")
    chair.hall.do("order Ana action=strike")
    shown = said(chair.press())
    assert "written elsewhere" in shown
    assert "strike" not in shown.partition("written elsewhere")[2]


def test_an_empty_order_is_asked_about_with_what_it_replaces(chair: Chair) -> None:
    chair.press("o")
    shown = said(chair.press("enter"))
    assert "Ana does nothing at all this round: [y]" in shown
    chair.press("n")
    part(chair, "action", "hide")
    chair.press("enter", "o")
    part(chair, "action", "")
    chair.press("ctrl+u")
    assert "in place of the order that is written already" in said(chair.press("enter"))
    chair.press("y")
    assert now_of(chair) == {}


@pytest.mark.parametrize(
    ("text", "why"), [("run or else jump or else hide", "more than one"), (BRANCHES, "like a condition")]
)
def test_what_is_wrong_or_doubtful_stands_once_on_the_screen(chair: Chair, text: str, why: str) -> None:
    chair.press("o")
    part(chair, "action", text)
    shown = said(chair.press("enter"))
    assert shown.count(why) == 1


def test_a_draft_is_announced_to_who_comes_back(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.do("add Ana owner=Mia hp=9", "begin")
    first = Chair(hall)
    first.press("o")
    first.type("over the")
    second = Chair(hall, first.drafts)
    assert any("the order of Ana" in row for row in second.press())
    hall.close()


def test_a_draft_is_announced_once_its_form_can_be_opened(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.do("add Ana owner=Mia hp=9")
    late = Chair(hall, {"order Ana": '{"movement": "over the"}'})
    assert not any("unfinished from before" in row for row in late.press())
    hall.do("begin")
    assert any("unfinished from before" in row for row in late.press())
    late.press("o", "escape")
    assert not any("unfinished from before" in row for row in late.press())
    hall.close()


def test_a_typed_line_that_waits_is_announced_without_its_words(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.do("add Ana owner=Mia hp=9", "begin")
    late = Chair(hall, {"line": "react Ana with"})
    assert any("unfinished from before: a line; : continues it" in row for row in late.press())
    assert not any("react Ana with" in row for row in late.press())
    hall.close()


def test_of_a_form_in_which_nothing_was_written_nothing_is_kept(chair: Chair) -> None:
    chair.press("o")
    chair.hall.do("lock missing=empty")
    shown = " ".join(chair.press())
    assert "asked for no more" in shown
    assert "is kept" not in shown


def test_letters_change_no_colours_while_an_order_is_owed(chair: Chair) -> None:
    chair.press("t")
    assert "set_palette" not in chair.loop.asked
    chair.send_order("run")
    chair.hall.do("order Bo", "lock")
    chair.press("t")
    assert "set_palette" in chair.loop.asked


def test_a_line_given_up_with_esc_comes_back_with_up(chair: Chair) -> None:
    chair.press(":")
    chair.type("roll Ana 4")
    assert "roll Ana" not in said(chair.press("escape", ":"))
    assert ":roll Ana 4" in said(chair.press("up"))
