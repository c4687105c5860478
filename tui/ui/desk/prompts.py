"""Keys in the one-line prompt."""

from __future__ import annotations

import re

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE, clean
from tui.core.rules.complete import complete, last_word
from tui.core.views.add_preview import unsaid
from tui.ui.desk import attacks, board, importing, keeping
from tui.ui.desk.base import BaseDesk
from tui.ui.state.adding import nothing_typed, preview, quoted, yielded
from tui.ui.state.layout import content
from tui.ui.state.scene import letters, rows_pane
from tui.ui.state.view import Prompt
from tui.ui.text.editor import Editor
from tui.ui.text.press import Press

MOST_BACK = 500
POOL = " pool=yes"
BEHIND = ("add", "condition", "points")
"""The prompts that may open with something behind the cursor."""

SHOWN = 12
"""How many completions are named at once, from the one that stands in the line on."""

_AMOUNT = re.compile(r"[0-9d+\- ]*[0-9]")


def press(desk: BaseDesk, prompt: Prompt, key: Press) -> None:
    """Take one key."""
    if key.char and prompt.kind == "aim":
        _aimed(desk, prompt, key.char)
        return
    match key.key:
        case "escape" | "ctrl+c":
            _close(desk, prompt)
        case "enter":
            send(desk, prompt)
        case "tab" | "shift+tab" if prompt.kind != "filter":
            _complete(desk, prompt, -1 if key.key == "shift+tab" else 1)
        case "ctrl+x" if prompt.kind != "filter":
            _elsewhere(desk, prompt)
        case "up" | "down":
            _up(desk, prompt, 1 if key.key == "up" else -1)
        case _:
            _edit(desk, prompt, key)


def _aimed(desk: BaseDesk, prompt: Prompt, char: str) -> None:
    """Go to the row of this letter; an amount that was counted before is damage to it."""
    scene = desk.scene
    rows = {letter: key for key, letter in letters(scene).items()}
    key = rows.get(char)
    if key is None:
        desk.say(f"no row has the letter {char}; Esc goes back", "warning")
        return
    pane = rows_pane(scene)
    desk.show(mode=None, focus=pane, roster="" if content(pane) == "entries" else key)
    if content(pane) == "entries":
        desk.show(track=key)
    if prompt.editor.text:
        desk.show(count=prompt.editor.text)
        board.run_command(desk, desk.keys.by_id["damage"])
        desk.show(count="")


def _edit(desk: BaseDesk, prompt: Prompt, key: Press) -> None:
    moved = prompt.editor.press(key.key)
    head = prompt.editor.text[: prompt.editor.at]
    if moved is not None and key.key == "ctrl+u" and head.startswith(prompt.stem) and head != prompt.stem:
        # The words that a key has written stay: what was typed behind them goes first.
        moved = Editor(prompt.stem + moved.text, len(prompt.stem))
    elif key.key == "ctrl+u" and head == prompt.stem and prompt.editor.text != head:
        # What was taken over from the line before goes next.
        moved = Editor(head, len(head))
    elif (
        key.key == "ctrl+u"
        and head == prompt.stem
        and " " in head.strip()
        and head not in desk.view.unsaved  # a line that the disk has refused goes whole
    ):
        # The names that the key has written go next: what is to be done is meant of others.
        moved = Editor.from_text(head.partition(" ")[0] + " ")
    if moved is not None:
        typed(desk, prompt, moved)
    elif key.char and _waits(desk, prompt):
        # Keys that were meant for the board would spoil the line that the disk has refused.
        desk.say(
            "this line waits for the disk: Enter sends it again, Left or Backspace edits it, Esc closes it",
            "warning",
        )
    elif key.char and not _single(desk, prompt, key.char):
        typed(desk, prompt, desk.typed_into(prompt.editor, key.char))


def _waits(desk: BaseDesk, prompt: Prompt) -> bool:
    """Return whether the line is one that the disk has refused, came from a key, and has not been edited."""
    untouched = prompt.editor == Editor.from_text(prompt.stem) and desk.drafts.get("line") != prompt.stem
    return untouched and prompt.stem in desk.view.unsaved


