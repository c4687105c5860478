"""The Now pane: what must happen next and the key for it; then further commands, as far as they fit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from tui.core.language.tokens import tokens
from tui.core.table import LockDue, RollDue
from tui.ui.panes.creatures import join_names
from tui.ui.panes.keyed import add_keys, key_row
from tui.ui.panes.orders import interrupters
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.home import Home, current
from tui.ui.state.layout import TWO_COLUMNS_WIDTH, Room, right_of
from tui.ui.state.mode import Asks, mode_of
from tui.ui.state.moment import NowWords, choices, moment, turn_of_row
from tui.ui.state.scene import Scene, alone, asked_first, fallen_hero, is_sealed, owes_save
from tui.ui.state.totals import answers, faces_decide, players_roll, rolls_owed
from tui.ui.state.view import Notice
from tui.ui.text.fit import GLUE, count_fitted, fit, keep_answer, plain, set_answer
from tui.ui.text.held import HIDDEN_WORD
from tui.ui.text.rows import Box, Row, cells, colour_keys, pad_rows, words

GOES_BACK = "goes back"
"""The words after Esc if leaving loses nothing."""
KEY_AND_WORD = re.compile(r"(\[[^\[\]\s]{1,9}\]) ")
"""Matches a key and the space before its word, where no row may break."""
MOST_NOTICE = 3
"""The most rows of a notice beside Now."""


def now(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the rows of Now: what must happen next, then further commands, a notice, or an error."""
    if height < 1:
        return []
    what, answer, *others = (*now_texts(scene), (), ())
    ellipsis, notice = scene.glyphs.ellipsis, _notice_of(scene)
    below: list[Row] = []
    if notice:
        # Over a damaged save nothing can happen; and if Now could not grow for it, typed text is cut first.
        is_alone = (scene.watching.line and scene.watching.wrong) or rows_of_typed(scene, width) >= height
        leads = 0 if is_alone else min(ROWS, height - 1, count_fitted((what, answer), width))
        # The reason of a refusal is more to the point than what comes next, which the next key shows again.
        is_cut = count_fitted([plain(str(notice))], width) > max(1, height - leads)
        is_refusal = notice is scene.view.notice and notice.role == "error" and not scene.fault
        leads = 0 if is_cut and is_refusal and mode_of(scene) is None else leads
        below = _fit_notice(scene, notice, width, max(1, height - leads))
    room = height - len(below)
    column = 0 if scene.glyphs.spoken or width < TWO_COLUMNS_WIDTH else width - right_of(width) + 1
    kept = set_answer(what, answer, column, width) or keep_answer(what, answer, width, room, ellipsis)
    # Beside a notice nothing is cut: there may be only one row.
    while notice and others and count_fitted([*kept, *others], width) > room:
        others.pop()
    return [*pad_rows(fit([*kept, *others], width, room, ellipsis), room), *below]


# --- what Now says, by what has focus


def now_texts(scene: Scene) -> list[Row]:
    """Return what must happen next, its key, then the other texts of Now, the most important first."""
    mode = mode_of(scene)
    if mode and (question := mode.question(scene)):
        return [_draw_question(scene, question)]
    if mode and (hesitating := _draw_outcome(scene, *mode.outcome(scene))):
        return hesitating
    if scene.home:
        if mode is None or mode.where == "foot":
            asks = mode.now(scene, "") if mode else None
            return _draw_asks(scene, asks) if asks else _draw_start(scene, scene.home)
        return []
    leading = moment(scene)
    if mode and (asks := mode.now(scene, words(_draw_words(scene, leading.what)))):
        return _draw_asks(scene, asks)
    sign = scene.glyphs.acting if scene.table.acting else scene.glyphs.may
    what = (*plain(_mark(scene, sign)), *_draw_words(scene, leading.what))
    if mode and mode.where == "foot" and (notes := mode.remarks(scene)):
        # Joined with a semicolon, the board's state and the note on a typed line would read as one sentence.
        joint = " " if words(what).endswith("?") else scene.glyphs.joint
        noted = () if _notice_of(scene) else ((joint, "text"), *plain("; ".join(notes)))
        return [(*what, *noted), (), *_hidden_interrupters(scene)]
    return [what, _answer(scene, leading), *_draw_remarks(scene, leading)]


