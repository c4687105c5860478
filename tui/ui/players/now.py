"""What a player's terminal says of the moment: whose turn it is, who comes next, who must do what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from tui.core.base.text import dice_words
from tui.ui.players.page import PublicPage, PublicRow

LISTED = 4
"""Names that are said before the others are counted."""

NowKind = Literal["acts", "asked", "waits"]
"""Someone acts; someone must do something; or neither, and the game master goes on."""


class Saying(Struct, frozen=True):
    """The moment in words. `who` is the entry that acts, "" for none; `mine`: it is the viewer's moment.

    `then` says who comes next, `lines` what must be read first. `big` is the moment in a word.
    """

    kind: NowKind
    lead: str
    who: str = ""
    then: str = ""
    mine: bool = False
    lines: tuple[str, ...] = ()
    big: str = ""


_BIG = {"roll": "dice", "pick": "choose", "form": "orders", "lock": "orders", "acknowledge": "read"}


def saying(page: PublicPage, *, masked: bool = False) -> Saying:
    """Return the moment in words. `masked`: nothing that stands in the viewer's own sealed orders."""
    s = page.state
    if not page.running:
        return Saying("waits", "No fight is running", big=s.save)
    if s.due:
        return _due(page, masked=masked)
    if s.acting:
        mine = page.mine(s.acting)
        lead = f"{s.acting} {_plural(page, s.acting, 'acts', 'act')}{_whose(page, mine=mine)}"
        return Saying("acts", lead, s.acting, then(page), mine, order(page))
    if s.offer.acts:
        return _offered(page)
    if page.seat.gmless:
        lead = (
            "You go on with the next turn" if page.seat.resolves else "An opponent goes on with the next turn"
        )
        return Saying("waits", lead, then=then(page), mine=page.seat.resolves, big=f"round {s.round}")
    return Saying("waits", "The GM goes on", then=then(page), big=f"round {s.round}")


def _whose(page: PublicPage, *, mine: bool) -> str:
    """Return what the running turn asks of the viewer: without a game master opponents carry orders out."""
    if page.seat.gmless:
        return ": you resolve it" if page.seat.resolves else ": an opponent resolves it" if mine else ""
    return ": it is your turn" if mine else ""


def _due(page: PublicPage, *, masked: bool) -> Saying:
    """Who owes what; what the viewer owes comes first."""
    first = page.state.due[0]
    same = [d for d in page.state.due if d.kind == first.kind]
    own = [d for d in same if page.mine(d.who)]
    named = names([d.who for d in own or same])
    match first.kind:
        case "roll" if own:
            lead = "You roll: " + ", ".join(f"{dice_words(d.dice)} for {d.who}" for d in own[:LISTED])
        case "roll":
            alike = {d.dice for d in same}
            lead = f"Still to roll{' ' + dice_words(first.dice) if len(alike) == 1 else ''}: {named}"
        case "form":
            lead = f"You write for {named}" if own else f"Still to write: {named}"
        case "pick":
            lead = f"You choose: {names(first.names)}" if own else f"{first.who} must choose"
        case "lock":
            lead = "All have written; " + (
                "it closes by itself" if page.seat.gmless else "the GM closes the writing"
            )
        case _ if page.seat.gmless:
            lead = "All have rolled: the orders lie open with the first turn"
        case _:
            lead = "To be read before it goes on"
    # What is read before the first turn are the viewer's own reactions.
    lines = ("your reactions: unseen",) if masked else tuple(line for d in same for line in d.lines)
    lines = lines if any(d.lines for d in same) else ()
    acting = page.state.acting
    beside = f"{acting} {_plural(page, acting, 'is', 'are')} acting" if acting else ""
    return Saying("asked", lead, then=beside, mine=bool(own), lines=lines, big=_BIG.get(first.kind, ""))


