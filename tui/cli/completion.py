"""Complete commands, options, saves, systems and themes in a shell, with scripts made by shtab."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable, Mapping
from typing import Final

from tui.cli.commands import COMMANDS, COMMON, LISTED_KINDS, SCREEN, CliOption, Completion, Front
from tui.cli.output import DONE, REFUSED, USAGE, Complaint, print_lines
from tui.core.rules.system import Systems
from tui.exchange.story.story import load_writers
from tui.manual import read_chapters
from tui.store.saves import data_folder, list_saves, saves_folder

FILES: Final[Mapping[str, str]] = {"bash": "tocsin.bash", "zsh": "_tocsin", "fish": "tocsin.fish"}
"""The file of each shell's script, as a wheel has it."""

_BASH: Final = """
_tocsin_list() {
  local i where=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == --saves ]] && where=(--saves "${COMP_WORDS[i + 1]}")
  done
  compgen -W "$(tocsin completion --list "$1" "${where[@]}" 2>/dev/null)" -- "$2"
}
""" + "".join(f'_tocsin_{kind}() {{ _tocsin_list {kind} "$1"; }}\n' for kind in LISTED_KINDS)
_FIRST_WORD: Final = "_shtab_tocsin_pos_0_COMPGEN=_tocsin_saves\n"
"""Lets bash complete the first word with saves, because it may be a save instead of a command."""


def run_completion(args: argparse.Namespace, systems: Systems, front: Front) -> int:
    """Print a shell's script, or the words of one kind; return the exit code."""
    if args.list:
        print_lines(list_candidates(args.list, args.saves, systems, front))
    elif args.shell:
        print_lines([_read_shell_script(args.shell)])
    else:
        raise Complaint(USAGE, "usage", "completion: a SHELL is missing", "`tocsin completion bash`")
    return DONE


def _read_shell_script(shell: str) -> str:
    """Return the script that was made with the wheel; a checkout makes it. Raises Complaint without shtab."""
    path = os.path.join(data_folder("shell"), FILES[shell])
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            return file.read().rstrip("\n")
    try:
        return make_shell_script(shell)
    except ImportError:
        missing = "completion: a checkout has no scripts, and shtab, which makes them, is not installed"
        raise Complaint(REFUSED, "refused", missing, "`pip install shtab`") from None


def list_candidates(kind: str, saves: str, systems: Systems, front: Front) -> Iterable[str]:
    """Return the words of a kind: saves, systems, themes, formats, or chapters of the manual.

    Words that a shell could interpret are left out: a file's name may contain a command, and Tab must not run
    it.
    """
    return [word for word in _list_words(kind, saves, systems, front) if _PLAIN.fullmatch(word)]


_PLAIN: Final = re.compile(r"\w[\w.,+@-]*")
"""Matches words without a space, quote or any character that a shell interprets."""


def _list_words(kind: str, saves: str, systems: Systems, front: Front) -> Iterable[str]:
    match kind:
        case "saves":
            return [one.name for one in list_saves(saves_folder(saves))]
        case "systems":
            return systems.ids()
        case "themes":
            return [name for name, _ in front.themes()]
        case "topics":
            return [one.name for one in read_chapters()]
        case _:
            return list(load_writers())


def make_shell_script(shell: str) -> str:
    """Return the script by which a shell completes the program's words. Raises ImportError without shtab."""
    import shtab  # it makes the scripts when a wheel is built, and is not installed with one

    parser = argparse.ArgumentParser("tocsin", description="initiative at the terminal")
    for option in (*COMMON, *SCREEN):
        if option.name.startswith("-"):
            _add_argument(parser, option)
    words = parser.add_subparsers()
    for name, command in COMMANDS.items():
        word = words.add_parser(name, help=command.does, description=command.does)
        for option in (*command.options, *COMMON):
            _add_argument(word, option)
    made: str = shtab.complete(parser, shell, preamble=_BASH + _FIRST_WORD if shell == "bash" else "")
    return made.rstrip("\n")


def _add_argument(parser: argparse.ArgumentParser, option: CliOption) -> None:
    action = parser.add_argument(option.name, help=option.help, **option.settings)
    if option.completion:
        # The way in which shtab is told what completes an argument.
        action.complete = _completer_of(option.completion)  # type: ignore[attr-defined]


def _completer_of(kind: Completion) -> Mapping[str, object]:
    import shtab  # as above

    match kind:
        case "files":
            return shtab.FILE
        case "folders":
            return shtab.DIRECTORY
        case _:
            listing = f"tocsin completion --list {kind} 2>/dev/null"
            return {"bash": f"_tocsin_{kind}", "zsh": f"($({listing}))", "fish": f"({listing})"}
