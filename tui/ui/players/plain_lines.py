"""Run a player's terminal and seat in plain lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TextIO

from msgspec.structs import replace

from tui.core.base.text import LONGEST_LINE, clean
from tui.core.table_lines import creature_lines, track_lines
from tui.store.players.page_reader import PageReader
from tui.store.seats.inbox import Reply
from tui.store.sources import wait_for_next_look
from tui.ui.players.outbox import Post
from tui.ui.players.page import FrameState, PlayerPage, seen, standing_words
from tui.ui.players.panel import Task, standpoint, tasks
from tui.ui.players.returned import about
from tui.ui.players.table_screen import orders_to_read

INPUT = 0
REPORTS: Mapping[str, Callable[[PlayerPage], list[str]]] = {
    "track": lambda page: track_lines(page.state),
    "roster": lambda page: creature_lines(page.state),
    "orders": lambda page: list(orders_to_read(page, masked=False)),
}
"""The words that are answered from the page, without sending a line."""


def tell(reader: PageReader, look: FrameState, output: TextIO) -> int:
    """Print the news of a viewer until the input ends or says `quit`; return the exit code."""
    asks = [INPUT] if sys.stdin is not None and sys.stdin.isatty() else []
    while True:
        look = show_news(reader, look, output)
        ready = wait_for_next_look(asks)
        # Only a terminal is asked: a script that watches types nothing, and ends by a signal.
        if ready:
            word = os.read(INPUT, 4096).decode("utf-8", "replace").strip()
            if word.lower() in ("", "q", "quit"):
                return 0
            report(word, look, output)


def report(word: str, look: FrameState, output: TextIO) -> bool:
    """Print a report if `word` names one in `REPORTS`; return whether it does."""
    lines = REPORTS.get(word.lower())
    if lines:
        texts = lines(look.page) if look.page else []
        output.writelines(f"{line}\n" for line in texts or ["Nothing to show yet"])
        output.flush()
    return lines is not None


def show_news(reader: PageReader, look: FrameState, output: TextIO) -> FrameState:
    """Read the page once, print the news, and return the look with that page."""
    now = seen(look, reader.look())
    texts = list(_list_news(look, now))
    if texts:
        output.writelines(f"{line}\n" for line in texts)
        output.flush()
    return now


def _list_news(before: FrameState, now: FrameState) -> Iterator[str]:
    """Yield the news: messages, the moment, the state of the save."""
    if now.page and now.page is not before.page:
        if before.page is None:
            yield f"{now.save}: {now.page.words.title}, round {now.page.state.round}"
        yield from _list_since(before.page, now.page)
        texts = moment(now.page)
        if before.page is None or texts != moment(before.page):
            yield from texts
    line = standing_words(now)[1]
    if line != standing_words(before)[1]:
        yield line or "running again"


def _list_since(before: PlayerPage | None, page: PlayerPage) -> Iterator[str]:
    """Yield the messages of steps after `before`; if steps were undone, first say where the fight is now."""
    if before is None:
        return
    if page.state.step < before.state.step:
        yield f"Back at {page.state.step}"
    for past in page.log:
        if past.step > before.state.step:
            yield from past.text


def moment(page: PlayerPage) -> list[str]:
    """Return who acts, who comes next, and what must be read."""
    now = page.now
    return [now.lead + (f", {now.then}" if now.then else ""), *now.remarks, *page.read()]


_CHUNK = 65_536
MOST_WAITING = 1_000
"""The most lines that may wait to be sent."""
HELP = (
    "Write a line and press Enter; an empty line does what you have to do next. quit leaves.",
    "track: the order. roster: every creature you know of. orders: those you may read.",
    'order NAME action="…": an order. roll NAME: rolls the dice. roll NAME 5 3: faces rolled at the table.',
    "react NAME with TEXT: a reaction. turn NAME, pass, end: if your side chooses.",
    "Without a GM also begin, ok, next, end, undo, damage NAME 3, heal NAME 3,",
    "condition NAME prone, clear NAME prone, out NAME.",
)


class Lines:
    """Splits input into lines, and keeps the beginning of an unfinished one."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[str]:
        """Yield the lines that are complete."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        for line in whole:
            # Never cut: a line that is too long is refused, not shortened.
            text = line.decode("utf-8", "replace")[: 2 * LONGEST_LINE]
            yield clean(text, len(text))

    def last(self) -> Iterator[str]:
        """Yield the last line if the input ended without a line feed."""
        if self._rest:
            yield from self.feed(b"\n")


class PlainSeat:
    """A seat in plain lines; a line waits for the first page and for the reply to the line before."""

    def __init__(self, post: Post, output: TextIO) -> None:
        self._post, self._out = post, output
        self._asked: list[Task] = []
        self._waiting: list[str] = []
        self._sent = 0
        self._page: PlayerPage | None = None
        self._word = ""
        self._gone: dict[int, str] = {}
        self._said: set[str] = set()

    @property
    def waits(self) -> bool:
        """Whether a line waits to be sent, or to be answered."""
        return bool(self._waiting or self._sent)

    def news(self, page: PlayerPage | None) -> None:
        """Print the result of the last line and the player's tasks if they are new; send the next line."""
        reply = self._post.reply()
        if self._sent and reply.number >= self._sent:
            self._sent = 0
            self._say(_describe_reply(reply))
        if reply.word != self._word:
            self._word = reply.word
            if self._word:
                self._say(self._word.replace("`", ""))
        if page:
            self._print_undone(page)
        now = tasks(page) if page else []
        if now != self._asked:
            self._asked = now
            for task in now:
                self._say(
                    f"For you: {task.text}"
                    + ("; an empty line does it" if task is now[0] and task.line else "")
                )
        self._send_next(page)

    def line(self, page: PlayerPage | None, text: str) -> None:
        """Send a line once it is its turn; an empty line stands for the player's first task."""
        if text == "help":
            for line in HELP:
                self._say(line)
        elif len(self._waiting) >= MOST_WAITING:
            self._say(f"Not sent: {MOST_WAITING} lines wait already")
        else:
            self._waiting.append(text)
            self._send_next(page)
            if self._waiting:
                self._say(
                    "It is sent as soon as the "
                    + ("line before it is answered" if page else "table is there")
                )

    def _print_undone(self, page: PlayerPage) -> None:
        """Print which lines of this seat were undone, and which count again."""
        now = {x.number: x.line for x in page.seat.returned}
        for number, line in now.items():
            if number not in self._gone:
                self._said.discard(about(line))
                self._say(f"A step was undone, and this no longer counts: {line}")
        for number, line in self._gone.items():
            if number not in now and about(line) not in self._said:
                self._say(f"This counts again: {line}")
        self._gone = now

    def left_out(self) -> None:
        """Print which lines stay unsent or unanswered, because the player leaves."""
        for line in self._waiting:
            self._say(f"Not sent: {line}")
        if self._sent:
            self._say("The last line is not answered yet: it counts once the fight is running")

    def _send_next(self, page: PlayerPage | None) -> None:
        while page is not None and self._waiting and not self._sent:
            text = self._waiting.pop(0)
            line = text or next((task.line for task in self._asked), "")
            if line:
                try:
                    saw = standpoint(page, line)
                    if page is self._page and line.lower().startswith("order "):
                        saw = replace(saw, due="")
                    self._sent = self._post.send(line, saw)
                    self._said.add(about(line))
                    self._page = page  # this page does not show the order just sent
                except OSError as error:
                    self._say(f"Not sent: {error.strerror or 'the folder cannot be written'}")
            else:
                self._say(
                    f"Write the line: {_first(self._asked)}" if self._asked else "You have nothing to do now"
                )

    def _say(self, line: str) -> None:
        self._out.write(line + "\n")
        self._out.flush()


