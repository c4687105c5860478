"""The prompt that adds creatures, line after line, with a preview above it."""

from __future__ import annotations

import re
from itertools import chain, repeat
from typing import ClassVar, Self

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE
from tui.core.fight.agenda import Field
from tui.core.language.creature_actions import Add
from tui.core.language.grammar import write_line
from tui.core.rules.kin import NO_NUMBERS, complete_newcomer
from tui.core.views.add_preview import list_unsaid
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.menu import SEARCH_HINTS, Menu
from tui.ui.modes.mode import Hints
from tui.ui.modes.prompt import Prompt
from tui.ui.panes.creatures import focus_title
from tui.ui.panes.keyed import key_row
from tui.ui.state.adding import (
    Proposal,
    describe_source,
    list_found,
    nothing_typed,
    preview,
    propose_keys,
    read_typed,
    supply_of,
)
from tui.ui.state.mode import Asks, Where
from tui.ui.state.scene import Scene
from tui.ui.state.view import PromptKind
from tui.ui.text.editor import Editor
from tui.ui.text.menu import Item
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Piece, Row, cells, clip, pad, pad_rows, wrap_text

COLUMN_WIDTH = 26
"""Columns for a key and its meaning."""
ADDING_ROWS = 3
ROWS_WANTED = ADDING_ROWS + 1
_DETAIL = re.compile(r"[:;,] ")
"""Matches the separator between the meaning of a key and its details."""


