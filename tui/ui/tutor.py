"""Play a lesson: show its steps above the log, and check after each key whether the step is done."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, json
from msgspec.structs import replace

from tui.core.fight.encounter import label
from tui.core.rules.system import Systems
from tui.store.script import read_beside_system
from tui.store.sources import SeededDice
from tui.store.store import Store
from tui.ui.desk.desk import Desk
from tui.ui.desk.ports import Services
from tui.ui.panes.creatures import focus_title
from tui.ui.panes.log import log
from tui.ui.panes.screen import PARTS, TAB
from tui.ui.state.commands import show_key
from tui.ui.state.layout import Pane, Part
from tui.ui.state.scene import focus
from tui.ui.state.settings import Settings
from tui.ui.state.view import View
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Piece, Row, cells, clip, pad_rows, wrap_text

ANYTHING = "*"
"""In `wants`: any text except ""."""


def known_state(store: Store) -> dict[str, Any]:
    """Return the state to compare with a step's `wants`: the public state, with lists as tables by name.

    `creatures`, each with its `conditions` and `marks`; `rows` of the track; `orders`; `sides`; `owes` by the
    name of each who owes something; `chooser`, who may choose; `notes`, the system's own. The rest is as
    .github/FORMAT.md says.
    """
    table = json.decode(json.encode(store.table()))
    creatures = {
        c["name"]: {**c, "conditions": {x["name"]: True for x in c["conditions"]}}
        for c in table["combatants"]
    }
    return {
        **{key: table[key] for key in ("round", "phase", "acting", "system")},
        "creatures": creatures,
        "rows": {row["entry"]: row for row in table["track"]},
        "orders": {order["who"]: order for order in table["orders"]},
        "sides": {side["name"]: side for side in table["sides"]},
        "owes": {ask["who"]: True for ask in table["due"]},
        "notes": store.encounter.notes,
        "chooser": table["offer"].get("chooser", ""),
    }


def is_as_wanted(wanted: object, actual: object) -> bool:
    """Return whether every wanted key has the wanted value; a wanted false or "" may be missing."""
    if isinstance(wanted, Mapping):
        table = actual if isinstance(actual, Mapping) else {}
        return all(is_as_wanted(value, table.get(key)) for key, value in wanted.items())
    if wanted == ANYTHING:
        return bool(actual)
    return actual == wanted or (wanted in (False, "") and not actual)


class LessonDice:
    """Dice that show the faces given for a step, in order; all other rolls come from the lesson's seed."""

    def __init__(self, faces: Sequence[int], seed: int) -> None:
        self._left = list(faces)
        self._other = SeededDice(seed)

    def roll(self, sides: int) -> int:
        """Return the next face, 1 to `sides`."""
        if self._left and self._left[0] <= sides:
            return self._left.pop(0)
        return self._other.roll(sides)


class LessonStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a lesson. A step without keys ends the lesson."""

    say: str
    """The text; `{next}` in it is replaced by the key of that command."""
    keys: tuple[str, ...] = ()
    """Names of the keys to press; `@next` is the key of that command or verb, and `'text'` is typed."""
    wants: dict[str, Any] = {}
    """The state that the step asks for, as `known_state` returns it; {} if only mode, focus or selection
    count."""
    mode: str = ""
    """The mode that the step asks for: its class in lower case, `board`, or "" for any."""
    focus: Pane | None = None
    """The pane that must have focus, None for any."""
    selected: tuple[str, ...] = ()
    """The names that must be selected, () for any."""
    dice: tuple[int, ...] = ()
    """The faces of the dice that are rolled during the step."""


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson on a system."""

    title: str
    seed: int
    """The seed of all rolls that no step names."""
    steps: tuple[LessonStep, ...]
    system: str = ""
    lines: tuple[str, ...] = ()
    """The lines that set up the fight."""
    options: dict[str, str] = {}
    """The house rules of the fight."""


def list_lessons(systems: Systems) -> tuple[str, ...]:
    """Return the systems that have a lesson beside them."""
    return tuple(name for name in systems.ids() if systems.find_bundled(name, "lesson"))


