"""Hold the JSON of each viewer's page for browsers, read from the published pages."""

from __future__ import annotations

from threading import Condition, Lock
from typing import Literal

import msgspec
from msgspec import Raw, Struct

from tui.store.players.page_reader import PageReader, Standing


class _Seat(Struct, frozen=True):
    """The only field of a page's seat that browsers use."""

    gmless: bool = False
    """Whether the fight has no game master."""


class _Page(Struct, frozen=True):
    """The fields of a page that browsers use."""

    format: Literal[1]
    viewer: str
    state: Raw
    """The object of `show --json --as NAME`."""
    now: Raw
    sides: Raw
    rows: Raw
    words: Raw
    seat: _Seat


class _Shown(Struct, frozen=True):
    """The JSON that a browser gets."""

    standing: Standing | Literal["newer"]
    """The state of the save."""
    page: _Page | None
    """The page, null before the first one."""


class _Owned(Struct, frozen=True):
    owner: str = ""


class _Creatures(Struct, frozen=True):
    combatants: tuple[_Owned, ...] = ()


_ENCODE = msgspec.json.Encoder().encode
_PAGE = msgspec.json.Decoder(_Page)


class _ViewerPage:
    """One viewer's page, and its JSON for browsers."""

    def __init__(self, path: str, viewer: str) -> None:
        self.reader = PageReader(path, viewer)
        self.standing: Standing = "waiting"
        self.page: _Page | None = None
        self.newer = False  # the only page is one that this version cannot read
        self.data = b""

    def again(self) -> bool:
        """Read the published page; return whether the JSON has changed."""
        status, before = self.reader.look(), self.data
        if status.page is not None:
            try:
                self.page, self.newer = _PAGE.decode(status.page), False
            except (msgspec.MsgspecError, ValueError, RecursionError):
                self.newer = self.page is None
        self.standing = status.standing
        data = _ENCODE(_Shown("newer" if self.newer else status.standing, self.page))
        # One line, whatever the file holds: a line break would end an event.
        self.data = data.translate(None, b"\r\n")
        return self.data != before


class Pages:
    """The pages of all viewers. One thread reads them again and again; other threads wait for changes."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._looks: dict[str, _ViewerPage] = {}
        self._looking, self._news = Lock(), Condition()
        self._closed = False

    def add(self, viewer: str) -> None:
        """Read a viewer's page from now on, "" for the public one."""
        self._looks = {**self._looks, viewer: _ViewerPage(self._path, viewer)}

    def look(self) -> None:
        """Read every page, and wake the waiting threads if any has changed."""
        with self._looking:  # a look that ends after `close` would report that the pages are still read
            changed = [look for look in self._looks.values() if not self._closed and look.again()]
        if changed:
            with self._news:
                self._news.notify_all()

    def wait(self, viewer: str, seen: bytes, patience: float) -> bytes:
        """Return a viewer's JSON when it differs from `seen`, or as it is after `patience` seconds."""
        look = self._looks[viewer]
        with self._news:
            self._news.wait_for(lambda: look.data != seen, patience)
        return look.data

    @property
    def unwritten(self) -> bool:
        """Whether a page says that no program writes the save."""
        return any(look.standing == "unwritten" for look in self._looks.values())

    @property
    def owners(self) -> tuple[str, ...]:
        """The owners of creatures in the public page, each once."""
        page = self._looks[""].page
        if page is None:
            return ()
        creatures = msgspec.json.decode(page.state, type=_Creatures).combatants
        return tuple(dict.fromkeys(c.owner for c in creatures if c.owner))

    def close(self) -> None:
        """Stop reading the pages."""
        with self._looking:
            self._closed = True
            for look in self._looks.values():
                look.reader.close()
