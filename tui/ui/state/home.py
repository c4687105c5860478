"""The start screen as values: its lists, what Enter does in them, and the row in focus."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from tui.store.shelf import Brief, Contents
from tui.ui.state.layout import Part
from tui.ui.state.view import View

EntryKind = Literal["fight", "system", "lessons", "samples", "parties", "trash"]
"""The kind of a row of the start screen."""


class SystemSummary(Struct, frozen=True):
    """A system in the list of new fights."""

    id: str
    title: str
    summary: str


class Home(Struct, frozen=True):
    """The contents of the start screen."""

    contents: Contents
    systems: tuple[SystemSummary, ...] = ()
    lessons: tuple[str, ...] = ()
    briefs: Mapping[str, Brief] = {}
    """The summaries of fights and samples, by path."""
    now: float = 0.0
    """The time, in seconds since 1970."""
    welcome: bool = False
    """Whether the start screen opens for the first time and there is no fight yet."""


class HomeRow(Struct, frozen=True):
    """A row of a list."""

    pane: Part
    kind: EntryKind
    key: str
    """What the row stands for: a fight's or sample's path, a system's id, or the name of its list."""
    name: str
    note: str
    does: str
    """What Enter does on the row, in words."""
    about: str = ""
    """A note on the row, such as its age or system; "" for none."""

    @property
    def at(self) -> str:
        """The text that `View.track` holds while this row has focus."""
        return f"{self.kind} {self.key}"


def entries(home: Home, view: View) -> list[HomeRow]:
    """Return the rows of all lists that contain the words of the filter."""
    words = view.filter.lower().split()
    fights = sorted(_list_fights(home), key=lambda e: e.pane == "prepared")
    every = (*fights, *_systems(home), *_list_library(home))
    return [e for e in every if all(word in f"{e.name} {e.note}".lower() for word in words)]


def _list_fights(home: Home) -> Iterator[HomeRow]:
    titles = {s.id: s.title for s in home.systems}
    for save in home.contents.fights:
        brief = home.briefs.get(save.path, Brief())
        problem = save.problem or brief.problem
        does = f"asks what to do about {save.name}" if problem else f"opens {save.name}"
        system = brief.system or titles.get(save.system, save.system)
        told = _tell_counts(brief) if save.path in home.briefs else "being read"
        about = problem or brief.foes or told
        pane: Part = "prepared" if brief.foes else "saves"
        yield HomeRow(pane, "fight", save.path, save.name, system, does, about)


def _tell_counts(brief: Brief) -> str:
    steps = f"{brief.steps} step{'s' * (brief.steps != 1)}"
    here = f"{brief.present} here" + (f", {brief.out} out" if brief.out else "")
    return "; ".join((steps, here, brief.people) if brief.present else (steps, brief.stands))


def _systems(home: Home) -> Iterator[HomeRow]:
    for s in home.systems:
        does = f"begins a new {s.title} fight: its name comes next"
        yield HomeRow("systems", "system", s.id, s.title, s.summary, does, s.summary)


def _list_library(home: Home) -> Iterator[HomeRow]:
    """Yield rows that open lists, for lists that are not empty."""
    contents, trash = home.contents, len(home.contents.trash)
    lessons = (
        f"plays the lesson on {home.lessons[0]}" if home.welcome and home.lessons else "lists the lessons"
    )
    some: tuple[tuple[EntryKind, Sequence[str], str, str], ...] = (
        ("lessons", home.lessons, lessons,
            "each takes about ten minutes, on a temporary fight"),
        ("samples", [s.name for s in contents.samples], "lists the samples",
            "opened as copies, so that they can be played again and again"),
        ("parties", [p.name for p in contents.parties], "lists the parties: a new fight with one",
            "files in the folder parties among the saves"),
        ("trash", [f"{trash} fight{'s' * (trash != 1)}"] if trash else [], "lists the fights in the trash",
            "they stay in the folder trash until you delete that folder yourself"),
    )  # fmt: skip
    for kind, names, does, about in some:
        if names:
            yield HomeRow("library", kind, "", kind, ", ".join(names), does, about)


# --- the row in focus


def current(home: Home, view: View) -> HomeRow | None:
    """Return the row in focus: the chosen one, else the first, or None if there is none."""
    every = entries(home, view)
    # On a first visit Enter opens a lesson.
    first = "lessons " if home.welcome else ""
    return next((e for e in every if e.at == (view.track or first)), every[0] if every else None)


def step_entry(home: Home, view: View, by: int) -> str:
    """Return the `at` of the row `by` rows below the current one, limited to the first and the last row."""
    places = [e.at for e in entries(home, view)]
    at = current(home, view)
    return places[max(0, min(len(places) - 1, places.index(at.at) + by))] if at else ""


def step_list(home: Home, view: View, by: int) -> str:
    """Return the `at` of the first row of the next list (`by` 1) or of the previous one (-1), cyclically."""
    first: dict[Part, str] = {}
    for e in entries(home, view):
        first.setdefault(e.pane, e.at)
    at, panes = current(home, view), [*first]
    return first[panes[(panes.index(at.pane) + by) % len(panes)]] if at else ""


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def describe_time(moment: float, now: float) -> str:
    """Return a time in seconds since 1970 as local `today 22:25`, `yesterday`, `17 Nov`, `17 Nov 2025`."""
    then, today = time.localtime(moment), time.localtime(now)
    day, month = then.tm_mday, _MONTHS[then.tm_mon - 1]
    if then[:3] == today[:3]:
        return f"today {then.tm_hour:02}:{then.tm_min:02}"
    # Noon of today minus a day: also right on the days on which the clocks change.
    noon = time.mktime((*today[:3], 12, 0, 0, 0, 0, -1))
    if then[:3] == time.localtime(noon - 86_400)[:3]:
        return "yesterday"
    return f"{day} {month}" if then.tm_year == today.tm_year else f"{day} {month} {then.tm_year}"
