"""Rows, columns, the editor and glyphs: text on a screen, without rules."""
