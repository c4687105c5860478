"""One viewer's view of a fight, kept up step by step: every step is told once, however often it is published."""

from __future__ import annotations

from typing import Final

import msgspec

from tui.core.fight.apply import fold
from tui.core.fight.viewer import Viewer
from tui.core.rules.systems import running
from tui.core.views.log import moments, story
from tui.core.views.page import Moment, numbered, page
from tui.store.store import Store

LOGGED: Final = 60
"""Moments of the log that are published: more than any screen shows."""

_KEPT = 256  # steps whose words are remembered
_ENCODE = msgspec.json.Encoder()


class Edition:
    """What one viewer has been told of a fight."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._counts = [0]  # moments told up to each step, from step 0
        self._told: dict[int, tuple[tuple[str, ...], ...]] = {}

    def back_to(self, step: int) -> None:
        """Forgets what came after a step: it was undone, and other steps may stand there now."""
        del self._counts[step + 1 :]
        self._told = {number: texts for number, texts in self._told.items() if number <= step}

    def page(self, store: Store) -> bytes:
        """The viewer's page of the fight now, as JSON."""
        self.back_to(store.step)
        self._catch_up(store)
        told = page(store.name, store.encounter, store.system, self._viewer, self._latest(store))
        return _ENCODE.encode(told)

    def _catch_up(self, store: Store) -> None:
        """Tells the steps that nobody has told yet, one after the other: a long fight is folded once."""
        first = len(self._counts)
        if first > store.step:
            return
        e = store.at(first - 1)
        for number in range(first, store.step + 1):
            events = store.done(number).events
            texts = tuple(moments(story(e, events, self._viewer, running(store.systems, e))))
            self._counts.append(self._counts[-1] + len(texts))
            self._remember(number, texts)
            e = fold(e, events)

    def _latest(self, store: Store) -> list[Moment]:
        """The latest moments, the last one now."""
        found: list[list[Moment]] = []
        step, left = store.step, LOGGED
        while step > 0 and left > 0:
            if self._counts[step] > self._counts[step - 1]:
                found.append(numbered(self._of(store, step), self._counts[step - 1])[-left:])
                left -= len(found[-1])
            step -= 1
        return [moment for some in reversed(found) for moment in some]

    def _of(self, store: Store, step: int) -> tuple[tuple[str, ...], ...]:
        if step not in self._told:
            self._remember(step, tuple(moments(store.told(step, self._viewer))))
        return self._told[step]

    def _remember(self, step: int, texts: tuple[tuple[str, ...], ...]) -> None:
        self._told[step] = texts
        if len(self._told) > _KEPT:
            del self._told[min(self._told)]
