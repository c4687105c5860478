"""Run keys on the board, where each is a command: moving, selecting, and the words of the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import EffectAsk, RollAsk, Verb
from tui.core.fight.encounter import GM, key_of, label
from tui.core.fight.viewer import text
from tui.core.language.select import resolve
from tui.core.language.tokens import tokens
from tui.ui.desk import play, reading, sheets
from tui.ui.desk.base import NO_ROW, BaseDesk
from tui.ui.modes import Word, words
from tui.ui.modes.adding import open_add
from tui.ui.modes.attack import AttackPrompt
from tui.ui.modes.ending import PartyPrompt
from tui.ui.modes.page import Page
from tui.ui.modes.prompt import AimPrompt, ConditionPrompt, FilterPrompt, PointsPrompt, Prompt
from tui.ui.panes.screen import TAB, last_top, shown_panes
from tui.ui.state.commands import NO_SHELL, TAKE_OVER_KEY, Command, show_key
from tui.ui.state.layout import Pane, content, lists_creatures
from tui.ui.state.moment import moment
from tui.ui.state.scene import (
    Scene,
    asked_first,
    current,
    current_creature,
    current_entry,
    describe_selection,
    due,
    fill,
    filter_rows,
    focus,
    is_sealed,
    line_of,
    living_members,
    offer,
    people,
    rows_pane,
    selected_rows,
    targets,
    write_who,
)
from tui.ui.state.totals import players_roll
from tui.ui.state.view import PromptKind, View
from tui.ui.text.editor import Editor
from tui.ui.text.press import ALL_ROWS, DIGITS, PAGE_ROWS, Press, number

ROWS = ("go", "higher", "lower", "select", "why", "counters", "card")
"""Words that act on the current row, or on the row named after them."""
_ENTRY_WORDS = ("go", "higher", "lower")
"""The words of `ROWS` that act on a row of the track."""
_NUMBER_WORDS = ("up", "down", "pageup", "pagedown", "top", "bottom", "aim", "go-on")
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "panes": ("back", *TAB),
    "quit": ("anyway",),
    "q": ("anyway",),
    "act-when": ("after",),
}


def check_rest(desk: BaseDesk, word: str, rest: str) -> None:
    """Raise RuleError if a word of the screen is followed by words or a number that it does not take."""
    if not rest:
        return
    if word in (*WORDS_ALONE, "blast"):
        raise RuleError(f"{word} takes no words", f":{word}")
    if word in _NUMBER_WORDS and number(rest) is None:
        raise RuleError(f'{word} takes a number, not "{rest}"', f":{word} 3")
    if word in _CHOICES and rest not in _CHOICES[word]:
        words = ", ".join(_CHOICES[word])
        raise RuleError(f'{word} does not take "{rest}"', f"it takes {words}")
    if word == "verbs" and rest not in {v.name for v in desk.store.system.verbs}:
        raise RuleError(f'{desk.store.system.title} has no word "{rest}"', ":verbs lists them")
    if word == "command" and rest not in desk.keys.by_id:
        raise RuleError(f'no command is called "{rest}"', ":palette lists them")


def names_row(word: str, rest: str) -> bool:
    """Return whether a word of the screen is followed by the name of a row."""
    return bool(rest) and word in ROWS


def go_to_named(desk: BaseDesk, word: str, rest: str) -> None:
    """Put the cursor on the row that a line names. Raises RuleError if there is none."""
    before, e = desk.view, desk.store.encounter
    keys = resolve(e, unquote_name(rest))
    rows = dict.fromkeys(key_of(e.combatants[k]) for k in keys)
    if len(rows) > 1 or (len(keys) > 1 and not next(iter(rows)).startswith("@")):
        raise RuleError(f"{word} takes one row, not {len(keys)}", f":{word} {label(e, keys[0])}")
    row = next(iter(rows))
    desk.show(track=row, roster="" if word in _ENTRY_WORDS else keys[0], filter="", focus=None, log=0)
    if word in _ENTRY_WORDS:
        desk.show(focus="track", rows="track")
    else:
        desk.show(focus="roster", rows="roster")
    # Selected rows go before the cursor, and would be used instead.
    if word != "select":
        desk.show(selected=())
    at = current_entry(desk.scene) if word in _ENTRY_WORDS else current(desk.scene)
    if at not in (row, *keys):
        desk.view = before
        raise RuleError(f"{label(e, row)} has no row here", "`back` brings a creature back")


def unquote_name(rest: str) -> str:
    """Return the name after a word of the screen, with or without quotes."""
    parts = tokens(rest)
    return parts[0].text if len(parts) == 1 and not parts[0].key else rest


def panes(desk: BaseDesk, rest: str) -> None:
    """Focus the next pane, the one before (`back`), or the one named."""
    named = next((pane for pane in TAB if pane == rest), None)
    visible, current = shown_panes(replace(desk.scene, view=View())), focus(desk.scene)
    # From a pane that is no longer shown, the next one in order of Tab.
    ring = [pane for pane in TAB if pane in visible or pane == current]
    _go(desk, named or ring[(ring.index(current) + (-1 if rest == "back" else 1)) % len(ring)])


def _go(desk: BaseDesk, pane: Pane) -> None:
    desk.show(focus=pane, rows=pane if lists_creatures(pane) else rows_pane(desk.scene))
    if content(pane) != "steps":
        desk.show(log=0)


def go_left(desk: BaseDesk) -> None:
    """Move focus to the pane on the left."""
    _go(desk, "track")


def right(desk: BaseDesk) -> None:
    """Move focus to the pane on the right."""
    _go(desk, "orders" if focus(desk.scene) == "roster" else "roster")


def _rows(by: int) -> Word:
    """Return the function of a word that moves the cursor by `by` rows times the number in its line."""
    return lambda desk, rest: _move_by(desk, by * _number(rest, 1))


def go_to_number(desk: BaseDesk, rest: str) -> None:
    """Go to the row of this number, or to the last row."""
    if rest:
        _move_by(desk, -ALL_ROWS)
    _move_by(desk, _number(rest, ALL_ROWS + 1) - 1)


def _number(text: str, default: int) -> int:
    amount = number(text)
    return default if amount is None else amount


def _move_by(desk: BaseDesk, rows: int) -> None:
    scene = desk.scene
    match content(pane := focus(scene)):
        case "entries":
            keys = [r.entry for r in filter_rows(scene)]
            if keys:
                desk.show(track=_step_from(keys, current_entry(scene), rows), roster="")
        case "creatures":
            ids = [c.id for c in people(scene)]
            if ids:
                desk.show(roster=_step_from(ids, current_creature(scene), rows))
        case "steps":
            step = scene.view.log or scene.step
            desk.show(log=max(0, min(scene.steps, step + rows)))
        case "text":
            shown = replace(scene, parts=frozenset(desk.placed))
            last = last_top(shown, pane, box) if (box := desk.placed.get(pane)) else 0
            top = max(0, min(last, scene.view.tops.get(pane, 0) + rows))
            desk.show(tops={**scene.view.tops, pane: top})


def _step_from(keys: list[str], at: str, rows: int) -> str:
    place = keys.index(at) if at in keys else 0
    return keys[max(0, min(len(keys) - 1, place + rows))]


def select(desk: BaseDesk, _rest: str) -> None:
    """Select the current row, or deselect it."""
    if key := current(desk.scene):
        chosen = desk.view.selected
        desk.show(selected=tuple(k for k in chosen if k != key) if key in chosen else (*chosen, key))
        if rows := selected_rows(desk.scene):
            desk.notify(describe_selection(len(rows)), "hint")


def zoom(desk: BaseDesk) -> None:
    """Show the pane with focus alone, or all panes again."""
    desk.show(is_zoomed=not desk.view.is_zoomed)


def mask(desk: BaseDesk) -> None:
    """Open the orders that players sent, hide all orders, or show the screen as at first."""
    desk.mask()
    sealed = any(is_sealed(desk.scene, o) for o in desk.scene.table.orders)
    shown = "orders of players are sealed here" if sealed else "orders are open here"
    desk.notify("orders are hidden on this screen" if desk.view.is_masked else shown, "hint")


def escape(desk: BaseDesk) -> None:
    """Drop the first of these that is set: count, log position, selection, filter, zoom, focus.

    The cursor stays on its row.
    """
    view = desk.view
    # The key has already dropped the count, and one press undoes one thing.
    if view.count:
        return
    if view.log:
        desk.show(log=0)
    elif view.selected:
        desk.show(selected=())
    elif view.filter:
        desk.show(filter="")
    elif view.is_zoomed:
        desk.show(is_zoomed=False)
    elif view.focus:
        desk.show(focus=None)
    elif not any(moment(desk.scene).more):
        # Never over what is to be known in this turn.
        desk.notify("q quits", "hint")


MOST_DIGITS = 4


def command_of(desk: BaseDesk, name: str) -> Command | None:
    """Return the command of a key on the board, None for a digit of the count and other keys."""
    if is_count_digit(desk, name) or (name == TAKE_OVER_KEY and may_take(desk)):
        return None
    return desk.keys.commands.get(name)


def verb_of(desk: BaseDesk, name: str) -> Verb | None:
    """Return the verb of the system for a key on the board; commands take precedence."""
    if is_count_digit(desk, name) or (name == TAKE_OVER_KEY and may_take(desk)) or name in desk.keys.commands:
        return None
    return next((v for v in desk.store.system.verbs if v.key == name), None)


def is_count_digit(desk: BaseDesk, name: str) -> bool:
    """Return whether a key is a digit of the count, which never begins with 0."""
    return name in DIGITS and (name != "0" or bool(desk.view.count))


def may_take(desk: BaseDesk) -> bool:
    """Return whether the fight is read-only and can be taken over by a key."""
    return bool(desk.services.watching().word) and "take" in desk.services.words


def press(desk: BaseDesk, key: Press) -> None:
    """Handle a key without a command or verb: a digit of the count, taking over, or nothing."""
    name = key.name
    if key.char and is_count_digit(desk, name):
        desk.show(count=(desk.view.count + name)[:MOST_DIGITS])
        return
    if name == TAKE_OVER_KEY and may_take(desk):
        desk.open_prompt("take")
        desk.notify("Enter takes this fight over and asks its writer to leave; Esc stays read-only")
    else:
        desk.notify(f"{show_key(name)} means nothing here; ? lists the keys", "hint")
    desk.show(count="")


_TURN_OF: Mapping[str, Callable[[Scene], str]] = {
    "end": lambda scene: scene.acting,
    "done": lambda scene: scene.system.turn_side(scene.encounter),
    "pass": lambda scene: offer(scene).chooser,
}
"""Whose turn a command ends."""


def run_command(desk: BaseDesk, command: Command) -> None:
    """Run the line of a command, or open a prompt, menu or form for the words that are missing."""
    scene = desk.scene
    if (about := _TURN_OF.get(command.id)) and about(scene) and desk.is_overtaken(about):
        return
    words = line_of(command, scene)
    # Words of the screen never ask for more, and use the count themselves.
    word, _, rest = words.replace("{count}", scene.view.count).strip().partition(" ")
    if word in desk.words:
        desk.words[word](desk, rest)
        return
    keys = targets(scene)
    if command.id == "party" and not scene.view.count:
        play.party(desk)
        return
    if scene.group_line and not selected_rows(scene) and play.answer_group_offer(desk, command.id):
        return
    if "{who}" in words and not keys:
        desk.notify(NO_ROW, "warning")
        return
    members = living_members(scene) if command.member else ()
    if members:
        lines = [fill(words, scene, write_who(scene.encounter, (m,)))[0] for m in members]
        # Preset is the first member, for damage the first with hit points left; `A` takes all.
        able = (n for n, k in enumerate(members) if scene.encounter.combatants[k].hp != 0)
        preset = next(able, 0) if command.id == "damage" else 0
        everybody = fill(words, scene, write_who(scene.encounter, keys))[0]
        desk.open_prompt(lines[preset], command.kind, (*lines, everybody))
        return
    line, whole = fill(words, scene, write_who(scene.encounter, keys))
    if command.asks and play.choose(desk, words.split(" ")[0], line):
        return
    if command.id == "react" and reading.trial(desk.store, line).refused:
        # The reason why there is no reaction is shown at once, not after its words have been typed.
        desk.submit(line)
        return
    if not whole or command.asks:
        desk.open_prompt(line, command.kind)
        return
    if command.id == "roll" and not selected_rows(scene):
        line = "" if _ask_first(desk, line) else _own_roll(desk)
        if not line:
            return
    before = desk.store.record
    _send(desk, line, (number(scene.view.count) or 1) if "{" not in words else 1)
    dealt = command.kind == "points" and desk.store.record != before
    desk.show(key_record=desk.store.record if dealt else 0)


def _own_roll(desk: BaseDesk) -> str:
    """Return the line that rolls what is no player's, or after a question what is; "" while it asks."""
    scene = desk.scene
    asks = [ask for ask in due(scene) if isinstance(ask, RollAsk | EffectAsk)]
    rolls = [ask for ask in asks if isinstance(ask, RollAsk)]
    theirs = [ask.who for ask in rolls if players_roll(scene, ask)]
    # What a condition does is the game master's to roll, also to a player's creature.
    ours = [ask for ask in asks if ask.who not in theirs or not isinstance(ask, RollAsk)]
    if not theirs:
        # The dice that decide belong to the players.
        return f"roll {GM}" if ours and all(ask.who == GM for ask in ours) else "roll"
    if ours:
        first = ours[0]
        keys = dict.fromkeys(ask.who for ask in ours if type(ask) is type(first))
        return f"{'roll' if isinstance(first, RollAsk) else 'apply'} {write_who(scene.encounter, keys)}"
    names = ", ".join(dict.fromkeys(label(scene.encounter, key) for key in theirs))
    return "roll" if desk.confirms(f"[{desk.keys.shown.get('roll', ':roll')}] roll for {names}") else ""


