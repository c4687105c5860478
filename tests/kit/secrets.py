"""A word that no text of the program has, to be searched for."""

from __future__ import annotations

SECRET = "Xyzzyqua"
