"""`tocsin odds`: who will stand where, before the dice; and how every system would order these creatures."""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from functools import partial
from typing import Any

from msgspec.structs import replace

from tui.cli.command import Front
from tui.cli.output import DONE, USAGE, Complaint, put, put_json
from tui.core.base.errors import RuleError
from tui.core.fight.encounter import Encounter, label
from tui.core.odds.spread import Standing, error
from tui.core.odds.standings import Random
from tui.core.rules.system import Systems
from tui.core.views.odds import (
    ASCII_ONLY,
    BLOCKS,
    Compared,
    Odds,
    PlotPens,
    RowOdds,
    after_line,
    compared,
    compared_lines,
    first_word,
    named,
    odds,
    odds_lines,
    row_of,
)
from tui.store.opening import look

USE = "`tocsin odds SAVE [LINE…]`, `tocsin odds --system ID LINE…` or `tocsin odds --compare SAVE`"
SEED = 1
"""Of races that are run: the same question has the same answer."""


def run_odds(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Print the odds; return the exit code."""
    chance = random.Random(SEED if args.seed is None else args.seed).random  # noqa: S311  # repeatable on purpose
    name, e, lines = _asked(args, systems, chance)
    pen = _pens(plain=args.ascii)
    if args.compare:
        comparisons = compared(e, systems, chance)
        if args.json:
            put_json({"format": 1, "save": name, "systems": [_plain_compared(x) for x in comparisons]})
        else:
            put(compared_lines(e, comparisons, pen))
        return DONE
    tried = [(line, odds(e, systems, chance, line)) for line in lines or [""]]
    if args.json:
        plain = [{"line": line, **_plain(x)} for line, x in tried]
        put_json({"format": 1, "save": name, "tries": plain})
        return DONE
    for at, (line, x) in enumerate(tried):
        title = " · ".join(part for part in (name, systems.get(x.encounter.system).title) if part)
        put([*([""] if at else []), *odds_lines(title, line, x, _whose(args.who, line, x), pen)])
    return DONE


def _pens(*, plain: bool) -> PlotPens:
    """Return the pens of this terminal; ASCII on demand, and where the output has no other characters."""
    width = max(40, min(shutil.get_terminal_size().columns, 120))
    try:
        (BLOCKS.steps + BLOCKS.joint).encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeError, LookupError):
        plain = True
    return replace(ASCII_ONLY if plain else BLOCKS, width=width)


def _asked(args: argparse.Namespace, systems: Systems, chance: Random) -> tuple[str, Encounter, list[str]]:
    """Return the name of the save, its encounter and the lines to try.

    With `--system`, the fight that the lines make.
    """
    if args.system:
        try:
            e = Encounter(system=systems.get(args.system).id)
        except RuleError as problem:
            raise Complaint(USAGE, "usage", problem.message, problem.hint) from None
        for number, line in enumerate(args.words, 1):
            try:
                e = after_line(e, line, systems, chance)
            except RuleError as problem:
                raise Complaint(1, "refused", problem.message, problem.hint, number) from None
        return "", e, []
    if not args.words or (args.compare and len(args.words) > 1):
        raise Complaint(USAGE, "usage", "odds: one SAVE is needed", USE)

    store = look(args.words[0], args.saves, systems)
    return store.name, store.encounter, args.words[1:]


def _whose(who: str, line: str, result: Odds) -> list[RowOdds]:
    """Return the rows whose places are drawn: those asked for, else those that the line names."""
    asked = named(result.encounter, who or first_word(line))
    rows = [row for key in asked if (row := row_of(result, key))]
    if who and not rows:
        raise RuleError(f"{who} has no row in this order", f"rows: {', '.join(r.name for r in result.rows)}")
    return list({row.key: row for row in rows}.values())


# --- plain data


def _plain(result: Odds) -> dict[str, Any]:
    return {
        "system": result.encounter.system,
        "round": result.encounter.round,
        "how": "simulated" if result.runs else "exact",
        "runs": result.runs,
        "kept": result.kept,
        "said": list(result.lines),
        "given": list(result.given),
        "beside": [{"text": x.text, "chance": x.chance} for x in result.beside],
        "rows": [_plain_row(result, row) for row in result.rows],
    }


def _plain_row(result: Odds, row: RowOdds) -> dict[str, Any]:
    swing = partial(swing_of, result)
    return {
        "entry": row.name,
        "side": row.side,
        "members": [label(result.encounter, k) for k in row.members],
        **_plain_standing(row.standing, result.runs),
        "swing": swing(row),
        "later": _plain_standing(row.later, result.runs) if row.later else {},
        "numbers": {str(number): chance for number, chance in sorted(row.total.items())},
    }


def _plain_standing(s: Standing, runs: int) -> dict[str, Any]:
    return {
        "places": list(s.places),
        "mean": s.mean,
        "wait": s.wait,
        "before_foes": s.before,
        "acts": s.acts,
        "error": max(error(p, runs) for p in (*s.places, s.before)),
    }


def swing_of(result: Odds, row: RowOdds) -> float | None:
    """Return how many places apart two rounds lie on average; None where no one can tell."""
    return 0.0 if result.kept else None if result.kept is None else row.standing.swing


def _plain_compared(one: Compared) -> dict[str, Any]:
    row = {"system": one.system, "why": one.why}
    return row | ({"odds": _plain(one.odds)} if one.odds else {})
