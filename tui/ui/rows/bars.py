"""The header and the Now line as lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import TURNS, RollAsk, Sentence, say
from tui.core.fight.encounter import SIDE, Encounter, members
from tui.core.fight.viewer import text
from tui.core.language.grammar import usage
from tui.core.language.select import resolve
from tui.core.language.tokens import tokens
from tui.core.rules.now import Lead, acts_to_choose, beside, join, lead, whose
from tui.core.rules.on_screen import on_screen
from tui.core.rules.upkeep import COMMON_OPTIONS
from tui.ui.rows import totals
from tui.ui.rows.creatures import HIDDEN, together, unknown
from tui.ui.rows.orders import interrupters
from tui.ui.state.commands import COMMANDS
from tui.ui.state.filling import AREA, fields_of, is_written, stop_of
from tui.ui.state.layout import TWO, content, right_of
from tui.ui.state.scene import (
    Scene,
    Stage,
    asked_first,
    due,
    fallen_hero,
    focus,
    goes,
    must_read,
    offer,
    owes_save,
)
from tui.ui.state.view import (
    Form,
    ImportPreview,
    Manual,
    Menu,
    Notice,
    Page,
    PickList,
    Prompt,
    RollList,
    StepPage,
)
from tui.ui.text.editor import typed_line
from tui.ui.text.palette import Role
from tui.ui.text.rows import Piece, Row, apart, cells, clip, filled, fit, hint_row, inked, joined, wrapped

AS_BEFORE = "= is as last round: type over it, or leave it"
"""What the mark in front of a field says while an order is written."""
_WHOLE = frozenset(c.words for c in COMMANDS if "{" not in c.words and c.id not in ("go", "order"))
"""The verbs that a key says whole."""
_OF_ITS_ROW = "turn"
"""The verb whose key names nobody: it means the row it is pressed on."""
_CHOOSES = "pick"
"""The verb whose key opens a list, whatever a line would pick."""
AS_WRITTEN = "= is written already: type over it, or leave it"
PROPOSED = "= is proposed: type over it, or leave it"
ADDS = "Who is there?"
ADDED = "Enter asks for the next one; Enter alone ends it"
KEEPS = "Under which name is the party kept?"
KEPT = "with hit points, counters and conditions as they are now"
SENDS = "[Enter] sends it"
DROPS = "[Esc] drops this form"
_WORDS = re.compile(r"`([^`]+)`")
NAMES_KEY = re.compile(r"\[[^\[\]=|\s]{1,9}\] |(?<!\w):\w")
"""A key in brackets, or a line to type."""
_KEY, _NO_BREAK = re.compile(r"(\[[^\[\]=|\s]{1,9}\]) (?=\S)"), "\N{NO-BREAK SPACE}"
_CLAUSE = re.compile(r" \([A-Z]+-[A-Z]?[0-9]+\)$")
"""The clause behind what a line would do."""
_KEYED = re.compile(r"\[[^\]]+\] [\w-]+")
LEAST_REASON = 24
"""Columns that a reason behind its key takes at the least."""
_TORN = re.compile(r"\[[^\[\]=|\s]{0,9}\]? ?$")
"""The end of a text that is cut inside a key, or right behind it."""
BELOW = "  "
"""What stands before the rows below the first."""
LEAST_HEAD = 8
"""Columns of a row below which its head is not cut for a key."""


def header(scene: Scene, width: int) -> list[Row]:
    """Save, system, round, phase; at the end what can be redone, and whether all is on the disk.

    It says nothing that every step changes: the number of the step stands in the log.
    """
    e = scene.encounter
    state = (
        [f"round {e.round}", *([e.phase] if e.phase != TURNS.name else [])]
        if e.running
        else ["no fight running"]
    )
    right = _right(scene)
    room = width - sum(cells(text) for text, _ in right) - 1
    joint = scene.glyphs.joint
    # Where not all of it fits, the system's name gives way: it is the same all evening.
    words = joint.join([scene.system.short or scene.system.title, *state])
    words = words if cells(f" {scene.name}{joint}{words}") <= room else joint.join(state)
    left: Row = ((f" {scene.name}", "title"), (joint + words, "muted"))
    return [apart(left, tuple(right), width, scene.glyphs.ellipsis)]


def _right(scene: Scene) -> list[Piece]:
    """Return clocks, filter, selection, what can be redone, and whether all is on the disk."""
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
        waits = "saving " if scene.glyphs.spoken else f"{scene.glyphs.ellipsis:>5} "
        right.append(("saved " if scene.saved else waits, "muted"))
    return right


def now_bar(scene: Scene, width: int, height: int) -> list[Row]:
    """Return what must happen next, and below it what else is open, a notice, or what is wrong."""
    if height < 1:
        return []
    ahead = _ahead(scene, width, height)
    room = height - len(ahead)
    rows = _laid_out(scene, width, room) if room else []
    ellipsis = scene.glyphs.ellipsis
    lines = [clip(inked(cut(row, width, ellipsis)), width, ellipsis) for row in joined(rows, room)]
    return [*filled(lines, room), *ahead]


def cut(text: str, width: int, ellipsis: str, *, words: bool = True) -> str:
    """Return the text in at most `width` columns, never cut behind a key; with `words` between two words."""
    if cells(text) <= width:
        return text
    short = fit(text, width, ellipsis)
    if not words and not _TORN.search(short.removesuffix(ellipsis)):
        return short
    first = broken(text, max(1, width - cells(ellipsis)))[0]
    return fit(first.rstrip(f" ;,:({ellipsis}").removesuffix(" and") + ellipsis, width, ellipsis)


def broken(text: str, width: int, indent: str = "") -> list[str]:
    """Return the text in rows, those after the first indented; no row ends between a key and its word."""
    bound = _KEY.sub(f"\\1{_NO_BREAK}", text)
    first, *more = wrapped(bound, width) or [""]
    below = [indent + row for row in wrapped(" ".join(more), width - len(indent))] if more else []
    return [row.replace(_NO_BREAK, " ") for row in (first, *below)]


def _laid_out(scene: Scene, width: int, room: int) -> list[str]:
    """Return what must happen next with its key, and below it why and what else is open."""
    e, mode = scene.encounter, scene.view.mode
    mark = "" if scene.glyphs.spoken else f"{scene.glyphs.acting if e.turn else scene.glyphs.may} "
    asks = "" if scene.glyphs.spoken else f"{scene.glyphs.may} "
    if isinstance(mode, StepPage) and mode.asking:
        return broken(asks + question(scene, mode), width, BELOW)
    if isinstance(mode, Page) and mode.asks:
        return broken(asks + mode.asks, width, BELOW)
    if isinstance(mode, RollList):
        heads, rolls, why = totals.asked(scene, mode)
        return _placed(scene, _NowText(tuple(asks + x for x in heads), (rolls,), (why,)), width, room)
    if result := _hesitating(scene, width, room):
        return result
    leading = _first_asked(scene) or lead(e, scene.system)
    if isinstance(mode, Form) and mode.verb:
        act = _words(scene, leading.what)
        return _placed(scene, _NowText((asks + wanted(scene, mode),), (SENDS,), (act, DROPS)), width, room)
    if isinstance(mode, Prompt) and mode.kind == "add":
        return _placed(scene, _NowText((asks + ADDS,), ("[Enter] adds",), (ADDED,)), width, room)
    if isinstance(mode, Prompt) and mode.kind == "party":
        return _placed(scene, _NowText((asks + KEEPS,), ("[Enter] keeps it",), (KEPT,)), width, room)
    others, rule, ruled = _others(scene, leading)
    if isinstance(mode, Form):
        others = [x for x in (_as_before(scene, mode),) if x]
    elif isinstance(mode, Prompt) and (takes := _takes(scene, mode)):
        others, rule, ruled = [takes], "", ""
    what = _words(scene, leading.what)
    brief, why = _words(scene, leading.what.brief), text(e, not_aloud(e, leading.what.because))
    does = _does(scene, leading) if has_keys(scene) else ""
    called = _typed(scene)
    heads = (mark + what,) if brief == what else (mark + what, mark + brief)
    owes_roll = bool(does) and isinstance(next(iter(due(scene)), None), RollAsk)
    both = (f"{does}{scene.glyphs.joint}{called}",) if owes_roll else ()
    dos = (*both, does, does.replace(" acts", ""))
    return _placed(
        scene, _NowText(heads, dos, tuple(others), rule, why, called if owes_roll else "", ruled), width, room
    )


def _takes(scene: Scene, prompt: Prompt) -> str:
    """Return what the line being typed takes: how its verb is written, or the values of a house rule."""
    verb, gap, rest = prompt.editor.text.partition(" ")
    if prompt.kind != "line" or not gap:
        return ""
    key, is_key, _ = rest.rpartition(" ")[2].partition("=")
    rules = (*scene.system.options, *COMMON_OPTIONS) if verb == "option" and is_key else ()
    if field := next((f for f in rules if f.key == key), None):
        values = ", ".join(field.choices) or ("true, false" if field.kind == "bool" else "")
        return f"{key}= takes {values or f'{field.least} to {field.most}'}"
    own = next((v.usage for v in scene.system.verbs if v.name == verb), "")
    return own or usage(verb)


def _typed(scene: Scene) -> str:
    """Return the key of the list of rolls: for faces where single dice decide, else for totals."""
    command = "faces" if by_faces(scene) else "totals"
    return f"[{scene.keys.get(command, f':{command}')}] {command}"


def by_faces(scene: Scene) -> bool:
    """Return whether no total would do for the first roll that is owed."""
    ask = next(iter(totals.owing(scene)), None)
    return ask is not None and totals.takes_faces(scene, RollList(scene.step), ask)


def has_keys(scene: Scene) -> bool:
    """Return whether the keys of the board mean something: now, or once what lies over it is closed."""
    return not isinstance(scene.view.mode, Form | Menu | PickList)


def _words(scene: Scene, sentence: Sentence) -> str:
    """Return a sentence with its keys; while something else has the keys, as much of it as names none."""
    if has_keys(scene):
        return keyed(text(scene.encounter, not_aloud(scene.encounter, sentence)), scene.verbs)
    return text(scene.encounter, not_aloud(scene.encounter, sentence)).partition("`")[0].rstrip(" :,(;")


def wanted(scene: Scene, form: Form) -> str:
    """Return what the form of a verb asks: whom, where it has a list to tick."""
    titles = [f.title for f in fields_of(scene, form) or () if f.kind == "list"]
    asked = titles[0] if titles else form.verb
    return f"{asked[0].upper()}{asked[1:].rstrip('?')}?"


class _NowText(Struct, frozen=True):
    """What Now says: heads and keys, the longest first, then what else is open, and the clause.

    `why` goes below where only a head without its reason has room, `also` is a key that does as well; `ruled`
    is the one of the others that the clause is about, "" where it is about the head.
    """

    heads: tuple[str, ...]
    does: tuple[str, ...]
    others: tuple[str, ...] = ()
    rule: str = ""
    why: str = ""
    also: str = ""
    ruled: str = ""

    def cited(self, row: str, width: int) -> str:
        """Return the row with the clause right behind what it is about, where both have room."""
        if not self.rule or (self.ruled and self.ruled not in row):
            return row
        clause = f" ({self.rule})"
        whole = row.replace(self.ruled, self.ruled + clause, 1) if self.ruled else row + clause
        return whole if cells(whole) <= width else row


def _placed(scene: Scene, what: _NowText, width: int, room: int) -> list[str]:
    """Return the rows: the key stands beside the head, else whole at the beginning of the row below."""
    pieces = [x for x in what.others if x]
    pairs = ((head, does) for head in what.heads for does in what.does)
    for head, does in pairs:
        first = _keyed_row(scene, head, does, width)
        if not first:
            continue
        # Where what is said is cut to its beginning, its reason stands below.
        below = (what.why if head != what.heads[0] else "", "" if what.also in does else what.also)
        pieces = [*filter(None, below), *pieces]
        if room < 2:
            joined = _joined(head, does, *pieces[:1])
            return [joined if scene.grouping and cells(joined) <= width else first]
        if not pieces:
            return [what.cited(first, width)]
        if what.rule and not what.ruled:
            cited = _keyed_row(scene, f"{head} ({what.rule})", does, width)
            first = cited if does and cited.find(does) == first.find(does) else first
        second = f"  {_fitting_others(pieces, width - 2, scene.glyphs.ellipsis)}"
        return [first, what.cited(second, width) if what.ruled else second]
    head, does = what.heads[0], next((x for x in what.does if x), "")
    if room < 2:
        least = what.does[-1]
        left = width - cells(least) - 2
        short = left >= LEAST_HEAD and least
        return [f"{cut(what.heads[-1], left, scene.glyphs.ellipsis)}  {least}"] if short else [head]
    if not does:
        rows = broken(_joined(head, *pieces), width, BELOW)
        return rows if len(rows) <= room else [head, *broken(BELOW + _joined(*pieces), width, BELOW)]
    # A key is not torn from what it does: it stands below, with what else has room.
    if cells(head) > width:
        head, pieces = what.heads[-1], [*([what.why] if what.why else []), *pieces]
    second = f"  {_fitting_others([does, *pieces], width - 2, scene.glyphs.ellipsis)}"
    return [head, what.cited(second, width)]


def _as_before(scene: Scene, form: Form) -> str:
    """Return what the mark in front of filled fields means; "" where none is filled."""
    if not any(form.texts.get(key) for key in form.fresh):
        return ""
    return AS_WRITTEN if is_written(scene, form.who) else AS_BEFORE if scene.encounter.round > 1 else PROPOSED


def _first_asked(scene: Scene) -> Lead | None:
    """Return what Now says while a form comes before all that is owed; None without one."""
    asked = asked_first(scene)
    if not asked or owes_save(scene):
        return None
    others = tuple(ask.who for ask in asked[1:4])
    slots = ", ".join(f"{{{number}}}" for number in range(len(others)))
    more = f" and {len(asked) - 4} more" if len(asked) > 4 else ""
    then = [Sentence(f"then {slots}{more}", others)] if others else []
    return Lead(join([asked[0].why, *then], " "), say("`order`"))


def _hesitating(scene: Scene, width: int, room: int) -> list[str]:
    """Return what taking the current line of a menu would mean, and what leaving it."""
    menu = scene.view.mode
    shown = menu.shown if isinstance(menu, Menu) and not menu.narrow else ()
    if not isinstance(menu, Menu) or not shown:
        return []
    item = shown[min(menu.at, len(shown) - 1)]
    if not item.preview:
        return []
    mark = "" if scene.glyphs.spoken else f"{scene.glyphs.may} "
    either = f"  [Enter] takes it{scene.glyphs.joint}[Esc] {item.left or 'goes back'}"
    # An outcome with a word before it: alone it would read as if it had happened. A line shows its syntax.
    then = f"{mark}{item.preview}" if item.preview.startswith(":") else f"{mark}Then: {item.preview}"
    rows = broken(then, width, BELOW)
    if len(rows) >= room:
        # What would happen has room whole without its clause, or without the keys, which the hints name too.
        rows = broken(_CLAUSE.sub("", then), width, BELOW)
        if len(rows) >= room > 1 and not item.left:
            return rows
    return [*rows, either] if len(rows) < room else [then, either][:room]


def _others(scene: Scene, leading: Lead) -> tuple[list[str], str, str]:
    """Return why, and what else is open, as far as keys mean something; the first clause, and of which."""
    e = scene.encounter
    more = [s for s in (*beside(e, scene.system), leading.why) if s.text]
    if e.running and on_screen(scene.system).asked_first(e) and not (asked_first(scene) and owes_save(scene)):
        # What Now asks for in its first row is not said again below it, nor what was left empty.
        more = [s for s in more if "`order`" not in s.text]
    others = [text(e, not_aloud(e, s)) for s in more]
    # Where a rule depends on it the system asks for it itself.
    if scene.grouping and not any("`group " in piece for piece in others):
        key = scene.keys.get("ungroup", "")
        leaves = f" or [{key}] not" if key else ""
        # In a fight what has happened comes before what would be handy.
        place = len(others) if e.running else 0
        _, who, name = tokens(scene.grouping)
        others.insert(place, f"`group` {1 + who.text.count(',')} as {name.text}{leaves}")
    if hero := fallen_hero(scene):
        others.insert(0, f"[{scene.keys.get('zero', ':zero')}] what 0 hit points mean for {hero}")
    pieces = [keyed(piece, scene.verbs) for piece in others]
    if not has_keys(scene):
        pieces = [piece for piece in pieces if not NAMES_KEY.search(piece)]
    if e.turn and due(scene):
        # What is owed comes before the turn: whose it is comes right behind.
        acting = text(e, not_aloud(e, whose(e)))
        pieces = [acting, *filter(None, (piece.removesuffix(acting).rstrip("; ") for piece in pieces))]
    # The clause of what cannot be done now explains nothing that is shown.
    shown = (leading.what, leading.does, leading.why, *(more if has_keys(scene) else ()))
    about = next((s for s in shown if s.rule), Sentence(""))
    # Where the reason stands below, the clause is the reason's.
    about = leading.why if leading.why.text and leading.why.rule == about.rule else about
    ruled = keyed(text(e, not_aloud(e, about)), scene.verbs) if about in more else ""
    return [*_unseen(scene), *pieces], about.rule, ruled if ruled in pieces else ""


def _fitting_others(pieces: Sequence[str], width: int, ellipsis: str) -> str:
    """Return as many remarks as fit whole; of what does not its keys: half a remark would lose them.

    A remark with one key stands behind it, cut, where columns are left: a key alone does not say why. So does
    one without a key, where nothing else would stand but whose turn it is.
    """
    first = pieces[0]
    # A reason gives way before a key that means something now.
    taken = sum(cells(f"; {_keys(piece)}") for piece in pieces[1:] if _keys(piece))
    room = width - taken if width - taken >= LEAST_REASON else width
    shown = [first if cells(first) <= room else _keys(first) or cut(first, room, ellipsis)]
    for number, piece in enumerate(pieces[1:], 2):
        left = f"; {ellipsis}" if number < len(pieces) else ""
        for words in (piece, _keys(piece)):
            if words and cells("; ".join([*shown, words])) + cells(left) <= width:
                shown.append(words)
                break
    room = width - cells(f"{shown[0]}; ")
    if len(shown) == 1 < len(pieces) and room >= LEAST_REASON:
        return f"{shown[0]}; {cut(pieces[1], room, ellipsis)}"
    more = f"; {ellipsis}" if len(shown) < len(pieces) else ""
    room = width - cells("; ".join(shown) + more)
    for at, words in enumerate(shown):
        whole = next((x for x in pieces if words != x and _keys(x) == words), "")
        if whole and room >= LEAST_REASON:
            reason = _KEYED.sub("", whole).replace("()", "").strip(" :;,")
            shown[at] = f"{words}: {cut(' '.join(reason.split()), room - len(': '), ellipsis)}"
            break
    line = "; ".join(shown)
    return line + more if more and cells(line + more) <= width and not line.endswith(ellipsis) else line


def _keys(piece: str) -> str:
    """Return the keys of a remark, each with its word."""
    return " ".join(_KEYED.findall(piece))


def _joined(*parts: str) -> str:
    """Join those that say something into one row; behind a question nothing but a blank."""
    result = ""
    for part in filter(None, parts):
        result += (" " if result.endswith("?") else "; " if result else "") + part
    return result


def _keyed_row(scene: Scene, head: str, does: str, width: int) -> str:
    """Return the first row, with the key in the same column from turn to turn; "" without room."""
    at = width - right_of(width) + 1 if width >= TWO else 0
    if not does or scene.glyphs.spoken:
        words = _joined(head, does)
        return words if cells(words) <= width else ""
    if cells(head) < at and at + cells(does) <= width:
        return head + " " * (at - cells(head)) + does
    gap = width - cells(head) - cells(does)
    return head + " " * gap + does if gap > 1 else ""


def _does(scene: Scene, leading: Lead) -> str:
    """Return what the keys would do: of a choice what Enter does on the current row."""
    e = scene.encounter
    acts = acts_to_choose(e, offer(scene))
    if len(acts) < 2:
        # Whom Now has named already it has marked.
        named = set(leading.does.about) <= set(leading.what.about)
        return keyed(text(e, leading.does if named else not_aloud(e, leading.does)), scene.verbs)

    act = goes(scene, acts)
    turn = say("{0} acts", act.who) if act else say("chooses")
    # The side that chooses stands in front of it, marked.
    shown = text(e, turn if unknown(e, offer(scene).chooser) else not_aloud(e, turn))
    passing = any(a.kind == "pass" for a in acts)
    return f"[{scene.keys.get('go', ':go')}] {shown}" + keyed(" or `pass`" * passing, scene.verbs)


def _unseen(scene: Scene) -> list[str]:
    """Return a warning of those who may break in and of whom the players do not know, if there are any."""
    names = dict.fromkeys(x.name for x in interrupters(scene) if x.hidden)
    return [f"{HIDDEN}: {together(tuple(names), scene.glyphs)} may interrupt"] if names else []


def not_aloud(e: Encounter, sentence: Sentence) -> Sentence:
    """Return the sentence with a word before each creature that is hidden; lines to type stay."""
    keys = sentence.about
    secret = {number for number, key in enumerate(keys) if unknown(e, key)}
    # Behind a side that is marked its members need no mark of their own.
    marked = {keys[number] for number in secret}
    secret -= {n for n in secret if keys[n] in e.combatants and SIDE + e.combatants[keys[n]].side in marked}
    if not secret:
        return sentence
    pieces = sentence.text.split("`")
    # Every other piece stands between backticks: it is a line to be typed.
    for place in range(0, len(pieces), 2):
        for number in secret:
            pieces[place] = pieces[place].replace(f"{{{number}}}", f"{HIDDEN} {{{number}}}")
    return replace(sentence, text="`".join(pieces))


def keyed(words: str, keys: Mapping[str, str], *, whole: bool = False) -> str:
    """Turn words to write into the key for them: `next` is [n] next; `whole`: with all that they say."""

    def key(m: re.Match[str]) -> str:
        verb, _, rest = m[1].partition(" ")
        if verb not in keys:
            return f":{m[1]}"
        # The key knows or asks whom it means; anything else has to be typed.
        if rest and verb in _WHOLE:
            return f":{m[1]}"  # the key says the verb alone, and asks for no more
        if rest and verb == _OF_ITS_ROW:
            return f"[{keys[verb]}] on {rest}"  # on another row the key means that one
        if verb == _CHOOSES:
            return f"[{keys[verb]}] {verb}"  # the key opens the choice
        try:
            typed = whole or any(t.key or t.text.isdecimal() for t in tokens(rest))
        except RuleError:
            return f":{m[1]}"  # a backtick in a name, from an older save, has cut the line short
        return f"[{keys[verb]}] {m[1] if typed else verb}"

    return _WORDS.sub(key, words)


def _ahead(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the rows of a notice, a fault or of looking on.

    Now keeps one, but over a damaged save, where nothing can happen next, and on the smallest screens.
    """
    if notice := scene.view.notice:
        damaged = bool(scene.watching.line) and scene.watching.wrong
        # Where Now could not grow for it, what was typed goes first.
        whole = damaged or notice_need(scene, width) >= height
        return _laid(scene, notice, width, height if whole else max(1, height - 1))
    if fault := scene.fault:
        return _laid(scene, fault, width, max(1, height - 1))
    if line := scene.watching.line:
        role: Role = "warning" if scene.watching.wrong else "hint"
        most = height if scene.watching.wrong else max(1, height - 1)
        return _laid(scene, Notice(line, role, scene.watching.help), width, most)
    return []


