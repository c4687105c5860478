"""What a combatant's own fields are read as."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.core.fight.combatant import Combatant

PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=3)


@given(PLAIN, st.integers(-9, 9))
def test_a_field_is_a_number_and_a_word_or_as_if_it_were_not_there(value: object, default: int) -> None:
    c = Combatant("c1", "Ana", "heroes", fields={"x": value})
    assert c.number("x", default) == (value if isinstance(value, int) else default)
    assert c.word("x") == (value if isinstance(value, str) else "")
    assert (c.number("y", default), c.number("y"), c.word("y")) == (default, 0, "")
