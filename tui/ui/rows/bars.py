"""The header and the Now line as lines."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tui.core.fight.agenda import TURNS, say
from tui.core.fight.viewer import text
from tui.core.language.tokens import tokens
from tui.core.rules.now import Lead, beside, lead
from tui.ui.rows.overlays import question
from tui.ui.state.layout import TWO, right_of
from tui.ui.state.scene import Scene, meant, offer
from tui.ui.state.view import Form, Menu, Notice, PickList, StepPage
from tui.ui.text.palette import Role
from tui.ui.text.rows import Piece, Row, apart, cells, clip, filled, inked, wrapped

AS_BEFORE = "= is as last round: type over it, or leave it"
"""What the mark in front of a field says while an order is written."""
_WORDS = re.compile(r"`([^`]+)`")


def header(scene: Scene, width: int) -> list[Row]:
    """Save, system, round, phase; at the end what can be redone, and whether all is on the disk.

    It says nothing that every step changes: the number of the step stands in the log.
    """
    e = scene.encounter
    state = (
        [f"round {e.round}", *([e.phase] if e.phase != TURNS.name else [])] if e.running else ["not begun"]
    )
    right = _right(scene)
    room = width - sum(cells(text) for text, _ in right) - 1
    dot = f" {scene.glyphs.dot} "
    # Where not all of it fits, the system's name gives way: it is the same all evening.
    told = dot.join([scene.system.short or scene.system.title, *state])
    told = told if cells(f" {scene.name}{dot}{told}") <= room else dot.join(state)
    left: Row = ((f" {scene.name}", "title"), (dot + told, "muted"))
    return [apart(left, tuple(right), width, scene.glyphs.ellipsis)]


def _right(scene: Scene) -> list[Piece]:
    """Clocks, filter, selection, what can be redone, and whether all is on the disk."""
    right: list[Piece] = [(f"{scene.clock}  ", "text")] if scene.clock else []
    if scene.view.filter:
        right.append((f"filter: {scene.view.filter}  ", "warning"))
    if scene.view.selected:
        right.append((f"{len(scene.view.selected)} selected  ", "selected"))
    if scene.steps > scene.step:
        right.append((f"redo {scene.steps - scene.step}  ", "hint"))
    if scene.fault:
        right.append(("NOT SAVED ", "error"))
    elif scene.watching.word:
        right.append((f"{scene.watching.word} ", "warning" if scene.watching.wrong else "hint"))
    else:
        right.append((_saved(scene), "muted"))
    return right


def _saved(scene: Scene) -> str:
    """Whether all is on the disk."""
    if scene.saved:
        return "saved "
    return "saving " if scene.glyphs.spoken else f"{scene.glyphs.ellipsis:>5} "


def now_bar(scene: Scene, width: int, height: int) -> list[Row]:
    """What must happen next; below it what else is open, or a notice until the next key, or what is wrong."""
    if height < 1:
        return []
    said = _said(scene, width, height)
    room = height - len(said)
    rows = _laid_out(scene, width, room) if room else []
    if len(rows) > room:
        # Joined and then clipped, so that the ellipsis shows that something is missing.
        rows = [*rows[: room - 1], " ".join(rows[room - 1 :])]
    lines = [clip(inked(row), width, scene.glyphs.ellipsis) for row in rows]
    return [*filled(lines, room), *said]


def _laid_out(scene: Scene, width: int, room: int) -> list[str]:
    """What must happen next with its key; below it why, and what else is open. Where it does not fit, all in one."""
    e = scene.encounter
    if isinstance(scene.view.mode, StepPage) and scene.view.mode.asking:
        asked = question(scene, scene.view.mode)
        return wrapped(asked if scene.glyphs.spoken else f"{scene.glyphs.may} {asked}", width)
    if told := _hesitating(scene, width):
        return told
    found = lead(e, scene.system)
    mark = scene.glyphs.acting if e.turn else scene.glyphs.may
    head = ("" if scene.glyphs.spoken else f"{mark} ") + keyed(text(e, found.what), scene.verbs)
    # While something else has the keys they do not do what they do on the board.
    does = "" if isinstance(scene.view.mode, Form | Menu | PickList) else _does(scene, found)
    rest, rule = _rest(scene, found, width)
    if isinstance(scene.view.mode, Form) and not scene.view.mode.verb:
        rest = AS_BEFORE if any(scene.view.mode.texts.get(key) for key in scene.view.mode.fresh) else ""
    cited = f" ({rule})" if rule else ""
    first = _keyed_row(scene, head, does, width) or _keyed_row(scene, head, does.replace(" acts", ""), width)
    if first and room < 2 and not scene.grouping:
        return [first]
    if not first:
        return wrapped(_joined(head, does, rest) + cited, width)
    if rest:
        return [first, f"  {rest}{cited}" if cells(rest + cited) + 2 <= width else f"  {rest}"]
    return [first + cited if cells(first + cited) <= width else first]


def _hesitating(scene: Scene, width: int) -> list[str]:
    """In a menu: what taking the current line would mean, and what leaving it."""
    menu = scene.view.mode
    shown = menu.shown if isinstance(menu, Menu) and not menu.narrow else ()
    if not isinstance(menu, Menu) or not shown:
        return []
    item = shown[min(menu.at, len(shown) - 1)]
    if not item.told:
        return []
    mark = "" if scene.glyphs.spoken else f"{scene.glyphs.may} "
    either = f"[Enter] takes it {scene.glyphs.dot} [Esc] {item.left or 'goes back'}"
    return [*wrapped(f"{mark}{item.told}", width), f"  {either}"]


def _rest(scene: Scene, found: Lead, width: int) -> tuple[str, str]:
    """Why, and what else is open, as much of it as fits whole; and the first clause."""
    e = scene.encounter
    more = [s for s in (*beside(e, scene.system), found.why) if s.text]
    said = [text(e, s) for s in more]
    # Where a rule depends on it the system asks for it itself.
    if scene.grouping and not any("`group " in piece for piece in said):
        said.insert(0, f"`group` them as {tokens(scene.grouping)[-1].text}{_or_not(scene)}")
    pieces = [keyed(piece, scene.verbs) for piece in said]
    rule = next((s.rule for s in (found.what, found.does, found.why, *more) if s.rule), "")
    told = pieces[:1]
    # What does not fit is left out as a whole: half a remark loses its key.
    for number, piece in enumerate(pieces[1:], 2):
        left = f"; {scene.glyphs.ellipsis}" if number < len(pieces) else ""
        if cells("; ".join([*told, piece])) + cells(left) + 2 <= width:
            told.append(piece)
    return "; ".join(told) + f"; {scene.glyphs.ellipsis}" * (len(told) < len(pieces)), rule


def _joined(*parts: str) -> str:
    """Those that say something, as one row; behind a question nothing but a blank."""
    told = ""
    for part in filter(None, parts):
        told += (" " if told.endswith("?") else "; " if told else "") + part
    return told


def _keyed_row(scene: Scene, head: str, does: str, width: int) -> str:
    """The first row: the key in a column of its own, so that it stays where it is from turn to turn; "" without room."""
    at = width - right_of(width) + 1 if width >= TWO else 0
    if not does or scene.glyphs.spoken:
        told = _joined(head, does)
        return told if cells(told) <= width else ""
    if cells(head) < at and at + cells(does) <= width:
        return head + " " * (at - cells(head)) + does
    gap = width - cells(head) - cells(does)
    return head + " " * gap + does if gap > 1 else ""


def _does(scene: Scene, found: Lead) -> str:
    """What the keys would do: of a choice what Enter does on the current row."""
    acts = offer(scene).acts
    if len(acts) < 2:
        return keyed(text(scene.encounter, found.does), scene.verbs)

    here = next((a for a in acts if a.kind == "turn" and a.who in meant(scene)), None)
    goes = text(scene.encounter, say("{0} acts", here.who)) if here else "chooses"
    passing = any(a.kind == "pass" for a in acts)
    return f"[{scene.keys.get('go', ':go')}] {goes}" + keyed(" or `pass`" * passing, scene.verbs)


def _or_not(scene: Scene) -> str:
    """The key that leaves them as they are, where there is one."""
    key = scene.keys.get("ungroup", "")
    return f" or [{key}] not" if key else ""


def keyed(words: str, keys: Mapping[str, str], *, whole: bool = False) -> str:
    """Words to write become the key that writes them: `next` is [n] next; `whole`: with all that they say."""

    def key(m: re.Match[str]) -> str:
        verb, _, rest = m[1].partition(" ")
        if verb not in keys:
            return f":{m[1]}"
        # Whom the key means it knows or asks, and the sentence has named them; what else is to be typed it does not.
        typed = whole or any(t.key or t.text.isdecimal() for t in tokens(rest))
        return f"[{keys[verb]}] {m[1] if typed else verb}"

    return _WORDS.sub(key, words)


def _said(scene: Scene, width: int, height: int) -> list[Row]:
    """A notice may take every row, for it is gone with the next key; a fault that stays leaves one to Now."""
    if notice := scene.view.notice:
        return _laid(scene, notice, width, height)
    if fault := scene.fault:
        return _laid(scene, fault, width, max(1, height - 1))
    if line := scene.watching.line:
        role: Role = "warning" if scene.watching.wrong else "hint"
        return _laid(scene, Notice(line, role), width, max(1, height - 1))
    return []


def _laid(scene: Scene, notice: Notice, width: int, most: int) -> list[Row]:
    """The whole notice in as few rows as it takes; where it does not fit, what would work comes first."""
    rows = wrapped(str(notice), width)
    if len(rows) > most:
        rows = wrapped(notice.helpful, width)
        rows = [*rows[: most - 1], " ".join(rows[most - 1 :])]
    return [clip(((row, notice.role),), width, scene.glyphs.ellipsis) for row in rows]