def _ask_first(desk: BaseDesk, line: str) -> bool:
    """Ask before a roll if a form should be answered first; return whether it asks.

    Saves never ask, because they may be rolled at any time.
    """
    scene = desk.scene
    first = asked_first(scene)
    owed = due(scene)
    # Saves may be rolled at any time.
    rolls = all(isinstance(ask, RollAsk) for ask in owed) and any(
        isinstance(ask, RollAsk) and ask.save is None for ask in owed
    )
    if not first or not rolls:
        return False
    texts = tuple(text(scene.encounter, ask.why) for ask in first)
    key = desk.keys.shown.get("order", ":write")
    asks = f"Roll before that is written? [y] rolls, [Esc] goes back: [{key}] writes it"
    desk.show(mode=Page("Before the dice", texts, beside=True, asks=asks, line=line))
    return True


def _send(desk: BaseDesk, line: str, times: int) -> None:
    for _ in range(min(times, play.MOST_REPEATS)):
        # The first refusal stops the rest: five times `next` must not run past a roll that is owed.
        if not desk.submit(line):
            return


_PROMPTS: Mapping[PromptKind, type[Prompt]] = {
    "points": PointsPrompt,
    "condition": ConditionPrompt,
    "attack": AttackPrompt,
    "party": PartyPrompt,
}
"""The prompts that commands open, except those for a line and for adding."""


