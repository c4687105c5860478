"""The program's commands. Standard output is data, standard error is talk.

What one command of many needs is imported in its function: a call pays for its own command alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from tui.cli.asking import dice, talk
from tui.cli.complaint import DONE, FILE, REFUSED, USAGE, Complaint
from tui.cli.front import SUMMARY
from tui.cli.late import LATE
from tui.cli.output import json_line, put, put_json
from tui.cli.stock import add_import, creatures, rosters, take_in
from tui.core.base.errors import RuleError

if TYPE_CHECKING:
    from tui.cli.front import Front
    from tui.core.fight.events import Event
    from tui.core.rules.system import Systems
    from tui.store.journal.reader import Journal

_Add = Callable[[argparse.ArgumentParser], None]
_Run = Callable[[argparse.Namespace, "Systems", "Front"], int]


def _add_new(p: argparse.ArgumentParser) -> None:
    p.add_argument("save", metavar="SAVE")
    p.add_argument("--system", default="classic", metavar="ID")
    p.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    p.add_argument("--json", action="store_true")


def _new(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    from tui.store.opening import SaveExists, create

    try:
        create(args.save, args.saves, systems, args.system, _options(args.option))
    except RuleError as error:
        raise Complaint(USAGE, "usage", error.message, error.hint) from None
    except SaveExists as error:
        raise Complaint(REFUSED, "refused", error.message, error.hint) from None
    return DONE


def _options(pairs: list[str]) -> dict[str, str]:
    for pair in pairs:
        if "=" not in pair:
            raise RuleError(f"--option takes KEY=VALUE, not {pair}")
    return dict(pair.split("=", 1) for pair in pairs)


def _add_do(p: argparse.ArgumentParser) -> None:
    p.add_argument("save", metavar="SAVE")
    p.add_argument("lines", nargs="*", metavar="LINE")
    p.add_argument("--dice", default=None, metavar="N,N,...", help="faces for the rolls of this call")
    p.add_argument("--json", action="store_true")


def _do(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    from tui.cli.call import Call
    from tui.store.players.publisher import publish_once
    from tui.store.session import written

    lines = _lines(args.lines)
    if not lines:
        raise Complaint(USAGE, "usage", "do: a LINE is missing", "`tocsin do SAVE 'add 5 Orc' begin`")
    with written(args.save, args.saves, systems, dice(args), talk) as session:
        call = Call(session)
        try:
            call.play(lines)
        finally:
            publish_once(session.path, session.store)
            if not args.json:
                # Also after a refusal: the lines before it stand, and their dice must be told.
                call.tell()
        if args.json:
            call.print([json_line(session.store.state())])
    return DONE


def _lines(words: list[str]) -> list[str]:
    """The lines of a call. Only a line feed ends one: a text may hold what Unicode calls the end of a line."""
    found: list[str] = []
    for word in words:
        found += sys.stdin.read().split("\n") if word == "-" and sys.stdin else [word]
    return [x for x in found if x.strip() and not x.lstrip().startswith("#")]


def _add_show(p: argparse.ArgumentParser) -> None:
    p.add_argument("save", metavar="SAVE")
    p.add_argument("--json", action="store_true")
    p.add_argument("--as", dest="viewer", default=None, metavar="NAME")


def _show(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    from tui.core.fight.viewer import viewer_of
    from tui.store.opening import readable

    store, found = readable(args.save, args.saves, systems)
    _say_end(found, json=args.json)
    state = store.state(viewer_of(args.viewer))
    if args.json:
        put_json(state)
    else:
        from tui.cli.report import table

        put(table(state))
    return _ended(found)


def _say_end(found: Journal[Event], *, json: bool) -> None:
    """Says that the end of a journal is unfinished; as JSON an error is all there is, so its damage is raised."""
    from tui.store.opening import torn_end

    if found.problem and json:
        raise found.problem
    if told := torn_end(found):
        talk(told)


def _ended(found: Journal[Event]) -> int:
    """The exit code of what was shown up to here. Raises the damage at which the journal could be read no further."""
    if found.problem:
        raise found.problem
    return DONE


def _add_log(p: argparse.ArgumentParser) -> None:
    _add_show(p)
    p.add_argument("--dice", action="store_true", help="counts of the dice")


def _log(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    from tui.cli.chronicle import chronicle
    from tui.cli.report import chapters, dice, plain_chapters
    from tui.core.fight.viewer import viewer_of
    from tui.store.opening import retold
    from tui.store.store import replay

    # All of it before the first line is printed: a save with a record that cannot have happened is refused whole.
    with retold(args.save, args.saves, systems, lenient=True) as (history, journal):
        if args.dice:
            replay(history, journal.steps, journal.places)
        else:
            told = chronicle(history, journal.steps, viewer_of(args.viewer), systems, journal.places)
    _say_end(journal, json=args.json)
    if args.dice:
        counts = dice(journal.steps)
        put_json(counts.plain) if args.json else put(counts.lines)
    else:
        put_json(plain_chapters(told)) if args.json else put(chapters(told))
    return _ended(journal)


def _add_check(p: argparse.ArgumentParser) -> None:
    p.add_argument("save", metavar="SAVE")
    p.add_argument("--repair", action="store_true", help="writes a mended copy under a new name")
    p.add_argument("--json", action="store_true")


def _check(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    from tui.cli.inspection import check

    found, sound = check(args.save, args.saves, systems, repair=args.repair)
    if args.json:
        put_json({"sound": sound, "found": found})
    else:
        put(found)
    return DONE if sound else FILE


def _add_json(p: argparse.ArgumentParser) -> None:
    p.add_argument("--json", action="store_true")


def _systems(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    from tui.cli.report import system_table

    found = [systems.get(name) for name in systems.ids()]
    if args.json:
        put_json([system_table(s) for s in found])
    else:
        for s in found:
            put([f"{s.id:<20} {s.title}: {s.summary}", f"{'':<20} {s.credit}"])
    return DONE


def _themes(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    put(f"{name:<16} {remark}".rstrip() for name, remark in front.themes())
    return DONE


def _add_keys(p: argparse.ArgumentParser) -> None:
    p.add_argument("--markdown", action="store_true", help="as the README's table")
    p.add_argument("--man", action="store_true", help="as a manual page: tocsin keys --man | man -l -")


def _keys(args: argparse.Namespace, systems: Systems, front: Front) -> int:
    from tui.cli.manual import man, markdown

    if args.man:
        put(man(front.key_table(), SUMMARY, [systems.get(name) for name in systems.ids()]))
    elif args.markdown:
        put(markdown(front.key_table()))
    else:
        put(f"{keys:<16} {line:<28} {does}" for keys, line, does in front.key_table())
    return DONE


COMMANDS: dict[str, tuple[_Add, _Run]] = {
    "new": (_add_new, _new),
    "do": (_add_do, _do),
    "show": (_add_show, _show),
    "log": (_add_log, _log),
    **LATE,
    "check": (_add_check, _check),
    "party": (_add_json, rosters("party")),
    "encounters": (_add_json, rosters("encounter")),
    "creatures": (_add_json, creatures),
    "import": (add_import, take_in),
    "systems": (_add_json, _systems),
    "themes": (_add_json, _themes),
    "keys": (_add_keys, _keys),
}