MOST_NOTICE = 3
"""Rows that a notice takes beside Now, at the most."""


def notice_need(scene: Scene, width: int) -> int:
    """Return the rows that the notice would like to have below what Now says first; 0 without one."""
    # On the board a notice is shortened; what was typed is judged whole.
    notice = scene.view.notice if isinstance(scene.view.mode, Prompt | Form) else None
    return min(MOST_NOTICE, len(broken(str(notice), width))) if notice else 0


def _laid(scene: Scene, notice: Notice, width: int, most: int) -> list[Row]:
    """Return the notice in as few rows as it takes; where it does not fit, what would work comes first."""
    rows = broken(str(notice), width)
    if len(rows) > most:
        # The clause goes before any word does: [W] shows the rule.
        notice = replace(notice, text=_CLAUSE.sub("", notice.text))
        rows = broken(str(notice), width)
    if len(rows) > most:
        # A list of what there is gives way to the word that was wrong.
        room = width * most - cells(notice.text) - 4
        listed = notice.help.startswith("there are") and room > 0
        shown = fit(notice.help, room, scene.glyphs.ellipsis) if listed else notice.help
        rows = joined(broken(replace(notice, help=shown).helpful, width), most)
        # Most of a reason at the least: of less one reads nothing.
        left = width * most - cells(shown) - cells(" ()")
        if shown and not listed and cells(shown) <= width and 3 * left < 2 * cells(notice.text):
            rows = [shown]
    return [((cut(row, width, scene.glyphs.ellipsis, words=False), notice.role),) for row in rows]


