"""The program called from outside, in this process: words in, exit code and both streams out."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from tui import cli
from tui.systems import Registry


class Front:
    """A shell that is never asked for a screen."""

    def screen(self, args: object) -> int:
        """No screen here."""
        raise AssertionError(f"a screen was asked for: {args}")

    def view(self, args: argparse.Namespace) -> int:
        """No screen here."""
        raise AssertionError(f"a screen was asked for: {args}")

    def seat(self, args: argparse.Namespace) -> int:
        """No screen here."""
        raise AssertionError(f"a screen was asked for: {args}")

    def serve(self, args: object) -> int:
        """No server here."""
        raise AssertionError(f"a server was asked for: {args}")

    def key_table(self) -> Iterable[tuple[str, str, str]]:
        """One key."""
        return [("n", "next", "goes on")]

    def themes(self) -> Iterable[tuple[str, str]]:
        """One theme."""
        return [("dark", "")]


class Ended(NamedTuple):
    """How a call ended."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> dict[str, Any]:
        """The error object of a refusal with --json."""
        found: dict[str, Any] = json.loads(self.err)["error"]
        return found


class Program:
    """Calls with one saves folder and one save."""

    def __init__(self, folder: Path, save: str = "fight") -> None:
        self.folder, self.save, self.systems = folder, save, Registry()

    def call(self, name: str, *words: str) -> Ended:
        """`tocsin NAME SAVE --saves DIR WORDS…`."""
        return self.bare(name, self.save, "--saves", str(self.folder), *words)

    def bare(self, *words: str) -> Ended:
        """`tocsin WORDS…`."""
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = cli.main(list(words), self.systems, Front())
        return Ended(code, out.getvalue(), err.getvalue())

    def do(self, *lines: str, dice: Iterable[int] | None = None) -> Ended:
        """`tocsin do … --json LINES…`."""
        given = [] if dice is None else ["--dice", ",".join(map(str, dice))]
        return self.call("do", "--json", *given, *lines)

    def state(self, viewer: str | None = None) -> tuple[dict[str, Any], str]:
        """`tocsin show … --json`, read and raw."""
        ended = self.call("show", "--json", *(["--as", viewer] if viewer else []))
        assert ended.code == 0, ended.err
        return json.loads(ended.out), ended.out
