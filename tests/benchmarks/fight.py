"""A save of so many creatures and steps, for what is measured."""

from __future__ import annotations

from tui.store.opening import create_save
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry

LINES = (
    "damage 'Orc {n}' 2",
    "next",
    "heal 'Orc {n}' 1",
    "condition 'Orc {n}' Prone rounds=2",
    "note round {n}",
)


def fight(folder: str, creatures: int, steps: int) -> str:
    """A save with so many creatures and at least so many steps; its path."""
    systems = Registry()
    path = create_save(f"c{creatures}-s{steps}", folder, systems, "classic", {})
    session = open_session(path, folder, systems, SeededDice(1))
    session.store.run(f"add {creatures} Orc hp=50 mod=2")
    session.store.run("begin")
    session.store.run("roll")
    for n in range(session.store.step, steps):
        line = LINES[n % len(LINES)].replace("'", '"').format(n=n % creatures + 1)
        session.store.run(line if "Prone" not in line or n % 3 else "next")
    session.writer.wait()
    session.close()
    return path
