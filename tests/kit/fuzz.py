"""Feed random bytes to everything that reads foreign data: journal, party, settings, drafts.

`python -m tests.kit.fuzz SECONDS [SEED]` mutates good files without knowing the code. A crash is any error
except a refusal, or a changed file.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from tests.kit.journals import HEADER, journal
from tests.kit.shapes import NAMES, sample
from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.core.fight.events import Event
from tui.core.fight.viewer import GAME_MASTER
from tui.exchange.document import Unreadable
from tui.exchange.gathering import Source, gather_creatures
from tui.exchange.registry import understand
from tui.store.journal.format import seal_block
from tui.store.journal.reader import parse_journal
from tui.store.library.service import Library
from tui.store.problems import BadFile
from tui.store.safetoml import read_toml
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.settings.config import load
from tui.ui.settings.drafts import DraftFile

SYSTEMS = Registry()
PARTY = '[[combatant]]\nname = "Ana"\nowner = "Mia"\nhp = 18\n\n[[combatant]]\nname = "Orc"\ncount = 3\n'
CREATURES = (
    '[[creature]]\nname = "Goblin"\nhp = 7\nsize = "small"\ncard = """\nBites."""\n\n'
    '[[creature]]\nname = "Ogre"\n'
)
CONFIG = 'theme = "dark"\nascii = true\n[keys]\nnext = "n"\nquit = ["q", "ctrl+x"]\n'
DRAFTS = '[drafts]\nline = "damage Orc"\n"order c1" = "over"\n'
GRAINS = (
    b'"',
    b"\\",
    b"\n",
    b"=",
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b"'",
    b"#",
    b".",
    b"\x00",
    b"\x1b[2J",
    b"\xff",
    b"\xe2\x80\xae",
    b"[[step]]\n",
    b"99999999999999999999",
    b"-1",
    b"nan",
    b"1e400",
    b"true",
    b'"""',
    b"d",
    b"0x",
    b"2d6",
    b"@",
    b"*",
    b" ",
)


def mutated(rng: random.Random, data: bytes) -> bytes:
    """Return the data with one to sixteen random changes."""
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at, size = rng.randrange(len(data) + 1), rng.choice((0, 1, 1, 2, 8, 40))
        match rng.randrange(5):
            case 0:
                data = data[:at] + data[at + size :]
            case 1:
                data = data[:at] + rng.choice(GRAINS) * rng.choice((1, 1, 1, 3, 200)) + data[at + size :]
            case 2:
                data = data[:at] + rng.randbytes(size) + data[at + size :]
            case 3:
                other = rng.randrange(len(data) + 1)
                data = data[:at] + data[other : other + size * 4] + data[at:]
            case _:
                data = data[:at] + data[at : at + size * 4] * 3 + data[at:]
    return data[:200_000]


def read_journal(data: bytes, folder: Path) -> None:
    """Read a save for viewing, check it, and retell it; the file must stay unchanged."""
    from tui.cli.show import check_save, plain_log, report_dice, tell_journal, write_log_lines
    from tui.core.table_lines import table_lines
    from tui.store.opening import open_for_reading, open_for_retelling

    path = folder / "fuzz.toml"
    path.write_bytes(data)
    parse_journal(data, Event, "fuzz.toml")
    with suppress(BadFile):
        check_save(str(path), str(folder), SYSTEMS)
    store = open_for_reading(str(path), str(folder), SYSTEMS)
    table_lines(store.table())
    with open_for_retelling(str(path), str(folder), SYSTEMS) as (history, found):
        told = tell_journal(history, found.steps, GAME_MASTER, SYSTEMS)
        report_dice(found.steps)
    write_log_lines(told), plain_log(told)
    assert path.read_bytes() == data


def read_sealed(data: bytes, folder: Path) -> None:
    """Read a save whose seals are valid whatever it contains, as an attacker can make them."""
    bare = re.sub(rb"(?m)^# \d+ \d+ [0-9a-f]{8}\n", b"", data)
    sealed, crc = b"", 0
    for number, block in enumerate(re.split(rb"(?m)(?=^\[\[step\]\]$)", bare)):
        piece, crc = seal_block(number, block if block.endswith(b"\n") else block + b"\n", crc)
        sealed += piece
    read_journal(sealed, folder)


