"""Complete a newcomer without hit points with the numbers of its kind: of this fight, or of the library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tui.core.base.text import quote
from tui.core.fight.combatant import Combatant, is_pc
from tui.core.fight.encounter import Encounter
from tui.core.language import values
from tui.core.language.creature_actions import Add
from tui.core.rules.newcomers import Kept, Newcomer, kind_name, plural_of, stem_of
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import write_counter

BODY_KEYS = ("per", "int", "mod", "mod_dice", "bonus", "con", "stealth", "passive", "size", "die", "cr")
"""The fields that describe a kind of creature, which one creature of the kind lends to another."""

NO_NUMBERS = "none"
"""The value of `as=` for a creature without numbers."""
MOST_NAMED = 60
"""The longest list of names in a line that a notice shows, in characters."""


def complete_newcomer(e: Encounter, system: InitiativeSystem, add: Add, kept: Kept | None) -> Newcomer:
    """Return the newcomer of a line of `add`, with the numbers that are known of its kind.

    Raises RuleError if several kinds may be meant.
    """
    plain = Newcomer(replace(add, like=""))
    if add.like.lower() == NO_NUMBERS:
        return plain
    takes = (add.like or not has_points(add)) and not is_player(add)
    if takes and (kin := find_kin(e, add.like or add.name, many=bool(add.count))):
        return _fill_from_kin(plain, kin, system, renamed=bool(add.like))
    return kept.known(add) if kept else plain


def has_points(add: Add) -> bool:
    """Return whether a line of `add` gives hit points."""
    return not {"hp", "max_hp"}.isdisjoint(add.keys)


def is_player(add: Add) -> bool:
    """Return whether a line of `add` adds players' characters."""
    kind = add.keys.get("kind", "").strip().lower()
    return bool(add.keys.get("owner")) or (bool(kind) and "pc".startswith(kind))


def list_kinds(typed: str, *, many: bool) -> tuple[str, ...]:
    """Return a typed name in lower case, and with `many` the names of which it may be the plural.

    One creature or formation may be called Bandits.
    """
    low = typed.strip().lower()
    cut = ((ending, one) for ending, one in _PLURALS if low.endswith(ending) and len(low) > len(ending) + 1)
    return (low, *(low.removesuffix(ending) + one for ending, one in cut)) if many else (low,)


_PLURALS = (("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("men", "man"))
"""The endings of plurals, each with that of its singular."""


def find_kin(e: Encounter, name: str, *, many: bool) -> Combatant | None:
    """Return the first creature of that kind with hit points that is or was in the fight and no PC.

    With `many` the name may be a plural.
    """
    people = [*e.combatants.values(), *e.gone.values()]
    kin = (c for c in reversed(people) if c.max_hp is not None and not is_pc(c))
    kinds = {kind_name(c).lower(): c for c in kin}
    return next((kinds[x] for x in list_kinds(name, many=many) if x in kinds), None)


def _fill_from_kin(coming: Newcomer, kin: Combatant, system: InitiativeSystem, *, renamed: bool) -> Newcomer:
    """Return a newcomer with the numbers of a creature, unhurt; the values of the line come first."""
    add = coming.add
    plain = {
        "hp": kin.max_hp, "ac": kin.ac, "attacks": kin.attacks, "saves": kin.save_bonus, "resist": kin.resist,
        "vulnerable": kin.vulnerable, "immune": kin.immune, "card": kin.card, "kind": kin.word("kind"),
        "side": kin.side, **{key: kin.fields[key] for key in BODY_KEYS if key in kin.fields},
    }  # fmt: skip
    keys = {key: values.spell(value) for key, value in plain.items() if value not in (None, "")}
    if has_points(add):
        del keys["hp"]
    if add.mod or system.modifier in add.keys:
        # `+3` behind the name is the line's own word for this key. Its dice are the line's own, too.
        for key in (system.modifier, *(f.dice for f in system.fields if f.key == system.modifier)):
            keys.pop(key, None)
    name = add.name if renamed else kind_name(kin)
    borne = replace(coming.borne, counters=tuple(write_counter(x, full=True) for x in kin.counters))
    return Newcomer(replace(add, name=name, keys={**keys, **add.keys}), borne, origin=f"as {kin.name}")


# --- what the answer says


def notices(came: Sequence[Combatant], coming: Newcomer, *, asked: bool) -> Iterator[str]:
    """Yield where the numbers of newcomers come from.

    `asked`: whether a library was asked for their name.
    """
    if coming.origin:
        name, many = stem_of(came[0].name), len(came)
        yield f"{f'{many} {plural_of(name)}' if name and many > 1 else came[0].name}: {coming.origin}"
    elif asked and came and all(c.hp is None for c in came):
        yield _describe_unknown(came)


def _describe_unknown(came: Sequence[Combatant]) -> str:
    """Return the notice that newcomers have no hit points, because nothing has their name."""
    first, have = came[0].name, "has" if len(came) == 1 else "have"
    who = first if len(came) == 1 else ",".join(c.name for c in came)
    names = first if len(came) == 1 else f"{first} to {came[-1].name}"
    line = f"`set {quote(who)} hp=10`" if len(who) <= MOST_NAMED else f"`set {quote(first)} hp=10`"
    return f"{names} {have} no hit points: no creature of the library has this name; {line}"
