"""The wire: the screen in as few bytes as possible.

Rows of cells (what should be shown) → `Screen.frame` (the shortest of drawing the changes, scrolling first,
clearing first) → `Clock` (send now, or wait for the terminal's answer) → a port that takes bytes. What looks
alike on a blank cell (its foreground) counts as equal. Nothing here knows Textual: `tui.ui.screen` paints the
rows.
"""
