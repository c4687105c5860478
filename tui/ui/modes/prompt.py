"""The one-line prompt and its kinds: a line, an amount, a condition, a row to aim at, rows to filter."""

from __future__ import annotations

import re
from functools import partial
from typing import ClassVar, Self

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE, clean
from tui.core.language.creature_actions import Afflict
from tui.core.language.grammar import parse, summary, usage
from tui.core.language.noted import untab
from tui.core.language.select import resolve
from tui.core.language.tokens import tokens
from tui.core.rules.complete import complete, last_word
from tui.core.rules.upkeep import COMMON_OPTIONS
from tui.store.library.library_lines import find_begun
from tui.store.library.supply import list_names_of
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.importing import complete_import_path, is_stat_block, look_at_text
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.state.layout import Part, content
from tui.ui.state.mode import Asks, Where
from tui.ui.state.scene import Scene, assign_letters, current, rows_pane
from tui.ui.state.view import Notice, PromptKind
from tui.ui.text.editor import Editor, typed_line
from tui.ui.text.press import DIGITS, Press
from tui.ui.text.rows import Piece, Row, cells, clip

MOST_EARLIER = 500
MOST_SHOWN = 12
"""The most completions shown, beginning with the one in the line."""
MOST_LINES = 100
"""The most lines of one paste."""
ENDING_WORDS = ("quit", "q", "suspend")
"""Verbs that end a paste, because the prompt is gone after them."""
NO_FIGHT = "A line: open NAME, new NAME, look NAME, tutor SYSTEM, import FILE, theme, help, quit"
MEMBERS: Hints = (("Up/Down", "member"), ("A", "all"))
READIES = "readies an action: type trigger and action, such as a foe moves: shoot"
LEAST_TYPED = 24
"""The fewest columns for the typed text; hints get the rest."""