def _first(tasks: list[Task]) -> str:
    match tasks[0].choose:
        case "":
            return f'order {tasks[0].text.removeprefix("write the order of ")} action="…"'
        case "end":
            return "end"
        case verb:
            return f"{verb} NAME"


def _describe_reply(reply: Reply) -> str:
    match reply.became:
        case "taken":
            return "Done"
        case "waits":
            return reply.why[:1].upper() + reply.why[1:]
        case _:
            return f"Refused: {reply.why}" + (f"; {reply.hint}" if reply.hint else "").replace("`", "")


def talk(reader: PageReader, post: Post, look: FrameState, output: TextIO) -> int:
    """Read lines until `quit` or the end of the input; return the exit code."""
    seat, lines, is_open = PlainSeat(post, output), Lines(), True
    while True:
        if not post.stands:
            output.write(standing_words(replace(look, standing="closed"))[1] + "\n")
            return 1
        look = show_news(reader, look, output)
        seat.news(look.page)
        if not is_open and not (seat.waits and look.standing in ("waiting", "written")):
            seat.left_out()
            return 0
        if not wait_for_next_look([INPUT] if is_open else []):
            continue
        data = os.read(INPUT, _CHUNK)
        is_open = bool(data)
        for line in lines.feed(data) if data else lines.last():
            if line.lower() in ("q", "quit"):
                seat.left_out()
                return 0
            if not report(line, look, output):
                seat.line(look.page, line)