def _offered(page: PublicPage) -> Saying:
    offer = page.state.offer
    turns = [a.who for a in offer.acts if a.kind == "turn"]
    passing = any(a.kind == "pass" for a in offer.acts)
    own = [name for name in turns if page.mine(name)]
    mine = bool(own) or page.mine(offer.chooser)
    who = offer.chooser if offer.chooser and offer.chooser not in turns else ""
    choose = f"{names(turns, 'or')}" + (", or pass" if passing else "")
    lead = f"{_called(who)} {_plural(page, who, 'chooses', 'choose')}: {choose}" if who else f"Next: {choose}"
    return Saying("asked" if mine else "waits", lead, mine=mine, big="choose")


def _side(name: str) -> str:
    """Return the name of a side inside a sentence."""
    return {"heroes": "the heroes", "dark": "the dark side"}.get(name, name)


def _called(side: str) -> str:
    """Return the name of a side at the start of a sentence."""
    text = _side(side)
    return text[:1].upper() + text[1:] if text != side else text


def _plural(page: PublicPage, entry: str, one: str, many: str) -> str:
    """Return the verb for an entry: groups of several and sides with a plural name take the plural."""
    group = sum(c.group == entry for c in page.state.combatants)
    side = any(x.name == entry for x in page.state.sides) and entry.endswith("s")
    return many if group > 1 or (group == 0 and side) else one


# --- who comes next


def coming(page: PublicPage) -> list[str]:
    """Return the entries that are still to act, in their order; none where places say nothing."""
    rows = page.state.track
    if not any(row.value for row in rows):
        return []
    at = next((i for i, row in enumerate(rows) if row.state == "now"), -1)
    # Who puts its turn off comes when it wants: no one can say when that is.
    waiting = {i: row.entry for i, row in enumerate(rows) if row.state == "waits" and not _delays(row)}
    return [waiting[i] for i in (*range(at + 1, len(rows)), *range(at)) if i in waiting]


def then(page: PublicPage) -> str:
    """`then Bo, Goblin 4, Dov`; where someone chooses, who is left on the side whose turn it is."""
    texts = coming(page)
    if texts:
        more = f" and {len(texts) - LISTED} more" if len(texts) > LISTED else ""
        return "then " + ", ".join(texts[:LISTED]) + more
    rows = page.state.track
    if rows and not any(row.value for row in rows):
        left = [f"{side.left} of {_side(side.name)}" for side in page.state.sides if side.left]
        return f"still to act: {', '.join(left)}" if left else "then the next round"
    return "then the next round" if any(row.state == "now" for row in rows) else ""


def _delays(row: PublicRow) -> bool:
    return "delays" in row.tags


# --- words


def order(page: PublicPage) -> tuple[str, ...]:
    """Return the current order, a line for each of its parts, as far as the viewer may read it."""
    s = page.state
    running = next((o for o in s.orders if o.who == s.acting), None)
    return tuple(f"{key}: {text}" for key, text in running.text.items() if text) if running else ()


def own_orders(page: PublicPage, *, masked: bool = False) -> tuple[str, ...]:
    """Return the viewer's orders that are still to be carried out, a line each, with their warnings.

    `masked`: only that it is written.
    """
    if masked:
        return tuple(
            f"your order, {o.who}: unseen"
            for o in page.state.orders
            if o.state in ("written", "locked") and page.mine(o.who)
        )
    return tuple(
        f"your order, {o.who}: {order_text(o.text) or 'nothing'}"
        + (f" ({'; '.join(o.warnings)})" if o.warnings else "")
        for o in page.state.orders
        if o.state in ("written", "locked") and page.mine(o.who)
    )


def order_text(text: Mapping[str, str]) -> str:
    """Return an order in one line, part by part."""
    return "; ".join(f"{key} {words}" for key, words in text.items() if words)


def names(every: Sequence[str], joint: str = "and") -> str:
    """`Ana, Bo and Cay`; of many the first ones and how many more."""
    known = list(dict.fromkeys(every))
    if len(known) > LISTED + 1:
        return f"{', '.join(known[:LISTED])} and {len(known) - LISTED} more"
    return f" {joint} ".join(part for part in (", ".join(known[:-1]), known[-1] if known else "") if part)
