"""The lines that players sent: which of them count, and those that run again after the game master's undo."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight.dice import Dice
from tui.core.fight.encounter import Encounter, label
from tui.core.fight.events import Event, Ordered, Rolled
from tui.core.fight.viewer import Viewer, players, read_by, viewer_of
from tui.core.language.actions import Action
from tui.core.language.grammar import parse
from tui.core.language.grammar import write_line as line_of
from tui.core.rules.decide import Rules, draft
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, Systems, running_system, system_with_verb
from tui.core.table import MineLine, MineView
from tui.core.views.gate import GONE_ON, Permit, allow, compare
from tui.core.views.offers import offers_for
from tui.store.history import History, Step
from tui.store.journal.format import RunAgain


class Retaken(Struct, frozen=True):
    """The result of taking steps out: later steps that ran again, steps refused, the new encounter."""

    rerun: tuple[RunAgain[Event], ...]
    refused: tuple[Step, ...]
    encounter: Encounter


def take_out_steps(history: History, took: Sequence[int], systems: Systems, dice: Dice) -> Retaken:
    """Return the fight without the steps `took`, in rising order: the game master's last ones, or a player's.

    Later steps of seats run again in their order, each as the same player, with the same faces. `dice` are
    rolled only if a line needs more of them.
    """
    e = history.at(took[0] - 1)
    rerun, refused = list[RunAgain[Event]](), list[Step]()
    for number in range(took[0], history.position + 1):
        step = history.step(number)
        if not step.by or number in took:
            continue
        try:
            line, d = _decide_again(
                e, history.at(number - 1), step, Rules(systems, _SameFaces(step.events, dice))
            )
        except RuleError:
            refused.append(step)
            continue
        rerun.append(RunAgain(number, step.at, line, step.by, tuple(d.events), step.id))
        e = d.encounter
    return Retaken(tuple(rerun), tuple(refused), e)


class _SameFaces:
    """Dice that repeat the faces of a step, matched by size, and then roll."""

    def __init__(self, events: Iterable[Event], dice: Dice) -> None:
        rolls = (event for event in events if isinstance(event, Rolled))
        self._left = [pair for x in rolls for pair in zip(x.dice, x.faces, strict=False)]
        self._dice = dice

    def roll(self, sides: int) -> int:
        """Return the next face that was rolled on such a die; roll if none is left."""
        for at, (its, face) in enumerate(self._left):
            if its == sides:
                del self._left[at]
                return face
        return self._dice.roll(sides)


def _decide_again(e: Encounter, before: Encounter, step: Step, rules: Rules) -> tuple[str, Draft]:
    """Decide a player's step in another encounter than the one `before` it. Raises RuleError."""
    systems = rules.systems
    system, then = running_system(systems, e), running_system(systems, before)
    viewer = Viewer(player_of_seat(before, step.seat), gm=False)
    verbs = {v.name for v in system.verbs}
    # A player writes the names that players read, and the line is checked with those.
    request = parse(step.words, verbs, partial(system_with_verb, systems))
    meant = _meant(before, then, viewer, request)
    if meant is None:
        # A line of 1.x that no page would offer: the rules alone decide whether it still can be.
        return step.line, draft(e, request, rules)
    permit = compare(offers_for(e, system, viewer), request, tuple(verbs))
    if permit.contexts != meant.contexts:
        raise RuleError(GONE_ON)
    action = allow(e, system, viewer, request, permit, e)
    return line_of(action), draft(e, action, rules)


def _meant(before: Encounter, system: InitiativeSystem, viewer: Viewer, request: Action) -> Permit | None:
    """Return how the page offered a line when it was sent; None if it did not."""
    try:
        return compare(offers_for(before, system, viewer), request, [v.name for v in system.verbs])
    except RuleError:
        return None


def player_of_seat(e: Encounter, seat: str) -> str:
    """Return the owner's name, as creatures spell it, of this sender; the sender's own name if none has it.

    A seat of 1.x is named by the file name that its player's name gave.
    """
    same = (name for name in players(e) if seat.lower() in (name.lower(), _seat_of_version_1(name)))
    return next(same, seat)


def _seat_of_version_1(name: str) -> str:
    """Return the name that a seat of 1.x gave to its lines: letters and digits, else a fingerprint."""
    low = name.lower()
    if re.fullmatch(r"[a-z0-9]{1,32}", low) and low != "public":
        return low
    import hashlib  # this loads OpenSSL: only unusual names need it

    readable = re.sub("[^a-z0-9]", "", low)[:16]
    return f"{readable}-{hashlib.sha256(low.encode()).hexdigest()[:24]}"


MOST_MINE: Final = 500
"""The most lines of a player that are listed."""


def find_mine(history: History, name: str, since: int) -> MineView:
    """Return the lines of a player in force since the fight began, at most `MOST_MINE`, the latest last.

    Lines that came too late after the step `since` are in it.
    """
    if not name:
        return MineView("", ())
    low, found = name.lower(), list[MineLine]()
    late = [x for number in range(since, history.position + 1) for x in history.late_at(number)]
    found += [MineLine(x.id) for x in reversed(late) if x.by.lower() == low]
    fights, oldest = 0, ""
    for number in range(history.position, 0, -1):
        step = history.step(number)
        # By the line, because looking at all events of 5,000 steps would take milliseconds for each viewer.
        fights += step.line.lower().startswith("begin")
        if step.id and not fights and not oldest and step.by.lower() == low:
            found.append(_line_of(step, history.encounter))
            oldest = step.id if len(found) >= MOST_MINE else ""
    return MineView(oldest, tuple(reversed(found)), fights)


def _line_of(step: Step, e: Encounter) -> MineLine:
    """Return a step as its player reads it: of an order, row and text."""
    order = next((x for x in step.events if isinstance(x, Ordered)), None)
    if order is None:
        return MineLine(step.id)
    text = {key: words for key, words in order.text.items() if words}
    return MineLine(step.id, label(read_by(e, viewer_of(step.by)), order.who), text)
