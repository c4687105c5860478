"""`tocsin invite`: a seat's key, and the line that lets a player's own SSH key open that seat and nothing else."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress

from tui.cli.output import DONE, FILE, Complaint, put, talk
from tui.core.base.text import quote
from tui.core.fight.viewer import players
from tui.core.rules.system import Systems
from tui.store.opening import look
from tui.store.problems import BadFile
from tui.store.saves import place
from tui.store.seats.invitation import THEIRS, entered, invite, revoke


def add_invite(p: argparse.ArgumentParser) -> None:
    """The words of the command."""
    p.add_argument("save", metavar="SAVE")
    p.add_argument("name", metavar="NAME", help="the player: the owner of creatures")
    p.add_argument(
        "--group", nargs="?", const="", default=None, metavar="GROUP",
        help="for accounts of this machine that are in GROUP: without one the group of the save's folder",
    )  # fmt: skip
    p.add_argument("--revoke", action="store_true", help="closes the seat: its key opens nothing any more")
    p.add_argument(
        "--public-key", default="", metavar="FILE", help="the player's own, put at the end; - reads it"
    )


def run_invite(args: argparse.Namespace, systems: Systems) -> int:
    """Makes the seat; prints one line for `authorized_keys`, or for the player's shell."""
    if args.revoke:
        closed = revoke(place(args.save, args.saves), args.name)
        talk(f"the seat of {closed.name} is closed; its line in authorized_keys opens nothing, and may go")
        return DONE
    found = invite(place(args.save, args.saves), args.name, _public_key(args.public_key), group=args.group)
    if args.group is None:
        put([found.line])
        if THEIRS in found.line:
            talk(
                f"put the player's own public key at the end, and the line into ~/.ssh/authorized_keys; {found.seat.name} then comes with ssh -t"
            )
    else:
        put([found.call, found.seat.key.hex()])
        talk(f"for {found.seat.name} alone: the call asks for this key once, and keeps it in that account")
    if remark := entered(place(args.save, args.saves)):
        talk(remark)
    _remark(args, found.seat.name, systems)
    return DONE


def _remark(args: argparse.Namespace, name: str, systems: Systems) -> None:
    """Says when nobody in the fight is this player's: a name may be mistyped, or its creature still to come."""
    with suppress(BadFile):  # the seat is there all the same
        if name.lower() not in (
            known.lower() for known in players(look(args.save, args.saves, systems).encounter)
        ):
            talk(
                f"nobody in the fight is {name}'s yet: `set WHO owner={quote(name)}` gives somebody to {name}"
            )


def _public_key(name: str) -> str:
    """The one line of a public key's file."""
    if not name:
        return ""
    try:
        if name == "-":
            return sys.stdin.read(8_000).strip()
        with open(name, encoding="ascii", errors="replace") as file:
            return file.read(8_000).strip()
    except OSError as error:
        raise Complaint(
            FILE, "file", f"the public key cannot be read: {error.strerror}", "name another file"
        ) from None
