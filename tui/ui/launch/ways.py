"""Words of the `:` line that lead from a fight to somewhere else."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.language.tokens import quote
from tui.store.saves import name_of, place
from tui.ui.keys.services import ProgramWord
from tui.ui.keys.start.doors import Doors
from tui.ui.launch.opened import refusals


class Ways(Struct, frozen=True):
    """The doors, and the start screen, which may be asked to make a fight of that name.

    `running` is the system's id, `looked` the path of the fight that is only looked at, "" while one is written.
    """

    doors: Doors
    home: Callable[[str], None]
    running: Callable[[], str]
    looked: Callable[[], str]
    saves: str
    systems: Callable[[], tuple[str, ...]]

    def words(self) -> Mapping[str, ProgramWord]:
        """The words, by name."""
        look = partial(self.doors.open, how="look")
        found = (
            (self._start, "start", "back to the start screen: the list of fights; this one is kept"),
            (partial(self._named, self.doors.open), "open NAME", "another fight; this one is kept"),
            (partial(self._named, look), "look NAME", "looks on at a fight that somebody else writes"),
            (
                self._take,
                "take",
                "goes on with the fight that is looked at: whoever writes it is asked to leave",
            ),
            (self._make, "new NAME [SYSTEM]", "another fight, its system explained; this one is kept"),
            (self._lesson, "tutor [SYSTEM]", "a short lesson on a system; the fight waits"),
        )
        return {usage.partition(" ")[0]: ProgramWord(does, usage, help_) for does, usage, help_ in found}

    def _start(self, rest: str) -> str:
        del rest
        self.home("")
        return ""

    def _named(self, door: Callable[[str], None], rest: str) -> str:
        if not rest:
            return self._start(rest)
        path = self._place(rest)
        if not os.path.lexists(path):
            name = name_of(path)
            raise RuleError(f"there is no fight {name}", f"`new {quote(name)}` makes it, `start` lists all")
        door(path)
        return ""

    def _take(self, rest: str) -> str:
        del rest
        path = self.looked()
        if not path:
            raise RuleError("this fight is yours already", "`look NAME` looks on at another")
        self.doors.open(path, how="take")
        return ""

    def _make(self, rest: str) -> str:
        name, _, system = rest.rpartition(" ")
        if not name or system not in self.systems():
            name, system = rest, ""
        if not name:
            return self._start(rest)
        path = self._place(name)
        if os.path.lexists(path):
            raise RuleError(f"{name_of(path)} is already there", f"`open {quote(name_of(path))}` opens it")
        if system:
            self.doors.new(name.strip('"'), system, "")
        else:
            self.home(name.strip('"'))
        return ""

    def _lesson(self, rest: str) -> str:
        self.doors.lesson(rest or self.running())
        return ""

    def _place(self, name: str) -> str:
        with refusals():
            return place(name.strip('"'), self.saves)
