"""Forms: readable while they are written, what was proposed gives way, Esc leaves all as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import Player
from tests.kit.tiers import cases
from tui.ui.modes.form import Form
from tui.ui.text.rows import cells

CHAOS = ("add Ana owner=Mia hp=18", "add Bo owner=Tom", "add 2 Orc", "begin")
LONG = (
    "if Elia is attacked I step between them, as far as my movement goes, and take the blow on the shield, "
    "whoever it was that struck; and then I shout for the others"
)
DYNAMIC = ("add Fay kind=pc", "add Ogre", "begin")


def orders(p: Player) -> str:
    return "\n".join(p.picture()["orders"])


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 18), (100, 30)])
def test_a_sentence_is_read_whole_while_it_is_typed_and_afterwards(size: tuple[int, int]) -> None:
    p = Player("chaos", CHAOS)
    p.size = size
    p.press("o", *["tab"] * 4, f"'{LONG}'")
    assert LONG in " ".join(orders(p).split())
    if size[0] < 80:
        return
    p.press("tab")
    assert LONG in " ".join(orders(p).split())


@pytest.mark.parametrize("panes", range(4))
def test_esc_leaves_the_keys_where_they_were(panes: int) -> None:
    p = Player("chaos", CHAOS).press(*["tab"] * panes)
    there = p.desk.view.focus
    p.press("o", "'x'", "escape")
    assert (p.desk.view.mode, p.desk.view.focus) == (None, there)
    p.press(":", "'x'", "escape", "d", "escape")
    assert (p.desk.view.mode, p.desk.view.focus) == (None, there)


TEXTS = st.text(st.sampled_from("ab ,.;|=>\"'龍é\u0301🧝-019"), max_size=700)
SIZES = st.tuples(st.integers(1, 130), st.integers(1, 45))
TYPED = (
    "movement", "action", "bonus", "object", "reaction", "reaction2", "ready", "weapon", "spell", "intent",
)  # fmt: skip


def bare(text: str) -> str:
    """Without blanks, which a row may end in."""
    return text.replace(" ", "")


STARTS = [
    ("chaos", CHAOS, "o"),
    ("dynamic", DYNAMIC, "o"),
    ("dungeon-universalis", ("add Ana kind=pc", "add 3 Orc", "begin"), "m"),
    ("chaos", (*CHAOS, "lock missing=empty", "roll", "ok", "next"), "T"),
    ("chaos", (*CHAOS, "lock missing=empty", "roll", "ok", "next"), "M"),
]


@cases(60)
@given(
    st.sampled_from(STARTS),
    TEXTS,
    SIZES,
    st.integers(0, 9),
    st.lists(st.sampled_from(["left", "home", "right"])),
)
def test_any_text_in_any_form_at_any_size(
    start: tuple[str, tuple[str, ...], str], text: str, size: tuple[int, int], down: int, moves: list[str]
) -> None:
    """Nothing is raised, the cursor is on the screen, no row is wider than the pane, what is cut says so."""
    system, lines, key = start
    p = Player(system, lines).press(key, *["down"] * down)
    p.size = size
    p.desk.paste(text)
    p.press(*moves)
    assert isinstance(p.desk.view.mode, Form)
    boxes = p.desk.boxes(*size)
    drawn = p.desk.draw(boxes)
    x, y = p.desk.point(boxes, drawn)
    assert 0 <= x < size[0]
    assert 0 <= y < size[1]
    if "orders" not in boxes or boxes["orders"].height < 3 or size[0] < 24:
        return
    rows = drawn["orders"]
    assert any(row[:1] == ((">", "focus"),) or any(role == "current" for _, role in row) for row in rows)
    assert all(sum(cells(t) for t, _ in row) <= size[0] for row in rows)
    shown = "".join("".join(t for t, _ in row) for row in rows)
    whole = all(bare(value) in bare(shown) for key, value in p.desk.view.mode.texts.items() if key in TYPED)
    assert whole or "…" in shown or " of " in shown
