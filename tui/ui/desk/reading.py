"""Open texts about the fight: reasons, rules, help, palette, a step of the log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Verb
from tui.core.fight.encounter import members
from tui.core.fight.viewer import GAME_MASTER
from tui.core.language.actions import Goto, Redo, Undo
from tui.core.language.grammar import summary, usage, verbs
from tui.core.language.spoken import SYNONYMS
from tui.core.language.tokens import quote
from tui.core.language.values import spell
from tui.core.rules.creature_fields import attributes
from tui.core.rules.decide import Rules, draft
from tui.core.rules.now import now_remarks
from tui.core.rules.system import rows_of
from tui.core.rules.upkeep import COMMON_OPTIONS
from tui.core.views.log import story
from tui.manual import read_chapters
from tui.store.library.supply import KnownCreature
from tui.store.store import Store
from tui.ui.desk.base import NO_ROW, BaseDesk
from tui.ui.modes.adding import supply_of
from tui.ui.modes.manual import Manual
from tui.ui.modes.menu import Menu
from tui.ui.modes.page import Page
from tui.ui.modes.texts import MOMENT, Explained, describe_row, list_signs, manual, rule_text
from tui.ui.panes.hints import list_moment_keys
from tui.ui.state.commands import Command, list_idle
from tui.ui.state.scene import Scene, current, fill, line_of, targets, write_who
from tui.ui.text.menu import Item

MOST_PREVIEWED = 4
"""The most messages of a preview."""


class Trial(Struct, frozen=True):
    """What a line would do, found out without running it."""

    refused: str = ""
    """Why the line would be refused, "" if it would not."""
    preview: str = ""
    """The messages that the line would bring, "" if they are not known."""


class _ThrownError(Exception):
    """The line rolls dice, so its result must stay unknown until it is run."""


class _NoDice:
    def roll(self, sides: int) -> int:
        raise _ThrownError(sides)


def trial(store: Store, line: str) -> Trial:
    """Return what this line would do now, or why it would be refused."""
    e = store.encounter
    try:
        action = store.parse(line)
        if isinstance(action, Undo | Redo | Goto):
            store.move_of(action)
            return Trial()
        done = draft(e, action, Rules(store.systems, _NoDice()))
    except RuleError as error:
        return Trial(refused=error.reason.replace("`", ""))
    except _ThrownError:
        return Trial(preview="Dice are rolled for it")
    texts = [
        m.text.replace("`", "")
        for m in islice(story(e, done.events, GAME_MASTER, store.system), MOST_PREVIEWED + 1)
    ]
    return Trial(preview=" · ".join(texts[:MOST_PREVIEWED]) + (" …" if len(texts) > MOST_PREVIEWED else ""))


_BLANKS = {"who": "WHO", "n": "N", "rest": "...", "count": "", "selected": ""}


def list_findable(
    scene: Scene, store: Store, commands: Iterable[Command], more: Iterable[tuple[str, str]]
) -> tuple[Item, ...]:
    """Return the items of the palette: commands, verbs, systems, house rules, words, creatures."""
    known, idle = tuple(commands), list_idle(scene.system)
    table = [c for c in known if c.id not in ("palette", "go", *idle)]
    keyed = {c.words.split(" ")[0] for c in known}
    keyed |= {verb for c in known for verb in c.answers if c.id in idle}
    return (
        *(_command_item(scene, store, c) for c in table),
        *(_verb_item(scene, store, v) for v in scene.system.verbs),
        *(_verb(store, verb) for verb in verbs() if verb not in {*keyed, *idle, "system", "option"}),
        *_systems(store),
        *_options(scene),
        *(_word(text, means) for text, means in more),
        *map(_creature, supply_of(store).names()),
    )


def _add_trial(store: Store, item: Item, line: str) -> Item:
    """Return the item with the preview or refusal of its line; unchanged without a line."""
    if not line:
        return item
    tried = trial(store, line)
    return replace(item, why_not=tried.refused, preview=tried.preview)


def _command_item(scene: Scene, store: Store, c: Command) -> Item:
    label = re.sub(r" +", " ", re.sub(r"\{(\w+)\}", lambda m: _BLANKS[m[1]], c.words)).strip()
    synonyms = c.also
    if c.words.startswith("set "):
        synonyms = " ".join([synonyms, *(f"{f.key} {f.title}" for f in attributes(scene.system))])
    item = Item(c.help, f"command {c.id}", scene.keys.get(c.id, ""), label=label, also=synonyms)
    # Words of the screen change nothing in the fight, and always work.
    if c.words.split(" ")[0] not in verbs() or ("{who}" in c.words and not targets(scene)):
        return item
    line, whole = fill(line_of(c, scene), scene, write_who(scene.encounter, targets(scene)))
    return _add_trial(store, item, line if whole else "")


def _verb_item(scene: Scene, store: Store, verb: Verb) -> Item:
    key = scene.verbs.get(verb.name, verb.key)
    item = Item(verb.help, f"verbs {verb.name}", key, label=verb.usage, also=verb.also)
    return _add_trial(store, item, verb.name if verb.whole else "")


def _verb(store: Store, verb: str) -> Item:
    whole = usage(verb) == verb
    item = Item(
        summary(verb),
        verb if whole else f"{verb} ",
        label=usage(verb),
        opens=not whole,
        also=SYNONYMS.get(verb, ""),
    )
    return _add_trial(store, item, verb if whole else "")


def _systems(store: Store) -> Iterator[Item]:
    """Yield the other systems for the same fight, each with its summary."""
    now = store.encounter.system
    for system in store.systems.known():
        name = system.id
        note = "this one" if name == now else ""
        text = "another system: the fight ends, all creatures stay"
        yield Item(
            text,
            f"system {name}",
            note=note,
            opens=True,
            also=f"{SYNONYMS['system']} {system.title}",
            why_not="it already runs this fight" if name == now else "",
            preview="" if name == now else f"{system.title}: {system.summary}",
        )


def _options(scene: Scene) -> Iterator[Item]:
    """Yield the house rules with their present values."""
    for f in (*scene.system.options, *COMMON_OPTIONS):
        value = spell(scene.encounter.options.get(f.key, f.default))
        choices = f"One of {', '.join(f.choices)}" if f.choices else f.title
        yield Item(
            f.help or f.title,
            f"option {f.key}=",
            label=f"option {f.key}",
            note=value,
            opens=True,
            preview=choices,
            also=" ".join(
                [SYNONYMS["option"], f.title, *f.choices, *["death save dying"] * f.key.startswith("zero.")]
            ),
        )


def _word(text: str, means: str) -> Item:
    name, _, rest = text.partition(" ")
    # Words in brackets may be left out.
    needs = bool(rest) and not rest.startswith("[")
    return Item(means, f"{name} " if needs else name, label=text, opens=needs)


def explain_row(desk: BaseDesk, _rest: str) -> None:
    """Show why the current row has its place, and everything known about it."""
    scene = desk.scene
    key = current(scene)
    if key:
        title, lines = describe_row(scene, key, _conditions(desk, key))
        desk.show(mode=Page(title, lines, beside=True))
    else:
        desk.notify(NO_ROW, "warning")


def _conditions(desk: BaseDesk, key: str) -> tuple[str, ...]:
    """Return the library's text on each condition of a row, as `name: text`."""
    library = desk.store.effects.library
    names = dict.fromkeys(x.name for c in members(desk.store.encounter, key) for x in c.conditions)
    conditions = [library.condition(name) for name in names] if library else []
    return tuple(f"{known.name}: {known.text}" for known in conditions if known and known.text)


