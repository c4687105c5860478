"""What was half written comes back, and what is written unseen shows nothing."""

from __future__ import annotations

from collections.abc import Mapping

from tests.kit.keyboard import Player
from tests.ui.desk.asking import TOYS, WRITING
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
