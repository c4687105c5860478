"""The table of the program's commands: how one is declared, its words, options, help, example and function.

Parser, `--help`, manual page and shell completion are made from it. The module of a command is imported when
the command runs, so that a call pays for its own command alone.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from msgspec import Struct

from tui import VERSION
from tui.cli.output import DONE, print_lines
from tui.core.base.errors import RuleError
from tui.core.base.listening import read_listen
from tui.store.journal.records import pause_gc

if TYPE_CHECKING:  # shell completions read this table and must not load the rules
    from tui.core.rules.system import Systems


class Front(Protocol):
    """The front ends that need a terminal; the composition root provides them."""

    def screen(self, args: argparse.Namespace) -> int:
        """Run the app on a save, or the start screen; return the exit code."""

    def view(self, args: argparse.Namespace) -> int:
        """Show a fight as one viewer may know it; return the exit code."""

    def serve(self, args: argparse.Namespace) -> int:
        """Open the screen on a fight and serve its pages, or print its addresses; return the exit code."""

    def key_table(self) -> Iterable[tuple[str, str, str]]:
        """Return (keys, line, help) for every key of the screen."""

    def themes(self) -> Iterable[tuple[str, str]]:
        """Return the name and the title of each theme."""


Completion = Literal["saves", "systems", "themes", "formats", "topics", "files", "folders"]
"""What a shell offers for an argument."""


class CliOption(Struct, frozen=True):
    """An argument of a command: name, help, what a shell offers for it, argparse's keyword arguments."""

    name: str
    help: str
    completion: Completion | None = None
    settings: Mapping[str, Any] = {}

    @property
    def label(self) -> str:
        """The option as the manual writes it, such as `--saves DIR`."""
        metavar = str(self.settings.get("metavar", ""))
        optional = self.settings.get("nargs") == "?"
        words = [self.name] if self.name.startswith("-") else []
        return " ".join([*words, *([f"[{metavar}]" if optional else metavar] if metavar else [])])


Run = Callable[[argparse.Namespace, "Systems", Front], int]
"""Runs a command; returns the exit code."""


class CliCommand(Struct, frozen=True):
    """A command of the program: usage after its name, one line of help, an example, options, function."""

    usage: str
    does: str
    example: str
    options: tuple[CliOption, ...]
    run: Run


class ImportedCommand(Struct, frozen=True):
    """A command's function, imported from a module of this package when it is first called."""

    module: str
    name: str

    @property
    def function(self) -> Run:
        """The function that runs the command."""
        with pause_gc():  # nothing that is imported goes away
            run: Run = getattr(import_module(f"tui.cli.{self.module}"), self.name)
        return run

    def __call__(self, args: argparse.Namespace, systems: Systems, front: Front) -> int:
        """Run the command; return the exit code."""
        return self.function(args, systems, front)


def _flag(name: str, says: str) -> CliOption:
    return CliOption(name, says, None, {"action": "store_true"})


def _value(
    name: str, metavar: str, says: str, completion: Completion | None = None, **settings: Any
) -> CliOption:
    return CliOption(name, says, completion, {"default": "", "metavar": metavar, **settings})


def _word(
    name: str, metavar: str, says: str, completion: Completion | None = None, **settings: Any
) -> CliOption:
    return CliOption(name, says, completion, {"metavar": metavar, **settings})


def _run_version(_args: argparse.Namespace, _systems: Systems, _front: Front) -> int:
    print_lines([f"tocsin {VERSION}"])
    return DONE


def _run_themes(_args: argparse.Namespace, _systems: Systems, front: Front) -> int:
    print_lines(f"{name:<16} {remark}".rstrip() for name, remark in front.themes())
    return DONE


def _parse_seed(text: str) -> int:
    """Return a whole number of at most 18 digits. Raises ArgumentTypeError."""
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"takes a whole number of at most 18 digits, not {text[:40]}")
    return int(text)


def _parse_listen(text: str) -> tuple[str, int]:
    """Return an address and a port; port 0 means a free one. Raises ArgumentTypeError."""
    try:
        return read_listen(text)
    except RuleError as error:
        raise argparse.ArgumentTypeError(f"takes ADDRESS:PORT, {error.hint}, not {text[:40]}") from None


