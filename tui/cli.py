"""The program's commands: words in, exit codes and JSON out. Standard output is data, standard error is talk."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from tui.core.errors import RuleError
from tui.core.eyes import eyes_of
from tui.core.system import Systems
from tui.store.problems import BadFile, InUse, NotSaved

if TYPE_CHECKING:
    from tui.core.dice import Dice

DONE, REFUSED, USAGE, FILE, BUSY = 0, 1, 2, 3, 4
SUMMARY = """\
tocsin [SAVE]                        the screen: opens a save, or lets you choose one
tocsin new SAVE --system ID          an empty encounter   [--option KEY=VALUE]
tocsin do SAVE LINE...               runs lines, each one step; - reads them from standard input
tocsin show SAVE [--json] [--as NAME]   the table now, or what one player may see
tocsin log SAVE [--json] [--as NAME] [--dice]   every step, or counts of the dice
tocsin check SAVE [--repair]         reads the whole journal and says what it found
tocsin systems | themes | keys       what there is

--saves DIR   where the saves are        --theme NAME   colours of the screen
--seed N      dice that repeat           --plain        lines instead of a screen
exit codes: 0 done, 1 refused, 2 wrong words, 3 file, 4 somebody else is writing, 128+n signal n"""


class Complaint(Exception):  # noqa: N818 - what is printed, not what went wrong
    """An end with an exit code and one line: what, why, and what would work."""

    def __init__(self, code: int, kind: str, message: str, hint: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.code, self.kind, self.message, self.hint, self.line = code, kind, message, hint, line

    def text(self) -> str:
        """One line."""
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.message}" + (f"; {self.hint}" if self.hint else "")

    def json(self) -> str:
        """One JSON object."""
        import json

        error = {"line": self.line, "kind": self.kind, "message": self.message, "hint": self.hint}
        return json.dumps({"error": error}, ensure_ascii=False)


class Front(Protocol):
    """What only the shell can do; the composition root gives it."""

    def screen(self, args: argparse.Namespace) -> int:
        """Run the app on a save, or the picker; its exit code."""

    def key_table(self) -> Iterable[tuple[str, str, str]]:
        """Keys, the line they stand for, and what it does."""

    def themes(self) -> Iterable[tuple[str, str]]:
        """Names of themes and what is to be said about them."""


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
    return "--json" in argv and bool(argv) and argv[0] in _COMMANDS


def _run(argv: list[str], systems: Systems, front: Front) -> int:
    name = argv[0] if argv else ""
    if name in _COMMANDS:
        add, run = _COMMANDS[name]
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
    args = parser.parse_args(argv)
    return guarded(lambda: front.screen(args))


def _parser(prog: str) -> argparse.ArgumentParser:
    from tui import VERSION

    parser = _Parser(prog=prog, description=SUMMARY, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--saves", default="", metavar="DIR", help="where the saves are")
    parser.add_argument("--theme", default="", metavar="NAME", help="colours of the screen")
    parser.add_argument("--seed", type=int, default=None, metavar="N", help="dice that repeat")
    parser.add_argument("--version", action="version", version=f"tocsin {VERSION}")
    return parser


def guarded(run: Callable[[], int]) -> int:
    """Whatever the core or the disk refuses becomes a complaint with its exit code."""
    try:
        return run()
    except RuleError as error:
        raise Complaint(REFUSED, "refused", error.message, error.hint) from None
    except ValueError as error:
        raise _named(error) from None
    except InUse as error:
        raise Complaint(BUSY, "busy", error.message, error.hint) from None
    except NotSaved as error:
        raise Complaint(FILE, "file", f"not saved: {error.message}", error.hint) from None
    except BadFile as error:
        raise Complaint(FILE, "file", str(error), error.hint) from None


def _named(error: ValueError) -> Exception:
    """A name that no save may have and a bad seed are wrong words; other errors are ours."""
    from tui.core.dice import DiceError
    from tui.store.saves import BadName

    return (
        Complaint(USAGE, "usage", str(error), getattr(error, "hint", ""))
        if isinstance(error, DiceError | BadName)
        else error
    )


def _json(plain: Any) -> None:
    import msgspec

    sys.stdout.write(msgspec.json.encode(plain).decode() + "\n")


# --- commands


def _add_new(p: argparse.ArgumentParser) -> None:
    p.add_argument("save", metavar="SAVE")
    p.add_argument("--system", default="classic", metavar="ID")
    p.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    p.add_argument("--json", action="store_true")


def _new(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    from tui.store.opening import Taken, create

    try:
        create(args.save, args.saves, systems, args.system, _options(args.option))
    except RuleError as error:
        raise Complaint(USAGE, "usage", error.message, error.hint) from None
    except Taken as error:
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
    from tui.store.opening import write

    lines = _lines(args.lines)
    if not lines:
        raise Complaint(USAGE, "usage", "do: a LINE is missing", "`tocsin do SAVE 'add 5 Orc' begin`")
    with write(args.save, args.saves, systems, _dice(args)) as (store, settle):
        for i, line in enumerate(lines):
            last = i == len(lines) - 1
            try:
                result = store.run(line, last=last)
            except RuleError as error:
                settle()
                raise Complaint(REFUSED, "refused", error.message, error.hint, i + 1) from None
            if not args.json:
                for told in result.lines:
                    print(told.text)
        settle()
        if args.json:
            _json(store.state())
    return DONE


def _lines(words: list[str]) -> list[str]:
    found: list[str] = []
    for word in words:
        found += sys.stdin.read().splitlines() if word == "-" else [word]
    return [x for x in found if x.strip() and not x.lstrip().startswith("#")]


def _dice(args: argparse.Namespace) -> Dice:
    from tui.core.dice import GivenDice
    from tui.store.dice import FairDice, SeededDice

    if getattr(args, "dice", None) is not None:
        faces = [f for f in args.dice.split(",") if f.strip()]
        if not all(f.strip().isdigit() for f in faces):
            raise Complaint(USAGE, "usage", f"--dice takes faces with commas, not {args.dice}")
        return GivenDice(tuple(int(f) for f in faces))
    return FairDice() if args.seed is None else SeededDice(args.seed)


def _add_show(p: argparse.ArgumentParser) -> None:
    p.add_argument("save", metavar="SAVE")
    p.add_argument("--json", action="store_true")
    p.add_argument("--as", dest="viewer", default=None, metavar="NAME")


def _show(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    from tui.store.opening import look

    state = look(args.save, args.saves, systems).state(eyes_of(args.viewer))
    if args.json:
        _json(state)
    else:
        from tui.store.report import table

        print("\n".join(table(state)))
    return DONE


def _add_log(p: argparse.ArgumentParser) -> None:
    _add_show(p)
    p.add_argument("--dice", action="store_true", help="counts of the dice")


def _log(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    from tui.store.opening import records
    from tui.store.report import chapters, dice

    start, steps = records(args.save, args.saves)
    found = dice(steps) if args.dice else chapters(start, steps, eyes_of(args.viewer))
    if args.json:
        _json(found.plain)
    else:
        print("\n".join(found.lines))
    return DONE


def _add_check(p: argparse.ArgumentParser) -> None:
    p.add_argument("save", metavar="SAVE")
    p.add_argument("--repair", action="store_true", help="writes a mended copy under a new name")
    p.add_argument("--json", action="store_true")


def _check(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    from tui.store.opening import check

    found, sound = check(args.save, args.saves, repair=args.repair)
    if args.json:
        _json({"sound": sound, "found": found})
    else:
        print("\n".join(found))
    return DONE if sound else FILE


def _add_json(p: argparse.ArgumentParser) -> None:
    p.add_argument("--json", action="store_true")


def _systems(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    from tui.store.report import system_table

    found = [systems.get(name) for name in systems.ids()]
    if args.json:
        _json([system_table(s) for s in found])
    else:
        for s in found:
            print(f"{s.id:<20} {s.title}: {s.summary}")
            print(f"{'':<20} {s.credit}")
    return DONE


def _themes(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    for name, remark in front.themes():
        print(f"{name:<16} {remark}".rstrip())
    return DONE


def _keys(args: argparse.Namespace, systems: Systems, front: Front) -> int:  # noqa: ARG001
    for keys, line, does in front.key_table():
        print(f"{keys:<16} {line:<28} {does}")
    return DONE


_Add = Callable[[argparse.ArgumentParser], None]
_Run = Callable[[argparse.Namespace, Systems, Front], int]
_COMMANDS: dict[str, tuple[_Add, _Run]] = {
    "new": (_add_new, _new),
    "do": (_add_do, _do),
    "show": (_add_show, _show),
    "log": (_add_log, _log),
    "check": (_add_check, _check),
    "systems": (_add_json, _systems),
    "themes": (_add_json, _themes),
    "keys": (_add_json, _keys),
}
