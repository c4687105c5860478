"""Hold what each viewer's browsers are shown now, read from the pages that are published."""

from __future__ import annotations

from threading import Condition, Lock
from typing import Literal

import msgspec
from msgspec import Raw, Struct

from tui.store.players.page_reader import PageReader, Standing


class _Seat(Struct, frozen=True):
    """Of what the viewer could send only whether anybody leads the fight."""

    gmless: bool = False


class _Page(Struct, frozen=True):
    """The parts of a page that go to a browser: `state` is the object of `show --json --as NAME`."""

    format: Literal[1]
    viewer: str
    state: Raw
    now: Raw
    sides: Raw
    rows: Raw
    words: Raw
    seat: _Seat


class _Shown(Struct, frozen=True):
    """What a browser is sent: how the save stands, and the page, null where there is none yet."""

    standing: Standing | Literal["newer"]
    page: _Page | None


class _Owned(Struct, frozen=True):
    owner: str = ""


class _Creatures(Struct, frozen=True):
    combatants: tuple[_Owned, ...] = ()


_ENCODE = msgspec.json.Encoder().encode
_PAGE = msgspec.json.Decoder(_Page)


class _Look:
    """One viewer's page, and what was made of it."""

    def __init__(self, path: str, viewer: str) -> None:
        self.reader = PageReader(path, viewer)
        self.standing: Standing = "waiting"
        self.page: _Page | None = None
        self.newer = False  # the only page is not one that this version can read
        self.data = b""

    def again(self) -> bool:
        """Read what is published; return whether a browser is to be sent something new."""
        status, before = self.reader.look(), self.data
        if status.page is not None:
            try:
                self.page, self.newer = _PAGE.decode(status.page), False
            except (msgspec.MsgspecError, ValueError, RecursionError):
                self.newer = self.page is None
        self.standing = status.standing
        data = _ENCODE(_Shown("newer" if self.newer else status.standing, self.page))
        # One line, whatever lies in the folder: a line break would end an event.
        self.data = data.translate(None, b"\r\n")
        return self.data != before


class Pages:
    """The pages of all viewers: one thread looks again and again, others wait for what is new."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._looks: dict[str, _Look] = {}
        self._looking, self._news = Lock(), Condition()
        self._closed = False

    def add(self, viewer: str) -> None:
        """Read a viewer's page from now on, "" for the public one."""
        self._looks = {**self._looks, viewer: _Look(self._path, viewer)}

    def look(self) -> None:
        """Read every page, and wake those who wait for one that changed."""
        with self._looking:  # a look that outlasts the end would say again that someone looks
            changed = [look for look in self._looks.values() if not self._closed and look.again()]
        if changed:
            with self._news:
                self._news.notify_all()

    def wait(self, viewer: str, seen: bytes, patience: float) -> bytes:
        """Return what a viewer is shown, as JSON: once it is not what was `seen`, or after `patience` s."""
        look = self._looks[viewer]
        with self._news:
            self._news.wait_for(lambda: look.data != seen, patience)
        return look.data

    @property
    def unwritten(self) -> bool:
        """Whether nobody writes the save."""
        return any(look.standing == "unwritten" for look in self._looks.values())

    @property
    def owners(self) -> tuple[str, ...]:
        """The owners of creatures whom everybody sees."""
        page = self._looks[""].page
        if page is None:
            return ()
        creatures = msgspec.json.decode(page.state, type=_Creatures).combatants
        return tuple(dict.fromkeys(c.owner for c in creatures if c.owner))

    def close(self) -> None:
        """Look no more."""
        with self._looking:
            self._closed = True
            for look in self._looks.values():
                look.reader.close()
