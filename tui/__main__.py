"""The composition root: arguments, systems, store, front end. Textual is imported only for a screen.

Everything is imported inside the last handler, so that ctrl+c or a lack of descriptors ends in one line from the
first moment on.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper

from tui.way import IMAGED, SCREENS, way

TYPE_CHECKING = False  # typing comes with the image

if TYPE_CHECKING:
    import argparse

    from tui.image import Image
    from tui.systems import Registry
    from tui.ui.terminal.watchdog import Watchdog

TERMINAL = 2
"""The descriptor that the screen is drawn on."""

LEAN = frozenset({"argparse"})
"""Of Python's modules those that are imported leanly, and so are in no image."""


class _Shell:
    """What only the shell can do."""

    def __init__(self, systems: Registry, image: Image, watchdog: Watchdog | None) -> None:
        self.systems = systems
        self._image, self._watchdog = image, watchdog

    def screen(self, args: argparse.Namespace) -> int:
        """The app, or lines in plain mode."""
        from tui.ui.launch.start import start

        return start(args, self.systems, self._image, self._watchdog)

    def view(self, args: argparse.Namespace) -> int:
        """A player's terminal."""
        from tui.ui.launch.table.view import view

        return view(args)

    def seat(self, args: argparse.Namespace) -> int:
        """A player's own seat."""
        from tui.ui.launch.table.seat import seat

        return seat(args)

    def key_table(self) -> Iterable[tuple[str, str, str]]:
        """The table of commands."""
        from tui.ui.state.commands import key_table

        return key_table()

    def themes(self) -> Iterable[tuple[str, str]]:
        """The themes that load, and those that do not, with the reason."""
        from tui.ui.launch.start import theme_table

        return theme_table()


def main() -> int:
    """Runs the program; its exit code."""
    from tui.posix import lacking

    if why := lacking():
        print(f"tocsin: {why}", file=sys.stderr)  # noqa: T201
        return 5
    from tui.crash import guard

    return guard(_run, json="--json" in sys.argv)


def _run() -> int:
    # What is imported stays: looking through it would take a tenth of a start.
    gc.disable()
    asked = way(sys.argv[1:])
    if asked not in SCREENS or not os.isatty(TERMINAL):
        return _loaded(asked, None)
    from tui.ui.terminal.watchdog import watched

    # Forked while next to nothing is loaded: every page that we write to after that is copied.
    with watched() as watchdog:
        return _loaded(asked, watchdog)


def _loaded(asked: str, watchdog: Watchdog | None) -> int:
    from tui.image import Image

    image = Image(asked if asked in IMAGED else "", spared=LEAN)
    image.open()
    from tui.lean import lean_argparse, lean_msgspec

    lean_msgspec()
    lean_argparse()
    image.load()
    from tui import cli
    from tui.systems import Registry

    gc.freeze()
    if asked not in SCREENS:
        gc.enable()
    # Before anything is printed or read: an error about encodings would have no words of ours.
    tolerate(sys.stdin, sys.stdout, sys.stderr)
    folder = os.environ.get("TOCSIN_SYSTEMS", "")
    systems = Registry([folder] if folder else [], image.part)
    code = cli.main([decoded(word) for word in sys.argv[1:]], systems, _Shell(systems, image, watchdog))
    # Of a screen all was loaded at its first picture; a call that was refused has not loaded all that another one needs.
    if asked not in SCREENS and code == 0:
        image.whole()
    image.write()
    return code


def tolerate(*streams: object) -> None:
    """Undecodable bytes and letters that cannot be shown become U+FFFD: they are no reason to stop.

    Only a line feed ends a line that is read. A locale that knows ASCII alone is taken for UTF-8, as Python
    does in its UTF-8 mode.
    """
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            encoding = "utf-8" if _ascii(stream.encoding) else stream.encoding
            stream.reconfigure(encoding=encoding, errors="replace", newline="\n")


def decoded(word: str) -> str:
    """An argument as its bytes say in UTF-8, where the locale knew only ASCII."""
    return os.fsencode(word).decode("utf-8", "replace") if _ascii(sys.getfilesystemencoding()) else word


def _ascii(encoding: str) -> bool:
    return encoding.lower().replace("_", "-") in ("ascii", "us-ascii", "ansi-x3.4-1968", "646")


if __name__ == "__main__":
    sys.exit(main())
