"""The Now pane: what must happen next and the key for it; below, further possible commands."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.core.language.tokens import tokens
from tui.core.table import RollDue
from tui.ui.panes.creatures import join_names
from tui.ui.panes.keyed import add_keys, key_row, keys_of, reason_of
from tui.ui.panes.orders import interrupters
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.home import Home, current
from tui.ui.state.layout import TWO_COLUMNS_WIDTH, Room, right_of
from tui.ui.state.mode import Asks, mode_of
from tui.ui.state.moment import NowWords, choices, moment, turn_wordings
from tui.ui.state.scene import Scene, fallen_hero
from tui.ui.state.totals import faces_decide, rolls_owed
from tui.ui.state.view import Notice
from tui.ui.text.fit import BREAK, Segment, Way, fit, plain
from tui.ui.text.held import HIDDEN_WORD
from tui.ui.text.palette import Role
from tui.ui.text.rows import Box, Row, cells, colour_keys, pad_rows, words

GOES_BACK = "goes back"
"""The words after Esc if leaving loses nothing."""
CLAUSE, REASON, HEAD = 9, 2, -1
"""Ranks of the segments: the clause is left out first, the head last."""
MOST_NOTICE = 3
"""The most rows of a notice beside Now."""


class Remark(Struct, frozen=True):
    """A further sentence of Now."""

    row: Row
    rule: str = ""
    """The clause of the rules behind the sentence, "" for none."""


def now(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the rows of Now: what must happen next, then further commands, a notice, or an error."""
    if height < 1:
        return []
    segments_ahead = _draw_notice(scene, width, height)
    room = height - len(segments_ahead)
    column = None if scene.glyphs.spoken else width - right_of(width) + 1 if width >= TWO_COLUMNS_WIDTH else 0
    shown = fit(segments(scene, column), width, room, scene.glyphs.ellipsis, column=column)
    return [*pad_rows(shown, room), *segments_ahead]


# --- what Now says, by what has focus


def segments(scene: Scene, column: int | None) -> list[Segment]:
    """Return what must happen next, its key, the reason, and further commands.

    `column` is where the key begins; it stays the same with and without a clause.
    """
    mode = mode_of(scene)
    if mode and (question := mode.question(scene)):
        return [_draw_question(scene, question)]
    if mode and (hesitating := _draw_outcome(scene, *mode.outcome(scene))):
        return hesitating
    if scene.home:
        if mode is None or mode.where == "foot":
            asks = mode.now(scene, "") if mode else None
            return _question(scene, asks) if asks else _draw_start(scene, scene.home)
        return []
    leading = moment(scene)
    if mode and (asks := mode.now(scene, words(_draw_words(scene, leading.what.text)))):
        return _question(scene, asks)
    return _draw_moment(scene, leading, _more_remarks(scene, leading), column)


def _draw_start(scene: Scene, home: Home) -> list[Segment]:
    """Return what Enter does on the start screen, and the other commands for the row in focus."""
    entry = current(home, scene.view)
    does = f"[Enter] {entry.does}" if entry else "Nothing is here: [Esc] goes back"
    on_fight = entry is not None and entry.kind == "fight"
    hints = f"[{scene.keys['trash']}] moves it to the trash, where it can be restored" if on_fight else ""
    if home.welcome:
        hints = "New here? A lesson shows the keys; or choose a system for your first fight"
    return [
        _draw_question(scene, does),
        *([Segment((Way(colour_keys(hints)), Way()), joint=BREAK, rank=REASON)] if hints else []),
    ]


def _draw_question(scene: Scene, question: str) -> Segment:
    """Return a question as the only segment, so that it can use all rows."""
    return Segment((Way(colour_keys(_mark(scene, scene.glyphs.may) + question)),))


def _question(scene: Scene, asks: Asks) -> list[Segment]:
    """Return the question of a mode with focus, the key that answers it, and further sentences."""
    mark = _mark(scene, scene.glyphs.may)
    rows = [plain(x) if isinstance(x, str) else x for x in asks.others]
    return [
        Segment(tuple(Way(colour_keys(mark + x)) for x in asks.heads), head=True, rank=HEAD),
        Segment((Way(asks.does),), head=True, keeps=True),
        *_draw_remarks([Remark(row) for row in rows if row]),
    ]


def _mark(scene: Scene, sign: str) -> str:
    return "" if scene.glyphs.spoken else f"{sign} "


