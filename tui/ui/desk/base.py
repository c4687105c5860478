"""The base of all desks: the view, notices, drafts of unsaved lines, the offer to group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE
from tui.core.fight.encounter import Encounter, label
from tui.core.fight.events import Added, Passed, RoundBegan, TurnBegan, TurnEnded
from tui.core.fight.viewer import text
from tui.core.rules.newcomers import find_kinds, group_line
from tui.core.rules.on_screen import on_screen
from tui.core.rules.system import InitiativeSystem
from tui.store.dependencies import Result
from tui.store.history import Step
from tui.store.problems import NotSaved
from tui.store.store import Store
from tui.ui.desk.ports import Services, Surface
from tui.ui.panes.keyed import keyed_text
from tui.ui.panes.log import omit_names
from tui.ui.state.commands import TAKE_OVER_KEY, Command, Keys, keys_of, usable
from tui.ui.state.layout import LEAST_LOG_LINES, Part, content
from tui.ui.state.messages import Chronicle, count_seconds
from tui.ui.state.scene import (
    Scene,
    asked_first,
    current,
    describe_selection,
    focus,
    has_hidden_orders,
    is_row_chosen,
    must_read,
    rows_pane,
    selected_names,
)
from tui.ui.state.settings import Settings
from tui.ui.state.view import Mode, Notice, PromptKind, View
from tui.ui.text.editor import Editor
from tui.ui.text.palette import Role
from tui.ui.text.rows import Box

NO_ROW = "no row is selected"
"""The notice for a command that needs a row."""

MOST_UNSAVED = 20
"""The most unsaved lines that are kept; older ones are dropped."""

_DRAFT_PREFIX = "unsaved "
"""The beginning of the names of drafts for unsaved lines; a number follows."""


def reason(error: NotSaved) -> Notice:
    """Return the notice for a line that is not on the disk: what is wrong, and what would fix it."""
    return Notice(f"NOT SAVED: {error.message}", "error", error.hint)


def restore_lines(texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the lines that were unsaved when the program last ended, the latest last."""
    return tuple(line for place in range(MOST_UNSAVED) if (line := texts.get(f"{_DRAFT_PREFIX}{place}", "")))


def append_line(lines: tuple[str, ...], line: str) -> tuple[str, ...]:
    """Return `lines` with `line` at the end, each once and the newest `MOST_UNSAVED` of them."""
    return (*(x for x in lines if x != line), line)[-MOST_UNSAVED:]


