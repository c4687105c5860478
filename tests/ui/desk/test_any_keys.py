"""Whatever is pressed or pasted, at any size: nothing is raised, and all can be undone to the beginning."""

from __future__ import annotations

import pytest

from tests.kit import random_desk
from tests.kit.random_desk import KEYS_A_FIGHT, SYSTEMS, Fight, Visit
from tests.kit.tiers import share
from tui.core.fight.encounter import Encounter


@pytest.mark.law
@pytest.mark.parametrize("number", range(len(SYSTEMS)))
def test_any_keys_in_any_system(number: int) -> None:
    fight = Fight(20_261_122, number)
    fight.play(share(2 * KEYS_A_FIGHT))
    store = fight.player.store
    if store.step:
        store.run(f"undo {store.step}")
    assert store.encounter == Encounter(system=fight.system)


@pytest.mark.law
def test_any_keys_on_the_start_screen() -> None:
    for number in range(share(10)):
        Visit(20_261_122, number).play(KEYS_A_FIGHT // 2)


def test_a_fight_of_a_seed_is_always_the_same() -> None:
    one, other = Fight(7, 3), Fight(7, 3)
    one.play(60)
    other.play(60)
    assert one.pressed == other.pressed
    assert one.player.store.encounter == other.player.store.encounter


def test_what_is_raised_is_told_with_its_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fall(fight: Fight, count: int) -> None:
        fight.pressed = ["x", str(count)]
        raise IndexError("found")

    monkeypatch.setattr(Fight, "play", fall)
    monkeypatch.setattr(random_desk, "visits", lambda *_: ())
    assert random_desk.main(["250", "9"]) == 1
    assert "seed 9, fight 0" in capsys.readouterr().out
