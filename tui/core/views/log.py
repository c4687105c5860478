"""One line of log for a fact; "" for facts that another fact tells already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from tui.core.fight import events as ev
from tui.core.fight.agenda import Sentence, literal, own, say
from tui.core.fight.apply import apply
from tui.core.fight.combatant import Condition
from tui.core.fight.encounter import GM, SIDE, Encounter, label, members
from tui.core.fight.outcome import OrderOutcome
from tui.core.fight.viewer import Viewer, leaks, secrets, text
from tui.core.rules.system import InitiativeSystem

_SILENT = (
    ev.RollsForgotten, ev.Noted, ev.Forgot, ev.OrdersForgotten, ev.ShiftsForgotten, ev.Ticked, ev.TurnPaused,
)  # fmt: skip


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
        was = e if isinstance(event, ev.Revealed) else before
        kind = type(event).__name__.lower()
        if line := _line(was, e, tell(before, event, system), viewer):
            yield _Line(Message(line, kind), *_joining(e, event))


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
    for sentence in said:
        if viewer.may_read(e, sentence) and viewer.may_read(before, sentence):
            part = text(e, sentence, before)
            line += "" if leaks(part, net) else _joint(line, sentence) + part
    return line


def _joint(line: str, sentence: Sentence) -> str:
    if not line:
        return ""
    return " " if line.endswith(":") else ": " if sentence.own else "; "


def tell(e: Encounter, event: ev.Event, system: InitiativeSystem) -> tuple[Sentence, ...]:
    """What a fact says; `e` is the encounter before it."""
    if isinstance(event, _SILENT):
        return ()
    said = _declared(event, system) or _people(e, event) or _body(event) or _play(e, event)
    return tuple(s for s in said if s.text)


def _declared(event: ev.Event, system: InitiativeSystem) -> tuple[Sentence, ...]:
    """What the system calls its marks and phases; silence about one that it does not declare."""
    match event:
        case ev.Marked(who, name):
            mark = system.all_marks.get(name)
            if mark is None or not mark.told:
                return ()
            return tuple((own if mark.sealed else say)("{0} " + mark.word, k) for k in who)
        case ev.PhaseEntered(name):
            phase = system.all_phases.get(name)
            return (say(phase.sentence),) if phase else ()
        case _:
            return ()


def _people(e: Encounter, event: ev.Event) -> tuple[Sentence, ...]:
    match event:
        case ev.Added(c):
            note = f" in round {c.arrives}" if c.arrives > e.round else ""
            return (say("{0} joins the {1}" + note, c.id, "@" + c.side),)
        case ev.Removed(who):
            return (say("{0} is struck from the roster", who),)
        case ev.Changed(who, "name", value):
            return (say("{0} is " + literal(str(value)) + " now", who),)
        case ev.Changed(who, "group", value):
            return (say("{0} joins the group " + literal(value) if value else "{0} stands alone", who),)
        case ev.FieldSet(quiet=True):
            return ()
        case ev.Changed(who, key, value, empty) | ev.FieldSet(who, key, value, empty):
            return (own("{0}: " + literal(f"{key} is {'empty' if empty else _plain(value)}"), who),)
        case ev.WentOut(who):
            return (say("{0} is out", who),)
        case ev.CameBack(who):
            return (say("{0} is back", who),)
        case ev.Hid(who):
            return (say("{0} is hidden", who),)
        case ev.Revealed(who):
            return (say("{0} appears", who),)
        case _:
            return ()


def _body(event: ev.Event) -> tuple[Sentence, ...]:
    match event:
        case ev.Damaged(who, amount, hp, temp):
            left = "" if hp < 0 else f"{hp} left" + (f" and {temp} temporary" if temp else "")
            return (say(f"{{0}} takes {amount} damage", who), own(left, who))
        case ev.Healed(who, amount, hp):
            return (say(f"{{0}} heals {amount}", who), own(f"{hp} now", who))
        case ev.Bolstered(who, temp):
            return (own(f"{{0}} has {temp} temporary hit points", who),)
        case ev.Afflicted(who, condition):
            return (_condition(who, condition),)
        case ev.ConditionHid(who, name, hidden):
            return (own("{0}: " + literal(name) + (" is hidden" if hidden else " can be seen"), GM),)
        case ev.Cleared(who, name, over):
            return (say("{0}: " + literal(name) + (" has ended" if over else " is cleared"), who),)
        case _:
            return ()


def _condition(who: str, x: Condition) -> Sentence:
    whose = "{1}'s" if x.of else "its"
    end = f" until the {x.until} of {whose} turn" if x.until else ""
    if x.rounds > 1:
        end = (
            f" until the {x.until} of {whose} turn, {x.rounds} times"
            if x.until == "start" or x.of
            else f" for {x.rounds} turns"
        )
    return say("{0}: " + literal(x.name) + end, who, *([x.of] if x.of else []))


def _play(e: Encounter, event: ev.Event) -> tuple[Sentence, ...]:
    match event:
        case ev.Rolled():
            return (_dice(event),)
        case ev.Ordered(who, words, sealed):
            return (say("{0} has written" if sealed else "{0}: " + literal(_order(words)), who),)
        case ev.Shifted(who, where, other, by):
            how = {"hand": "{0} is put ", "delay": "{0} acts "}.get(by, "")
            return (say(f"{how}{where} {{1}}", who, other),) if how else ()
        case ev.Decided(OrderOutcome(order)) if order:
            return (say("The order:"), *(say("{0}", key) for key in order))
        case ev.RoundBegan(number):
            return (say(f"Round {number} begins"),)
        case ev.RoundEnded(number):
            return (say(f"Round {number} is over"),)
        case ev.TurnBegan(who):
            return _turn(e, who)
        case ev.TurnEnded(who, _, taken):
            ended = "{0}'s turn ends" if taken else "{0} waits"
            return (say(ended, who),) if members(e, who) else ()
        case ev.TurnResumed():
            key = e.paused[-1].who if e.paused else ""
            return (say("{0} goes on", key),) if members(e, key) else ()
        case ev.Passed(who):
            return (say("{0} passes", who),)
        case ev.Reacted(who, words):
            return (say("{0} reacts" + (": " + literal(words) if words else ""), who),)
        case _:
            return _said(event)


def _said(event: ev.Event) -> tuple[Sentence, ...]:
    match event:
        case ev.Announced(words, about, rule, own_):
            return (Sentence(words + (f" ({rule})" if rule else ""), about, own=own_),)
        case ev.OptionSet(key, value):
            return (say(literal(f"House rule: {key} is {_plain(value)}")),)
        case ev.SystemChanged(system):
            return (say(literal(f"The fight is run by {system} now")),)
        case ev.DiceThrown():
            return (_thrown(event),)
        case ev.NoteTaken(words):
            return (own(words, GM),)
        case ev.FightEnded():
            return (say("The fight is over"),)
        case _:
            return ()


def _turn(e: Encounter, who: str) -> tuple[Sentence, ...]:
    order = e.orders.get(who)
    return (say("{0} acts" + (": " + literal(_order(order)) if order else ""), who),)


def _dice(event: ev.Rolled) -> Sentence:
    faces = " ".join(f"d{s}:{f}" for s, f in zip(event.dice, event.faces, strict=True))
    how = {"table": " at the table", "given": " (given)"}.get(event.how, "")
    # the die of a choice has as many sides as there are candidates, hidden ones among them
    told = own if event.who == GM and event.ask != "amount" else say
    return Sentence(f"{{0}} rolls {faces}{how}", (event.who, *event.among), own=told is own)


def _thrown(event: ev.DiceThrown) -> Sentence:
    """A free roll; the GM's own unless it is open."""
    faces = " ".join(f"d{s}:{f}" for s, f in zip(event.dice, event.faces, strict=True))
    how = {"table": " at the table", "given": " (given)"}.get(event.how, "")
    about = literal(f" for {event.text}" if event.text else "")
    words = f"{{0}} rolls {event.expression}{about}: {faces}{how}, {event.total}"
    return Sentence(words, (GM,), own=not event.open)


def _order(words: dict[str, str]) -> str:
    return "; ".join(f"{key} {value}" for key, value in words.items() if value) or "nothing"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
