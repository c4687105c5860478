"""List the rows, their declarations, their pools and the numbers of their faces (DIS-31)."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from msgspec import Struct, convert
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import Sentence, say
from tui.core.fight.combatant import Combatant, EntryKey, is_pc
from tui.core.fight.dice import Constant, DiceError, DiceTerm, parse
from tui.core.fight.encounter import SIDE, DiceRoll, Encounter, Entry, active, key_of, label, members
from tui.core.fight.viewer import fill_names
from tui.core.rules.draft import Draft
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.pool import SURPRISE, Deed, Pool
from tui.systems.dynamic.text import SIZES, dis_rule, dynamic_notes, price_paid
from tui.systems.shared.numbering import common_advantage


def is_declaring(e: Encounter, key: str) -> bool:
    """Return whether an entry has a player's character, which declares (DIS-18)."""
    return any(is_pc(c) for c in members(e, key))


def rows(e: Encounter) -> tuple[Entry, ...]:
    """Return the rows: a group is split if some members are surprised or act one by one."""
    n = dynamic_notes(e)
    playing = active(e)
    staggered = dis_rule(e, "group") == "staggered"
    declaring = {key_of(c) for c in playing if is_pc(c)} if staggered else set()
    # At a fixed place nobody rolls: there is no roll that others of the type could share.
    placed = {key_of(c) for c in playing if c.group and c.value is not None}
    grouped: dict[EntryKey, list[str]] = {}
    for c in playing:
        key = key_of(c)
        if c.group:
            uncut = key in declaring or key in placed or key in n.values
            # A group with a number stays split as it was: a changed house rule moves no rows within a round.
            lined = n.kin.get(EntryKey(c.id)) == key and (staggered or c.id in n.lined)
            single = lined or (staggered and not uncut) or c.id in n.apart
            key = EntryKey(c.id) if single else key
        grouped.setdefault(key, []).append(c.id)
    return tuple([Entry(key, tuple(ids)) for key, ids in grouped.items()])


def entries_with_roll(e: Encounter, besides: Container[str] = ()) -> tuple[Entry, ...]:
    """Return the entries that roll for a number in this round, those without a fixed place.

    Entries with a key in `besides` are left out.
    """
    grouped: dict[EntryKey, list[str]] = {}
    for x in rows(e):
        key = roller_key(e, x.key)
        people = [] if key in besides else [e.combatants[k] for k in x.members]
        ids = [c.id for c in people if "barred" not in c.marks]
        if ids and all(c.value is None for c in people):
            grouped.setdefault(key, []).extend(ids)
    return tuple([Entry(key, tuple(ids)) for key, ids in grouped.items()])


def entries_without_number(e: Encounter) -> tuple[Entry, ...]:
    """Return the entries of `entries_with_roll` that have no number yet."""
    return entries_with_roll(e, dynamic_notes(e).values)


def roller_key(e: Encounter, key: str) -> EntryKey:
    """Return the key under which a row rolls: its group's, if it was split from one."""
    c = None if key.startswith(SIDE) else e.combatants.get(key)
    return key_of(c) if c else EntryKey(key)


def declaration_of(e: Encounter, key: str) -> dict[str, str]:
    """Return the declaration of a row in this round: its own, or its group's."""
    for k in (key, roller_key(e, key)):
        if k in e.orders:
            return e.orders[k]
    return {}


def deeds_of(e: Encounter, key: str) -> tuple[Deed, ...]:
    """Return the actions that a row has declared."""
    return pools.read_deeds(declaration_of(e, key))


def other_action(e: Encounter, key: str, who: str) -> str:
    """Return the line that switches a row to an undeclared action; `who` is its name in the line."""
    repeated = set(pools.read_deeds({"action": "1"})) & set(deeds_of(e, key))
    return f"switch {who} {'from=none ' if repeated else ''}action=1"


def is_surprised(e: Encounter, entry: Entry) -> bool:
    """Return whether all members of a row are surprised."""
    return all("surprised" in e.combatants[k].marks for k in entry.members)


def acting_row(e: Encounter) -> Entry | None:
    """Return the row whose turn is running, or None."""
    if e.turn is None:
        return None
    return next((x for x in rows(e) if not set(x.members).isdisjoint(e.turn.members)), None)


