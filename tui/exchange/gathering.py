"""Gather the creatures of several files, each once and under a name of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.text import NAME_LIMIT, cut_text
from tui.core.fight.combatant import FightState, StatBlock, make_variant
from tui.exchange.document import MOST_CREATURES, TOO_MANY, Unreadable
from tui.exchange.mapping import Imported, strip_book
from tui.exchange.registry import Understood


class Source(Struct, frozen=True):
    """A file that was understood, with the name that reports use for it."""

    file: str
    held: Understood


class Clash(Struct, frozen=True):
    """Two different creatures of one name: `kept_file` has the imported one, `other_file` has `block`."""

    name: str
    kept_file: str
    other_file: str
    block: StatBlock


class Gathered(Struct, frozen=True):
    """The creatures of an import, in order."""

    blocks: tuple[StatBlock, ...]
    rows: tuple[tuple[str, str, int], ...]
    """Target, path and count of the mapped values; the path is "" if a value came from several places."""
    counts: tuple[tuple[str, int], ...]
    """Title of each format, and how many creatures came from it."""
    cut_names: tuple[str, ...] = ()
    """The names of creatures whose card was cut because it is too long."""
    amounts: Mapping[str, str] = {}
    """How many an encounter has, by name, as a number or dice; names that occur once are missing."""
    base_names: Mapping[str, str] = {}
    """The name of the creature that has the numbers, by name, if it is another one."""
    fight_states: Mapping[str, FightState] = {}
    """The state in a saved fight, by name."""
    clashes: tuple[Clash, ...] = ()

    @property
    def own_blocks(self) -> tuple[StatBlock, ...]:
        """The creatures that are kinds of their own, and no rows of a saved fight or encounter."""
        others = {*self.base_names, *self.fight_states}
        return tuple(b for b in self.blocks if b.name not in others)

    @property
    def blocks_overwriting(self) -> tuple[StatBlock, ...]:
        """The creatures; of those with the same name, the last instead of the first."""
        last = {clash.name.lower(): clash.block for clash in self.clashes}
        return tuple(last.get(b.name.lower(), b) for b in self.blocks)


def gather_creatures(sources: Sequence[Source], *, overwrite: bool = False) -> Gathered:
    """Return the creatures of these files; of two with one name the first, or with `overwrite` the last.

    Raises Unreadable if there are too many.
    """
    pairs = [(s.file, x) for s in sources for x in s.held.entries]
    if len(pairs) > MOST_CREATURES:
        raise Unreadable(*TOO_MANY)
    # The creature that is kept also completes others.
    known = {x.key: x for _, x in (pairs if overwrite else reversed(pairs)) if x.key}
    # Encounters in notes omit the book in brackets after a name.
    known = {strip_book(key): x for key, x in known.items()} | known
    blocks = [(file, _complete_by_base(x, known)) for file, x in pairs]
    rows = Counter((target, path) for _, x in pairs for target, path in x.sources)
    counts = Counter(s.held.title for s in sources for x in s.held.entries)
    creatures, clashes = _keep_one_of_each(_distinguish_books(blocks), overwrite=overwrite)
    return Gathered(
        creatures,
        tuple((target, path, count) for (target, path), count in rows.items()),
        tuple(counts.items()),
        tuple(x.block.name for _, x in pairs if x.is_cut),
        _count_in_encounters(x for _, x in pairs),
        {x.block.name: x.base_key.partition("|")[0] for _, x in pairs if x.base_key and x.is_row},
        {x.block.name: x.fight_state for _, x in pairs if x.fight_state},
        clashes,
    )


def _count_in_encounters(creatures: Iterable[Imported]) -> dict[str, str]:
    """Return how many an encounter has, by name: a number or dice, added up over its rows."""
    texts: dict[str, list[str]] = {}
    for x in creatures:
        if x.is_row:
            texts.setdefault(x.block.name, []).append(x.amount or "1")
    sums = {
        name: str(sum(map(int, parts))) if all(map(str.isdecimal, parts)) else "+".join(parts)
        for name, parts in texts.items()
    }
    return {name: count for name, count in sums.items() if count != "1"}


def _complete_by_base(imported: Imported, known: Mapping[str, Imported], depth: int = 5) -> StatBlock:
    """Return a stat block completed by the creature that it names, up to `depth` names deep."""
    b, base = imported.block, known.get(imported.base_key)
    if base is None or base is imported or not depth:
        return b
    whole = _complete_by_base(base, known, depth - 1)
    return make_variant(whole, b)


Placed = tuple[str, StatBlock]
"""A stat block and the file that it came from."""


def _distinguish_books(blocks: Sequence[Placed]) -> list[Placed]:
    """Return the stat blocks with books appended to names that different creatures of several books share."""
    same: dict[str, dict[str, set[StatBlockKey]]] = {}
    for _, b in blocks:
        same.setdefault(b.name.lower(), {}).setdefault(b.source, set()).add(_identity_of(b))
    # Only if they come from several books, all of which are named.
    shared = {
        name
        for name, books in same.items()
        if len(books) > 1 and "" not in books and len({key for keys in books.values() for key in keys}) > 1
    }
    return [(file, _append_book(b) if b.name.lower() in shared else b) for file, b in blocks]


StatBlockKey = tuple[object, ...]


def _identity_of(b: StatBlock) -> StatBlockKey:
    """Return a key that is equal for stat blocks of the same creature."""
    return (b.hp, b.hp_dice, b.ac, b.initiative, tuple(sorted(b.fields.items())), b.card)


def _append_book(b: StatBlock) -> StatBlock:
    book = b.source.replace(",", " ").replace('"', "'")
    room = NAME_LIMIT - len(b.name) - 3
    return (
        replace(b, name=cut_text(f"{b.name} ({cut_text(book, max(room, 8))})", NAME_LIMIT)) if room > 8 else b
    )


def _keep_one_of_each(
    blocks: Iterable[Placed], *, overwrite: bool
) -> tuple[tuple[StatBlock, ...], tuple[Clash, ...]]:
    """Return each creature once, and the clashes: different creatures of one name.

    A creature without numbers, as encounters name them, never clashes: the one with numbers is kept.
    """
    by_name: dict[str, Placed] = {}
    clashes: list[Clash] = []
    for file, b in blocks:
        low = b.name.lower()
        before = by_name.get(low)
        if before is None or (before[1].bare and not b.bare):
            by_name[low] = (file, b)
        elif b.bare or _identity_of(before[1]) == _identity_of(b):
            continue
        elif overwrite:
            clashes.append(Clash(b.name, file, *before))
            by_name[low] = (file, b)
        else:
            clashes.append(Clash(b.name, before[0], file, b))
    return tuple(b for _, b in by_name.values()), tuple(clashes)
