"""What keys do never depends on how quickly they come: on what was drawn meanwhile, or on a rest."""

from __future__ import annotations

import random

import pytest

from tests.kit.keyboard import Player, press_of
from tests.kit.tiers import share
from tests.typeahead.law import PARTY, SYSTEMS
from tests.typeahead.scripts import Script, script
from tui.ui.app.wired import key_name
from tui.ui.terminal.input_parser import InputParser, Key, keys
from tui.ui.text.press import Press

LEAVING = {"q", "ctrl+c", "ctrl+z"}


def presses(script: Script) -> list[Press]:
    """The keys of a script as the desk gets them."""
    parser, found = InputParser(0.01), list[Press]()
    for now, key in enumerate(script):
        tokens = [*parser.feed(key.decode(), float(now)), *parser.tick(now + 0.9)]
        for token in tokens:
            assert isinstance(token, Key)
            for name, char in keys(token.sequence):
                found.append(press_of(char) if char and char != " " else press_of(key_name(name)))
    return [press for press in found if press.key not in LEAVING]


@pytest.mark.law
@pytest.mark.parametrize("number", range(share(60)))
def test_what_was_drawn_between_keys_changes_nothing(number: int) -> None:
    chance = random.Random(f"typed {number}")
    system = SYSTEMS[number % len(SYSTEMS)]
    lines = [*PARTY[: chance.randint(1, 4)], *(["begin"] if chance.random() < 0.7 else [])]
    size = chance.choice(((80, 24), (80, 24), (100, 30), (60, 18), (120, 40)))
    slow, quick = Player(system, lines), Player(system, lines)
    for one in (slow, quick):
        one.size = size
        one.picture()
    for _ in range(4):
        typed = presses(script(chance))
        for press in typed:
            slow.desk.press(press)
            quick.desk.press(press)
            if chance.random() < 0.4:
                slow.picture()
            if chance.random() < 0.4:
                slow.desk.rest()
        for one in (slow, quick):
            one.desk.rest()
        assert slow.picture() == quick.picture(), typed
        assert slow.desk.view == quick.desk.view, typed


def test_a_key_behind_the_cursor_means_the_row_that_it_has_reached() -> None:
    lines = [*PARTY[:3], "set Ana ac=12", "begin", "roll", "next"]
    slow, quick = Player("classic", lines), Player("classic", lines)
    for key in ("j", "z", "j", "k"):
        for one in (slow, quick):
            one.desk.press(press_of(key))
        slow.desk.rest()
    quick.desk.rest()
    assert slow.desk.view == quick.desk.view
    assert slow.picture() == quick.picture()
