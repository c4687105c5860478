"""Who acts when, read off fights that the rules play on: every way the dice may fall, or many ways at random.

A turn is counted when its creatures act, never where their row stands. Play goes on to the end of the round;
a creature that may act in it but does not (a side whose turn was taken away) is counted with the next turn it
gets, as long as no dice or orders for a new order come before it. A creature that has had the turn of this
round and gets no other is not listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from math import perm

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.agenda import AcknowledgeAsk, Act, Ask, PickAsk, RollAsk
from tui.core.fight.encounter import Encounter, side_of
from tui.core.odds.race import Forecasting, Race
from tui.core.odds.spread import Forecast, Standing, shared
from tui.core.odds.standings import Random, exact, order, sampled
from tui.core.rules.decide import drafted
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller
from tui.core.rules.play import answer_roll, roll_all
from tui.core.rules.system import InitiativeSystem, end_turn
from tui.core.rules.upkeep import owed, upkeep

MOST_STEPS = 6_000
"""Steps of the rules in one exact answer, some seconds; a fight that needs more is played at random."""

MOST_WAYS = 1_000
"""Ways in which one roll or one choice may fall; of more the fight is played at random."""

MOST_TURNS = 5_000
"""Steps of one fight that is played at random."""

FREE_CHOICE = "whoever may choose takes each as often as another, and nobody passes"


class Moment(Struct, frozen=True):
    """A moment of a fight: the turns taken since the start (keys), and the creatures who had them (ids)."""

    encounter: Encounter
    turns: tuple[str, ...] = ()
    acted: frozenset[str] = frozenset()


class TooManyWays(Exception):  # noqa: N818  # no error: the answer is found in another way
    """The fight may go on in more ways than are gone through one by one."""


class Played(Struct, frozen=True):
    """The forecast by entry; `race` of a formula that holds for all of it; `chosen`: people chose.

    `people`: by entry, the ids of those who act in it; `given`: what formulas took for granted, in words.
    """

    forecast: Forecast
    race: Race | None = None
    people: dict[str, tuple[str, ...]] = {}
    chosen: bool = False
    given: tuple[str, ...] = ()


class _Watch:
    """What was seen of the turns, as chances.

    A turn is counted by the set of turns before it, because its place is known only when all who act are
    known.
    """

    def __init__(self) -> None:
        self.turns: dict[tuple[frozenset[str], str], float] = {}
        self.formulas: list[tuple[float, frozenset[str], Forecast]] = []
        self.listed: dict[str, None] = {}
        self.sides: dict[str, str] = {}
        self.people: dict[str, dict[str, None]] = {}
        self.given: dict[str, None] = {}
        self.chosen = False

    def began(self, m: Moment, chance: float, *, in_round: bool) -> Moment:
        """Count the running turn, if anybody in it has not acted since the start; the moment then."""
        turn = m.encounter.turn
        return self.took(m, turn.who, turn.members, chance, in_round=in_round) if turn else m

    def took(self, m: Moment, key: str, members: tuple[str, ...], chance: float, *, in_round: bool) -> Moment:
        """Count a turn of these creatures, if any of them has not acted since the start; the moment then."""
        if m.acted.issuperset(members):
            return m
        if key in m.turns:
            # A group whose newcomers cut in: the others of it have a turn of their own.
            key = next(k for k in members if k not in m.acted)
        before = frozenset(m.turns)
        self.turns[before, key] = self.turns.get((before, key), 0.0) + chance
        self.sides.setdefault(key, side_of(m.encounter, key))
        self.people.setdefault(key, {}).update(dict.fromkeys(members))
        if in_round:
            self.listed.setdefault(key)
        return Moment(m.encounter, (*m.turns, key), m.acted | set(members))

    def formula(
        self, m: Moment, chance: float, race: Race, forecast: Forecast, entries: dict[str, tuple[str, ...]]
    ) -> None:
        """Count what a formula says of the rest of a fight."""
        self.given.update(dict.fromkeys(race.given))
        self.formulas.append((chance, frozenset(m.turns), forecast))
        for key in forecast.rows:
            self.listed.setdefault(key)
            self.sides.setdefault(key, side_of(m.encounter, key))
            self.people.setdefault(key, {}).update(dict.fromkeys(entries.get(key, (key,))))

    def played(self, runs: int, race: Race | None = None) -> Played:
        """Return all that was seen."""
        people = {key: tuple(values) for key, values in self.people.items()}
        return Played(self._forecast(runs), race, people, self.chosen, tuple(self.given))

    def _forecast(self, runs: int) -> Forecast:
        """Return all that was seen, as the standing of every entry that acts."""
        most = len(self.listed)
        places = {key: [0.0] * most for key in self.listed}
        first = dict.fromkeys(self.listed, 0.0)
        for (before, key), chance in self.turns.items():
            if key in places:
                ahead = [k for k in before if k in places]
                places[key][len(ahead)] += chance
                first[key] += chance * all(self.sides[k] == self.sides[key] for k in ahead)
        for chance, before, forecast in self.formulas:
            for key, standing in forecast.rows.items():
                for place, p in enumerate(standing.places):
                    if p and place + len(before) < most:
                        places[key][place + len(before)] += chance * p
                if all(self.sides[k] == self.sides[key] for k in before):
                    first[key] += chance * standing.before
        rows = {key: Standing(tuple(places[key]), first[key]) for key in self.listed}
        return Forecast({k: s for k, s in rows.items() if s.acts > 0}, runs)


# --- one step


def _answer(
    e: Encounter, system: InitiativeSystem, ask: Ask, answer: Sequence[int] | Sequence[str]
) -> Encounter:
    """Return the fight after an answer."""

    def write(d: Draft, system: InitiativeSystem) -> None:
        if isinstance(ask, RollAsk):
            answer_roll(d, system, ask, tuple(int(x) for x in answer), "app")
        else:
            system.answer(d, ask, tuple(answer))

    return drafted(e, system, write).encounter


def _ended(e: Encounter, system: InitiativeSystem) -> Encounter:
    """End the running turn, and return the fight then."""
    return drafted(e, system, end_turn).encounter


def _took(e: Encounter, system: InitiativeSystem, act: Act) -> Encounter:
    """Take an offered act, and return the fight then."""
    return drafted(e, system, lambda d, s: s.took(d, act)).encounter


def _rolled(e: Encounter, system: InitiativeSystem, random: Random) -> Encounter:
    """Roll all dice that are due or become due by them, and return the fight then."""
    roller = Roller(ChanceDice(random), "app")
    return drafted(e, system, lambda d, s: roll_all(d, s, roller)).encounter


class ChanceDice:
    """Dice out of a source of chance."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def roll(self, sides: int) -> int:
        """Return one face, 1 to `sides`."""
        return int(self._random() * sides) + 1