SAVE: Final = _word("save", "SAVE", "a fight: its name in the folder of saves, or a path", "saves")
JSON: Final = _flag("--json", "print JSON")
ASCII: Final = _flag("--ascii", "no characters beyond ASCII")
A11Y: Final = _flag("--a11y", "for screen readers: the cursor follows the row")
BELL: Final = _flag("--bell", "ring when a turn begins")
AS: Final = _value("--as", "NAME", "as this player may see it", dest="viewer", default=None)

SHELLS: Final = ("bash", "zsh", "fish")
LISTED_KINDS: Final = ("saves", "systems", "themes", "formats", "topics")
"""Kinds of words for which a shell asks the program each time, because they change."""

COMMON: Final = (
    _value("--saves", "DIR", "where the saves and the library are", "folders"),
    _value("--theme", "NAME", "colours of the screen", "themes"),
    _value(
        "--seed",
        "N",
        "the same dice every time: a whole number of at most 18 digits",
        default=None,
        type=_parse_seed,
    ),
)
"""Options of every command."""

SERVE: Final = _value("--serve", "ADDRESS:PORT", "open the fight to players' phones there", default=None,
                      type=_parse_listen)  # fmt: skip

SCREEN: Final = (
    _word("save", "SAVE", "a fight to open; without one the start screen", "saves", nargs="?", default=""),
    A11Y,
    _flag("--stock-output", "Textual's own output instead of the shorter one"),
    ASCII,
    BELL,
    _value("--tutor", "SYSTEM", "a short lesson on a fight that is deleted afterwards", "systems",
           nargs="?", const="", default=None),
    _value("--sample", "SYSTEM", "a sample fight of a system, in a new save", "systems"),
    SERVE,
)  # fmt: skip
"""Options of a call without a command: the screen."""