def is_before_dice(e: Encounter) -> bool:
    """Return whether no die for the order was rolled and no turn has begun; saves do not count."""
    # The purpose of the dice decides: saves and amounts are rolls too, but close no declarations.
    fallen = any(k.startswith(("init ", "tie")) for k in e.rolls)
    begun = e.turn or any("acted" in c.marks for c in e.combatants.values()) or dynamic_notes(e).later
    return e.running and not fallen and not begun


def is_before_turns(e: Encounter) -> bool:
    """Return whether the round's first turn is still to come: a player's own roll ends no other question."""
    return e.turn is None and (e.phase == "rolls" or is_before_dice(e))


def may_surprise(e: Encounter) -> bool:
    """Return whether surprise is allowed in this round (DIS-A2)."""
    return e.round <= 1 or bool(dis_rule(e, "surprise_each_round") == "ask")


def pool_of(e: Encounter, entry: Entry, text: Mapping[str, str] | None = None) -> Pool:
    """Return the pool of an entry: dice resized, then the largest rolled twice if needed (DIS-31).

    `text` replaces the declaration.
    """
    return pools.with_advantage(resized_pool(e, entry, text)[0], common_advantage(e, entry))


def resized_pool(
    e: Encounter, entry: Entry, text: Mapping[str, str] | None = None
) -> tuple[Pool, tuple[int, ...]]:
    """Return the pool after bonuses and penalties, and the dice that the next effect may change (DIS-29)."""
    people = [e.combatants[k] for k in entry.members]
    picks = dynamic_notes(e).resize.get(entry.key, ())
    ask = dis_rule(e, "resize") == "ask"
    return pools.resize_pool(
        _base_pool(e, entry, text), _die_sizes(people), dis_rule(e, "floor"), picks, ask=ask
    )


def _base_pool(e: Encounter, entry: Entry, text: Mapping[str, str] | None) -> Pool:
    if is_declaring(e, entry.key):
        declaration = declaration_of(e, entry.key) if text is None else text
        return pools.make_pool(pools.read_deeds(declaration), one=is_single_die(e))
    return Pool(max((_own_dice(e.combatants[k]) for k in entry.members), key=sum, default=()))


class Makings(Struct, frozen=True, omit_defaults=True):
    """What a roller's number was made with besides the faces."""

    dice: list[int] = []
    """The sides of the pool, after resizing."""
    flat: int = 0
    """The points that are added to the dice."""
    twice: int = -1
    """The index of the die that was rolled twice; -1 for none."""
    low: bool = True
    """Whether the lower of its two faces counts."""
    shifts: dict[EntryKey, int] = {}
    """The points of each row for the number of creatures, by key."""
    surprised: list[EntryKey] = []
    """The keys of the rows that were surprised."""

    @property
    def pool(self) -> Pool:
        """The pool that was rolled."""
        return Pool(tuple(self.dice), self.flat, self.twice, self.low)


def makings_now(e: Encounter, entry: Entry) -> Makings:
    """Return what a roll of an entry is made with now."""
    pool, mine = pool_of(e, entry), _rows_of(e, entry) or [entry]
    surprised = [x.key for x in mine if is_surprised(e, x)]
    return Makings(list(pool.dice), pool.flat, pool.twice, pool.low, group_shifts(e, entry, mine), surprised)


def _kept_makings(e: Encounter, entry: Entry) -> Makings | None:
    """Return what the roll of an entry was made with; None before the roll."""
    n = dynamic_notes(e)
    roller = n.kin.get(entry.key, entry.key)
    if entry.key not in n.values and roller not in n.values:
        return None
    if kept := n.makings.get(roller):
        return convert(kept, Makings, strict=True)
    now, old = makings_now(e, entry), e.rolls.get(f"init {roller}")
    # Of a roll in a save before 1.1.1 only its dice are known.
    fits = old is None or not old.dice or old.dice == now.pool.rolled
    if fits or old is None:
        return now
    return replace(now, dice=list(old.dice), twice=-1, low=True)


def makings_of(e: Encounter, entry: Entry) -> Makings:
    """Return what the roll of an entry was made with; before the roll, what it would be made with now."""
    return _kept_makings(e, entry) or makings_now(e, entry)


def pool_rolled(e: Encounter, entry: Entry) -> Pool:
    """Return the pool that an entry rolled; before the roll, the one that it would roll now."""
    kept = _kept_makings(e, entry)
    return kept.pool if kept else pool_of(e, entry)