def _asks(e: Encounter, system: InitiativeSystem) -> tuple[Ask, ...]:
    """Return what is due before anybody acts: an acting creature's own saves change no order."""
    return system.due(e) if e.turn else owed(e, system)


def _acts(e: Encounter, system: InitiativeSystem) -> tuple[Act, ...]:
    """Return what may be done now; a pass only where nothing else may be."""
    acts = system.offer(e).acts
    return tuple(a for a in acts if a.kind != "pass") or acts


def _stopped(before: Encounter, after: Encounter) -> bool:
    return after.round != before.round or not after.running


def _by_rows(m: Moment, system: InitiativeSystem, watch: _Watch, chance: float) -> None:
    """Count the rows of a system that knows an order but no turns: nothing else says who would act."""
    if m.turns or not m.encounter.running or system.offer(m.encounter).acts:
        return
    for row in system.rows(m.encounter):
        m = watch.took(m, row.entry, row.members, chance, in_round=True)


# --- every way


class Walk:
    """All ways in which a fight may go on, each with its chance. Ways that lead to the same state are one."""

    def __init__(self, system: InitiativeSystem, random: Random) -> None:
        self._system, self._random = system, random
        self._steps = 0
        self._watch = _Watch()
        self._runs = 0
        self._told: list[tuple[float, Moment]] = []
        self.race: Race | None = None

    def saved(self, e: Encounter) -> list[tuple[float, Encounter]]:
        """Return every way in which the saves and recharges that are owed may fall. Raises TooManyWays."""
        over, layer = list[tuple[float, Encounter]](), [(1.0, Moment(e))]
        while layer:
            pairs = []
            for chance, m in layer:
                asks = upkeep(m.encounter, self._system)
                if not asks:
                    over.append((chance, m.encounter))
                    continue
                for p, faces in self._answers(m.encounter, asks[0]):
                    self._count()
                    after = _answer(m.encounter, self._system, asks[0], faces)
                    pairs.append((chance * p, replace(m, encounter=after)))
            layer = self._merged(pairs)
        return over

    def all(self, starts: Iterable[tuple[float, Encounter]]) -> Played:
        """Return the forecast of a fight that goes on from one of these states. Raises TooManyWays."""
        over = self._through(((chance, Moment(e)) for chance, e in starts), in_round=True)
        for chance, m in over:
            _by_rows(m, self._system, self._watch, chance)
        # A formula tells a round where it stands, and says itself what it takes for granted: the round is
        # played to its end before the next begins.
        chosen = self._watch.chosen
        over += self._through([(p, m) for p, m in self._told if self._missing(m)], in_round=True)
        self._watch.chosen = chosen
        late = [(p, m) for p, m in over if self._missing(m)]
        opened = ((p, q, m, after) for p, m in late for q, after in self._opened(m))
        self._through([(p * q, replace(m, encounter=after)) for p, q, m, after in opened], in_round=False)
        return self._watch.played(self._runs, self.race)

    def _missing(self, m: Moment) -> bool:
        """Return whether someone who may act in this round has not, and is still in play."""
        waiting = [k for k in self._watch.listed if k not in m.turns]
        present = {c.id for c in self._system.in_play(m.encounter)}
        return any(present.intersection(self._watch.people[k]) - m.acted for k in waiting)

    def _opened(self, m: Moment) -> Iterator[tuple[float, Encounter]]:
        """Return the next round, as far as it needs no dice and no orders."""
        due = self._system.due(m.encounter)
        for act in () if due else _acts(m.encounter, self._system)[:1]:
            after = _took(m.encounter, self._system, act)
            if not self._system.due(after):
                yield 1.0, after

    def _through(
        self, start: Iterable[tuple[float, Moment]], *, in_round: bool
    ) -> list[tuple[float, Moment]]:
        """Play on to the end of the round; where the ways have come to by then."""
        over: list[tuple[float, Moment]] = []
        layer = self._merged(start)
        while layer:
            pairs: list[tuple[float, Moment]] = []
            for chance, m in layer:
                if not in_round and not self._missing(m):
                    continue
                if self._formula(m, chance, in_round=in_round):
                    continue
                after = list(self._after(m, chance, in_round=in_round))
                if not after:
                    over.append((chance, m))
                pairs += [(chance * p, x) for p, x in after]
            layer = self._merged(pairs)
        return over

    def _formula(self, m: Moment, chance: float, *, in_round: bool) -> bool:
        """Return whether a formula tells all that is left of the round, and count what it says."""
        e = m.encounter
        race = self._race(m) if in_round and not e.paused else None
        if race is None:
            return False
        entries = {x.key: x.members for x in self._system.entries(e)}
        sides = {key: side_of(e, key) for key in race.rows}
        forecast = exact(race, sides)
        if forecast is None:
            # Ways of little chance are worth no runs of their own: they are played on.
            if chance < 1 - 1e-9:
                return False
            forecast = sampled(race, sides, self._random)
            self._runs = forecast.runs
        if chance > 1 - 1e-9:
            self.race = race
        m = self._watch.began(m, chance, in_round=True)
        self._watch.formula(m, chance, race, shared(forecast, race.alike), entries)
        acted = m.acted.union(*(entries.get(key, (key,)) for key in race.rows))
        self._told.append((chance, replace(m, turns=(*m.turns, *race.rows), acted=acted)))
        return True

    def _race(self, m: Moment) -> Race | None:
        """Return the race of all turns that are left of the round; None where they have to be played."""
        e, system = m.encounter, self._system
        if not isinstance(system, Forecasting):
            return None
        # A turn that runs while dice are due goes on after them: it is the first of those to come.
        if e.turn and (not system.due(e) or system.turn_edges == "round"):
            return None
        if not e.turn and len(owed(e, system)) != len(system.due(e)):
            return None
        race = system.race(e)
        if race is None or set(race.rows) & set(m.turns):
            return None
        entries = {x.key: x.members for x in system.entries(e)}
        # Those who act, or have acted, may have been made a group since: it has acted with them.
        acted = m.acted.union(e.turn.members if e.turn else ())
        race = _without(race, {key for key in race.rows if acted.issuperset(entries.get(key, (key,)))})
        return race if race and race.rows and not (e.turn and e.turn.who in race.rows) else None

    def _after(self, m: Moment, chance: float, *, in_round: bool) -> Iterator[tuple[float, Moment]]:
        """Yield every way in which the next step may fall; none at the end of the round."""
        e, system = m.encounter, self._system
        asks = _asks(e, system)
        if asks:
            if in_round or not system.due(e):
                if not self._steps:
                    self._expected(e, asks)
                for p, result in self._answers(e, asks[0]):
                    self._count()
                    yield p, replace(m, encounter=_answer(e, system, asks[0], result))
            return
        if e.turn:
            self._count()
            m = self._watch.began(m, chance, in_round=in_round)
            yield 1.0, replace(m, encounter=_ended(e, system))
            return
        acts = _acts(e, system)
        self._watch.chosen |= len(acts) > 1
        for act in acts:
            self._count()
            after = _took(e, system, act)
            if not _stopped(e, after):
                yield 1 / len(acts), replace(m, encounter=after)

    def _answers(self, e: Encounter, ask: Ask) -> Iterator[tuple[float, tuple[int, ...] | tuple[str, ...]]]:
        match ask:
            case RollAsk() if isinstance(self._system, Forecasting):
                yield from _limited(self._system.possible_faces(e, ask))
            case RollAsk():
                yield from _limited(Forecasting().possible_faces(e, ask))
            case PickAsk():
                if perm(len(ask.names), ask.least) > MOST_WAYS:
                    raise TooManyWays
                orders = list(permutations(ask.names, ask.least))
                self._watch.chosen |= len(orders) > 1
                yield from ((1 / len(orders), keys) for keys in orders)
            case AcknowledgeAsk():
                yield 1.0, ()
            case _:
                return

    def _expected(self, e: Encounter, asks: Sequence[Ask]) -> None:
        """Raise TooManyWays where the dice that are due alone fall in too many ways."""
        count = 1
        for ask in asks:
            if isinstance(ask, RollAsk):
                count *= sum(1 for _ in self._answers(e, ask))
            if count > MOST_STEPS:
                raise TooManyWays

    def _count(self) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise TooManyWays

    def _merged(self, some: Iterable[tuple[float, Moment]]) -> list[tuple[float, Moment]]:
        pairs: dict[bytes, tuple[float, Moment]] = {}
        for chance, m in some:
            key = _key(m)
            p, first = pairs.get(key, (0.0, m))
            pairs[key] = (p + chance, first)
        # A tie may be thrown again for ever: what is left of it then is less than anybody can read.
        return [(p, m) for p, m in pairs.values() if p > LEAST]


