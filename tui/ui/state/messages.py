"""What happened, step by step, read from the store only as far as someone looks."""

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
LETTERS = 1_200  # of a step that are kept, so that a roll of hundreds is not told to be cut


class Past(Protocol):
    """The part of a store that knows the past."""

    @property
    def step(self) -> int:
        """How many steps are in force, undone ones not counted."""

    @property
    def steps(self) -> int:
        """How many steps there are, undone ones counted."""

    def messages(
        self, step: int, viewer: Viewer = GAME_MASTER, before: Encounter | None = None
    ) -> Iterable[Message]:
        """Return the messages of a step for this viewer; `before` is the encounter before it."""

    def done(self, step: int) -> Step:
        """Return the line of a step."""

    def at(self, step: int) -> Encounter:
        """Return the encounter after this many steps."""


class StepTexts(Struct, frozen=True):
    """A step in words: its line and its messages; `more`: there were more of them than are kept."""

    step: int
    asked: str
    texts: tuple[str, ...]
    more: bool = False


class Chronicle:
    """Steps in words: a cache, filled as far as someone looks."""

    def __init__(self, past: Past, viewer: Viewer = GAME_MASTER) -> None:
        self._past, self._viewer = past, viewer
        self._known: dict[int, StepTexts] = {}

    @property
    def current(self) -> int:
        """The step at which the fight stands."""
        return self._past.step

    @property
    def last(self) -> int:
        """The last step there is, undone ones counted."""
        return self._past.steps

    def step(self, step: int) -> StepTexts:
        """Return a step, from 1, in words."""
        if step not in self._known:
            self._read(max(1, step - BLOCK + 1), step)
        return self._known[step]

    def changed(self, since: int) -> None:
        """Forget the steps after `since`: they are read again when someone looks."""
        for step in [s for s in self._known if s > since]:
            del self._known[step]

    def _read(self, first: int, last: int) -> None:
        # A block before the step is read as well: scrolling mostly goes on.
        while first in self._known and first < last:
            first += 1
        if first == last:
            messages = self._past.messages(last, self._viewer)
            self._known[last] = StepTexts(last, self._past.done(last).line, *_begun(messages))
            return
        e = self._past.at(first - 1)
        for step in range(first, last + 1):
            done = self._past.done(step)
            self._known[step] = StepTexts(
                step, done.line, *_begun(self._past.messages(step, self._viewer, e))
            )
            # Folded on here: asking for every step again would fold each from a kept state.
            e = fold(e, done.events)


def _begun(messages: Iterable[Message]) -> tuple[tuple[str, ...], bool]:
    """Return as many messages as a log shows, and whether there are more.

    Of a step with several dice, what they decided comes first: the end of a long row is cut.
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
        if held and message.kind not in _BEGINS and not _tells(message.text, held.text):
            yield held
        held = message if message.kind in _ENDS else None
        if not held:
            yield message
    if held:
        yield held


def _tells(text: str, waits: str) -> bool:
    """Return whether a message says how someone waits: `Orc 5 delays` after `Orc 5 waits`."""
    return waits.endswith(" waits") and text.startswith(waits.removesuffix("waits"))


def unread(asked: str) -> str:
    """Return an order's line without the order, for a screen that the players can see."""
    m = re.match(r'(order (?:"[^"]*"|\S+)) ', asked)
    return f"{m[1]} ..." if m else asked