def open_prompt(desk: BaseDesk, line: str, kind: PromptKind, members: tuple[str, ...]) -> None:
    """Open the prompt of this kind with a line."""
    if kind == "add":
        desk.show(mode=open_add(desk, line))
        return
    editor = Editor.from_text(line)
    if kind == "condition" and desk.view.count:
        # As many rounds as were counted, shown after the cursor.
        editor = Editor(f"{line} rounds={desk.view.count}", len(line))
    desk.show(mode=_PROMPTS.get(kind, Prompt)(editor=editor, stem=line, members=members))


def line(desk: BaseDesk, rest: str) -> None:
    """Open the prompt."""
    desk.open_prompt(rest)


def find(desk: BaseDesk, rest: str) -> None:
    """Filter the rows by the words that follow, or open the filter if there are none."""
    if rest:
        desk.show(filter=rest)
    else:
        desk.show(mode=FilterPrompt(editor=Editor.from_text(desk.view.filter)))


def quit_(desk: BaseDesk, rest: str) -> None:
    """Leave the screen; ask first if a line could not be saved."""
    if desk.view.unsaved and rest != "anyway":
        desk.open_prompt("quit anyway")
        desk.notify("a line is not saved: Enter leaves without it, Esc stays", "error")
        return
    desk.services.leave()