LEAST = 1e-10
"""Ways with a smaller chance than that are left out."""


def _without(race: Race, gone: set[str]) -> Race | None:
    """Return the race without some of its rows; None where one of them shares its roll with others."""
    if any(len(t.rows) > 1 and gone.intersection(t.rows) for case in race.cases for t in case.throws):
        return None
    cases = tuple(
        replace(case, throws=tuple(t for t in case.throws if not gone.intersection(t.rows)))
        for case in race.cases
    )
    return replace(race, cases=cases)


def _limited(
    possible_faces: Iterable[tuple[float, tuple[int, ...]]],
) -> Iterator[tuple[float, tuple[int, ...]]]:
    for number, faces in enumerate(possible_faces):
        if number >= MOST_WAYS:
            raise TooManyWays
        yield faces


def _key(m: Moment) -> bytes:
    """Return what tells moments apart: the state without old faces, on which nothing to come depends."""
    e = m.encounter
    plain = (replace(e, rolls={}, outcome=None, gone={}), sorted(e.rolls), sorted(m.turns), sorted(m.acted))
    return msgspec.json.encode(plain, order="deterministic")


# --- many fights


def at_random(start: Callable[[], Encounter], system: InitiativeSystem, random: Random, runs: int) -> Played:
    """Return the same of `runs` fights that are played by chance, each from a state that `start` gives."""
    watch, over = _Watch(), list[Moment]()
    for _ in range(runs):
        over.append(_one(Moment(start()), system, random, watch, 1 / runs, lambda _: False, in_round=True))
        _by_rows(over[-1], system, watch, 1 / runs)

    def satisfied(m: Moment) -> bool:
        present = {c.id for c in system.in_play(m.encounter)}
        waiting = (k for k in watch.listed if k not in m.turns)
        return not any(present.intersection(watch.people[k]) - m.acted for k in waiting)

    for left in over:
        # As in `Walk.all`: what a formula has told is played to the end of its round.
        chosen = watch.chosen
        m = _one(left, system, random, watch, 1 / runs, satisfied, in_round=False)
        watch.chosen = chosen
        acts = () if satisfied(m) or system.due(m.encounter) else _acts(m.encounter, system)
        if acts:
            later = replace(m, encounter=_took(m.encounter, system, acts[0]))
            _one(later, system, random, watch, 1 / runs, satisfied, in_round=False)
    return watch.played(runs)


