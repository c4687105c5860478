"""The one-line prompt: a line is typed, completed, found again, pasted and sent."""

from __future__ import annotations

from typing import ClassVar, Self

from msgspec.structs import replace

from tui.core.base.text import LONGEST_LINE, clean
from tui.core.language.grammar import usage
from tui.core.rules.complete import complete, last_word
from tui.core.rules.upkeep import COMMON_OPTIONS
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.importing import completed
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.state.adding import quoted
from tui.ui.state.layout import Part
from tui.ui.state.mode import Asks, Where
from tui.ui.state.scene import Scene
from tui.ui.state.view import Notice, PromptKind
from tui.ui.text.editor import Editor, typed_line
from tui.ui.text.press import Press
from tui.ui.text.rows import Piece, Row, cells, clip

MOST_BACK = 500
SHOWN = 12
"""How many completions are named at once, from the one that stands in the line on."""
MOST_LINES = 100
"""The most lines of one paste."""
ENDS = ("quit", "q", "suspend")
"""Words after which nobody types on."""
NO_FIGHT = "A line: open NAME, new NAME, look NAME, tutor SYSTEM, import FILE, theme, help, quit"
MEMBERS: Hints = (("Up/Down", "member"), ("A", "all"))
LEAST_TYPED = 24
"""Columns that the keys leave for what is typed, at the least."""


