"""Write the manual page from the tables of commands, keys, lines and systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tui import VERSION
from tui.cli.command import CliCommand, CliOption
from tui.core.language.grammar import summary, usage, verbs
from tui.core.rules.system import InitiativeSystem

Key = tuple[str, str, str]
"""Keys, the line they stand for, what it does."""


def man(
    calls: Iterable[tuple[str, str]],
    commands: Mapping[str, CliCommand],
    options: Iterable[CliOption],
    codes: str,
    keys: Iterable[Key],
    systems: Sequence[InitiativeSystem],
) -> list[str]:
    """Return the manual page, in roff."""
    return [
        f'.TH TOCSIN 1 "" "tocsin {VERSION}"',
        *(".SH NAME", "tocsin \\- initiative at the terminal"),
        *(".SH SYNOPSIS", ".nf", *(_roff(call) for call, _ in calls), ".fi"),
        *(".SH COMMANDS", *_commands(commands)),
        *(".SH OPTIONS", "Options of every command, and of the screen:"),
        *_list((option.label, option.help) for option in options),
        *(".SH KEYS", *_list((k, f"{line}: {does}") for k, line, does in keys)),
        *(".SH LINES", *_list((usage(v), summary(v)) for v in verbs())),
        *(".SH SYSTEMS", *_list((s.id, f"{s.summary}. {s.credit}") for s in systems)),
        ".SH FILES",
        "Saves are plain TOML, only ever added to. Settings are in config.toml, themes beside it in themes/.",
        *(".SH EXIT STATUS", ".nf", *map(_roff, codes.splitlines()), ".fi"),
    ]


def _commands(commands: Mapping[str, CliCommand]) -> Iterable[str]:
    for name, command in commands.items():
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
