"""Any Textual app can be drawn by the wire: one with an input, a list and a modal screen, in a real pty."""

from __future__ import annotations

import sys

import pytest

from tests.kit.ptyrun import Pty
from tests.ui.wire.agreeing import agree

pytestmark = pytest.mark.long

STOCK_APP = [sys.executable, "-m", "tests.ui.app.stock"]


def test_an_input_a_list_and_a_modal_screen_look_as_in_textuals_own_output() -> None:
    with Pty(STOCK_APP) as wired, Pty([*STOCK_APP, "--stock"]) as stock:
        both = (wired, stock)
        for keys, shown in (
            ((), "READY"),
            (("bread", "enter"), "bread is on the list"),
            (("caf\u00e9 \u9f8d", "enter"), "caf\u00e9 \u9f8d is on the list"),
            (("\t", "down", "enter"), "Strike bread? [y/n]"),
            (("n",), "bread stays"),
            (("enter",), "Strike bread"),
            (("y",), "bread is bought"),
        ):
            for one in both:
                one.press(*keys)
            agree(wired, stock, lambda one, text=shown: one.shows(text))  # type: ignore[misc]
        for one in both:
            one.resize(60, 16)
        agree(wired, stock, lambda one: one.shows("bought") and not one.shows("??"))
        assert len(wired.raw) < len(stock.raw) / 2
        for one in both:
            one.press("\x11")
            one.until(one.gone)
            one.quiet()
            assert one.ends() == 0
            assert one.given_back()
