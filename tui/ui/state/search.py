"""List all that can be typed, by the words that people use, with what each would do now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Verb
from tui.core.fight.viewer import GAME_MASTER
from tui.core.language.actions import Goto, Redo, Undo
from tui.core.language.grammar import summary, usage, verbs
from tui.core.language.values import show
from tui.core.rules.decide import Rules, draft
from tui.core.rules.upkeep import COMMON_OPTIONS
from tui.core.views.log import story
from tui.store.history import target_of
from tui.store.store import Store
from tui.ui.state.commands import Command
from tui.ui.state.messages import unread
from tui.ui.state.scene import Scene, fill, line_of, targets, who
from tui.ui.state.view import Item

MOST = 4
"""Messages that are told of what would happen."""


class Trial(Struct, frozen=True):
    """Why the line would be refused ("" when it would not), and what it would do."""

    refused: str = ""
    told: str = ""


class _ThrownError(Exception):
    """The line throws dice, whose result may not be known before they fall."""


class _NoDice:
    def roll(self, sides: int) -> int:
        raise _ThrownError(sides)


def trial(store: Store, line: str) -> Trial:
    """Return what this line would do now, or why it would be refused."""
    e = store.encounter
    try:
        action = store.parse(line)
        if isinstance(action, Undo | Redo | Goto):
            return Trial(told=_travel(store, target_of(action, store.step, store.steps)))
        done = draft(e, action, Rules(store.systems, _NoDice()))
    except RuleError as error:
        return Trial(refused=error.message.replace("`", ""))
    except _ThrownError:
        return Trial(told="Dice are thrown for it")
    said = [
        m.text.replace("`", "") for m in islice(story(e, done.events, GAME_MASTER, store.system), MOST + 1)
    ]
    return Trial(told=" · ".join(said[:MOST]) + (" …" if len(said) > MOST else ""))


def _travel(store: Store, target: int) -> str:
    """`Undoes 6 steps: next, damage Orc 3, …`; orders are not read out, which the players may see."""
    back = target < store.step
    first, last = (target + 1, store.step) if back else (store.step + 1, target)
    count = last - first + 1
    lines = [unread(store.done(step).line) for step in islice(range(first, last + 1), MOST)]
    more = ", …" if count > MOST else ""
    return f"{'Undoes' if back else 'Brings back'} {count} step{'s' * (count != 1)}: {', '.join(lines)}{more}"


ALSO: Mapping[str, str] = {
    "finish": "end stop over combat encounter fight",
    "save": "store library keep write party encounter",
    "load": "library encounter prepared file",
    "goto": "step jump back undo",
    "rename": "name call change",
    "system": "rules switch change",
    "option": "house rule setting",
    "count": "counter legendary slots charges recharge refill",
    "dice": "roll free",
    "alias": "secret name players",
    "move": "order row initiative place",
    "set": "edit change field",
    "turn": "act choose",
    "back": "return revive alive",
    "pick": "choose answer",
    "ungroup": "split",
}
"""Other words for verbs that no key stands for."""

_BLANKS = {"who": "WHO", "n": "N", "rest": "...", "count": "", "selected": ""}


def findable(
    scene: Scene, store: Store, commands: Iterable[Command], more: Iterable[tuple[str, str]]
) -> tuple[Item, ...]:
    """List commands, verbs with and without keys, systems, house rules, and the program's words."""
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
    """Return the item with what its line would do, or why not; unchanged without a line."""
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
    """List the house rules with their present values."""
    for f in (*scene.system.options, *COMMON_OPTIONS):
        value = show(scene.encounter.options.get(f.key, f.default))
        choices = f"One of {', '.join(f.choices)}" if f.choices else f.title
        yield Item(
            f.help or f.title,
            f"option {f.key}=",
            label=f"option {f.key}",
            note=value,
            opens=True,
            told=choices,
            also=f"{ALSO['option']} {'death save dying' * f.key.startswith('zero.')}",
        )


def _word(said: str, means: str) -> Item:
    name, _, rest = said.partition(" ")
    # What is in brackets may be left out.
    needs = bool(rest) and not rest.startswith("[")
    return Item(means, f"{name} " if needs else name, label=said, opens=needs)