def suspend(desk: BaseDesk) -> None:
    """Return to the shell, if there is one."""
    if not desk.services.suspend():
        desk.notify(NO_SHELL)


def run_by_id(desk: BaseDesk, rest: str) -> None:
    """Run the command whose id the line gives."""
    if command := desk.keys.by_id.get(rest):
        run_command(desk, command)


def aim(desk: BaseDesk, rest: str) -> None:
    """Show a character on every row; typing it goes to that row, and deals a count typed before as damage."""
    if targets(desk.scene):
        desk.show(mode=AimPrompt(editor=Editor.from_text(rest)))
    else:
        desk.notify("there are no rows to aim at", "warning")


def _alone(does: Callable[[BaseDesk], None]) -> Word:
    return lambda desk, _: does(desk)


WORDS_ALONE: Mapping[str, Callable[[BaseDesk], None]] = {
    "left": go_left,
    "right": right,
    "zoom": zoom,
    "escape": escape,
    "mask": mask,
    "repaint": lambda desk: desk.services.repaint(),
    "suspend": suspend,
    "all-done": play.end_side,
    "read": play.read,
    "over": play.open_rest,
}
"""The words that take no words after them."""
WORDS: dict[str, Word] = {
    **words(),
    **{word: _alone(does) for word, does in WORDS_ALONE.items()},
    "select": select,
    "panes": panes,
    "up": _rows(-1),
    "down": _rows(1),
    "pageup": _rows(-PAGE_ROWS),
    "pagedown": _rows(PAGE_ROWS),
    "top": _rows(-ALL_ROWS),
    "bottom": go_to_number,
    "line": line,
    "filter": find,
    "aim": aim,
    "quit": quit_,
    "q": quit_,
    "command": run_by_id,
    "go": play.go,
    "go-on": play.go_on,
    "act-when": play.act_when,
    "write": play.open_order,
    "leave-out": play.leave_out,
    "verbs": play.verbs,
    "fallen": play.take_out_fallen,
    "higher": play.move_up,
    "lower": play.move_down,
    "why": reading.explain_row,
    "rule": reading.rule,
    "help": reading.help_,
    "palette": reading.palette,
    "theme": reading.theme,
    "counters": sheets.counters,
    "card": sheets.write,
}
"""The words of the screen, with those that modes list."""
