"""Say what a player has to do, and lay out the rows below the table with the text being typed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import asdict

from tui.core.base.text import dice_words, quote
from tui.core.fight.standpoint import Standpoint, order_fingerprint, roll_fingerprint
from tui.core.published_page import SeatChoice
from tui.core.table import FieldView, FormDue, ReadDue, RollDue
from tui.ui.players.modes import (
    Choosing,
    Ended,
    Mode,
    Typing,
    by_hand,
    choosing_rows,
    rolls,
    shortened_rows,
    typing_rows,
)
from tui.ui.players.page import FrameState, PlayerPage
from tui.ui.players.writing import HelpedField, OrderForm, order_rows
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.palette import Role
from tui.ui.text.rows import Row, cells, clip, hint_row, words

LISTED = 4
"""The most names that a sentence lists; further ones are counted."""


class Task(Struct, frozen=True):
    """Something that this player has to do."""

    key: str
    """The key that does it."""
    text: str
    """The task in words."""
    line: str = ""
    """The line that does the task at once, "" if a form or choice is needed."""
    choose: str = ""
    """The verb whose choices are offered, "" for none."""


def tasks(page: PlayerPage, begun: Collection[str] = ()) -> list[Task]:
    """Return what this player has to do, the most urgent first; `begun` names the orders with a draft."""
    s, result = page.state, list[Task]()
    for due in s.due:
        if isinstance(due, FormDue) and page.mine(due.who):
            verb = "go on with" if due.who in begun else "write"
            result.append(Task("o", f"{verb} the order of {due.who}"))
        elif isinstance(due, RollDue) and page.mine(due.who):
            result.append(Task("r", _roll_words(due), f"roll {quote(due.who)}"))
        elif isinstance(due, ReadDue) and page.seat.gmless and owned(page, all_of_them=True):
            result.append(Task("ok", "all is written: on to the turns", "ok"))
    result += _turns(page)
    # After a fight one side may be left: setting another one up is not what comes next.
    if page.seat.gmless and not page.running and len({c.side for c in s.combatants if not c.out}) > 1:
        result.append(Task("n", "begin the fight", "begin"))
    if page.seat.resolves and not s.due:
        text = f"you resolve the order of {s.acting}; n when it is done" if s.acting else "the next turn"
        result.append(Task("n", text, "next"))
    return result


def _roll_words(due: RollDue) -> str:
    """Return which dice to roll and why, such as `roll d20: initiative`; the reason is the game master's."""
    dice, verb = due.shows or dice_words(due.dice), "draw" if due.shows else "roll"
    if not due.why:
        return f"{verb} {dice} for {due.who}"
    return due.why if dice in due.why else f"{verb} {dice}: {due.why}"


def _turns(page: PlayerPage) -> list[Task]:
    """Return the tasks to choose a turn, to pass, and to end the player's turn, if the page offers them."""
    turns, passing, ends = (page.seat.choices.get(verb, ()) for verb in ("turn", "pass", "end"))
    result: list[Task] = []
    if len(turns) == 1:
        result.append(Task("n", f"{turns[0].title} acts", turns[0].line))
    elif turns:
        result.append(Task("n", f"choose who acts: {_join_or([x.title for x in turns])}", choose="turn"))
    if passing:
        result.append(Task("p", "pass", "pass"))
    # Not at Enter: a second Enter must not end the turn that the first one began.
    result += [Task("e", f"end the turn of {choice.title}", choose="end") for choice in ends]
    return result


def _join_or(names: Sequence[str]) -> str:
    """Return `Ana, Bo or Cay`; of many names, `LISTED` and the number of the others."""
    if len(names) > LISTED + 1:
        return f"{', '.join(names[:LISTED])} and {len(names) - LISTED} more"
    return " or ".join([", ".join(names[:-1]), names[-1]])


def owed_forms(page: PlayerPage) -> dict[str, tuple[FieldView, ...]]:
    """Return the orders that this player owes, each with its parts."""
    own = page.own
    return {d.who: d.fields for d in page.state.due if isinstance(d, FormDue) and d.who in own and d.fields}


