"""A key of a system's word opens no bare prompt where nothing could be typed into it: it says why."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player
from tui.systems import Registry

CHAOS = ("add Ana owner=Mia hp=18", "add 3 Rat", "group Rat* Rats", "begin")
SIDES = ("add Iris side=Crew", "add 2 Beast side=Wild", "begin")


@pytest.mark.parametrize(
    ("system", "lines", "key", "told"),
    [
        ("chaos", CHAOS, "E", "the running order has no alternative left"),
        ("chaos", CHAOS, "F", "no readied action is held"),
        ("chaos", CHAOS, "T", "no order is being resolved"),
        ("chaos", CHAOS[:2], "F", "no fight runs yet: [b] begin"),
        ("unbound", (*SIDES, "roll", "next"), "S", "between begin and the first turn"),
        ("dynamic", ("add Fay kind=pc", "add Ogre", "begin"), "s", "in its own turn"),
        ("dungeon-universalis", ("add Ana side=heroes per=3", "begin"), "M", "no enemies are in reserve"),
        ("classic", ("add Ana", "add Bo", "begin", "roll"), "o", "Classic has no orders"),
        ("unbound", SIDES, "o", "Unbound has no orders"),
    ],
)
def test_a_key_that_can_do_nothing_says_so(system: str, lines: tuple[str, ...], key: str, told: str) -> None:
    p = Player(system, lines).press(key)
    assert p.desk.view.mode is None
    assert told in p.message()


def test_every_word_that_lists_what_it_could_mean_says_what_is_missing() -> None:
    registry = Registry()
    for name in registry.ids():
        for verb in registry.get(name).verbs:
            asked = bool(verb.key) and not verb.whole and verb.name != "surprised"
            assert bool(verb.idle) == asked, (name, verb.name)


def test_a_group_is_spoken_of_as_several() -> None:
    p = Player("chaos", (*CHAOS, "order Ana action=hit")).press("o", "enter")
    assert "Rats do nothing at all this round?" in " ".join(p.picture()["now"])


def test_several_alternatives_name_the_key_once() -> None:
    order = 'order Ana movement="left or else right" action="hit or else hide"'
    p = Player("chaos", (*CHAOS, order, "lock missing=empty", "roll Ana 20", "roll", "ok", "next"))
    assert "movement or action impossible? [E] else" in " ".join(p.picture()["now"])
