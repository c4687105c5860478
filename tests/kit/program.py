"""Call the program inside the test's process: words in; exit code, standard output and error out."""

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
    """Front ends that fail if a test opens a screen."""

    def screen(self, args: object) -> int:
        """Fail: no screen may be opened."""
        raise AssertionError(f"a screen was asked for: {args}")

    def view(self, args: argparse.Namespace) -> int:
        """Fail: no screen may be opened."""
        raise AssertionError(f"a screen was asked for: {args}")

    def serve(self, args: object) -> int:
        """Fail: no server may be started."""
        raise AssertionError(f"a server was asked for: {args}")

    def key_table(self) -> Iterable[tuple[str, str, str]]:
        """Return a table of one key."""
        return [("n", "next", "goes on")]

    def themes(self) -> Iterable[tuple[str, str]]:
        """Return one theme."""
        return [("dark", "")]


class Ended(NamedTuple):
    """The result of a call: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> dict[str, Any]:
        """The error object that a refusal with --json prints."""
        found: dict[str, Any] = json.loads(self.err)["error"]
        return found


class Program:
    """Calls the program with one folder of saves and one save."""

    def __init__(self, folder: Path, save: str = "fight") -> None:
        self.folder, self.save, self.systems = folder, save, Registry()

    def call(self, name: str, *words: str) -> Ended:
        """Call `tocsin NAME SAVE --saves DIR WORDS…`."""
        return self.bare(name, self.save, "--saves", str(self.folder), *words)

    def bare(self, *words: str) -> Ended:
        """Call `tocsin WORDS…`."""
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = cli.main(list(words), self.systems, Front())
        return Ended(code, out.getvalue(), err.getvalue())

    def do(self, *lines: str, dice: Iterable[int] | None = None) -> Ended:
        """Call `tocsin do … --json LINES…`."""
        given = [] if dice is None else ["--dice", ",".join(map(str, dice))]
        return self.call("do", "--json", *given, *lines)

    def state(self, viewer: str | None = None) -> tuple[dict[str, Any], str]:
        """Call `tocsin show … --json`; return its output decoded and as text."""
        ended = self.call("show", "--json", *(["--as", viewer] if viewer else []))
        assert ended.code == 0, ended.err
        return json.loads(ended.out), ended.out
