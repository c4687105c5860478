"""Answer what is owed: dice of the app, typed faces and totals, effects; find the rolls that a WHO means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import clean, names_beginning, quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import EffectAsk, FaceNames, RollAsk
from tui.core.fight.combatant import DYING
from tui.core.fight.dice import DiceError
from tui.core.fight.encounter import SIDE, Encounter, key_of, label, members
from tui.core.fight.viewer import fill_names, is_plural
from tui.core.language.actions import Apply, Failed, Made, Roll, Skip, Total
from tui.core.language.select import (
    is_pattern,
    list_names,
    match_name,
    matches_pattern,
    refuse_several,
    resolve,
    split_names,
)
from tui.core.language.syntax import MOST_CALLED
from tui.core.language.values import read_int
from tui.core.rules import effects, health
from tui.core.rules.draft import Draft
from tui.core.rules.effects import effects_due
from tui.core.rules.now import suggest_line
from tui.core.rules.numbers import Roller, roll_amount
from tui.core.rules.optional import (
    Corrections,
    correct_roll,
    correctable_rolls,
    faces_gone,
    refuse_dice,
    why_settled,
)
from tui.core.rules.saving import answer_save, settle_saves, tick_save
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import all_owed, upkeep_rolls

MOST_SETTLINGS = 10_000
"""The most rounds of ties: dice that always show the same face would tie without end."""


def roll_all(d: Draft, system: InitiativeSystem, roller: Roller) -> None:
    """Roll all dice that are due or become due by the rolls, until no roll is due. Raises RuleError."""
    if not _rolls_owed(d.encounter, system) and not effects.effects_due(d.encounter):
        raise RuleError("no roll is due", suggest_line(d.encounter, system), kind="not_due")
    # Ties make new rolls due: with given dice that always tie this would go on for ever.
    for _ in range(MOST_SETTLINGS):
        if first := effects.effects_due(d.encounter):
            apply_effect(d, system, first[0], roller)
            continue
        if mine := upkeep_rolls(d.encounter, system):
            # The rolls are answered one by one, because the result of a save may end other rolls that were
            # owed.
            answer_roll(d, system, mine[0], roll_faces(d.encounter, system, roller, mine[0]), roller.how)
            continue
        asks = _rolls_owed(d.encounter, system)
        if not asks:
            return
        for ask in asks:
            answer_roll(d, system, ask, roll_faces(d.encounter, system, roller, ask), roller.how)
        system.settle(d)
    raise _endless_error()


def _endless_error() -> RuleError:
    return RuleError("these dice would be rolled forever", "use other dice")


def roll_who(d: Draft, system: InitiativeSystem, action: Roll, roller: Roller) -> None:
    """Roll the dice that WHO owes, by the app or with typed faces. Raises RuleError.

    Of several saves of one creature only the first is rolled. If WHO owes nothing, typed faces correct the
    latest roll.
    """
    e = d.encounter
    by = _find_thrower(e, action.who)
    if action.faces:
        _take_all_faces(d, system, action, by)
        return
    wanted, is_owed = _owing_or_rolled(e, system, action.who)
    if not is_owed:
        raise refuse_dice(d, [some[0] for some in wanted])
    for ask in _still_owed(d, system, [x for some in wanted for x in _with_one_save(some)]):
        answer_roll(d, system, ask, roll_faces(d.encounter, system, roller, ask), roller.how, by)


def _take_all_faces(d: Draft, system: InitiativeSystem, action: Roll, by: str) -> None:
    """Take typed faces for what the rollers in WHO owe, and as corrections of what they rolled.

    Raises RuleError.
    """
    named = _rolls_by_name(d.encounter, system, action.who)
    is_owed = {some[0].key: owed for wanted, owed in named for some in wanted}
    asks = [some[0] for wanted, _ in named for some in wanted]
    faces = dict(zip((x.key for x in asks), read_faces(d.encounter, asks, action.faces), strict=True))
    for ask in _still_owed(d, system, [x for x in asks if is_owed[x.key]]):
        answer_roll(d, system, ask, take_faces(d.encounter, system, ask, faces[ask.key]), "table", by)
    for ask in (x for x in asks if not is_owed[x.key]):
        fell = take_faces(d.encounter, system, ask, faces[ask.key])
        correct_roll(d, system, ask, fell, "" if by == ask.who else by)


def dice_for_faces(e: Encounter, system: InitiativeSystem, who: str) -> tuple[tuple[int, ...], bool]:
    """Return the dice that `roll WHO FACES` takes faces for, and whether any of them is owed."""
    try:
        named = _rolls_by_name(e, system, who)
    except RuleError:
        return (), False
    dice = tuple(sides for wanted, _ in named for some in wanted for sides in some[0].dice)
    return dice, any(owed for _, owed in named)


def _rolls_by_name(
    e: Encounter, system: InitiativeSystem, who: str
) -> list[tuple[list[list[RollAsk]], bool]]:
    """Return the rolls of WHO, as `_owing_or_rolled`, name by name if only some of the names owe one."""
    parts = split_names(who)
    try:
        return [_owing_or_rolled(e, system, who)]
    except RuleError as error:
        if error.kind != "not_due" or len(parts) < len("ab"):
            raise
    return [_owing_or_rolled(e, system, part) for part in parts]


def _with_one_save(asks: Sequence[RollAsk]) -> list[RollAsk]:
    """Return the asks of one roller without the second and later saves."""
    saves = [x for x in asks if x.save]
    return [x for x in asks if not x.save or x is saves[0]]


def _still_owed(d: Draft, system: InitiativeSystem, asks: Iterable[RollAsk]) -> Iterator[RollAsk]:
    """Yield each ask, unless an earlier answer has ended it."""
    saved, rollers = False, set[str]()
    for ask in asks:
        # The rolls are looked up again only if some may have ended: for a hundred initiative dice that would
        # be a hundred searches.
        if not (saved or ask.who in rollers) or ask.key in {x.key for x in _rolls_owed(d.encounter, system)}:
            yield ask
        saved = saved or ask.save is not None
        rollers.add(ask.who)


def take_totals(d: Draft, system: InitiativeSystem, action: Total) -> None:
    """Take typed totals, each for the next roll of its roller, or as a correction. Raises RuleError."""
    named = set[str]()
    for who, pairs in groupby(action.totals, key=itemgetter(0)):
        totals, e = [n for _, n in pairs], d.encounter
        wanted, is_owed = _owing_or_rolled(e, system, who)
        if len(wanted) != len(totals) and len(wanted) > 1:
            names = list_names([label(e, asks[0].who) for asks in wanted])
            line = " ".join(["total", quote(who), *(["N"] * len(wanted))])
            raise RuleError(f"total: {who} names {names}", f"`{line}` takes {len(wanted)} totals")
        asks = [some[0] for some in wanted for _ in (totals if len(wanted) == 1 else [0])]
        for ask, n in zip(asks, totals, strict=True):
            if ask.key in named:
                name = label(e, ask.who)
                raise RuleError(f"{name} has two totals", f"`total {quote(name)} {n}`", kind="bad_value")
            named.add(ask.key)
            _take_total(d, system, ask, n, _find_thrower(e, label(e, ask.who)), is_owed=is_owed)


def _take_total(d: Draft, system: InitiativeSystem, ask: RollAsk, n: int, by: str, *, is_owed: bool) -> None:
    """Take a typed total for an owed roll, or as a correction. Raises RuleError."""
    e = d.encounter
    if ask.names:
        line = f"say roll {quote(label(e, ask.who))} and its name, such as {ask.names.such}"
        raise RuleError(f"{ask.names.any} has no total", line, ask.names.rule)
    faces, beyond = _faces_for_total(e, system, ask, n)
    if is_owed:
        _record_total(d, system, ask, n, by, faces, beyond)
        return
    if not beyond and _is_one_face(e, system, ask):
        ask, faces = replace(ask, dice=ask.dice[:1]), faces[:1]
    correct_roll(d, system, ask, faces, "" if by == ask.who else by, n, beyond=bool(beyond))
    _say_beyond(d, ask, n, beyond)


def _owing_or_rolled(e: Encounter, system: InitiativeSystem, who: str) -> tuple[list[list[RollAsk]], bool]:
    """Return the owed rolls of each roller in WHO, and True; without any the correctable rolls, and False."""
    try:
        return _group_by_roller(e, _rolls_owed(e, system), who), True
    except RuleError as error:
        # A side's name is understood only if creatures of that side have rolls to make.
        if error.kind not in ("not_due", "unknown_name"):
            raise
        owes_nothing = error
    try:
        return _group_by_roller(e, correctable_rolls(system, e) if e.running else (), who), False
    except RuleError:
        people, side = _resolve_or_none(e, who), _resolve_or_none(e, SIDE + who)
        if e.running and (people or side) and (reason := why_settled(system, e, (people or side)[0])):
            if not people:
                owes_nothing.reason = fill_names(e, "{0} owes no roll", SIDE + e.combatants[side[0]].side)
            owes_nothing.hint = reason
        raise owes_nothing from None


def _resolve_or_none(e: Encounter, who: str) -> tuple[str, ...]:
    try:
        return resolve(e, who)
    except RuleError:
        return ()


def tick_saves(d: Draft, system: InitiativeSystem, action: Made | Failed) -> None:
    """Answer the first save that each creature owes as made or failed. Raises RuleError."""
    e = d.encounter
    asks = [x for x in _rolls_owed(e, system) if x.ticks]
    if not asks:
        raise RuleError("no save is due", suggest_line(e, system), kind="not_due")
    wanted: dict[str, RollAsk] = {}
    for name in action.names:
        wanted |= {some[0].key: some[0] for some in _group_by_roller(e, asks, name, "save")}
    for ask in _still_owed(d, system, wanted.values()):
        tick_save(d, system, ask, made=isinstance(action, Made))


def _find_thrower(e: Encounter, who: str) -> str:
    """Return the id of the creature with the name WHO; "" for a group or side.

    It may roll for them (UNB-2).
    """
    return next((c.id for c in e.combatants.values() if c.name.lower() == who.lower()), "")


def answer_roll(
    d: Draft, system: InitiativeSystem, ask: RollAsk, faces: tuple[int, ...], source: str, by: str = ""
) -> None:
    """Answer a roll with its faces; `source` as in `Rolled`, `by` is the creature that rolled."""
    d.emit(ev.Rolled(ask.key, ask.who, ask.dice, faces, source, ask.among, "" if by == ask.who else by))
    if not answer_save(d, system, ask, faces):
        system.answer(d, ask, faces)


def _rolls_owed(e: Encounter, system: InitiativeSystem) -> list[RollAsk]:
    return [x for x in all_owed(e, system) if isinstance(x, RollAsk)]


# --- totals from the table


def _record_total(
    d: Draft, system: InitiativeSystem, ask: RollAsk, n: int, by: str, faces: tuple[int, ...], beyond: int
) -> None:
    """Record a typed total: as the face that makes the total, or the total alone for several dice.

    A total that is `beyond` what the dice can give is recorded alone too.
    """
    thrower = "" if by == ask.who else by
    if not beyond and _is_one_face(d.encounter, system, ask):
        d.emit(ev.Rolled(ask.key, ask.who, ask.dice[:1], faces[:1], "table", ask.among, thrower))
        if not answer_save(d, system, ask, faces):
            system.answer(d, ask, faces)
        return
    d.emit(ev.Rolled(ask.key, ask.who, (), (), "table", ask.among, thrower, n))
    if beyond and ask.save:
        tick_save(d, system, ask, made=n >= ask.save.dc)
    elif not answer_save(d, system, ask, faces):
        system.answer_total(d, ask, faces, n)
        if beyond and isinstance(system, Corrections):
            system.overrule(d, ask, n)
    _say_beyond(d, ask, n, beyond)


def _say_beyond(d: Draft, ask: RollAsk, n: int, beyond: int) -> None:
    if beyond:
        than = f"{abs(beyond)} {'more' if beyond > 0 else 'less'} than the dice can give"
        d.announce(f"{{0}} {n}: {than}", ask.who)


def _faces_for_total(
    e: Encounter, system: InitiativeSystem, ask: RollAsk, n: int
) -> tuple[tuple[int, ...], int]:
    """Return faces that give a total, or the nearest one, and how far the total is beyond it.

    Raises RuleError for a total that no faces give, if only they can answer.
    """
    chain, numbers = _totals_by_faces(e, system, ask)
    nearest = min(numbers, key=lambda number: abs(number - n))
    if n != nearest and not may_be_beyond(e, system, ask):
        reach = f"it can roll {min(numbers)} to {max(numbers)}"
        raise RuleError(f"{n} cannot be the total of {label(e, ask.who)}", reach, kind="bad_value")
    return chain[numbers.index(nearest)], n - nearest


def may_be_beyond(e: Encounter, system: InitiativeSystem, ask: RollAsk) -> bool:
    """Return whether a roll takes totals that its dice cannot give: one for the order, or a save."""
    if ask.save:
        return ask.save.cause != DYING
    return isinstance(system, Corrections) and system.takes_any_total(e, ask)


def _totals_by_faces(
    e: Encounter, system: InitiativeSystem, ask: RollAsk
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return faces that reach every possible total of a roll, and those totals."""
    chain = _ascending_faces(ask.dice)
    if _is_one_face(e, system, ask):
        chain = [(face,) * len(ask.dice) for face in range(1, ask.dice[0] + 1)]
    return chain, [_shown_number(e, system, ask, faces) for faces in chain]