class AddPrompt(Prompt, frozen=True):
    """An `add` line. After it is sent, the prompt opens again for the next one."""

    kind: PromptKind = "add"
    found: tuple[str, ...] = ()
    """The creatures that the typed name may mean, each with its figures."""
    proposal: Proposal = Proposal()
    PROPOSES: ClassVar[bool] = True
    HINTS: ClassVar[Hints] = (
        ("Enter", "add, next"),
        ("Tab", "complete"),
        ("Esc", "back"),
        ("Up", "earlier"),
    )

    @property
    def where(self) -> Where:
        """The band above the log."""
        return "band"

    def is_empty(self) -> bool:
        """Return whether no creature is named, so that Enter ends the adding."""
        return Prompt.is_empty(self) or nothing_typed(self.editor.text.strip())

    def sent(self, desk: BaseDesk) -> None:
        """Open the prompt for the next creature."""
        desk.open_prompt("add ", "add")

    def with_editor(self, desk: BaseDesk, editor: Editor) -> Self:
        """Return the prompt with a text, its preview, and the proposals that the text does not replace."""
        editor, proposal = self.proposal.fit(editor, desk.store)
        found = list_found(editor.text[: editor.at], desk.store)
        rows = [f"{x.name}: {describe_source(x)}" for x in found[:ADDING_ROWS]]
        if len(found) > ADDING_ROWS:
            rows[-1] = f"{rows[-1]} {desk.scene.glyphs.dot} {len(found) - ADDING_ROWS} more"
        text = preview(editor.text, desk.store)
        return replace(self, editor=editor, preview=text, found=tuple(rows), proposal=proposal)

    def recall(self, desk: BaseDesk, text: str, *, is_own: bool) -> Self:
        """Return the prompt with an earlier line as it was, or with the own text and its proposals."""
        proposal = Proposal(propose_keys(desk.store)) if is_own else Proposal()
        return replace(self, proposal=proposal).with_editor(desk, Editor.from_text(text))

    def send(self, desk: BaseDesk) -> None:
        """Send the line; if its name may mean several creatures, list them."""
        if not self.is_empty() and (menu := _list_meant(self, desk)):
            desk.show(mode=menu)
        else:
            Prompt.send(self, desk)

    def list_offers(self, desk: BaseDesk) -> tuple[str, ...]:
        """Return the completions, without keys that do not fit this line or system."""
        texts = Prompt.list_offers(self, desk)
        open_keys = {f"{f.key}=" for f in list_unsaid(self.editor.text[: self.editor.at], desk.store.system)}
        return tuple(x for x in texts if not x.endswith("=") or x.rpartition(" ")[2] in open_keys)

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that the prompt can use."""
        del scene, width
        return ROWS_WANTED

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return the question and what Enter does."""
        del scene, act
        ends = "Enter adds it and goes to the next; Enter on an empty line ends"
        return Asks("Who is there?", key_row("Enter", "adds"), (ends,))

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title with the preview, and the keys that the line does not have yet."""
        width, height = box.width, box.height
        # A refusal begins with the verb, which the title says already.
        does = self.preview.removeprefix("add: ")
        whole = f"Add: {does}"
        # A preview that does not fit in the title is shown whole below it.
        fits = sum(cells(text) for text, _ in focus_title(scene, whole, LONGEST_LINE)) < width
        first, more = (whole, []) if fits else ("Add", wrap_text(does, width - 2, ADDING_ROWS))
        if self.found:
            # A long preview leaves room for one creature less.
            texts = [*more[:1], *self.found][:ADDING_ROWS]
            below = [clip(((f" {text}", "text"),), width, scene.glyphs.ellipsis) for text in texts]
            return pad_rows([focus_title(scene, first, width), *below], height)
        fields = list_unsaid(self.editor.text[: self.editor.at], scene.system)
        count, room = max(1, width // COLUMN_WIDTH), max(0, height - 1 - len(more))
        shown = fields[: count * room]
        # The last key makes room for the number of keys left out.
        shown = shown[:-1] if 0 < len(shown) < len(fields) else shown
        rows = [shown[i : i + count] for i in range(0, len(shown), count)]
        body: list[Row] = [tuple(piece for field in row for piece in _key(scene, field)) for row in rows]
        if body and len(shown) < len(fields):
            body[-1] = (*body[-1], (f"{scene.glyphs.dot} {len(fields) - len(shown)} more with Tab", "hint"))
        lines: list[Row] = [((row, "text"),) for row in more]
        below = [clip(((" ", "text"), *row), width, scene.glyphs.ellipsis) for row in (*lines, *body)]
        return pad_rows([focus_title(scene, first, width), *below], height)


class CreatureMenu(Menu, frozen=True):
    """The creatures that a new name may mean; letters search, a digit takes a numbered one."""

    narrow: bool = True
    prompt: AddPrompt = AddPrompt()
    """The prompt to which Esc goes back."""
    HINTS: ClassVar[Hints] = (("1-9", "take"), *SEARCH_HINTS)

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        shown = self.visible_items
        numbered = next((i for i in shown if key.char and i.key == key.char), None)
        if key.key in ("escape", "ctrl+c"):
            desk.show(mode=self.prompt)
        elif numbered or (key.key == "enter" and shown):
            # The prompt stays for a line that is refused.
            desk.show(mode=self.prompt)
            if desk.submit((numbered or shown[self.place]).line):
                self.prompt.sent(desk)
        else:
            Menu.press(self, desk, key)

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        del scene
        return self.HINTS


def _list_meant(prompt: AddPrompt, desk: BaseDesk) -> CreatureMenu | None:
    """Return the list of the creatures that a line may mean; None if it can mean only one, or none."""
    typed = read_typed(prompt.line(desk))
    if typed is None:
        return None
    store = desk.store
    try:
        complete_newcomer(store.encounter, store.system, typed, supply_of(store).kept())
    except RuleError as error:
        if error.kind != "ambiguous":
            return None
    else:
        return None
    name = typed.like or typed.name
    keys = chain("123456789", repeat(""))
    items = [
        Item(describe_source(x), _line_of(typed, x.name), key, label=x.name)
        for x, key in zip(supply_of(store).propose(name), keys, strict=False)
    ]
    none = write_line(replace(typed, like=NO_NUMBERS))
    items.append(Item("as typed, without numbers", none, "0", label=name))
    return CreatureMenu("Which creature", tuple(items), prompt=prompt)


def _line_of(typed: Add, name: str) -> str:
    """Return the line with the numbers of this creature."""
    return write_line(replace(typed, like=name) if typed.like else replace(typed, name=name))


def open_add(desk: BaseDesk, line: str) -> AddPrompt:
    """Return the prompt with a line, proposing side and kind of the line before after the cursor."""
    editor, proposal = Proposal(propose_keys(desk.store)).fit(Editor.from_text(line), desk.store)
    return AddPrompt(editor=editor, stem=line, preview=preview(editor.text, desk.store), proposal=proposal)


def _key(scene: Scene, field: Field) -> tuple[Piece, Piece]:
    """Return `key=` and its values or its meaning, together `COLUMN_WIDTH` columns wide."""
    key = f"{field.key}="
    room = COLUMN_WIDTH - cells(key) - 2
    own = (field.key, field.key.replace("_", " "), f"{field.key}es")
    words = [w for w in (", ".join(field.choices), field.help, field.title) if w and w not in own]
    # A whole word rather than a part: the first and last value, or the meaning without details.
    spread = [f"{field.choices[0]} to {field.choices[-1]}"] if field.choices else []
    words += [*spread, *(_DETAIL.split(w)[0] for w in (field.help, field.title) if w and w not in own)]
    # A key does not explain itself: better a part of its values.
    word = next((w for w in words if cells(w) <= room), words[0] if words else field.title)
    return ((key, "key"), (f" {pad(word, max(1, room), ellipsis=scene.glyphs.ellipsis)} ", "hint"))