def _one(
    m: Moment,
    system: InitiativeSystem,
    random: Random,
    watch: _Watch,
    weight: float,
    done: Callable[[Moment], bool],
    *,
    in_round: bool,
) -> Moment:
    """Play one fight to the end of its round, or until it is done."""
    for _ in range(MOST_TURNS):
        e = m.encounter
        asks = _asks(e, system)
        if done(m) or (system.due(e) and not in_round):
            break
        if asks:
            after = _by_chance(e, system, asks[0], random)
            if after is None:
                break
            m = replace(m, encounter=after)
        elif e.turn:
            m = watch.began(m, weight, in_round=in_round)
            m = replace(m, encounter=_ended(e, system))
        elif in_round and (race := _certain(e, system)):
            entries = {x.key: x.members for x in system.entries(e)}
            watch.given.update(dict.fromkeys(race.given))
            for key in order(race, random):
                m = watch.took(m, key, entries.get(key, (key,)), weight, in_round=True)
            break
        else:
            acts = _acts(e, system)
            watch.chosen |= len(acts) > 1
            after = _took(e, system, acts[int(random() * len(acts))]) if acts else e
            if not acts or _stopped(e, after):
                break
            m = replace(m, encounter=after)
    return m


def _certain(e: Encounter, system: InitiativeSystem) -> Race | None:
    """Return the rest of a round without dice, where the system knows it; None where it is played on."""
    if e.paused or not isinstance(system, Forecasting):
        return None
    race = system.race(e)
    return race if race and race.rows else None


def _by_chance(e: Encounter, system: InitiativeSystem, ask: Ask, random: Random) -> Encounter | None:
    """Answer what is due by chance, and return the fight then; None where people must write something."""
    match ask:
        case RollAsk():
            return _rolled(e, system, random)
        case PickAsk():
            keys = [key for _, key in sorted((random(), key) for key in ask.names)][: ask.least]
            return _answer(e, system, ask, keys)
        case AcknowledgeAsk():
            return _answer(e, system, ask, ())
        case _:
            return None