class Prompt(KeyMode, frozen=True):
    """The one-line prompt. `kind` says what is typed in it.

    `stem` is what it was opened with; `members` are lines it may be opened with instead (one for each member
    of a group, the whole group last); `back` counts how far Up has gone into what was typed before, `typed`
    is what stood here then, `came` the line of a paste that Up has brought; `offers` are what Tab goes
    through, `offer` the one shown; `preview` says what Enter would do.

    `BEHIND`: something may stand behind the cursor that was not typed. `PASTES`: several lines may be pasted.
    `FINDS`: Up finds earlier lines. `SIGN` stands in front.
    """

    kind: PromptKind = "line"
    editor: Editor = Editor()
    stem: str = ""
    members: tuple[str, ...] = ()
    back: int = 0
    typed: str = ""
    came: str = ""
    offers: tuple[str, ...] = ()
    offer: int = -1
    preview: str = ""
    is_typed: ClassVar[bool] = True
    BEHIND: ClassVar[bool] = False
    PASTES: ClassVar[bool] = True
    FINDS: ClassVar[bool] = True
    SIGN: ClassVar[str] = ":"
    HINTS: ClassVar[Hints] = (("Tab", "complete"), ("Up", "earlier lines"), ("Esc", "back"))

    # --- what kinds of prompt do otherwise

    def line(self, desk: BaseDesk) -> str:
        """Return the line that Enter sends."""
        del desk
        return joined(self.editor) if self.BEHIND else self.editor.text.strip()

    def is_empty(self) -> bool:
        """Return whether Enter only closes it."""
        return not self.editor.text.strip()

    def sent(self, desk: BaseDesk) -> None:
        """Close, now that the line was accepted."""
        desk.show(mode=None)

    def single(self, desk: BaseDesk, char: str) -> bool:
        """Take a key with a meaning of its own, and return whether it has one: A takes all of the group."""
        text = self.editor.text[: self.editor.at].removeprefix(self.stem)
        if not self.members or char != "A" or text:
            return False
        self.instead(desk, self.members[-1])
        return True

    def hints(self, scene: Scene) -> Hints:
        """Return the keys that mean something."""
        del scene
        return (*MEMBERS, *self.HINTS) if self.members else self.HINTS

    def edited(self, desk: BaseDesk, editor: Editor) -> Self:
        """Return the prompt with another text."""
        del desk
        return replace(self, editor=editor)

    def offered(self, desk: BaseDesk) -> tuple[str, ...]:
        """Return what the text before the cursor may become, without keys that stand in the line."""
        store, editor = desk.store, self.editor
        head, behind = editor.text[: editor.at], editor.text[editor.at :]
        if head.startswith("import "):
            return completed(head)
        words = (*desk.words, *desk.services.words)
        if desk.scene.home:
            return tuple(sorted(word for word in words if word.startswith(head)))
        texts = complete(head, store.encounter, store.system, words, store.effects.stock)
        return tuple(x for x in texts if not (x.endswith("=") and f" {x.rpartition(' ')[2]}" in behind))

    # --- keys

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Take one key."""
        match key.key:
            case "escape" | "ctrl+c":
                self.close(desk)
            case "enter":
                self.send(desk)
            case "tab" | "shift+tab":
                self._complete(desk, -1 if key.key == "shift+tab" else 1)
            case "ctrl+x":
                # In the user's editor; nothing is sent by that.
                desk.edit(
                    self.editor.text,
                    "line.txt",
                    lambda text: self.type(desk, Editor().insert(clean(text, LONGEST_LINE))),
                )
            case "up" | "down":
                self._up(desk, 1 if key.key == "up" else -1)
            case _:
                self._edit(desk, key)

    def _edit(self, desk: BaseDesk, key: Press) -> None:
        moved = self._erased(desk) if key.key == "ctrl+u" else self.editor.press(key.key)
        if moved is not None:
            self.type(desk, moved)
        elif key.char and self._waits(desk):
            # Keys that were meant for the board would spoil the line that the disk has refused.
            desk.say(
                "this line waits for the disk: Enter sends it again, Left or Backspace edits it, "
                "Esc closes it",
                "warning",
            )
        elif key.char and not self.single(desk, key.char):
            self.type(desk, desk.typed_into(self.editor, key.char))

    def _erased(self, desk: BaseDesk) -> Editor | None:
        """Return what ctrl+u leaves: of a line that a key has begun its words, then its verb."""
        moved = self.editor.press("ctrl+u")
        head = self.editor.text[: self.editor.at]
        if moved is not None and head.startswith(self.stem) and head != self.stem:
            # The words that a key has written stay: what was typed behind them goes first.
            return Editor(self.stem + moved.text, len(self.stem))
        if head == self.stem and self.editor.text != head:
            # What was taken over from the line before goes next.
            return Editor(head, len(head))
        if head == self.stem and " " in head.strip() and head not in desk.view.unsaved:
            # The names that the key has written go next: what is to be done is meant of others. A line that
            # the disk has refused goes whole.
            return Editor.from_text(head.partition(" ")[0] + " ")
        return moved

    def _waits(self, desk: BaseDesk) -> bool:
        """Return whether it is a line that the disk has refused, came from a key, and was not edited."""
        untouched = self.editor == Editor.from_text(self.stem) and desk.drafts.get("line") != self.stem
        return untouched and self.stem in desk.view.unsaved

    def type(self, desk: BaseDesk, editor: Editor) -> None:
        """Put the edited line into the prompt, and keep it as a draft."""
        prompt: Prompt = self
        if self.BEHIND and not editor.text:
            # Without its word it is any line: what belonged to the word is no longer said of it.
            prompt = Prompt(stem=self.stem)
        desk.show(mode=replace(prompt.edited(desk, editor), offers=(), offer=-1, back=0))
        if prompt.kind == "line":
            desk.keep("line", editor.text)

    def close(self, desk: BaseDesk) -> None:
        """Close the prompt; half a line that was given up is found with Up, whatever key began it."""
        # While the disk is still at fault Esc only closes the prompt: the line is not given up.
        if not desk.view.fault and self.stem in desk.view.unsaved:
            desk.forget(self.stem)
            desk.keep("line", self.stem)
        elif self.BEHIND and self.editor.text[: self.editor.at].strip() != self.stem.strip():
            desk.keep("line", joined(self.editor))
        desk.show(mode=None)

    def send(self, desk: BaseDesk) -> None:
        """Send the line. What is refused stays as it is, with the reason."""
        if self.is_empty():
            desk.show(mode=None)
            return
        text = self.editor.text.strip()
        # What stands behind the cursor was not typed: the cursor stays before it when the line is refused.
        desk.show(mode=self if self.BEHIND else replace(self, editor=Editor.from_text(text)))
        before = desk.view.mode
        if not desk.submit(quoted(self.line(desk), desk.store)):
            return
        # The line may have opened a form or a menu, which stays.
        if desk.view.mode is before:
            self.sent(desk)
        desk.keep("line", "")
        if self.came in desk.view.pasted:
            at = desk.view.pasted.index(self.came)
            desk.show(pasted=desk.view.pasted[:at] + desk.view.pasted[at + 1 :])

    def instead(self, desk: BaseDesk, stem: str) -> None:
        """Write the same line for another member."""
        text = self.editor.text.removeprefix(self.stem) if self.editor.text.startswith(self.stem) else ""
        desk.show(mode=replace(self, stem=stem, editor=Editor.from_text(stem + text)))

    def _complete(self, desk: BaseDesk, direction: int) -> None:
        """Go through what the line may become."""
        offers = self.offers or self.offered(desk)
        if not offers:
            desk.say("nothing completes this", "hint")
            return
        first = 0 if direction > 0 else len(offers) - 1
        at = (self.offer + direction) % len(offers) if self.offers else first
        only = len(offers) == 1
        now = Editor(offers[at] + self.editor.text[self.editor.at :], len(offers[at]))
        desk.show(mode=replace(self.edited(desk, now), offers=() if only else offers, offer=at))
        if not only:
            shown = [last_word(line) for line in offers[at : at + SHOWN]]
            desk.say(f"{at + 1} of {len(offers)}: {' '.join(shown)}", "hint")

    def _up(self, desk: BaseDesk, direction: int) -> None:
        if self.members:
            at = self.members.index(self.stem) if self.stem in self.members else 0
            self.instead(desk, self.members[(at - direction) % len(self.members)])
        elif self.FINDS:
            self._earlier(desk, direction)

    def _earlier(self, desk: BaseDesk, direction: int) -> None:
        """Go through the draft and the lines of this fight that begin with what was typed."""
        editor = self.editor
        now = editor.text[: editor.at] if self.BEHIND else editor.text
        typed = self.typed if self.back else now
        # What is left of a paste is meant next, whatever stands in the prompt.
        pasted = [x for x in desk.view.pasted if self.kind != "add" or x.startswith("add ")]
        lines = [*pasted, *_lines(desk, typed)]
        back = max(0, min(len(lines), self.back + direction))
        text = lines[back - 1] if back else typed
        came = text if 0 < back <= len(pasted) else ""
        moved = self.edited(desk, Editor.from_text(text))
        desk.show(mode=replace(moved, back=back, typed=typed, came=came, offers=(), offer=-1))

    # --- pastes

    def paste(self, desk: BaseDesk, text: str, typed: str) -> bool:
        """Put pasted text into the line; several lines are run one after the other, as if typed."""
        lines = self._pasted(text) if self.PASTES else []
        if len(lines) > 1:
            _run(desk, lines, "add " if self.kind == "add" else "")
        else:
            self.type(desk, desk.typed_into(self.editor, typed))
        return True

    def _pasted(self, text: str) -> list[str]:
        """Return the lines of a pasted text, without what the prompt has written already."""
        begun = "add " if self.kind == "add" else ":"
        cleaned = [clean(line, LONGEST_LINE) for line in text.splitlines()[: MOST_LINES * 10]]
        return [x for line in cleaned if (x := line.removeprefix(":").strip().removeprefix(begun))]

    # --- what is shown

    @property
    def where(self) -> Where:
        """Where it stands: at the foot."""
        return "foot"

    @property
    def part(self) -> Part:
        """The part that has the cursor."""
        return "hints"

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return what a line may be where no fight is open; a fight says what it waits for."""
        del act
        return Asks((NO_FIGHT,), ()) if scene.home else None

    def remarks(self, scene: Scene) -> tuple[str, ...] | None:
        """Return what the line being typed takes: how its verb is written, or the values of a house rule."""
        verb, gap, rest = self.editor.text.partition(" ")
        if self.kind != "line" or not gap:
            return None
        key, is_key, _ = rest.rpartition(" ")[2].partition("=")
        rules = (*scene.system.options, *COMMON_OPTIONS) if verb == "option" and is_key else ()
        if field := next((f for f in rules if f.key == key), None):
            values = ", ".join(field.choices) or ("true, false" if field.kind == "bool" else "")
            return (f"{key}= takes {values or f'{field.least} to {field.most}'}",)
        own = next((v.usage for v in scene.system.verbs if v.name == verb), "")
        takes = own or usage(verb)
        return (takes,) if takes else None

    def beside(self, scene: Scene) -> str:
        """Return what is known of those the line names."""
        del scene
        return ""

    def foot(self, scene: Scene, width: int) -> Row:
        """Return the line being typed with its cursor in view, and the keys that mean something in it."""
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
    """Return the first groups that leave `least` columns for typing, and the columns that are left."""
    kept: list[Piece] = []
    for group in groups:
        size = sum(cells(text) for text, _ in group)
        if room - size < least:
            break
        kept += group
        room -= size
    return kept, room