def takes_total(e: Encounter, system: InitiativeSystem, ask: RollAsk) -> bool:
    """Return whether an owed roll can be answered with a total; if not, only faces are taken."""
    if ask.names:
        return False
    d, faces = Draft(e, system.all_marks, system.all_phases), (1,) * len(ask.dice)
    try:
        _record_total(d, system, ask, _shown_number(e, system, ask, faces), "", faces, 0)
    except RuleError:
        return False
    return True


def total_bounds(e: Encounter, system: InitiativeSystem, ask: RollAsk) -> tuple[int, int]:
    """Return the least and the highest total that the dice of an owed roll can give."""
    _, numbers = _totals_by_faces(e, system, ask)
    return min(numbers), max(numbers)


def _is_one_face(e: Encounter, system: InitiativeSystem, ask: RollAsk) -> bool:
    """Return whether one face makes the number: a single die, or one that is rolled twice."""
    if len(ask.dice) != 2 or ask.dice[0] != ask.dice[1]:
        return len(ask.dice) == 1
    low, high = (_shown_number(e, system, ask, faces) for faces in ((1, 1), ask.dice))
    return high - low < ask.dice[0]


def _shown_number(e: Encounter, system: InitiativeSystem, ask: RollAsk, faces: tuple[int, ...]) -> int:
    """Return the number that these faces make: the one for the track, or the total against a DC."""
    return sum(faces) + ask.save.bonus if ask.save else system.number_of(e, ask, faces)


