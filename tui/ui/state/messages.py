"""What the screen reads of past steps, only when it is needed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct

from tui.core.fight.viewer import Viewer
from tui.core.views.log import Message, without_echo
from tui.store.store import Store

MOST_CHARACTERS = (
    1_200  # texts of a step that are kept, so that a roll of hundreds is not worded and then cut
)
MOST_HEARD = 500
"""The latest moments of a viewer's log that are kept."""


class StepTexts(Struct, frozen=True):
    """A step in words."""

    step: int
    line: str
    """Its command line."""
    texts: tuple[str, ...]
    """Its messages."""
    more: bool = False
    """Whether the step has further messages, which are not in `texts`."""
    by: str = ""
    """The player that sent it, as in `Step`; "" for the game master."""


class Chronicle:
    """Steps in words: a cache, filled when a step is read."""

    def __init__(self, store: Store, *, cites: bool = False) -> None:
        self._store, self._cites = store, cites
        self._known: dict[int, StepTexts] = {}

    @property
    def current(self) -> int:
        """The last step in force."""
        return self._store.step

    @property
    def last(self) -> int:
        """The last step, also if it is undone."""
        return self._store.steps

    def step(self, step: int) -> StepTexts:
        """Return a step in words; steps count from 1."""
        if step not in self._known:
            done, messages = self._store.done(step), self._store.messages(step)
            self._known[step] = StepTexts(step, done.line, *self._first_messages(messages), by=done.by)
        return self._known[step]

    def _first_messages(self, messages: Iterable[Message]) -> tuple[tuple[str, ...], bool]:
        """Return as many messages as a log shows, and whether there are more."""
        texts: list[str] = []
        letters = 0
        for line in without_echo(messages):
            if letters > MOST_CHARACTERS:
                return tuple(texts), True
            texts.append((line.cited if self._cites else line.text).replace("`", ""))
            letters += len(line.text)
        return tuple(texts), False

    def changed(self, since: int) -> None:
        """Forget the steps after `since`; they are read again when needed."""
        for step in [s for s in self._known if s > since]:
            del self._known[step]


class HeardChronicle(Chronicle):
    """The moments that one viewer was shown, under numbers of their own."""

    def __init__(self, store: Store, viewer: Viewer) -> None:
        super().__init__(store)
        self._viewer = viewer
        self._moments: dict[int, tuple[str, ...]] | None = None

    @property
    def moments(self) -> dict[int, tuple[str, ...]]:
        """The latest moments by their number."""
        if self._moments is None:
            self._moments = {x.step: x.text for x in self._store.heard(self._viewer, MOST_HEARD)}
        return self._moments

    @property
    def current(self) -> int:
        """The number of the last moment."""
        return max(self.moments, default=0)

    @property
    def last(self) -> int:
        """The number of the last moment, because undone ones are not shown."""
        return self.current

    def step(self, step: int) -> StepTexts:
        """Return a moment in words."""
        return StepTexts(step, "", tuple(x.replace("`", "") for x in self.moments.get(step, ())))

    def changed(self, since: int) -> None:
        """Forget the moments."""
        del since
        self._moments = None


BREAK_SECONDS = 3600.0
"""Seconds without a line that count as a break: the time between two sessions belongs to no turn."""


def count_seconds(at: str, now: str) -> float:
    """Return the seconds between two times; 0 after a break, or if the clock was set back."""
    seconds = (datetime.fromisoformat(now) - datetime.fromisoformat(at)).total_seconds()
    # A clock set back by hand or by daylight saving must not shorten a turn.
    return seconds if 0.0 <= seconds <= BREAK_SECONDS else 0.0