class Prompt(KeyMode, frozen=True):
    """The one-line prompt."""

    kind: PromptKind = "line"
    """The kind of the prompt, which decides the class and its sign."""
    editor: Editor = Editor()
    stem: str = ""
    """The beginning of the line that a key wrote, "" if all was typed."""
    members: tuple[str, ...] = ()
    """Further stems to change to: one for each member of a group, then one for the whole group."""
    back: int = 0
    """How many lines back Up has gone, 0 for the typed line."""
    text_before_up: str = ""
    """The text that was typed before the first Up."""
    came: str = ""
    """The line from a refused paste that Up has shown, "" for another line."""
    offers: tuple[str, ...] = ()
    """The completions that Tab goes through."""
    offer: int = -1
    """The index of the completion shown, -1 for none."""
    preview: str = ""
    """What Enter would do, "" if that is unknown."""
    is_typed: ClassVar[bool] = True
    PROPOSES: ClassVar[bool] = False
    """Whether proposed text can follow the cursor."""
    PASTES: ClassVar[bool] = True
    """Whether several lines may be pasted."""
    FINDS: ClassVar[bool] = True
    """Whether Up goes through earlier lines."""
    ALL: ClassVar[str] = "A"
    """The key that takes the whole group."""
    SIGN: ClassVar[str] = ":"
    """The sign before the text."""
    HINTS: ClassVar[Hints] = (("Tab", "complete"), ("Up", "earlier lines"), ("Esc", "back"))

    # --- what kinds of prompt override

    def line(self, desk: BaseDesk) -> str:
        """Return the line that Enter sends."""
        del desk
        return join_proposal(self.editor) if self.PROPOSES else self.editor.text.strip()

    def is_empty(self) -> bool:
        """Return whether Enter only closes the prompt."""
        return not self.editor.text.strip()

    def sent(self, desk: BaseDesk) -> None:
        """Close after the line was accepted."""
        desk.dismiss()

    def single(self, desk: BaseDesk, char: str) -> bool:
        """Handle a character that is a command, and return whether it was one."""
        text = self.editor.text[: self.editor.at].removeprefix(self.stem)
        if not self.members or char != self.ALL or text:
            return False
        self.instead(desk, self.members[-1])
        return True

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        del scene
        return (*MEMBERS, *self.HINTS) if self.members else self.HINTS

    def with_editor(self, desk: BaseDesk, editor: Editor) -> Self:
        """Return the prompt with another text."""
        del desk
        return replace(self, editor=editor)

    def list_offers(self, desk: BaseDesk) -> tuple[str, ...]:
        """Return the completions of the text before the cursor, without keys that the line has already."""
        store, editor = desk.store, self.editor
        head, after = editor.text[: editor.at], editor.text[editor.at :]
        if head.startswith("import "):
            return complete_import_path(head)
        words = (*desk.words, *desk.services.words)
        if desk.scene.home:
            return tuple(sorted(word for word in words if word.startswith(head)))
        texts = complete(head, store.encounter, store.system, words, partial(list_names_of, store))
        return tuple(x for x in texts if not (x.endswith("=") and f" {x.rpartition(' ')[2]}" in after))

    # --- keys

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        match key.key:
            case "escape" | "ctrl+c":
                self.close(desk)
            case "enter":
                self.send(desk)
            case "tab" | "shift+tab":
                self._complete(desk, -1 if key.key == "shift+tab" else 1)
            case "up" | "down":
                self._go_up(desk, 1 if key.key == "up" else -1)
            case _:
                self._edit(desk, key)

    def _edit(self, desk: BaseDesk, key: Press) -> None:
        editor = self._erase(desk) if key.key == "ctrl+u" else self.editor.press(key.key)
        if editor is not None:
            self.type(desk, editor)
        elif key.char and self._waits(desk):
            # Keys meant for the board would spoil the line that the disk has refused.
            desk.notify(
                "this line waits for the disk: Enter sends it again, Left or Backspace edits it, "
                "Esc closes it",
                "warning",
            )
        elif key.char and not self.single(desk, key.char):
            self.type(desk, desk.typed_into(self.editor, key.char))

    def _erase(self, desk: BaseDesk) -> Editor | None:
        """Return the text after ctrl+u.

        In a line that a key has begun, typed words go first, then the names, then the verb.
        """
        editor = self.editor.press("ctrl+u")
        head = self.editor.text[: self.editor.at]
        if editor is not None and head.startswith(self.stem) and head != self.stem:
            # Typed words are deleted before the words that a key has written.
            return Editor(self.stem + editor.text, len(self.stem))
        if head == self.stem and self.editor.text != head:
            # Then the proposal from the line before.
            return Editor(head, len(head))
        if head == self.stem and " " in head.strip() and head not in desk.view.unsaved:
            # The names that the key has written go next, to do the same to others. A line that the disk has
            # refused goes whole.
            return Editor.from_text(head.partition(" ")[0] + " ")
        return editor

    def _waits(self, desk: BaseDesk) -> bool:
        """Return whether this line was written by a key and could not be saved, so that it waits here."""
        untouched = self.editor == Editor.from_text(self.stem) and desk.drafts.get("line") != self.stem
        return untouched and self.stem in desk.view.unsaved

    def recall(self, desk: BaseDesk, text: str, *, is_own: bool) -> Self:  # noqa: ARG002
        """Return the prompt with an earlier line, or with the user's own text again."""
        return self.with_editor(desk, Editor.from_text(text))

    def type(self, desk: BaseDesk, editor: Editor) -> None:
        """Put the edited line into the prompt, and keep it as a draft."""
        prompt: Prompt = self
        if self.PROPOSES and not editor.text:
            # Without its verb it is any line: hints for the verb no longer apply.
            prompt = Prompt(stem=self.stem)
        desk.show(mode=replace(prompt.with_editor(desk, editor), offers=(), offer=-1, back=0))
        if prompt.kind == "line":
            desk.keep("line", editor.text)

    def close(self, desk: BaseDesk) -> None:
        """Close the prompt; Up finds an unfinished line again, whichever key began it."""
        # While the disk still refuses, Esc only closes the prompt: the line is not given up.
        if not desk.view.fault and self.stem in desk.view.unsaved:
            desk.forget(self.stem)
            desk.keep("line", self.stem)
        elif self.PROPOSES and self.editor.text[: self.editor.at].strip() != self.stem.strip():
            desk.keep("line", join_proposal(self.editor))
        desk.dismiss()

    def send(self, desk: BaseDesk) -> None:
        """Send the line; a refused line stays in the prompt, with the reason in a notice."""
        if self.is_empty():
            desk.dismiss()
            return
        text = self.editor.text.strip()
        # Proposed text after the cursor was not typed: the cursor stays before it if the line is refused.
        desk.show(mode=self if self.PROPOSES else replace(self, editor=Editor.from_text(text)))
        before = desk.view.mode
        if not desk.submit(self.line(desk)):
            return
        # The line may have opened a form or a menu, which stays.
        if desk.view.mode is before:
            self.sent(desk)
        desk.keep("line", "")
        if self.came in desk.view.unsent:
            at = desk.view.unsent.index(self.came)
            desk.show(unsent=desk.view.unsent[:at] + desk.view.unsent[at + 1 :])

    def instead(self, desk: BaseDesk, stem: str) -> None:
        """Change the line to another stem, keeping the text after the old one."""
        text = self.editor.text.removeprefix(self.stem) if self.editor.text.startswith(self.stem) else ""
        desk.show(mode=replace(self, stem=stem, editor=Editor.from_text(stem + text)))

    def _complete(self, desk: BaseDesk, direction: int) -> None:
        """Show the next or previous completion."""
        offers = self.offers or self.list_offers(desk)
        if not offers:
            desk.notify("nothing can complete this", "hint")
            return
        first = 0 if direction > 0 else len(offers) - 1
        at = (self.offer + direction) % len(offers) if self.offers else first
        only = len(offers) == 1
        now = Editor(offers[at] + self.editor.text[self.editor.at :], len(offers[at]))
        desk.show(mode=replace(self.with_editor(desk, now), offers=() if only else offers, offer=at))
        if not only:
            shown = [last_word(line) for line in offers[at : at + MOST_SHOWN]]
            desk.notify(f"{at + 1} of {len(offers)}: {' '.join(shown)}", "hint")

    def _go_up(self, desk: BaseDesk, direction: int) -> None:
        if self.members:
            at = self.members.index(self.stem) if self.stem in self.members else 0
            self.instead(desk, self.members[(at - direction) % len(self.members)])
        elif self.FINDS:
            self._go_back(desk, direction)

    def _go_back(self, desk: BaseDesk, direction: int) -> None:
        """Show the next (1) or previous (-1) line of those that Up goes through.

        These are the unsent lines of a paste, then the draft and earlier lines that begin with the typed
        text.
        """
        editor = self.editor
        now = editor.text[: editor.at] if self.PROPOSES else editor.text
        typed = self.text_before_up if self.back else now
        # The rest of a paste comes first, whatever the prompt holds.
        pasted = [x for x in desk.view.unsent if self.kind != "add" or x.startswith("add ")]
        lines = [*pasted, *_lines(desk, typed)]
        back = max(0, min(len(lines), self.back + direction))
        text = lines[back - 1] if back else typed
        came = text if 0 < back <= len(pasted) else ""
        prompt = self.recall(desk, text, is_own=not back)
        desk.show(mode=replace(prompt, back=back, text_before_up=typed, came=came, offers=(), offer=-1))

    # --- pastes

    def paste(self, desk: BaseDesk, text: str, typed: str) -> bool:
        """Insert pasted text; several lines run one after the other, as if typed. Return True.

        The stat block of a book opens the import, which shows what is read.
        """
        lines = self._pasted_lines(text) if self.PASTES else []
        if lines and is_stat_block(text):
            try:
                look_at_text(desk, text)
            except RuleError as error:
                desk.report_refusal(error)
        elif len(lines) > 1:
            _run(desk, lines, "add " if self.kind == "add" else "")
        else:
            one = clean(untab(text), LONGEST_LINE) if self.kind == "add" and lines else typed
            self.type(desk, desk.typed_into(self.editor, one))
        return True

    def _pasted_lines(self, text: str) -> list[str]:
        """Return the lines of a pasted text, without a leading `:` or, in the add prompt, `add`."""
        begun = "add " if self.kind == "add" else ":"
        parts = text.splitlines()[: MOST_LINES * 10]
        # Columns of a table of creatures are separated by tabs, which no line has.
        parts = [untab(x) if self.kind == "add" or x.lstrip(": ").startswith("add ") else x for x in parts]
        cleaned = [clean(line, LONGEST_LINE) for line in parts]
        return [x for line in cleaned if (x := line.removeprefix(":").strip().removeprefix(begun))]

    # --- what is shown

    @property
    def where(self) -> Where:
        """The place on the screen: the last row."""
        return "foot"

    @property
    def part(self) -> Part:
        """The part that has the cursor."""
        return "hints"

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return which lines work if no fight is open, else None, so that the fight's Now stays."""
        del act
        return Asks(NO_FIGHT) if scene.home else None

    def remarks(self, scene: Scene) -> tuple[str, ...] | None:
        """Return what a verb does, of a typed one its syntax or a house rule's values; None for no note."""
        verb, gap, rest = self.editor.text.partition(" ")
        if self.kind != "line" or not gap:
            return None
        key, is_key, _ = rest.rpartition(" ")[2].partition("=")
        rules = (*scene.system.options, *COMMON_OPTIONS) if verb == "option" and is_key else ()
        if field := next((f for f in rules if f.key == key), None):
            values = ", ".join(field.choices) or ("true, false" if field.kind == "bool" else "")
            return (f"{key}= takes {values or f'{field.least} to {field.most}'}",)
        own = next((v for v in scene.system.verbs if v.name == verb), None)
        if self.stem:
            # Whoever has pressed a key asks what the line does, not how it is written.
            does = own.help if own else READIES if self._readies(scene) else summary(verb)
            return (does,) if does else None
        takes = own.usage if own else usage(verb)
        return (takes,) if takes else None

    def _readies(self, scene: Scene) -> bool:
        """Return whether the line readies an action, because it names a creature that acts."""
        try:
            verb, who, *_ = (t.text for t in tokens(self.stem))
            acts = not {*resolve(scene.encounter, who)}.isdisjoint(scene.encounter.actors)
        except (RuleError, ValueError):
            return False
        return verb == "react" and acts and bool(scene.system.readies)

    def beside(self, scene: Scene) -> str:
        """Return known values of the creatures in the line, "" for none."""
        del scene
        return ""

    def foot(self, scene: Scene, width: int) -> Row:
        """Return the typed line with its cursor in view, and the hints."""
        words = self.beside(scene)
        groups: list[tuple[Piece, ...]] = [((f" {words}", "hint"),)] if words else []
        groups += [((f" {key}", "key"), (f" {word}", "hint")) for key, word in self.hints(scene)]
        least = max(LEAST_TYPED, cells(self.editor.text[:width]) + 4)
        help_, room = _fitting_help(groups, width - 1 - cells(self.SIGN), least)
        typed = typed_line(self.editor, room)
        used = sum(cells(t) for t, _ in typed)
        gap: Piece = (" " * max(0, room - used + 1), "text")
        return clip(((self.SIGN, "key"), *typed, gap, *help_), width, scene.glyphs.ellipsis)