def drafts(lines: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the name and text of a draft for each of `MOST_UNSAVED` places; "" deletes a draft."""
    # Every name, also with "", so that a draft of a line sent meanwhile is deleted.
    for place in range(MOST_UNSAVED):
        yield f"{_DRAFT_PREFIX}{place}", lines[place] if place < len(lines) else ""


HELD_SECONDS = 2.0
"""How long after a step of somebody else keys mean what they meant before it, in seconds."""
NOTICE_SECONDS = 4.0
"""How long a notice stays while players send lines, in seconds."""

MOST_LOOKED_BACK = 60
"""How many steps back the last line of a verb is searched for."""
NEW_SINCE = 500
"""How many steps back new creatures are searched for."""


def newcomers(store: Store) -> frozenset[str]:
    """Return the ids of creatures in play that were added lately and have not had a turn.

    In a fight only steps since its beginning count, and never more than `NEW_SINCE`.
    """
    keys: set[str] = set()
    alone: set[str] = set()
    here = {k for k, c in store.encounter.combatants.items() if not c.out}
    for step in range(store.step, max(0, store.step - NEW_SINCE), -1):
        # Most often all have had a turn lately: at 300 steps a key took 1 ms longer.
        if here <= alone:
            break
        events = store.done(step).events
        for event in events:
            if isinstance(event, Added):
                keys.add(event.c.id)
            elif isinstance(event, TurnBegan):
                alone.update(event.members)
        if store.encounter.running and any(isinstance(x, RoundBegan) and x.round == 1 for x in events):
            break
    return frozenset((keys & here) - alone)


def added_group(step: Step) -> set[str]:
    """Return the ids of the creatures added in a step."""
    return {x.c.id for x in step.events if isinstance(x, Added)}


def propose_group(
    e: Encounter, system: InitiativeSystem, new: frozenset[str], last: Iterable[str], declined: Iterable[str]
) -> str:
    """Return a line `group "Orc 1,Orc 2" Orcs` to offer grouping a kind, "" for none.

    Only if the system rolls by group. Before the fight every kind is offered; in a fight, kinds of the `new`
    creatures and those that the system names. The kind of the creatures added `last` comes first. Lines in
    `declined` are left out.
    """
    phase = system.all_phases.get(e.phase)
    if not system.grouped or (phase and phase.closed):
        return ""
    latest = set(last)
    # Creatures are rarely new, and every frame asks.
    people = e.combatants.values() if new or not e.running else ()
    groups = find_kinds(c for c in people if not c.out and (not e.running or c.id in new))
    # False sorts first: the GM thinks of the kind just added.
    groups.sort(key=lambda kind: latest.isdisjoint(kind.members))
    lines = (group_line(e, kind) for kind in groups)
    other = (x.line for x in on_screen(system).choices(e, "group")) if e.running else ()
    return next((line for line in chain(lines, other) if line not in declined), "")


class BaseDesk(Surface):
    """The view of one fight, the lines that are sent to it, and the notices to the user."""

    log_lines = LEAST_LOG_LINES
    """The fewest lines of the log, with its title."""

    def __init__(
        self, store: Store, settings: Settings | None = None, services: Services | None = None
    ) -> None:
        self.store = store
        self.settings = settings or Settings()
        self.services: Services = services or Services()
        self._keys: dict[InitiativeSystem, Keys] = {}
        self.past = self._make_chronicle(store)
        self.view = View(is_masked=self.settings.masked, is_zoomed=self.settings.glyphs.spoken)
        self._proposed: tuple[tuple[int, tuple[str, ...]], str] = ((-1, ()), "")
        self._pressed_at = store.effects.clock()
        self._known = store.encounter
        self._own = False
        self._before: Scene | None = None
        """The scene before a step of somebody else, None once that step could be read."""
        self._seen: Scene | None = None
        """The scene that could be read last before players' steps."""
        self._overtaken = (self._pressed_at, -1)
        """The time and the record of the latest step of a player's line."""
        self._interrupt: Notice | None = None
        """The latest notice of reactions that players sent; it stays until a key."""
        self.placed: Mapping[Part, Box] = {}
        self.seen: Mode | None = None
        """The mode that was drawn last. A question may be answered only after it was drawn."""
        self.closed = ("", "", False)
        """The characters of a list that closed by itself, when it did, and whether Enter is meant for it."""
        self.asked = self.asked_before = self.read = ""
        """The question of this key and of the key before, "" for none, and the one that was drawn."""
        self.kept = ""
        """The name under which the party was saved last, "" for none."""
        self.drafts = dict(self.services.drafts.load())
        self.show(unsaved=restore_lines(self.drafts))
        self._offer_unsaved()
        store.watch(self._changed)

    def _make_chronicle(self, store: Store) -> Chronicle:
        """Return the steps in words."""
        return Chronicle(store, cites=self.settings.rule_numbers)

    def _changed(self, since: int) -> None:
        """Handle a change of the fight after step `since`: scrolled texts return to their first row."""
        self.past.changed(since)
        self.show(tops={})
        before, self._known = self._known, self.store.encounter
        if not self._own and self.store.step and self.store.done(self.store.step).by:
            self.overtake(replace(self.scene, encounter=before))

    def overtake(self, before: Scene) -> None:
        """Handle a player's step: until the user could read it, keys keep their meaning in `before`."""
        now, at = self.store.effects.clock(), current(before)
        said, player = str(self.view.notice), self.store.player(self.store.done(self.store.step))
        # The answer to the last key is no longer news after a while. That lines no longer count is no longer
        # true once their player sends one again.
        is_old = count_seconds(self._pressed_at, now) > NOTICE_SECONDS
        is_over = is_old or ("no longer count" in said and player in said)
        if not self.view.mode and is_over and self.view.notice is not self._interrupt:
            self.show(notice=None)
        if told := self._describe_interrupt():
            self.notify(f"{self.view.notice}; {told}" if self.view.notice else told)
            self._interrupt = self.view.notice
        if self._seen is None or self.could_be_read():
            self._seen = before
        self._before, self._overtaken = self._before or before, (now, self.store.record)
        if at != current(self.scene):
            self.go_to_row(at)
            if at != current(self.scene) and self.view.count:
                self.show(count="")
                self.notify(f"the row of {label(before.encounter, at)} is gone, and the count with it")

    def _describe_interrupt(self) -> str:
        """Return in words the reaction or readied action of the latest step, "" for another step."""
        verbs = {"react", *(verb.name for verb in self.store.system.verbs if verb.interrupts)}
        if self.store.done(self.store.step).line.partition(" ")[0].lower() not in verbs:
            return ""
        return "; ".join(omit_names(self.past.step(self.store.step).texts, self.scene.table))

    def go_to_row(self, key: str) -> None:
        """Move the cursor of the pane that lists rows to a row."""
        if content(rows_pane(self.scene)) == "entries":
            self.show(track=key)
        else:
            self.show(roster=key)

    def is_overtaken(self, meaning: Callable[[Scene], object]) -> bool:
        """Return whether a player's step has just changed what a key means; if so, show a notice."""
        # After a line of our own the screen has been read.
        if self._seen is None or self._overtaken[1] != self.store.record or self.could_be_read():
            return False
        if meaning(self._seen) == meaning(self.scene):
            return False
        self._overtaken = (self._overtaken[0], -1)
        self.notify("a step came before that key: press it again if you still mean it", "hint")
        return True

    def rest(self) -> bool:
        """Let the cursor follow the turn again once the latest step of a player could be read."""
        view, before, at = self.view, self._before, current(self.scene)
        if before is None or view.mode or view.count or view.selected or not self.could_be_read():
            return False
        self._before = None
        if at == current(before):
            view = before.view
            self.go_to_row(view.track if content(rows_pane(before)) == "entries" else view.roster)
        return at != current(self.scene)

    @property
    def has_chosen_row(self) -> bool:
        """Whether the current row was selected or gone to, and is not only held after a player's step."""
        before = self._before
        is_held = before is not None and current(before) == current(self.scene)
        return is_row_chosen(before if before is not None and is_held else self.scene)

    def could_be_read(self) -> bool:
        """Return whether the latest step of a player has been on the screen for a moment."""
        return count_seconds(self._overtaken[0], self.store.effects.clock()) >= HELD_SECONDS

    @property
    def words(self) -> Mapping[str, Callable[[BaseDesk, str], None]]:
        """The functions of the screen's words; each takes the desk and the rest of the line."""
        return {}

    @property
    def scene(self) -> Scene:
        """Everything that a frame depends on."""
        store, fault = self.store, self.services.fault()
        return Scene(
            store.encounter,
            store.system,
            self.view,
            store.name,
            store.step,
            store.steps,
            store.redoable,
            self.services.is_saved(),
            self.settings.glyphs,
            keys=self.keys.shown,
            verbs=self.keys.verbs,
            group_line=self.group_line,
            fault=self.view.fault or (reason(fault) if fault else None),
            watching=self.services.watching(),
            incoming=self.services.imports.now(),
            past=self.past,
            labels=self.keys.labels,
            log_lines=self.log_lines,
            served=self.services.served(),
        )

    @property
    def commands(self) -> tuple[Command, ...]:
        """The table of commands with the keys that work in the fight's system."""
        return usable(self.settings.commands, self.store.system)

    @property
    def keys(self) -> Keys:
        """The keys that work in the fight's system."""
        system = self.store.system
        if system not in self._keys:
            keys = self._make_keys()
            # If a command has the key of a system's verb, the verb's keys are the menu's and its own.
            more = {v.name: keys.of_verb(v) for v in system.verbs if v.key}
            self._keys[system] = replace(keys, verbs={**more, **keys.verbs})
        return self._keys[system]

    def _make_keys(self) -> Keys:
        return keys_of(self.commands)

    @property
    def group_line(self) -> str:
        """The `group` line that Now offers, "" for none or after an answer."""
        store = self.store
        if not store.system.grouped:
            return ""
        # By record and not by step: undo and another line lead to the same step in another fight.
        asked = (store.record, self.view.declined_groups)
        if self._proposed[0] != asked:
            last = added_group(store.done(store.step)) if store.step else ()
            line = propose_group(store.encounter, store.system, newcomers(store), last, asked[1])
            self._proposed = (asked, line)
        return self._proposed[1]

    # --- view and notices

    def show(self, **changes: Any) -> None:
        """Change fields of the view. Raises TypeError for a field that it has not."""
        self.view = replace(self.view, **changes)

    def mask(self, *, writes: bool = False) -> None:
        """Open the orders that are sealed on the screen, then hide all orders, then show it as at first.

        Without sealed orders, or if the user `writes` an order in sight, all are hidden at once.
        """
        view = self.view
        is_sealed = any(o.sealed for o in self.scene.table.orders)
        opens = is_sealed and not (writes or view.is_open or has_hidden_orders(self.scene))
        self.show(is_masked=not (view.is_masked or opens), is_open=opens)

    def dismiss(self, **changes: Any) -> None:
        """Close the mode, and change these parts of the view."""
        self.show(mode=None, **changes)

    def notify(self, text: str, role: Role = "warning") -> None:
        """Show a notice until the next key."""
        self.view = replace(self.view, notice=Notice(text, role))

    def may_answer(self) -> bool:
        """Return whether the question was drawn before this key was typed; if not, show a notice."""
        seen = self.seen is self.view.mode
        if not seen:
            self.notify("that key came before the question: press it again to answer", "hint")
        return seen

    def close_list(self, characters: str, *, by_letter: bool) -> None:
        """Let these characters do nothing for a while, and Enter behind them or behind the letter."""
        self.closed = (characters, self.store.effects.clock(), by_letter)

    def confirms(self, question: str) -> bool:
        """Return whether this key answers the question, because it asked it just before; else ask it."""
        if self.asked_before == self.read == question:
            return True
        self.asked = question
        self.notify(question)
        return False

    def report_refusal(self, error: RuleError) -> None:
        """Show an error and its hint; on the board, lines in the hint become keys."""
        hint = error.hint.replace("`", "")
        if self.view.mode is None:
            # Whole: a refusal has not named the creatures before.
            hint = keyed_text(self._hint_of_form(error.hint), self.keys.verbs, whole=True)
        said = error.message if self.settings.rule_numbers else error.reason
        self.show(notice=Notice(said, "error", hint))

    def _hint_of_form(self, hint: str) -> str:
        """Return the hint; a hint to `order` becomes the reason for the form that its key opens first."""
        asks = asked_first(self.scene)
        if not asks or "`order " not in hint:
            return hint
        return f"{text(self.store.encounter, asks[0].why)} `order`"

    # --- for modes

    def open_prompt(self, line: str, kind: PromptKind = "line", members: tuple[str, ...] = ()) -> None:
        """Open the prompt with a line."""

    def submit(self, line: str) -> bool:
        """Run a line of the screen, the program or the fight, and return whether it was accepted."""
        return self.run(line)

    def typed_into(self, editor: Editor, text: str) -> Editor:
        """Return the editor with a text inserted; show a notice if not all of it fits."""
        if len(text) > editor.room:
            self.notify(f"the line is full: it holds {LONGEST_LINE:,} characters", "warning")
        return editor.insert(text)

    # --- lines

    def run(self, line: str) -> bool:
        """Run a line of the fight, and return whether it was accepted. A refused line changes nothing."""
        # Before the rules, whose reasons would suggest that something could be done here.
        if (watching := self.services.watching()).line:
            refusal = Notice(
                "this fight is read-only here", "error", watching.help or f"[{TAKE_OVER_KEY}] takes over"
            )
            self.show(notice=refusal)
            return False
        # Before the line, which may rename or remove the selected rows.
        names = selected_names(self.scene)
        reading, side = must_read(self.scene), self._side
        try:
            result = self._run_own(line)
        except RuleError as error:
            self.report_refusal(error)
            return False
        except NotSaved as error:
            # The refused line stays where it was typed: Enter sends it again (promise 3).
            self.open_prompt(line)
            self.show(fault=reason(error))
            self._wait(append_line(self.view.unsaved, line))
            return False
        self.show(fault=None)
        self.forget(line)
        # A selection ends with the line that uses all of it; after any other it stays, with a notice.
        if names and all(name in line for name in names):
            self.show(selected=())
        elif names:
            self.notify(describe_selection(len(names)), "hint")
        # A correction drops what was undone: that is no news for its author.
        if notices := [x for x in result.notices if x.kind != "dropped"]:
            first, *others = (notice.text for notice in notices)
            if others and notices[1].kind == "returned":
                first = f"{first}; {others.pop(0)}"
            # What else is to be known comes first where not all of it fits.
            self.show(notice=Notice(first, "hint", "; ".join(others)))
        # After undo the cursor stays: the GM looks at what changed, not at whose turn it was.
        if not any(notice.kind in ("travel", "kept") for notice in result.notices):
            self._follow(turned=self._side != side)
        if not reading and must_read(self.scene):
            # Whichever pane had focus: what must be read takes the whole width.
            self.show(focus=None)
        return True

    def _run_own(self, line: str) -> Result:
        self._own = True
        try:
            return self.store.run(line)
        finally:
            self._own = False

    @property
    def _side(self) -> str:
        """The side whose turn it is, "" between such turns and without a fight."""
        e = self.store.encounter
        return self.store.system.turn_side(e) if e.running else ""

    def _follow(self, *, turned: bool) -> None:
        """Move the cursor to the acting row if a turn or round has begun or ended, or if `turned`.

        Ring the bell for a turn that has begun, if the settings say so.
        """
        events = self.store.done(self.store.step).events
        if turned or any(isinstance(event, TurnBegan | TurnEnded | Passed | RoundBegan) for event in events):
            self.show(track="")
            if content(focus(self.scene)) != "creatures":
                self.show(roster="")
        if any(isinstance(event, RoundBegan) for event in events):
            self.show(roster="")  # the row that was hit last in the old round is not meant in the new one
        if self.settings.bell and any(isinstance(event, TurnBegan) for event in events):
            self.services.bell()

    # --- drafts, and lines that the disk refused

    def keep(self, name: str, text: str) -> None:
        """Save a draft, so that a crash does not lose it; "" deletes it."""
        if text:
            self.drafts[name] = text
        else:
            self.drafts.pop(name, None)
        self.services.drafts.save(name, text)

    def forget(self, line: str) -> None:
        """Remove a line from the unsaved ones, so that it is not offered again."""
        if self.view.unsaved:
            self._wait(tuple(x for x in self.view.unsaved if x != line))

    def _wait(self, lines: tuple[str, ...]) -> None:
        self.show(unsaved=lines)
        for name, half in drafts(lines):
            self.keep(name, half)

    def _offer_unsaved(self) -> None:
        """Put the latest unsaved line into the prompt once the disk works and no mode is open."""
        if not self.view.unsaved or self.view.fault or self.view.mode is not None:
            return
        self.open_prompt(self.view.unsaved[-1])
        if not self.view.notice:
            self.notify("this line was not saved: Enter sends it again, Esc drops it")
