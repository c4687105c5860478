"""What players may not see is nowhere in what they get: not in the state, not in the log."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.cli.show import tell_journal
from tui.core.base.errors import RuleError
from tui.core.fight.viewer import Viewer, has_name
from tui.store.history import History
from tui.store.sources import SeededDice
from tui.systems import Registry

SECRET = "Zyxomma"
LINES = [
    "begin", "roll", "next", "next", "next", "end", f"turn {SECRET}", "turn Ana", f"damage {SECRET} 3",
    "damage Ana 2", "pass",
    f"out {SECRET}", f"back {SECRET}", f"condition Ana Charmed of={SECRET} rounds=2",
    f"condition {SECRET} Prone rounds=1",
    f"note {SECRET} waits in the dark", f"hold {SECRET}", f"act {SECRET}", f"move {SECRET} before Ana",
    "undo", "redo",
    f"react {SECRET}", f"set {SECRET} ac=3", f"group {SECRET},Orc Gang", "ungroup Gang",
    f'order {SECRET} action="bite {SECRET}"',
    'order Ana action="wait"', "order Bo", "lock missing=empty", "ok", "meet Ana", f"meet Ana vs {SECRET}",
    "calm", f"surprised {SECRET}",
    f"place {SECRET}", f"kill Ana by={SECRET}",
]  # fmt: skip
SYSTEMS = Registry().ids()


def texts(table: Table, name: str) -> str:
    viewer = Viewer(name, gm=False)
    start = table.store.at(0)
    told = [c.text for c in tell_journal(History(start), table.ledger.steps, viewer, table.store.systems)]
    return (json.dumps(table.state(name)) + json.dumps(told)).lower()


@pytest.mark.parametrize("system", SYSTEMS)
@cases(12)
@given(lines=st.lists(st.sampled_from(LINES), min_size=5, max_size=40), seed=st.integers(0, 99))
def test_hidden_creatures_leak_nowhere(system: str, lines: list[str], seed: int) -> None:
    table = Table(system, dice=SeededDice(seed))
    table.do(
        "add Ana owner=Lia hp=9", "add Bo owner=Max hp=8", "add Orc hp=7", f"add {SECRET} hidden=yes hp=66"
    )
    for line in lines:
        try:
            table.do(line)
        except RuleError:
            continue
        for viewer in ("Lia", "nobody"):
            assert SECRET.lower() not in texts(table, viewer), line


@pytest.mark.parametrize(
    ("line", "names", "leaking"),
    [
        ("Orc acts", ["orc"], True),
        ("Orc 1 acts", ["orc"], False),
        ("the force", ["orc"], False),
        ("O'Hara (Bat)", ["bat"], True),
        ("", ["bat"], False),
    ],
)
def test_the_net_catches_names_as_words(line: str, names: list[str], leaking: bool) -> None:
    assert has_name(line, names) is leaking