COMMANDS: Final[Mapping[str, CliCommand]] = {
    "new": CliCommand(
        "SAVE [--system ID]", "make an empty encounter", "tocsin new mill --system chaos",
        (
            SAVE,
            _value("--system", "ID", "its system; `tocsin systems` lists them", "systems", default="classic"),
            _value("--option", "KEY=VALUE", "a house rule; may be repeated", action="append", default=[]),
            _flag("--no-house", "without the house rules of your settings"),
            JSON,
        ), ImportedCommand("do", "run_new"),
    ),
    "do": CliCommand(
        "SAVE LINE...", "run lines, each one step; - reads them from standard input",
        "tocsin do mill 'add Ana +3 kind=pc' 'add 3 Orc +1 hp=9' begin roll",
        (
            SAVE,
            _word("lines", "LINE", "a line, as typed at the : prompt of the screen", nargs="*"),
            _value("--dice", "N,N,...", "faces for the rolls of this call", default=None),
            SERVE,
            JSON,
        ), ImportedCommand("do", "run_do"),
    ),
    "show": CliCommand(
        "SAVE [--json] [--as NAME]", "print the table as it is now, or what one player may see",
        "tocsin show mill --as Mia", (SAVE, JSON, AS), ImportedCommand("show", "run_show"),
    ),
    "log": CliCommand(
        "SAVE [--json] [--as NAME] [--dice]", "print every step, or counts of the dice",
        "tocsin log mill --dice",
        (SAVE, JSON, AS, _flag("--dice", "how often each face was rolled")),
        ImportedCommand("show", "run_log"),
    ),
    "export": CliCommand(
        "SAVE [--format F] [--out FILE] [--as NAME]", "write the story of the fight",
        "tocsin export mill --out mill.html",
        (
            SAVE,
            _value("--format", "F", "the form of the story, by default that of FILE's ending", "formats"),
            _value("--out", "FILE", "a new file; without it, standard output", "files"),
            _flag("--over", "--out may replace an existing file"),
            AS,
        ), ImportedCommand("export", "run_export"),
    ),
    "view": CliCommand(
        "SAVE [--as NAME]", "show a live screen to the players: in a second terminal or a tmux pane",
        "tocsin view mill --as Mia",
        (SAVE, AS, A11Y, ASCII, BELL), lambda args, _systems, front: front.view(args),
    ),
    "serve": CliCommand(
        "SAVE [--listen ADDRESS:PORT] [--as NAME]... [--new] [--addresses]",
        "open the screen, and the fight to phones: a page for each player, and one for a big screen",
        "tocsin serve mill --listen 0.0.0.0:8080",
        (
            SAVE,
            _flag("--addresses", "print the addresses of the fight that is served now, one a line"),
            _value("--listen", "ADDRESS:PORT", "where browsers reach it; without it only on this machine",
                   default=None, type=_parse_listen),
            _value("--as", "NAME", "a page for this player instead of one for each; may be repeated",
                   dest="viewers", action="append", default=[]),
            _flag("--new", "new addresses: the old ones stop working"),
        ), lambda args, _systems, front: front.serve(args),
    ),
    "check": CliCommand(
        "SAVE [--repair]", "read the whole journal and say what is wrong with it",
        "tocsin check mill --repair",
        (SAVE, _flag("--repair", "write a repaired copy under a new name"), JSON),
        ImportedCommand("show", "run_check"),
    ),
    "party": CliCommand(
        "[--json]", "list the parties in the library", "tocsin party",
        (JSON,), ImportedCommand("library", "run_party"),
    ),
    "creatures": CliCommand(
        "[WORD...] [--json]", "list the creatures in the library, or find some in library and box",
        "tocsin creatures goblin",
        (_word("words", "WORD", "the beginnings of words of their names", nargs="*"), JSON),
        ImportedCommand("library", "run_creatures"),
    ),
    "import": CliCommand(
        "FILE...|FOLDER [--into SAVE] [--over] [--look]", "read creatures from other tools' files",
        "tocsin import bestiary.json --look",
        (
            _word("files", "FILE", "files, or folders of them; - for standard input", "files", nargs="+"),
            _value("--into", "SAVE", "into a fight instead of the library", "saves"),
            _flag("--over", "replace creatures of the same name"),
            _flag("--look", "show which value would go where, and keep nothing"),
            JSON,
        ), ImportedCommand("library", "run_import"),
    ),
    "systems": CliCommand(
        "[--json]", "list the initiative systems", "tocsin systems", (JSON,),
        ImportedCommand("show", "run_systems"),
    ),
    "version": CliCommand("", "print the version", "tocsin version", (), _run_version),
    "themes": CliCommand(
        "", "list the themes", "tocsin themes", (), _run_themes,
    ),
    "keys": CliCommand(
        "[--man]", "list the keys and the lines that they stand for, or print the manual page",
        "tocsin keys --man > ~/.local/share/man/man1/tocsin.1",
        (_flag("--man", "as a manual page: tocsin keys --man | man -l -"),),
        ImportedCommand("help", "run_keys"),
    ),
    "help": CliCommand(
        "[TOPIC]", "read the manual: start, keys, lines, players and more", "tocsin help players",
        (_word("topic", "TOPIC", "a chapter; without one the contents", "topics", nargs="*"),),
        ImportedCommand("help", "run_help"),
    ),
    "completion": CliCommand(
        "SHELL", "print the completions for a shell: bash, zsh or fish",
        "tocsin completion bash > ~/.local/share/bash-completion/completions/tocsin",
        (
            _word("shell", "SHELL", "bash, zsh or fish", nargs="?", default=None, choices=SHELLS),
            _value("--list", "KIND", "the words of one kind, for completion", default=None,
                   choices=LISTED_KINDS),
        ), ImportedCommand("completion", "run_completion"),
    ),
}  # fmt: skip
"""Every command by its word."""

_CALLS: Final = (
    ("tocsin [SAVE]", "the screen: opens a save; without one the start screen"),
    ("tocsin --tutor [SYSTEM]", "a short lesson on a fight that is deleted afterwards"),
    ("tocsin --sample SYSTEM", "a sample fight of a system, in a new save"),
)
CODES: Final = """\
exit codes: 0 done, 1 refused, 2 wrong words, 3 file, 4 another process is writing,
            5 tocsin failed or could not print, 128+n signal n"""


def list_calls() -> list[tuple[str, str]]:
    """Return (call, help) for every way to call the program."""
    commands = ((f"tocsin {name} {c.usage}".rstrip(), c.does) for name, c in COMMANDS.items())
    return [*_CALLS, *commands]


def summarize_program() -> str:
    """Return the text of `tocsin --help`: every call, and the exit codes."""
    rows = [f"{call:<36}  {does}" for call, does in list_calls()]
    return "\n".join([*rows, "", "tocsin COMMAND --help explains a command, with an example.", CODES])