def _single(desk: BaseDesk, prompt: Prompt, char: str) -> bool:
    """Take a single key with a meaning of its own: half, double, all of the group."""
    head, tail = prompt.editor.text[: prompt.editor.at], prompt.editor.text[prompt.editor.at :]
    text = head.removeprefix(prompt.stem)
    # Only after a whole amount: before it the letter may begin a name.
    if prompt.kind == "points" and char in "hx" and _AMOUNT.fullmatch(text.strip()):
        head = head.rstrip() + ("/2" if char == "h" else "*2")
        send(desk, replace(prompt, editor=Editor(head + tail, len(head))))
        return True
    if prompt.members and char == "P" and prompt.kind == "points" and prompt.stem.startswith(board.DAMAGE):
        # The damage runs through the group.
        head = prompt.members[-1] + text
        editor = Editor(f"{head}{POOL}", len(head))
        desk.show(mode=replace(prompt, stem=prompt.members[-1], editor=editor))
        return True
    if prompt.members and char == "A" and (prompt.kind == "points" or not text):
        _instead(desk, prompt, prompt.members[-1])
        return True
    return False


def _elsewhere(desk: BaseDesk, prompt: Prompt) -> None:
    """Open the line in the user's editor; nothing is sent by that."""

    def take(text: str) -> None:
        typed(desk, prompt, Editor().insert(clean(text, LONGEST_LINE)))

    try:
        desk.services.editor.edit(prompt.editor.text, "line.txt", take)
    except RuleError as error:
        desk.refused(error)


def typed(desk: BaseDesk, prompt: Prompt, editor: Editor) -> None:
    """Put the edited line into the prompt, and keep it as a draft."""
    if prompt.kind in BEHIND and not editor.text:
        # Without its word it is any line: what belonged to the word is no longer said of it.
        prompt = replace(prompt, kind="line", members=(), preview="")
    desk.show(mode=_with(desk, replace(prompt, offers=(), offer=-1, back=0), editor))
    if prompt.kind == "filter":
        desk.show(filter=editor.text)
    elif prompt.kind == "line":
        desk.keep("line", editor.text)


def _with(desk: BaseDesk, prompt: Prompt, editor: Editor) -> Prompt:
    """Return the prompt with another text; one that adds says what it would do."""
    if prompt.kind != "add":
        return replace(prompt, editor=editor)
    editor = yielded(editor, desk.store)
    return replace(prompt, editor=editor, preview=preview(editor.text, desk.store))


def _close(desk: BaseDesk, prompt: Prompt) -> None:
    # While the disk is still at fault Esc only closes the prompt: the line is not given up.
    if not desk.view.fault and prompt.stem in desk.view.unsaved:
        desk.forget(prompt.stem)
        # Dropped, and still to be found with Up.
        desk.keep("line", prompt.stem)
    elif prompt.kind in BEHIND and prompt.editor.text[: prompt.editor.at].strip() != prompt.stem.strip():
        # Half a line that was given up is found with Up, whatever key began it.
        desk.keep("line", _joined(prompt.editor))
    desk.show(mode=None)
    if prompt.kind == "filter":
        desk.show(filter="")


def send(desk: BaseDesk, prompt: Prompt) -> None:
    """Send the line. What is refused stays as it is, with the reason."""
    text = prompt.editor.text.strip()
    match prompt.kind:
        case "filter":
            desk.show(mode=None, filter=text)
        case _:
            _line(desk, prompt, text)


def _line(desk: BaseDesk, prompt: Prompt, text: str) -> None:
    if not text or prompt.kind == "aim" or (prompt.kind == "add" and nothing_typed(text)):
        desk.show(mode=None)
        return
    # What stands behind the cursor was not typed: the cursor stays before it when the line is refused.
    desk.show(mode=prompt if prompt.kind in BEHIND else replace(prompt, editor=Editor.from_text(text)))
    before = desk.view.mode
    line = _joined(prompt.editor) if prompt.kind in BEHIND else text
    if prompt.kind == "attack":
        line = attacks.line_of(desk, prompt)
    elif prompt.kind == "party":
        line = keeping.line_of(desk, text)
    if desk.submit(quoted(line, desk.store)):
        # The line may have opened a form or a menu, which stays.
        if desk.view.mode is before and prompt.kind == "add":
            desk.open_prompt("add ", "add")
        elif desk.view.mode is before:
            desk.show(mode=None)
            if prompt.kind == "attack":
                attacks.sent(desk)
            elif prompt.kind == "party":
                desk.kept = text.removesuffix(keeping.OVER)
        desk.keep("line", "")
        if prompt.came in desk.view.pasted:
            at = desk.view.pasted.index(prompt.came)
            desk.show(pasted=desk.view.pasted[:at] + desk.view.pasted[at + 1 :])


