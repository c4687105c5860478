"""`tocsin odds`: the chance of each place in the order, before the dice are rolled."""

from __future__ import annotations

import argparse
import shutil
import sys
from time import monotonic
from typing import Any

from tui.cli.command import Front
from tui.cli.output import DONE, USAGE, Complaint, print_json, print_lines
from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE, clean
from tui.core.fight.encounter import Encounter, label
from tui.core.rules.system import Systems
from tui.core.views.forecast import Odds, RowOdds, after_line, odds, seed_of
from tui.core.views.odds_lines import ASCII_STEPS, BLOCKS, odds_lines
from tui.store.opening import open_for_reading
from tui.store.sources import SeededDice

USAGE_HINT = "`tocsin odds SAVE [LINE…]` or `tocsin odds --system ID LINE…`"


def run_odds(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Print the odds; return the exit code."""
    name, e, lines = _read_odds_words(args, systems)
    tried = [(line, _play_odds(e, systems, line, args.seed)) for line in lines or [""]]
    if args.json:
        plain = [{"line": line, **_plain_odds(x)} for line, x in tried]
        print_json({"format": 1, "save": name, "tries": plain})
        return DONE
    width = max(40, min(shutil.get_terminal_size().columns, 120))
    for at, (line, x) in enumerate(tried):
        title = ", ".join(filter(None, (name, systems.get(x.encounter.system).title)))
        lines = odds_lines(title, line, x, _choose_steps(plain=args.ascii), width)
        print_lines([*([""] if at else []), *lines])
    return DONE


def _play_odds(e: Encounter, systems: Systems, line: str, seed: int | None) -> Odds:
    return odds(e, systems, SeededDice(seed_of(e, line) if seed is None else seed), monotonic, line)


def _choose_steps(*, plain: bool) -> str:
    """Return the characters of strips: ASCII if `plain` or if the output cannot encode the others."""
    try:
        BLOCKS.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeError, LookupError):
        plain = True
    return ASCII_STEPS if plain else BLOCKS


def _read_odds_words(args: argparse.Namespace, systems: Systems) -> tuple[str, Encounter, list[str]]:
    """Return the name of the save, its encounter, and the lines to try.

    With `--system` the lines make the fight instead: the name is "", and no lines are left to try.
    """
    if args.system:
        try:
            e = Encounter(system=systems.get(args.system).id)
        except RuleError as problem:
            raise Complaint(USAGE, "usage", problem.message, problem.hint) from None
        chance = SeededDice(args.seed or 0)
        for number, line in enumerate(map(_clean_line, args.words), 1):
            try:
                e = after_line(e, line, systems, chance)
            except RuleError as problem:
                raise Complaint(1, "refused", problem.message, problem.hint, number) from None
        return "", e, []
    if not args.words:
        raise Complaint(USAGE, "usage", "odds: one SAVE is needed", USAGE_HINT)

    store = open_for_reading(args.words[0], args.saves, systems)
    return store.name, store.encounter, [_clean_line(line) for line in args.words[1:]]


def _clean_line(line: str) -> str:
    return clean(line, LONGEST_LINE)


def _plain_odds(result: Odds) -> dict[str, Any]:
    return {
        "system": result.encounter.system,
        "round": result.encounter.round,
        "how": "played" if result.runs else "rolled",
        "runs": result.runs,
        "error": result.error(),
        "kept": None,
        "said": list(result.lines),
        "given": [],
        "beside": [{"text": text, "chance": chance} for text, chance in result.beside],
        "rows": [_plain_odds_row(result, row) for row in result.rows],
    }


def _plain_odds_row(result: Odds, row: RowOdds) -> dict[str, Any]:
    return {
        "entry": row.name,
        "side": row.side,
        "members": [label(result.encounter, k) for k in row.members],
        "places": list(row.places),
        "mean": row.mean,
        "wait": max(row.mean - 1, 0),
        "before_foes": row.before,
        "acts": row.acts,
        "error": result.error(row),
        "swing": None,
        "later": {},
        "numbers": {str(number): chance for number, chance in sorted(row.numbers.items())},
    }
