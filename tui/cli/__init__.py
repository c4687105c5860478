"""The program called with words: arguments in, exit codes, lines and JSON out."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from tui.cli.commands import COMMANDS, SUMMARY, Front
from tui.cli.complaint import DONE, USAGE, Complaint, guarded
from tui.core.rules.system import Systems

__all__ = ["Front", "main"]


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help of one width: asking the terminal for its own would load shutil for every call."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=100)


class _Parser(argparse.ArgumentParser):
    """Wrong words are a complaint like any other."""

    def error(self, message: str) -> NoReturn:
        raise Complaint(USAGE, "usage", message, f"`{self.prog} --help`")


def main(argv: list[str], systems: Systems, front: Front) -> int:
    """Run one command; the exit code."""
    try:
        return _run(argv, systems, front)
    except Complaint as c:
        print(c.json() if _wants_json(argv) else f"tocsin: {c.text()}", file=sys.stderr)
        return c.code
    except BrokenPipeError:
        sys.stderr.close()
        return DONE


def _wants_json(argv: list[str]) -> bool:
    return "--json" in argv and bool(argv) and argv[0] in COMMANDS


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
    args = parser.parse_args(argv)
    return guarded(lambda: front.screen(args))


def _parser(prog: str) -> argparse.ArgumentParser:
    from tui import VERSION

    # a usage of our own: working one out would load shutil for every call
    usage = f"{prog} [options] SAVE ..." if prog != "tocsin" else "tocsin [options] [SAVE]"
    parser = _Parser(prog=prog, usage=usage, description=SUMMARY, formatter_class=_Help)
    parser.add_argument("--saves", default="", metavar="DIR", help="where the saves are")
    parser.add_argument("--theme", default="", metavar="NAME", help="colours of the screen")
    parser.add_argument("--seed", type=int, default=None, metavar="N", help="dice that repeat")
    parser.add_argument("--version", action="version", version=f"tocsin {VERSION}")
    return parser