def _draw_moment(
    scene: Scene, leading: NowWords, remarks: Sequence[Remark], column: int | None
) -> list[Segment]:
    """Return what must happen next, its key, and the notes; a clause follows its sentence if it fits."""
    table, g, rule = scene.table, scene.glyphs, leading.rule
    mark = plain(_mark(scene, g.acting if table.acting else g.may))
    request, brief = _draw_words(scene, leading.what.text), _draw_words(scene, leading.what.brief)
    reason = add_keys(leading.what.because, scene.verbs)
    cited: Row = (*mark, *request, (f" ({rule})", "text"))
    heads = [Way(cited)] if rule and (not column or cells(words(cited)) < column) else []
    heads.append(Way((*mark, *request)))
    if brief != request:
        heads.append(Way((*mark, *brief), below=reason))
    does = _key_wordings(scene, leading) if is_board_active(scene) else []
    if scene.group_line and not table.running and not does and is_board_active(scene):
        does = [Way(_offer_grouping(scene))]
    if rule and does and column and heads[0].row != cited and not remarks:
        does = [Way((*does[0].row, (f" ({rule})", "text"))), *does]
    typed = key_row(*_key_of_rolls(scene))
    rolls = bool(does) and isinstance(next(iter(table.due), None), RollDue)
    if rolls:
        does = [
            Way((*does[0].row, (g.joint, "text"), *typed)),
            *(replace(x, below=typed, rank=CLAUSE) for x in does),
        ]
    return [
        Segment(tuple(heads), head=True, rank=HEAD),
        *([Segment(tuple(does), head=True, keeps=True)] if does else []),
        *_draw_remarks(remarks),
    ]


def _draw_remarks(remarks: Sequence[Remark]) -> list[Segment]:
    """Return notes as segments: the whole sentence, or its keys with the first words of the reason."""
    result: list[Segment] = []
    for x in remarks:
        keys = keys_of(x.row)
        ways = [Way((*x.row, (f" ({x.rule})", "text")))] if x.rule else []
        ways += [Way(x.row), *([Way(keys, reason_of(x.row))] if keys else [])]
        result.append(Segment((*ways, Way((), "" if keys else words(x.row))), rank=REASON, keeps=bool(keys)))
    return result


def _more_remarks(scene: Scene, leading: NowWords) -> list[Remark]:
    """Return the notes of the mode with focus, else of the moment; those with keys only if keys work."""
    running, mode = scene.table.running, mode_of(scene)
    if mode and (own := mode.remarks(scene)) is not None:
        return [Remark(plain(x)) for x in own]
    cites = is_board_active(scene) and not leading.rule
    about = next((x for x in (leading.why, *leading.more) if x.rule), None) if cites else None
    remarks = [Remark(add_keys(x.text, scene.verbs), about.rule if about == x else "") for x in leading.more]
    # If a rule depends on it, the system asks for it.
    if running and scene.group_line and not any("`group " in x.text for x in leading.more):
        # In a fight what has happened comes before conveniences.
        remarks.append(Remark(_offer_grouping(scene)))
    if hero := fallen_hero(scene):
        key = key_row(scene.keys.get("zero", ":zero"), f"what 0 hit points mean for {hero}")
        remarks.insert(0, Remark(key))
    if not is_board_active(scene):
        remarks = [x for x in remarks if not _names_keys(x.row)]
    if leading.whose.text:
        # What is owed comes before the turn, and its owner right after it.
        remarks.insert(0, Remark(add_keys(leading.whose.text, scene.verbs)))
    return [*_hidden_interrupters(scene), *remarks]


def _names_keys(row: Row) -> bool:
    """Return whether a text has a key, or a line to type."""
    return any(role == "key" or said.startswith(":") for said, role in row)


def _offer_grouping(scene: Scene) -> Row:
    """Return the offer to group the creatures that were added last."""
    _, who, name = tokens(scene.group_line)
    row = add_keys(f"`group` {1 + who.text.count(',')} as {name.text}", scene.verbs)
    key = scene.keys.get("ungroup", "")
    return (*row, (" or ", "text"), *key_row(key, "not")) if key else row


def _hidden_interrupters(scene: Scene) -> list[Remark]:
    """Return a warning about creatures hidden from players that may interrupt, or []."""
    names = dict.fromkeys(x.name for x in interrupters(scene) if x.is_hidden)
    who = join_names(tuple(names), scene.glyphs)
    return [Remark(plain(f"{HIDDEN_WORD}: {who} may interrupt"))] if names else []


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