def price(scene: Scene, reading: StepPage) -> str:
    """Return what travelling to the step that is read costs: `going back here undoes 6 steps`."""
    steps = abs(scene.step - reading.step)
    words = f"{steps} step{'s' * (steps != 1)}"
    return (
        f"going back here undoes {words}"
        if reading.step < scene.step
        else f"going on to here brings back {words}"
    )


def question(scene: Scene, reading: StepPage) -> str:
    """Return the question about travelling that the Now line asks."""
    words = price(scene, reading)
    return f"{words[0].upper()}{words[1:]}: [y] does it, any other key stays"


IN_PROMPT: dict[str, tuple[tuple[str, str], ...]] = {
    "line": (("Tab", "complete"), ("Up", "earlier lines"), ("Esc", "back")),
    "aim": (("letters", "go to their row"), ("Esc", "back")),
    "filter": (("Enter", "keep"), ("Esc", "clear")),
    "points": (("h", "half"), ("x", "double"), ("Esc", "back")),
    "condition": (
        ("rounds=", "2"),
        ("save=", "DC"),
        ("of=", "WHO"),
        ("conc=", "yes"),
        ("Tab", "complete"),
        ("Enter", "send"),
        ("Esc", "back"),
    ),
    "attack": (("Enter", "rolls"), ("14 9", "d20, damage"), ("adv", "two d20"), ("Esc", "back")),
    "party": (("Enter", "keep"), ("Esc", "back")),
    "add": (("Enter", "add, next"), ("Tab", "complete"), ("Esc", "back"), ("Up", "earlier")),
}
IN_MODE: dict[type, tuple[tuple[str, str], ...]] = {
    PickList: (("Space", "choose"), ("Enter", "send"), ("A", "all"), ("Esc", "back")),
    Menu: (
        ("letters", "narrow"),
        ("Up/Down", "choose"),
        ("Enter", "take"),
        ("ctrl+u", "all of it"),
        ("Esc", "back"),
    ),
    Page: (("j/k", "scroll"), ("Esc", "back")),
    Manual: (
        ("letters", "search"),
        ("Up/Down", "choose"),
        ("Enter", "open"),
        ("ctrl+u", "all of it"),
        ("Esc", "back"),
    ),
    StepPage: (("j/k", "step after, before"), ("g", "go back to it"), ("Y", "copy"), ("Esc", "back")),
}
INTAKE: dict[Stage, tuple[tuple[str, str], ...]] = {
    "reading": (("Esc", "stop"),),
    "read": (
        ("Enter", "keep"),
        ("o", "keep over others"),
        ("a", "add to the fight"),
        ("j/k", "scroll"),
        ("Esc", "back"),
    ),
    "keeping": (("Esc", "back"),),
    "kept": (("Enter", "back"),),
    "refused": (("Esc", "back"),),
}
ASKING = (("y", "go there"), ("Enter", "stay"), ("Esc", "stay"))
SCROLL = ("j/k", "scroll")
TAKING = (("j/k", "choose"), ("Enter", "take"), ("Esc", "back"))
MEMBERS = (("Up/Down", "member"), ("A", "all"))
TARGETS = (("Up/Down", "target"), ("A", "all foes"))