def owned(page: PlayerPage, *, all_of_them: bool = False) -> list[str]:
    """Return the names of this player's creatures, out of the fight or not; by default only those in it."""
    low = page.viewer.lower()
    mine = (c for c in page.state.combatants if low and c.owner.lower() == low)
    return [c.name for c in mine if all_of_them or not c.out]


def forms(page: PlayerPage) -> dict[str, tuple[HelpedField, ...]]:
    """Return the orders that can be written now, owed ones first, each with its parts."""
    due = owed_forms(page)
    by_creature = {
        **due,
        **{name: fields for name, fields in page.seat.forms.items() if fields and name not in due},
    }
    helps = page.seat.helps
    return {
        name: tuple(HelpedField(**asdict(f), help=helps.get(f.key, "")) for f in fields)
        for name, fields in by_creature.items()
    }


def next_forms(page: PlayerPage, sent: Collection[str]) -> list[str]:
    """Return whose order comes next: the first owed one not in `sent`, else all that can be written."""
    return [who for who in owed_forms(page) if who not in sent][:1] or list(forms(page))


def written(page: PlayerPage, who: str) -> dict[str, str]:
    """Return the parts of a written order, {} if there is none."""
    return next((dict(o.text) for o in page.state.orders if o.who == who), {})


def standpoint(page: PlayerPage, line: str) -> Standpoint:
    """Return what this player sees now, for the writer to compare when the line arrives.

    It names the roll that the line answers, or the order that it replaces.
    """
    s = page.state
    return Standpoint(s.round, s.phase, s.acting, s.step, _find_answered(page, line))


def _find_answered(page: PlayerPage, line: str) -> str:
    """Return the fingerprint of the roll that a line answers, or of the order that it replaces, or ""."""
    verb, _, rest = line.strip().partition(" ")
    if verb.lower() == "order":
        low = rest.strip().lower()
        return next(
            (
                order_fingerprint(o.text)
                for o in page.state.orders
                if page.mine(o.who) and _begins_with(low, o.who)
            ),
            "",
        )
    if verb.lower() != "roll":
        return ""
    mine = rolls(page)
    who = rest.strip().strip('"').lower()
    answers = [
        d for d in mine if who.startswith(d.who.lower()) or rest.lower().startswith(quote(d.who).lower())
    ]
    begun = [d for d in mine if who and d.who.lower().startswith(who.split(" ")[0])]
    dues = (answers or begun or mine)[:1]
    return roll_fingerprint(dues[0].who, dues[0].dice, dues[0].rule) if dues else ""


def _begins_with(low: str, who: str) -> bool:
    """Return whether the text after a verb begins with exactly this row's name, with or without quotes."""
    return any(low == name or low.startswith(name + " ") for name in (who.lower(), quote(who).lower()))


MOST_TASKS = 3
"""The most tasks shown."""

WHOLE_TASK = 2
"""The most rows for one task."""


class SeatNotice(Struct, frozen=True):
    """The answer to the last key or line, shown until the next key."""

    text: str = ""
    role: Role = "text"


def panel(look: FrameState, mode: Mode, notice: SeatNotice, word: str, width: int, most: int) -> list[Row]:
    """Return at most `most` rows, the last of them the keys."""
    room = max(0, most - 1)
    rows: list[Row] = []
    asks = isinstance(mode, OrderForm) and mode.doubt
    if asks:
        notice = SeatNotice(asks.text, "warning")
    # The text being written keeps a row, however long its notice is.
    free = room - bool(mode and not asks)
    for line in (SeatNotice(word, "warning"), notice):
        rows += shortened_rows(line.text, width, 1, min(3, free - len(rows)), line.role, look.glyphs)
    left = room - len(rows)
    match mode:
        case OrderForm():
            rows = [*order_rows(mode, width, left, look.glyphs), *rows]
        case Typing():
            rows = [*(typing_rows(mode, width)[-left:] if left else ()), *rows]
        case Choosing():
            rows = [*choosing_rows(mode, width, min(left, 10), look.glyphs), *rows]
        case Ended(text):
            rows = [*shortened_rows(text, width, 1, 3, "warning", look.glyphs)[:left], *rows]
        case None:
            rows = [*_tasks(look, width, left)[:left], *rows]
    return [*rows, hint_row(_keys(look, mode), width, look.glyphs.ellipsis)]


