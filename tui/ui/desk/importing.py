"""`:import`: files of other tools, shown before anything of them is kept."""

from __future__ import annotations

import os

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.language.tokens import tokens
from tui.store.disk import paths_beginning
from tui.store.library.actions import welcome
from tui.store.problems import NotSaved
from tui.ui.desk import base
from tui.ui.desk.base import BaseDesk
from tui.ui.state.view import ImportPreview
from tui.ui.text.press import STEPS, Press

PASTED = "-"
"""The word for a text that is written or pasted in the user's editor."""

MOST_ROWS = 10**6


def begin(desk: BaseDesk, rest: str) -> None:
    """Read the files and folders that are named, or a text from the editor, and show what is in them."""
    try:
        paths = tuple(os.path.expanduser(t.text) for t in tokens(rest))
        if paths == (PASTED,):
            desk.services.editor.edit("", "statblock.md", lambda text: _pasted(desk, text))
        elif paths:
            desk.services.imports.look(paths)
            desk.show(mode=ImportPreview())
        else:
            desk.open_prompt("import ")
            desk.say(
                f"files or folders, Tab completes; {PASTED} opens your editor for a copied stat block", "hint"
            )
    except RuleError as error:
        desk.refused(error)


def _pasted(desk: BaseDesk, text: str) -> None:
    desk.services.imports.look_at(text)
    desk.show(mode=ImportPreview())


def press(desk: BaseDesk, mode: ImportPreview, key: Press) -> None:
    """Take one key."""
    imports, stage = desk.services.imports, desk.services.imports.now().stage
    if key.name in STEPS:
        desk.show(mode=replace(mode, top=max(0, min(MOST_ROWS, mode.top + STEPS[key.name]))))
    elif key.key in ("escape", "ctrl+c") or (key.key == "enter" and stage in ("kept", "refused")):
        imports.stop()
        desk.show(mode=None)
        if stage == "reading":
            desk.say("the import was stopped; nothing was kept", "hint")
    elif stage == "read" and (key.key == "enter" or key.name == "o"):
        imports.keep(over=key.name == "o")
    elif stage == "read" and key.name == "a":
        _add(desk)
    else:
        desk.say("Esc stops it" if stage == "reading" else "Esc goes back", "hint")


def _add(desk: BaseDesk) -> None:
    """Let all of them join the fight, in one step."""
    now, store = desk.services.imports.now(), desk.store
    assert now.harvest is not None
    held, before = now.harvest.gathered, len(store.encounter.combatants)
    try:
        welcome(
            store,
            store.systems,
            held.blocks,
            f"import {now.names}"[:200],
            held.many,
            held.like,
            held.standing,
        )
    except RuleError as error:
        desk.refused(error)
    except NotSaved as error:
        desk.show(notice=base.reason(error))
    else:
        desk.services.imports.stop()
        desk.show(mode=None, fault=None)
        many = len(store.encounter.combatants) - before
        desk.say(f"{many} creature{'s' * (many != 1)} joined the fight", "ok")


def completed(line: str) -> tuple[str, ...]:
    """Return what a line of `import` may become: its last path completed, in quotes where it has a blank."""
    quoted = line.count('"') % 2 == 1
    start = line.rfind('"') if quoted else line.rfind(" ") + 1
    begun = line[start:].removeprefix('"')
    paths: list[str] = []
    for path in paths_beginning(begun):
        marks = quoted or " " in path
        end = '"' if marks and not path.endswith("/") else ""
        paths.append(line[:start] + '"' * marks + path + end)
    return tuple(paths)
