"""Sample files of other tools, one folder for each format, and what the import makes of them.

`tests/exchange/formats/NAME/` holds `sample.*`, one file or several that are imported together; `card.txt`,
the cards of its creatures; `creatures.toml`, the rest. `python -m tests.exchange` writes the last two again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
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
    """Return the values of a TOML file, read like the store's files. Raises Unreadable."""
    try:
        return read_toml(data, "it")
    except BadFile as error:
        raise Unreadable(error.message, error.hint, error.line) from None


def read(data: bytes) -> Understood:
    """Return the format and the creatures of a file. Raises Unreadable."""
    return understand(data, toml)


def blocks(data: bytes) -> list[StatBlock]:
    """Return the creatures of one file. Raises Unreadable."""
    return list(gather_creatures([Source("it", read(data))]).blocks)


def samples(name: str) -> list[Path]:
    """Return the paths of a sample's files, in the order of import."""
    return sorted((FORMATS / name).glob("sample*"))


def sample(name: str) -> bytes:
    """Return the bytes of a sample's first file."""
    return samples(name)[0].read_bytes()


def answers(name: str) -> dict[str, str]:
    """Return the texts that a sample's answer files should have, by file name."""
    sources = [Source(path.name, read(path.read_bytes())) for path in samples(name)]
    found = gather_creatures(sources)
    cards = "\n\n".join(f"== {b.name} ==\n{b.card}".strip() for b in found.blocks)
    return {"card.txt": f"{cards}\n", "creatures.toml": "\n".join(toml_lines(told(sources, found))) + "\n"}


def told(sources: list[Source], found: Gathered) -> dict[str, Any]:
    """Return everything that an import reports, without the cards."""
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


def toml_lines(plain: dict[str, Any]) -> Iterator[str]:
    """Yield a table as TOML, with a line for each item of a table or of a long list; tables come last."""
    for key, items in sorted(plain.items(), key=lambda pair: isinstance(pair[1], dict)):
        if isinstance(items, dict):
            yield from (f"[{key}]", *(f"{inline(k)} = {inline(x)}" for k, x in items.items()))
        elif len(line := f"{key} = {inline(items)}") <= 110:
            yield line
        else:
            yield from (f"{key} = [", *(f"    {inline(x)}," for x in items), "]")


def inline(value: Any) -> str:
    """Return a value as TOML in one line."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k} = {inline(x)}' for k, x in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(inline, value))}]"
    return json.dumps(value, ensure_ascii=False)


def filled(plain: dict[str, Any], *but: str) -> dict[str, Any]:
    """Return a table without empty values and without the keys in `but`."""
    return {key: x for key, x in plain.items() if x not in (None, "", [], {}) and key not in but}


def packed(value: object) -> bytes:
    """Return a value as JSON."""
    return msgspec.json.encode(value)


LURKER: dict[str, Any] = msgspec.json.decode(sample("open5e-v1-page"))["results"][0]
"""An entry of Open5e: the creature in most samples, with 22 hit points and AC 13."""
