"""The rules of the cards, stated a second time: plain lists, no code of the program.

It reads the public state as JSON, the cards as they were dealt and the lines as they were typed, and says
what the track, the cards that are owed and the offer must be. Rows are ids, or `@group`.
"""

from __future__ import annotations

from typing import Any

from tests.systems.oracle_classic import here, row_of
from tests.systems.oracle_late import Late

State = dict[str, Any]

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
NAMES = [rank + suit for rank in RANKS for suit in "♣♦♥♠"] + ["joker", "joker"]


def worth(name: str) -> tuple[int, int]:
    if name == "joker":
        return (99, 0)
    return (RANKS.index(name[:-1]), "♣♦♥♠".index(name[-1]))


class Oracle:
    """Who has which card, and which cards are not in the deck. A card is its number, for jokers differ."""

    def __init__(self) -> None:
        self.hand: dict[str, int] = {}
        self.gone: list[int] = []
        self.of_this_round: list[int] = []
        self.decks = 1
        self.late = Late()

    def step(self, line: str, old: State, dice: list[tuple[str, str, list[int]]], new: State) -> None:
        if old["phase"] == "setup":
            self.__init__()  # type: ignore[misc]  # a new fight has a new deck
        if new["phase"] == "setup":
            return
        self.late.step(old, new)
        self._cut_in(line, old, new)
        self._regrouped(old, new)
        for purpose, who, faces in dice:
            if purpose == f"init {who}":
                self._dealt(who, faces[0])
        if new["round"] > old["round"] > 0:
            self.hand = {
                k: card for k, card in self.hand.items() if k in here(new) and self._holds(here(new)[k])
            }
            if max(self.of_this_round, default=0) > 52:
                self._shuffle(0)
            self.of_this_round = []
        if len(self._owing(new)) > 54 * self.decks - len(self.gone):
            self._shuffle(len(self._owing(new)))

    def _dealt(self, who: str, card: int) -> None:
        if who in self.hand:  # heard wrongly: the old one goes back
            self.gone.remove(self.hand[who])
            self.of_this_round.remove(self.hand[who])
        assert self.gone.count(card) < self.decks, f"{NAMES[card - 1]} was gone"
        self.hand[who] = card
        self.gone.append(card)
        self.of_this_round.append(card)

    def _shuffle(self, needed: int) -> None:
        self.gone = list(self.hand.values())
        self.decks = 1
        while 54 * self.decks < len(self.gone) + needed:
            self.decks += 1

    def _regrouped(self, old: State, new: State) -> None:
        """A row that is new takes the best card of rows that are no more; those who are left get another."""
        was = {c["id"]: row_of(c) for c in old["combatants"]}
        for row, members in self._came(was, new).items():
            lost = [was[i] for i in members if was[i] in self.hand and was[i] not in here(new)]
            if row not in self.hand and lost:
                self.hand[row] = self.hand.pop(max(lost, key=lambda k: worth(NAMES[self.hand[k] - 1])))

    def _came(self, was: dict[str, str], new: State) -> dict[str, list[str]]:
        came: dict[str, list[str]] = {}
        for c in new["combatants"]:
            if c["id"] in was and was[c["id"]] != row_of(c):
                came.setdefault(row_of(c), []).append(c["id"])
        return came

    def _cut_in(self, line: str, old: State, new: State) -> None:
        if line.startswith("act "):
            acting = next(k for k in here(old) if self._label(old, k) == new["acting"])
            assert self._holds(here(old)[acting]) or NAMES[self.hand[acting] - 1] == "joker", line

    def _open(self, members: list[State]) -> list[State]:
        return list(filter(self.late.open, members))

    def _holds(self, members: list[State]) -> bool:
        left = self._open(members)
        return bool(left) and all("holds" in c["marks"] for c in left)

    def _owing(self, state: State) -> list[str]:
        return [k for k, members in here(state).items() if k not in self.hand and self._open(members)]

    # --- what must be

    def left(self, name: str) -> bool:
        """Whether a card is in the deck."""
        return any(self.gone.count(card) < self.decks for card, x in enumerate(NAMES, 1) if x == name)

    def owed(self, state: State) -> list[tuple[str, list[int]]]:
        return [(self._label(state, k), [54]) for k in self._owing(state)]

    def line(self, state: State) -> list[str]:
        rows = list(here(state))
        return sorted(
            rows, key=lambda k: worth(NAMES[self.hand[k] - 1]) if k in self.hand else (-1, 0), reverse=True
        )

    def track(self, state: State) -> list[tuple[str, str]]:
        return [
            (self._label(state, k), NAMES[self.hand[k] - 1] if k in self.hand else "")
            for k in self.line(state)
        ]

    def next(self, state: State) -> list[str]:
        """Who must act next; nobody when the round is over."""
        rows = here(state)
        left = [
            k for k in self.line(state) if k in self.hand and self._open(rows[k]) and not self._holds(rows[k])
        ]
        return [self._label(state, k) for k in left[:1]]

    def _label(self, state: State, k: str) -> str:
        return next((str(c["name"]) for c in state["combatants"] if c["id"] == k), k.removeprefix("@"))
