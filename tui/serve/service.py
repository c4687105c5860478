"""Serve one fight from the process that writes it: pages after each step, lines of players, addresses.

Everything here runs on the loop of the writer; only `PageServer` has a thread of its own.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, Protocol

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.listening import LOOPBACK
from tui.core.fight.viewer import players
from tui.core.rules.creature_fields import EVERYBODY
from tui.serve.http import PageServer
from tui.serve.judge import PageJudge
from tui.serve.letter import LineReply, Mailbox, SentLine
from tui.serve.listening import base_url, is_local, listen
from tui.serve.page import make_page, number_page, page_headers, read_html
from tui.store.addresses import Addresses, identify
from tui.store.problems import NotSaved, make_printable
from tui.store.session import Session

FIRST_PAGE: Final = 0.04
"""How long after a step its first page is made, in seconds: meanwhile the writer draws the step."""

BETWEEN_PAGES: Final = 0.004
"""How long the loop is left alone between two pages, in seconds, so that a key is never behind two."""

MOST_VIEWERS: Final = 64
"""The most viewers that have an address."""


class WriterLoop(Protocol):
    """The loop of the writer; `soon` may be called from any thread."""

    def soon(self, call: Callable[[], None]) -> None:
        """Call on the loop's thread."""

    def later(self, delay: float, call: Callable[[], None]) -> object:
        """Call after `delay` seconds; from the loop's thread."""


class Wanted(Struct, frozen=True):
    """How a fight is to be served: where, for whom, and whether with new addresses."""

    host: str = LOOPBACK
    port: int | None = None
    """None: the port of the last time, or a free one; 0: a free one."""
    viewers: tuple[str, ...] = ()
    """The players; () for every owner of a creature."""
    new: bool = False


