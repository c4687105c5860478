"""The composition root: connects arguments, systems, store and front end.

Everything but Python's own modules is imported inside the last handler, so that ctrl+c, a broken installation
or a lack of memory or descriptors ends in one line.
"""

from __future__ import annotations

import os
import sys

# Not from `typing`: until `main` runs, ctrl+c would print a traceback, so nothing is imported before it.
TYPE_CHECKING = False


def explain_unfit_system() -> str:
    """Return in one sentence why the program cannot run on this system; "" if it can."""
    try:
        # Inside the function: whether they can be imported is the question.
        import fcntl
        import termios
    except ImportError as error:
        needed = "it needs a POSIX system, such as Linux or macOS"
        return f"{needed}: this Python has no {error.name or 'fcntl'}; on Windows it runs inside WSL"
    del fcntl, termios
    return ""


if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable
    from typing import Any

    from tui.systems import Registry


class _Shell:
    """The front ends that need a terminal.

    Each is imported when it is used, so that none loads another's library.
    """

    def __init__(self, systems: Registry) -> None:
        self.systems = systems

    def screen(self, args: argparse.Namespace) -> int:
        """Run the app; return the exit code."""
        import gc

        # Nothing that is made now goes away: collecting took 17 of 310 ms until the first picture.
        gc.disable()  # until the app runs
        from tui.ui.launch.start import start_screen

        return start_screen(args, self.systems)

    def view(self, args: argparse.Namespace) -> int:
        """Show a fight as one viewer may know it; return the exit code."""
        from tui.ui.launch.start import run_view

        return run_view(args, self.systems)

    def serve(self, args: argparse.Namespace) -> int:
        """Open the screen and serve a fight's pages, or print its addresses; return the exit code."""
        from tui.ui.launch.start import serve

        return serve(args, self.systems)

    def key_table(self) -> Iterable[tuple[str, str, str]]:
        """Return (keys, line, help) for every key of the screen."""
        from tui.ui.state.commands import key_table

        return key_table()

    def themes(self) -> Iterable[tuple[str, str]]:
        """Return the name and the title of each theme."""
        from tui.ui.launch.start import list_themes

        return list_themes()


def main() -> int:
    """Run the program and return its exit code."""
    try:
        if reason := explain_unfit_system():
            print(f"tocsin: {reason}", file=sys.stderr)  # noqa: T201
            return 5
        # Inside a function, because the last handler comes before all other imports.
        from tui.crash import run_guarded
    except KeyboardInterrupt:
        print("tocsin: stopped by ctrl+c", file=sys.stderr)  # noqa: T201
        return 130
    os.umask(0o077)  # folders made for a save are for their owner only
    return run_guarded(_run, json="--json" in sys.argv)


def _run() -> int:
    # msgspec does without this module, which took 20 of 310 ms until the first picture.
    modules: dict[str, Any] = sys.modules
    hidden = modules.setdefault("typing_extensions", None)
    # Imported here, so that an error of an import ends in the handler's one line.
    from tui import cli
    from tui.exchange import own
    from tui.systems import Registry

    if hidden is None:
        del modules["typing_extensions"]

    # Before anything is printed or read: an error about encodings would have no words of ours.
    replace_undecodable(sys.stdin, sys.stdout, sys.stderr)
    folder = os.environ.get("TOCSIN_SYSTEMS", "")
    systems = Registry([folder] if folder else [])
    own.__path__ = [formats] if (formats := os.environ.get("TOCSIN_FORMATS", "")) else []
    return cli.main([decode_argument(word) for word in sys.argv[1:]], systems, _Shell(systems))


def replace_undecodable(*streams: object) -> None:
    """Make streams replace undecodable bytes and unprintable characters by U+FFFD instead of failing.

    Only a line feed ends an input line. If the locale knows only ASCII, UTF-8 is used, as in Python's UTF-8
    mode.
    """
    from io import TextIOWrapper  # as above

    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            encoding = "utf-8" if _is_ascii(stream.encoding) else stream.encoding
            stream.reconfigure(encoding=encoding, errors="replace", newline="\n")


def decode_argument(word: str) -> str:
    """Return an argument decoded as UTF-8, even if the locale knows only ASCII."""
    return os.fsencode(word).decode("utf-8", "replace") if _is_ascii(sys.getfilesystemencoding()) else word


def _is_ascii(encoding: str) -> bool:
    return encoding.lower().replace("_", "-") in ("ascii", "us-ascii", "ansi-x3.4-1968", "646")


if __name__ == "__main__":
    sys.exit(main())