SEAT_KEYS = (
    ("Enter", "does what you have to do next"),
    ("o", "writes an order; Tab goes to its next part"),
    ("r", "rolls what is due"),
    ("R", "sends the faces rolled at the table"),
    ("f", "takes a reaction"),
    ("ctrl+t", "hides what you have written, and shows it again"),
    (":", "a whole line"),
)
"""The keys of every seat, with their meanings."""

TURN_KEYS = {
    "n": ("turn", "chooses which creature of your side acts, if the rules leave it to you"),
    "p": ("pass", "passes, if the rules leave it to you"),
    "e": ("end", "ends your turn, if the rules leave it to you"),
}
"""Further keys if there is a GM, each with the verb whose choices it takes and its meaning."""

NOT_NOW = {
    "n": "no turn is yours to choose now",
    "p": "no pass is offered to you now",
    "e": "no turn is yours to end now",
}
"""The notices of the keys in `TURN_KEYS` if the page offers no such choice."""

ALONE_KEYS = {
    "n": ("next", "begins the next turn, which ends the one before"),
    "e": ("end", "ends the running turn"),
    "d": ("damage ", "damages"),
    "+": ("heal ", "heals"),
    "c": ("condition ", "gives a condition"),
    "X": ("clear ", "ends a condition"),
    "x": ("out ", "takes a creature out of the fight"),
    "u": ("undo", "undoes a step, if all players send it"),
    "Q": ("finish", "ends the fight, if all players send it"),
}
"""Further keys if players play without a GM, with their lines and meanings.

A line that ends in a space needs a creature after it.
"""


def targets(page: PlayerPage, key: str, count: str) -> tuple[SeatChoice, ...]:
    """Return a choice of creatures for a key of `ALONE_KEYS`, each with its line; the acting one is last.

    A line that ends in a space needs more words. Two spaces inside are the gap for a condition's name.
    """
    line, _ = ALONE_KEYS[key]
    people = [c for c in page.state.combatants if not c.out and (key != "X" or c.conditions)]
    people.sort(key=lambda c: c.name == page.state.acting)
    ends = {"x": "", "c": f"  rounds={count}"} if count else {"x": ""}
    if count and key in "d+":
        ends[key] = f" {count}"
    return tuple(SeatChoice(f"{line}{quote(c.name)}{ends.get(key, ' ')}", c.name, c.side) for c in people)


COUNTED = ("next", "undo")
"""The lines of `ALONE_KEYS` that take a count."""


def seat_keys(page: PlayerPage | None) -> tuple[tuple[str, str], ...]:
    """Return the keys of a seat with their meanings, those of the system's verbs among them."""
    if page is None:
        return SEAT_KEYS
    verbs = tuple((v.key, v.help) for v in page.seat.verbs if v.key)
    more = ALONE_KEYS if page.seat.gmless else TURN_KEYS
    return (*SEAT_KEYS, *((key, does) for key, (_, does) in more.items()), *verbs)


def may_react(page: PlayerPage) -> bool:
    """Return whether a reaction is possible: the page offers one, or a creature of this player has one."""
    free = page.state.acting and not page.seat.gmless and free_to_react(page)
    return bool(free or page.seat.choices.get("react"))


def free_to_react(page: PlayerPage) -> list[str]:
    """Return the names of this player's creatures that have not used their reaction."""
    used = {c.name for c in page.state.combatants if "reaction" in c.marks}
    return [name for name in owned(page) if name not in used]


