"""The key table for the README, and the man page: made from the table of commands, never written by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui import VERSION
from tui.core.language.grammar import summary, usage, verbs
from tui.core.rules.system import InitiativeSystem

Key = tuple[str, str, str]
"""Keys, the line they stand for, what it does."""


def markdown(keys: Iterable[Key]) -> list[str]:
    """A table for the README."""
    rows = [f"| {_ticked(k)} | `{line}` | {does} |" for k, line, does in keys]
    return ["| key | line | does |", "|---|---|---|", *rows]


def line_table() -> list[str]:
    """The verbs of every system as a table for the README."""
    rows = [f"| `{_cell(usage(v))}` | {_cell(summary(v))} |" for v in verbs()]
    return ["| line | does |", "|---|---|", *rows]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _ticked(keys: str) -> str:
    return " ".join(f"`{k}`" if k != "|" else "`\\|`" for k in keys.split())


def man(keys: Iterable[Key], commands: str, systems: Sequence[InitiativeSystem]) -> list[str]:
    """The manual page, in roff."""
    return [
        f'.TH TOCSIN 1 "" "tocsin {VERSION}"',
        ".SH NAME", "tocsin \\- initiative at the terminal",
        ".SH SYNOPSIS", ".nf", *map(_roff, commands.splitlines()), ".fi",
        ".SH KEYS", *_list((k, f"{line}: {does}") for k, line, does in keys),
        ".SH LINES", *_list((usage(v), summary(v)) for v in verbs()),
        ".SH SYSTEMS", *_list((s.id, f"{s.summary}. {s.credit}") for s in systems),
        ".SH FILES", "Saves are plain TOML, only ever added to. Settings are in config.toml, themes beside it in themes/.",
    ]  # fmt: skip


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