def joined(editor: Editor) -> str:
    """Return what is typed and what stands behind it, with one blank between them."""
    head, tail = editor.text[: editor.at], editor.text[editor.at :]
    return f"{head.rstrip()}{tail}".strip() if tail.startswith(" ") else editor.text.strip()


def _lines(desk: BaseDesk, begin: str) -> list[str]:
    store = desk.store
    # Each line is decoded to be compared: an evening's worth is enough and costs no time.
    first = max(0, store.step - MOST_BACK)
    lines = [
        *reversed(desk.view.unsaved),
        desk.drafts.get("line", ""),
        *(store.done(step).line for step in range(store.step, first, -1)),
    ]
    return list(dict.fromkeys(x for x in lines if x and x.startswith(begin) and x != begin))


def _run(desk: BaseDesk, pasted: list[str], stem: str) -> None:
    """Run each line; the first that is refused stays in the prompt, and Up brings those after it."""
    if len(pasted) > MOST_LINES:
        many = f"a paste holds {MOST_LINES} lines at the most, not {len(pasted)}"
        desk.show(notice=Notice(many, "error", f"`tocsin do {desk.store.name}` takes a file"))
        return
    for number, line in enumerate(pasted, 1):
        _type_line(desk, line)
        if not _is_taken(desk, stem) or line.split(" ")[0] in ENDS:
            left = [stem + x for x in pasted[number:]]
            desk.show(pasted=(*left, *desk.view.pasted)[:MOST_LINES])
            _say_rest(desk, number, len(pasted))
            return
    if desk.view.notice is None:
        desk.say(f"all {len(pasted)} lines are done", "hint")


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
    """Return whether a line was accepted: the prompt has closed, or waits for the next."""
    mode = desk.view.mode
    if not stem:
        return mode is None
    # What is proposed behind the cursor was not typed.
    return isinstance(mode, Prompt) and mode.editor.text[: mode.editor.at] == stem


def _say_rest(desk: BaseDesk, number: int, most: int) -> None:
    """Say at which line the paste stopped, and how the rest is reached."""
    before, left = desk.view.notice, most - number
    rest = f"[Up] brings the {left} after it" if left > 1 else "[Up] brings the one after it" if left else ""
    text = before.text if before else "it waits for an answer"
    helps = "; ".join(x for x in (before.help if before else "", rest) if x)
    text = f"line {number} of {most}: {text}"
    desk.show(notice=replace(before or Notice("", "hint"), text=text, help=helps))