def _joined(editor: Editor) -> str:
    """Return what is typed and what stands behind it, with one blank between them."""
    head, tail = editor.text[: editor.at], editor.text[editor.at :]
    return f"{head.rstrip()}{tail}".strip() if tail.startswith(" ") else editor.text.strip()


def _instead(desk: BaseDesk, prompt: Prompt, stem: str) -> None:
    """Write the same line for another member."""
    text = prompt.editor.text.removeprefix(prompt.stem) if prompt.editor.text.startswith(prompt.stem) else ""
    desk.show(mode=replace(prompt, stem=stem, editor=Editor.from_text(stem + text)))


def _complete(desk: BaseDesk, prompt: Prompt, direction: int) -> None:
    """Go through what the line may become."""
    words = (*desk.words, *desk.services.words)
    editor = prompt.editor
    behind = editor.text[editor.at :]
    offers = prompt.offers or _offers(desk, prompt, words)
    if not offers:
        desk.say("nothing completes this", "hint")
        return
    at = (
        (prompt.offer + direction) % len(offers)
        if prompt.offers
        else (0 if direction > 0 else len(offers) - 1)
    )
    only = len(offers) == 1
    now = Editor(offers[at] + behind, len(offers[at]))
    desk.show(mode=replace(_with(desk, prompt, now), offers=() if only else offers, offer=at))
    if not only:
        shown = [last_word(line) for line in offers[at : at + SHOWN]]
        desk.say(f"{at + 1} of {len(offers)}: {' '.join(shown)}", "hint")


def _offers(desk: BaseDesk, prompt: Prompt, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return what the text before the cursor may become, without keys that stand in the line."""
    store, editor = desk.store, prompt.editor
    if editor.text.startswith("import "):
        return importing.completed(editor.text[: editor.at])
    head, behind = editor.text[: editor.at], editor.text[editor.at :]
    texts = complete(head, store.encounter, store.system, words, store.effects.stock)
    if prompt.kind == "add":
        left = {f"{field.key}=" for field in unsaid(head, store.system)}
        texts = [x for x in texts if not x.endswith("=") or x.rpartition(" ")[2] in left]
    return tuple(x for x in texts if not (x.endswith("=") and f" {x.rpartition(' ')[2]}" in behind))


def _up(desk: BaseDesk, prompt: Prompt, direction: int) -> None:
    if prompt.members:
        at = prompt.members.index(prompt.stem) if prompt.stem in prompt.members else 0
        _instead(desk, prompt, prompt.members[(at - direction) % len(prompt.members)])
    elif prompt.kind in ("line", "add", "points", "condition"):
        _earlier(desk, prompt, direction)


def _earlier(desk: BaseDesk, prompt: Prompt, direction: int) -> None:
    """Go through the draft and the lines of this fight that begin with what was typed, the latest first."""
    editor = prompt.editor
    typed_ = (
        prompt.typed if prompt.back else editor.text[: editor.at] if prompt.kind in BEHIND else editor.text
    )
    # What is left of a paste is meant next, whatever stands in the prompt.
    pasted = [x for x in desk.view.pasted if prompt.kind != "add" or x.startswith("add ")]
    lines = [*pasted, *_lines(desk, typed_)]
    back = max(0, min(len(lines), prompt.back + direction))
    text = lines[back - 1] if back else typed_
    moved = _with(desk, prompt, Editor.from_text(text))
    came = text if 0 < back <= len(pasted) else ""
    desk.show(mode=replace(moved, back=back, typed=typed_, came=came, offers=(), offer=-1))


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
