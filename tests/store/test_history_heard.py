"""What a viewer has heard of is counted once and kept, and always what a count from the beginning comes
to."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import viewer_of
from tui.store.history import History, replay
from tui.store.store import Store

LINES = st.sampled_from(
    [
        "next",
        "next 3",
        "damage Orc 1",
        "damage Spy 1",
        "hide Orc",
        "reveal Orc",
        "reveal Spy",
        "note x",
        "note y",
        "undo",
        "undo 2",
        "undo 3",
        "redo",
        "redo 2",
        "goto 6",
        "goto 9",
        "alias Orc Brute",
        "alias Orc none",
    ]
)


def fight(spy: str = "hidden=yes") -> Table:
    """Ana is Mia's; nobody sees the Spy."""
    table = Table("classic")
    table.do("add Ana hp=9 owner=Mia", "add Orc hp=9", f"add Spy hp=9 {spy}", "begin")
    table.do("roll", dice=[15, 10, 5])
    return table


def anew(table: Table) -> Store:
    """The same fight, read from its journal by somebody who has told nobody anything yet."""
    history = replay(History(Encounter(system="classic")), table.ledger.steps)
    return Store("test", history, table.store.systems, table.store.effects)


@cases(60)
@given(st.lists(LINES, min_size=1, max_size=20))
def test_what_is_kept_is_what_a_count_from_the_beginning_comes_to(said: list[str]) -> None:
    table = fight()
    for line in said:
        try:
            table.do(line)
        except RuleError:
            continue
        for name in ("Mia", "nobody"):
            assert table.store.table(viewer_of(name)) == anew(table).table(viewer_of(name)), line