def _creature(source: KnownCreature) -> Item:
    return Item(
        f"adds it: {source.title}", f"add {quote(source.name)}", label=source.name, opens=True, by_name=True
    )


def rule(desk: BaseDesk, rest: str) -> None:
    """Show a clause: the one named, that of the Now line, or that of the acting row's place."""
    scene = desk.scene
    # If Now cites none, the clause by which the acting row has its place.
    placed = (s for row in rows_of(scene.encounter, scene.system) if row.state == "now" for s in row.why)
    cited = (*scene.lead.sentences, *now_remarks(scene.encounter, scene.system), *placed)
    clause = rest or next((s.rule for s in cited if s.rule), "")
    desk.show(mode=Page(clause or scene.system.title, rule_text(scene, clause), beside=True))


def help_(desk: BaseDesk, rest: str) -> None:
    """Open the help: mapped keys, words, rules and chapters, searched for the rest of the line."""
    words = [(word.usage, word.help) for word in desk.services.words.values()]
    keys = desk.keys
    first = (Explained(MOMENT, keys.shown[k], keys.by_id[k].help) for k in list_moment_keys(desk.scene))
    entries = manual(desk.commands, desk.store.system, words)
    signs = list_signs(desk.settings.glyphs)
    found = (*first, *entries, *signs, *explained_chapters())
    desk.show(mode=Manual(found, lacks_creatures=True).search_for(desk, rest))


def explained_chapters() -> Iterator[Explained]:
    """Yield the chapters of the manual as entries of the help."""
    return (Explained("Chapters of the manual", c.name, c.title, chapter=c) for c in read_chapters())


def palette(desk: BaseDesk, rest: str) -> None:
    """Open the palette: everything that can be typed, searched by common words."""
    words = ((word.usage, word.help) for word in desk.services.words.values())
    items = list_findable(desk.scene, desk.store, desk.commands, words)
    desk.show(mode=Menu("Commands", items, search=rest, narrow=True))


def theme(desk: BaseDesk, rest: str) -> None:
    """Show the theme named; without a name open a menu of all."""
    service = desk.services.themes
    if rest:
        service.apply(rest)
        desk.notify(f'theme = "{rest}" in your settings keeps it', "hint")
        return
    now = service.current()
    items = tuple(
        Item(title, f"theme {name}", label=name, note="this one" if name == now else "")
        for name, title in service.themes()
    )
    if not items:
        raise RuleError("there are no themes to choose from")
    at = next((i for i, item in enumerate(items) if item.label == now), 0)
    desk.show(mode=Menu("Themes", items, at, narrow=True))
