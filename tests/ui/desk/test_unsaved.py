"""What is shown as saved is saved: the mark, the steady line when the disk fails, the line that is kept."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from tests.kit.keyboard import FIGHT, Player
from tui.store.dependencies import StoreEffects
from tui.store.journal.format import Record
from tui.store.problems import NotSaved
from tui.ui.desk.ports import ProgramWord, Services
from tui.ui.settings.drafts import Drafts


class Sick:
    """A journal on a disk that can be full."""

    def __init__(self) -> None:
        self.full = False

    def append(self, step: Record[Any]) -> None:
        if self.full:
            raise NotSaved("the disk is full", "free some space")


def sick() -> tuple[Player, Sick]:
    p, disk = Player(lines=FIGHT), Sick()
    old = p.store.effects
    p.store.effects = StoreEffects(disk, old.dice, old.clock, old.library)
    return p, disk


def test_a_step_that_cannot_be_saved_changes_nothing_and_stays_as_a_draft() -> None:
    p, disk = sick()
    disk.full = True
    before = p.store.encounter
    p.press("tab", "g", "5", "d")
    assert p.store.encounter is before
    assert "NOT SAVED: the disk is full; free some space" in p.text()
    assert ":damage Ana 5" in p.text()
    p.press("escape", "j", "j")
    assert "NOT SAVED" in p.text()
    p.press(":", "up", "enter")
    assert "NOT SAVED" in p.text()
    assert ":damage" not in p.press("ctrl+u").text()
    disk.full = False
    p.press("up", "enter")
    assert p.asked() == ["damage Ana 5"]
    assert "NOT SAVED" not in p.text()


def test_q_asks_only_while_a_line_is_not_saved() -> None:
    left: list[bool] = []
    p, disk = sick()
    p.desk.services = replace(p.desk.services, leave=lambda: left.append(True))
    disk.full = True
    p.press("n", "escape", "q")
    assert left == []
    assert "not saved" in p.message()
    p.press("enter")
    assert left == [True]


def test_lines_that_were_refused_wait_until_each_is_sent_or_dropped() -> None:
    p, disk = sick()
    disk.full = True
    p.press(
        "n", "escape", ":", "'note over'", "enter", "escape", ":", "'hide Ana'", "enter", "escape", ":", "up"
    )
    disk.full = False
    p.press("enter")
    assert p.asked() == ["hide Ana"]
    assert "NOT SAVED" not in p.text()
    assert ":note over" in p.text()
    assert "was not saved" in p.message()
    p.press("enter")
    assert p.asked()[-1] == "note over"
    assert ":next" in p.text()
    p.press("escape")
    assert p.desk.view.mode is None
    assert p.asked() == ["note over"]
    p.press(":", "up")
    assert ":next" in p.text()


def test_a_line_of_the_last_time_waits_too() -> None:
    kept: dict[str, str] = {}

    class Kept(Drafts):
        def load(self) -> dict[str, str]:
            return kept

        def save(self, name: str, text: str) -> None:
            kept.pop(name, None) if not text else kept.update({name: text})

    p, disk = sick()
    p.desk.services = replace(p.desk.services, drafts=Kept())
    disk.full = True
    p.press("n", "escape", ":", "'note over'", "enter")
    again = Player(lines=FIGHT, services=Services(drafts=Kept()))
    assert ":note over" in again.text()
    again.press("enter")
    assert again.asked() == ["note over"]
    again.press("enter")
    assert again.asked() == ["next"]
    assert again.desk.view.mode is None
    assert kept == {}


def test_the_words_of_the_program_are_in_the_help_and_in_the_palette() -> None:
    said: list[str] = []

    def save_as(rest: str) -> str:
        said.append(rest)
        return "done"

    word = ProgramWord(save_as, "saveas NAME", "goes on elsewhere")
    p = Player(lines=FIGHT, services=Services(words={"saveas": word}))
    p.press("?", *"saveas")
    assert "saveas NAME" in p.text()
    p.press("escape", "ctrl+p", "'saveas'", "enter", "' other'", "enter")
    assert said == ["other"]
    assert p.message() == "done"


def test_keys_meant_for_the_board_do_not_spoil_the_line_that_waits() -> None:
    p, disk = sick()
    disk.full = True
    p.press("n", "n", "space", "x")
    assert ":next" in p.text()
    assert ":nextn" not in p.text()
    assert "waits for the disk" in p.message()
    p.press("enter")
    assert "NOT SAVED" in p.text()
    disk.full = False
    p.press("n", "enter")
    assert p.asked() == ["next"]
    # Whoever edits it, edits it.
    disk.full = True
    p.press("n", "backspace", "t", "space", "2")
    assert ":next 2" in p.text()