COUNT, SPACIOUS = 5, 60
"""Columns kept for a count behind the hints, on a screen of at least `SPACIOUS` columns."""


def bottom(scene: Scene, labels: Mapping[str, str], width: int) -> list[Row]:
    """Return the prompt if it is open, else hints. `labels` are the commands' short words."""
    match scene.view.mode:
        case Prompt() as prompt:
            return [prompt_line(scene, prompt, width)]
        case None:
            return [hint_line(scene, board_hints(scene, labels), width)]
        case Form() as form:
            return [hint_line(scene, _form_hints(scene, form), width)]
        case Menu(narrow=False) as menu:
            turns = (("Left/Right", "changes it"),) if any(i.kin for i in menu.items) else ()
            gives = (("Tab", "gives up"),) if len(menu.given) > 1 else ()
            return [hint_line(scene, (*TAKING[:2], *turns, *gives, *TAKING[2:]), width)]
        case ImportPreview():
            return [hint_line(scene, INTAKE[scene.incoming.stage], width)]
        case RollList() as mode:
            return [hint_line(scene, tuple(totals.hints(scene, mode)), width)]
        case Page(asks=asks) if asks:
            return [hint_line(scene, (("y", "yes"), SCROLL, ("Esc", "back")), width)]
        case StepPage(asking=True):
            return [hint_line(scene, ASKING, width)]
        case mode:
            return [hint_line(scene, IN_MODE[type(mode)], width)]


