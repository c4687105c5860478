"""The largest and smallest declarations, and what is told of dice, prices and types."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Field
from tui.core.language.values import read_value
from tui.core.rules.on_screen import on_screen
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.pool import Pool
from tui.systems.dynamic.text import DECLARATION


def accepts(read: Callable[[], object]) -> bool:
    try:
        read()
    except RuleError:
        return False
    return True


@given(st.sampled_from([f for f in DECLARATION if f.kind == "ints"]), st.integers(-3, 12))
def test_dis_4_a_form_takes_just_the_numbers_that_a_line_takes(field: Field, number: int) -> None:
    text = str(number)
    assert accepts(lambda: read_value(field, text)) == (0 <= number <= 9)
    # Nine actions are a number, and too many for a round.
    if (field.key, number) != ("action", 9):
        assert accepts(lambda: read_value(field, text)) == accepts(
            lambda: pools.read_deeds({field.key: text})
        )


def test_a_pool_is_told_in_dice_with_a_die_of_one_side_as_1() -> None:
    assert pools.pool_words(Pool((8, 1, 4), 3, 0)) == "d8 twice, the lower + 1 + d4 + 3"
    assert pools.pool_words(Pool()) == "nothing: acts at 0"


def test_dis_20_who_could_roll_as_one_is_offered() -> None:
    t = Table("dynamic")
    t.do("add 3 Orc", "add Sela kind=pc", "begin")
    found = on_screen(t.store.system).choices(t.encounter, "group")
    assert [(x.line, x.title, x.note) for x in found] == [
        ('group "Orc 1,Orc 2,Orc 3" Orcs', "Orc 1, Orc 2, Orc 3", "one roll")
    ]
