"""The prompt that adds creatures, line after line, with a preview above it."""

from __future__ import annotations

import re
from typing import ClassVar, Self

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE
from tui.core.fight.agenda import Field
from tui.core.fight.combatant import is_pc
from tui.core.language.creature_actions import Add
from tui.core.language.grammar import parse, write_line
from tui.core.language.noted import respell
from tui.core.language.syntax import COUNT
from tui.core.language.tokens import quote, tokens
from tui.core.language.values import KIND, read_choice
from tui.core.rules.kin import NO_NUMBERS, complete_newcomer
from tui.core.rules.sides import usual_side
from tui.core.views.add_preview import list_unsaid, preview_add
from tui.store.library.supply import KnownCreature, Supply, describe_block
from tui.store.store import Store
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.menu import SEARCH_HINTS, Menu
from tui.ui.modes.mode import Hints
from tui.ui.modes.prompt import Prompt
from tui.ui.panes.creatures import focus_title
from tui.ui.panes.keyed import key_row
from tui.ui.state.mode import Asks, Where
from tui.ui.state.scene import Scene
from tui.ui.state.view import PromptKind
from tui.ui.text.editor import Editor
from tui.ui.text.menu import Item, digit_key
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Piece, Row, cells, clip, pad, pad_rows, wrap_text

CARRIED_KEYS = ("side", "kind")
LOOKED_BACK = 50
"""How many steps back the last `add` line is searched for."""

ENDING_HINT = "the next name; an empty line ends"
SEVERAL_FIT = "creatures that may be meant: Enter lists them"
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
    if first and re.fullmatch(COUNT, first[0]):
        tail = tail.removesuffix(_PLAYERS)
        if _one_of_ours(last_added(store), store):
            tail = re.sub(_SIDE, "", tail, count=1)
    # A hero is named by a field of kind "creature", such as `acts_with=Ana`.
    has_hero = any(f" {field.key}=" in head for field in store.system.fields if field.kind == "creature")
    typed = read_typed(head) if tail.endswith(_PLAYERS) else None
    if has_hero or (typed and supply_of(store).find(typed.name, many=bool(typed.count))):
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


def show_example(store: Store) -> str:
    """Return examples of an `add` line with the numbers that creatures of the running system have."""
    system = store.system
    numbers = [f for f in system.fields if f.kind == "int"]
    written = [("+3", f.title) for f in numbers if f.key == system.modifier]
    written += [("18", "hit points"), *[("ac15", "armour class")] * system.is_d20]
    if not system.is_d20:
        # After what is written without a key, one number with its key.
        written += [(f"{f.key}=2", f.title) for f in numbers if f.key != system.modifier][:1]
    values, titles = zip(*written, strict=True)
    several = "3 goblin" if supply_of(store).has_box else "3 Orc"
    return f"Ana {' '.join(values)} ({', '.join(titles)}), or {several}"


def preview(line: str, store: Store) -> str:
    """Return what the line would do, as far as it can be parsed; its last word may be unfinished."""
    if len(line) > MOST_READ:
        return "the line is too long for a preview"
    reason = show_example(store)
    if nothing_typed(line):
        return ENDING_HINT if store.encounter.combatants else reason
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


def describe_whole(source: KnownCreature) -> tuple[str, ...]:
    """Return all lines about a creature: figures, attacks, card, and the line that adds it."""
    head, line = describe_source(source), f"`add {quote(source.name)}` adds it"
    try:
        block = source.read()
    except RuleError:
        return (head, line)
    attacks = block.fields.get("attacks", "").split(";") if block else ()
    return (head, *map(str.strip, attacks), *(block.card.splitlines() if block else ()), "", line)


def describe_source(source: KnownCreature) -> str:
    """Return rating, armour class, hit points and book of a creature in a few words."""
    try:
        block = source.read()
    except RuleError as error:
        return error.reason
    return describe_block(block, source.title) if block else source.title


