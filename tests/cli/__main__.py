"""Write again what the calls of `calls.txt` print: `python -m tests.cli`. Read the difference.

The lines before the first `$` are a fight, `Mia> LINE` is sent from a player's page; below each `$ WORDS…`
is what `tocsin WORDS…` prints, with what goes to standard error behind a `!`; `saves` is the folder.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.kit.program import Program
from tests.samples import clock
from tui.store.script import Script, play_script
from tui.systems import Registry

CALLS = Path(__file__).with_name("calls.txt")


def answered(text: str, folder: Path) -> str:
    """Play the fight, and return the text with what its calls print now."""
    rows = text.splitlines()
    calls = [i for i, row in enumerate(rows) if row.startswith("$ ")]
    script = Script("mill", 1, "\n".join(rows[: calls[0]]), options={"players.points": "own"})
    play_script(script, "classic", str(folder), Registry(), clock())
    result = rows[: calls[0]]
    for row in (rows[i] for i in calls):
        ended = Program(folder).bare(*shlex.split(row[2:]), "--saves", str(folder))
        result += [row, *ended.out.splitlines(), *(f"! {line}" for line in ended.err.splitlines())]
    return "\n".join(result).replace(str(folder), "saves") + "\n"


if __name__ == "__main__":
    with TemporaryDirectory() as kept:
        CALLS.write_text(answered(CALLS.read_text(encoding="utf-8"), Path(kept)), encoding="utf-8")
