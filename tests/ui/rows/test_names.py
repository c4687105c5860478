"""Names that mean something to markup, terminals and layouts are drawn as they are, in straight columns."""

from __future__ import annotations

from hypothesis import given

from tests.kit.keyboard import Player
from tests.kit.strategies import any_text
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.language.tokens import quote
from tui.ui.panes.keyed import keyed_text
from tui.ui.text.rows import cells


@given(any_text(max_size=30))
@cases(60)
def test_any_text_as_a_name_is_refused_or_drawn(name: str) -> None:
    p = Player()
    try:
        p.store.run("add " + quote(name))
    except RuleError:
        return
    p.press("space", "w", "escape", "2", "d")
    boxes = p.desk.boxes(80, 24)
    for part, lines in p.desk.draw(boxes).items():
        assert all(sum(cells(text) for text, _ in line) <= boxes[part].width for line in lines)


def test_what_is_said_about_words_is_not_taken_for_words() -> None:
    assert keyed_text("`next` when done; `nonsense`", {"next": "n"}) == "[n] next when done; :nonsense"


def test_a_cut_name_keeps_its_number() -> None:
    orders = [f'order "Goblin Warrior {n}" intent=x' for n in (1, 2, 3)]
    p = Player("dynamic", ["add Ana kind=pc", "add 3 Goblin Warrior", "begin", *orders])
    rows = " ".join(p.picture()["orders"])
    assert all(f"Goblin Wa… {n} intent x" in rows for n in (1, 2, 3)), rows