COLUMN_WIDTH = 26
"""Columns for a key and its meaning."""
ADDING_ROWS = 3
ROWS_WANTED = ADDING_ROWS + 1
_DETAIL = re.compile(r"[:;,] ")
"""Matches the separator between the meaning of a key and its details."""


class AddPrompt(Prompt, frozen=True):
    """An `add` line. After it is sent, the prompt opens again for the next one."""

    kind: PromptKind = "add"
    found: tuple[str, ...] = ()
    """The creatures that the typed name may mean, each with its figures."""
    proposal: Proposal = Proposal()
    PROPOSES: ClassVar[bool] = True
    HINTS: ClassVar[Hints] = (
        ("Enter", "add, next"),
        ("Tab", "complete"),
        ("Esc", "back"),
        ("Up", "earlier"),
    )

    @property
    def where(self) -> Where:
        """The band above the log."""
        return "band"

    def is_empty(self) -> bool:
        """Return whether no creature is named, so that Enter ends the adding."""
        return Prompt.is_empty(self) or nothing_typed(self.editor.text.strip())

    def sent(self, desk: BaseDesk) -> None:
        """Open the prompt for the next creature."""
        desk.open_prompt("add ", "add")

    def with_editor(self, desk: BaseDesk, editor: Editor) -> Self:
        """Return the prompt with a text, its preview, and the proposals that the text does not replace."""
        editor, proposal = self.proposal.fit(editor, desk.store)
        found = list_found(editor.text[: editor.at], desk.store)
        rows = [f"{x.name}: {describe_source(x)}" for x in found[:ADDING_ROWS]]
        if len(found) > ADDING_ROWS:
            rows[-1] = f"{rows[-1]} {desk.scene.glyphs.dot} {len(found) - ADDING_ROWS} more"
        text = preview(editor.text, desk.store)
        return replace(self, editor=editor, preview=text, found=tuple(rows), proposal=proposal)

    def recall(self, desk: BaseDesk, text: str, *, is_own: bool) -> Self:
        """Return the prompt with an earlier line as it was, or with the own text and its proposals."""
        proposal = Proposal(propose_keys(desk.store)) if is_own else Proposal()
        return replace(self, proposal=proposal).with_editor(desk, Editor.from_text(text))

    def send(self, desk: BaseDesk) -> None:
        """Send the line; if its name may mean several creatures, list them."""
        if not self.is_empty() and (menu := _list_meant(self, desk)):
            desk.show(mode=menu)
        else:
            Prompt.send(self, desk)

    def list_offers(self, desk: BaseDesk) -> tuple[str, ...]:
        """Return the completions, without keys that do not fit this line or system."""
        texts = Prompt.list_offers(self, desk)
        open_keys = {f"{f.key}=" for f in list_unsaid(self.editor.text[: self.editor.at], desk.store.system)}
        return tuple(x for x in texts if not x.endswith("=") or x.rpartition(" ")[2] in open_keys)

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that the prompt can use."""
        del scene, width
        return ROWS_WANTED

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return the question and what Enter does."""
        del scene, act
        means = ("kind=pc: a hero",) if self.proposal.shown.endswith(_PLAYERS) else ()
        return Asks("Who is there?", key_row("Enter", "adds"), ("an empty line ends", *means))

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title with the preview, and the keys that the line does not have yet."""
        width, height = box.width, box.height
        # A refusal begins with the verb, which the title says already.
        does = self.preview.removeprefix("add: ")
        whole = f"Add: {does}"
        # A preview that does not fit in the title is shown whole below it.
        fits = sum(cells(text) for text, _ in focus_title(scene, whole, LONGEST_LINE)) < width
        first, more = (whole, []) if fits else ("Add", wrap_text(does, width - 2, ADDING_ROWS))
        if self.found:
            # A long preview leaves room for one creature less.
            texts = [*more[:1], *self.found][:ADDING_ROWS]
            below = [clip(((f" {text}", "text"),), width, scene.glyphs.ellipsis) for text in texts]
            return pad_rows([focus_title(scene, first, width), *below], height)
        fields = list_unsaid(self.editor.text[: self.editor.at], scene.system)
        count, room = max(1, width // COLUMN_WIDTH), max(0, height - 1 - len(more))
        shown = fields[: count * room]
        # The last key makes room for the number of keys left out.
        shown = shown[:-1] if 0 < len(shown) < len(fields) else shown
        rows = [shown[i : i + count] for i in range(0, len(shown), count)]
        body: list[Row] = [tuple(piece for field in row for piece in _key(scene, field)) for row in rows]
        if body and len(shown) < len(fields):
            body[-1] = (*body[-1], (f"{scene.glyphs.dot} {len(fields) - len(shown)} more with Tab", "hint"))
        lines: list[Row] = [((row, "text"),) for row in more]
        below = [clip(((" ", "text"), *row), width, scene.glyphs.ellipsis) for row in (*lines, *body)]
        return pad_rows([focus_title(scene, first, width), *below], height)


class CreatureMenu(Menu, frozen=True):
    """The creatures that a new name may mean; letters search, a digit takes a numbered one."""

    narrow: bool = True
    prompt: AddPrompt = AddPrompt()
    """The prompt to which Esc goes back."""
    HINTS: ClassVar[Hints] = (("1-9", "take"), *SEARCH_HINTS)

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        shown = self.visible_items
        numbered = next((i for i in shown if key.char and i.key == key.char), None)
        if key.key in ("escape", "ctrl+c"):
            desk.show(mode=self.prompt)
        elif numbered or (key.key == "enter" and shown):
            # The prompt stays for a line that is refused.
            desk.show(mode=self.prompt)
            if desk.submit((numbered or shown[self.highlighted]).line):
                self.prompt.sent(desk)
        else:
            Menu.press(self, desk, key)

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        del scene
        return self.HINTS


def _list_meant(prompt: AddPrompt, desk: BaseDesk) -> CreatureMenu | None:
    """Return the list of the creatures that a line may mean; None if it can mean only one, or none."""
    typed = read_typed(prompt.line(desk))
    if typed is None:
        return None
    store = desk.store
    try:
        complete_newcomer(store.encounter, store.system, typed, supply_of(store).kept())
    except RuleError as error:
        if error.kind != "ambiguous":
            return None
    else:
        return None
    key, name = ("like", typed.like) if typed.like else ("name", typed.name)
    items = [
        Item(describe_source(x), write_line(replace(typed, **{key: x.name})), digit_key(n), label=x.name)
        for n, x in enumerate(supply_of(store).propose(name), 1)
    ]
    none = write_line(replace(typed, like=NO_NUMBERS))
    items.append(Item("as typed, without numbers", none, "0", label=name))
    return CreatureMenu("Which creature", tuple(items), prompt=prompt)


def open_add(desk: BaseDesk, line: str) -> AddPrompt:
    """Return the prompt with a line, proposing side and kind of the line before after the cursor."""
    editor, proposal = Proposal(propose_keys(desk.store)).fit(Editor.from_text(line), desk.store)
    return AddPrompt(editor=editor, stem=line, preview=preview(editor.text, desk.store), proposal=proposal)


def _key(scene: Scene, field: Field) -> tuple[Piece, Piece]:
    """Return `key=` and its values or its meaning, together `COLUMN_WIDTH` columns wide."""
    key = f"{field.key}="
    room = COLUMN_WIDTH - cells(key) - 2
    own = (field.key, field.key.replace("_", " "), f"{field.key}es")
    words = [w for w in (", ".join(field.choices), field.help, field.title) if w and w not in own]
    # A whole word rather than a part: the first and last value, or the meaning without details.
    spread = [f"{field.choices[0]} to {field.choices[-1]}"] if field.choices else []
    words += [*spread, *(_DETAIL.split(w)[0] for w in (field.help, field.title) if w and w not in own)]
    # A key does not explain itself: better a part of its values.
    word = next((w for w in words if cells(w) <= room), words[0] if words else field.title)
    return ((key, "key"), (f" {pad(word, max(1, room), ellipsis=scene.glyphs.ellipsis)} ", "hint"))
