"""A sample fight as a script: the lines that a system's own sample plays into a new save."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tui import VERSION
from tui.core.base.errors import RuleError
from tui.core.rules.system import Systems
from tui.core.rules.upkeep import rules_of_new_fights
from tui.store.journal.format import Header
from tui.store.journal.writer import Writer
from tui.store.problems import BadFile
from tui.store.saves import make_folder
from tui.store.session import open_session
from tui.store.shelf import find_free_name
from tui.store.sources import SeededDice

SENT = re.compile(r"(\w+)> (.*)")
"""A line of a player's: the name and what was sent."""
Shape = TypeVar("Shape", bound=Struct)


class Script(Struct, frozen=True, forbid_unknown_fields=True):
    """A sample fight as a file."""

    name: str
    """The name of its save."""
    seed: int
    """The seed of its dice."""
    lines: str
    """What is done, a line each; `Mia> LINE` was sent by Mia from her page."""
    now: str = ""
    """A part of the Now line at the end of the script, by which a test notices a change of the rules."""
    options: dict[str, bool | int | float | str] = {}
    """House rules beside those of a new fight."""


def read_sample(system: str, systems: Systems) -> Script:
    """Return the sample of a system. Raises RuleError that names the existing samples, and BadFile."""
    return read_beside_system(system, systems, "sample", Script)


def read_beside_system(
    system: str, systems: Systems, kind: Literal["lesson", "sample"], shape: type[Shape]
) -> Shape:
    """Return the file of that kind beside a system's own file.

    Raises RuleError that names the systems with such a file, and BadFile.
    """
    path = systems.find_bundled(system, kind)
    if not path:
        names = (name for name in systems.ids() if systems.find_bundled(name, kind))
        raise RuleError(f"there is no {kind} for {system}", f"there are: {', '.join(names)}")
    try:
        with open(path, "rb") as file:
            return msgspec.convert(tomllib.load(file), shape)
    except (OSError, ValueError) as error:  # tomllib's and msgspec's errors are ValueErrors
        raise BadFile(path, 0, f"this is not a {kind}: {error}") from None


def play_sample(system: str, folder: str, systems: Systems, tick: Callable[[], str]) -> str:
    """Play a system's sample into a new save under a free name; return its path. Raises RuleError."""
    return play_script(read_sample(system, systems), system, folder, systems, tick)


def play_script(script: Script, system: str, folder: str, systems: Systems, tick: Callable[[], str]) -> str:
    """Play a script into a new save of a system under a free name; return its path. Raises RuleError."""
    make_folder(folder)
    path = os.path.join(folder, find_free_name(script.name, folder) + ".toml")
    options = rules_of_new_fights(systems.get(system)) | script.options
    header = Header(os.path.basename(path).removesuffix(".toml"), system, tick(), VERSION, options)
    Writer.create(path, header, how="inline").close()
    session = open_session(path, folder, systems, SeededDice(script.seed), how="inline")
    try:
        session.store.effects = replace(session.store.effects, clock=tick)
        for number, line in enumerate(filter(None, script.lines.splitlines())):
            sent = SENT.fullmatch(line)
            if sent:
                session.store.run(sent[2], by=sent[1], id_=f"{number:016x}")
            else:
                session.store.run(line)
            # After each line: otherwise the number of pending records would depend on the disk, and a sample
            # must always be the same.
            session.writer.wait()
    finally:
        session.close()
    return path
