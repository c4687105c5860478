"""A bare Textual app, beside which ours is measured."""

from __future__ import annotations


def bare() -> None:
    """The least that Textual can be: one word."""
    from textual.app import App, ComposeResult
    from textual.widgets import Static

    class Bare(App[None]):
        def compose(self) -> ComposeResult:
            yield Static("READY")

    Bare().run()


if __name__ == "__main__":
    bare()
