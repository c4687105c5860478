"""`tocsin invite`: make a player's seat, and the line by which an SSH key opens only that seat."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress

from tui.cli.command import Front
from tui.cli.output import DONE, FILE, Complaint, print_aside, print_lines
from tui.core.base.text import quote
from tui.core.fight.viewer import players
from tui.core.rules.system import Systems
from tui.store.opening import open_for_reading
from tui.store.problems import BadFile
from tui.store.saves import find_save_path
from tui.store.seats.invitation import KEY_PLACEHOLDER, describe_folder_access, invite, revoke


def run_invite(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Make the seat, and print a line for `authorized_keys`; return the exit code."""
    if args.revoke:
        closed = revoke(find_save_path(args.save, args.saves), args.name)
        print_aside(
            f"the seat of {closed.name} is closed; delete its line in authorized_keys, which opens nothing"
        )
        return DONE
    invitation = invite(find_save_path(args.save, args.saves), args.name, _read_public_key(args.public_key))
    print_lines([invitation.line])
    if KEY_PLACEHOLDER in invitation.line:
        print_aside(
            "append the player's public key to this line, and put the line into ~/.ssh/authorized_keys; "
            f"{invitation.seat.name} then connects with ssh -t"
        )
    if remark := describe_folder_access(find_save_path(args.save, args.saves)):
        print_aside(remark)
    _warn_without_creature(args, invitation.seat.name, systems)
    return DONE


def _warn_without_creature(args: argparse.Namespace, name: str, systems: Systems) -> None:
    """Warn if the player owns no creature in the fight, because the name may be mistyped."""
    with suppress(BadFile):  # the seat is there all the same
        if name.lower() not in (
            known.lower() for known in players(open_for_reading(args.save, args.saves, systems).encounter)
        ):
            print_aside(
                f"nobody in the fight is {name}'s yet: `set WHO owner={quote(name)}` gives {name} a creature"
            )


def _read_public_key(name: str) -> str:
    """Return the only line of a public key's file. Raises Complaint."""
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