def is_single_die(e: Encounter) -> bool:
    """Return whether only one of a weapon's dice counts (DIS-12)."""
    return bool(dis_rule(e, "multi_dice") == "one")


def _die_sizes(people: Sequence[Combatant]) -> int:
    """Return by how many sizes effects change a die, taken from the first member that has any."""
    bonus = next((b for c in people if (b := c.fields.get("bonus"))), ())
    numbers: Sequence[int] = [bonus] if isinstance(bonus, int) else bonus
    return sum(n < 0 for n in numbers) - sum(n > 0 for n in numbers)


def _own_dice(c: Combatant) -> tuple[int, ...]:
    """Return the dice of a creature that does not declare: those of `die=`, or its size's (DIS-19)."""
    try:
        terms = parse(str(c.fields.get("die", ""))).terms if c.fields.get("die") else ()
    except DiceError:
        terms = ()
    own = [t.sides for t in terms if isinstance(t, DiceTerm) for _ in range(t.count)]
    own += [t.value for t in terms if isinstance(t, Constant) and t.value]
    return tuple(own[: pools.MOST_DICE]) or (SIZES.get(c.word("size"), SIZES["medium"]),)


def record_numbers(d: Draft, e: Encounter, entry: Entry, faces: Sequence[int]) -> None:
    """Record the number of each row of a roller, capped before surprise is added (DIS-20)."""
    made = makings_now(e, entry)
    mine = _rows_of(e, entry)
    base, formula, added = _sum_with_others(made, entry.key, faces)
    if added:
        d.announce(f"{{0}}: {formula} = {base + added}", *keys_for_viewers(e, entry), rule="DIS-20")
    d.emit(ev.Noted("sums", formula, entry.key))
    if entry.key not in {x.key for x in mine}:
        d.emit(ev.Noted("values", base, entry.key))
    for x in mine:
        value = _number_made(x.key, base, made)
        if is_surprised(e, x):
            text = f"{{0}}: {value - SURPRISE} + {SURPRISE} for surprise = {value}"
            d.announce(text, *keys_for_viewers(e, entry, x.key), rule="DIS-24")
        d.emit(ev.Noted("values", value, x.key))
        if x.key != entry.key:
            d.emit(ev.Noted("kin", entry.key, x.key))
        if x.key != entry.key and x.key not in dynamic_notes(e).apart:
            d.emit(ev.Noted("lined", value=True, at=x.key))


def right_numbers(e: Encounter, entry: Entry, new: tuple[tuple[int, ...], int]) -> dict[EntryKey, int]:
    """Return the numbers of a roller's rows after a correction; prices of switches are kept."""
    faces, total = new
    if has_switched(e, entry):
        return shifted_numbers(e, entry, total - dynamic_notes(e).values[entry.key])
    made = makings_of(e, entry)
    # A total that the dice cannot give comes with the nearest faces.
    beyond = total - shown_number(e, entry, faces)
    base = pools.sum_faces(made.pool, _both_faces(made.pool, faces)) + beyond
    root, *others = _family_of(e, entry)
    numbers = {k: _number_made(k, base - beyond, made) + beyond for k in (*made.shifts, *others)}
    return {root: base, **{k: number + price_paid(e, k) for k, number in numbers.items()}}


def shifted_numbers(e: Encounter, entry: Entry, by: int) -> dict[EntryKey, int]:
    """Return the numbers of a roller's rows, and its own, all changed by `by`."""
    values, keys = dynamic_notes(e).values, _family_of(e, entry)
    return {k: values[k] + by for k in values if k in keys}


def _family_of(e: Encounter, entry: Entry) -> list[EntryKey]:
    """Return the key that rolled for an entry, then those of its rows and of rows that have left it."""
    kin = dynamic_notes(e).kin
    root = kin.get(entry.key, entry.key)
    return [root, *(x.key for x in _rows_of(e, entry)), *(k for k, roller in kin.items() if roller == root)]


def shown_row(e: Encounter, entry: Entry) -> Entry:
    """Return the row of a roller whose number its total is: its own, or the first one."""
    mine = _rows_of(e, entry)
    return next((x for x in mine if x.key == entry.key), mine[0] if mine else entry)


def _both_faces(pool: Pool, faces: Sequence[int]) -> Sequence[int]:
    """Return the faces of a pool; a single face that counts stands for both of the die rolled twice."""
    return [*faces, *faces] if len(faces) == 1 and len(pool.rolled) == 2 and pool.twice >= 0 else faces


