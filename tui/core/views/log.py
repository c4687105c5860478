"""Write the log in the words that a viewer may read, and count a step's public moments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.text import list_briefly, runs
from tui.core.fight import events as ev
from tui.core.fight.agenda import Sentence, say
from tui.core.fight.apply import apply
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE, Encounter, OrderOutcome, has_arrived, label
from tui.core.fight.viewer import STRANGER, Viewer, has_secret, keeps_nothing, read_by, secret_names, text
from tui.core.rules.system import InitiativeSystem, is_gmless
from tui.core.rules.upkeep import house_rule
from tui.core.views.sentences import UNREAD_DC, side_name, tell
from tui.core.views.veil import hide_unknown, keeps_order, reads_dc

_BEFORE, _AFTER = frozenset({"turnbegan", "turnresumed", "roundended"}), frozenset({"turnended"})
_MOST_LISTED = 4  # names; further ones are only counted
_LEAST_MERGED = 3  # from this number of creatures on, equal lines become one
_SILENT_EVENTS = (ev.Rolled, ev.RollsForgotten, ev.Noted, ev.Forgot)
"""Events that come by the hundred and change nothing from which sentences are made."""


def hide_order(line: str) -> str:
    """Return an `order` line with "..." for its text, for a reader to whom it is sealed; others unchanged."""
    m = re.match(r'(order (?:"[^"]*"|\S+)) ', line)
    return f"{m[1]} ..." if m else line


class Message(Struct, frozen=True):
    """A line of the log: its words, and the kind of event behind it."""

    text: str
    kind: str
    rule: str = ""
    """The clause on which it rests; "" for none."""

    @property
    def cited(self) -> str:
        """The text with its clause, which players and the log's rows do without."""
        return f"{self.text} ({self.rule})" if self.rule else self.text


class _Line(Struct, frozen=True):
    """A message that may share its line with others of the same `phrase`; "" for none.

    `name` is the creature of the message, `own_text` the part that is true of it alone. With `names_first`
    the line is "Orc 1 and Orc 2 join …", else "Out: Orc 1, Orc 2".
    """

    message: Message
    name: str = ""
    phrase: str = ""
    names_first: bool = False
    own_text: str = ""


def story(
    e: Encounter,
    events: Sequence[ev.Event],
    viewer: Viewer,
    system: InitiativeSystem,
    after: Encounter | None = None,
) -> Iterator[Message]:
    """Yield the messages on events since `e` that this viewer may read; many equal ones are one message.

    `system` ran the fight at `e`: it knows the words for its marks and phases. `after` is the encounter after
    all events, if the caller has it already.
    """
    lines = _make_lines(e, events, viewer, system, after)
    rolls: list[_Line] = []
    for stretch, group in _stretches(lines):
        for kind, phrase, some in _sort(stretch, group, rolls):
            if rolls and kind in _BEFORE | _AFTER:
                yield _join_dice(rolls)
            names = [line.name for line in some]
            if phrase and some[0].names_first:
                verb = "joins" if len(names) == 1 else "join"
                yield Message(f"{_list(names)} {verb} {phrase}", kind)
            elif phrase and len(some) >= _LEAST_MERGED:
                # The event comes first in the line: two hundred names would push it out of sight.
                text = f"{phrase[0].upper()}{phrase[1:]}: {_join_names(some)}"
                yield Message(text, kind, some[0].message.rule)
            else:
                yield from (line.message for line in some)
    if rolls:
        yield _join_dice(rolls)


_MERGED_KINDS = {"rolled": "saves", "savesettled": "saves", "damaged": "damage", "saveowed": "damage"}
"""The stretch to which a kind of event belongs; in a stretch of many events the log joins equal ones."""


def _stretches(lines: Iterable[_Line]) -> Iterator[tuple[str, list[_Line]]]:
    """Yield the name and lines of each stretch; announcements belong to the stretch before them."""
    stretch, some = "", list[_Line]()
    for line in lines:
        kind = line.message.kind
        follows = stretch if kind == "announced" else _MERGED_KINDS.get(kind, "")
        if some and follows != stretch:
            yield stretch, some
            some = []
        stretch = follows
        some.append(line)
    if some:
        yield stretch, some


def _sort(stretch: str, some: list[_Line], rolls: list[_Line]) -> Iterator[tuple[str, str, list[_Line]]]:
    """Yield kind, phrase and lines of each group of equal lines, sorted if there are many saves or damages.

    The dice of many saves go to `rolls`, because their results come first in the text.
    """
    if stretch == "saves" and sum(line.message.kind == "savesettled" for line in some) >= _LEAST_MERGED:
        rolls += [line for line in some if line.message.kind == "rolled"]
        some = [line for line in some if line.message.kind != "rolled"]
    elif stretch != "damage" or sum(line.message.kind == "damaged" for line in some) < _LEAST_MERGED:
        stretch = ""
    if stretch:
        order = list(dict.fromkeys(line.phrase for line in some))
        # Announcements, which are about one creature, come after what happened to all.
        some = sorted(some, key=lambda line: (line.message.kind == "announced", order.index(line.phrase)))
    for (kind, phrase), group in groupby(some, lambda line: (line.message.kind, line.phrase)):
        yield kind, phrase, list(group)


