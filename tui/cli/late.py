"""Commands whose files are loaded only when they are called: every other call starts without them.

What one command of many needs is imported in its function: a call pays for its own command alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tui.cli.complaint import BUSY, DONE

if TYPE_CHECKING:
    from tui.core.rules.system import Systems

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
    from tui.store.saves import place

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
    from tui.cli.asking import dice, talk
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
