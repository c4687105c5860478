"""`python -m tests.figures [FOLDER]`: the figures of the house, of this checkout or of another."""

from __future__ import annotations

import sys
from pathlib import Path

import tui
from tests.figures import figures, graph, rooms


def main() -> None:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else tui.__file__).resolve()
    root = root if root.is_dir() else root.parent
    found = figures(root)
    print("\n".join(found.lines()))
    arrows = graph(root)
    for under in ("tui.core", "tui.systems", "tui.ui"):
        inner = list(rooms(arrows, under, 1))
        print(f"{'arrows in ' + under:<24} {len(inner)}")
    for circle in found.circles:
        print("  circle: " + " + ".join(circle))


if __name__ == "__main__":
    main()