def read_lesson(system: str, systems: Systems) -> Lesson:
    """Return the lesson on a system. Raises RuleError that names those there are, and BadFile."""
    return replace(read_beside_system(system, systems, "lesson", Lesson), system=system)


_WINDOW = (80, 24)
HELP = "ctrl+g"
"""The key that leads back to the lesson, or does the step. Outside a lesson it does nothing."""


class Coached(Desk):
    """A desk on which a lesson is played.

    A step is done when the fight is as the step asks, whatever keys were pressed. After a key that leads away
    from the step, HELP plays the lesson again up to this step; else HELP does the step.
    """

    log_lines = 7

    def __init__(
        self, lesson: Lesson, store: Store, settings: Settings | None, services: Services | None
    ) -> None:
        super().__init__(store, settings, services)
        self.lesson = lesson
        self.at = 0
        self._playing = False
        # Not the fight's, which may have another system by now.
        self._system = store.systems.get(lesson.system)
        # One that was left in the middle and is opened again has no step that began with the fight as it is.
        self._start = store.encounter if store.steps == len(lesson.lines) else None
        self._reset_dice()

    @property
    def step(self) -> LessonStep:
        """The current step."""
        return self.lesson.steps[self.at]

    @property
    def over(self) -> bool:
        """Whether the lesson has ended."""
        return not self.step.keys

    @property
    def astray(self) -> bool:
        """Whether the fight differs from its state at the start of the step."""
        return self.store.encounter != self._start

    def press(self, press: Press) -> None:
        """Handle a key; HELP leads back to the lesson, or does the step."""
        if press.key == HELP and not self.over:
            self._play_to(self.at if self.astray else self.at + 1)
        else:
            super().press(press)

    def act(self, does: Callable[[], None], *, ends_count: bool = False) -> None:
        """Run the action of a key, then go on to the next step if this one is done.

        Keys that the lesson itself presses are not checked.
        """
        super().act(does, ends_count=ends_count)
        if self._playing:
            return
        while not self.over and self._is_done():
            self._go_to_step(self.at + 1)
        if self.over:
            return
        if not self.astray:
            self._reset_dice()
        # Nothing is forbidden: the way back is shown, and looking around is allowed.
        elif self.view.notice is None:
            self.notify(f"[{show_key(HELP)}] leads back to the lesson", "hint")

    def _go_to_step(self, at: int) -> None:
        """Make step number `at` the current one, starting from the fight as it is."""
        self.at, self._start = at, self.store.encounter
        self._reset_dice()

    def _reset_dice(self) -> None:
        """Set the dice of the current step again, so that earlier rolls in it do not count."""
        dice = LessonDice(self.step.dice, self.lesson.seed + self.at)
        self.store.effects = replace(self.store.effects, dice=dice)

    def _play_to(self, end: int) -> None:
        """Play the lesson from its beginning, key by key, to the start of step number `end`."""
        settings, self.settings = self.settings, replace(self.settings, bell=False)
        self._playing = True
        self.view = View(is_masked=settings.masked, is_zoomed=settings.glyphs.spoken)
        for name in tuple(self.drafts):
            self.keep(name, "")
        if self.store.step:
            self.store.run("goto 0")
        for line in self.lesson.lines:
            self.store.run(line)
        self._go_to_step(0)
        while self.at < end:
            for name in self.pressed():
                for key in name[1:-1] if _is_text(name) else (name,):
                    super().press(_press_of_key(key))
                    # In a window of one size, for a key that turns a page asks how much has room.
                    self.boxes(*_WINDOW)
            self._go_to_step(self.at + 1)
        self.settings, self._playing = settings, False

    def _is_done(self) -> bool:
        """Return whether the fight, or mode, focus and selection, are as the step asks."""
        step = self.step
        if step.wants:
            return is_as_wanted(step.wants, known_state(self.store))
        mode = type(self.view.mode).__name__.lower() if self.view.mode else "board"
        chosen = {label(self.store.encounter, key) for key in self.view.selected}
        return (
            step.mode in ("", mode)
            and step.focus in (None, focus(self.scene))
            and (not step.selected or chosen == set(step.selected))
        )

    # --- what is asked

    def instructions(self) -> str:
        """Return the text of the step, with the keys of commands in it."""

        def key(m: re.Match[str]) -> str:
            return " ".join(show_key(name) for name in self._keys_named(f"@{m[1]}"))

        return re.sub(r"\{([\w-]+)\}", key, self.step.say)

    def pressed(self) -> tuple[str, ...]:
        """Return the names of the step's keys as the user has mapped them, with text in quotes."""
        return tuple(name for key in self.step.keys for name in self._keys_named(key))

    def _keys_named(self, key: str) -> tuple[str, ...]:
        if not key.startswith("@"):
            return (key,)
        own = next((k for k, c in self.keys.commands.items() if c.id == key[1:]), "")
        if own:
            return (own,)
        verb = next(v for v in self._system.verbs if v.name == key[1:])
        return tuple(self.keys.of_verb(verb).split(" "))

    def draw(self, boxes: Mapping[Part, Box]) -> dict[Part, list[Row]]:
        """Return the desk's rows with the lesson above the log, or at the foot of the only pane.

        If there is no room for that, the keys to press replace the hints.
        """
        rows = super().draw(boxes)
        alone = next((part for part in PARTS if part in boxes and part in (*TAB, "over")), None)
        if "log" in boxes:
            rows["log"] = self._panel_rows(boxes["log"].width, boxes["log"].height)
        elif alone and len(foot := self._instruction_rows(boxes[alone].width)) <= boxes[alone].height // 2:
            rows[alone] = [*pad_rows(rows[alone], boxes[alone].height)[: -len(foot)], *foot]
        elif "hints" in boxes and self.view.mode is None:
            rows["hints"] = [
                clip(
                    self._task_row(boxes["hints"].width), boxes["hints"].width, self.settings.glyphs.ellipsis
                )
            ]
        return rows

    def _panel_rows(self, width: int, height: int) -> list[Row]:
        """Return the rows of the lesson, and as much of the log as fits below."""
        head, *rows = self._instruction_rows(width)
        task = [] if self.over else [rows.pop()]
        lines = [head, *rows[: max(1, height - 2)], *task]
        rest = height - len(lines)
        return pad_rows(
            [*lines, *(log(self.scene, self.past, width, rest + 1)[1:] if rest > 0 else [])], height
        )

    def _instruction_rows(self, width: int) -> list[Row]:
        """Return the title, the text and, unless the lesson is over, the keys to press."""
        place = f"{self.at + 1} of {len(self.lesson.steps)}"
        head = focus_title(self.scene, f"Lesson: {self.lesson.title}", width, place)
        rows: list[Row] = [((f" {row}", "text"),) for row in wrap_text(self.instructions(), width - 2)]
        task = [] if self.over else [clip(self._task_row(width), width, self.settings.glyphs.ellipsis)]
        return [head, *rows, *task]

    def _task_row(self, width: int) -> Row:
        """Return the row with the step's keys, and with HELP if it fits."""
        helps = f"[{show_key(HELP)}]"
        pieces: list[Piece] = [(f" {helps} puts the fight right, then", "key")] if self.astray else []
        pieces.append((f" {self.settings.glyphs.arrow}", "key"))
        for name in self.pressed():
            typed = _is_text(name)
            pieces.append(
                (f" {name[1:-1]}" if typed else f" [{show_key(name)}]", "title" if typed else "key")
            )
        offer = f"   or {helps} does it"
        room = width - sum(cells(text) for text, _ in pieces)
        return (*pieces, (offer, "muted")) if not self.astray and room >= cells(offer) else tuple(pieces)


def _is_text(name: str) -> bool:
    """Return whether this is a text in quotes to type; a quote alone is a key."""
    return len(name) > 1 and name.startswith("'")


def _press_of_key(name: str) -> Press:
    """Return the press of the key with that name."""
    if name in ("space", " "):
        return Press("space", " ")
    return Press(name, name if len(name) == 1 else "")
