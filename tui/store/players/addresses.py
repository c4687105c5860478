"""Store the secret addresses of the pages for browsers, and their port, in the table's folder.

Everybody with an address sees what its viewer may know. So each address has 128 random bits, and the file is
private.
"""

from __future__ import annotations

import base64
import secrets
import stat
from contextlib import suppress
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from tui.store.disk import PRIVATE, read_regular, replace_file
from tui.store.players.folder import ADDRESSES, TableFolder, open_table_part
from tui.store.problems import BadFile

_CAP: Final = 64_000  # bytes

Key = Annotated[str, Meta(pattern=r"\A[a-z2-7]{26}\Z")]
"""The secret part of an address: 128 bits in letters and digits that can be typed on a phone."""


class Addresses(Struct):
    """The port, and each viewer's key by the viewer's name in lower case, "" for the viewer without a name.

    `folder` is the number (inode) of the table's folder for which the addresses were made.
    """

    port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    keys: dict[str, Key] = {}
    format: int = 1
    folder: int = 0

    def key(self, viewer: str) -> str:
        """Return the viewer's key; make one if there is none."""
        made = base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
        return self.keys.setdefault(viewer.lower(), made)


def read_addresses(table: TableFolder) -> Addresses:
    """Return the stored addresses; new ones if there are none or if others may know them.

    Others may know them if they can read the file, or if the folder is a copy.
    """
    with suppress(OSError, BadFile, msgspec.MsgspecError), open_table_part(table.path) as folder:
        data, status = read_regular(folder, ADDRESSES, _CAP)
        if not stat.S_IMODE(status.st_mode) & 0o077:
            addresses = msgspec.json.decode(data, type=Addresses)
            if addresses.folder == folder.lstat(".").st_ino:
                return addresses
    return Addresses()


def keep_addresses(table: TableFolder, addresses: Addresses) -> None:
    """Write the addresses, readable by their owner alone. Raises OSError."""
    with open_table_part(table.path, make=True) as folder:
        addresses.folder = folder.lstat(".").st_ino
        replace_file(folder, ADDRESSES, [msgspec.json.encode(addresses)], PRIVATE, durable=True)
