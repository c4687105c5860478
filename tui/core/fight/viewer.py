"""Decide which creatures and sentences a viewer sees: a player (`owner`), the public, or the GM (all)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.cache import remember_results
from tui.core.base.text import quote, series
from tui.core.fight.agenda import WORDS, Sentence, literal
from tui.core.fight.combatant import CONDITION, Combatant
from tui.core.fight.encounter import SIDE, USUAL_SIDES, Encounter, gone_members, has_arrived, label, members

_PLURAL = {"is": "are", "has": "have", "goes": "go", "does": "do", "was": "were"}
_SIDE_WORDS = {"heroes": "the heroes", "dark": "the dark side"}
"""The names that sentences give to the usual sides; any other side has its own name."""
_LIST = re.compile(r"\{\d+\}(?:, \{\d+\})+(?: and \{\d+\})?")
"""Two or more slots for names in a row."""
_KEY = re.compile(r"\{(\{|\d+\})(?:('s)| (\w+))?")


class Viewer(Struct, frozen=True):
    """A person who looks at the fight."""

    name: str = ""
    """The player; "" for the public."""
    gm: bool = True
    """Whether the viewer sees everything."""

    def mine(self, c: Combatant) -> bool:
        """Return whether the creature belongs to this player."""
        return bool(owners := c.owners) and self.name.lower() in map(str.lower, owners)

    def sees(self, c: Combatant) -> bool:
        """Return whether the viewer may know that the creature exists."""
        return self.gm or not c.hidden or self.mine(c)

    def owns(self, e: Encounter, key: str) -> bool:
        """Return whether any creature of a key belongs to this player."""
        return any(self.mine(c) for c in members(e, key))

    def knows(self, e: Encounter, key: str) -> bool:
        """Return whether the viewer may know of the creatures of a key; True for an unknown key."""
        if self.gm or _is_usual_side(e, key):
            return True
        # A creature that was removed while hidden stays unknown; otherwise the log would tell of it
        # afterwards.
        creatures = present_members(e, key) or gone_members(e, key)
        return any(self.sees(c) for c in creatures) if creatures else True

    def may_read(self, e: Encounter, sentence: Sentence) -> bool:
        """Return whether the viewer sees everybody in a sentence and owns the first one if it is `own`."""
        if self.gm:
            return True
        return self.concerns(e, sentence) and all(self.knows(e, key) for key in sentence.about)

    def concerns(self, e: Encounter, sentence: Sentence) -> bool:
        """Return whether a sentence is for everybody, or is `own` with a first creature of this player."""
        return not sentence.own or self.owns(e, sentence.about[0])

    def wording(self, e: Encounter, sentence: Sentence) -> Sentence:
        """Return the sentence with its `whole` text for the GM and for a player who owns all in it."""
        if not sentence.whole or not (self.gm or all(self.owns(e, key) for key in sentence.about)):
            return sentence
        return replace(sentence, text=sentence.whole)


def present_members(e: Encounter, key: str) -> tuple[Combatant, ...]:
    """Return the creatures of a key that take part; if none does, those that have arrived, or all.

    A side whose seen creatures are out acts only for the unseen ones: players then know nothing of what it
    does.
    """
    people = members(e, key)
    here = tuple([c for c in people if has_arrived(e, c)])
    return tuple([c for c in here if not c.out]) or here or people


def _is_usual_side(e: Encounter, key: str) -> bool:
    """Return whether a key is one of the usual sides without anybody who has arrived.

    Everybody knows of these sides, whoever waits in reserve for them.
    """
    if not (key.startswith(SIDE) and key[1:] in USUAL_SIDES):
        return False
    return not any(c.group == key[1:] or has_arrived(e, c) for c in members(e, key))


GAME_MASTER = Viewer()
STRANGER = Viewer(gm=False)
"""The viewer who knows least: every player may read what this one may read."""


def viewer_of(name: str | None) -> Viewer:
    """Return the viewer of `--as NAME`; the GM for None."""
    return GAME_MASTER if name is None else Viewer(name, gm=False)


def players(e: Encounter) -> tuple[str, ...]:
    """Return the names of the players in roster order, each once, as first written."""
    names: dict[str, str] = {}
    for c in e.combatants.values():
        for name in c.owners:
            names.setdefault(name.lower(), name)
    return tuple(names.values())


def read_by(e: Encounter, viewer: Viewer) -> Encounter:
    """Return the encounter with aliases instead of names for a player; unchanged for the GM."""
    return e if viewer.gm else _with_aliases(e)


# One step shown on eight pages, with 200 creatures of which 100 have an alias, in classic: 80 ms, and 330 ms
# without the cache.
@remember_results
def _with_aliases(e: Encounter) -> Encounter:
    if not any(c.alias for people in (e.combatants, e.gone) for c in people.values()):
        return e
    people, gone = ({k: as_read(c) for k, c in some.items()} for some in (e.combatants, e.gone))
    return replace(e, combatants=people, gone=gone)


def as_read(c: Combatant, sealed: frozenset[str] = frozenset()) -> Combatant:
    """Return a creature as players see it, under its alias and without secrets.

    Left out are the card, hidden conditions and notes, and the marks in `sealed`.
    """
    secret = any(x.hidden or x.note for x in c.conditions) or any(x.hidden for x in c.effects)
    if not c.alias and not c.card and not c.former and sealed.isdisjoint(c.marks) and not secret:
        return c
    shown = tuple(replace(x, note="") if x.note else x for x in c.conditions if not x.hidden)
    effects = tuple(x for x in c.effects if not x.hidden)
    marks = {k: until for k, until in c.marks.items() if k not in sealed}
    unseen = {(x.name.lower(), x.of) for x in c.conditions if x.hidden}
    owes = tuple(x for x in c.owes if x.cause != CONDITION or (x.name.lower(), x.of) not in unseen)
    seen = replace(c, name=c.alias or c.name, alias="", card="", former=(), marks=marks)
    return replace(seen, conditions=shown, owes=owes, effects=effects)


def text(e: Encounter, sentence: Sentence, before: Encounter | None = None) -> str:
    """Return the words of a sentence with its names; numbered names in a row are joined (`Orc 1 to 3`).

    `before` has the names of creatures that have just been removed.
    """
    if "{" not in sentence.text:
        return sentence.text

    def listed(m: re.Match[str]) -> str:
        places = [int(x) for x in re.findall(r"\d+", m[0])]
        if sentence.text.count("`", 0, m.start()) % 2 or max(places) >= len(sentence.about):
            return m[0]
        names = [_name_of(e, sentence.about[at], before) for at in places]
        texts = [literal(x) for x in series(names)]
        if len(texts) == len(names):
            return m[0]
        last = " and " if " and " in m[0] else ", "
        return last.join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]

    template = _LIST.sub(listed, sentence.text) if "}, {" in sentence.text else sentence.text

    def name(m: re.Match[str]) -> str:
        if m[1] == "{":
            return m[0][1:]
        at = int(m[1][:-1])
        if at >= len(sentence.about):
            return m[0]
        key = sentence.about[at]
        called = _name_of(e, key, before)
        if template.count("`", 0, m.start()) % 2:  # inside a line that can be typed
            return quote(label(e, key)) + m[0][m.end(1) - m.start() :]
        # A name alone is not a sentence: it is part of a list.
        if not m.start() and (m[3] or m[0] != template) and _is_side(e, key):
            called = called[0].upper() + called[1:]
        if m[2]:
            return called + ("'" if key.startswith(SIDE) and called.endswith("s") else "'s")
        if m[3]:
            return f"{called} {_plural(m[3]) if is_plural(e, key) else m[3]}"
        return called

    return _KEY.sub(name, template)


def fill_names(e: Encounter, sentence: str, *about: str) -> str:
    """Return a text with the names of these keys; its verbs agree with a group: `{0} has to wait`."""
    return text(e, Sentence(sentence, about))


def _plural(verb: str) -> str:
    """Return the plural of a verb in the third person: act, pass, go."""
    stem = verb[:-2] if verb.endswith(("sses", "ches")) else verb.removesuffix("s")
    return _PLURAL.get(verb, stem)


def is_plural(e: Encounter, key: str) -> bool:
    """Return whether a verb after this key is plural: a group of several, or a side with a plural name."""
    if not key.startswith(SIDE):
        return False
    group = sum(c.group == key[1:] for c in e.combatants.values())
    # A name such as Boss, Circus or Oasis is singular, although it ends in s.
    return group > 1 or (key.endswith("s") and not key.endswith(("ss", "us", "is")))


def _name_of(e: Encounter, key: str, before: Encounter | None) -> str:
    if key.startswith(WORDS):
        return key[len(WORDS) :]
    if before is not None and key not in e.combatants and key in before.combatants:
        return before.combatants[key].name
    name = label(e, key)
    return _SIDE_WORDS[name] if name in _SIDE_WORDS and _is_side(e, key) else name


def _is_side(e: Encounter, key: str) -> bool:
    """Return whether a key means a side, not a creature or a group."""
    return key.startswith(SIDE) and not any(c.group == key[1:] for c in e.combatants.values())


def sentences(e: Encounter, parts: Iterable[Sentence], viewer: Viewer) -> str:
    """Return the sentences that the viewer may read as one line, joined by semicolons."""
    read = read_by(e, viewer)
    return "; ".join(text(read, s) for s in parts if s.text and viewer.may_read(e, s))


def secret_names(e: Encounter, viewer: Viewer) -> tuple[str, ...]:
    """Return the names, in lower case, that must not appear in any text for this viewer."""
    if viewer.gm:
        return ()
    people = e.combatants.values()
    # Nearly all creatures are open: only the hidden ones and those with an alias need the closer look.
    special = [c for c in people if c.hidden or c.alias]
    unseen = [c for c in (*special, *e.gone.values()) if not viewer.sees(c)]
    names = {c.name for c in unseen} | {c.name for c in special if c.alias}
    # The names of groups and sides of which the viewer sees no creature.
    names |= {
        name
        for name in {name for c in unseen for name in (c.group, c.side)}.difference(USUAL_SIDES)
        if not any(name in (c.group, c.side) and viewer.sees(c) for c in (*people, *e.gone.values()))
    }
    if not names:
        return ()
    shown = {(c.alias or c.name).lower() for c in people if not c.hidden or viewer.mine(c)}
    return tuple({n.lower() for n in names if n} - shown)


def keeps_nothing(e: Encounter) -> bool:
    """Return whether no creature is or was hidden or has an alias."""
    return not any(c.hidden or c.alias for people in (e.combatants, e.gone) for c in people.values())


def own_creatures(people: Mapping[str, Combatant], viewer: Viewer) -> list[Combatant]:
    """Return the creatures of this player, in roster order."""
    return [c for c in people.values() if c.owner and viewer.mine(c)]


def unseen_ids(e: Encounter, viewer: Viewer) -> frozenset[str]:
    """Return the ids of the creatures, removed ones included, that the viewer does not see."""
    people = (*e.combatants.values(), *e.gone.values())
    return frozenset(c.id for c in people if c.hidden and not viewer.sees(c))


def has_secret(
    e: Encounter, sentence: Sentence, line: str, net: Sequence[str], before: Encounter | None = None
) -> bool:
    """Return whether a sentence, worded as `line`, contains a name of `net` outside a player's own words."""
    if not net or not has_name(line, net):
        return False
    # A text about creatures without an owner was written by the GM, who may have named hidden creatures in
    # it.
    if not sentence.about or not any(c.owner for c in members(e, sentence.about[0])):
        return True
    bare = tuple(WORDS if key.startswith(WORDS) else key for key in sentence.about)
    return has_name(text(e, replace(sentence, about=bare), before), net)


def has_name(line: str, names: Iterable[str]) -> bool:
    """Return whether a line contains one of these names as a whole word."""
    low = line.lower()
    # The plain search comes first: a pattern is built only for a name that occurs in the line.
    return any(n in low and re.search(rf"(?<!\w){re.escape(n)}(?!\w)(?! ?\d)", low) for n in names)
