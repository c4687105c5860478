"""Fights of both dungeon systems at a meeting."""

from __future__ import annotations

from tests.kit.table import Table

CREW = ("add Ana kind=pc per=4 int=4", "add Bo kind=pc per=3 int=5", "add 3 Orc per=3 int=3", "begin")


def crypt(*lines: str, **options: object) -> Table:
    t = Table("dungeon-universalis", {k.replace("__", "."): v for k, v in options.items()})
    t.do(*CREW, *lines)
    return t


def won(*lines: str, **options: object) -> Table:
    """Ana has won a meeting that caught nobody; the heroes have a new turn."""
    return crypt('meet Ana vs "Orc 1"', "roll Ana 6 2", 'roll "Orc 1" 1 2', *lines, **options)


def said(t: Table, line: str) -> str:
    return " ".join(x.text for x in t.do(line).lines)