def _form_hints(scene: Scene, form: Form) -> tuple[tuple[str, str], ...]:
    """Return what the keys do where the cursor is; Esc says what becomes of the text."""
    stop = stop_of(scene, form)
    pairs: list[tuple[str, str]] = [("Enter", "send")]
    if stop and stop.row:
        pairs += [("Space", "there"), *([("digits", "squares")] if stop.number else [])]
        pairs += [
            *([("r", "rolls")] if stop.one else []),
            ("A", "side" if form.verb == AREA else "all"),
            ("j/k", "row"),
        ]
    elif stop and stop.typed is None:
        pairs += [("Space", "changes")]
    elif stop and stop.typed and stop.typed.key in form.fresh:
        pairs += [("letters", "replace")]
    pairs += [("Tab", "next")]
    if form.verb:
        return (*pairs, ("Esc", "drop"))
    return (*pairs, ("ctrl+t", "unseen"), ("Esc", "keeps a draft"))


def hint_line(scene: Scene, pairs: tuple[tuple[str, str], ...], width: int) -> Row:
    """Return keys and words, as many as fit whole, with the count that is being typed behind them.

    Columns are kept for the count: a digit sends itself and not the whole line.
    """
    count = f"{scene.view.count} " if scene.view.count else ""
    row = hint_row(pairs, width - (COUNT if width >= SPACIOUS else cells(count)), scene.glyphs.ellipsis)
    return apart(row, ((count, "warning"),), width, scene.glyphs.ellipsis) if count else row


