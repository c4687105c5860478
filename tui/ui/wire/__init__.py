"""The wire: a Textual app's screen in as few bytes as possible (DESIGN, The wire).

How to use it::

    class TocsinApp(FrugalApp[None]): ...            # instead of App[None]
    prepare_environment(os.environ)                   # tui.ui.terminal.environment; before Textual is imported
    app = TocsinApp(frugal=not stock_output, complain=log)
    with guarding(app):                               # tui.ui.terminal.guardian: signals and hang-up
        app.run(mouse=False)
    # ctrl+l: app.repaint().  Pastes worth a word to the user: override FrugalApp.pasted

The way of an update: Textual's compositor → `FrugalApp._display` → `Picture` (what should be shown) →
`Screen.frame` (shortest of drawing the changes, scrolling first, clearing first) → `Clock` (send now or wait
for the terminal's answer) → driver. What looks alike on a blank cell (its foreground) counts as equal.
"""

from __future__ import annotations

from tui.ui.textual.frugal import FrugalApp

__all__ = ["FrugalApp"]
