"""Files of other tools, a folder a shape: what the program takes from them and what it says of each.

`tests/exchange/formats/NAME/` holds `sample.*`, one file or several that are imported together; `card.txt`,
the cards of its creatures; `creatures.toml`, the rest. `python -m tests.exchange` writes the last two again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import tomli_w
from msgspec import to_builtins

from tui.core.fight.combatant import StatBlock
from tui.exchange.document import Unreadable
from tui.exchange.gathering import Gathered, Source, gather_creatures
from tui.exchange.registry import Understood, understand
from tui.store.problems import BadFile
from tui.store.safetoml import read_toml

FORMATS = Path(__file__).parents[1] / "exchange" / "formats"
FOLDERS = sorted(path for path in FORMATS.iterdir() if path.is_dir())
NAMES = [folder.name for folder in FOLDERS]


def toml(data: bytes) -> dict[str, object]:
    """Return the values of a TOML file, as the store reads it. Raises Unreadable."""
    try:
        return read_toml(data, "it")
    except BadFile as error:
        raise Unreadable(error.message, error.hint, error.line) from None


def read(data: bytes) -> Understood:
    """Return what the program understands of a file. Raises Unreadable."""
    return understand(data, toml)


def blocks(data: bytes) -> list[StatBlock]:
    """Return the creatures of one file. Raises Unreadable."""
    return list(gather_creatures([Source("it", read(data))]).blocks)


def samples(name: str) -> list[Path]:
    """Return the files of a shape, in the order in which they are imported."""
    return sorted((FORMATS / name).glob("sample*"))


def sample(name: str) -> bytes:
    """Return the first file of a shape."""
    return samples(name)[0].read_bytes()


def answers(name: str) -> dict[str, str]:
    """Return by file name what is written down of a shape."""
    sources = [Source(path.name, read(path.read_bytes())) for path in samples(name)]
    found = gather_creatures(sources)
    cards = "\n\n".join(f"== {b.name} ==\n{b.card}".strip() for b in found.blocks)
    return {
        "card.txt": f"{cards}\n",
        "creatures.toml": tomli_w.dumps(told(sources, found)),
    }


def told(sources: list[Source], found: Gathered) -> dict[str, Any]:
    """Return what the import of files says, apart from cards."""
    places = dict.fromkeys(f"{path} -> {target}" for target, path, _ in found.rows)
    plain: dict[str, Any] = {
        "formats": list(dict.fromkeys(source.held.title for source in sources)),
        "problems": [f"{s.file}, line {line}: {why}" for s in sources for line, why in s.held.problems],
        "places": list(places),
        "cut": list(found.cut_names),
        "clashes": [f"{x.name}: {x.kept_file} is taken, {x.other_file} is left" for x in found.clashes],
        "many": dict(found.amounts),
        "like": dict(found.base_names),
        "standing": to_builtins(found.fight_states),
        "creature": [filled(to_builtins(b), "card") for b in found.blocks],
    }
    return filled(plain)


def filled(plain: dict[str, Any], *but: str) -> dict[str, Any]:
    """Return a table without what is empty and without some keys."""
    return {key: x for key, x in plain.items() if x not in (None, "", [], {}) and key not in but}


def packed(value: object) -> bytes:
    """Return JSON."""
    return msgspec.json.encode(value)


LURKER: dict[str, Any] = msgspec.json.decode(sample("open5e-v1-page"))["results"][0]
"""The creature of most samples as an entry of Open5e: 22 hit points, AC 13."""
