"""`:import`: show the contents of other tools' files before anything is kept."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.combatant import StatBlock
from tui.core.language.tokens import tokens
from tui.store.disk import complete_path
from tui.store.library.library_lines import add_imported, keep_imported
from tui.store.problems import NotSaved
from tui.ui.desk.base import BaseDesk, reason
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.state.scene import Incoming, Scene, Stage
from tui.ui.text.palette import Role
from tui.ui.text.press import STEPS, Press
from tui.ui.text.rows import Box, Row, clip, fit, pad, scroll_rows, wrap_text

if TYPE_CHECKING:
    from tui.exchange.gathering import Gathered

PASTED_WORD = "-"
"""The path that stands for a text typed or pasted in the user's editor."""
_ARMOUR = r"(?im)^[\s>*_|#]{0,12}(?:AC|Armou?r Class)\b[\s*_:|]{0,8}[0-9]"
_ONE_LINE = r"(?i)\bAC\b[^\n]{1,40}?\b(?:HD\b|hp\b[^\n]{1,40}?\b(?:ATK|LV|LVL|ML|MV)\b)"
_POINTS = r"(?i)\b(?:HP|Hit Points)\b[\s*_:|]{0,8}[0-9]"
MOST_ROWS = 10**6
NAME_WIDTH = 30
"""Columns for the name of a creature."""
MOST_PASSED = 200
"""The most names listed below one heading of the preview, such as unreadable files."""
HINTS: dict[Stage, Hints] = {
    "reading": (("Esc", "stop"),),
    "read": (
        ("Enter", "keep"),
        ("o", "keep over others"),
        ("a", "add to the fight"),
        ("j/k", "scroll"),
        ("Esc", "back"),
    ),
    "keeping": (("Esc", "back"),),
    "kept": (("Enter", "back"),),
    "refused": (("Esc", "back"),),
}


class ImportPreview(KeyMode, frozen=True):
    """A preview of an import. Its state is `scene.incoming`, which a thread updates."""

    top: int = 0
    """The index of the first row shown."""

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        imports, stage = desk.services.imports, desk.services.imports.now().stage
        if key.name in STEPS:
            desk.show(mode=replace(self, top=max(0, min(MOST_ROWS, self.top + STEPS[key.name]))))
        elif key.key in ("escape", "ctrl+c") or (key.key == "enter" and stage in ("kept", "refused")):
            imports.stop()
            desk.show(mode=None)
            if stage == "reading":
                desk.say("the import was stopped; nothing was kept", "hint")
        elif stage == "read" and (key.key == "enter" or key.name == "o"):
            imports.keep(overwrite=key.name == "o")
        elif stage == "read" and key.name == "a" and not desk.scene.home:
            _add(desk)
        else:
            desk.say("Esc stops it" if stage == "reading" else "Esc goes back", "hint")

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        # Without a fight there is nothing to join.
        return tuple(x for x in HINTS[scene.incoming.stage] if x[0] != "a" or not scene.home)

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title, and the preview's rows from `top` on."""
        progress, width = scene.incoming, box.width
        rows = [*_status_rows(progress, width)]
        rows += [_creature(b, width, scene.glyphs.ellipsis) for b in _blocks(progress)]
        title = f"Import: {progress.names}" if progress.names else "Import"
        return scroll_rows(scene.glyphs, title, rows, self.top, width, box.height)


def begin(desk: BaseDesk, rest: str) -> None:
    """Read files and folders, or a text from the editor, and show what is in them."""
    try:
        paths = tuple(os.path.expanduser(t.text) for t in tokens(rest))
        if paths == (PASTED_WORD,):
            desk.services.editor.edit("", "statblock.md", lambda text: look_at_text(desk, text))
        elif paths:
            desk.services.imports.look(paths)
            desk.show(mode=ImportPreview())
        else:
            desk.open_prompt("import ")
            desk.say(
                f"files or folders, Tab completes; {PASTED_WORD} opens your editor for a copied stat block",
                "hint",
            )
    except RuleError as error:
        desk.report_refusal(error)


def is_stat_block(text: str) -> bool:
    """Return whether a text has lines with armour class and hit points, or a line with hit dice."""
    if re.search(_ONE_LINE, text):
        return True
    return "\n" in text.strip() and bool(re.search(_ARMOUR, text) and re.search(_POINTS, text))


def look_at_text(desk: BaseDesk, text: str) -> None:
    """Read a text, and show the creatures in it. Raises RuleError if nothing can be imported here."""
    desk.services.imports.look_at(text)
    desk.show(mode=ImportPreview(), notice=None)


