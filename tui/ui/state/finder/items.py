"""Everything that can be typed, by the words that people use, with what it would do now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from tui.core.fight.agenda import Verb
from tui.core.language.grammar import summary, usage, verbs
from tui.core.language.values import show
from tui.store.store import Store
from tui.ui.state.commands import Command
from tui.ui.state.finder.trial import trial
from tui.ui.state.scene import Scene
from tui.ui.state.targets import fill, line_of, targets, who
from tui.ui.state.view import Item

ALSO: Mapping[str, str] = {
    "finish": "end stop over combat encounter fight", "save": "store library keep write party encounter",
    "load": "library encounter prepared file", "goto": "step jump back undo", "rename": "name call change",
    "system": "rules switch change", "option": "house rule setting", "count": "counter legendary slots charges recharge",
    "dice": "roll free", "alias": "secret name players", "move": "order row initiative place", "set": "edit change field",
    "turn": "act choose", "back": "return revive alive", "pick": "choose answer", "ungroup": "split",
}  # fmt: skip
"""Other words for verbs that no key stands for."""

_BLANKS = {"who": "WHO", "n": "N", "rest": "...", "count": "", "selected": ""}


def findable(
    scene: Scene, store: Store, commands: Iterable[Command], more: Iterable[tuple[str, str]]
) -> tuple[Item, ...]:
    """Commands, the running system's verbs, verbs without a key, systems, house rules, and the program's words."""
    table = [c for c in commands if c.id not in ("palette", "go")]
    keyed = {part.split(" ")[0] for c in table for part in (c.words, c.back) if part}
    return (
        *(_command(scene, store, c) for c in table),
        *(_own(scene, store, v) for v in scene.system.verbs),
        *(_verb(store, verb) for verb in verbs() if verb not in {*keyed, "system", "option"}),
        *_systems(store),
        *_options(scene),
        *(_word(said, means) for said, means in more),
    )


def _tried(store: Store, item: Item, line: str) -> Item:
    """The item with what its line would do, or why not; as it is while the line is still to be written."""
    if not line:
        return item
    found = trial(store, line)
    return replace(item, why_not=found.refused, told=found.told)


def _command(scene: Scene, store: Store, c: Command) -> Item:
    label = re.sub(r" +", " ", re.sub(r"\{(\w+)\}", lambda m: _BLANKS[m[1]], c.words)).strip()
    item = Item(c.help, f"command {c.id}", scene.keys.get(c.id, ""), label=label, also=c.also)
    # Words of the screen change nothing in the fight, and can always be done.
    if c.words.split(" ")[0] not in verbs() or ("{who}" in c.words and not targets(scene)):
        return item
    line, whole = fill(line_of(c, scene), scene, who(scene.encounter, targets(scene)))
    return _tried(store, item, line if whole else "")


def _own(scene: Scene, store: Store, verb: Verb) -> Item:
    key = scene.verbs.get(verb.name, verb.key)
    return _tried(
        store, Item(verb.help, f"verbs {verb.name}", key, label=verb.usage), verb.name if verb.whole else ""
    )


def _verb(store: Store, verb: str) -> Item:
    whole = usage(verb) == verb
    item = Item(
        summary(verb),
        verb if whole else f"{verb} ",
        label=usage(verb),
        opens=not whole,
        also=ALSO.get(verb, ""),
    )
    return _tried(store, item, verb if whole else "")


def _systems(store: Store) -> Iterator[Item]:
    """Another system for the same fight, each with what it is."""
    now = store.encounter.system
    for name in store.systems.ids():
        system = store.systems.get(name)
        note = "this one" if name == now else ""
        found = (
            {"why_not": "it runs this fight"}
            if name == now
            else {"told": f"{system.title}: {system.summary}"}
        )
        text = "another system for this fight, which ends; everybody stays"
        yield Item(
            text, f"system {name}", note=note, opens=True, also=f"{ALSO['system']} {system.title}", **found
        )


def _options(scene: Scene) -> Iterator[Item]:
    """The house rules, with their present value."""
    for f in scene.system.options:
        value = show(scene.encounter.options.get(f.key, f.default))
        choices = f"One of {', '.join(f.choices)}" if f.choices else f.title
        yield Item(
            f.help or f.title, f"option {f.key}=", label=f"option {f.key}", note=value, opens=True, also=ALSO["option"], told=choices
        )  # fmt: skip


def _word(said: str, means: str) -> Item:
    name, _, rest = said.partition(" ")
    # What is in brackets may be left out.
    needs = bool(rest) and not rest.startswith("[")
    return Item(means, f"{name} " if needs else name, label=said, opens=needs)