def prompt_line(scene: Scene, prompt: Prompt, width: int) -> Row:
    """Return the line being typed with its cursor in view, and the keys that mean something in it."""
    sign = {"filter": "/", "aim": "-", "party": ">"}.get(prompt.kind, ":")
    pairs = IN_PROMPT[prompt.kind]
    if prompt.kind == "attack" and (dice := _dice_of_the_table(prompt)):
        pairs = (("Enter", f"takes the table's {dice}"), *pairs[1:])
    if prompt.members:
        pairs = (
            (*pairs[:2], *TARGETS, *pairs[2:])
            if prompt.kind == "attack"
            else (*MEMBERS, *_pool(prompt), *pairs)
        )
    if prompt.kind == "aim" and prompt.editor.text:
        pairs = (("letters", f"take {prompt.editor.text} off their row"), *pairs[1:])
    words = hit_points(scene, prompt) if prompt.kind == "points" else ""
    groups: list[tuple[Piece, ...]] = [((f" {words}", "hint"),)] if words else []
    groups += [((f" {key}", "key"), (f" {word}", "hint")) for key, word in pairs]
    help_, room = _fitting_help(groups, width - 2, max(24, cells(prompt.editor.text[:width]) + 4))
    typed = typed_line(prompt.editor, room)
    used = sum(cells(t) for t, _ in typed)
    gap: Piece = (" " * max(0, room - used + 1), "text")
    return clip(((sign, "key"), *typed, gap, *help_), width, scene.glyphs.ellipsis)