def _add(desk: BaseDesk) -> None:
    """Add all creatures to the fight, in one step."""
    progress, store = desk.services.imports.now(), desk.store
    assert progress.harvest is not None
    gathered, before = progress.harvest.gathered, len(store.encounter.combatants)
    try:
        add_imported(
            store,
            store.systems,
            gathered.blocks,
            f"import {progress.names}"[:200],
            gathered.amounts,
            gathered.base_names,
            gathered.fight_states,
        )
    except RuleError as error:
        desk.report_refusal(error)
    except NotSaved as error:
        desk.show(notice=reason(error))
    else:
        desk.services.imports.stop()
        desk.show(mode=None, fault=None)
        many = len(store.encounter.combatants) - before
        joined = f"{many} creature{'s' * (many != 1)} joined the fight"
        try:
            kept = keep_imported(store.effects.library, progress.harvest.stem, gathered.own_blocks)
        except (RuleError, NotSaved) as error:
            # They have joined; only the library lacks them.
            desk.say(f"{joined}; not kept in the library: {error.message}", "warning")
            return
        desk.say("; ".join(x for x in (joined, kept) if x), "ok")


def complete_import_path(line: str) -> tuple[str, ...]:
    """Return completions of the last path of an `import` line, in quotes if it has a space."""
    quoted = line.count('"') % 2 == 1
    start = line.rfind('"') if quoted else line.rfind(" ") + 1
    begun = line[start:].removeprefix('"')
    paths: list[str] = []
    for path in complete_path(begun):
        marks = quoted or " " in path
        end = '"' if marks and not path.endswith("/") else ""
        paths.append(line[:start] + '"' * marks + path + end)
    return tuple(paths)


def _blocks(progress: Incoming) -> tuple[StatBlock, ...]:
    return progress.harvest.gathered.blocks if progress.harvest else ()


def _status_rows(progress: Incoming, width: int) -> list[Row]:
    """Return the rows above the list of creatures: status, counts, mapping, and what was not imported."""
    role: Role = (
        "error" if progress.stage == "refused" or (progress.stage == "read" and progress.status) else "text"
    )
    text = f"{progress.status}; {progress.hint}" if progress.hint else progress.status
    rows: list[Row] = [((f" {row}", role),) for row in (wrap_text(text, width - 2) if text else [])]
    if progress.harvest is None:
        return rows
    gathered = progress.harvest.gathered
    rows += [()] * bool(rows)
    rows += [((f" {title}: {many} creature{'s' * (many != 1)}", "title"),) for title, many in gathered.counts]
    rows += [((f"   {row}", "text"),) for row in wrap_text(_describe_mapping(gathered), width - 4)]
    bare = [b.name for b in gathered.blocks if b.hp is None]
    twice = [f"{x.name}: from {x.kept_file}, not from {x.other_file}" for x in gathered.clashes]
    for heading, names in (
        (
            "Not imported: same name as an earlier one ([o] takes the last of each)",
            twice[:MOST_PASSED],
        ),
        ("Without hit points", bare),
        ("Cards cut because they are too long", gathered.cut_names),
        ("Not read", progress.harvest.problem_texts[:MOST_PASSED]),
    ):
        rows += _list_rows(heading, names, width)
    if more := len(progress.harvest.problem_texts) - MOST_PASSED:
        rows += [((f"   and {more} more", "warning"),)] * (more > 0)
    return [*rows, (), ((f" {'Creature':<{NAME_WIDTH}} {'hp':>5} {'AC':>4} {'init':>5}  from", "title"),)]


def _describe_mapping(gathered: Gathered) -> str:
    """Return which column became which field, with a count for fields that only some creatures have."""
    # Imported here: other tools' formats are not needed for a fight.
    from tui.exchange.mapping import FIELD_TITLES
    from tui.store.library.importing import describe_origin

    every = sum(many for _, many in gathered.counts)
    texts = (
        f"{FIELD_TITLES.get(target, target)} {describe_origin(path)}" + (f" ({many})" if many < every else "")
        for target, path, many in gathered.rows
    )
    return f"{', '.join(texts)}; everything else is kept as the card."


def _list_rows(title: str, names: tuple[str, ...] | list[str], width: int) -> list[Row]:
    if not names:
        return []
    return [
        ((f" {title}: {len(names)}", "warning"),),
        *(((f"   {row}", "muted"),) for name in names for row in wrap_text(name, width - 4)),
    ]


def _creature(block: StatBlock, width: int, ellipsis: str) -> Row:
    numbers = (block.hp, 5), (block.ac, 4), (block.initiative, 5)
    text = " ".join(f"{'' if value is None else value:>{wide}}" for value, wide in numbers)
    name = pad(fit(block.name, NAME_WIDTH, ellipsis), NAME_WIDTH)
    return clip(((f" {name} ", "text"), (text, "text"), (f"  {block.source}", "muted")), width, ellipsis)


WORDS = {"import": begin}
