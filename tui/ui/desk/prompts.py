"""Keys in the one-line prompt."""

from __future__ import annotations

import re

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE, clean
from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import label
from tui.core.language.tokens import quote
from tui.core.rules.complete import complete, last_word
from tui.core.views.add_preview import unsaid
from tui.ui.desk import importing, play
from tui.ui.desk.base import BaseDesk
from tui.ui.state.adding import nothing_typed, told, yielded
from tui.ui.state.scene import due
from tui.ui.state.view import Notice, Prompt
from tui.ui.text.editor import Editor
from tui.ui.text.press import Press, read_faces

MOST_BACK = 500
BEHIND = ("add", "condition", "points")
"""The prompts that may open with something behind the cursor."""

FACES = "0123456789 ,"
"""What the prompt for faces takes."""

SHOWN = 12
"""How many completions are named at once, from the one that stands in the line on."""

_AMOUNT = re.compile(r"[0-9d+\- ]*[0-9]")


def press(desk: BaseDesk, prompt: Prompt, key: Press) -> None:
    """One key."""
    match key.key:
        case "escape" | "ctrl+c":
            _close(desk, prompt)
        case "enter":
            send(desk, prompt)
        case "tab" | "shift+tab" if prompt.kind not in ("filter", "faces"):
            _complete(desk, prompt, -1 if key.key == "shift+tab" else 1)
        case "ctrl+x" if prompt.kind not in ("filter", "faces"):
            _elsewhere(desk, prompt)
        case "up" | "down":
            _up(desk, prompt, 1 if key.key == "up" else -1)
        case _:
            _edit(desk, prompt, key)


def _edit(desk: BaseDesk, prompt: Prompt, key: Press) -> None:
    moved = prompt.editor.press(key.key)
    if moved is not None:
        typed(desk, prompt, moved)
    elif key.char and _waits(desk, prompt):
        # Keys that were meant for the board would spoil the line that the disk has refused.
        desk.say(
            "this line waits for the disk: Enter sends it again, Left or Backspace edits it, Esc closes it",
            "warning",
        )
    elif prompt.kind == "faces" and key.char and key.char not in FACES:
        desk.say("faces are numbers, with a blank or a comma between them", "warning")
    elif key.char and not _single(desk, prompt, key.char):
        typed(desk, prompt, desk.typed_into(prompt.editor, key.char))


def _waits(desk: BaseDesk, prompt: Prompt) -> bool:
    """Return whether the line is one that the disk has refused, came from a key, and has not been edited."""
    untouched = prompt.editor == Editor.of(prompt.stem) and desk.drafts.get("line") != prompt.stem
    return untouched and prompt.stem in desk.view.unsaved


def _single(desk: BaseDesk, prompt: Prompt, char: str) -> bool:
    """A single key with a meaning of its own: half, double, all of the group."""
    head, tail = prompt.editor.text[: prompt.editor.at], prompt.editor.text[prompt.editor.at :]
    told = head.removeprefix(prompt.stem)
    # Only after a whole amount: before it the letter may begin a name.
    if prompt.kind == "points" and char in "hx" and _AMOUNT.fullmatch(told.strip()):
        send(
            desk,
            replace(prompt, editor=_with_tail(head.rstrip() + ("/2" if char == "h" else "*2"), tail)),
        )
        return True
    if prompt.members and char == "A" and (prompt.kind == "points" or not told):
        _instead(desk, prompt, prompt.members[-1])
        return True
    return False


def _with_tail(head: str, tail: str) -> Editor:
    """A line with the cursor behind its head."""
    return Editor(head + tail, len(head))


def _elsewhere(desk: BaseDesk, prompt: Prompt) -> None:
    """The line is written on in the user's editor; nothing is sent by that."""

    def take(text: str) -> None:
        typed(desk, prompt, Editor().insert(clean(text, LONGEST_LINE)))

    try:
        desk.services.editor.edit(prompt.editor.text, "line.txt", take)
    except RuleError as error:
        desk.refused(error)


def typed(desk: BaseDesk, prompt: Prompt, editor: Editor) -> None:
    """Puts the edited line into the prompt, and keeps it as a draft."""
    desk.show(mode=_with(desk, replace(prompt, offers=(), offer=-1, back=0), editor))
    if prompt.kind == "filter":
        desk.show(filter=editor.text)
    elif prompt.kind == "line":
        desk.keep("line", editor.text)


def _with(desk: BaseDesk, prompt: Prompt, editor: Editor) -> Prompt:
    """The prompt with another text; where somebody is added, with what that would do."""
    if prompt.kind != "add":
        return replace(prompt, editor=editor)
    editor = yielded(editor)
    return replace(prompt, editor=editor, told=told(editor.text, desk.store))


def _close(desk: BaseDesk, prompt: Prompt) -> None:
    # While the disk is still at fault Esc only closes the prompt: the line is not given up.
    if not desk.view.fault and prompt.stem in desk.view.unsaved:
        desk.forget(prompt.stem)
        # Dropped, and still to be found with Up.
        desk.keep("line", prompt.stem)
    desk.show(mode=None)
    if prompt.kind == "filter":
        desk.show(filter="")


def send(desk: BaseDesk, prompt: Prompt) -> None:
    """Enter. What is refused stays as it is, with the reason."""
    text = prompt.editor.text.strip()
    match prompt.kind:
        case "filter":
            desk.show(mode=None, filter=text)
        case "faces":
            _faces(desk, prompt, text)
        case _:
            _line(desk, prompt, text)


