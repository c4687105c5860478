"""A plus before a number that is not a change of it is refused with what works; nothing changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.rules.creature_fields import attributes
from tui.systems import Registry

SYSTEMS = Registry()


@pytest.mark.parametrize("system", SYSTEMS.ids())
@cases(40)
@given(st.data(), st.integers(0, 9))
def test_a_number_that_has_no_sign_takes_none(system: str, data: st.DataObject, number: int) -> None:
    fields = [
        f for f in attributes(SYSTEMS.get(system)) if f.kind == "int" and (f.least >= 0 or f.key == "ac")
    ]
    key = data.draw(st.sampled_from([f.key for f in fields]))
    t = Table(system)
    t.do("add Thora hp=30")
    before = t.state()
    for line in (f"set Thora {key}=+{number}", f"add Bo {key}=+{number}", f"set Thora {key}=+{number}d4"):
        with pytest.raises(RuleError, match="takes the number itself"):
            t.store.run(line)
    assert t.state() == before
