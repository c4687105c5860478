"""The form of an order: keys in, one line out that says what was typed; a picture that always fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tui.core.fight.agenda import FormAsk
from tui.core.language.actions import Order
from tui.core.language.grammar import parse
from tui.core.rules.on_screen import on_screen
from tui.systems import Registry
from tui.ui.players.writing import (
    HelpedField,
    OrderForm,
    focus_part,
    open_order,
    order_rows,
    paste_text,
    press_key,
)
from tui.ui.text.glyphs import ASCII, UNICODE
from tui.ui.text.rows import cells, words

FIELDS = (
    HelpedField("movement", "movement", "text", "", (), help="where it goes"),
    HelpedField("action", "action", "text", "Dodge", ()),
    HelpedField("maintain", "keep it", "bool", "", ()),
    HelpedField("spell", "spell level", "choice", "", ("1", "2")),
)
KEYS = st.one_of(
    st.characters(exclude_categories=["C", "Z"]),
    st.sampled_from(
        [
            "space",
            "tab",
            "shift+tab",
            "up",
            "down",
            "left",
            "right",
            "backspace",
            "delete",
            "home",
            "end",
            "ctrl+t",
            "ctrl+w",
            "ctrl+u",
            "f9",
        ]
    ),
)


def fresh(who: str = "Ana") -> OrderForm:
    return open_order(who, FIELDS, {}, "", masked=False)


def typed(form: OrderForm, text: str) -> OrderForm:
    for char in text:
        form = press_key(form, "space" if char == " " else char)
    return form


@given(st.lists(KEYS, max_size=40), st.sampled_from(["Ana", "Big Bo", 'O"Neil', "-x", "a=b"]))
def test_whatever_is_typed_is_one_line_that_says_it(keys: list[str], who: str) -> None:
    form = fresh(who)
    for key in keys:
        form = press_key(form, key)
    action = parse(form.line)
    assert isinstance(action, Order)
    assert (action.who, action.keys) == (who, {k: t.strip() for k, t in form.texts.items() if t.strip()})


@given(st.lists(KEYS, max_size=60), st.integers(8, 120), st.integers(1, 30), st.booleans())
def test_the_picture_fits(keys: list[str], width: int, most: int, few: bool) -> None:
    form = fresh()
    for key in keys:
        form = press_key(form, key)
    rows = order_rows(form, width, most, ASCII if few else UNICODE)
    assert len(rows) <= most
    assert all(cells(words(row)) <= width for row in rows)


def test_a_proposed_text_is_replaced_by_the_first_letter_and_kept_without_one() -> None:
    form = focus_part(fresh(), 1)
    assert form.line == "order Ana action=Dodge"
    assert typed(form, "hide").line == "order Ana action=hide"
    assert paste_text(form, "run off").line == 'order Ana action="run off"'


def test_choices_are_turned_and_not_typed() -> None:
    form = focus_part(fresh(), 2)
    assert press_key(form, "space").texts["maintain"] == "yes"
    assert press_key(press_key(form, "space"), "n").texts["maintain"] == ""
    spell = focus_part(form, 3)
    assert press_key(spell, "2").texts["spell"] == "2"
    assert press_key(press_key(spell, "right"), "right").texts["spell"] == "2"
    assert paste_text(spell, "junk") == spell


def test_what_was_half_written_comes_before_what_stands_there() -> None:
    draft = typed(fresh(), "over the wall").draft
    assert (
        open_order("Ana", FIELDS, {"movement": "away"}, draft, masked=False).texts["movement"]
        == "over the wall"
    )
    assert open_order("Ana", FIELDS, {"movement": "away"}, "", masked=False).texts == {"movement": "away"}
    half = typed(focus_part(fresh(), 1), "hide behi").draft
    assert (
        typed(open_order("Ana", FIELDS, {}, half, masked=False), "nd it").texts["action"] == "hide behind it"
    )
    for broken in ("{", "[]", '{"movement": 3}', "[" * 5_000):
        assert open_order("Ana", FIELDS, {}, broken, masked=False).texts == {"action": "Dodge"}


@given(
    st.lists(KEYS.filter(lambda key: key not in ("tab", "shift+tab", "up", "down", "ctrl+t")), max_size=60),
    st.integers(8, 120),
    st.integers(1, 30),
)
def test_the_picture_of_a_masked_form_is_the_same_whatever_is_written(
    keys: list[str], width: int, most: int
) -> None:
    empty = press_key(fresh(), "ctrl+t")
    form = empty
    for key in keys:
        form = press_key(form, key)
    assert order_rows(form, width, most, UNICODE) == order_rows(empty, width, most, UNICODE)


def test_a_masked_form_shows_no_letter_of_it() -> None:
    form = press_key(typed(fresh(), "zqsecretx"), "ctrl+t")
    shown = "".join(words(row) for row in order_rows(form, 80, 20, UNICODE))
    assert "zqsecretx" not in shown
    assert "Dodge" not in shown


@pytest.mark.parametrize("system", Registry().ids())
def test_a_part_of_an_order_has_one_word_in_form_line_and_message(system: str) -> None:
    t = Table(system)
    t.do("add Ana owner=Mia", "add Wolf", "begin")
    asked = [x.fields for x in t.store.system.due(t.encounter) if isinstance(x, FormAsk)]
    found = [
        f for fields in (*asked, on_screen(t.store.system).order_fields(t.encounter, "c1")) for f in fields
    ]
    assert {f.key: f.title for f in found} == {f.key: f.key for f in found}
