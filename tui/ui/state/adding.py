"""The prompt that adds creatures: keys carried over from the line before, and texts that replace them."""

from __future__ import annotations

import re

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight.combatant import is_pc
from tui.core.language.creature_actions import Add
from tui.core.language.grammar import parse
from tui.core.language.noted import respell
from tui.core.language.syntax import COUNT
from tui.core.language.tokens import quote, tokens
from tui.core.language.values import KIND, read_choice
from tui.core.rules.sides import usual_side
from tui.core.views.add_preview import preview_add
from tui.store.library.supply import KnownCreature, Supply, describe_block
from tui.store.store import Store
from tui.ui.text.editor import Editor

CARRIED_KEYS = ("side", "kind")
LOOKED_BACK = 50
"""How many steps back the last `add` line is searched for."""

NO_NAME = "the name, then 18 ac15: hit points, armour class"
HINT_WITH_MODIFIER = "the name, then +3 18 ac15: modifier, hit points, armour class"
"""The hint of the add prompt for an unnamed creature, in systems whose creatures have a modifier."""
ENDING_HINT = "the next name; Enter on an empty line ends"
SEVERAL_FIT = "several creatures fit: Enter lists them"
MOST_READ = 1_000
"""The longest line, in characters, that is explained while it is typed; parsing runs again with every key."""

LEAST_WORDS = 2
"""The words of the shortest `add` line."""

_PLAYERS = " kind=pc"
_SIDE = r'\sside=("[^"]*"|\S*)'


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
    if (
        tail.endswith(_PLAYERS)
        and (typed := read_typed(head))
        and supply_of(store).find(typed.name, many=bool(typed.count))
    ):
        tail = tail.removesuffix(_PLAYERS)
    return Editor(head + tail, editor.at)


def read_typed(head: str) -> Add | None:
    """Return the action of an unfinished `add` line; None if it cannot be read yet."""
    try:
        action = parse(head) if len(head) < MOST_READ else None
    except RuleError:
        return None
    return action if isinstance(action, Add) else None


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
    for text in (line, line.rpartition(" ")[0]):
        if len(text.split()) < LEAST_WORDS:
            return reason
        try:
            return preview_add(text, store.encounter, store.system, store.systems, supply_of(store).kept())
        except RuleError as error:
            if error.kind == "ambiguous":
                return SEVERAL_FIT
            reason = str(error)
    return reason


def supply_of(store: Store) -> Supply:
    """Return library and box as the fight of a store uses them."""
    return Supply(store.effects.library, store.encounter, store.system)


def list_found(head: str, store: Store) -> tuple[KnownCreature, ...]:
    """Return the creatures that the name in an unfinished `add` line may also mean; none if values follow."""
    typed = read_typed(head)
    if typed is None or typed.mod or typed.keys or head.endswith('"'):
        return ()
    supply, name = supply_of(store), typed.like or typed.name
    exact = supply.find(name, many=bool(typed.count))
    return tuple(x for x in supply.propose(name) if exact is None or x.name != exact.name)


def describe_source(source: KnownCreature) -> str:
    """Return rating, armour class, hit points and book of a creature in a few words."""
    try:
        block = source.read()
    except RuleError as error:
        return error.message
    return describe_block(block, source.title) if block else source.title