def _ascending_faces(dice: Sequence[int]) -> list[tuple[int, ...]]:
    """Return faces from all ones to all highest, raising die after die, so that every total occurs."""
    faces = [1] * len(dice)
    result = [tuple(faces)]
    for at, sides in enumerate(dice):
        for face in range(2, sides + 1):
            faces[at] = face
            result.append(tuple(faces))
    return result


# --- who is meant


def _group_by_roller(
    e: Encounter, asks: Sequence[RollAsk], who: str, verb: str = "roll"
) -> list[list[RollAsk]]:
    """Return the asks of each roller in WHO, in the order of the names.

    Raises RuleError if there are none.
    """
    asks_by_name: dict[str, list[RollAsk]] = {}
    for ask in sorted(asks, key=lambda x: _roster_place(e, x.who)):
        asks_by_name.setdefault(label(e, ask.who), []).append(ask)
    # The whole text is tried first, because a name may hold a star.
    exact = [n for n in asks_by_name if n.lower() == who.lower()]
    parts = [who] if exact else split_names(who)
    names = dict.fromkeys(n for part in parts for n in _named_rollers(e, asks_by_name, part, verb))
    if not names:
        raise RuleError("nobody is named", _still_to_roll(list(asks_by_name), verb))
    return [asks_by_name[n] for n in names]


