"""The hints: the keys that mean something now, or the line that is being typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from tui.core.base.errors import RuleError
from tui.core.fight.encounter import members
from tui.core.language.select import resolve
from tui.core.language.tokens import tokens
from tui.core.rules.now import acts_to_choose
from tui.ui.panes.now import by_faces
from tui.ui.rows import totals
from tui.ui.state.filling import AREA, stop_of
from tui.ui.state.layout import content
from tui.ui.state.scene import Scene, Stage, due, focus, must_read, offer
from tui.ui.state.view import Form, ImportPreview, Manual, Menu, Page, PickList, Prompt, RollList, StepPage
from tui.ui.text.editor import typed_line
from tui.ui.text.rows import Piece, Row, apart, cells, clip, hint_row

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
