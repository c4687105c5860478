"""What each row rolls and what its faces are worth: the pool, creatures of one type, surprise (DIS-A24)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui.core.fight import events as ev
from tui.core.fight.agenda import Sentence, say
from tui.core.fight.combatant import Combatant
from tui.core.fight.dice import Constant, DiceError, DiceTerm, parse
from tui.core.fight.encounter import Encounter, Entry
from tui.core.rules.draft import Draft
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.pool import Pool
from tui.systems.dynamic.rows import declared, declares, roller, rows, surprised
from tui.systems.dynamic.text import SIZES, notes_of, price_paid, rule

SURPRISE = 10
"""What surprise adds to a total, after everything else (DIS-24)."""


def pool_of(e: Encounter, entry: Entry, text: Mapping[str, str] | None = None) -> Pool:
    """Return the pool of an entry: its dice resized, then the largest rolled twice if needed (DIS-A24).

    `text` stands for a declaration that is not made yet.
    """
    advs = {e.combatants[k].word("adv") for k in entry.members} - {""}
    return pools.lucky(resizing(e, entry, text)[0], advs.pop() if len(advs) == 1 else "")


def resizing(
    e: Encounter, entry: Entry, text: Mapping[str, str] | None = None
) -> tuple[Pool, tuple[int, ...]]:
    """Return the pool after bonuses and penalties, and the dice the next effect may change (DIS-A11)."""
    people = [e.combatants[k] for k in entry.members]
    picks = notes_of(e).resize.get(entry.key, ())
    ask = rule(e, "resize") == "ask"
    return pools.resized(_base(e, entry, text), _effects(people), rule(e, "floor"), picks, ask=ask)


def _base(e: Encounter, entry: Entry, text: Mapping[str, str] | None) -> Pool:
    if declares(e, entry.key):
        said = declared(e, entry.key) if text is None else text
        return pools.pooled(pools.read(said), one=single_die(e))
    return Pool(max((_own_dice(e.combatants[k]) for k in entry.members), key=sum, default=()))


def single_die(e: Encounter) -> bool:
    """Whether only one of a weapon's dice counts (DIS-A8)."""
    return bool(rule(e, "multi_dice") == "one")


def _effects(people: Sequence[Combatant]) -> int:
    """Return the sizes by which effects change a die; those of the first creature with any count."""
    given = next((b for c in people if (b := c.fields.get("bonus"))), ())
    return pools.effects([given] if isinstance(given, int) else list(given))


def _own_dice(c: Combatant) -> tuple[int, ...]:
    """Return the dice of a creature that does not declare: those of `die=`, or its size's (DIS-19)."""
    try:
        terms = parse(str(c.fields.get("die", ""))).terms if c.fields.get("die") else ()
    except DiceError:
        terms = ()
    own = [t.sides for t in terms if isinstance(t, DiceTerm) for _ in range(t.count)]
    own += [t.value for t in terms if isinstance(t, Constant) and t.value]
    return tuple(own[: pools.MOST_DICE]) or (SIZES.get(c.word("size"), SIZES["medium"]),)


def settle_number(d: Draft, e: Encounter, entry: Entry, faces: Sequence[int]) -> None:
    """Record the number of each row of a roller, capped before surprise is added (DIS-A13)."""
    pool = pool_of(e, entry)
    base, told = pools.worth(pool, faces), pools.told(pool, faces)
    mine = [entry] if entry.key in e.combatants else [x for x in rows(e) if roller(e, x.key) == entry.key]
    shifts = shifts_of(e, entry, mine)
    if added := min(shifts.get(entry.key, 0), pool.most - base):
        told += f" + {added} for the others of the type"
        d.announce(
            f"{{0}}: {base} + {added} for the others of the type = {base + added}",
            *seen_with(e, entry),
            rule="DIS-20",
        )
    d.emit(ev.Noted("sums", told, entry.key))
    if entry.key not in {x.key for x in mine}:
        d.emit(ev.Noted("values", base, entry.key))
    for x in mine:
        d.emit(ev.Noted("values", number_of(e, x, base, shifts[x.key], pool), x.key))
        if x.key != entry.key:
            d.emit(ev.Noted("kin", entry.key, x.key))
        if x.key != entry.key and x.key not in notes_of(e).apart:
            d.emit(ev.Noted("lined", value=True, at=x.key))


def shown_number(e: Encounter, entry: Entry, faces: Sequence[int]) -> int:
    """Return the number that the first row of a roller shows for these faces."""
    pool = pool_of(e, entry)
    mine = [entry] if entry.key in e.combatants else [x for x in rows(e) if roller(e, x.key) == entry.key]
    row = next((x for x in mine if x.key == entry.key), mine[0] if mine else entry)
    return number_of(e, row, pools.worth(pool, faces), shifts_of(e, entry, mine or [entry])[row.key], pool)


def number_of(e: Encounter, row: Entry, base: int, shift: int, pool: Pool) -> int:
    """Return the number of a row from the sum that was rolled for it."""
    # Capped before surprise is added, or its ten would be lost on a high roll (DIS-A13).
    return min(base + shift, pool.most) + (SURPRISE if surprised(e, row) else 0)


def shifts_of(e: Encounter, entry: Entry, mine: Sequence[Entry]) -> dict[str, int]:
    """Return what the number of creatures adds to each row of a roller (DIS-20, DIS-A12)."""
    how = rule(e, "group")
    if how == "off" or declares(e, entry.key):
        return {x.key: 0 for x in mine}
    counts = {k: max(1, e.combatants[k].number("count", 1)) for k in entry.members}
    if how == "shared":
        return {x.key: sum(counts.values()) - 1 for x in mine}
    so_far, found = 0, {}
    for x in mine:
        so_far += sum(counts.get(k, 0) for k in x.members)
        found[x.key] = so_far - 1
    return found


# --- why


def in_words(pool: Pool) -> str:
    """Return the dice to roll as they are read out, such as `d8 d4 d4`."""
    return " ".join(f"d{sides}" for sides in pool.rolled)


def explained(e: Encounter, entry: Entry, taker: Entry) -> Sentence:
    """How the dice of a row came to its number, without surprise and switches; `taker` rolled for it."""
    n = notes_of(e)
    rolled = n.kin.get(entry.key, entry.key)
    late = SURPRISE * surprised(e, entry)
    own = n.values.get(entry.key, 0) - price_paid(e, entry.key) - late
    behind = own - n.values.get(rolled, own)
    more = f" + {behind} in line" if behind > 0 else ""
    clause = "DIS-10" if declares(e, entry.key) else "DIS-19"
    about = (entry.key,) if clause == "DIS-10" else seen_with(e, taker, entry.key)
    return say(f"{n.sums.get(rolled, 'as before')}{more} = {own}", *about, rule=clause)


def seen_with(e: Encounter, taker: Entry, key: str = "") -> tuple[str, ...]:
    """Return a row and the hidden rows of its type, whose number only viewers of all may read."""
    return (key or taker.key, *(k for k in taker.members if e.combatants[k].hidden))