def _roster_place(e: Encounter, key: str) -> int:
    """Return the roster index of a roller; a group or side has that of its first member."""
    ids = list(e.combatants)
    return min((ids.index(c.id) for c in members(e, key)), default=-1)


def _named_rollers(e: Encounter, asks_by_name: dict[str, list[RollAsk]], part: str, verb: str) -> list[str]:
    """Return the rollers of a part of WHO: by name, or as rows and sides of creatures. Raises RuleError."""
    names = list(asks_by_name)
    if is_pattern(part) and part not in asks_by_name:
        result = [n for n in names if matches_pattern(part, n)]
    elif part.startswith(SIDE):
        inside = {label(e, k) for k in resolve(e, part)} | {part[1:]}
        result = [n for n in names if n in inside]
    else:
        result = names_beginning(part, names)
        if len(result) > 1:
            raise refuse_several(part, result)
    # A group that rolls as one may have members who owe saves: those saves come first.
    people = [c for c in e.combatants.values() if result and c.group == result[0]]
    if not result:
        people = [e.combatants[i] for i in resolve(e, part)]
    own = [c.name for c in people if any(x.save for x in asks_by_name.get(c.name, ()))]
    if result and not own:
        return result
    if own or (own := [c.name for c in people if c.name in asks_by_name]):
        return [n for n in names if n in own]
    keys = {n for c in people for n in (label(e, key_of(c)), c.side)}
    if result := [n for n in names if n in keys]:
        return result
    owe = "owes" if len(people) == 1 else "owe"
    message = f"{list_names([c.name for c in people])} {owe} no {verb}"
    raise RuleError(message, _still_to_roll(names, verb), kind="not_due")


