"""What the player of a seat can do now: each with its key, in words, and the line that it stands for."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from tui.core.base.text import quote
from tui.core.fight.standpoint import Standpoint, owed, stood
from tui.ui.table.page import PublicDue, PublicField, PublicPage
from tui.ui.table.saying import dice, names


class Task(Struct, frozen=True):
    """Something that waits for this player: its key, in words, and the line that does it at once.

    Without a line it is a form, or what `choose` names: the verb of a choice.
    """

    key: str
    text: str
    line: str = ""
    choose: str = ""


def tasks(page: PublicPage) -> list[Task]:
    """What waits for this player, the first first."""
    s, found = page.state, list[Task]()
    for due in s.due:
        if due.kind == "form" and page.mine(due.who):
            found.append(Task("o", f"write the order of {due.who}"))
        elif due.kind == "roll" and page.mine(due.who):
            found.append(
                Task(
                    "r",
                    f"roll {dice(due)} for {due.who}; R takes the faces that fell",
                    f"roll {quote(due.who)}",
                )
            )
        elif due.kind == "acknowledge" and page.seat.gmless:
            found.append(Task("ok", "all is written: on to the turns", "ok"))
    found += _turns(page)
    if page.seat.gmless and not page.running:
        found.append(Task("n", "begin the fight", "begin"))
    if page.seat.resolves and not s.due:
        text = f"you resolve the order of {s.acting}; n when it is done" if s.acting else "the next turn"
        found.append(Task("n", text, "next"))
    return found


def _turns(page: PublicPage) -> list[Task]:
    """The turn that may be chosen, the pass, and the end of an own turn, as the rules of the system leave them to players."""
    turns, passing, ends = (page.seat.choices.get(verb, ()) for verb in ("turn", "pass", "end"))
    found: list[Task] = []
    if len(turns) == 1:
        found.append(Task("n", f"{turns[0].title} acts", turns[0].line))
    elif turns:
        listed = names([choice.title for choice in turns], "or")
        found.append(Task("n", f"choose who acts: {listed}", choose="turn"))
    if passing:
        found.append(Task("p", "pass", "pass"))
    # Not at Enter: the turn that a first Enter began must not be ended by a second one.
    found += [Task("e", f"end the turn of {choice.title}", choose="end") for choice in ends]
    return found


def rolls(page: PublicPage) -> list[PublicDue]:
    """The rolls that this player owes."""
    return [d for d in page.state.due if d.kind == "roll" and page.mine(d.who)]


def owned(page: PublicPage, *, all_of_them: bool = False) -> list[str]:
    """The names of this player's creatures that are in the fight; with those who are out of it, all of them."""
    low = page.viewer.lower()
    mine = (c for c in page.state.combatants if low and c.owner.lower() == low)
    return [c.name for c in mine if all_of_them or not c.out]


def forms(page: PublicPage) -> dict[str, tuple[PublicField, ...]]:
    """The orders that can be written now, those that are owed first, each with its parts."""
    due = {d.who: d.fields for d in page.state.due if d.kind == "form" and page.mine(d.who) and d.fields}
    return {**due, **{name: fields for name, fields in page.seat.forms.items() if fields and name not in due}}


def next_forms(page: PublicPage, sent: Collection[str]) -> list[str]:
    """Whose order is to be written next: the first that is owed, but for those of `sent`; else all that may be written anew."""
    owed = [d.who for d in page.state.due if d.kind == "form" and page.mine(d.who) and d.fields]
    return [who for who in owed if who not in sent][:1] or list(forms(page))


def written(page: PublicPage, who: str) -> dict[str, str]:
    """What an order says by now."""
    return next((dict(o.text) for o in page.state.orders if o.who == who), {})


def standpoint(page: PublicPage, line: str) -> Standpoint:
    """What this player sees, as far as the writer compares it; of a roll also which one it answers."""
    s = page.state
    return Standpoint(s.round, s.phase, s.acting, s.step, _answers(page, line))


def _answers(page: PublicPage, line: str) -> str:
    """The roll that a line answers, or the order that it replaces, if it is one."""
    verb, _, rest = line.strip().partition(" ")
    if verb.lower() == "order":
        low = rest.strip().lower()
        return next(
            (stood(o.text) for o in page.state.orders if page.mine(o.who) and _begins(low, o.who)), ""
        )
    if verb.lower() != "roll":
        return ""
    mine = rolls(page)
    who = rest.strip().strip('"').lower()
    named = [
        d for d in mine if who.startswith(d.who.lower()) or rest.lower().startswith(quote(d.who).lower())
    ]
    begun = [d for d in mine if who and d.who.lower().startswith(who.split(" ")[0])]
    found = (named or begun or mine)[:1]
    return owed(found[0].who, found[0].dice, found[0].rule) if found else ""


def _begins(low: str, who: str) -> bool:
    """Whether what follows the verb names just this entry, in quotes or without."""
    return any(low == name or low.startswith(name + " ") for name in (who.lower(), quote(who).lower()))
