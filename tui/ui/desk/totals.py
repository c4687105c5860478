"""Run keys in the list of owed rolls: totals, faces, saves made and failed, the app's dice for the rest."""

from __future__ import annotations

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import label
from tui.core.language.select import several
from tui.core.language.tokens import quote
from tui.core.rules.optional import correctable
from tui.ui.desk.base import BaseDesk
from tui.ui.rows.totals import after, current, owing, renewed, takes_faces
from tui.ui.state.scene import Scene
from tui.ui.state.view import Item, Menu, Notice, RollList
from tui.ui.text.editor import Editor
from tui.ui.text.press import DIGITS, Press, read_faces

TYPED = f"{DIGITS}-"
"""What may be typed for a total."""
FACES = f"{DIGITS} ,"
"""What may be typed for faces."""


def totals(desk: BaseDesk, rest: str) -> None:
    """Open the list on its totals, at the roller named, else at the first of the selected rows."""
    _open(desk, rest, faces=False)


def faces(desk: BaseDesk, rest: str) -> None:
    """Open the list on its faces."""
    _open(desk, rest, faces=True)


def _open(desk: BaseDesk, rest: str, *, faces: bool) -> None:
    scene = desk.scene
    owed = owing(scene)
    if not owed and not rest and (items := _rolled(scene, "roll" if faces else "total")):
        desk.show(mode=Menu("Heard wrongly? Say it again", items))
        return
    if not owed:
        desk.say("no roll is due", "warning")
        return
    wanted = {rest.strip('"')} if rest else {label(scene.encounter, k) for k in scene.view.selected}
    first = next((ask for ask in owed if label(scene.encounter, ask.who) in wanted), owed[0])
    if rest and label(scene.encounter, first.who) not in wanted:
        names = several(list(dict.fromkeys(label(scene.encounter, ask.who) for ask in owed)))
        raise RuleError(f"{rest} owes no roll", f"still to roll: {names}")
    mode = renewed(scene, RollList(scene.step, at=first.key, faces=faces))
    desk.show(mode=mode)


def _rolled(scene: Scene, verb: str) -> tuple[Item, ...]:
    """Return a line for each roll that can still be put right, with what stands now."""
    e, system = scene.encounter, scene.system
    items = []
    for ask in correctable(system, e) if e.running else ():
        roll, name = e.rolls[ask.key], label(e, ask.who)
        number = system.number_of(e, ask, roll.faces) if roll.total is None else roll.total
        faces = f" ({' '.join(map(str, roll.faces))})" if roll.faces else ""
        items.append(Item(name, f"{verb} {quote(name)} ", note=f"{number}{faces}", opens=True))
    return tuple(items)


def press(desk: BaseDesk, mode: RollList, key: Press) -> None:
    """Take one key."""
    ask = current(desk.scene, mode)
    if ask is None:
        desk.show(mode=None)
        return
    match key.key:
        case "escape" | "ctrl+c":
            desk.show(mode=None)
        case "enter" | "tab" | "down":
            _send(desk, mode, ask, 1)
        case "shift+tab" | "up":
            _send(desk, mode, ask, -1)
        case "left" | "right" if not takes_faces(desk.scene, replace(mode, faces=False), ask):
            desk.show(mode=replace(mode, faces=not mode.faces, editor=Editor()))
        case _ if key.char and key.char == desk.scene.keys.get("faces" if not mode.faces else "totals"):
            # The key that opens the other list changes to it, where that may be typed.
            if not takes_faces(desk.scene, replace(mode, faces=False), ask):
                desk.show(mode=replace(mode, faces=not mode.faces, editor=Editor()))
        case _ if (edited := mode.editor.press(key.key)) is not None:
            desk.show(mode=replace(mode, editor=edited, refused=False))
        case _ if key.char and key.char in _typed(desk, mode):
            # What was refused is typed over.
            before = Editor() if mode.refused else mode.editor
            desk.show(mode=replace(mode, editor=desk.typed_into(before, key.char), refused=False))
        case _:
            _letter(desk, mode, ask, key.char)


