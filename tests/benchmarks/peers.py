"""Programs that ours is measured beside: a bare Textual app, a list in curses, a script that copies lines."""

from __future__ import annotations

import sys


def bare() -> None:
    """The least that Textual can be: one word."""
    from textual.app import App, ComposeResult
    from textual.widgets import Static

    class Bare(App[None]):
        def compose(self) -> ComposeResult:
            yield Static("READY")

    Bare().run()


def listing() -> None:
    """Twenty rows, a marker that moves, a line of log: what a tracker in C would send."""
    import curses

    def main(screen: curses.window) -> None:
        at, count = 0, 20
        while True:
            for row in range(count):
                screen.addstr(
                    row,
                    0,
                    f"{'>' if row == at else ' '} {20 - row:>3} Orc {row:<20} "
                    f"{'acting' if row == at else '':<8}",
                )
            screen.addstr(22, 0, f"Orc {at} acts; READY")
            screen.clrtoeol()
            screen.refresh()
            key = screen.getkey()
            if key == "q":
                return
            at = (at + 1) % count

    curses.wrapper(main)


def copy() -> None:
    """Reads a save line by line, and prints another file so: the least that a log in Python could cost."""
    with open(sys.argv[2], encoding="utf-8") as save:
        for _ in save:
            pass
    with open(sys.argv[3], encoding="utf-8") as told:
        for line in told:
            print(line.removesuffix("\n"))


if __name__ == "__main__":
    {"bare": bare, "curses": listing, "copy": copy}[sys.argv[1]]()
