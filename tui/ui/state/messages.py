"""The messages of each step, read from the store only when they are needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from msgspec import Struct

from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import GAME_MASTER, Viewer
from tui.core.views.log import Message
from tui.store.history import Step

BLOCK = 16
LETTERS = 1_200  # texts of a step that are kept, so that a roll of hundreds is not worded and then cut


class Past(Protocol):
    """The part of a store that knows earlier steps."""

    @property
    def step(self) -> int:
        """How many steps are in force, without undone ones."""

    @property
    def steps(self) -> int:
        """How many steps there are, with undone ones."""

    def messages(
        self, step: int, viewer: Viewer = GAME_MASTER, before: Encounter | None = None
    ) -> Iterable[Message]:
        """Return the messages of a step for this viewer; `before` is the encounter before it."""

    def done(self, step: int) -> Step:
        """Return a step, with its line."""

    def at(self, step: int) -> Encounter:
        """Return the encounter after this many steps."""


class StepTexts(Struct, frozen=True):
    """A step in words."""

    step: int
    asked: str
    """Its command line."""
    texts: tuple[str, ...]
    """Its messages."""
    more: bool = False
    """Whether there were more messages than are kept."""


class Chronicle:
    """Steps in words: a cache, filled when a step is read."""

    def __init__(self, past: Past, viewer: Viewer = GAME_MASTER) -> None:
        self._past, self._viewer = past, viewer
        self._known: dict[int, StepTexts] = {}

    @property
    def current(self) -> int:
        """The last step in force."""
        return self._past.step

    @property
    def last(self) -> int:
        """The last step, also if it is undone."""
        return self._past.steps

    def step(self, step: int) -> StepTexts:
        """Return a step in words; steps count from 1."""
        if step not in self._known:
            self._read(max(1, step - BLOCK + 1), step)
        return self._known[step]

    def changed(self, since: int) -> None:
        """Forget the steps after `since`, which are read again when needed."""
        for step in [s for s in self._known if s > since]:
            del self._known[step]

    def _read(self, first: int, last: int) -> None:
        # Earlier steps of the block are read as well, because scrolling mostly goes on.
        while first in self._known and first < last:
            first += 1
        if first == last:
            messages = self._past.messages(last, self._viewer)
            self._known[last] = StepTexts(last, self._past.done(last).line, *_first_messages(messages))
            return
        e = self._past.at(first - 1)
        for step in range(first, last + 1):
            done = self._past.done(step)
            self._known[step] = StepTexts(
                step, done.line, *_first_messages(self._past.messages(step, self._viewer, e))
            )
            # Each step is applied here: asking for every step would rebuild each from a kept state.
            e = fold(e, done.events)


def _first_messages(messages: Iterable[Message]) -> tuple[tuple[str, ...], bool]:
    """Return as many messages as a log shows, and whether there are more.

    For a step with several dice, their outcome comes first, because the end of a long row is cut.
    """
    texts: list[str] = []
    letters = 0
    lines = list(_without_echo(messages))
    if sum(line.kind == "rolled" for line in lines) > 1:
        lines.sort(key=lambda line: line.kind == "rolled")
    for line in lines:
        if letters > LETTERS:
            return tuple(texts), True
        texts.append(line.text.replace("`", ""))
        letters += len(line.text)
    return tuple(texts), False


_ENDS = frozenset({"turnended", "roundended"})
_BEGINS = frozenset({"turnbegan", "roundbegan", "roundended"})


def _without_echo(messages: Iterable[Message]) -> Iterator[Message]:
    """Leave out ends of turns and rounds that the next message implies."""
    held: Message | None = None
    for message in messages:
        if held and message.kind not in _BEGINS and not _says_how_waiting(message.text, held.text):
            yield held
        held = message if message.kind in _ENDS else None
        if not held:
            yield message
    if held:
        yield held


def _says_how_waiting(text: str, waits: str) -> bool:
    """Return whether a message says how a creature waits: `Orc 5 delays` after `Orc 5 waits`."""
    return waits.endswith(" waits") and text.startswith(waits.removesuffix("waits"))


def unread(asked: str) -> str:
    """Return the line of an order without its text, for a screen that players can see."""
    m = re.match(r'(order (?:"[^"]*"|\S+)) ', asked)
    return f"{m[1]} ..." if m else asked
