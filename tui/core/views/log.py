"""The log: what happened, line by line, in the words that a viewer may read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from tui.core.fight import events as ev
from tui.core.fight.agenda import Sentence, say
from tui.core.fight.apply import apply
from tui.core.fight.encounter import SIDE, Encounter, label
from tui.core.fight.viewer import Viewer, leaks, read_by, secrets, text
from tui.core.rules.system import InitiativeSystem
from tui.core.views.telling import tell

_BEFORE, _AFTER = frozenset({"turnbegan", "turnresumed", "roundended"}), frozenset({"turnended"})
_LISTED = 4  # names; of more the first and the last
_UNREAD = (ev.Rolled, ev.RollsForgotten, ev.Noted, ev.Forgot)
"""Facts that change nothing a sentence is made of, and that come by the hundred."""


class Message(Struct, frozen=True):
    """A line of the log: its words, and the kind of fact behind it."""

    text: str
    kind: str


class _Line(Struct, frozen=True):
    """A message; of somebody who joins also the `name`, and what is `joined`, so that many can be told in one."""

    message: Message
    name: str = ""
    joined: str = ""


def story(
    e: Encounter, events: Iterable[ev.Event], viewer: Viewer, system: InitiativeSystem
) -> Iterator[Message]:
    """The lines that this viewer may read of what happened from `e` on; many who join do so in one line.

    `system` ran the fight at `e`: it knows the words for its marks and phases.
    """
    lines = _lines(e, events, viewer, system)
    for (kind, joined), some in groupby(lines, lambda line: (line.message.kind, line.joined)):
        if not joined:
            yield from (line.message for line in some)
            continue
        names = [line.name for line in some]
        verb = "joins" if len(names) == 1 else "join"
        yield Message(f"{_list(names)} {verb} {joined}", kind)


def moments(told: Iterable[Message]) -> list[tuple[str, ...]]:
    """What a step told, cut where a turn ends and where one begins: unseen turns may lie in between.

    A viewer counts moments, not steps, so that no count tells how many turns one line of the GM went on.
    """
    found: list[list[str]] = []
    before = ""
    for message in told:
        if not found or message.kind in _BEFORE or before in _AFTER:
            found.append([])
        found[-1].append(message.text)
        before = message.kind
    return [tuple(texts) for texts in found]


def _list(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    if len(names) > _LISTED:
        return f"{names[0]} to {names[-1]} ({len(names)})"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _lines(
    e: Encounter, events: Iterable[ev.Event], viewer: Viewer, system: InitiativeSystem
) -> Iterator[_Line]:
    for event in events:
        before, e = e, e if isinstance(event, _UNREAD) else apply(e, event)
        # Before it was revealed nobody knew the creature: judged by that, the line would never be told.
        was = e if isinstance(event, ev.Revealed) else before
        kind = type(event).__name__.lower()
        if line := _line(was, e, tell(before, event, system), viewer):
            yield _Line(Message(line, kind), *_joining(read_by(e, viewer), event))


def _joining(e: Encounter, event: ev.Event) -> tuple[str, str]:
    """Who joins what, in names; nothing of other facts."""
    match event:
        case ev.Added(c):
            note = f" in round {c.arrives}" if c.arrives > e.round else ""
            return c.name, text(e, say("the {0}", SIDE + c.side)) + note
        case ev.Changed(who, "group", str(group)) if group and who in e.combatants:
            return label(e, who), f"the group {group}"
        case _:
            return "", ""


def _line(before: Encounter, e: Encounter, said: Iterable[Sentence], viewer: Viewer) -> str:
    line = ""
    net = secrets(e, viewer)
    after, was = read_by(e, viewer), read_by(before, viewer)
    for sentence in said:
        # At both ends: who hides in this step or was hidden before it is not named by it.
        if viewer.may_read(e, sentence) and viewer.may_read(before, sentence):
            part = text(after, sentence, was)
            line += "" if leaks(part, net) else _joint(line, sentence) + part
    return line


def _joint(line: str, sentence: Sentence) -> str:
    if not line:
        return ""
    return " " if line.endswith(":") else ": " if sentence.own else "; "