def _letter(desk: BaseDesk, mode: RollList, ask: RollAsk, char: str) -> None:
    who = quote(label(desk.store.encounter, ask.who))
    match char:
        case "r":
            _answer(desk, mode, "roll", "")
        case "m" | "f" if ask.ticks:
            word = "made" if char == "m" else "failed"
            _answer(desk, mode, f"{word} {who}", word)
        case "j" | "k":
            _send(desk, mode, ask, 1 if char == "j" else -1)
        case "u":
            _undo(desk, mode)
        case _:
            desk.say(_no_number(desk, mode), "warning")


def paste(desk: BaseDesk, mode: RollList, text: str) -> None:
    """Put pasted text into the number that is typed, where it could have been typed."""
    if set(text) <= set(_typed(desk, mode)):
        desk.show(mode=replace(mode, editor=desk.typed_into(mode.editor, text)))
    else:
        desk.say(_no_number(desk, mode), "warning")


def _typed(desk: BaseDesk, mode: RollList) -> str:
    """Return what may be typed in the current row."""
    ask = current(desk.scene, mode)
    return FACES if ask and takes_faces(desk.scene, mode, ask) else TYPED


def _no_number(desk: BaseDesk, mode: RollList) -> str:
    what = "faces are numbers" if _typed(desk, mode) == FACES else "a total is a number"
    return f"{what}: Enter sends it, Esc goes back"


def _send(desk: BaseDesk, mode: RollList, ask: RollAsk, by: int) -> None:
    """Send what was typed in the current row, and go to the next owed row, or the one before."""
    text = mode.editor.text.strip(" ,")
    who = quote(label(desk.store.encounter, ask.who))
    if not text:
        desk.show(mode=replace(mode, at=after(desk.scene, replace(mode, at=ask.key), by), editor=Editor()))
        return
    if not takes_faces(desk.scene, mode, ask):
        _answer(desk, mode, f"total {who} {text}", text, by)
        return
    numbers = read_faces(text, ask.dice)
    if not numbers:
        such = " ".join(str(min(sides, 5)) for sides in ask.dice)
        desk.show(notice=Notice("faces are numbers", "error", f"such as {such}"))
        desk.show(mode=replace(mode, refused=True))
        return
    words = " ".join(map(str, numbers))
    _answer(desk, mode, f"roll {who} {words}", words, by)


def _answer(desk: BaseDesk, mode: RollList, line: str, called: str, by: int = 1) -> None:
    """Run a line that answers the current row; what is refused stays as it was typed, until more is typed."""
    ask = current(desk.scene, mode)
    if ask is None:
        return
    if not desk.run(line):
        if desk.view.mode is mode:
            desk.show(mode=replace(mode, refused=True))
        return
    answered = {**mode.called, ask.key: called} if called else mode.called
    scene = desk.scene
    if not owing(scene):
        # A letter has closed the list: the Enter that sent the rows before must not end a turn.
        by_letter = not mode.editor.text
        desk.show(mode=None, selected=(), counted=desk.store.record if by_letter else 0)
        return
    moved = renewed(scene, replace(mode, at=ask.key, called=answered, editor=Editor(), refused=False))
    desk.show(mode=replace(moved, at=after(scene, moved, by)))


def _undo(desk: BaseDesk, mode: RollList) -> None:
    """Take back the last answer that was given since the list was opened."""
    if desk.store.step <= mode.begun:
        desk.say("nothing was answered in this list yet", "hint")
        return
    before = {ask.key for ask in owing(desk.scene)}
    if desk.run("undo"):
        scene = desk.scene
        back = next((ask.key for ask in owing(scene) if ask.key not in before), mode.at)
        desk.show(mode=replace(renewed(scene, mode), at=back, editor=Editor()))
