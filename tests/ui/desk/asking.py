"""Fights of every system at a moment when something is asked."""

from __future__ import annotations

from pathlib import Path

from tui.systems import Registry

TOYS = Registry([str(Path(__file__).parents[1] / "toys")])


WRITING = ("add Ana owner=Mia", "add Bo owner=Tom", "begin")


WRITTEN = (*WRITING, "order Ana", "order Bo", "lock")


PLAYING = (*WRITTEN, "pick none", "roll", "ok")
