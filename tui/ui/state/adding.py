"""The prompt that adds: what it takes over from the line before, and how that gives way to what is typed."""

from __future__ import annotations

import re
from collections.abc import Callable

from tui.core.base.errors import RuleError
from tui.core.language.actions import Add
from tui.core.language.syntax import COUNT
from tui.core.language.tokens import quote, tokens
from tui.core.language.values import KIND, choice
from tui.core.rules.fields import Newcomer
from tui.core.views.add_preview import understood
from tui.store.library.actions import kept
from tui.store.store import Store
from tui.ui.text.editor import Editor

CARRIED = ("side", "kind")
LOOKED_BACK = 50
"""How many steps back the last line that added is looked for."""

NOBODY = "the name, then +3 18 ac15: modifier, hit points, armour class"
ENDS = "the next name; Enter alone ends it"
READ = 1_000
"""Characters of a line up to which it is told what it would do: a key costs the same in a line of any length."""

LEAST = 2
"""The words of the shortest line that adds somebody."""

_PLAYERS = " kind=pc"


def begun(line: str, before: str) -> Editor:
    """A line begun, with side and kind of the line before behind the cursor."""
    return yielded(Editor(line + "".join(f" {part}" for part in _carried(before)), len(line)))


def _carried(before: str) -> list[str]:
    try:
        told = {t.key: t.text for t in tokens(before) if t.key in CARRIED and t.text}
        if "kind" in told:
            told["kind"] = choice(told["kind"], KIND.choices, "kind=")
    except RuleError:
        return []
    return [f"{key}={quote(told[key])}" for key in CARRIED if key in told]


def yielded(editor: Editor) -> Editor:
    """The line after a key: what was taken over goes where the same is said before the cursor.

    Several at once are no players' characters: behind a number `kind=pc` goes too.
    """
    head, tail = editor.text[: editor.at], editor.text[editor.at :]
    for key in CARRIED:
        if re.search(rf"\s{key}=", head):
            tail = re.sub(rf'\s{key}=("[^"]*"|\S*)', "", tail, count=1)
    first = head.split(" ")[1:2]
    if len(head.split(" ")) > 2 and COUNT.fullmatch(first[0]):
        tail = tail.removesuffix(_PLAYERS)
    return Editor(head + tail, editor.at)


def nothing_typed(line: str) -> bool:
    """Whether nobody is named: Enter on such a line ends the adding."""
    try:
        found = tokens(line)
    except RuleError:
        return False
    return [t.text for t in found if not t.key] == ["add"] and all(t.key in CARRIED for t in found[1:])


def last_added(store: Store) -> str:
    """The latest line of this fight that added somebody; "" for none among the last ones."""
    steps = range(store.step, max(0, store.step - LOOKED_BACK), -1)
    lines = (store.done(step).line for step in steps)
    return next((line for line in lines if line.startswith("add ")), "")


def told(line: str, store: Store) -> str:
    """What the line would do, as far as it can be read: the word that is being typed may still be none."""
    if len(line) > READ:
        return "Enter tells what so long a line means"
    if nothing_typed(line):
        return ENDS if line.strip() != "add" else NOBODY
    why = NOBODY
    for text in (line, line.rpartition(" ")[0]):
        if len(text.split()) < LEAST:
            return why
        try:
            return understood(text, store.encounter, store.system, store.systems, _known(store))
        except RuleError as error:
            why = str(error)
    return why


def _known(store: Store) -> Callable[[Add], Newcomer]:
    """What the library knows of somebody who is added by name."""
    if store.outlet.library is None:
        return Newcomer

    return kept(store.outlet.library, store.encounter, store.system).known