def _dice_of_the_table(prompt: Prompt) -> str:
    """Return the numbers typed behind a target: a digit there is a die, where a list took it for a row."""
    return " ".join(x for x in prompt.editor.text.removeprefix(prompt.stem).split() if x.isdecimal())


def _pool(prompt: Prompt) -> tuple[tuple[str, str], ...]:
    """Return the key by which damage runs through a group."""
    return (("P", "pool"),) if prompt.stem.startswith("damage ") else ()


def hit_points(scene: Scene, prompt: Prompt) -> str:
    """Return the hit points of those the line names: `14/18+5`, of several the least and the most, or ""."""
    try:
        parsed = tokens(prompt.editor.text)
        named = [scene.encounter.combatants[k] for k in resolve(scene.encounter, parsed[1].text)]
    except (RuleError, IndexError):
        return ""
    # Of a group those who are out take nothing.
    named = [c for c in named if not c.out] or named
    known = [c for c in named if c.hp is not None]
    if len(known) == 1:
        (c,) = known
        return f"has {c.hp}/{c.most_hp}" + (f"+{c.temp_hp}" if c.temp_hp else "")
    points = sorted(c.hp for c in known if c.hp is not None)
    return f"have {points[0]} to {points[-1]}" if points else ""


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


def board_hints(scene: Scene, labels: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return keys with their words, those for the present moment first."""
    # After the fight there is nothing to finish.
    words = labels if scene.encounter.running else {**labels, "over": "rest"}
    if content(focus(scene)) == "steps":
        words = {**words, "go": "read"}
    pairs = [(scene.keys[i], words[i]) for i in _fitting(scene) if i in scene.keys]
    return tuple([*pairs[:1], SCROLL, *pairs[1:]] if must_read(scene) and pairs else pairs)


def _fitting(scene: Scene) -> tuple[str, ...]:
    match content(focus(scene)):
        case "steps":
            return ("go", "undo", "redo", "panes", "line", "help")
        case "entries" | "creatures" | "text":
            return _of_the_moment(scene)
        case never:
            assert_never(never)


def _of_the_moment(scene: Scene) -> tuple[str, ...]:
    """Return the commands that the state of the fight asks for; while looking on, those that only look."""
    if scene.watching.word:
        return ("panes", "filter", "why", "zoom", "quit", "help")
    common = ("damage", "heal", "condition", "undo", "line", "select", "help")
    if not scene.encounter.combatants:
        # Nothing can be begun or changed yet.
        return ("add", "party", *(("undo",) if scene.step else ()), "line", "quit", "help")
    if not scene.encounter.running:
        people = scene.encounter.combatants.values()
        hurt = any(c.out or (c.hp is not None and c.most_hp is not None and c.hp < c.most_hp) for c in people)
        rests = ("over",) if hurt else ()
        return ("add", "begin", *rests, "edit", "party", "undo", "line", "quit", "help")
    owed = due(scene)
    if scene.encounter.turn and not owed:
        able = any(c.attacks for c in members(scene.encounter, scene.encounter.acting))
        first = ("next", *(("attack",) if able else ()))
        return (*first, "damage", "heal", "condition", "out", "undo", "line", "end", "select", "help")
    if owed:
        first = {
            "roll": ("roll", *(() if by_faces(scene) else ("totals",)), "faces"),
            "pick": ("go",),
            "form": ("order",),
            "lock": ("lock",),
            "acknowledge": ("ok",),
            "effect": ("roll", "leave-out"),
        }[owed[0].kind]
        return (*first, *common)
    acts = acts_to_choose(scene.encounter, offer(scene))
    if len(acts) > 1:
        return ("go", *(("pass",) if any(a.kind == "pass" for a in acts) else ()), *common)
    return ("next", *common)