def _line(desk: BaseDesk, prompt: Prompt, text: str) -> None:
    if not text or (prompt.kind == "add" and nothing_typed(text)):
        desk.show(mode=None)
        return
    # What stands behind the cursor was not typed: the cursor stays before it when the line is refused.
    desk.show(mode=prompt if prompt.kind in BEHIND else replace(prompt, editor=Editor.of(text)))
    before = desk.view.mode
    if desk.submit(_joined(prompt.editor) if prompt.kind in BEHIND else text):
        # The line may have opened a form or a menu, which stays.
        if desk.view.mode is before and prompt.kind == "add":
            desk.open_prompt("add ", "add")
        elif desk.view.mode is before:
            desk.show(mode=None)
        desk.keep("line", "")


def _joined(editor: Editor) -> str:
    """What is typed and what stands behind it, with one blank between them."""
    head, tail = editor.text[: editor.at], editor.text[editor.at :]
    return f"{head.rstrip()}{tail}".strip() if tail.startswith(" ") else editor.text.strip()


def _faces(desk: BaseDesk, prompt: Prompt, text: str) -> None:
    """The faces of one roll; then the next roller's turn to tell."""
    told = prompt.editor.text.removeprefix(prompt.stem) if prompt.editor.text.startswith(prompt.stem) else ""
    asks = [a for a in due(desk.scene) if isinstance(a, RollAsk)]
    stem = prompt.stem.strip()
    ask = next((a for a in asks if f"roll {quote(label(desk.store.encounter, a.who))}" == stem), None)
    if ask:
        faces = read_faces(told, ask.dice)
        # Nothing typed is no wish for the app's dice, which have a key of their own.
        if not faces:
            desk.show(notice=Notice("faces are numbers", "error", f"such as {_faces_for(ask)}"))
            return
        text = " ".join([stem, *map(str, faces)])
    if desk.submit(text):
        desk.show(mode=None, selected=())
        if any(isinstance(a, RollAsk) for a in due(desk.scene)):
            play.faces(desk, "")


def _faces_for(ask: RollAsk) -> str:
    """Faces that these dice could show."""
    return " ".join(str(min(sides, 5)) for sides in ask.dice)


def _instead(desk: BaseDesk, prompt: Prompt, stem: str) -> None:
    """The same line for another member."""
    told = prompt.editor.text.removeprefix(prompt.stem) if prompt.editor.text.startswith(prompt.stem) else ""
    desk.show(mode=replace(prompt, stem=stem, editor=Editor.of(stem + told)))


def _complete(desk: BaseDesk, prompt: Prompt, way: int) -> None:
    """Tab goes through what the line may become."""
    words = (*desk.words, *desk.services.words)
    editor = prompt.editor
    behind = editor.text[editor.at :]
    offers = prompt.offers or _offers(desk, prompt, words)
    if not offers:
        desk.say("nothing completes this", "hint")
        return
    at = (prompt.offer + way) % len(offers) if prompt.offers else (0 if way > 0 else len(offers) - 1)
    only = len(offers) == 1
    now = Editor(offers[at] + behind, len(offers[at]))
    desk.show(mode=replace(_with(desk, prompt, now), offers=() if only else offers, offer=at))
    if not only:
        shown = [last_word(line) for line in offers[at : at + SHOWN]]
        desk.say(f"{at + 1} of {len(offers)}: {' '.join(shown)}", "hint")


def _offers(desk: BaseDesk, prompt: Prompt, words: tuple[str, ...]) -> tuple[str, ...]:
    """What the text before the cursor may become; of keys only those that do not stand in the line already."""
    store, editor = desk.store, prompt.editor
    if editor.text.startswith("import "):
        return importing.completed(editor.text[: editor.at])
    head, behind = editor.text[: editor.at], editor.text[editor.at :]
    found = complete(head, store.encounter, store.system, words, store.outlet.stock)
    if prompt.kind == "add":
        left = {f"{field.key}=" for field in unsaid(head, store.system)}
        found = [x for x in found if not x.endswith("=") or x.rpartition(" ")[2] in left]
    return tuple(x for x in found if not (x.endswith("=") and f" {x.rpartition(' ')[2]}" in behind))


def _up(desk: BaseDesk, prompt: Prompt, way: int) -> None:
    if prompt.members:
        _instead(desk, prompt, _neighbour(prompt, way))
    elif prompt.kind in ("line", "add"):
        _earlier(desk, prompt, way)


def _neighbour(prompt: Prompt, way: int) -> str:
    at = prompt.members.index(prompt.stem) if prompt.stem in prompt.members else 0
    return prompt.members[(at - way) % len(prompt.members)]


def _earlier(desk: BaseDesk, prompt: Prompt, way: int) -> None:
    """The draft, then the lines of this fight that begin with what was typed: the latest first, each once."""
    here = prompt.editor
    typed_ = prompt.typed if prompt.back else here.text[: here.at] if prompt.kind == "add" else here.text
    found = _lines(desk, typed_)
    back = max(0, min(len(found), prompt.back + way))
    text = found[back - 1] if back else typed_
    moved = _with(desk, prompt, Editor.of(text))
    desk.show(mode=replace(moved, back=back, typed=typed_, offers=(), offer=-1))


def _lines(desk: BaseDesk, begin: str) -> list[str]:
    store = desk.store
    # Each line is decoded to be compared: an evening's worth is enough and costs no time.
    first = max(0, store.step - MOST_BACK)
    lines = [
        *reversed(desk.view.unsaved),
        desk.drafts.get("line", ""),
        *(store.done(step).line for step in range(store.step, first, -1)),
    ]
    return list(dict.fromkeys(x for x in lines if x and x.startswith(begin) and x != begin))