def _join_dice(rolls: list[_Line]) -> Message:
    """Return the dice of many saves as one message, and clear `rolls`."""
    results = [line.message.text.replace(" rolls ", ": ", 1) for line in rolls]
    rolls.clear()
    return Message(f"Rolled: {', '.join(results)}", "rolled")


def _join_names(some: Sequence[_Line]) -> str:
    """Return the names; neighbours with the same own text are joined: `Orc 1 to 3 (5 left)`."""
    sharing = [(time, [x.name for x in same]) for time, same in groupby(some, lambda line: line.own_text)]
    parts = [list_briefly(names) + (f" ({time})" if time else "") for time, names in sharing]
    return ("; " if any(time and len(names) > 1 for time, names in sharing) else ", ").join(parts)


_ENDS = frozenset({"turnended", "roundended"})
_BEGINS = frozenset({"turnbegan", "roundbegan", "roundended"})


def without_echo(messages: Iterable[Message]) -> Iterator[Message]:
    """Leave out ends of turns and rounds that the next message implies."""
    echo: Message | None = None
    for message in messages:
        if echo and message.kind not in _BEGINS:
            yield echo
        echo = message if message.kind in _ENDS else None
        if not echo:
            yield message
    if echo:
        yield echo


def moments(messages: Iterable[Message]) -> list[tuple[str, ...]]:
    """Return the log of a step, cut where a turn ends and where one begins: unseen turns may be in between.

    A viewer counts moments, not steps, so that no count tells how many turns one line of the GM went on.
    """
    result: list[list[str]] = []
    before = ""
    for message in messages:
        if not result or cut(before, message.kind):
            result.append([])
        result[-1].append(message.text)
        before = message.kind
    return [tuple(texts) for texts in result]


def count_moments(
    e: Encounter, events: Sequence[ev.Event], viewers: Sequence[Viewer], system: InitiativeSystem
) -> list[int] | None:
    """Return how many moments of the events since `e` each of these players was shown.

    None if a creature is hidden from a player: then the moments must be counted from the words.
    """
    kinds, now, is_open = [list[str]() for _ in viewers], e, _hides_nobody(e, system)
    for event in events:
        before, now = now, now if isinstance(event, _SILENT_EVENTS) else apply(now, event)
        if now.combatants is not before.combatants or now.options is not before.options:
            is_open = is_open and _hides_nobody(now, system)
        if not is_open:
            return None
        if isinstance(event, ev.Decided) and _is_order_unsaid(event, before, now, system, STRANGER):
            continue
        was, after = _ends_of(event, before, now)
        for sentences in _told(event, before, system, gm=False):
            for mine, viewer in zip(kinds, viewers, strict=True):
                if any(s.text and all(viewer.concerns(x, s) for x in (was, after)) for s in sentences):
                    mine.append(type(event).__name__.lower())
    return [sum(not at or cut(some[at - 1], some[at]) for at in range(len(some))) for some in kinds]


def _hides_nobody(e: Encounter, system: InitiativeSystem) -> bool:
    return keeps_nothing(hide_unknown(e, system, STRANGER))


def cut(before: str, kind: str) -> bool:
    """Return whether a moment ends between two messages, by their kinds."""
    return kind in _BEFORE or before in _AFTER


def _list(names: list[str]) -> str:
    pairs = runs(names)
    texts = [text for text, _ in pairs]
    if len(texts) > _MOST_LISTED:
        hidden_count = sum(many for _, many in pairs[_MOST_LISTED:])
        return f"{', '.join(texts[:_MOST_LISTED])} and {hidden_count} more"
    return f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else texts[0]


def _make_lines(
    e: Encounter,
    events: Sequence[ev.Event],
    viewer: Viewer,
    system: InitiativeSystem,
    after: Encounter | None,
) -> Iterator[_Line]:
    for events_left, event in enumerate(events, 1 - len(events)):
        # After the last event the caller's own state is used if there is one: most steps have one or two
        # events.
        now = None if events_left else after
        before, e = e, now or (e if isinstance(event, _SILENT_EVENTS) else apply(e, event))
        was, now_ = _ends_of(event, before, e)
        was, now_ = hide_unknown(was, system, viewer), hide_unknown(now_, system, viewer)
        if isinstance(event, ev.Decided) and _is_order_unsaid(event, was, now_, system, viewer):
            continue
        kind = type(event).__name__.lower()
        read = _without_dc(event, before, system, viewer)
        for sentences in _told(read, before, system, gm=viewer.gm):
            if line := _write_line(was, now_, sentences, viewer):
                message = Message(line, kind, sentences[0].rule)
                yield _make_line(read_by(now_, viewer), event, message, sentences[0])
        for c in _list_coming(was, now_) if before is not was else ():
            came = ev.Added(c)
            if line := _write_line(now_, now_, tell(e, came, system), viewer):
                yield _make_line(read_by(now_, viewer), came, Message(line, "added"), say("{0}", c.id))