def _fitting_help(groups: list[tuple[Piece, ...]], room: int, least: int) -> tuple[list[Piece], int]:
    """Return the first hints that leave `least` columns for typing, and how many columns are left."""
    kept: list[Piece] = []
    for group in groups:
        size = sum(cells(text) for text, _ in group)
        if room - size < least:
            break
        kept += group
        room -= size
    return kept, room


def join_proposal(editor: Editor) -> str:
    """Return the typed text and the proposed text after it, with one space between them."""
    head, tail = editor.text[: editor.at], editor.text[editor.at :]
    return f"{head.rstrip()}{tail}".strip() if tail.startswith(" ") else editor.text.strip()


def _lines(desk: BaseDesk, begin: str) -> list[str]:
    store = desk.store
    # Each line is decoded to be compared: the lines of one evening are enough and cost no time.
    first = max(0, store.step - MOST_EARLIER)
    lines = [*reversed(desk.view.unsaved), desk.drafts.get("line", "")]
    lines += [store.done(step).line for step in range(store.step, first, -1)]
    return list(dict.fromkeys(x for x in lines if x and x.startswith(begin) and x != begin))


def _run(desk: BaseDesk, pasted: list[str], stem: str) -> None:
    """Run the pasted lines; after a refused line the others become `unsent`, so that Up recalls them."""
    if len(pasted) > MOST_LINES:
        many = f"a paste holds {MOST_LINES} lines at most, not {len(pasted)}"
        desk.show(notice=Notice(many, "error", "`tocsin do SAVE -` takes any number"))
        return
    for number, line in enumerate(pasted, 1):
        _type_line(desk, line)
        if not _is_taken(desk, stem) or line.split(" ")[0] in ENDING_WORDS:
            unsent = [stem + x for x in pasted[number:]]
            desk.show(unsent=(*unsent, *desk.view.unsent)[:MOST_LINES])
            _say_rest(desk, number, len(pasted))
            return
    if desk.view.notice is None:
        desk.notify(f"all {len(pasted)} lines are done", "hint")


