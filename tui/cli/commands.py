"""List the program's commands; those with libraries of their own are loaded when they are called.

What one command of many needs is imported in its function: a call pays for its own command alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tui.cli.main import SUMMARY
from tui.cli.output import BUSY, DONE, FILE, REFUSED, USAGE, Complaint, dice, json_line, put, put_json, talk
from tui.core.base.errors import RuleError
from tui.store.saves import place

if TYPE_CHECKING:
    from tui.cli.main import Front
    from tui.core.fight.events import Event
    from tui.core.rules.system import Systems
    from tui.store.journal.reader import Journal

LateCommand = tuple[
    Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace, "Systems", object], int]
]
"""What adds a command's words to the parser, and what runs it."""


def _add_odds(p: argparse.ArgumentParser) -> None:
    from tui.cli.odds import add_odds

    add_odds(p)


def _odds(args: argparse.Namespace, systems: Systems, _front: object) -> int:
    from tui.cli.odds import run_odds

    return run_odds(args, systems)


def _add_export(p: argparse.ArgumentParser) -> None:
    from tui.cli.export import add_export

    add_export(p)


def _export(args: argparse.Namespace, systems: Systems, _front: object) -> int:
    from tui.cli.export import run_export

    return run_export(args, systems)


def _add_view(p: argparse.ArgumentParser) -> None:
    p.add_argument("save", metavar="SAVE")
    p.add_argument("--as", dest="viewer", default="", metavar="NAME", help="as this player may see it")
    p.add_argument("--big", action="store_true", help="large letters, for a screen on the table")
    p.add_argument("--bell", action="store_true", help="ring when any turn begins; --as rings at one's own")
    p.add_argument("--silent", action="store_true", help="never ring")
    p.add_argument("--plain", action="store_true", help="lines instead of a screen")
    p.add_argument(
        "--a11y", action="store_true", help="for screen readers: the cursor stands at whoever acts"
    )
    p.add_argument("--ascii", action="store_true", help="no characters beyond ASCII")


def _view(args: argparse.Namespace, _systems: Systems, front: Any) -> int:
    return int(front.view(args))


def _add_publish(p: argparse.ArgumentParser) -> None:
    p.add_argument("save", metavar="SAVE")
    p.add_argument("--once", action="store_true", help="as it stands now; else until standard input ends")


def _publish(args: argparse.Namespace, systems: Systems, _front: object) -> int:
    from tui.store.players.server import serve

    path = place(args.save, args.saves)
    return DONE if serve(path, systems, once=args.once) else BUSY


def _add_seat(p: argparse.ArgumentParser) -> None:
    p.add_argument("save", metavar="SAVE")
    p.add_argument("name", metavar="NAME", help="the player: the owner of creatures")
    p.add_argument("--big", action="store_true", help="large letters")
    p.add_argument("--silent", action="store_true", help="does not ring when something waits for you")
    p.add_argument("--plain", action="store_true", help="lines instead of a screen")
    p.add_argument("--a11y", action="store_true", help="for screen readers")
    p.add_argument("--ascii", action="store_true", help="no characters beyond ASCII")
    p.add_argument(
        "--invited",
        nargs="?",
        const="",
        default=None,
        metavar="MARK",
        help="as a line of authorized_keys calls it: nothing else is taken",
    )


def _seat(args: argparse.Namespace, _systems: Systems, front: Any) -> int:
    return int(front.seat(args))


def _add_host(p: argparse.ArgumentParser) -> None:
    p.add_argument("save", metavar="SAVE")


def _host(args: argparse.Namespace, systems: Systems, _front: object) -> int:
    from tui.store.seats.host import host

    return host(args.save, args.saves, systems, dice(args), talk)


def _add_invite(p: argparse.ArgumentParser) -> None:
    from tui.cli.invite import add_invite

    add_invite(p)


def _invite(args: argparse.Namespace, systems: Systems, _front: object) -> int:
    from tui.cli.invite import run_invite

    return run_invite(args, systems)


LATE: Mapping[str, LateCommand] = {
    "odds": (_add_odds, _odds),
    "export": (_add_export, _export),
    "view": (_add_view, _view),
    "seat": (_add_seat, _seat),
    "host": (_add_host, _host),
    "invite": (_add_invite, _invite),
    "publish": (_add_publish, _publish),
}

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
    from tui.cli.do import Call
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
        from tui.cli.show import table

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
    from tui.cli.show import chapters, chronicle, dice, plain_chapters
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

    from tui.cli.check import check

    found, sound = check(args.save, args.saves, systems, repair=args.repair)
    if args.json:
        put_json({"sound": sound, "found": found})
    else:
        put(found)
    return DONE if sound else FILE


def _add_json(p: argparse.ArgumentParser) -> None:
    p.add_argument("--json", action="store_true")


def _systems(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    from tui.cli.show import system_table

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


def _party(args: argparse.Namespace, systems: Systems, front: Front) -> int:
    from tui.cli.library import rosters

    return rosters("party")(args, systems, front)


def _encounters(args: argparse.Namespace, systems: Systems, front: Front) -> int:
    from tui.cli.library import rosters

    return rosters("encounter")(args, systems, front)


def _creatures(args: argparse.Namespace, systems: Systems, front: Front) -> int:
    from tui.cli.library import creatures

    return creatures(args, systems, front)


def _add_import(p: argparse.ArgumentParser) -> None:
    from tui.cli.library import add_import

    add_import(p)


def _import(args: argparse.Namespace, systems: Systems, front: Front) -> int:
    from tui.cli.library import take_in

    return take_in(args, systems, front)


COMMANDS: dict[str, tuple[_Add, _Run]] = {
    "new": (_add_new, _new),
    "do": (_add_do, _do),
    "show": (_add_show, _show),
    "log": (_add_log, _log),
    **LATE,
    "check": (_add_check, _check),
    "party": (_add_json, _party),
    "encounters": (_add_json, _encounters),
    "creatures": (_add_json, _creatures),
    "import": (_add_import, _import),
    "systems": (_add_json, _systems),
    "themes": (_add_json, _themes),
    "keys": (_add_keys, _keys),
}