class PageService:
    """The pages of one fight, for as long as this process writes it and until `close`."""

    def __init__(
        self,
        session: Session,
        loop: WriterLoop,
        say: Callable[[str], None],
        wanted: Wanted,
        redraw: Callable[[], None] = lambda: None,
        settle: Callable[[], None] = lambda: None,
    ) -> None:
        """Listen, and open the addresses.

        `say` shows the game master a sentence, `redraw` is called when somebody looks or leaves. `settle`
        waits for the disk, if no thread does. Raises RuleError.
        """
        self._redraw, self._settle = redraw, settle
        self._session, self._loop, self._say, self._wanted = session, loop, say, wanted
        store = session.store
        self._addresses = Addresses(session.writer.path, new=wanted.new)
        last = self._addresses.port if wanted.port is None else wanted.port
        listener = listen(wanted.host, last, free=wanted.port is None)
        self.is_local, self._url = is_local(listener), base_url(listener)
        self._judge = PageJudge(store)
        self._made: dict[str, bytes] = {}
        self._moments: dict[str, int] = {}
        self._dirty: dict[str, None] = {}
        self._owed: deque[tuple[int, SentLine, LineReply]] = deque()
        self._players: tuple[str, ...] | None = None
        self._scheduled = self.closed = False
        self.looking: dict[str, int] = {}
        """The number of open pages, by viewer."""
        self._mailbox = Mailbox(lambda: loop.soon(self._read_letter))
        html = read_html()
        self._server = PageServer(
            listener,
            html,
            page_headers(html),
            self._mailbox,
            lambda counts: loop.soon(partial(self._take_looking, counts)),
            lambda name: loop.soon(partial(self._end_by_fault, name)),
        )
        self._admit()
        self._addresses.announce(self._url, listener.getsockname()[1])
        self._server.start()
        store.watch(self._changed)

    # --- addresses

    @property
    def urls(self) -> tuple[tuple[str, str], ...]:
        """The name of each viewer, and the address of the viewer's page."""
        names = self._addresses.names
        return tuple((names.get(low) or EVERYBODY, self._url + key) for low, key in self._open_keys.items())

    @property
    def _open_keys(self) -> dict[str, str]:
        """The keys of the addresses that are open, by viewer."""
        keys, only = self._addresses.keys, {"", *(name.lower() for name in self._wanted.viewers)}
        return {low: key for low, key in keys.items() if low in only} if self._wanted.viewers else keys

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the game master must know about the addresses."""
        texts = []
        if not self.is_local:
            texts.append("these pages are not encrypted: everybody in this network can read along")
        if self._addresses.changed:
            texts.append("all addresses are new: this save is not the one that was served before")
        if why := self._addresses.unkept:
            texts.append(f"the addresses end with this program, because they cannot be written: {why}")
        return tuple(texts)

    def renew(self, name: str | None) -> None:
        """End the address of a player, or all of them, at once. Raises RuleError for an unknown name."""
        low = "" if name is not None and name.lower() == EVERYBODY else name
        if not self._addresses.renew(low):
            known = ", ".join(who for who, _ in self.urls)
            raise RuleError(
                f"nobody called {make_printable(name or '', 40)} has an address", f"there are: {known}"
            )
        self._mailbox.drop(None if low is None else low.lower())
        self._addresses.keep()
        self._server.admit(self._open_keys)

    def moved(self, path: str) -> None:
        """Take the addresses along: the fight goes on in another file."""
        self._addresses.move(path)

    def _admit(self) -> None:
        """Open an address for everybody, and for each player."""
        names = players(self._session.store.encounter)
        if names == self._players:
            return
        self._players = names
        known = self._wanted.viewers or names
        if self._addresses.admit(("", *known[: MOST_VIEWERS - 1])):
            self._addresses.keep()
        self._server.admit(self._open_keys)
        if len(known) >= MOST_VIEWERS:
            self._say(f"only {MOST_VIEWERS - 1} players have an address")

    # --- pages

    def _changed(self, _since: int) -> None:
        if self.closed:
            return
        self._admit()
        self._want(self.looking)

    def _want(self, viewers: Iterable[str]) -> None:
        """Make the pages of these viewers soon."""
        self._dirty |= dict.fromkeys(viewers)
        if self._dirty and not self._scheduled:
            self._scheduled = True
            self._loop.later(FIRST_PAGE, self._make_next_page)

    def _make_next_page(self) -> None:
        """Make one page, and leave the loop alone before the next: keys come first."""
        self._scheduled = False
        if self.closed or not self._dirty:
            return
        viewer = next(iter(self._dirty))
        del self._dirty[viewer]
        try:
            self._make(viewer)
        except Exception as error:  # noqa: BLE001  # a page must not end the game master's program
            self._end_by_fault(type(error).__name__)
            return
        if self._dirty:
            self._scheduled = True
            self._loop.later(BETWEEN_PAGES, self._make_next_page)

    def _make(self, viewer: str) -> None:
        """Make a viewer's page, and send it if it has changed: an unseen step must not show."""
        page, offers = make_page(self._session.store, self._addresses.names.get(viewer, ""))
        if self._made.get(viewer) == page:
            return
        self._made[viewer] = page
        # From the clock, so that a page of an earlier run of the program never has the number of this one.
        moment = max(self._moments.get(viewer, 0) + 1, time.time_ns() // 1_000_000)
        self._moments[viewer] = moment
        self._judge.showed(viewer, moment, offers)
        self._server.show(viewer, number_page(moment, page))

    # --- lines

    def _read_letter(self) -> None:
        """Judge one line; each has a turn of the loop."""
        letter = self._mailbox.take()
        if letter is None:
            return
        # An address that has ended meanwhile sends nothing any more.
        if self.closed or self._open_keys.get(letter.viewer) != letter.key or not letter.begin():
            letter.give_up()
            return
        judged = self._judge.judge(letter, self._addresses.names.get(letter.viewer, letter.viewer))
        if judged.fault:
            self._say(judged.fault)
        self._owed.append((judged.record, letter, judged.reply))
        with suppress(NotSaved):
            self._settle()
        self.synced()

    def synced(self) -> None:
        """Answer the lines whose records are on the disk; called after each sync too."""
        durable, waiting = self._session.writer.durable, deque[tuple[int, SentLine, LineReply]]()
        for record, letter, reply in self._owed:
            if record <= durable:
                letter.reply(reply)
            else:
                waiting.append((record, letter, reply))
        self._owed = waiting

    # --- what the server's thread reports

    def _take_looking(self, counts: dict[str, int]) -> None:
        new = [viewer for viewer in counts if viewer not in self.looking]
        # The server keeps no page of a viewer who has left, so it is made and sent again.
        self._made = {viewer: page for viewer, page in self._made.items() if viewer in counts}
        self.looking = counts
        self._want(new)
        self._redraw()

    def _end_by_fault(self, name: str) -> None:
        if not self.closed:
            self.close()
            self._say(f"the pages stopped because of a bug in tocsin ({name}): `:serve` starts them again")

    def close(self) -> None:
        """End the serving; the addresses stay for the next time."""
        if self.closed:
            return
        self.closed, self.looking = True, {}
        self._mailbox.drop()
        for _, letter, _ in self._owed:
            letter.reply(LineReply("again", "the GM's program ends", "it is sent again"))
        self._server.close()
        if identify(self._session.writer.path)[1]:
            # The writer may have replaced its file after a fault of the disk: the addresses follow it.
            self._addresses.keep()
        self._addresses.withdraw()


class LineLoop:
    """A loop that runs calls, and the lines of an input as they come, on one thread."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._delayed: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._over = False

    def soon(self, call: Callable[[], None]) -> None:
        """Call on the loop's thread; from any thread."""
        self._calls.put(call)

    def later(self, delay: float, call: Callable[[], None]) -> None:
        """Call after `delay` seconds; from the loop's thread."""
        self._count += 1
        heapq.heappush(self._delayed, (time.monotonic() + delay, self._count, call))

    def run(self, lines: Iterable[str], answer: Callable[[str], None]) -> None:
        """Call `answer` with each line, until the input ends or `answer` raises."""
        Thread(target=self._read, args=(lines, answer), name="input", daemon=True).start()
        while not self._over:
            while self._delayed and self._delayed[0][0] <= time.monotonic():
                heapq.heappop(self._delayed)[2]()
            patience = self._delayed[0][0] - time.monotonic() if self._delayed else 0.5
            try:
                self._calls.get(timeout=max(0.0, patience))()
            except Empty:
                continue

    def _read(self, lines: Iterable[str], answer: Callable[[str], None]) -> None:
        for line in lines:
            self.soon(lambda line=line: answer(line))  # type: ignore[misc]
        self.soon(self._end)

    def _end(self) -> None:
        self._over = True


def serve_lines(
    session: Session,
    wanted: Wanted,
    lines: Iterable[str],
    answer: Callable[[str], None],
    say: Callable[[str], None],
) -> None:
    """Serve a fight while lines come. Raises RuleError, and what `answer` raises."""
    loop = LineLoop()
    service = PageService(session, loop, say, wanted, settle=session.writer.wait)
    try:
        for remark in service.remarks:
            say(remark)
        for name, url in service.urls:
            say(f"{name}  {url}")
        say("the pages stay open until the input ends")
        loop.run(lines, answer)
    finally:
        service.close()
