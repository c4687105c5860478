"""List what 1.x had and 2.0 has not, each with what works instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

GoneKind = Literal["command", "option", "line", "key", "export", "import"]

GONE: Final[Mapping[GoneKind, Mapping[str, str]]] = {
    "command": {
        "host": "`tocsin SAVE --serve ADDRESS:PORT` is the table, and players write on their phones",
        "invite": "`tocsin serve SAVE` prints an address for each player's browser",
        "seat": "ask the game master for the address of your page (`tocsin serve SAVE`)",
        "encounters": "`tocsin` lists prepared fights, and `load NAME` takes their foes",
        "odds": "`tocsin show SAVE` prints the order once the dice are rolled",
    },
    "option": {
        "--plain": "`tocsin do SAVE -` takes lines at a terminal; `--a11y` is the screen for screen readers",
    },
    "line": {
        "odds": "`roll` rolls the dice, and the track shows the order",
        "split": "`tocsin new NAME` makes a second fight: `add` there and `remove` here move a creature",
        "save encounter": "`tocsin new NAME` and `add` make a prepared fight; `load NAME` takes its foes",
        "join": "`load NAME` adds prepared creatures to this fight",
    },
    "key": {
        "SYSTEM.KEY": "the key alone is kept for every system that reads it alike",
    },
    "export": {
        "csv": "`--format json` has every event of the fight",
        "improved-initiative": "`--format json` has the fight as plain data",
        "svg": "`--format html` has the plots in its page",
    },
    "import": {
        "5e-bits": "copy the creature's stat block and import that text",
        "_copy of 5etools": "import the creature that it copies, or its stat block as text",
        "Foundry": "copy the creature's stat block and import that text",
    },
}
"""By kind and word: commands, options, verbs and keys of lines, formats of `export`, imported files."""


def explain_gone(kind: GoneKind, word: str) -> tuple[str, str] | None:
    """Return what is wrong with a word that 2.0 no longer knows, and what works; None for any other."""
    instead = GONE[kind].get(word)
    what = {"export": f"the export as {word}", "import": f"the import of {word}"}.get(kind, word)
    return None if instead is None else (f"{what} was taken out in tocsin 2.0", instead)