def _draw_start(scene: Scene, home: Home) -> list[Row]:
    """Return what Enter does on the start screen, and what is known of the row in focus."""
    entry = current(home, scene.view)
    does = f"[Enter] {entry.does}" if entry else "Nothing is here: [Esc] goes back"
    about = entry.about if entry else ""
    if home.welcome:
        about = "New here? A lesson shows the keys; or choose a system for your first fight"
    return [_draw_question(scene, does), (), plain(about)]


def _draw_question(scene: Scene, question: str) -> Row:
    """Return a question after the sign of what may be done."""
    return colour_keys(_mark(scene, scene.glyphs.may) + question)


def _draw_asks(scene: Scene, asks: Asks) -> list[Row]:
    """Return the question of a mode with focus, the key that answers it, and further sentences."""
    others = [plain(x) if isinstance(x, str) else x for x in asks.others]
    return [_draw_question(scene, asks.what), asks.does, *others]


def _mark(scene: Scene, sign: str) -> str:
    return "" if scene.glyphs.spoken else f"{sign} "


def _answer(scene: Scene, leading: NowWords) -> Row:
    """Return the keys for what must happen next, () if the board's keys do not work."""
    if not is_board_active(scene):
        return ()
    does = _draw_does(scene, leading)
    if scene.group_line and not scene.table.running and not does:
        return _offer_grouping(scene)
    if does and isinstance(next(iter(scene.table.due), None), RollDue):
        return _draw_rolls(scene, does)
    return does


def _draw_rolls(scene: Scene, does: Row) -> Row:
    """Return the keys for owed rolls: `does`, then the list; for players' rolls alone the list first."""
    rolls, is_form_first = rolls_owed(scene), bool(asked_first(scene)) and not owes_save(scene)
    key = scene.keys.get("totals", ":totals") if is_form_first else scene.keys.get("next", ":go-on")
    # A total would not decide where faces must be typed.
    types = key_row(key, answers(rolls[0], faces=faces_decide(scene, rolls[0])) if rolls else "totals")
    joint: Row = ((scene.glyphs.joint, "text"),)
    if is_form_first or not rolls or not all(players_roll(scene, ask) for ask in rolls):
        return (*does, *joint, *types)
    dice = tuple(takewhile(lambda piece: piece[1] != "key", does))
    return (*dice, *types, *joint, *key_row(scene.keys.get("roll", ":roll"), "roll them"))


def _draw_remarks(scene: Scene, leading: NowWords) -> Iterator[Row]:
    """Yield what a mode with focus notes, else further texts; those with keys only if these work."""
    yield from _hidden_interrupters(scene)
    running, mode = scene.table.running, mode_of(scene)
    if mode and (own := mode.remarks(scene)) is not None:
        yield from map(plain, own)
        return
    if leading.whose:
        # What is owed comes before the turn, and its owner right after it.
        yield add_keys(leading.whose, scene.verbs)
    remarks = [add_keys(x, scene.verbs) for x in leading.more]
    remarks += _draw_preparing(scene)
    if running and scene.group_line:
        # It decides how many dice are rolled; once they are, what has happened comes before conveniences.
        remarks.insert(0 if rolls_owed(scene) else len(remarks), _offer_grouping(scene))
    is_read = isinstance(next(iter(scene.table.due), None), LockDue)
    if is_read and any(o.warnings and is_sealed(scene, o) for o in scene.table.orders):
        remarks.append(key_row("ctrl+t", "opens it"))
    if hero := fallen_hero(scene):
        remarks.insert(0, plain(f":option zero.pc=dying gives {hero} death saves"))
    for remark in remarks:
        has_key = any(role == "key" or said.startswith(":") for said, role in remark)
        if is_board_active(scene) or not has_key:
            yield remark


def _draw_preparing(scene: Scene) -> Iterator[Row]:
    """Yield how heroes alone are kept as a party, and foes alone as a prepared fight."""
    if who := alone(scene):
        keeps, brings = (
            "keeps them, or brings foes of a fight",
            "brings heroes; left now, it is a prepared fight",
        )
        yield add_keys(f"`party` {keeps if who == 'heroes' else brings}", scene.verbs)


def _offer_grouping(scene: Scene) -> Row:
    """Return the offer to group the creatures that were added last."""
    _, who, name = tokens(scene.group_line)
    row = add_keys(f"`group` {1 + who.text.count(',')} as {name.text}", scene.verbs)
    key = scene.keys.get("ungroup", "")
    return (*row, (" or ", "text"), *key_row(key, "not")) if key else row


