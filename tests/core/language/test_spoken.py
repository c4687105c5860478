"""A side is spoken of in the plural when its name is one."""

from __future__ import annotations

import pytest

from tests.kit.table import Table


@pytest.mark.parametrize(
    ("side", "verb"), [("Raiders", "choose"), ("Crew", "chooses"), ("Boss", "chooses"), ("Circus", "chooses")]
)
def test_a_side_chooses_or_they_choose(side: str, verb: str) -> None:
    t = Table("unbound")
    t.do(f"add 2 Imp side={side}", "add Ana side=heroes", "begin", f"roll {side} 9", "roll heroes 3")
    assert t.state()["now"].startswith(f"{side} {verb}: Imp 1 or Imp 2")
