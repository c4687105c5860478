"""The desk of a fight: handles keys, sends lines to the store, draws frames.

What keys do is imported by the functions that handle them, so that the first picture does not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import clean
from tui.store.problems import NotSaved
from tui.ui.desk.base import NOTICE_SECONDS, BaseDesk, reason
from tui.ui.modes.mode import KeyMode
from tui.ui.panes import screen
from tui.ui.panes.pane import Ask
from tui.ui.state.commands import show_key
from tui.ui.state.layout import Heights, Part, Remembered, Room, grow_heights, heights
from tui.ui.state.messages import count_seconds
from tui.ui.state.scene import Scene, current
from tui.ui.state.view import PromptKind, View
from tui.ui.text.press import STEPS, Press
from tui.ui.text.rows import Box, Row

LONGEST_PASTE = 4_000
_ENDING_KEYS = ("enter", "escape", "ctrl+c", "up", "down", "tab", "shift+tab")
"""The keys after which typed text is over."""
STEADY_KEYS = frozenset(
    (*STEPS, "left", "right", "tab", "shift+tab", "backspace", "delete", "ctrl+d", "ctrl+e", "ctrl+k",
     "ctrl+u", "ctrl+w")
)  # fmt: skip
"""Keys that move or edit: where nothing changes, this can be seen."""


class Desk(BaseDesk):
    """The view of one fight, and what each key does."""

    _risen: tuple[tuple[int, int, int], Heights] = ((0, 0, 0), Heights())
    """Width, height and round of the latest frames, and the greatest heights of panes in that round."""
    _heights: tuple[tuple[int, int, int], Heights] = ((0, 0, -1), Heights())
    """Width, height and record of a frame, and its heights of panes, which stay until the next record."""
    _size = (0, 0)
    _arranged: tuple[Scene, int, tuple[int, int], Remembered] | None = None
    """What `placed` was computed for: a key and its frames ask four times, a fifth of their time."""
    _asked: Mapping[Part, Ask | None] = {}
    """What the panes asked for then."""
    _frame: tuple[Scene, int, Mapping[Part, Box], dict[Part, list[Row]]] | None = None
    """The scene, record, boxes and rows of the last frame."""
    _card = ""
    """The key of the row whose card is drawn until the cursor rests, "" for the current row.

    Only drawing uses it: the meaning of a key never depends on how quickly it follows another key.
    """

    @property
    def words(self) -> Mapping[str, Callable[[BaseDesk, str], None]]:
        """The functions of the screen's words; each takes the desk and the rest of the line."""
        from tui.ui.desk.board import WORDS

        return WORDS

    # --- for modes and words

    @property
    def mode(self) -> KeyMode | None:
        """The mode that has focus, None for the board."""
        mode = self.view.mode
        assert mode is None or isinstance(mode, KeyMode)
        return mode

    def open_prompt(self, line: str, kind: PromptKind = "line", members: tuple[str, ...] = ()) -> None:
        """Open the prompt with a line."""
        from tui.ui.desk.board import open_prompt

        open_prompt(self, line, kind, members)

    def submit(self, line: str) -> bool:
        """Run a line of the screen, the program or the fight, and return whether it was accepted."""
        from tui.ui.desk import board
        from tui.ui.modes.leaving import leaving_page

        word, _, rest = line.strip().partition(" ")
        if word in self.words:
            return self._word(word, rest.strip())
        if word in self.services.words:
            return self._program(word, rest.strip())
        if question := leaving_page(self.store, line):
            self.show(mode=question)
            return True
        if not rest and word in self.keys.asking:
            self.dismiss()
            board.run_command(self, self.keys.asking[word])
            return True
        return self.run(line)

    def _program(self, word: str, rest: str) -> bool:
        before = self.view.mode
        try:
            said = self.services.words[word].does(rest)
            # The word may have opened a mode, which stays.
            self.show(fault=None, mode=None if self.view.mode is before else self.view.mode)
            if said:
                self.notify(said, "ok")
        except RuleError as error:
            self.report_refusal(error)
            return False
        except NotSaved as error:
            self.show(notice=reason(error))
            return False
        return True

    def _word(self, word: str, rest: str) -> bool:
        """Run a word of the screen on the row named in its line or the current row; return whether it ran."""
        from tui.ui.desk import board

        try:
            board.check_rest(self, word, rest)
            row = board.names_row(word, rest)
            selected = self.view.selected
            if row:
                board.go_to_named(self, word, rest)
            self.dismiss()
            self.words[word](self, "" if row else rest)
        except RuleError as error:
            self.report_refusal(error)
            return False
        if row and word != "select":
            self.show(selected=selected)
        return True

    @property
    def spoken(self) -> bool:
        """Whether a screen reader follows the terminal's cursor."""
        return self.settings.glyphs.spoken

    @property
    def settled(self) -> bool:
        """Whether the disk has everything that is shown, or the reason why not is shown."""
        return self.services.is_saved() or self.services.fault() is not None

    _unpasted = False
    """Whether a paste was refused since the last key; Enter then does nothing, as part of the paste."""

    _settled = ("", False)
    """What a player has settled while keys were meant for it, and whether some were typed already."""

    def overtake(self, before: Scene) -> None:
        """Handle the step of a player's line, also by the mode."""
        from tui.ui.modes.rolls import RollList

        super().overtake(before)
        mode = self.mode
        if mode and (settled := mode.overtaken(self)):
            is_typed = isinstance(mode, RollList) and bool(mode.editor.text)
            self._settled = (settled, is_typed)
            self.notify(f"{settled}; Enter continues" if is_typed else settled)

    def _meant_for_settled(self, key: str) -> bool:
        """Return whether a key was meant for what a player settled: typed text ends with Enter, or Esc."""
        settled, is_typed = self._settled
        if not settled or (not is_typed and self.could_be_read()):
            self._settled = ("", False)
            return False
        if key in _ENDING_KEYS:
            self._settled = ("", False)
        self.notify(settled if key in _ENDING_KEYS else f"{settled}; Enter continues")
        return True

    def _meant_for_list(self, key: Press) -> bool:
        """Return whether a key was typed behind a list that has closed by itself."""
        characters, at, ends = self.closed
        is_typed = bool(key.char) and key.char in characters
        is_meant = is_typed or (ends and key.key == "enter")
        if not is_meant or count_seconds(at, self.store.effects.clock()) > NOTICE_SECONDS:
            self.closed = ("", "", False)
            return False
        self.closed = (characters, at, is_typed)
        self.notify("all have rolled and the list is closed: what is typed after it does nothing", "hint")
        return True

    def _meant_for_paste(self, *, enter: bool) -> bool:
        unpasted, self._unpasted = self._unpasted, False
        if unpasted and enter:
            self.notify("nothing was pasted, and this Enter did nothing; another Enter continues", "hint")
        return unpasted and enter

    def press(self, press: Press) -> None:
        """Handle a key: by the mode, else as a command, a verb of the system, or a count."""
        from tui.ui.desk import board

        press = press if press.key in self.keys.commands else press.without_repeat
        if self._meant_for_paste(enter=press.key == "enter") or self._meant_for_settled(press.key):
            return
        if self._meant_for_list(press):
            return
        if mode := self.mode:
            self.act(lambda: self._press_in(mode, press))
            # The board is seen again: its cursor has left the rows of steps that came behind the mode.
            BaseDesk.rest(self)
        elif command := board.command_of(self, press.name):
            self.perform(command.id)
        elif verb := board.verb_of(self, press.name):
            self.say_verb(verb.name)
        else:
            self.act(lambda: self.unbound(press))

    def _press_in(self, mode: KeyMode, key: Press) -> None:
        """Let a mode handle a key; say so if the key does nothing there."""
        before = self.view, self.store.record, self.services.imports.now().stage
        mode.press(self, key)
        after = self.view, self.store.record, self.services.imports.now().stage
        if after == before and key.name not in STEADY_KEYS:
            self.notify(f"{show_key(key.name)} does nothing here", "hint")

    def unbound(self, key: Press) -> None:
        """Handle a key without a command or verb."""
        from tui.ui.desk import board

        board.press(self, key)

    @property
    def _is_free(self) -> bool:
        """Whether keys are meant for the board."""
        return self.view.mode is None and not self._settled[0] and not self.closed[0]

    def takes(self, command: str) -> bool:
        """Return whether every key of a command runs it now; no key does while a mode is open."""
        from tui.ui.desk import board

        command_row = self.keys.by_id.get(command)
        return (
            self._is_free
            and command_row is not None
            and bool(command_row.keys)
            and all(board.command_of(self, key) is command_row for key in command_row.keys)
        )

    def takes_verb(self, system: str, verb: str) -> bool:
        """Return whether the key of a system's verb runs it now."""
        from tui.ui.desk import board

        known_verb = next((v for v in self.store.system.verbs if v.name == verb), None)
        return (
            self._is_free
            and self.store.system.id == system
            and known_verb is not None
            and board.verb_of(self, known_verb.key) is known_verb
        )

    def perform(self, command: str) -> None:
        """Run a command of the table by its id."""
        from tui.ui.desk import board

        if self._meant_for_paste(enter=command == "go"):
            return
        self.act(lambda: board.run_command(self, self.keys.by_id[command]), ends_count=True)

    def say_verb(self, verb: str) -> None:
        """Run a verb of the running system by its name."""
        from tui.ui.desk.play import say_verb

        self._unpasted = False
        known_verb = next(v for v in self.store.system.verbs if v.name == verb)
        self.act(lambda: say_verb(self, known_verb), ends_count=True)

    def act(self, does: Callable[[], None], *, ends_count: bool = False) -> None:
        """Call the function of a key, and do what follows every key: notices, card, boxes."""
        self.view, self._pressed_at = replace(self.view, notice=None), self.store.effects.clock()
        self.asked_before, self.asked = self.asked, ""
        before, record, card = self.view, self.store.record, self._card or current(self.scene)
        try:
            does()
        except RuleError as error:
            self.report_refusal(error)
        if ends_count:
            self.show(count="")
        if before.key_record and self.store.record == record:
            self.view = replace(self.view, key_record=0)
        if (self.view.track, self.view.roster) != (before.track, before.roster):
            self._before = None
        # A key that only moved the cursor may be one of many: the card changes when no more keys come.
        is_same_card = self.store.record == record and _card_state(self.view) == _card_state(before)
        self._card = card if is_same_card else ""
        # After the key, which may have opened a mode that must not be covered.
        self._offer_unsaved()
        if self._size != (0, 0):
            self._place()

    def _place(self) -> None:
        """Compute the boxes after a key, even if no frame is drawn before the next key."""
        self._arrange()
        # Modes over or beside the panes do not count: when they close, everything is as before.
        if self._plain:
            self._risen = ((*self._size, self.store.encounter.round), grow_heights(self.placed, self._least))

    def rest(self) -> bool:
        """Draw the current row's card from now on; return whether that is another card than before."""
        was_held = BaseDesk.rest(self)
        before, self._card = self._card, ""
        return was_held or (bool(before) and before != current(self.scene))

    def paste(self, text: str) -> None:
        """Insert pasted text if text can be typed; it is never handled as keys.

        Several lines run in the prompts for lines and for adding, and become one line elsewhere.
        """
        self._unpasted = False
        typed = clean(text, LONGEST_PASTE)
        if len(text) > LONGEST_PASTE:
            self.notify(f"the paste was cut: {LONGEST_PASTE:,} characters are kept")
        if mode := self.mode:
            was_taken = mode.paste(self, text, typed)
        elif was_taken := text.startswith(":"):
            # A whole line with its colon: it is shown, and needs its own Enter.
            self.open_prompt("")
            self.paste(text[1:])
        if not was_taken:
            self._unpasted = True
            self.notify(f"pasted text does not press keys: {self.keys.shown.get('line', ':')} first")

    def boxes(self, width: int, height: int) -> dict[Part, Box]:
        """Return the box of each part."""
        self._size = (width, height)
        self._arrange()
        if not self._card:
            return {**self.placed}
        drawn = self._drawn
        asked = screen.ask_panes(drawn, Room(width, height), self._asked)
        return screen.boxes(drawn, width, height, self._remembered, asked)

    @property
    def _drawn(self) -> Scene:
        """What the frame depends on: the scene, with the card that is still drawn."""
        return replace(self.scene, card=self._card)

    def _arrange(self) -> None:
        """Compute the boxes of the panes if anything has changed; keys that turn a page use them."""
        # No pane asks for other lines once the step is on the disk.
        wanted = (replace(self.scene, is_saved=True), self.store.record, self._size, self._remembered)
        if wanted == self._arranged:
            return
        scene = wanted[0]
        if self._arranged is None or self._arranged[:3] != wanted[:3]:
            self._asked = screen.ask_panes(scene, Room(*self._size))
        self._arranged = wanted
        self.placed = screen.boxes(scene, *self._size, self._remembered, self._asked)
        if self._plain and self._heights[0] != self._step:
            self._heights = (self._step, heights(self.placed))

    @property
    def _remembered(self) -> Remembered:
        heights = self._heights[1] if self._plain and self._heights[0] == self._step else Heights()
        return Remembered(self._least, heights)

    @property
    def _plain(self) -> bool:
        return self.view.mode is None and not self.view.is_zoomed

    @property
    def _step(self) -> tuple[int, int, int]:
        return (*self._size, self.store.record)

    @property
    def _least(self) -> Heights:
        """The heights that panes keep until the round ends; 0 after a change of size."""
        return self._risen[1] if self._risen[0] == (*self._size, self.store.encounter.round) else Heights()

    def draw(self, boxes: Mapping[Part, Box]) -> dict[Part, list[Row]]:
        """Return the rows of every part that has a box."""
        self.seen, self.read = self.view.mode, self.asked
        scene, record, last = self._drawn, self.store.record, self._frame
        kept = dict[Part, list[Row]]()
        since = last and replace(last[0], card=scene.card, is_saved=scene.is_saved)
        is_same = since == scene and last and last[1] == record
        if last and is_same and last[2].keys() ^ boxes.keys() <= screen.WITHOUT_KEY:
            # Once the step is on the disk or the cursor rests, only few panes change, and the boxes below
            # cards: other panes were half of the time of such a frame.
            same = {part for part, box in boxes.items() if last[2].get(part) == box}
            kept = {
                part: last[3][part] for part in same if scene == last[0] or part not in screen.WITHOUT_KEY
            }
        rows = screen.draw(scene, boxes, kept)
        self._frame = (scene, record, boxes, rows)
        return {**rows}

    def point(self, boxes: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
        """Return column and line of the text cursor or of the row in focus."""
        return screen.cursor_position(self.scene, boxes, drawn)


def _card_state(view: View) -> tuple[object, ...]:
    """Return the fields of a view that change the card at once, without waiting for the cursor to rest."""
    return view.mode, view.focus
