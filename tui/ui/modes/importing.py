"""`:import`: show the contents of other tools' files before anything is kept."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.combatant import StatBlock
from tui.core.language.attacks import Attack, read_attacks
from tui.core.language.tokens import tokens
from tui.store.disk import complete_path
from tui.store.library.library_lines import add_imported, keep_imported
from tui.store.problems import NotSaved
from tui.ui.desk.base import BaseDesk, reason
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.modes.page import Page
from tui.ui.panes.keyed import key_row
from tui.ui.state.mode import Asks
from tui.ui.state.scene import Incoming, Scene, Stage
from tui.ui.text.palette import Role
from tui.ui.text.press import STEPS, Press
from tui.ui.text.rows import Box, Row, clip, fit, pad, scroll_rows, wrap_text

if TYPE_CHECKING:
    from tui.exchange.gathering import Gathered

_ARMOUR = r"(?im)^[\s>*_|#]{0,12}(?:AC|Armou?r Class)\b[\s*_:|]{0,8}[0-9]"
_ONE_LINE = r"(?i)\bAC\b(?=[ :]{0,2}-?[0-9])[^\n]{1,40}?\b(?:HD\b|hp\b[^\n]{1,40}?\b(?:ATK|LV|LVL|ML|MV)\b)"
_POINTS = r"(?i)\b(?:HP|Hit Points)\b[\s*_:|]{0,8}[0-9]"
NAME_WIDTH = 24
"""Columns for the name of a creature."""
MOST_PASSED = 200
"""The most names listed below one heading of the preview, such as unreadable files."""
HINTS: dict[Stage, Hints] = {
    "reading": (("Esc", "stop"),),
    "read": (
        ("y", "keep"),
        ("a", "add to the fight"),
        ("Enter", "open"),
        ("o", "keep over others"),
        ("j/k", "move"),
        ("Esc", "back"),
    ),
    "keeping": (("Esc", "back"),),
    "kept": (("Enter", "back"),),
    "refused": (("Esc", "back"),),
}


class ImportPreview(KeyMode, frozen=True):
    """A preview of an import. Its state is `scene.incoming`, which a thread updates."""

    is_modal: ClassVar[bool] = True
    at: int = 0
    """The index of the creature under the cursor; beyond the last one, how far what follows is scrolled."""

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        imports, stage = desk.services.imports, desk.services.imports.now().stage
        if key.name in STEPS:
            desk.show(
                mode=replace(self, at=max(0, min(_last_place(imports.now()), self.at + STEPS[key.name])))
            )
        elif key.key in ("escape", "ctrl+c") or (key.key == "enter" and stage in ("kept", "refused")):
            imports.stop()
            desk.dismiss()
            if stage == "reading":
                desk.notify("the import was stopped; nothing was kept", "hint")
        elif stage == "read" and key.name in ("y", "o"):
            imports.keep(overwrite=key.name == "o")
        elif stage == "read" and key.key == "enter":
            chosen = _blocks(imports.now())[self.at : self.at + 1]
            desk.show(mode=Page(chosen[0].name, _tell(chosen[0]), back=self) if chosen else self)
        elif stage == "read" and key.name == "a" and not desk.scene.home:
            _add(desk)
        else:
            desk.notify("Esc stops it" if stage == "reading" else "Esc goes back", "hint")

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return the question whether the creatures that were read are kept; None at other stages."""
        del act
        if scene.incoming.stage != "read":
            return None
        return Asks("Keep them?", key_row("y", "in the library"), (key_row("a", "and in this fight"),))

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        # Without a fight there is nothing to join.
        return tuple(x for x in HINTS[scene.incoming.stage] if x[0] != "a" or not scene.home)

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title, and the preview's rows from `top` on."""
        progress, width, glyphs = scene.incoming, box.width, scene.glyphs
        head, blocks = _status_rows(progress, width), _blocks(progress)
        title = f"Import: {progress.names}" if progress.names else "Import"
        # Of twenty thousand creatures only those around the cursor are laid out.
        first, last = max(0, min(self.at, len(blocks)) - box.height), min(len(blocks), self.at + box.height)
        shown = (
            _creature(progress, i, width, glyphs.cursor if i == self.at else " ", glyphs.ellipsis)
            for i in range(first, last)
        )
        foot = _foot_rows(progress, width)
        rows: list[Row] = [*head, *[()] * first, *shown, *[()] * (len(blocks) - last), *foot]
        top = max(0, len(head) + self.at - box.height // 2)
        return scroll_rows(glyphs, title, rows, top, width, box.height)


def begin(desk: BaseDesk, rest: str) -> None:
    """Read files and folders, and show what is in them."""
    try:
        paths = tuple(os.path.expanduser(t.text) for t in tokens(rest))
        if paths:
            desk.services.imports.look(paths)
            desk.show(mode=ImportPreview())
        else:
            desk.open_prompt("import ")
            desk.notify("files or folders, Tab completes; or paste a stat block here", "hint")
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
        desk.dismiss(fault=None)
        many = len(store.encounter.combatants) - before
        joined = f"{many} creature{'s' * (many != 1)} joined the fight"
        try:
            kept = keep_imported(store.effects.library, progress.harvest.stem, gathered.own_blocks)
        except (RuleError, NotSaved) as error:
            # They have joined; only the library lacks them.
            desk.notify(f"{joined}; not kept in the library: {error.message}", "warning")
            return
        desk.notify("; ".join(x for x in (joined, kept) if x), "ok")


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
    gathered, problems = progress.harvest.gathered, progress.harvest.problem_texts
    rows += [()] * bool(rows)
    rows += [((f" {title}: {many} creature{'s' * (many != 1)}", "title"),) for title, many in gathered.counts]
    if lost := len(problems) + len(gathered.clashes):
        rows += [((f" {lost} not taken, named below", "warning"),)]
    return [*rows, ((f"  {'Creature':<{NAME_WIDTH}} {'hp':>5} {'AC':>3} {'init':>4}  attacks", "title"),)]


def _foot_rows(progress: Incoming, width: int) -> list[Row]:
    """Return the rows below the creatures: what was not taken, and which value came from where."""
    if progress.harvest is None:
        return []
    gathered = progress.harvest.gathered
    twice = [f"{x.name}: from {x.kept_file}, not from {x.other_file}" for x in gathered.clashes]
    rows: list[Row] = [()]
    for heading, names in (
        (
            "Not imported: same name as an earlier one ([o] takes the last of each)",
            twice[:MOST_PASSED],
        ),
        ("Not read", progress.harvest.problem_texts[:MOST_PASSED]),
        ("Cards cut because they are too long", gathered.cut_names),
    ):
        rows += _list_rows(heading, names, width)
    if more := len(progress.harvest.problem_texts) - MOST_PASSED:
        rows += [((f"   and {more} more", "warning"),)] * (more > 0)
    return [*rows, *(((f" {row}", "muted"),) for row in wrap_text(_describe_mapping(gathered), width - 2))]


def _last_place(progress: Incoming) -> int:
    """Return the last index of `at`: the last creature, or about the end of what follows."""
    if progress.harvest is None:
        return 0
    gathered = progress.harvest.gathered
    below = 4 * (len(progress.harvest.problem_texts) + len(gathered.clashes) + len(gathered.cut_names))
    return len(gathered.blocks) - 1 + below


def _describe_mapping(gathered: Gathered) -> str:
    """Return which column became which field, with a count for fields that only some creatures have."""
    # Imported here: other tools' formats are not needed for a fight.
    from tui.exchange.mapping import FIELD_TITLES

    every = sum(many for _, many in gathered.counts)
    texts: dict[bool, list[str]] = {True: [], False: []}
    for target, path, many in gathered.rows:
        origin = f" from {path}" if path else ""
        counted = f" ({many})" if many < every else ""
        texts[bool(path)].append(f"{FIELD_TITLES.get(target, target)}{origin}{counted}")
    read, computed = (", ".join(some) for some in texts.values())
    parts = (read, f"worked out: {computed}" if computed else "", "everything else is kept as the card.")
    return "; ".join(filter(None, parts))


def _list_rows(title: str, names: tuple[str, ...] | list[str], width: int) -> list[Row]:
    if not names:
        return []
    return [
        ((f" {title}: {len(names)}", "warning"),),
        *(((f"   {row}", "muted"),) for name in names for row in wrap_text(name, width - 4)),
    ]


def _creature(progress: Incoming, index: int, width: int, mark: str, ellipsis: str) -> Row:
    """Return the row of a creature: what it is fought with."""
    assert progress.harvest is not None
    gathered = progress.harvest.gathered
    block = gathered.blocks[index]
    many = gathered.amounts.get(block.name, "")
    name = pad(fit(f"{many} {block.name}".strip(), NAME_WIDTH, ellipsis), NAME_WIDTH)
    bonus = "" if block.initiative is None else f"{block.initiative:+}"
    numbers = ("" if block.hp is None else block.hp, 5), ("" if block.ac is None else block.ac, 3), (bonus, 4)
    text = " ".join(f"{value:>{wide}}" for value, wide in numbers)
    attacks = ", ".join(
        f"{x.name} {f'dc{x.dc}' if x.bonus is None else f'{x.bonus:+}'}" for x in _attacks(block) if x.rolls
    )
    start: Row = ((mark, "focus"), (f" {name} {text}", "text"))
    return clip((*start, (f"  {attacks}" if attacks else f"  {block.source}", "muted")), width, ellipsis)


def _attacks(block: StatBlock) -> tuple[Attack, ...]:
    return read_attacks(str(block.fields.get("attacks", "")))


def _tell(block: StatBlock) -> tuple[str, ...]:
    """Return everything about a creature: its values, its attacks, its counters, and the card."""
    from tui.exchange.mapping import FIELD_TITLES

    dice = f" ({block.hp_dice})" if block.hp_dice else ""
    numbers = {"hp": f"{block.hp}{dice}", "ac": block.ac, "initiative": block.initiative, **block.fields}
    numbers["source"] = block.source
    texts = (
        f"{title} {numbers[key]}" for key, title in FIELD_TITLES.items() if numbers.get(key) not in (None, "")
    )
    uses = (f"Counter: {line}" for line in block.counters)
    lines = (", ".join(texts), *(x.words() for x in _attacks(block)), *uses, *block.conditions)
    return (*lines, "", *block.card.split("\n"))


WORDS = {"import": begin}
