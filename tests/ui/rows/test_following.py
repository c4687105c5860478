"""Whose turn it is, and how hurt they are, stand on the screen together: the cards follow the track."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player

MANY = [*(f"add Foe{i} hp={10 + i} mod={i}" for i in range(30)), "begin", "roll", "next"]


def shown(p: Player) -> str:
    """The cards, and the roster where it has the keys."""
    drawn = p.picture()
    return "\n".join(line for part in ("card", "second", "roster") for line in drawn.get(part, []))


def points(p: Player, key: str) -> str:
    """Hit points as the roster writes them."""
    c = p.store.encounter.combatants[key]
    return f"{c.hp}/{c.max_hp}"


def test_the_card_shows_who_acts_turn_after_turn() -> None:
    p = Player(lines=MANY)
    for _ in range(12):
        acting = p.store.encounter.acting
        assert points(p, acting) in shown(p)
        p.press("n")


@pytest.mark.parametrize("keys", [("j",) * 9, ("G",), ("G", "k", "k"), ("pagedown", "j")])
def test_a_card_shows_the_current_row_of_the_track(keys: tuple[str, ...]) -> None:
    p = Player(lines=MANY).press(*keys)
    assert points(p, p.desk.view.track) in shown(p)


def test_a_creature_chosen_in_the_roster_stays_while_the_keys_are_there() -> None:
    p = Player(lines=MANY).press("tab", "G")
    chosen = p.desk.view.roster
    p.press("n")
    assert p.desk.view.roster == chosen
    assert points(p, chosen) in shown(p)
    p.press("shift+tab", "n")
    assert points(p, p.store.encounter.acting) in shown(p)
