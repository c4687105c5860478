"""Find the moment of a fight that a viewer is shown: turns and dice that the viewer cannot see do not show.

A viewer stays at the last moment that could be seen. Damage, healing and new conditions reach it at once; the
end of a turn, and what belongs to it, wait for the next moment. All that players are shown is made of the
encounter that `find_marker` returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, EffectAsk, RollAsk
from tui.core.fight.apply import fold
from tui.core.fight.combatant import CONDITION, Combatant
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import Viewer
from tui.core.rules.system import Systems, running_system
from tui.core.views.seen import known_choice, visible_fight

_EDGES = (
    ev.TurnBegan, ev.TurnEnded, ev.TurnHandedOn, ev.TurnsMissed, ev.TurnPaused, ev.TurnResumed, ev.RoundBegan,
    ev.RoundEnded, ev.Passed,
)  # fmt: skip
"""The events from which on a step belongs to the next moment."""

_AT_ONCE = (
    ev.Damaged, ev.Healed, ev.Bolstered, ev.Afflicted, ev.Cleared, ev.ConditionHid, ev.DeathSaves, ev.Died,
    ev.Rested, ev.Tallied, ev.CounterEnded, ev.WentOut, ev.Marked, ev.Unmarked, ev.Carded, ev.Armed,
    ev.FieldSet, ev.Changed,
)  # fmt: skip
"""What a viewer is shown of creatures before the next moment."""

_ARRIVALS = (ev.Added, ev.CameBack, ev.Decided)
_PLACING: Final = ("side", "group", "arrives", "value")
"""The attributes that decide where in the order a creature is."""


class LineDone(Protocol):
    """A step of a fight."""

    @property
    def events(self) -> tuple[ev.Event, ...]:
        """What happened."""


class LinesInForce(Protocol):
    """The steps of a fight that are in force, and the encounter after each."""

    position: int

    def at(self, position: int) -> Encounter:
        """Return the encounter after this step."""

    def step(self, number: int) -> LineDone:
        """Return the line, the events and the author of a step; the first step is 1."""


class Marker(Struct, frozen=True):
    """What one viewer is shown after `step`."""

    step: int
    encounter: Encounter
    """The fight at the last moment that the viewer could see, with what was shown since."""
    since: int
    """The step after which nothing was kept back."""
    told: Mapping[int, int] = {}
    """Of each later step that is not wholly shown, how many of its events are."""

    @property
    def is_held(self) -> bool:
        """Whether the fight has gone on without this viewer."""
        return self.since < self.step


def find_marker(lines: LinesInForce, viewer: Viewer, systems: Systems, last: Marker | None = None) -> Marker:
    """Return what a viewer is shown of a fight; `last` is an earlier marker whose steps are all in force."""
    number = position = lines.position
    e = lines.at(position)
    if viewer.gm or running_system(systems, e).open_sheets(e):
        return Marker(position, e, position)
    # Nearly always the viewer can see what runs after the last step, and nothing else is asked.
    while number > (last.step if last else 0) and not _is_moment(lines, number, viewer, systems):
        number -= 1
    marker = last if last and last.step == number else Marker(number, lines.at(number), number)
    for later in range(number + 1, position + 1):
        marker = _go_on(marker, lines, later, viewer, systems)
    return marker


def _is_moment(lines: LinesInForce, number: int, viewer: Viewer, systems: Systems) -> bool:
    """Return whether the viewer can see who acts, who chooses or what is due, or a fight begins or ends."""
    before, e = lines.at(number - 1), lines.at(number)
    system = running_system(systems, e)
    if not e.running or not before.running or e.system != before.system:
        return True
    if e.phase != before.phase and e.phase in system.all_phases and system.all_phases[e.phase].calm:
        return True
    shown = visible_fight(e, system, viewer)
    if shown.encounter.turn or shown.offer.acts:
        return True
    if any(viewer.owns(shown.encounter, ask.who) or not _is_of_edge(ask) for ask in shown.due):
        return True
    return not e.turn and bool(known_choice(shown, system, viewer).acts)


def _is_of_edge(ask: Ask) -> bool:
    """Return whether something owed between two turns belongs to the end of the turn before."""
    return isinstance(ask, EffectAsk) or (
        isinstance(ask, RollAsk) and ask.save is not None and ask.save.cause == CONDITION
    )


def _go_on(marker: Marker, lines: LinesInForce, number: int, viewer: Viewer, systems: Systems) -> Marker:
    """Return the marker after one more step, after which the viewer sees no moment."""
    e, events = lines.at(number), lines.step(number).events
    edge = next((at for at, x in enumerate(events) if isinstance(x, _EDGES)), len(events))
    before, whole = marker.encounter, False
    if not marker.is_held:
        system = running_system(systems, before)
        shown = visible_fight(before, system, viewer)
        acts, chosen = shown.encounter.turn, shown.offer.acts or known_choice(shown, system, viewer).acts
        if edge == len(events) and (acts or not chosen):
            return Marker(number, e, number)
        # An answer of the viewer's is shown. What others answered stays due: that its outcome is unseen would
        # else betray itself.
        whole = bool(acts) or any(viewer.owns(shown.encounter, ask.who) for ask in shown.due)
    waits = any(_waits(x, before, viewer) for x in events[:edge])
    told = edge if whole or ((marker.is_held or edge == len(events)) and not waits) else 0
    new = [x for x in events[:told] if whole or isinstance(x, _AT_ONCE)]
    kept = marker.told if told == len(events) else {**marker.told, number: told}
    return Marker(number, _hide_gone(fold(before, new), e), marker.since, kept)


def _waits(event: ev.Event, e: Encounter, viewer: Viewer) -> bool:
    """Return whether a step with this event waits for the next moment."""
    match event:
        case ev.SaveOwed(who) | ev.SaveSettled(who) | ev.EffectOwed(who) | ev.EffectSettled(who):
            return viewer.knows(e, who)
        case ev.Changed(_, key):
            return key in _PLACING
        case _:
            return isinstance(event, _ARRIVALS)


def _hide_gone(shown: Encounter, e: Encounter) -> Encounter:
    """Return what is shown, without creatures and names that the fight no longer shows now."""

    def hide(c: Combatant) -> Combatant:
        now = e.combatants.get(c.id)
        if now is None:
            return replace(c, hidden=True, owner="")
        return replace(c, hidden=now.hidden, name=now.name, alias=now.alias, owner=now.owner)

    views = {key: value for key, value in e.options.items() if key.startswith(("view.", "players."))}
    people = {key: hide(c) for key, c in shown.combatants.items()}
    return replace(shown, combatants=people, options={**shown.options, **views})
