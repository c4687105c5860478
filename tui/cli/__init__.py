"""The command line: arguments in; exit codes, lines and JSON out."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NoReturn

from tui import VERSION
from tui.cli.commands import COMMANDS, COMMON, SCREEN, CliCommand, CliOption, Front, summarize_program
from tui.cli.output import DONE, USAGE, Complaint, Unprinted, complain_of_errors
from tui.core.base.text import clean_name, nearest
from tui.core.language.spoken import explain_gone
from tui.crash import EXIT_FAILED, SAVED_LINES_HINT, print_error
from tui.store.problems import BadName, make_printable, quote_for_shells
from tui.store.saves import find_save_path

if TYPE_CHECKING:
    from tui.core.rules.system import Systems

__all__ = ["Front", "main"]

_COMMON_NAMES: Final = tuple(option.name for option in COMMON)


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help of a fixed width, because asking the terminal for its width would load shutil in every call."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=100)


class _Parser(argparse.ArgumentParser):
    """An argument parser that raises Complaint for wrong arguments."""

    def error(self, message: str) -> NoReturn:
        raise Complaint(USAGE, "usage", message, f"`{self.prog} --help`")


def move_command_first(words: Sequence[str]) -> list[str]:
    """Return the call with its command first; common options may come before or after the command."""
    place = 0
    while place < len(words) and words[place].split("=", 1)[0] in _COMMON_NAMES:
        place += 1 if "=" in words[place] else 2
    if place < len(words) and words[place] in COMMANDS:
        return [words[place], *words[:place], *words[place + 1 :]]
    return list(words)


def main(argv: list[str], systems: Systems, front: Front) -> int:
    """Run one command and return its exit code; complaints are printed. Bugs of the program are raised."""
    # argparse takes options of a subcommand only after it; people also write `--saves DIR new X`.
    words = move_command_first(argv)
    try:
        return _run_words(words, systems, front)
    except Complaint as complaint:
        return _print_complaint(complaint, argv)
    except Unprinted as error:
        return _print_complaint(Complaint(EXIT_FAILED, "failed", str(error), SAVED_LINES_HINT), argv)
    except BrokenPipeError:  # no one reads any more, which is their right
        return DONE


def _print_complaint(complaint: Complaint, argv: list[str]) -> int:
    """Print a complaint as one line, or as JSON if the command asks for JSON; return its exit code."""
    json = "--json" in argv and move_command_first(argv)[0] in COMMANDS
    print_error(complaint.json() if json else f"tocsin: {complaint.text()}")
    return complaint.code


def _run_words(argv: list[str], systems: Systems, front: Front) -> int:
    name = argv[0] if argv else ""
    if command := COMMANDS.get(name):
        args = make_command_parser(name, command).parse_intermixed_args(argv[1:])
        if getattr(args, "viewer", None):
            args.viewer = clean_name(args.viewer)
        return complain_of_errors(lambda: command.run(args, systems, front))
    parser = _make_parser("tocsin", "[options] [SAVE]", summarize_program(), "", (*COMMON, *SCREEN))
    parser.set_defaults(viewers=(), new=False)  # the screen reads them when it serves
    known, others = parser.parse_known_args(argv)
    for words in filter(None, (explain_gone("option", word) for word in others)):
        raise Complaint(USAGE, "usage", *words)
    is_fight = False
    with suppress(BadName):
        is_fight = os.path.lexists(find_save_path(known.save, known.saves))
    # Alone the word of a command of 1.x may still be the name of a fight.
    if (gone := explain_gone("command", known.save)) and (others or not is_fight):
        raise Complaint(USAGE, "usage", *gone)
    if not is_fight:
        _refuse_mistyped_command(known.save, others)
    _refuse_option_of_command(others)
    args = parser.parse_args(argv)
    return complain_of_errors(lambda: front.screen(args))


def _refuse_mistyped_command(word: str, others: Sequence[str]) -> None:
    """Raise Complaint if a word that names no fight is similar to a command, naming that command."""
    close = nearest(word, list(COMMANDS)) if word else None
    if word in ("manual", "man"):
        close = make_printable(" ".join(["help", *(x for x in others[:1] if x[:1] != "-")]), 64)
    if close and not word.endswith(".toml"):
        problem = f"there is no command {make_printable(word, 64)}, and no such fight"
        new = f"tocsin new {quote_for_shells([make_printable(word, 64)])}"
        hint = f"did you mean `tocsin {close}`? `{new}` makes a fight"
        raise Complaint(USAGE, "usage", problem, hint)


def _refuse_option_of_command(words: Sequence[str]) -> None:
    """Raise Complaint for an option that only one or two commands have, naming these commands."""
    for option in (word.split("=", 1)[0] for word in words):
        commands = [f"`tocsin {k}`" for k, x in COMMANDS.items() if any(o.name == option for o in x.options)]
        if 1 <= len(commands) <= 2:
            problem = f"{option} is an option of {' and '.join(commands)}"
            raise Complaint(USAGE, "usage", problem, f"{commands[0][:-1]} --help`")


def make_command_parser(name: str, command: CliCommand) -> argparse.ArgumentParser:
    """Return the parser of a command, whose help ends with an example."""
    options = (*command.options, *COMMON)
    return _make_parser(
        f"tocsin {name}", command.usage, f"{command.does}.", f"example:\n  {command.example}", options
    )


def _make_parser(
    prog: str, usage: str, does: str, epilog: str, options: Sequence[CliOption]
) -> argparse.ArgumentParser:
    # A usage of our own: working one out would load shutil for every call.
    parser = _Parser(
        prog=prog,
        usage=f"{prog} {usage}".rstrip(),
        description=does[:1].upper() + does[1:] if epilog else does,
        epilog=epilog,
        formatter_class=_Help,
    )
    for option in options:
        parser.add_argument(option.name, help=option.help, **option.settings)
    parser.add_argument(
        "-V", "--version", action="version", version=f"tocsin {VERSION}", help="print the version"
    )
    return parser