def _hidden_interrupters(scene: Scene) -> Iterator[Row]:
    """Yield a warning about creatures hidden from players that may interrupt."""
    if names := dict.fromkeys(x.name for x in interrupters(scene) if x.is_hidden):
        yield plain(f"{HIDDEN_WORD}: {join_names(tuple(names), scene.glyphs)} may interrupt")


def is_board_active(scene: Scene) -> bool:
    """Return whether the board's keys work: no mode is open, or one that does not block them."""
    mode = mode_of(scene)
    return mode is None or not mode.is_modal


def _draw_words(scene: Scene, said: str) -> Row:
    """Return a sentence with its keys; without keys, up to the first one, if the board's keys do not work."""
    return (
        add_keys(said, scene.verbs)
        if is_board_active(scene)
        else plain(said.partition("`")[0].rstrip(" :,(;"))
    )


def _draw_does(scene: Scene, leading: NowWords) -> Row:
    """Return the keys for what is next; if there is a choice of turns, what Enter does on the current row."""
    acts = choices(scene)
    if len(acts) < 2:
        return add_keys(leading.does, scene.verbs)
    passing = add_keys(" or `pass`", scene.verbs) if any(a.kind == "pass" for a in acts) else ()
    return (*key_row(scene.keys.get("go", ":go"), turn_of_row(scene)), *passing)


# --- while a mode has focus


def _draw_outcome(scene: Scene, outcome: str, after: str) -> list[Row]:
    """Return what Enter would do (`outcome`), and what Enter and Esc are for; [] if `outcome` is empty."""
    if not outcome:
        return []
    # An outcome needs a word before it: alone it would read as if it had happened. A line shows its syntax.
    then = outcome if outcome.startswith(":") else f"Then: {outcome}"
    said = plain(_mark(scene, scene.glyphs.may) + then)
    either = (*key_row("Enter", "takes it"), (scene.glyphs.joint, "text"), *key_row("Esc", after))
    # The hints name these keys too, so an outcome comes before them if leaving loses nothing.
    return [said, (), either] if after == GOES_BACK else [said, either]


# --- notices


def _notice_of(scene: Scene) -> Notice | None:
    """Return the notice, the error or the read-only note that is shown below Now, None for none."""
    if notice := scene.view.notice or scene.fault:
        return notice
    looking = scene.watching
    return (
        Notice(looking.line, "warning" if looking.wrong else "hint", looking.help) if looking.line else None
    )


def rows_of_typed(scene: Scene, width: int) -> int:
    """Return how many rows below the first one a notice about typed text needs, 0 without one."""
    # On the board a notice is shortened; one about typed text is shown whole.
    notice = scene.view.notice if (mode := mode_of(scene)) and mode.is_typed else None
    return min(MOST_NOTICE, count_fitted([plain(str(notice))], width)) if notice else 0


def _fit_notice(scene: Scene, notice: Notice, width: int, most: int) -> list[Row]:
    """Return a notice in as few rows as possible; if it must be cut, its `help` comes first."""
    shown = [str(notice)]
    if notice.help and not (notice.help.startswith("there are") and cells(notice.text) < width * most):
        # Most of a reason at least; less is not readable.
        room = width * most - cells(notice.help) - cells(" ()")
        is_alone = cells(notice.help) <= width and 3 * room < 2 * cells(notice.text)
        shown.append(notice.help if is_alone else notice.helpful)
    texts = [plain(KEY_AND_WORD.sub(rf"\1{GLUE}", x), notice.role) for x in shown]
    best = next((x for x in texts if count_fitted([x], width) <= most), texts[-1])
    return fit([best], width, most, scene.glyphs.ellipsis)


ROWS = 2
"""The rows of Now; a notice leaves what must happen next and its key."""


def _ask(scene: Scene, room: Room) -> Ask:
    leads = 1
    if _notice_of(scene):
        what, answer, *_ = (*now_texts(scene), (), ())
        leads = min(ROWS, count_fitted((what, answer), room.width))
    return Ask(leads + max(1, rows_of_typed(scene, room.width)), "bottom", rank=0, least=ROWS)


def _draw(scene: Scene, box: Box) -> list[Row]:
    return now(scene, box.width, box.height)


PANE = Pane("now", _ask, _draw)
