"""A line after which a view could not be drawn is refused, and a save with such a step leads back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.table import Table
from tui.store.lock import SaveLock
from tui.store.problems import JournalError
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry

FRAGILE = '''
"""Classic with two bugs: one in every table, and one in the tables of players."""

from tui.systems.classic import Classic


class Fragile(Classic):
    id = "fragile"
    is_mended = False

    def explain(self, e, entry):
        """Fail for a creature with the note crack."""
        if not self.is_mended and any(e.combatants[k].note == "crack" for k in entry.members):
            raise KeyError(entry.key)
        return super().explain(e, entry)

    def without(self, e, unseen):
        """Fail if somebody is unseen while a creature has the note veil."""
        if unseen and any(c.note == "veil" for c in e.combatants.values()):
            raise IndexError(unseen)
        return super().without(e, unseen)
'''


@pytest.fixture(scope="module")
def systems(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    folder = tmp_path_factory.mktemp("systems")
    (folder / "fragile.py").write_text(FRAGILE)
    return Registry((str(folder),))


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def program(tmp_path: Path, systems: Registry, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A save of a version that accepted a step after which no table can be drawn."""
    program = Program(tmp_path)
    program.systems = systems
    with monkeypatch.context() as patch:
        patch.setattr(type(systems.get("fragile")), "is_mended", True)
        assert program.call("new", "--system", "fragile").code == 0
        lines = ("add Ana", "add Bo hp=9", "begin", "roll", "set Ana note=crack", "next")
        assert program.do(*lines, dice=(15, 5)).code == 0
    return program


def test_a_line_is_refused_if_the_game_masters_table_could_not_be_drawn(systems: Registry) -> None:
    t = Table("fragile", systems=systems)
    t.do("add Ana owner=Mia", "add Bo", "begin")
    t.do("roll", dice=(15, 5))
    error = t.refuse(
        "set Ana note=crack", "cannot be shown", "bug (KeyError", "nothing has changed", "crash-"
    )
    assert error.kind == "faulty"
    t.do("next")


def test_a_line_is_refused_if_the_table_of_players_could_not_be_drawn(systems: Registry) -> None:
    t = Table("fragile", systems=systems)
    t.do("add Ana owner=Mia", "add Ghost hidden=yes", "begin")
    t.do("roll", dice=(15, 5))
    t.refuse("set Ana note=veil", "cannot be shown", "IndexError")
    t.do("reveal Ghost", "set Ana note=veil")
    t.refuse("hide Ghost", "cannot be shown", "IndexError")


def test_check_names_the_step_since_which_no_table_can_be_drawn(program: Program) -> None:
    ended = program.call("check")
    assert ended.code == 3
    bug = "the fight cannot be shown any more, which is a bug (KeyError in fragile.py, line 14)"
    assert ended.out.splitlines() == [f"step 5: {bug}; `tocsin do fight 'goto 4'` leads back", "6 records OK"]


@pytest.mark.parametrize(("line", "step"), [("goto 4", 4), ("undo 2", 4), ("set Ana note=none", 7)])
def test_a_save_that_cannot_be_shown_is_led_out_of_it(program: Program, line: str, step: int) -> None:
    assert program.call("show").code == 3
    ended = program.do(line)
    assert (ended.code, ended.err) == (0, "")
    assert program.state()[0]["step"] == step
    assert program.call("check").code == 0


def test_a_move_to_a_step_that_cannot_be_shown_is_refused(program: Program) -> None:
    program.do("goto 4")
    for line in ("goto 5", "redo"):
        ended = program.call("do", line)
        assert (ended.code, "step 5 cannot be shown, which is a bug (KeyError" in ended.err) == (1, True)
    assert program.state()[0]["step"] == 4


def test_a_screen_says_that_the_save_cannot_be_shown_and_leaves_it_free(
    program: Program, systems: Registry
) -> None:
    path = str(program.folder / "fight.toml")
    with pytest.raises(JournalError, match="it cannot be shown") as refused:
        open_session(path, str(program.folder), systems, SeededDice(1))
    assert refused.value.step == 6
    assert "undo" in refused.value.hint
    SaveLock.acquire(path).release()