def _without_dc(event: ev.Event, e: Encounter, system: InitiativeSystem, viewer: Viewer) -> ev.Event:
    """Return the event without the DC of a save if this viewer may not read it."""
    match event:
        case ev.SaveOwed(who, save) if not reads_dc(e, system, viewer, who):
            return replace(event, save=replace(save, dc=UNREAD_DC))
        case ev.Afflicted(who, x) if x.dc and not reads_dc(e, system, viewer, who):
            return replace(event, condition=replace(x, dc=UNREAD_DC))
        case _:
            return event


def _list_coming(was: Encounter, now: Encounter) -> list[Combatant]:
    """Return the creatures that were in reserve and have come into play, both as a viewer sees the fight."""
    waiting = {k for k, old in was.combatants.items() if old.hidden and not has_arrived(was, old)}
    return [c for c in now.combatants.values() if not c.hidden and c.id in waiting]


def _is_order_unsaid(
    event: ev.Decided, before: Encounter, after: Encounter, system: InitiativeSystem, viewer: Viewer
) -> bool:
    """Return whether a player is not told an order: by house rule, or because it says nothing new.

    An unseen newcomer changes the order only for the game master. Where each round has its own order, that is
    always told.
    """
    if viewer.gm or not isinstance(event.outcome, OrderOutcome):
        return False
    if keeps_order(after, system, viewer):
        return True
    old = before.outcome.order if isinstance(before.outcome, OrderOutcome) else ()
    new = [k for k in event.outcome.order if viewer.knows(after, k)]
    return system.turn_edges == "turn" and [k for k in old if k in new] == new


def _ends_of(event: ev.Event, before: Encounter, after: Encounter) -> tuple[Encounter, Encounter]:
    """Return the two encounters, before and after, that decide which viewers may read of an event."""
    # Before a creature was revealed, or acted, nobody knew it: judged by that state, the line would never be
    # shown. For the end of a turn the state before counts, in which the turn still ran.
    was = after if isinstance(event, ev.Revealed | ev.TurnBegan | ev.TurnHandedOn) else before
    return was, before if isinstance(event, ev.TurnEnded) else after


def _told(
    event: ev.Event, before: Encounter, system: InitiativeSystem, *, gm: bool
) -> list[tuple[Sentence, ...]]:
    """Return the sentences of each message: hit points and counters are as open as on the rows.

    Advice that names a line is for whoever can send it.
    """
    told = tell(before, event, system)
    # A mark that several creatures get is a message for each of them.
    messages: list[tuple[Sentence, ...]] = [(s,) for s in told] if isinstance(event, ev.Marked) else [told]
    shows = gm or bool(system.open_sheets(before)) or house_rule(before, "view.health") == "numbers"
    if isinstance(event, ev.Announced) and event.pooled and shows:
        return []
    if gm:
        return messages
    if isinstance(event, ev.Announced) and not is_gmless(system, before):
        return [tuple(s for s in some if "`" not in s.text) for some in messages]
    kinds = _SHEET_EVENTS if system.open_sheets(before) else _POINTS_EVENTS
    if isinstance(event, kinds) and shows:
        return [tuple(replace(s, own=False) for s in some) for some in messages]
    return messages


_POINTS_EVENTS = (ev.Damaged, ev.Healed, ev.Bolstered)
_SHEET_EVENTS = (*_POINTS_EVENTS, ev.Tallied, ev.CounterEnded)


def _make_line(e: Encounter, event: ev.Event, message: Message, first: Sentence) -> _Line:
    """Return a message with the name and the phrase by which it may be joined with others."""
    match event:
        case ev.Added(c):
            note = f" in round {c.arrives}" if c.arrives > e.round else ""
            side = text(e, say("joins " + side_name("{0}", c.side, c.owner), SIDE + c.side)).partition(" ")[2]
            return _Line(message, label(e, c.id), side + note, names_first=True)
        case ev.Changed(who, "group", str(group)) if group and who in e.combatants:
            return _Line(message, label(e, who), f"the group {group}", names_first=True)
        case _ if first.many and message.text.startswith(alone := text(e, first)):
            name, phrase = (text(e, replace(first, text=words)) for words in ("{0}", first.many))
            return _Line(message, name, phrase, own_text=message.text[len(alone) :].removeprefix(": "))
        case _:
            return _Line(message)


def _write_line(before: Encounter, e: Encounter, sentences: Iterable[Sentence], viewer: Viewer) -> str:
    line = ""
    net = secret_names(e, viewer)
    after, was = read_by(e, viewer), read_by(before, viewer)
    for sentence in sentences:
        # Both states are checked: a creature that hides in this step, or was hidden before it, is not named.
        if viewer.may_read(e, sentence) and viewer.may_read(before, sentence):
            worded = viewer.wording(e, sentence)
            part = text(after, worded, was)
            line += "" if has_secret(after, worded, part, net, was) else _choose_joint(line, sentence) + part
    return line


def _choose_joint(line: str, sentence: Sentence) -> str:
    if not line:
        return ""
    # What is about a creature without naming it again, such as `3 left`, continues the message.
    continues = sentence.own or (sentence.about and "{0}" not in sentence.text)
    return " " if line.endswith(":") else ": " if continues else "; "
