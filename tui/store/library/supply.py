"""Find the creature that a line of `add` means: in the library, then in the box; else propose names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight.combatant import StatBlock
from tui.core.fight.encounter import Encounter
from tui.core.language.creature_actions import Add
from tui.core.language.select import list_names
from tui.core.rules.kin import has_points, is_player, list_kinds
from tui.core.rules.newcomers import Kept, Newcomer
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.transfer import add_known, count_from_now, names_taken
from tui.core.rules.upkeep import house_rule
from tui.store.dependencies import Open, Roster, Stock
from tui.store.library.box import EDITIONS, Edition, editions
from tui.store.library.service import MOST_OFFERED, Library

MINE = "your library"


class KnownCreature(Struct, frozen=True):
    """A creature that a name may mean, not yet read."""

    name: str
    book: Library | Edition

    @property
    def title(self) -> str:
        """The place where the creature is kept, in words."""
        return self.book.title if isinstance(self.book, Edition) else MINE

    def read(self) -> StatBlock | None:
        """Return the creature. Raises RuleError with file and line for a mistake in a file of the library."""
        return self.book.read(self.name) if isinstance(self.book, Edition) else self.book.creature(self.name)


class Supply:
    """Library and box as one fight uses them."""

    def __init__(self, library: Library | None, e: Encounter, system: InitiativeSystem) -> None:
        self._library, self._e, self._system = library, e, system

    def kept(self) -> Kept | None:
        """Return the functions of library and box that the rules call; None if there is neither."""
        return Kept(self.read, self.complete) if self._library or self.has_box else None

    def complete(self, add: Add) -> Newcomer:
        """Return the newcomer of a line with the numbers of library or box.

        Raises RuleError if no name fits exactly and others may be meant.
        """
        name, plain = add.like or add.name, Newcomer(replace(add, like=""))
        open_ = bool(add.like) or not (is_player(add) or has_points(add))
        if source := self.find(name, box=open_, many=bool(add.count)):
            block = source.read()
            known = add_known(plain, block, self._e, self._system) if block else plain
            named = replace(known.add, name=add.name) if add.like else known.add
            return replace(known, add=named, origin=source.title)
        if open_ and (names := [x.name for x in self.propose(name)]):
            raise _ask_which(add, names)
        if add.like:
            raise RuleError(f"nothing is called {add.like}", "`as=none` adds it without numbers")
        return plain

    def find(self, name: str, *, box: bool = True, many: bool = True) -> KnownCreature | None:
        """Return the creature of this name, in any letter case and with `many` in the plural.

        The library comes first.
        """
        wanted, library = list_kinds(name, many=many), self._library
        if library and (mine := next(filter(library.has, wanted), "")):
            return KnownCreature(mine, library)
        for book in self._editions() if box else ():
            names = {n.lower(): n for n in book.names}
            if one := next((names[x] for x in wanted if x in names), ""):
                return KnownCreature(one, book)
        return None

    def names(self) -> Sequence[KnownCreature]:
        """Return all creatures of library and box, each name once."""
        named: dict[str, KnownCreature] = {}
        for source in self._sources():
            named.setdefault(source.name.lower(), source)
        return tuple(named.values())

    def propose(self, typed: str) -> Sequence[KnownCreature]:
        """Return the creatures whose names have words that begin with all typed words, each name once."""
        return tuple(_begun_by(self.names(), typed))

    def read(self, file: str, kind: Roster) -> list[Newcomer]:
        """Return the newcomers of a file; those without hit points are filled from the library."""
        if self._library is None:
            raise RuleError("no files can be read here")
        members = self._library.newcomers(file, kind, self._system)
        if twice := names_taken(members, self._e):
            names = ", ".join(twice[:6]) + (" …" if len(twice) > 6 else "")
            line = f"`remove {quote(','.join(twice))}` makes room"
            raise RuleError(f"{names} {'are' if len(twice) > 1 else 'is'} here already", line)
        return [count_from_now(x if has_points(x.add) else self._fill(x), self._e) for x in members]

    def _fill(self, coming: Newcomer) -> Newcomer:
        block = self._library.creature(coming.add.name) if self._library else None
        return add_known(coming, block, self._e, self._system) if block else coming

    def _editions(self) -> Sequence[Edition]:
        """Return the documents that this fight may use, the chosen one first."""
        return editions(str(house_rule(self._e, "library.box"))) if self.has_box else ()

    @property
    def has_box(self) -> bool:
        """Whether this fight may take creatures out of the box."""
        return self._system.is_d20 and house_rule(self._e, "library.box") != "none"

    def _sources(self) -> Iterator[KnownCreature]:
        if library := self._library:
            yield from (KnownCreature(n, library) for n in library.creature_names())
        yield from (KnownCreature(n, book) for book in self._editions() for n in book.names)


def list_names_of(store: Open, kind: Stock, begun: str) -> Sequence[str]:
    """Return the names of one kind that a text may begin: of creatures also those with its words."""
    if kind != "creature":
        return store.effects.stock(kind, begun)
    supply = Supply(store.effects.library, store.encounter, store.system)
    return [x.name for x in supply.propose(begun)[:MOST_OFFERED]]


def find_everywhere(library: Library, typed: str) -> Sequence[KnownCreature]:
    """Return the creatures of library and box whose names have words that begin with all typed words."""
    mine = (KnownCreature(n, library) for n in library.creature_names())
    boxed = (KnownCreature(n, book) for book in editions(EDITIONS[0]) for n in book.names)
    return tuple(_begun_by(chain(mine, boxed), typed))


def describe_block(block: StatBlock, title: str) -> str:
    """Return rating, armour class, hit points and source of a creature in a few words."""
    rating = block.fields.get("cr", "")
    texts = [f"CR {rating}" if rating else "", "" if block.ac is None else f"AC {block.ac}"]
    texts += ["" if block.hp is None else f"{block.hp} hit point{'s' * (block.hp != 1)}", title]
    return ", ".join(x for x in texts if x)


def _begun_by(sources: Iterable[KnownCreature], typed: str) -> Iterator[KnownCreature]:
    """Yield the creatures whose names have words that begin with all typed words."""
    words = typed.lower().split()
    near = (x for x in sources if words and words[0] in x.name.lower())
    return (x for x in near if _has_words(x.name.lower().split(), words))


def _has_words(own: Sequence[str], typed: Sequence[str]) -> bool:
    """Return whether each typed word begins a word of its own."""
    left = list(own)
    for word in sorted(typed, key=len, reverse=True):
        fit = next((x for x in left if x.startswith(word)), None)
        if fit is None:
            return False
        left.remove(fit)
    return True


def _ask_which(add: Add, names: Sequence[str]) -> RuleError:
    many = f"{add.count} " if add.count else ""
    line = f"`add {many}{quote(add.name)}"
    one = f"`add {many}{quote(names[0])}`" if not add.like else f"{line} as={quote(names[0])}`"
    hero = "" if add.count or add.like else f"{line} kind=pc` for a hero, "
    return RuleError(
        f'"{add.like or add.name}" may be {list_names(names)}',
        f"{one}, {hero}or {line} as=none` without numbers",
        kind="ambiguous",
    )
