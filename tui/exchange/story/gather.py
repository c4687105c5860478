"""Collect the story of a journal, event by event, only from what its viewer was shown.

An event that the viewer was not shown adds no line, no figure and no second. So journals that look the same
to a viewer give the same story.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.apply import apply
from tui.core.fight.combatant import Combatant, health_word
from tui.core.fight.encounter import SIDE, Encounter, label, members, side_of
from tui.core.fight.viewer import Viewer, read_by
from tui.core.rules.system import InitiativeSystem, Systems, running_system
from tui.core.rules.upkeep import house_rule
from tui.core.views.log import story
from tui.exchange.story.story import Figure, Happening, Passage, Point, RoundTold, Story


class Line(Struct, frozen=True):
    """A line in force: the time at which it was run (RFC 3339), and its events."""

    at: str
    events: tuple[ev.Event, ...]


def gather_story(
    save: str, start: Encounter, lines: Iterable[Line], viewer: Viewer, systems: Systems
) -> Story:
    """Return the story of these lines for this viewer."""
    gathering = _Gathering(start, viewer, systems)
    times: list[str] = []
    # One by one: the caller may show how far the lines are, and a long fight is not held twice.
    for line in lines:
        gathering.take(line)
        times[1:] = [line.at]
    return gathering.story(save, *((times[0], times[-1]) if times and viewer.gm else ("", "")))


class _Gathering:
    """Collects a story; `_e` is the encounter after the events taken so far."""

    def __init__(self, e: Encounter, viewer: Viewer, systems: Systems) -> None:
        self._e, self._viewer, self._systems = e, viewer, systems
        self._acting, self._since, self._value = "", "", 0
        self._passages: list[tuple[int, Passage]] = [(0, Passage("", ()))]
        self._lines: list[str] = []  # of the last passage
        self._happenings: list[Happening] = []
        self._points: list[Point] = []
        self._last: dict[str, Point] = {}  # by name
        self._figures: dict[str, Figure] = {}
        self._struck = ("", "")
        """The keys of target and attacker in the last attack, "" before the first."""

    def take(self, line: Line) -> None:
        """Add the events of one line."""
        for events in _split_turns(line.events):
            before, system = self._e, running_system(self._systems, self._e)
            words = [self._take_event(event, line.at, system) for event in events]
            # Most parts are one event, and are worded by it already.
            texts = words[0] if len(words) == 1 else self._viewer_messages(before, events, system)
            self._lines += texts
            if any(isinstance(event, ev.TurnEnded) for event in events) and texts:
                self._close_passage(line.at)

    def _viewer_messages(
        self, before: Encounter, events: Sequence[ev.Event], system: InitiativeSystem
    ) -> list[str]:
        """Return the messages of these events for the viewer; the events lead from `before` to `_e`."""
        return [m.text for m in story(before, events, self._viewer, system, self._e)]

    def _take_event(self, event: ev.Event, at: str, system: InitiativeSystem) -> list[str]:
        """Apply an event and collect its figures; return its messages for the viewer."""
        before, self._e = self._e, apply(self._e, event)
        result = self._viewer_messages(before, (event,), system)
        if not result:
            return result
        if isinstance(event, ev.TurnBegan | ev.TurnResumed | ev.RoundBegan):
            self._open_passage(event, at, system)
        who = _affected_key(event)
        name = self._name_of(who, before) if who else ""
        kind = type(event).__name__.lower()
        dice = (event.dice, event.faces) if isinstance(event, ev.Rolled) else ((), ())
        amount = event.amount if isinstance(event, ev.Damaged | ev.Healed) else 0
        happening = Happening(
            self._e.round, self._label_of(self._acting), kind, "; ".join(result), name, amount, *dice
        )
        self._happenings.append(happening)
        if who in self._e.combatants:
            self._add_to_figures(event, who, system)
            self._add_point(who, system)
        return result

    # --- passages

    def _open_passage(
        self, event: ev.TurnBegan | ev.TurnResumed | ev.RoundBegan, at: str, system: InitiativeSystem
    ) -> None:
        """Start a new passage for a turn that begins or continues, or for a new round."""
        self._close_passage(at)
        if isinstance(event, ev.RoundBegan):
            self._passages[-1] = (event.round, Passage("", ()))
            return
        turn = self._e.turn
        self._acting, self._since = turn.who if turn else "", at
        value = system.value_of(self._e, self._acting)
        self._passages[-1] = (self._e.round, Passage(self._label_of(self._acting), (), None, value))
        if isinstance(event, ev.TurnBegan):
            figure = self._figure_of(self._acting)
            self._figures[self._acting] = replace(figure, turns=figure.turns + 1)

    def _close_passage(self, at: str) -> None:
        """Close the current passage; drop it if nothing was shown in it."""
        number, passage = self._passages[-1]
        passage, self._lines = replace(passage, lines=tuple(self._lines)), []
        if self._acting and self._viewer.gm:
            seconds = _seconds_between(self._since, at)
            passage = replace(passage, seconds=seconds)
            figure = self._figure_of(self._acting)
            self._figures[self._acting] = replace(figure, seconds=(figure.seconds or 0) + seconds)
        self._passages[-1:] = [(number, passage)] if passage.lines or passage.acting else []
        self._passages.append((self._e.round, Passage("", ())))
        self._acting = ""

    # --- figures

    def _add_to_figures(self, event: ev.Event, who: str, system: InitiativeSystem) -> None:
        """Add an event to the figures of the affected creature, and damage to the attacker's."""
        mine = self._figure_of(who)
        match event:
            case ev.Attacked(_, target):
                self._figures[who] = mine
                self._struck = (target, who)
            case ev.Damaged(_, amount):
                self._figures[who] = replace(mine, damage_taken=mine.damage_taken + amount)
                # Without an attack the log names no attacker: the damage counts for the acting creature.
                by = self._find_attacker(who)
                self._struck = ("", "")
                if by and side_of(self._e, by) != side_of(self._e, who):
                    figure = self._figure_of(by)
                    self._figures[by] = replace(figure, damage_dealt=figure.damage_dealt + amount)
            case ev.Healed(_, amount):
                self._figures[who] = replace(mine, healed=mine.healed + amount)
            case _:
                self._figures[who] = mine
        c = self._e.combatants[who]
        is_secret = house_rule(self._e, "view.health") == "none" and not self._may_read(c, system)
        self._figures[who] = replace(self._figures[who], state="" if is_secret else health_word(c))

    def _find_attacker(self, who: str) -> str:
        """Return the key of the last attacker of `who`, or of the acting entry if it struck or none did."""
        target, by = self._struck
        along = {c.id for c in members(self._e, self._acting)}
        return self._acting if target != who or by in along else by

    def _figure_of(self, key: str) -> Figure:
        """Return the figure of a creature or a group, under its current name."""
        name = self._label_of(key)
        figure = self._figures.get(key) or Figure(name, side_of(self._e, key), self._owner_of(key))
        return replace(figure, name=name, player=self._owner_of(key))

    def _owner_of(self, key: str) -> str:
        return next((c.owner for c in members(self._e, key) if c.owner and self._viewer.sees(c)), "")

    def _add_point(self, who: str, system: InitiativeSystem) -> None:
        """Add the hit points of a creature if they have changed and the viewer may read them."""
        c = self._e.combatants[who]
        is_public = self._may_read(c, system) or house_rule(self._e, "view.health") == "numbers"
        if c.hp is None or not is_public:
            return
        point = Point(len(self._passages) - 1, self._e.round, self._label_of(who), c.hp, c.most_hp)
        last = self._last.get(point.who)
        if last is None or (last.hp, last.most) != (point.hp, point.most):
            self._points.append(point)
            self._last[point.who] = point

    def _may_read(self, c: Combatant, system: InitiativeSystem) -> bool:
        return self._viewer.gm or self._viewer.mine(c) or bool(system.open_sheets(self._e))

    # --- names

    def _label_of(self, key: str) -> str:
        return label(read_by(self._e, self._viewer), key) if key else ""

    def _name_of(self, key: str, before: Encounter) -> str:
        e = self._e if key in self._e.combatants or key.startswith(SIDE) else before
        return label(read_by(e, self._viewer), key)

    # --- the end

    def story(self, save: str, began: str, ended: str) -> Story:
        """Return the story of all events taken."""
        self._close_passage(ended)
        by_round: dict[int, list[Passage]] = {}
        for number, passage in self._passages[:-1]:
            by_round.setdefault(number, []).append(passage)
        rounds = tuple(RoundTold(n, tuple(by_round[n])) for n in sorted(by_round))
        viewer = self._viewer.name if not self._viewer.gm else ""
        return Story(
            save,
            running_system(self._systems, self._e).title,
            viewer or ("" if self._viewer.gm else "a stranger"),
            rounds,
            tuple(self._happenings),
            tuple(self._points),
            tuple(self._figures.values()),
            began,
            ended,
        )


def _split_turns(events: Sequence[ev.Event]) -> Iterator[tuple[ev.Event, ...]]:
    """Yield the events of a line in parts that begin or end where a turn or round does."""
    part: list[ev.Event] = []
    for event in events:
        if isinstance(event, ev.TurnBegan | ev.TurnResumed | ev.RoundBegan | ev.RoundEnded) and part:
            yield tuple(part)
            part = []
        part.append(event)
        if isinstance(event, ev.TurnEnded):
            yield tuple(part)
            part = []
    if part:
        yield tuple(part)


def _affected_key(event: ev.Event) -> str:
    """Return the key of the only creature that an event affects, "" for none or several."""
    if isinstance(event, ev.Added):
        return event.c.id
    who = getattr(event, "who", "")
    return who if isinstance(who, str) else ""


def _seconds_between(since: str, until: str) -> int:
    """Return the seconds between two times of a journal."""
    try:
        return max(0, int((datetime.fromisoformat(until) - datetime.fromisoformat(since)).total_seconds()))
    except ValueError:
        return 0