def _type_line(desk: BaseDesk, line: str) -> None:
    """Type a line into the prompt, which opens for it, and send it."""
    if desk.view.mode is None:
        desk.open_prompt("")
    if isinstance(mode := desk.view.mode, Prompt):
        mode.type(desk, desk.typed_into(mode.editor, line))
    desk.show(notice=None)
    if isinstance(typed := desk.view.mode, Prompt):
        typed.send(desk)


def _is_taken(desk: BaseDesk, stem: str) -> bool:
    """Return whether a line was accepted: the prompt has closed, or shows only `stem` again."""
    mode = desk.view.mode
    if not stem:
        return mode is None
    # Proposed text after the cursor was not typed.
    return isinstance(mode, Prompt) and mode.editor.text[: mode.editor.at] == stem


def _say_rest(desk: BaseDesk, number: int, most: int) -> None:
    """Say at which line the paste stopped, and how to get the other lines."""
    before, remaining = desk.view.notice, most - number
    rest = (
        f"[Up] brings the {remaining} after it"
        if remaining > 1
        else "[Up] brings the one after it"
        if remaining
        else ""
    )
    text = before.text if before else "it waits for an answer"
    helps = "; ".join(x for x in (before.help if before else "", rest) if x)
    text = f"line {number} of {most}: {text}"
    desk.show(notice=replace(before or Notice("", "hint"), text=text, help=helps))


