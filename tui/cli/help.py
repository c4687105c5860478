"""Print a chapter of the manual (`tocsin help [TOPIC]`), and write the manual page from the tables."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence

from tui import VERSION
from tui.cli.command import Front
from tui.cli.commands import CODES, COMMANDS, COMMON, SCREEN, calls
from tui.cli.output import DONE, USAGE, Complaint, put
from tui.core.base.text import nearest
from tui.core.language.grammar import summary, usage, verbs
from tui.core.rules.system import InitiativeSystem, Systems
from tui.manual import CONTENTS, ManualChapter, chapter, chapters, plain

WIDEST = 100
"""Columns beyond which a text is hard to read."""


def run_help(args: argparse.Namespace, _systems: Systems, _front: Front) -> int:
    """Print the chapter of this name, or of a unique beginning. Raises Complaint if there is none."""
    asked = " ".join(args.topic)
    page = _chapter_named(asked, chapters()) if asked else chapter(CONTENTS)
    width = _width()
    put([page.title, "=" * min(len(page.title), width), "", *plain(page.text, width)])
    return DONE


def _chapter_named(asked: str, every: Sequence[ManualChapter]) -> ManualChapter:
    word = asked.casefold()
    by_name = {one.name: one for one in every}
    beginning = [one for one in every if one.name.startswith(word)]
    if word in by_name:
        return by_name[word]
    if len(beginning) == 1:
        return beginning[0]
    if word in COMMANDS:
        hint = f"`tocsin {word} --help` explains that command"
    elif like := nearest(word, by_name):
        hint = f"`tocsin help {like}`"
    elif spoken := [one.name for one in every if word in f"{one.title} {one.text}".casefold()]:
        hint = f"it is mentioned in: {', '.join(spoken)}"
    else:
        hint = ""
    names = f"chapters: {', '.join(by_name)}"
    raise Complaint(USAGE, "usage", f"there is no chapter {asked}", f"{hint}; {names}" if hint else names)


def _width() -> int:
    """Return the columns of the terminal; 80 where there is none."""
    if (columns := os.environ.get("COLUMNS", "")).isascii() and columns.isdigit():
        return max(20, min(WIDEST, int(columns[:4])))
    try:
        return max(20, min(WIDEST, os.get_terminal_size(sys.stdout.fileno()).columns))
    except (OSError, ValueError, AttributeError):
        return 80


def keys(args: argparse.Namespace, systems: Systems, front: Front) -> int:
    """Print the keys and their lines, or the manual page; return the exit code."""
    if args.man:
        put(man(front.key_table(), [systems.get(name) for name in systems.ids()]))
    else:
        put(f"{keys:<16} {line:<28} {does}" for keys, line, does in front.key_table())
    return DONE


def man(keys: Iterable[tuple[str, str, str]], systems: Sequence[InitiativeSystem]) -> list[str]:
    """Return the manual page, in roff. `keys`: each with the line it stands for, and what it does."""
    return [
        f'.TH TOCSIN 1 "" "tocsin {VERSION}"',
        *(".SH NAME", "tocsin \\- initiative at the terminal"),
        *(".SH SYNOPSIS", ".nf", *(_roff(call) for call, _ in calls()), ".fi"),
        *(".SH COMMANDS", *_commands()),
        *(".SH OPTIONS", "Options of every command, and of the screen:"),
        *_list((option.label, option.help) for option in (*COMMON, *SCREEN)),
        *(".SH KEYS", *_list((k, f"{line}: {does}") for k, line, does in keys)),
        *(".SH LINES", *_list((usage(v), summary(v)) for v in verbs())),
        *(".SH SYSTEMS", *_list((s.id, f"{s.summary}. {s.credit}") for s in systems)),
        ".SH FILES",
        "Saves are plain TOML, only ever added to. Settings are in config.toml, themes beside it in themes/.",
        *(".SH EXIT STATUS", ".nf", *map(_roff, CODES.splitlines()), ".fi"),
    ]


def _commands() -> Iterable[str]:
    for name, command in COMMANDS.items():
        yield from _list([(f"tocsin {name} {command.usage}".rstrip(), f"{command.does}.")])
        yield from (".RS", *_list((option.label, option.help) for option in command.options), ".RE")
        yield from (".IP", f"\\fBexample:\\fR {_roff(command.example)}")


def _list(items: Iterable[tuple[str, str]]) -> list[str]:
    lines = []
    for head, text in items:
        lines += [".TP", f"\\fB{_roff(head)}\\fR", _roff(text)]
    return lines


def _roff(text: str) -> str:
    # roff sets a bare dash as a hyphen, which cannot be copied into a shell.
    safe = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    # A line that begins with either is a request to roff.
    return "\\&" + safe if safe.startswith((".", "'")) else safe
