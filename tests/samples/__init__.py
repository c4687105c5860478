"""The saves of `saves/examples`, each the sample of a system.

The same lines, dice and clock give the same bytes.
"""

from __future__ import annotations

from pathlib import Path

from tui.core.rules.system import Systems
from tui.store.script import Script, clock, play, samples, script
from tui.systems import Registry

EXAMPLES = Path(__file__).parent.parent.parent / "saves" / "examples"
NAMES = tuple(sorted(path.stem for path in EXAMPLES.glob("*.toml")))


def scripts(systems: Systems) -> dict[str, str]:
    """The systems that have a sample, by the name of its save."""
    return {script(system, systems).name: system for system in samples(systems)}


def told(name: str) -> Script:
    """The script of that name."""
    return script(scripts(Registry())[name], Registry())


def make(name: str, folder: Path) -> Path:
    """Play the script into a new save in this folder."""
    return Path(play(scripts(Registry())[name], str(folder), Registry(), clock()))