def read_party(data: bytes, folder: Path) -> None:
    """Add a party from a file to a fight."""
    (folder / "fuzz.toml").write_bytes(data)
    table = Table("classic", dice=SeededDice(1))
    table.store.effects = replace(table.store.effects, library=Library(str(folder), SYSTEMS))
    table.store.run(f"party {folder}/fuzz.toml")


def read_creatures(data: bytes, folder: Path) -> None:
    """List the library's creatures, and read some by name."""
    (folder / "creatures").mkdir(exist_ok=True)
    (folder / "creatures" / "fuzz.toml").write_bytes(data)
    library = Library(str(folder), SYSTEMS)
    found, _ = library.creatures()
    for name in [f.name for f in found][:3]:
        library.creature(name)


def read_import(data: bytes, folder: Path) -> None:
    """Import a file of another tool, of whatever format it is recognised as."""
    del folder
    try:
        gather_creatures([Source("fuzz", understand(data, _toml))])
    except Unreadable as error:
        raise BadFile("fuzz", error.line, error.message, error.hint) from None


def _toml(data: bytes) -> dict[str, object]:
    try:
        return read_toml(data, "it")
    except BadFile as error:
        raise Unreadable(error.message, error.hint, error.line) from None


def read_config(data: bytes, folder: Path) -> None:
    """Read settings; they must never be refused."""
    (folder / "config.toml").write_bytes(data)
    load(str(folder))


def read_drafts(data: bytes, folder: Path) -> None:
    """Read drafts; they must never be refused."""
    (folder / "fuzz.toml.drafts").write_bytes(data)
    DraftFile(str(folder / "fuzz.toml")).load()


def fight() -> bytes:
    """Return a valid journal."""
    from tui.store.journal.format import Header

    table = Table("classic", dice=SeededDice(1))
    for line in (
        "add 5 Orc hp=7",
        "add Ana owner=Mia hp=18",
        "begin",
        "roll",
        "next",
        "damage Ana 3",
        "undo",
    ):
        table.store.run(line)
    return journal(table.ledger.steps, Header("fuzz", "classic", HEADER.created, "0.1.0"))


Target = Callable[[bytes, Path], None]


def targets() -> list[tuple[Target, list[bytes]]]:
    """Return the functions to fuzz, each with valid inputs."""
    return [
        (read_journal, [fight()]),
        (read_sealed, [fight()]),
        (read_party, [PARTY.encode()]),
        (read_config, [CONFIG.encode()]),
        (read_drafts, [DRAFTS.encode()]),
        (read_creatures, [CREATURES.encode()]),
        (read_import, list(map(sample, NAMES))),
    ]


def once(target: Target, data: bytes, folder: Path) -> None:
    """Call a target with one input; a refusal in printable words is allowed, any other error is raised."""
    said = ""
    try:
        target(data, folder)
    except (BadFile, RuleError) as refused:
        said = str(refused)
    assert said.isprintable(), repr(said)


def fuzz(seconds: float, seed: int) -> int:
    """Fuzz for some seconds; return the number of inputs.

    The input of a crash is kept in the folder for temporary files.
    """
    rng, known, count = random.Random(seed), targets(), 0
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            target, examples = rng.choice(known)
            data = mutated(rng, rng.choice(examples))
            try:
                once(target, data, Path(folder))
            except BaseException:
                kept = Path(tempfile.gettempdir()) / f"crash-{target.__name__}-{seed}-{count}"
                kept.write_bytes(data)
                print(f"crash: {kept}", file=sys.stderr)
                raise
            count += 1
    return count


if __name__ == "__main__":
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int.from_bytes(os.urandom(4), "big")
    print(f"{fuzz(float(sys.argv[1]), seed)} inputs, 0 crashes, seed {seed}")
