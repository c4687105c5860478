"""What Now says in the Dynamic Initiative System, for who has no screen, and what refusals say instead."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tests.systems.dynamic.fights import rolled, table
from tui.core.rules.on_screen import on_screen


def test_dis_4_a_late_declaration_is_answered_with_the_switch_that_works() -> None:
    t = rolled()
    t.do('rename Oren "Old Oren"')
    error = t.refuse('order "Old Oren" weapon=1d4', "in its own turn")
    assert 'switch "Old Oren" action=1' in error.hint
    t.do("next", "next", "next")
    hint = t.refuse('order "Old Oren" weapon=1d4').hint
    t.do(hint.strip("`"))


def test_dis_15_a_switch_to_the_move_that_is_declared_is_refused_with_what_works() -> None:
    t = table("order Sela weapon=1d8 move=yes", "order Oren")
    t.do("roll", "next", "next", dice=[1, 1, 8])
    for line in (
        "switch Sela move=yes",
        "switch Sela move=yes from=none",
        "switch Sela move=yes from=weapon",
    ):
        error = t.refuse(line, "moves anyway", "switch Sela action=1")
        assert error.rule == "DIS-15"
    t.do("switch Sela action=1")


def test_dis_7_a_switch_that_would_change_nothing_is_refused_with_what_works() -> None:
    t = table("order Sela weapon=1d8", "order Oren")
    t.do("roll", "next", "next", dice=[1, 8])
    error = t.refuse("switch Sela weapon=1d8", "just that")
    assert "`switch Sela from=none weapon=1d8`" in error.hint
    t.do("switch Sela from=none weapon=1d8")


@pytest.mark.parametrize(
    ("line", "works"),
    [
        ("switch Sela", "switch Sela action=1"),
        ("switch Sela from=spell action=1", "switch Sela from=none action=1"),
        ("switch", "switch Sela action=1"),
    ],
)
def test_dis_7_a_refused_switch_quotes_a_line_that_works(line: str, works: str) -> None:
    t = rolled()
    t.do("next", "next")
    assert f"`{works}`" in t.refuse(line).hint
    t.do(works)


def test_who_cannot_delay_is_told_what_works() -> None:
    t = rolled()
    t.do("next")
    assert "move Orc after" in t.refuse("hold Orc").hint
    t.do("next")
    assert "switch Sela action=1" in t.refuse("hold Sela").hint


def test_who_is_dying_is_offered_no_switch() -> None:
    t = Table("dynamic")
    t.do("option zero.pc=dying", "add Ana owner=Mia hp=9", "add Orc hp=9", "begin")
    t.do("order Ana weapon=1d4", "roll Ana 1", "roll Orc 8", "next")
    system = t.store.system
    offers = [
        bool(on_screen(system).choices(t.encounter, "switch")),
        "switch" in str(on_screen(system).remarks(t.encounter)),
    ]
    t.do("damage Ana 9")
    offers += [
        bool(on_screen(system).choices(t.encounter, "switch")),
        "switch" in str(on_screen(system).remarks(t.encounter)),
    ]
    assert offers == [True, True, False, False]
