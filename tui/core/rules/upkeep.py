"""Handle the duties of a turn besides initiative: death saves, recharges, counters; hold the house rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import clean, clean_name, quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, EffectAsk, Field, RollAsk, Sentence, literal
from tui.core.fight.combatant import DEATH_SAVE_DC, Combatant, Counted, Dying, Plain, is_pc
from tui.core.fight.dice import MOST_SIDES
from tui.core.fight.encounter import Encounter, has_arrived, to_act
from tui.core.language.creature_actions import Tally
from tui.core.language.select import resolve_standing
from tui.core.rules import effects, saving_throws
from tui.core.rules.draft import Draft, finish_turn, hand_on_turn, has_members
from tui.core.rules.numbers import Roller, roll_count
from tui.core.rules.system import InitiativeSystem, due_of, end_turn

MOST_COUNTERS = 20
MOST_COUNT = 9_999
_EDGES = ("turn", "round", "short", "long", "never")
_DIE = r"([1-9][0-9]?)?d([1-9][0-9]{0,3})>=([1-9][0-9]{0,4})"


def change_counter(d: Draft, action: Tally, roller: Roller, *, quiet: bool = False) -> None:
    """Make, spend, fill or change a counter of each creature in WHO. Raises RuleError.

    With `quiet` the log is silent about the change.
    """
    name = clean_name(action.counter)
    if not name:
        raise RuleError("a counter needs a name")
    most = roll_count(d, roller, action.max, "max=", 1, MOST_COUNT) if action.max else None
    reset = _read_reset(action.reset) if action.reset else None
    sign = action.amount[:1] if action.amount[:1] in ("+", "-") else ""
    n = None
    if action.amount:
        n = roll_count(d, roller, _without_sign(action.amount, sign), "count", 0, MOST_COUNT)
    for k in resolve_standing(d.encounter, action.who):
        c = d.encounter.combatants[k]
        old = find_counter(c, name)
        new = _change_limits(c, old, most, reset) if old else _make_counter(c, name, n, most, reset, sign)
        if n is not None and old:
            new = replace(new, n=_new_count(c, new, sign, n))
        elif old and most is None and reset is None:
            line = f"`count {quote(c.name)} {quote(old.name)} -1`"
            raise RuleError(f"count: {c.name} has {_left_text(old)}", line)
        if new != old:
            d.emit(ev.Tallied(k, new, quiet=quiet))


def _without_sign(amount: str, sign: str) -> str:
    """Return an amount without its sign. Raises RuleError for two signs."""
    text = amount.removeprefix(sign)
    if sign and text[:1] in ("+", "-"):
        raise RuleError(f"count: {clean(amount, 24)} has two signs", "one of them, such as -1")
    return text


def find_counter(c: Combatant, name: str) -> Counted | None:
    """Return the counter with that name, or the only one that begins with it, or None."""
    low = name.lower()
    begun = [x for x in c.counters if x.name.lower().startswith(low)]
    exact = [x for x in begun if x.name.lower() == low]
    return exact[0] if exact else begun[0] if len(begun) == 1 else None


def write_counter(x: Counted, *, full: bool) -> str:
    """Return the words of `count` after WHO that give a creature this counter; with `full` unspent."""
    n = x.most if full and x.most else x.n
    reset = "" if x.reset == "never" else x.reset
    return words_after_who(Tally.syntax.write(Tally("", x.name, str(n), str(x.most or ""), reset)))


def words_after_who(line: str) -> str:
    """Return the words after WHO of a line with an empty WHO."""
    return line.split(" ", 2)[2]


def _make_counter(
    c: Combatant, name: str, n: int | None, most: int | None, reset: str | None, sign: str
) -> Counted:
    if len(c.counters) >= MOST_COUNTERS:
        raise RuleError(f"{c.name} has {MOST_COUNTERS} counters already")
    if sign == "-" or (n is None and most is None):
        line = f"`count {quote(c.name)} {quote(name)} 3 reset=turn`"
        raise RuleError(f"{c.name} has no counter {name}", line, kind="unknown_name")
    most = most or (n if reset not in (None, "never") and n else 0) or 0
    return _check_limits(c, Counted(name, most if n is None else n, most, reset or "never"))


def _change_limits(c: Combatant, old: Counted, most: int | None, reset: str | None) -> Counted:
    new = replace(old, most=old.most if most is None else most, reset=reset or old.reset)
    n = min(new.n, new.most) if new.most else new.n
    return _check_limits(c, replace(new, n=n, owes=new.owes and reset is None))


def _new_count(c: Combatant, x: Counted, sign: str, n: int) -> int:
    """Return the count after `N`, `+N` or `-N`: at least 0, at most the maximum. Raises RuleError."""
    if sign == "-":
        if n > x.n:
            line = f"`count {quote(c.name)} {quote(x.name)} +1` restores one"
            raise RuleError(f"{c.name} has {_left_text(x)}", line)
        return x.n - n
    if sign == "+":
        return min(x.n + n, x.most or MOST_COUNT)
    return _check_limits(c, replace(x, n=n)).n


def _check_limits(c: Combatant, x: Counted) -> Counted:
    """Return the counter. Raises RuleError for more than its maximum, and for a reset without one."""
    if x.reset != "never" and not x.most:
        raise RuleError(f"reset={x.reset} needs max=, the number that is restored", f"{c.name}: max=N")
    if x.most and x.n > x.most:
        raise RuleError(f"{x.n} {x.name} are more than the {x.most} of {c.name}", f"max={x.n} raises it")
    return x


def _left_text(x: Counted) -> str:
    return f"{x.n} of {x.most} {x.name} left" if x.most else f"{x.n} {x.name}"


def _read_reset(text: str) -> str:
    """Return a reset word, or a die and what it must reach. Raises RuleError."""
    low = text.lower().replace(" ", "")
    if low in _EDGES:
        return low
    dice = recharge_dice(low)
    if dice and sum(dice[0]) < dice[1]:
        most = sum(dice[0])
        line = f"`reset={low.partition('>')[0]}>={most}`"
        raise RuleError(f"reset={text} cannot be rolled: {most} is the most", line, kind="bad_value")
    if dice is None:
        message = f"reset= takes turn, round, short, long, never or a die, not {text}"
        raise RuleError(message, "`reset=1d6>=5`", kind="bad_value")
    return f"{len(dice[0])}d{dice[0][0]}>={dice[1]}"


def recharge_dice(reset: str) -> tuple[tuple[int, ...], int] | None:
    """Return the dice that restore a counter and the total that they must reach; None for a reset word."""
    m = re.fullmatch(_DIE, reset)
    if m is None or int(m[2]) > MOST_SIDES:
        return None
    return (int(m[2]),) * int(m[1] or 1), int(m[3])


def apply_recharge(d: Draft, who: str, name: str, faces: tuple[int, ...]) -> None:
    """Apply the dice of a recharge: fill the counter, or leave it as it is and announce that."""
    x = find_counter(d.encounter.combatants[who], name)
    dice = recharge_dice(x.reset) if x else None
    if x is None or dice is None:
        return
    back = sum(faces) >= dice[1]
    d.emit(ev.Tallied(who, replace(x, n=x.most if back else x.n, owes=False), quiet=not back))
    if not back:
        d.announce(f"{{0}}: {literal(x.name)} is not restored", who, own=True)


RECHARGE = "recharge "
UPKEEP = ("death ", saving_throws.SAVE, RECHARGE)
"""The first words of the purposes of death saves, saves and recharges; `death` is in journals before 1.0."""


def all_owed(e: Encounter, system: InitiativeSystem) -> tuple[Ask, ...]:
    """Return all asks that hold up play: effects, saves, recharges, then those of the system."""
    return (*upkeep_debts(e, system), *due_of(e, system))


def upkeep_debts(e: Encounter, system: InitiativeSystem) -> tuple[EffectAsk | RollAsk, ...]:
    """Return the effects that are due, then saves and recharges."""
    return (*effects.effects_due(e), *upkeep_rolls(e, system))


def upkeep_rolls(e: Encounter, system: InitiativeSystem) -> tuple[RollAsk, ...]:
    """Return the saves that are due, also outside a fight, and the recharges of the running turn."""
    saves = (saving_throws.ask_save(c, x) for c, x in saving_throws.saves_due(e))
    return (*saves, *_recharges(e, system))


def _recharges(e: Encounter, system: InitiativeSystem) -> Iterator[RollAsk]:
    """Yield the asks for the dice that restore counters; of all creatures if upkeep comes with the round."""
    if not e.running:
        return
    acting = e.actors
    together = system.upkeep_edges == "round"
    for c in e.combatants.values():
        if c.out or not c.counters or not (together or c.id in acting):
            continue
        for x in c.counters:
            if x.owes and (dice := recharge_dice(x.reset)):
                text = f"{{0}}: {literal(x.name)} is restored with {dice[1]} or more"
                yield RollAsk(f"{RECHARGE}{c.id} {x.name}", c.id, dice[0], Sentence(text, (c.id,), own=True))


SAVES_NEEDED = 3
"""The number of made death saves that make a creature stable, and of failed ones that kill it."""
REVIVES, WORST = 20, 1
_STABLE, _DEAD = "stable", "dead"
_WORDS = r"([0-2]) made, ([0-2]) failed"


def write_dying(c: Combatant) -> str:
    """Return the death saves in words: `1 made, 2 failed`, `stable`, `dead`; "" for a creature not dying."""
    if c.dead or c.dying is None:
        return _DEAD if c.dead else ""
    return _STABLE if c.dying.stable else f"{c.dying.good} made, {c.dying.bad} failed"


def read_dying(words: str) -> Dying | None:
    """Return the death saves of those words; None if it is dead. Raises RuleError."""
    if words == _DEAD:
        return None
    if words == _STABLE:
        return Dying(stable=True)
    if match := re.fullmatch(_WORDS, words):
        return Dying(int(match[1]), int(match[2]))
    hint = '"1 made, 2 failed", up to 2 of each, "stable" or "dead"'
    raise RuleError(f'"{words}" is not a count of death saves', hint)


def restore_dying(d: Draft, who: str, words: str) -> None:
    """Give a creature from a file its death saves, unless the house rule for 0 is not `dying`."""
    c, dying = d.encounter.combatants[who], read_dying(words)
    if dying is None:
        d.emit(ev.Died(who))
        d.emit(ev.WentOut(who))
    elif c.hp == 0 and zero_rule(d.encounter, c) == "dying":
        d.emit(ev.DeathSaves(who, dying.good, dying.bad, dying.stable))


def start_dying(d: Draft, who: str) -> None:
    """Make a creature at 0 hit points dying, and announce that."""
    d.emit(ev.DeathSaves(who))
    d.announce("{0} is dying", who)


def stabilise(d: Draft, who: str) -> None:
    """Make a dying creature stable without three made saves, and announce that."""
    d.emit(ev.DeathSaves(who, stable=True))
    d.announce("{0} is stable", who)


def fail_by_damage(d: Draft, c: Combatant, dying: Dying) -> bool:
    """Count damage as a failed death save; return whether it kills."""
    return _set_death_saves(d, c.id, dying.good if not dying.stable else 0, dying.bad + 1, owes=dying.owes)


def apply_death_save(d: Draft, who: str, face: int) -> bool:
    """Apply the die of a death save; return whether the creature dies."""
    dying = d.encounter.combatants[who].dying or Dying()
    if face == REVIVES:
        d.emit(ev.Healed(who, 1, 1))
        d.announce("{0} is up again", who)
        return False
    if face >= DEATH_SAVE_DC:
        return tick_death_save(d, who, made=True)
    return _set_death_saves(d, who, dying.good, dying.bad + (2 if face == WORST else 1))


def tick_death_save(d: Draft, who: str, *, made: bool) -> bool:
    """Apply one made or failed death save; return whether the creature dies."""
    dying = d.encounter.combatants[who].dying or Dying()
    return _set_death_saves(d, who, dying.good + made, dying.bad + (not made))


def _set_death_saves(d: Draft, who: str, good: int, bad: int, *, owes: bool = False) -> bool:
    if bad >= SAVES_NEEDED:
        d.emit(ev.DeathSaves(who, over=True))
        d.announce("{0} has failed three death saves and dies", who)
        d.emit(ev.Died(who))
        return True
    stable = good >= SAVES_NEEDED
    d.emit(ev.DeathSaves(who, 0 if stable else good, 0 if stable else bad, stable, owes))
    d.announce("{0} is stable" if stable else f"{{0}}: {good} of 3 successes, {bad} of 3 failures", who)
    return False


_ZERO_RULES = ("nothing", "out", "dying")
_ZERO_HELP = "nothing: they go on; out: they are out; dying: they make death saves"
ZERO_OPTIONS = (
    Field("zero.pc", "0 hit points of players' characters", "choice", _ZERO_RULES, "nothing", _ZERO_HELP),
    Field("zero.npc", "0 hit points of allies and others", "choice", _ZERO_RULES, "nothing", _ZERO_HELP),
    Field("zero.monster", "0 hit points of monsters", "choice", _ZERO_RULES, "nothing", _ZERO_HELP),
    Field("zero.massive", "massive damage", "choice", ("none", "dead"), "none",
          "none: never kills; dead: kills if the damage beyond 0 is the maximum or more"),
)  # fmt: skip
"""The house rules for 0 hit points."""
COMMON_OPTIONS = (
    *ZERO_OPTIONS,
    Field("concentration.dc", "damage and concentration", "choice", ("damage", "none"), "damage",
          "damage: DC 10, or half the damage if that is more; none: no save"),
    Field("view.health", "hit points that others see", "choice", ("word", "none", "numbers"), "word",
          "word: a word such as bloodied; none: nothing; numbers: the numbers"),
    Field("view.order", "creatures of other sides that players see", "choice", ("all", "acted", "none"),
        "all",
        "all: everybody; acted: creatures that have had a turn; none: only the one that acts, and no places"),
    Field("view.ac", "players see others' armour class", "bool", default=False),
    Field("players.points", "points that players change on their page", "choice", ("none", "own"), "none",
          "own: hit points, temporary points and counters of their own creatures; none: nothing"),
    Field("view.dc", "players read the DC of their own saves", "bool", default=True),
    Field("group.same", "creatures added together form one group", "bool", default=False),
    Field("library.hp", "hit points from the library", "choice", ("average", "rolled"), "average",
          "average: as the stat block says; rolled: by its dice"),
    Field("xp", "difficulty of fights", "choice", ("2024", "2014"), "2024",
          "2024: a budget of points; 2014: thresholds, and points multiplied by the number of foes"),
    Field("library.box", "creatures in the box", "choice", ("5.2.1", "5.1", "none"), "none",
          "5.2.1, 5.1: the edition of the System Reference Document that `add` searches first; none: no box"),
)  # fmt: skip
_DEFAULTS = {f.key: f.default for f in COMMON_OPTIONS}


_NEW_D20_FIGHTS = {
    "zero.pc": "dying", "zero.npc": "dying", "zero.monster": "out", "library.box": "5.2.1",
}  # fmt: skip
"""Common house rules of new fights in d20 systems; a header without them means what it meant in 1.1."""


def rules_of_new_fights(system: InitiativeSystem) -> dict[str, Plain]:
    """Return the house rules that a new fight of a system has unless somebody chooses others."""
    return {**_NEW_D20_FIGHTS, **system.new_options} if system.is_d20 else {**system.new_options}


def house_rule(e: Encounter, key: str) -> Plain:
    """Return the value of a common house rule, or its default if it is not set."""
    return e.options.get(key, _DEFAULTS[key])


def zero_option(c: Combatant) -> str:
    """Return the name of the house rule for a creature at 0 hit points."""
    return "zero.pc" if is_pc(c) else "zero.npc" if c.word("kind") == "npc" else "zero.monster"


def zero_rule(e: Encounter, c: Combatant) -> str:
    """Return the effect of 0 hit points on a creature by the house rules: `nothing`, `out` or `dying`."""
    return str(house_rule(e, zero_option(c)))


def react_to_leaving(d: Draft, system: InitiativeSystem, who: tuple[str, ...]) -> None:
    """End turns without a member left, and let the system react to creatures that left."""
    if d.encounter.running:
        end_empty_turns(d, system)
        system.left(d, who)


def end_empty_turns(d: Draft, system: InitiativeSystem) -> None:
    """End a turn, running or interrupted, whose members are all out or removed."""
    # The turns that wait are checked first: one that is over must not resume when the running turn ends.
    for waiting in d.encounter.paused:
        if not has_members(d.encounter, waiting):
            finish_turn(d, waiting, edges=system.turn_edges == "turn")
    turn = d.encounter.turn
    if turn and not has_members(d.encounter, turn):
        end_turn(d, system)


def take_out(d: Draft, system: InitiativeSystem, who: tuple[str, ...]) -> None:
    """Take creatures out, and end turns without a member left."""
    d.emit(*(ev.WentOut(k) for k in who))
    react_to_leaving(d, system, who)


def react_to_returning(d: Draft, system: InitiativeSystem, who: tuple[str, ...]) -> None:
    """Let the system react to creatures that came back; those whose entry acts now act in its turn."""
    # A creature that arrives in a later round comes back to waiting for it.
    here = tuple(k for k in who if has_arrived(d.encounter, d.encounter.combatants[k]))
    if not d.encounter.running or not here:
        return
    system.joined(d, here)
    for turn in d.encounter.turns:
        busy = d.encounter.busy
        row = next((x for x in system.entries(d.encounter) if x.key == turn.who), None)
        mine = [k for k in here if row and k in row.members and k not in busy]
        if joining := [c.id for c in to_act(d.encounter.combatants[k] for k in mine)]:
            edges = system.turn_edges == "turn"
            hand_on_turn(d, turn, turn.who, joining, edges=edges, upkeep=system.upkeep_edges == "turn")
