"""Whatever is pressed: nothing crashes, every picture fits, and what the store holds can be undone to the beginning."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui.keyboard import NAMED, Player, press_of
from tui.core.fight.encounter import Encounter
from tui.systems import Registry

KEYS = [*"nrRoadc+uzpetxXHiNDALOKJ,.vwWgGhjkl/:?&mysS=;YBMCTFE", *"1234567890", *sorted(NAMED), "space", "ctrl+r", "ctrl+p",
        "shift+tab", "ctrl+t", "ctrl+u", "ctrl+w", "enter", "enter", "n", "r"]  # fmt: skip
REGISTRY = Registry([str(Path(__file__).parent / "toys")])
START = (
    "add Ana owner=Mia hp=18",
    "add Bo owner=Tom hp=9",
    "add 3 Orc hp=7 group=Orcs",
    "add Ogre hp=30 hidden=yes",
)
SIZES = [(80, 24), (120, 40), (50, 20), (20, 5), (1, 1)]


@pytest.mark.parametrize("system", REGISTRY.ids())
@given(keys=st.lists(st.sampled_from(KEYS), max_size=60), size=st.sampled_from(SIZES), running=st.booleans())
@settings(max_examples=25, deadline=None)
def test_any_keys(system: str, keys: list[str], size: tuple[int, int], running: bool) -> None:
    play(system, keys, size, running=running)


@pytest.mark.long
@pytest.mark.parametrize("system", REGISTRY.ids())
@given(keys=st.lists(st.sampled_from(KEYS), max_size=400), size=st.sampled_from(SIZES), running=st.booleans())
@settings(max_examples=400, deadline=None)
def test_any_keys_for_long(system: str, keys: list[str], size: tuple[int, int], running: bool) -> None:
    play(system, keys, size, running=running)


def play(system: str, keys: list[str], size: tuple[int, int], *, running: bool) -> None:
    p = Player(system, [*START, *(["begin"] if running else [])], systems=REGISTRY)
    p.size = size
    for key in keys:
        if key.isdigit() and p.desk.view.count:
            continue  # hundreds of creatures take their time, and show nothing new
        before, record = p.store.encounter, p.store.record
        p.desk.press(press_of(key))
        assert p.store.record > record or p.store.encounter is before
        p.picture()
    if p.store.step:
        p.store.run(f"undo {p.store.step}")
    assert p.store.encounter == Encounter(system=system)