def caret(rows: Sequence[Row], notice: SeatNotice) -> tuple[int, int] | None:
    """Return the panel's column and row of the typed text or choice, else of the notice; None for neither."""
    for role in ("current", "selected", "focus"):
        for y, row in enumerate(rows):
            for at, (text, its) in enumerate(row):
                if its == role and (role == "current" or text.strip()):
                    return cells(words(row[:at])), y
    for y, row in enumerate(rows):
        if notice.text and row and row[0][1] == notice.role and notice.text.startswith(row[0][0].strip()):
            return 0, y
    return None


def _tasks(look: FrameState, width: int, most: int) -> list[Row]:
    """Return the tasks as rows, each in up to `WHOLE_TASK` rows if there is room, else in one."""
    due = tasks(look.page, look.begun) if look.page else []
    if look.page and look.page.running and not owned(look.page, all_of_them=True):
        line = f"no creature in this fight is {look.viewer}'s: ask the game master who you play"
        return shortened_rows(line, width, 1, 2, "hint", look.glyphs)
    rows = _task_rows(due, width, WHOLE_TASK, look.glyphs)
    return rows if len(rows) <= most else _task_rows(due, width, 1, look.glyphs)


def _task_rows(due: Sequence[Task], width: int, most: int, glyphs: Glyphs) -> list[Row]:
    rows: list[Row] = []
    for i, task in enumerate(due[:MOST_TASKS]):
        head = f" [{_key(task.key)}] "
        role: Role = "text" if i else "selected"
        first, *rest = shortened_rows(task.text, width - cells(head), 0, most, role, glyphs) or [()]
        indented = [((head, "key"), *first), *(((" " * cells(head), "text"), *row) for row in rest)]
        rows += [clip(row, width, glyphs.ellipsis) for row in indented]
    if len(due) > MOST_TASKS:
        rows.append(((f"     and {len(due) - MOST_TASKS} more", "muted"),))
    return rows


def _key(key: str) -> str:
    return "Enter" if key == "ok" else key


def _keys(look: FrameState, mode: Mode) -> Sequence[tuple[str, str]]:
    match mode:
        case OrderForm(doubt=doubt) if doubt:
            return (("y", "yes"), *([("n", "leave out")] if doubt.kind == "old" else []), ("Esc", "back"))
        case Ended():
            return (("Enter", "goes on"),)
        case OrderForm():
            return (("Enter", "send"), ("Tab", "next part"), ("ctrl+t", "unseen"), ("Esc", "keeps a draft"))
        case Typing():
            more = mode.dice and look.page and len(by_hand(look.page)) > 1
            return (("Enter", "send"), *([("Tab", "next roll")] if more else []), ("Esc", "back"))
        case Choosing():
            gives = (("Tab", "gives up"),) if len(mode.prices) > 1 else ()
            turns = (("Left/Right", "changes it"),) if any(x.kin for x in mode.items) else ()
            return (("Enter", "take"), ("Up/Down", "choose"), *turns, *gives, ("Esc", "back"))
        case None:
            return _table_keys(look)


def _table_keys(look: FrameState) -> Sequence[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    page = look.page
    if page:
        waiting, resolving = tasks(page), page.seat.resolves and page.state.acting
        # The row above already shows `n` to the player who carries out a turn, and other words need the room.
        is_next = resolving and waiting and waiting[0].line == "next"
        enter = waiting and waiting[0].choose != "end" and not is_next
        pairs += [("Enter", "do it")] if enter else []
        pairs += [("R", "faces")] if by_hand(page) else []
        pairs += [("o", "order")] if forms(page) else []
        pairs += [(key, verb) for key, (verb, _) in TURN_KEYS.items() if page.seat.choices.get(verb)]
        pairs += [(key, ALONE_KEYS[key][0].strip()) for key in "d+cx"] if resolving else []
        pairs += [("f", "react")] if may_react(page) else []
        pairs += [("u", "undo")] if page.seat.gmless and page.running else []
        pairs += [("Q", "finish")] if page.seat.gmless and page.now.remarks else []
        pairs += [(v.key, v.name) for v in page.seat.verbs if v.key]
    return (*pairs, (":", "line"), ("q", "quit"), ("?", "help"))
