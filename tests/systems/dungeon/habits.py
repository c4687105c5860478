"""How both dungeon systems are played at random, and the laws of their own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

from tests.kit.random_play import Game, Habits
from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter, Entry, side_of
from tui.core.language.tokens import quote
from tui.core.rules.system import InitiativeSystem
from tui.systems.dungeon.by_sides import ready_of
from tui.systems.dungeon.by_track import BY_TRACK, is_by_track
from tui.systems.dungeon.notes import dungeon_notes, reserve, team
from tui.systems.dungeon.text import DARK, HEROES
from tui.systems.dungeon.track import DungeonTrack
from tui.systems.dungeon.universalis import DungeonUniversalis
from tui.systems.shared.placing import members_to_act

SYSTEMS: dict[str, InitiativeSystem] = {
    "dungeon-universalis": DungeonUniversalis(),
    "dungeon-track": DungeonTrack(),
}


def _keys(r: Random) -> str:
    own = [
        "per=2", "int=2", "mod=1", "rank=leader", "distance=3", "distance=7", "acts_with=Ana",
        "per=3 int=3",
    ]  # fmt: skip
    return " ".join({k.split("=")[0]: k for k in r.sample(own, 3)}.values())


def _extra(r: Random, e: Encounter) -> Sequence[str]:
    names = [quote(c.name) for c in e.combatants.values()] or ["Nobody"]
    heroes = [quote(c.name) for c in team(e, HEROES)] or names
    waiting = [quote(c.name) for c in reserve(e)] or names
    foes = [quote(c.name) for c in team(e, DARK)] or names
    who, other, hero, new, foe = (r.choice(some) for some in (names, names, heroes, waiting, foes))
    chosen = [f"{f.key}={r.choice(f.choices)}" for f in DungeonTrack.options if f.choices]
    often = [
        f"meet {hero}",
        f"meet {hero} with={new}",
        f"place {new}",
        f"place {new} {r.choice(waiting)} vs {hero}",
    ]
    fight = [f"hit {foe}", f"hit {hero} 2", f"kill {foe} by={hero}", f"kill {hero} by={foe}", f"moved {who}"]
    return [
        *often * 5, *fight * 2,
        f"add 2 Ghoul per={r.randint(0, 3)} int=2 {r.choice(['', 'group=Ghouls', 'rank=champion'])}",
        f"meet {who} vs {other}", f"meet {who} with={other} door=broken", f"place {who} {other}",
        "place @dark", "calm",
        f"set {who} rank=leader", f"set {who} rank=", f"set {who} distance=2", f"set {who} side=dark",
        f"set {who} int=4",
        f"set {who} value={r.choice(['', '7'])}", f"set {who} acts_with={other}", f"kill {who}", "out @dark",
        f"option {r.choice(chosen)}", f"option trk.variable={r.choice(['true', 'false'])}", f"moved {who}",
    ]  # fmt: skip


class Dungeon(Game):
    """The laws of a dungeon: a new heroes' turn (DUN-11) and the first turn of a track give new
    activations."""

    lost = False
    freed: frozenset[str] = frozenset()
    """Whose bar ended in this step: with the heroes' turn, so they could not act in it."""

    def play(self, steps: int, edits: float = 0.5) -> None:
        self.say("add Hero kind=pc per=2 int=2")
        super().play(steps, edits)

    def _watch(self, event: ev.Event) -> None:
        said = "\n".join(self.log)
        match event:
            case ev.RoundBegan():
                self.acted.clear()
                self.lost = False
            case ev.Unmarked(who, "acted"):
                for k in who:
                    del self.acted[k]
            case ev.Unmarked(who, "barred"):
                self.freed = frozenset(who)
            case ev.Announced(rule="DUN-12"):
                self.lost = True
            case ev.TurnEnded(taken=True):
                self.acted.update(k for k in event.members if k in self.encounter.combatants)
                twice = [k for k, n in self.acted.items() if n > 1]
                assert not twice, f"{twice} acted twice:\n{said}"
            case ev.Noted("side", "dark"):
                left = [x for x in ready_of(self.encounter, HEROES) if self._could_act(x)]
                assert self.lost or self._closed() or not left, f"heroes skipped:\n{said}"
            case ev.RoundEnded():
                self.rounds += 1
                by = is_by_track(self.encounter)
                keys = self._left(DARK) or (by and self._left(HEROES))
                assert self._closed() or not keys, f"{keys} skipped:\n{said}"
            case _:
                pass

    def _could_act(self, entry: Entry) -> bool:
        return any(c.id not in self.freed for c in members_to_act(self.encounter, entry))

    def _closed(self) -> bool:
        return dungeon_notes(self.encounter).closed

    def _left(self, side: str) -> list[str]:
        return [x.key for x in ready_of(self.encounter, side)]

    def laws(self, before: Encounter, events: tuple[ev.Event, ...]) -> None:
        super().laws(before, events)
        self.freed = frozenset()
        if not self.encounter.running:
            return
        said = "\n".join(self.log)
        assert (
            self.encounter.turn
            or not self.encounter.paused
            or self.rules.due(self.encounter)
            or self._cutting_in()
        ), f"waits for nobody:\n{said}"
        for turn in (self.encounter.turn, *self.encounter.paused):
            assert turn is None or turn.members, f"an empty turn:\n{said}"
        for ask in self.rules.due(self.encounter):
            assert ask.who == "GM" or side_of(self.encounter, ask.who), f"{ask.who} is gone and owes:\n{said}"
        keys = [x.key for x in BY_TRACK.acting_order(self.encounter)]
        assert len(keys) == len(set(keys)), f"twice in the order:\n{said}"

    def _cutting_in(self) -> bool:
        return any(a.kind == "pass" for a in self.rules.offer(self.encounter).acts)


def _options(r: Random, system: str) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for f in SYSTEMS[system].options:
        if f.choices:
            chosen[f.key] = r.choice(f.choices)
        elif f.kind == "bool":
            chosen[f.key] = r.random() < 0.5 if f.key != "tie.by_hand" else r.random() < 0.2
    return chosen


HABITS = {
    system: Habits(keys=_keys, extra=_extra, waits=False, options=partial(_options, system=system))
    for system in SYSTEMS
}
