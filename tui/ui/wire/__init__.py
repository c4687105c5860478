"""The wire: draw the screen with as few bytes as possible.

The rows of cells that should be shown go to `Screen.frame`, which returns the shortest of drawing the
changes, scrolling first, and clearing first. `Clock` says whether to send now or to wait for the terminal's
answer, and a `Port` takes the bytes. Spaces whose pens look alike count as equal. Nothing here imports
Textual.
"""