def _still_to_roll(names: Sequence[str], action: str = "roll") -> str:
    if not names:
        return ""
    act, verb = ("roll", "roll") if action == "roll" else ("save", "made")
    return f"still to {act}: {list_names([quote(n) for n in names])}: `{verb} {quote(names[0])}`"


# --- faces

MOST_DRAWS = 10_000
"""The most rolls for one face, if each rolled face is gone."""


def roll_faces(e: Encounter, system: InitiativeSystem, roller: Roller, ask: RollAsk) -> tuple[int, ...]:
    """Return the faces of a roll by the app; a face that is gone is rolled again. Raises RuleError."""
    gone_faces = faces_gone(system, e, ask)
    try:
        return tuple(_roll_face(roller, sides, ask, gone_faces) for sides in ask.dice)
    except DiceError as error:
        raise RuleError(str(error)) from None


def _roll_face(roller: Roller, sides: int, ask: RollAsk, gone_faces: Collection[int]) -> int:
    for _ in range(MOST_DRAWS):
        face = roller.dice.roll(sides)
        if face not in gone_faces:
            return face
        if roller.how != "app":
            raise _gone_error(ask, face)
    raise _endless_error()


def take_faces(e: Encounter, system: InitiativeSystem, ask: RollAsk, faces: Sequence[int]) -> tuple[int, ...]:
    """Return typed faces; for one that is gone another of its name. Raises RuleError if there is none."""
    gone_faces = faces_gone(system, e, ask)
    return tuple(_take_face(ask, face, gone_faces) for face in faces)


def _take_face(ask: RollAsk, face: int, gone_faces: Collection[int]) -> int:
    if face not in gone_faces:
        return face
    same = ask.names.meant(ask.names.name(face)) if ask.names else ()
    other = next((x for x in same if x not in gone_faces), None)
    if other is None:
        raise _gone_error(ask, face)
    return other


def _gone_error(ask: RollAsk, face: int) -> RuleError:
    name, rule = (ask.names.name(face), ask.names.rule) if ask.names else (str(face), ask.why.rule)
    return RuleError(f"{name} is gone", "type another, or let the app deal", rule)


def read_faces(e: Encounter, asks: Sequence[RollAsk], words: Sequence[int | str]) -> list[tuple[int, ...]]:
    """Return the faces of each roll. Raises RuleError for too few, too many, or one that its die lacks."""
    owes = ", ".join(_owes_text(e, x) for x in asks)
    needed = sum(len(x.dice) for x in asks)
    if len(words) != needed:
        dice = {sides for x in asks for sides in x.dice}
        numbers = [f for f in words if isinstance(f, int)]
        # `71` for two d6 is a slip of the finger, not a missing face.
        wrong = next((f for f in numbers if not 1 <= f <= max(dice)), None) if len(dice) == 1 else None
        if wrong is not None:
            raise RuleError(f"{wrong} is not on a d{max(dice)}", owes)
        one = next((x.names.one for x in asks if x.names), "face")
        raise RuleError(owes, f"give {needed} {one}{'s' * (needed > 1)}, not {len(words)}")
    result, at = [], 0
    for ask in asks:
        mine = words[at : at + len(ask.dice)]
        at += len(ask.dice)
        each = zip(mine, ask.dice, strict=True)
        result.append(tuple(_read_face(word, sides, ask.names, owes) for word, sides in each))
    return result