def _key_wordings(scene: Scene, leading: NowWords) -> list[Way]:
    """Return wordings of the keys for what is next, the longest first.

    If there is a choice of turns, they say what Enter does on the current row.
    """
    acts = choices(scene)
    if len(acts) < 2:
        row = add_keys(leading.does, scene.verbs)
        return [Way(row), Way(keys_of(row))] if keys_of(row) else [Way(row)] if row else []
    passing = add_keys(" or `pass`", scene.verbs) if any(a.kind == "pass" for a in acts) else ()
    go = scene.keys.get("go", ":go")
    return [Way((*key_row(go, words), *passing)) for words in turn_wordings(scene)]


def _key_of_rolls(scene: Scene) -> tuple[str, str]:
    """Return the key and command of the list of rolls: for faces if a total would not decide."""
    command = "faces" if needs_faces(scene) else "totals"
    return scene.keys.get(command, f":{command}"), command


def needs_faces(scene: Scene) -> bool:
    """Return whether the first owed roll cannot be answered with a total."""
    ask = next(iter(rolls_owed(scene)), None)
    return ask is not None and faces_decide(scene, ask)


# --- while a mode has focus


def _draw_outcome(scene: Scene, outcome: str, after: str) -> list[Segment]:
    """Return what Enter would do (`outcome`), and what Enter and Esc are for; [] if `outcome` is empty."""
    if not outcome:
        return []
    # An outcome needs a word before it: alone it would read as if it had happened. A line shows its syntax.
    then = outcome if outcome.startswith(":") else f"Then: {outcome}"
    mark = _mark(scene, scene.glyphs.may)
    either = (
        *key_row("Enter", "takes it"),
        (scene.glyphs.joint, "text"),
        *key_row("Esc", after),
    )
    # The outcome fits whole without its clause, or without the keys, which the hints name too.
    said = tuple(Way(plain(mark + x)) for x in dict.fromkeys((then, drop_clause(then))))
    keys = (Way(either),) if after != GOES_BACK else (Way(either), Way())
    return [Segment(said, rank=REASON), Segment(keys, joint=BREAK, keeps=after != GOES_BACK)]


def drop_clause(said: str) -> str:
    """Return a text without the clause at its end."""
    head, _, clause = said.rpartition(" (")
    return head if head and clause.endswith(")") and "-" in clause and " " not in clause else said


# --- notices


def _draw_notice(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the rows of a notice, an error or the read-only note, [] for none.

    One row is left for what must happen next, except over a damaged save, where nothing can happen, and if a
    notice about typed text needs all rows.
    """
    if notice := scene.view.notice:
        damaged = bool(scene.watching.line) and scene.watching.wrong
        # If Now could not grow for it, typed text is cut first.
        whole = damaged or count_rows(scene, width) >= height
        return _fit_notice(scene, notice, width, height if whole else max(1, height - 1))
    if fault := scene.fault:
        return _fit_notice(scene, fault, width, max(1, height - 1))
    if line := scene.watching.line:
        role: Role = "warning" if scene.watching.wrong else "hint"
        most = height if scene.watching.wrong else max(1, height - 1)
        return _fit_notice(scene, Notice(line, role, scene.watching.help), width, most)
    return []


def count_rows(scene: Scene, width: int) -> int:
    """Return how many rows below the first one a notice about typed text needs, 0 without one."""
    # On the board a notice is shortened; one about typed text is shown whole.
    notice = scene.view.notice if (mode := mode_of(scene)) and mode.is_typed else None
    if notice is None:
        return 0
    return len(fit([Segment((Way(plain(str(notice))),))], width, MOST_NOTICE, scene.glyphs.ellipsis))


def _fit_notice(scene: Scene, notice: Notice, width: int, most: int) -> list[Row]:
    """Return a notice in as few rows as possible; if it must be cut, its `help` comes first."""
    # The clause is left out before any word: [W] shows the rule.
    brief = replace(notice, text=drop_clause(notice.text))
    shown = [str(notice), str(brief)]
    if brief.help and not (brief.help.startswith("there are") and cells(brief.text) < width * most):
        # Most of a reason at least; less is not readable.
        room = width * most - cells(brief.help) - cells(" ()")
        alone = cells(brief.help) <= width and 3 * room < 2 * cells(brief.text)
        shown.append(brief.help if alone else brief.helpful)
    ways = tuple(Way(plain(x, notice.role)) for x in dict.fromkeys(shown))
    return fit([Segment(ways)], width, most, scene.glyphs.ellipsis)


ROWS = 2
"""The rows of Now; a notice leaves the first one."""


def _ask(scene: Scene, room: Room) -> Ask:
    return Ask(1 + max(1, count_rows(scene, room.width)), "bottom", rank=0, least=ROWS)


def _draw(scene: Scene, box: Box) -> list[Row]:
    return now(scene, box.width, box.height)


PANE = Pane("now", _ask, _draw)
