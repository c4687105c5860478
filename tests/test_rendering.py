"""Sizes, colour depths and themes: the table of `python -m tests.rendering`, without a fault."""

from __future__ import annotations

from itertools import cycle, islice

import pytest
from msgspec.structs import replace

from tests.kit.tiers import share
from tests.rendering import DEPTHS, SIZES, THEMES, palette_of, show
from tests.samples import NAMES

LOOKS = tuple({(palette_of(x, depth).name, depth): (x, depth) for x in THEMES for depth in DEPTHS}.values())


@pytest.mark.law
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("sample", NAMES)
def test_a_sample_is_shown_without_a_fault(sample: str, size: tuple[int, int]) -> None:
    many = share(len(LOOKS))
    first = (NAMES.index(sample) + SIZES.index(size)) * many
    looks = islice(cycle(LOOKS), first, first + many)
    faults = {look: show(sample, size, look[1], look[0]).faults for look in looks}
    assert {look: found for look, found in faults.items() if found} == {}


def test_every_theme_is_shown_where_the_terminal_has_the_colours() -> None:
    for theme in THEMES:
        assert palette_of(theme, "truecolor").name == palette_of(theme, "256").name == theme
        assert palette_of(theme, "16").ansi
        assert palette_of(theme, "mono").name == "mono"


def test_the_table_would_find_a_text_that_fades(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests import rendering

    light = palette_of("light", "truecolor")
    faded = replace(light, colors={**light.colors, "muted": "#cccccc"})
    monkeypatch.setattr(rendering, "palette_of", lambda *_: faded)
    assert any("on its ground" in fault for fault in show("mill", (80, 24), "truecolor", "light").faults)