def _read_face(word: int | str, sides: int, names: FaceNames | None, owes: str) -> int:
    """Return the face of a word; on a die with names, a number is a face unless a name begins with it."""
    if names and not (isinstance(word, int) and 1 <= word <= sides and not names.begins(str(word))):
        if meant := names.meant(str(word)):
            return meant[0]
        verb = f'"{clean(str(word), 24)}" is not {names.any}'
        raise RuleError(verb, f"such as {names.such}", kind="bad_value")
    face = word if isinstance(word, int) else read_int(word, "roll: a face", -MOST_CALLED, MOST_CALLED)
    if not 1 <= face <= sides:
        raise RuleError(f"{face} is not on a d{sides}", owes)
    return face


def _owes_text(e: Encounter, ask: RollAsk) -> str:
    verb = "owe" if is_plural(e, ask.who) else "owes"
    dice = ask.names.any if ask.names else " ".join(f"d{s}" for s in ask.dice)
    return f"{label(e, ask.who)} {verb} {dice}"


_SCALES = ("/2", "*2")
"""The amounts that scale the effect's own dice, such as `/2` after a made save."""


def answer_effects(d: Draft, system: InitiativeSystem, action: Apply | Skip, roller: Roller) -> None:
    """Run `apply` or `skip` for the effects that WHO owes. Raises RuleError."""
    asks = _named_effects(d.encounter, action)
    points = action.amount if isinstance(action, Apply) else ""
    if points and len(asks) > 1:
        names = list_names([x.name for x in asks])
        raise RuleError(f"apply: {points} is for one effect, not {names}", "a line for each of them")
    for ask in asks:
        # An earlier effect of the same list may have ended this one.
        if ask in effects_due(d.encounter):
            if isinstance(action, Apply):
                apply_effect(d, system, ask, roller, points)
            else:
                d.emit(ev.EffectSettled(ask.who, _effect_number(ask), applied=False))


def apply_effect(
    d: Draft, system: InitiativeSystem, ask: EffectAsk, roller: Roller, amount: str = ""
) -> None:
    """Deal the damage or healing of an effect; `amount` replaces its dice, or scales them (`/2`, `*2`)."""
    d.emit(ev.EffectSettled(ask.who, _effect_number(ask)))
    own = ask.damage or ask.heal
    spelt = f"{own}{amount}" if amount in _SCALES else amount or own
    points = roll_amount(d, roller, spelt, "apply", "effect")
    if ask.damage:
        health.take_damage(d, system, ask.who, health.damage_taken(d, ask.who, points, ask.type))
    elif d.encounter.combatants[ask.who].hp is None:
        d.announce("{0} has no hit points to heal", ask.who)
    else:
        health.heal(d, ask.who, points)
    settle_saves(d, system)


def _effect_number(ask: EffectAsk) -> int:
    return int(ask.key.rpartition(" ")[2])


def _named_effects(e: Encounter, action: Apply | Skip) -> Sequence[EffectAsk]:
    """Return the effects that WHO owes, or only those of the given name. Raises RuleError."""
    ids = resolve(e, action.who)
    asks = [x for x in effects_due(e) if x.who in ids]
    if not asks:
        raise RuleError(f"no effect of {action.who} is due", kind="not_due")
    if not action.name:
        return asks
    names = list(dict.fromkeys(x.name for x in asks))
    if action.name.isdecimal() and action.name not in names:
        line = f"`apply {quote(action.who)} {quote(names[0])} {action.name}`"
        raise RuleError(f"an amount comes after the name of an effect, not {action.name} alone", line)
    name = match_name(action.name, names, f"effect of {action.who}")
    return [x for x in asks if x.name == name]
