"""Names and paths of saves: the file of a SAVE, the folders of saves and shipped data, the list of saves."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Literal

import msgspec

from tui.homes import user_folder
from tui.store.disk import Disk, read_part
from tui.store.journal.format import SAVE_CAP
from tui.store.journal.reader import read_header
from tui.store.problems import BadFile, BadName, Edited, make_printable

NAME_CAP = 64  # characters
_NAME_BYTES = 200  # of the 255 bytes of a file name, leaving room for endings such as .toml.lock
HEAD_BYTES = 64_000  # bytes of a save in which its header is

_OWN_START = b"# tocsin journal"

DataKind = Literal["themes", "examples", "shell"]


class Listed(msgspec.Struct, frozen=True):
    """A save as the picker shows it; only its beginning was read."""

    name: str
    """The printable name; `system` is printable too, `path` perhaps not."""
    path: str
    system: str = ""
    modified: float = 0.0
    """The time of the last change, in seconds since 1970."""
    problem: str = ""
    """The error in the file; "" for a save that looks OK."""


def check_save_name(name: str) -> str:
    """Return the name. Raises BadName for one that would leave the folder, be hidden, or not be printable."""
    if not name:
        raise BadName(name, "it is empty")
    # Bytes count too: 64 characters may take 256 bytes, more than a file name may have.
    if len(name) > NAME_CAP or len(name.encode(errors="replace")) > _NAME_BYTES:
        raise BadName(name, f"it is longer than {NAME_CAP} characters")
    if not name.isprintable():
        raise BadName(name, "it contains a character that cannot be shown")
    if "/" in name or "\\" in name:
        raise BadName(name, "it contains a slash")
    # A dot hides the file, and a dash looks like an option on the command line.
    if name[0] in ".-" or name != name.strip():
        raise BadName(name, "it begins with a dot or a dash, or ends in a space")
    return name


def save_path(save: str, folder: str) -> str:
    """Return the path that a SAVE means: itself if it ends in .toml, else the save of that name in `folder`.

    Raises BadName.
    """
    if not save.endswith(".toml"):
        return os.path.join(folder, check_save_name(save) + ".toml")
    if not save.isprintable():
        raise BadName(save, "it contains a character that cannot be shown")
    if (
        len(os.path.basename(save).encode(errors="replace")) > _NAME_BYTES
        or save.endswith("/.toml")
        or save == ".toml"
    ):
        raise BadName(save, "the file's name is empty or too long")
    return os.path.expanduser(save)


def find_save_path(save: str, saves: str) -> str:
    """Return the path of a SAVE; `saves` is the folder as given, "" for the default. Raises BadName."""
    return save_path(save, saves_folder(saves))


def save_name(path: str) -> str:
    """Return the name under which a save is shown: its file's name without .toml, printable."""
    return make_printable(os.path.basename(path).removesuffix(".toml"), NAME_CAP)


def saves_folder(path: str | None = None, environ: Mapping[str, str] = os.environ) -> str:
    """Return the folder of saves: the given one, else TOCSIN_SAVES, else in the data folder.

    In a checkout without XDG_DATA_HOME it is `saves/` of the checkout.
    """
    if folder := path or environ.get("TOCSIN_SAVES"):
        return os.path.expanduser(folder)
    if (top := checkout_folder()) and not environ.get("XDG_DATA_HOME"):
        return os.path.join(top, "saves")
    return os.path.join(user_folder("data", environ), "saves")


def config_folder(environ: Mapping[str, str] = os.environ) -> str:
    """Return the user's config folder: TOCSIN_CONFIG, else the usual folder of the operating system."""
    if folder := environ.get("TOCSIN_CONFIG"):
        return os.path.expanduser(folder)
    return user_folder("config", environ)


def make_folder(folder: str) -> None:
    """Make the folder of saves, for its owner alone, if it does not exist. Raises OSError."""
    os.makedirs(folder, mode=0o700, exist_ok=True)


def data_folder(kind: DataKind) -> str:
    """Return the shipped themes, examples or shell files: in the package of a wheel, else in the checkout.

    A checkout has no shell files.
    """
    shipped = os.path.join(_package_folder(), "_data", kind)
    if os.path.isdir(shipped):
        return shipped
    return os.path.join(
        checkout_folder() or _package_folder(),
        os.path.join("saves", kind) if kind == "examples" else kind,
    )


def checkout_folder() -> str:
    """Return the top of the checkout from which this package runs; "" if it is installed."""
    top = os.path.dirname(_package_folder())
    return top if os.path.isfile(os.path.join(top, "pyproject.toml")) else ""


def list_saves(folder: str, disk: Disk | None = None) -> list[Listed]:
    """Return the saves of a folder, the latest first; damaged and foreign files have a `problem`."""
    disk = disk or Disk()
    try:
        names = disk.listdir(folder)
    except OSError:
        return []
    saves = [
        _summarize_save(disk, os.path.join(folder, name))
        for name in names
        if name.endswith(".toml") and name[0] != "."
    ]
    return sorted((save for save in saves if save), key=lambda save: (-save.modified, save.name))


def is_save(path: str) -> bool:
    """Return whether a file begins as a save does; False if it cannot be read."""
    with suppress(BadFile):
        return read_part(Disk(), path, SAVE_CAP, 0, len(_OWN_START))[0] == _OWN_START
    return False


def _summarize_save(disk: Disk, path: str) -> Listed | None:
    """Return the summary of one file; None for a party, which has the same ending."""
    name = save_name(path)
    try:
        start, stat = read_part(disk, path, SAVE_CAP, 0, HEAD_BYTES)
    except BadFile as error:
        return Listed(name, path, problem=error.message)
    if b"[[combatant]]" in start and not start.startswith(_OWN_START):
        return None
    try:
        header, _ = read_header(start, path)
    except BadFile as error:
        # A fight that an editor has changed is still a fight; other files are recognised by their beginning.
        ours = start.startswith(_OWN_START) or isinstance(error, Edited)
        problem = error.message if ours else "this file is not a fight of tocsin"
        return Listed(name, path, modified=stat.st_mtime, problem=problem)
    return Listed(name, path, make_printable(header.system, NAME_CAP), stat.st_mtime)


def _package_folder() -> str:
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