def _number_made(key: EntryKey, base: int, made: Makings) -> int:
    """Return the number of a row for the sum of a roll, with what that roll was made with."""
    shift = made.shifts.get(key, min(made.shifts.values(), default=0))
    # The cap comes before surprise is added; otherwise the ten would be lost on a high roll (DIS-20).
    return min(base + shift, made.pool.most) + (SURPRISE if key in made.surprised else 0)


def has_switched(e: Encounter, entry: Entry) -> bool:
    """Return whether a row of a roller has switched since the roll."""
    return any(x.key in dynamic_notes(e).later for x in _rows_of(e, entry))


def check_adds_up(e: Encounter, entry: Entry, old: DiceRoll | None) -> None:
    """Raise RuleError for faces of a pool that does not simply add up, after a switch that changed it."""
    if old is None or not old.faces or len(set(old.dice)) < len(old.dice):
        shown = f"`total {quote(label(e, entry.key))} {dynamic_notes(e).values[entry.key]}`"
        reason = fill_names(e, "{0} has switched since that roll", entry.key)
        raise RuleError(reason, f"{shown} takes the number that the track shows", "DIS-7")


def roll_formula(e: Encounter, entry: Entry, faces: Sequence[int]) -> str:
    """Return in words how the sum of an entry's pool is calculated from its faces."""
    return _sum_with_others(makings_of(e, entry), entry.key, faces)[1]


def _sum_with_others(made: Makings, key: str, faces: Sequence[int]) -> tuple[int, str, int]:
    """Return the sum of a pool, its formula with the others of the type, and their number that counts."""
    base = pools.sum_faces(made.pool, faces)
    added = min(made.shifts.get(EntryKey(key), 0), made.pool.most - base)
    others = f" + {added} for the others of the type" if added else ""
    return base, pools.sum_formula(made.pool, faces) + others, added


def _rows_of(e: Encounter, entry: Entry) -> list[Entry]:
    """Return the rows for which an entry rolls."""
    return [entry] if entry.key in e.combatants else [x for x in rows(e) if roller_key(e, x.key) == entry.key]


def shown_number(e: Encounter, entry: Entry, faces: Sequence[int]) -> int:
    """Return the number that the first row of a roller gets for these faces."""
    made = makings_of(e, entry)
    return _number_made(
        shown_row(e, entry).key, pools.sum_faces(made.pool, _both_faces(made.pool, faces)), made
    )


def group_shifts(e: Encounter, entry: Entry, mine: Sequence[Entry]) -> dict[EntryKey, int]:
    """Return the points that each row gets for the number of creatures, by key (DIS-20)."""
    group_rule = dis_rule(e, "group")
    if group_rule == "off" or is_declaring(e, entry.key):
        return {x.key: 0 for x in mine}
    counts = {k: max(1, e.combatants[k].number("count", 1)) for k in entry.members}
    if group_rule == "shared":
        return {x.key: sum(counts.values()) - 1 for x in mine}
    so_far, result = 0, {}
    for x in mine:
        so_far += sum(counts.get(k, 0) for k in x.members)
        result[x.key] = so_far - 1
    return result


# --- why


def explain_number(e: Encounter, entry: Entry, taker: Entry) -> Sentence:
    """Return the sentence on how a row's number was rolled, without surprise and switches.

    `taker` is the entry that rolled for the row.
    """
    n = dynamic_notes(e)
    rolled = n.kin.get(entry.key, entry.key)
    surprise = SURPRISE * is_surprised(e, entry)
    own = n.values.get(entry.key, 0) - price_paid(e, entry.key) - surprise
    shortfall = own - n.values.get(rolled, own)
    more = f" + {shortfall} in line" if shortfall > 0 else ""
    clause = "DIS-10" if is_declaring(e, entry.key) else "DIS-19"
    about = (entry.key,) if clause == "DIS-10" else keys_for_viewers(e, taker, entry.key)
    return say(f"{n.sums.get(rolled, 'as before')}{more} = {own}", *about, rule=clause)


def keys_for_viewers(e: Encounter, taker: Entry, key: str = "") -> tuple[str, ...]:
    """Return the key of a row and its type's hidden ids, all of which a viewer of its number must see."""
    return (key or taker.key, *(k for k in taker.members if e.combatants[k].hidden))