DAMAGE = "damage "
POOL = " pool=yes"
_AMOUNT = re.compile(r"[0-9d+\- ]*[0-9]")


class PointsPrompt(Prompt, frozen=True):
    """An amount of damage or healing for the creatures in the line.

    After the amount, h halves and x doubles it; P lets damage run through the group, A takes the whole group.
    """

    kind: PromptKind = "points"
    PROPOSES: ClassVar[bool] = True
    PASTES: ClassVar[bool] = False
    HINTS: ClassVar[Hints] = (("h", "half"), ("x", "double"), ("Esc", "back"))

    def single(self, desk: BaseDesk, char: str) -> bool:
        """Handle h, x, P and A; return whether the character was one of them."""
        head, tail = self.editor.text[: self.editor.at], self.editor.text[self.editor.at :]
        text = head.removeprefix(self.stem)
        # Only after a whole amount: before it the character may begin a name.
        if char in "hx" and _AMOUNT.fullmatch(text.strip()):
            head = head.rstrip() + ("/2" if char == "h" else "*2")
            replace(self, editor=Editor(head + tail, len(head))).send(desk)
            return True
        if self.members and char == "P" and self.stem.startswith(DAMAGE):
            head = self.members[-1] + text
            desk.show(mode=replace(self, stem=self.members[-1], editor=Editor(f"{head}{POOL}", len(head))))
            return True
        if self.members and char == "A":
            self.instead(desk, self.members[-1])
            return True
        return False

    def beside(self, scene: Scene) -> str:
        """Return `has 14/18+5`, or `have 3 to 18` for several creatures in the line; "" if it names none."""
        try:
            parsed = tokens(self.editor.text)
            named = [scene.encounter.combatants[k] for k in resolve(scene.encounter, parsed[1].text)]
        except (RuleError, IndexError):
            return ""
        # Members of a group that are out take no damage.
        named = [c for c in named if not c.out] or named
        known = [c for c in named if c.hp is not None]
        if len(known) == 1:
            (c,) = known
            return f"has {c.hp}/{c.most_hp}" + (f"+{c.temp_hp}" if c.temp_hp else "")
        if named and not known:
            return "hit points not counted"
        points = sorted(c.hp for c in known if c.hp is not None)
        return f"have {points[0]} to {points[-1]}" if points else ""

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        del scene
        pool = (("P", "pool"),) if self.stem.startswith(DAMAGE) else ()
        return (*MEMBERS, *pool, *self.HINTS) if self.members else self.HINTS


