"""The lower part of a seat's screen: what waits for the player, what is written, what became of it, the keys."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tui.core.base.text import quote
from tui.ui.state.columns import cells
from tui.ui.state.palette import Role
from tui.ui.state.rows import Row, clip, words, wrapped
from tui.ui.table.look import Look
from tui.ui.table.page import PublicPage
from tui.ui.table.screen import hints
from tui.ui.table.seat.form import OrderForm, form_rows
from tui.ui.table.seat.modes import Choosing, Mode, Typing, choosing_rows, typing_rows
from tui.ui.table.seat.now import forms, owned, tasks

MOST_TASKS = 3
"""Tasks that are named, each in a row of its own."""


class Said(Struct, frozen=True):
    """What is said of the last thing that was done; gone with the next key."""

    text: str = ""
    role: Role = "text"


def panel(look: Look, mode: Mode, said: Said, word: str, width: int, most: int) -> list[Row]:
    """At most `most` rows, the last of them the keys."""
    room = max(0, most - 1)
    rows: list[Row] = []
    for told in (Said(word, "warning"), said):
        rows += [((f" {part}", told.role),) for part in wrapped(told.text, width - 2, 3) if told.text]
    rows = rows[:room]
    left = room - len(rows)
    match mode:
        case OrderForm():
            helps = look.page.seat.helps if look.page else {}
            rows = [*form_rows(mode, width, left, look.glyphs, helps), *rows]
        case Typing():
            rows = [*typing_rows(mode, width)[:left], *rows]
        case Choosing():
            rows = [*choosing_rows(mode, width, min(left, 10), look.glyphs), *rows]
        case None:
            rows = [*_tasks(look, width)[:left], *rows]
    return [*rows, hints(_keys(look, mode), width)]


SEAT_KEYS = (
    ("Enter", "does what waits for you"), ("o", "writes an order; Tab goes to its next part"), ("r", "rolls what is due"),
    ("R", "takes the faces that fell on the table"), ("f", "takes a reaction"), (":", "a whole line"),
)  # fmt: skip
"""The keys of every seat."""

TURN_KEYS = (("n", "chooses who of your side acts"), ("p", "passes"), ("e", "ends your turn"))
"""The keys beside them where the rules leave the turns to the players."""

ALONE_KEYS = (
    ("n", "begins the next turn, which ends the one before"), ("e", "ends the running turn"), ("d +", "damages, heals"),
    ("c X", "gives a condition, ends one"), ("x", "puts somebody out"), ("u", "takes a step back, once all have asked for it"),
)  # fmt: skip
"""The keys beside them where the players play without a GM."""


def seat_keys(page: PublicPage | None) -> tuple[tuple[str, str], ...]:
    """The keys of a seat with what they do, those of the system's own words among them."""
    if page is None:
        return SEAT_KEYS
    verbs = tuple((v.key, v.help) for v in page.seat.verbs if v.key)
    turns = (
        ()
        if page.seat.gmless or not any(page.seat.choices.get(v) for v in ("turn", "pass", "end"))
        else TURN_KEYS
    )
    return (*SEAT_KEYS, *turns, *(ALONE_KEYS if page.seat.gmless else ()), *verbs)


def caret(rows: Sequence[Row], said: Said) -> tuple[int, int] | None:
    """The column and row in the panel where a text is written or a choice is made, else where it says what became of the last line."""
    for role in ("current", "selected"):
        for y, row in enumerate(rows):
            for at, (_, its) in enumerate(row):
                if its == role:
                    return cells(words(row[:at])), y
    for y, row in enumerate(rows):
        if said.text and row and row[0][1] == said.role and said.text.startswith(row[0][0].strip()):
            return 0, y
    return None


def _tasks(look: Look, width: int) -> list[Row]:
    found = tasks(look.page) if look.page else []
    if look.page and look.page.running and not owned(look.page, all_of_them=True):
        told = f"nobody in this fight is {look.viewer}'s: `set WHO owner={quote(look.viewer)}` is the GM's to say"
        return [((f" {part}", "hint"),) for part in wrapped(told, width - 2, 2)]
    rows = [
        clip(((f" [{_key(t.key)}] ", "key"), (t.text, "selected" if not i else "text")), width, look.glyphs.ellipsis)
        for i, t in enumerate(found[:MOST_TASKS])
    ]  # fmt: skip
    if len(found) > MOST_TASKS:
        rows.append(((f"     and {len(found) - MOST_TASKS} more", "muted"),))
    return rows


def _key(key: str) -> str:
    return "Enter" if key == "ok" else key


def _keys(look: Look, mode: Mode) -> Sequence[tuple[str, str]]:
    match mode:
        case OrderForm():
            return (("Enter", "send"), ("Tab", "next part"), ("ctrl+t", "unseen"), ("Esc", "keeps a draft"))
        case Typing():
            return (("Enter", "send"), ("Esc", "back"))
        case Choosing():
            return (("Enter", "take"), ("Up/Down", "choose"), ("Esc", "back"))
        case None:
            return _table_keys(look)


def _table_keys(look: Look) -> Sequence[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    page = look.page
    if page:
        found += [("Enter", "do it")] if tasks(page) else []
        found += [("o", "order")] if forms(page) else []
        turns = (("n", "turn"), ("p", "pass"), ("e", "end"))
        found += [(key, verb) for key, verb in turns if page.seat.choices.get(verb)]
        found += [("f", "react")] if page.seat.choices.get("react") else []
        found += [(v.key, v.name) for v in page.seat.verbs if v.key]
        if page.seat.resolves and page.state.acting:
            found += [("n", "next"), ("d", "damage"), ("+", "heal"), ("c", "condition"), ("x", "out")]
        found += [("u", "undo")] if page.seat.gmless else []
    return (*found, (":", "line"), ("?", "help"), ("q", "quit"))
