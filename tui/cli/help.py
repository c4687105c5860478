"""Print a chapter of the manual (`tocsin help [TOPIC]`), and write the manual page from the tables."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from tui import VERSION
from tui.cli.commands import CODES, COMMANDS, COMMON, SCREEN, Front, list_calls
from tui.cli.output import DONE, USAGE, Complaint, print_lines
from tui.core.base.text import nearest
from tui.core.language.grammar import summary, usage, verbs
from tui.core.rules.system import InitiativeSystem, Systems
from tui.manual import CONTENTS, ManualChapter, read_chapter, read_chapters, write_plain_chapter
from tui.store.library.box import CHANGED, CREDITS

MOST_COLUMNS = 100
"""The widest text in columns; longer lines are hard to read."""


def run_help(args: argparse.Namespace, _systems: Systems, _front: Front) -> int:
    """Print the chapter with this name or with a unique beginning of it; return the exit code.

    Raises Complaint for an unknown or ambiguous name.
    """
    topic = " ".join(args.topic)
    page = _find_chapter(topic, read_chapters()) if topic else read_chapter(CONTENTS)
    import shutil  # other commands do without

    width = max(20, min(MOST_COLUMNS, shutil.get_terminal_size().columns))
    print_lines([page.title, "=" * min(len(page.title), width), "", *write_plain_chapter(page.text, width)])
    return DONE


def _find_chapter(topic: str, every: Sequence[ManualChapter]) -> ManualChapter:
    word = topic.casefold()
    by_name = {one.name: one for one in every}
    called = [one for one in every if one.is_called(topic)]
    beginning = [one for one in every if one.name.startswith(word)]
    if len(found := called or beginning) == 1:
        return found[0]
    if word in COMMANDS:
        hint = f"`tocsin {word} --help` explains that command"
    elif like := nearest(word, by_name):
        hint = f"`tocsin help {like}`"
    elif spoken := [one.name for one in every if word in f"{one.title} {one.text}".casefold()]:
        hint = f"it is mentioned in: {', '.join(spoken)}"
    else:
        hint = ""
    names = f"chapters: {', '.join(by_name)}"
    raise Complaint(USAGE, "usage", f"there is no chapter {topic}", f"{hint}; {names}" if hint else names)


def run_keys(args: argparse.Namespace, systems: Systems, front: Front) -> int:
    """Print the keys and their lines, or the manual page; return the exit code."""
    if args.man:
        print_lines(write_manual_page(front.key_table(), [*systems.known()]))
    else:
        print_lines(f"{keys:<16} {line:<28} {does}" for keys, line, does in front.key_table())
    return DONE


def write_manual_page(keys: Iterable[tuple[str, str, str]], systems: Sequence[InitiativeSystem]) -> list[str]:
    """Return the lines of the manual page, in roff. `keys` are rows of (keys, line, help)."""
    return [
        f'.TH TOCSIN 1 "" "tocsin {VERSION}"',
        *(".SH NAME", "tocsin \\- initiative at the terminal"),
        *(".SH SYNOPSIS", ".nf", *(_escape_roff(call) for call, _ in list_calls()), ".fi"),
        *(".SH COMMANDS", *_write_commands()),
        *(".SH OPTIONS", "Options of every command, and of the screen:"),
        *_write_list((option.label, option.help) for option in (*COMMON, *SCREEN)),
        *(".SH KEYS", *_write_list((k, f"{line}: {does}") for k, line, does in keys)),
        *(".SH LINES", *_write_list((usage(v), summary(v)) for v in verbs())),
        *(".SH SYSTEMS", *_write_list((s.id, f"{s.summary}. {s.credit}") for s in systems)),
        *(".SH CREATURES", *(_escape_roff(text) for text in (*CREDITS.values(), CHANGED))),
        ".SH FILES",
        "Saves are plain TOML, only ever added to. Settings are in config.toml.",
        *(".SH EXIT STATUS", ".nf", *map(_escape_roff, CODES.splitlines()), ".fi"),
    ]


def _write_commands() -> Iterable[str]:
    for name, command in COMMANDS.items():
        yield from _write_list([(f"tocsin {name} {command.usage}".rstrip(), f"{command.does}.")])
        yield from (".RS", *_write_list((option.label, option.help) for option in command.options), ".RE")
        yield from (".IP", f"\\fBexample:\\fR {_escape_roff(command.example)}")


def _write_list(items: Iterable[tuple[str, str]]) -> list[str]:
    lines = []
    for head, text in items:
        lines += [".TP", f"\\fB{_escape_roff(head)}\\fR", _escape_roff(text)]
    return lines


def _escape_roff(text: str) -> str:
    # roff sets a bare dash as a hyphen, which cannot be copied into a shell.
    safe = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    # A line that begins with either is a request to roff.
    return "\\&" + safe if safe.startswith((".", "'")) else safe
