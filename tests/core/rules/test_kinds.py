"""What kind of refusal it is can be asked without reading its words."""

from __future__ import annotations

import pytest

from tests.table import Table
from tui.core.fight.errors import Kind


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("damage Nobody 3", "unknown_name"),
        ("damage nob* 3", "unknown_name"),
        ("rename Orc* Ork", "ambiguous"),
        ("damage An 3", "ambiguous"),
        ("damgae Ana 3", "unknown_word"),
        ("set Ana zeal=3", "unknown_word"),
        ("set Ana hp=many", "bad_value"),
        ("set Ana hp=-5", "bad_value"),
        ("set Ana hidden=perhaps", "bad_value"),
        ("roll", "not_due"),
        ("pick Ana", "not_due"),
        ("ok", "not_due"),
        ("hold Anton", "not_allowed"),
    ],
)
def test_a_refusal_has_a_kind(line: str, kind: Kind) -> None:
    table = Table("classic")
    table.do("add Ana hp=9 mod=9", "add Anton hp=9", "add 2 Orc", "begin")
    table.do("roll", dice=(20, 12, 7, 2))
    table.do("next")
    assert table.refuse(line).kind == kind
