"""What systems ask and offer, answered by keys: forms, lock, choice, dice, board, who goes, own words."""

from __future__ import annotations

from collections.abc import Mapping

from tests.kit.keyboard import Player, lines
from tests.ui.desk.asking import PLAYING, TOYS, WRITING, WRITTEN
from tui.ui.desk.ports import Services
from tui.ui.settings.drafts import Drafts
from tui.ui.state.settings import Settings


class DraftFolder(Drafts):
    """Drafts that outlive a desk."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def load(self) -> Mapping[str, str]:
        return dict(self.texts)

    def save(self, name: str, text: str) -> None:
        self.texts[name] = text


def toy(*lines: str, settings: Settings | None = None, services: Services | None = None) -> Player:
    return Player("toy", lines, systems=TOYS, settings=settings, services=services)


def test_a_form_is_written_field_by_field_and_the_next_one_opens() -> None:
    p = toy(*WRITING).press("o", "'left'", "tab", "space", "tab", "space", "enter", "y")
    assert p.asked() == ["order Ana move=left stance=bold shield=yes dice=1d6"]
    assert "Order: Bo" in p.text()
    p.press("'stay or else run away'", "enter", "y")
    assert p.asked() == ['order Bo move="stay or else run away" dice=1d6']
    assert p.desk.view.mode is None
    p.press("enter")
    assert "all orders are written: [n] lock" in p.message()
    p.press("n")
    assert p.asked() == ["lock"]


def test_or_else_is_shown_apart() -> None:
    rows = toy(*WRITING).press("o", "'stay, or else run'", "tab").picture()["orders"]
    assert [row.split() for row in rows[1:3]] == [["movement", "stay,"], ["or", "else", "run"]]


def test_what_a_form_would_mean_is_shown_while_typing() -> None:
    p = toy(*WRITING).press("o", "'maybe'")
    assert "? unclear" in p.text()
    assert "2 said" in p.text()
    p.press("' jump jump'", "enter", "y")
    assert p.text().count("one jump is enough") == 1
    assert p.store.step == len(WRITING)


def test_a_refused_order_stays_in_the_form() -> None:
    p = toy(*WRITING).press("o", "'fly'", "enter", "y")
    assert "nobody flies" in p.message()
    p.press("ctrl+u", "'walk'", "enter", "y")
    assert p.asked() == ["order Ana move=walk dice=1d6"]


def test_a_half_written_order_survives_escape_and_a_crash() -> None:
    shelf = DraftFolder()
    p = toy(*WRITING, services=Services(drafts=shelf)).press("o", "'over the wall'", "escape")
    assert p.desk.view.mode is None
    again = toy(*WRITING, services=Services(drafts=shelf)).press("o")
    assert "over the wall" in again.text()
    again.press("enter", "y", "escape")
    assert shelf.texts["order Ana"] == ""


def test_orders_are_typed_unseen_when_the_table_can_see() -> None:
    p = toy(*WRITING, settings=Settings(masked=True)).press("o", "'secret'")
    assert "secret" not in p.text()
    p.press("tab")
    assert "letters" not in p.text()
    p.press("ctrl+t")
    assert "secret" in p.text()
    p.press("ctrl+t", "enter")
    assert p.asked() == ["order Ana move=secret dice=1d6"]
    p.press("escape")
    assert "secret" not in "".join(p.picture()["orders"])


def test_a_masked_order_looks_the_same_whatever_is_written_and_wherever_the_cursor_stands() -> None:
    def shown(*keys: str) -> str:
        p = Player("chaos", ["add Ana owner=Mia", "add Wolf", "begin"], settings=Settings(masked=True))
        return p.press("o", *keys).text()

    texts = ("'hide'", "'ambush the wolf or else run, when it is near => kick'")
    for tabs in (0, 1, 4):
        pictures = {
            shown(*["tab"] * tabs, text, *moved)
            for text in texts
            for moved in ((), ("left", "left"), ("tab", "shift+tab"))
        }
        assert len(pictures) == 1, tabs


def test_a_choice_takes_several_in_order_or_none() -> None:
    p = toy(*WRITTEN).press("enter", "j", "space", "k", "space", "enter")
    assert p.asked() == ["pick Bo Ana"]
    p = toy(*WRITTEN).press("enter", "space", "j", "space", "enter")
    assert p.asked() == ["pick Ana Bo"], "Space chooses, and the cursor stays"
    p = toy(*WRITTEN).press("enter", "enter")
    assert p.asked() == ["pick none"]
    p = toy(*WRITTEN).press("enter", "A", "enter")
    assert p.asked() == ["pick Ana Bo"]


def test_two_faces_run_together_are_two_faces() -> None:
    p = toy(*WRITTEN, "pick none").press("#", "#", "'53'", "enter")
    assert p.asked() == ["roll GM 5 3"]


def test_the_board_is_shown_until_it_is_acknowledged() -> None:
    p = toy(*WRITTEN, "pick none", "roll")
    assert "Ana waits" in "".join(p.picture()["orders"])
    p.press("n")
    assert p.asked() == ["ok"]
    assert "Ana waits" not in p.text()


def test_enter_on_a_row_that_may_act_takes_it() -> None:
    p = toy(*PLAYING).press("j", "enter")
    assert p.asked() == ["turn Bo"]
    assert p.store.encounter.acting == "c2"


def test_who_goes_is_a_menu_from_any_other_pane() -> None:
    p = toy(*PLAYING).press("tab", "tab", "enter")
    assert "Who goes" in p.text()
    p.press("j", "enter")
    assert p.asked() == ["turn Bo"]


def test_p_passes() -> None:
    p = toy(*PLAYING).press("p")
    assert p.asked() == ["pass"]


def test_a_word_of_the_system_has_its_key_and_a_menu_of_what_it_could_mean() -> None:
    p = toy(*PLAYING).press("m")
    assert p.asked() == ["shout"]
    p.press("y")
    assert "a waltz  +3, place 2" in p.text()
    p.press("j", "enter")
    assert p.asked() == ["dance Bo"]
    p.press(*lines("verbs"), "y", "enter")
    assert p.asked() == ["dance Ana"]


def test_why_and_rule_speak_in_our_own_words() -> None:
    p = toy(*PLAYING).press("w")
    assert "as they sit (TOY-1)" in p.text()
    p.press("escape", *lines("rule"))
    assert "Whoever writes, moves." in p.text()


def test_a_written_order_is_edited_in_the_form_until_the_lock() -> None:
    p = toy(*WRITING, 'order Ana move="to the door" shield=yes').press(
        "tab", "tab", "tab", "tab", "g", "enter"
    )
    assert "Order: Ana, rewritten" in p.text()
    assert "to the door" in p.text()
    assert "[yes]" in p.text()
    p.press("end", "' and back'", "enter")
    assert p.asked() == ['order Ana move="to the door and back" shield=yes']
    assert p.desk.view.mode is None
    p.press("G", "o")
    assert "Order: Bo" in p.text()
    p.press(
        "escape",
        ":",
        "'write Ana'",
        "enter",
        "ctrl+u",
        "'stay'",
        "enter",
        ":",
        "'lock missing=empty'",
        "enter",
    )
    p.press(":", "'write Ana'", "enter")
    assert ":order Ana move=stay shield=yes" in p.text()


def test_whoever_owes_goes_before_those_who_have_written_when_nobody_is_chosen() -> None:
    p = toy(*WRITING, "order Ana move=left").press("o")
    assert "Order: Bo" in p.text()
    p.press("enter", "o")
    assert "Order: Ana, rewritten" in p.text()


def test_what_was_half_written_before_the_order_came_as_a_line_is_not_taken_for_it() -> None:
    shelf = DraftFolder()
    p = toy(*WRITING, services=Services(drafts=shelf)).press("o", "'half'", "escape")
    p.store.run("order Ana move=whole")
    p.press(":", "'write Ana'", "enter")
    assert "whole" in p.text()
    p.press("end", "'r'", "escape", ":", "'write Ana'", "enter")
    assert "wholer" in p.text()
    assert "wholer" in shelf.texts["again Ana"]


def test_what_was_typed_before_the_order_came_is_no_draft_once_it_is_sent() -> None:
    shelf = DraftFolder()
    p = toy(*WRITING, services=Services(drafts=shelf)).press("o", "'half'")
    p.store.run("order Ana move=whole")
    p.press("enter")
    assert "written since this form was opened" in p.text()
    p.press("y")
    assert p.asked() == ["order Ana move=half dice=1d6"]
    assert not shelf.texts["order Ana"]


def test_a_word_that_has_a_form_leads_through_it() -> None:
    p = toy(*PLAYING).press(*lines("verbs"), "Q")
    assert "call: calls out" in p.text()
    assert "note Loud" in p.text()
    p.press("l", "tab", "'0'", "enter")
    assert "not at all" in p.message()
    p.press("ctrl+u", "'2'", "enter")
    assert p.asked(2) == ["note Loud", "call 2"]
    assert p.desk.view.mode is None
