"""A player's terminal in lines: each thing that is told, then whose turn it is. For screen readers, pipes, plain terminals."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TextIO

from msgspec.structs import replace

from tui.store.inotify import Waker
from tui.store.players.page_reader import Eye
from tui.ui.table.look import Look, standing_words
from tui.ui.table.page import PublicPage, read_page
from tui.ui.table.saying import saying

INPUT = 0


def tell(eye: Eye, waker: Waker, look: Look, out: TextIO) -> int:
    """Tells what happens until the input ends or says `quit`; the exit code."""
    asks = [INPUT] if sys.stdin is not None and sys.stdin.isatty() else []
    while True:
        look = told(eye, look, out)
        _, ready = waker.wait(asks)
        # Only a terminal is asked: a script that looks on has nothing to say, and ends by a signal.
        if ready and os.read(INPUT, 4096).strip().lower() in (b"", b"q", b"quit"):
            return 0


def told(eye: Eye, look: Look, out: TextIO) -> Look:
    """Looks once, and tells what is new."""
    glimpse = eye.look()
    page = (read_page(glimpse.page) if glimpse.page is not None else None) or look.page
    standing = "newer" if page is None and glimpse.page is not None else glimpse.standing
    now = replace(look, page=page, standing=standing, why=glimpse.why)
    said = list(_news(look, now))
    if said:
        out.writelines(f"{line}\n" for line in said)
        out.flush()
    return now


def _news(before: Look, now: Look) -> Iterator[str]:
    """What is new: what was told since, the moment, the state of the save."""
    if now.page and now.page is not before.page:
        if before.page is None:
            yield f"{now.save}: {now.page.words.title}, round {now.page.state.round}"
        yield from _since(before.page, now.page)
        said = moment(now.page)
        if before.page is None or said != moment(before.page):
            yield from said
    line = standing_words(now)[1]
    if line != standing_words(before)[1]:
        yield line or "somebody writes again"


def _since(before: PublicPage | None, page: PublicPage) -> Iterator[str]:
    """What was told since another page; where steps were taken back, that they were."""
    if before is None:
        return
    if page.state.step < before.state.step:
        yield f"Back at {page.state.step}"
    for found in page.log:
        if found.step > before.state.step:
            yield from found.text


def moment(page: PublicPage) -> list[str]:
    """Whose turn it is, who comes next, what must be read."""
    said = saying(page)
    return [said.lead + (f", {said.then}" if said.then else ""), *said.lines]
