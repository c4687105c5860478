"""The program called with words: arguments in, exit codes, lines and JSON out."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NoReturn

from tui.cli.commands import COMMANDS
from tui.cli.main import SUMMARY, Front
from tui.cli.output import DONE, USAGE, Complaint, Unprinted, guarded
from tui.crash import FAILED, STAND, say

if TYPE_CHECKING:
    from tui.core.rules.system import Systems

__all__ = ["Front", "main"]

_SEED = r"[+-]?[0-9]{1,18}"

COMMON: Final = ("--saves", "--theme", "--seed")
"""Options of every command that take a value."""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help of one width: asking the terminal for its own would load shutil for every call."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=100)


class _Parser(argparse.ArgumentParser):
    """Wrong words are a complaint like any other."""

    def error(self, message: str) -> NoReturn:
        raise Complaint(USAGE, "usage", message, f"`{self.prog} --help`")


def command_first(words: Sequence[str]) -> list[str]:
    """Return the call with its command in front of the common options, which may stand on either side of it."""
    place = 0
    while place < len(words) and words[place].split("=", 1)[0] in COMMON:
        place += 1 if "=" in words[place] else 2
    if place < len(words) and words[place] in COMMANDS:
        return [words[place], *words[:place], *words[place + 1 :]]
    return list(words)


def main(argv: list[str], systems: Systems, front: Front) -> int:
    """Runs one command; the exit code. Errors that are nobody's refusal pass."""
    # argparse knows options of a subcommand only behind it; people write `--saves DIR new X` as well.
    words = command_first(argv)
    try:
        return _run(words, systems, front)
    except Complaint as complaint:
        return _told(complaint, argv)
    except Unprinted as error:
        return _told(Complaint(FAILED, "failed", f"the output cannot be written: {error.why}", STAND), argv)
    except BrokenPipeError:  # nobody reads any more, which is their right
        return DONE


def _told(complaint: Complaint, argv: list[str]) -> int:
    """Says it in one line, or as one JSON object where a command was asked for that; its exit code."""
    json = "--json" in argv and command_first(argv)[0] in COMMANDS
    say(complaint.json() if json else f"tocsin: {complaint.text()}")
    return complaint.code


def _run(argv: list[str], systems: Systems, front: Front) -> int:
    name = argv[0] if argv else ""
    if name in COMMANDS:
        add, run = COMMANDS[name]
        parser = _parser(f"tocsin {name}")
        add(parser)
        args = parser.parse_intermixed_args(argv[1:])
        return guarded(lambda: run(args, systems, front))
    parser = _parser("tocsin")
    parser.add_argument(
        "save", nargs="?", default="", metavar="SAVE", help="a name in the saves folder, or a path"
    )
    parser.add_argument("--plain", action="store_true", help="lines instead of a screen")
    parser.add_argument("--a11y", action="store_true", help="for screen readers: the cursor follows the row")
    parser.add_argument("--stock-output", action="store_true", help="Textual's own output")
    parser.add_argument("--ascii", action="store_true", help="no characters beyond ASCII")
    parser.add_argument("--bell", action="store_true", help="ring when a turn begins")
    parser.add_argument("--tutor", nargs="?", const="", default=None, metavar="SYSTEM", help="a short lesson")
    parser.add_argument("--sample", default="", metavar="SYSTEM", help="a new save with a sample fight of it")
    args = parser.parse_args(argv)
    return guarded(lambda: front.screen(args))


def _parser(prog: str) -> argparse.ArgumentParser:
    from tui import VERSION

    # a usage of our own: working one out would load shutil for every call
    usage = f"{prog} [options] SAVE ..." if prog != "tocsin" else "tocsin [options] [SAVE]"
    parser = _Parser(prog=prog, usage=usage, description=SUMMARY, formatter_class=_Help)
    parser.add_argument("--saves", default="", metavar="DIR", help="where the saves are")
    parser.add_argument("--theme", default="", metavar="NAME", help="colours of the screen")
    parser.add_argument("--seed", type=_seed, default=None, metavar="N", help="dice that repeat")
    parser.add_argument("--version", action="version", version=f"tocsin {VERSION}")
    return parser


def _seed(text: str) -> int:
    """A whole number of at most 18 digits."""
    if not re.fullmatch(_SEED, text):
        raise argparse.ArgumentTypeError(f"takes a whole number of at most 18 digits, not {text[:40]}")
    return int(text)