class ConditionPrompt(Prompt, frozen=True):
    """A condition, and how long it lasts."""

    kind: PromptKind = "condition"
    PROPOSES: ClassVar[bool] = True
    PASTES: ClassVar[bool] = False
    HINTS: ClassVar[Hints] = (
        ("rounds=", "2"),
        ("save=", "DC"),
        ("of=", "WHO"),
        ("conc=", "yes"),
        ("Tab", "complete"),
        ("Enter", "send"),
        ("Esc", "back"),
    )

    def with_editor(self, desk: BaseDesk, editor: Editor) -> Self:
        """Return the prompt with a text, and the known condition whose name it only begins."""
        head, preview = editor.text[: editor.at], ""
        try:
            action = parse(head)
        except RuleError:
            action = None
        if isinstance(action, Afflict) and (meant := find_begun(action.name, desk.store)):
            completes = head.endswith(action.name) and "," not in action.name
            preview = f"{meant}? " + ("Tab completes" if completes else f"{action.name} is taken as typed")
        return replace(self, editor=editor, preview=preview)

    def remarks(self, scene: Scene) -> tuple[str, ...] | None:
        """Return the condition that may be meant; None for no note."""
        return (self.preview,) if self.preview else Prompt.remarks(self, scene)


class AimPrompt(Prompt, frozen=True):
    """Moves the cursor to the row of a typed character; a number typed before it is damage to that row."""

    kind: PromptKind = "aim"
    FINDS: ClassVar[bool] = False
    SIGN: ClassVar[str] = "-"

    @property
    def aims(self) -> bool:
        """Whether every row shows its character."""
        return True

    def is_empty(self) -> bool:
        """Return True, because Enter only closes the prompt."""
        return True

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        if key.char and key.char in DIGITS and (key.char != "0" or self.editor.text):
            desk.show(mode=replace(self, editor=desk.typed_into(self.editor, key.char)))
        elif key.char:
            self._aim_at(desk, key.char)
        else:
            Prompt.press(self, desk, key)

    def _aim_at(self, desk: BaseDesk, char: str) -> None:
        """Go to the row of this character; if an amount was typed, deal it as damage to that row."""
        scene = desk.scene
        rows = {letter: key for key, letter in assign_letters(scene).items()}
        key = rows.get(char)
        if key is None:
            desk.notify(f"no row has the letter {char}; Esc goes back", "warning")
            return
        pane = rows_pane(scene)
        desk.dismiss(focus=pane, roster="" if content(pane) == "entries" else key)
        if content(pane) == "entries":
            desk.show(track=key)
        if self.editor.text:
            desk.show(count=self.editor.text)
            desk.submit("command damage")
            desk.show(count="")

    def paste(self, desk: BaseDesk, text: str, typed: str) -> bool:
        """Ignore pasted text, and return False."""
        del desk, text, typed
        return False

    def hints(self, scene: Scene) -> Hints:
        """Return the hints, which say what a typed character does."""
        del scene
        does = f"take {self.editor.text} off their row" if self.editor.text else "go to their row"
        return (("letters", does), ("Esc", "back"))


CHOOSE = ("Up/Down", "choose")


class FilterPrompt(Prompt, frozen=True):
    """The text by which rows are filtered."""

    kind: PromptKind = "filter"
    PASTES: ClassVar[bool] = False
    FINDS: ClassVar[bool] = False
    SIGN: ClassVar[str] = "/"

    def hints(self, scene: Scene) -> Hints:
        """Return the hints; on the start screen Enter also opens the row."""
        return (CHOOSE, ("Enter", "take" if scene.home else "keep"), ("Esc", "clear"))

    def now(self, scene: Scene, act: str) -> None:
        """Return None, because the Now line stays useful: it is about the rows that are still shown."""

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        if key.key in ("up", "down"):
            desk.submit(key.key)
            desk.show(mode=self)
        elif key.key not in ("tab", "shift+tab"):
            Prompt.press(self, desk, key)

    def type(self, desk: BaseDesk, editor: Editor) -> None:
        """Apply the edited text as a filter at once, and go to the row that it finds."""
        before = current(desk.scene)
        Prompt.type(self, desk, editor)
        desk.show(filter=editor.text)
        if (at := current(desk.scene)) not in ("", before):
            desk.go_to_row(at)

    def close(self, desk: BaseDesk) -> None:
        """Close the filter and show all rows again; the cursor stays on the row that was found."""
        desk.dismiss(filter="")

    def send(self, desk: BaseDesk) -> None:
        """Close the filter and keep it; on the start screen, open the row in focus."""
        desk.dismiss(filter=self.editor.text.strip())
        if desk.scene.home:
            desk.submit("go")
