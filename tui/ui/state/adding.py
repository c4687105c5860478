"""The prompt that adds creatures: keys carried over from the line before, and texts that replace them."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight.combatant import is_pc
from tui.core.language.creature_actions import Add
from tui.core.language.noted import respell
from tui.core.language.syntax import COUNT
from tui.core.language.tokens import quote, tokens
from tui.core.language.values import KIND, read_choice
from tui.core.rules.creature_fields import Newcomer
from tui.core.rules.sides import usual_side
from tui.core.views.add_preview import preview_add
from tui.store.library.crossing import library_for_fight
from tui.store.store import Store
from tui.ui.text.editor import Editor

CARRIED_KEYS = ("side", "kind")
LOOKED_BACK = 50
"""How many steps back the last `add` line is searched for."""

NO_NAME = "the name, then 18 ac15: hit points, armour class"
HINT_WITH_MODIFIER = "the name, then +3 18 ac15: modifier, hit points, armour class"
"""The hint of the add prompt for an unnamed creature, in systems whose creatures have a modifier."""
ENDING_HINT = "the next name; Enter on an empty line ends"
MOST_READ = 1_000
"""The longest line, in characters, that is explained while it is typed; parsing runs again with every key."""

MOST_WORDS = 8
"""The most words of an unquoted name."""

LEAST_WORDS = 2
"""The words of the shortest `add` line."""

_PLAYERS = " kind=pc"
_SIDE = r'\sside=("[^"]*"|\S*)'
_NAME = r"add (\S.*?)(?= [+-]?[0-9]| \w+=|$)"
"""The name in an `add` line, before its numbers and keys."""


def propose_keys(store: Store) -> str:
    """Return side and kind of the line before, as they come after the name of the next creature.

    A side that the kind gives is left out. The first line of a fight proposes a player's character: heroes
    are added before their enemies.
    """
    before = last_added(store) or ("" if store.encounter.combatants else f"add{_PLAYERS}")
    try:
        texts = {t.key: t.text for t in tokens(before) if t.key in CARRIED_KEYS and t.text}
        if "kind" in texts:
            texts["kind"] = read_choice(texts["kind"], KIND.choices, "kind=")
    except RuleError:
        return ""
    kind = {"kind": texts.get("kind", "")}
    if texts.get("side") == usual_side(store.encounter, kind, store.system, store.systems):
        del texts["side"]
    return "".join(f" {key}={quote(texts[key])}" for key in CARRIED_KEYS if key in texts)


class Proposal(Struct, frozen=True):
    """The keys that are proposed after the name of a new creature."""

    whole: str = ""
    """All of them, as after a plain name: ` side=guard kind=npc`."""
    shown: str = ""
    """Those that the line has now."""

    def fit(self, editor: Editor, store: Store) -> tuple[Editor, Proposal]:
        """Return the editor with the keys that fit the text before the cursor, and the proposal then.

        If the user has edited the proposed keys, nothing is proposed any more.
        """
        if not editor.text.endswith(self.shown):
            return drop_replaced(editor, store), Proposal()
        if editor.text[editor.at :] == self.shown:
            line = editor.text[: editor.at]
            editor = drop_replaced(Editor(line + self.whole, editor.at), store)
            return editor, Proposal(self.whole, editor.text[editor.at :])
        editor = drop_replaced(editor, store)
        return editor, self if editor.text.endswith(self.shown) else Proposal(self.whole)


def drop_replaced(editor: Editor, store: Store) -> Editor:
    """Return the editor without proposals that the text before the cursor replaces.

    `kind=pc` is also dropped for several creatures, for creatures of the library and for one that acts with
    another, such as a pet. For several, the players' side is dropped too.
    """
    head, tail = editor.text[: editor.at], editor.text[editor.at :]
    for key in CARRIED_KEYS:
        if re.search(rf"\s{key}=", head):
            tail = re.sub(rf'\s{key}=("[^"]*"|\S*)', "", tail, count=1)
    spelt = respell(head) if len(head) < MOST_READ else head
    first = spelt.split(" ")[1:2]
    if len(spelt.split(" ")) > 2 and re.fullmatch(COUNT, first[0]):
        tail = tail.removesuffix(_PLAYERS)
        if _one_of_ours(last_added(store), store):
            tail = re.sub(_SIDE, "", tail, count=1)
    if tail.endswith(_PLAYERS) and _names_hero(head, store):
        tail = tail.removesuffix(_PLAYERS)
    named = re.match(_NAME, spelt)
    if tail.endswith(_PLAYERS) and named and len(head) < MOST_READ:
        known = store.effects.stock("creature", named[1].strip('"'))
        if named[1].strip('"').lower() in (name.lower() for name in known):
            tail = tail.removesuffix(_PLAYERS)
    return Editor(head + tail, editor.at)


def _one_of_ours(line: str, store: Store) -> bool:
    """Return whether a line adds one creature to a side that has a player's character."""
    try:
        parsed = tokens(line)
    except RuleError:
        return False
    if len(parsed) < LEAST_WORDS or re.fullmatch(COUNT, parsed[1].text):
        return False
    side = next((t.text for t in parsed if t.key == "side"), "")
    return any(is_pc(c) and c.side == side for c in store.encounter.combatants.values())


def _names_hero(head: str, store: Store) -> bool:
    """Return whether the line has a field of kind "creature", such as `acts_with=Ana`."""
    keys = [field.key for field in store.system.fields if field.kind == "creature"]
    return any(f" {key}=" in head for key in keys)


def quote_names(line: str, store: Store) -> str:
    """Return the line with quotes around a library creature's name: `add 2 "bog lurker" +3`."""
    words = line.split(" ")
    if words[0] != "add" or len(line) > MOST_READ:
        return line
    first = 2 if len(words) > LEAST_WORDS and re.fullmatch(COUNT, words[1]) else 1
    for last in range(min(len(words), first + MOST_WORDS), first + 1, -1):
        name = " ".join(words[first:last])
        if '"' not in name and name.lower() in (x.lower() for x in store.effects.stock("creature", name)):
            return " ".join([*words[:first], quote(name), *words[last:]])
    return line


def nothing_typed(line: str) -> bool:
    """Return whether the line is `add` without a name: nothing but keys carried from the previous line."""
    try:
        parsed = tokens(line)
    except RuleError:
        return False
    return [t.text for t in parsed if not t.key] == ["add"] and all(t.key in CARRIED_KEYS for t in parsed[1:])


def last_added(store: Store) -> str:
    """Return the latest line that added a creature, "" if there is none in the last steps."""
    steps = range(store.step, max(0, store.step - LOOKED_BACK), -1)
    lines = (store.done(step).line for step in steps)
    return next((line for line in lines if line.startswith("add ")), "")


def preview(line: str, store: Store) -> str:
    """Return what the line would do, as far as it can be parsed; its last word may be unfinished."""
    if len(line) > MOST_READ:
        return "the line is too long for a preview"
    reason = HINT_WITH_MODIFIER if store.system.modifier else NO_NAME
    if nothing_typed(line):
        return ENDING_HINT if line.strip() != "add" else reason
    whole = quote_names(line, store)
    for text in (whole, whole.rpartition(" ")[0]):
        if len(text.split()) < LEAST_WORDS:
            return reason
        try:
            return preview_add(text, store.encounter, store.system, store.systems, _library_reader(store))
        except RuleError as error:
            reason = str(error)
    return reason


def _library_reader(store: Store) -> Callable[[Add], Newcomer]:
    """Return a function from a name to the library's values for a new creature."""
    if store.effects.library is None:
        return Newcomer

    return library_for_fight(store.effects.library, store.encounter, store.system).known
