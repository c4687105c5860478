"""The Dynamic Initiative System: its house rules, each value of each."""

from __future__ import annotations

from tests.kit.table import Table


def test_what_nobody_gave_is_said_to_count_as() -> None:
    defaults = {f.key: f.default for f in Table("dynamic").store.system.fields if f.default != ""}
    assert defaults == {"size": "medium", "count": 1, "passive": 10, "con": 0}
