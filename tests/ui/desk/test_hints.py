"""Every hint says what a word takes: not the word again, and not the grammar of something else."""

from __future__ import annotations

import re

import pytest

from tests.kit.keyboard import Player
from tui.systems import Registry


def shown(p: Player) -> str:
    """All that is on the screen, in one line."""
    return " ".join(" ".join(" ".join(lines) for lines in p.picture().values()).split())


@pytest.mark.parametrize("system", Registry().ids())
def test_no_key_is_explained_by_itself(system: str) -> None:
    p = Player(system).press("a", "'Bo '")
    p.size = (80, 60)
    told = shown(p)
    keys = re.findall(r"(\w+)= (.*?)(?= \w+=| ·|$)", told)
    assert len(keys) > 5
    assert [key for key, word in keys if key == word] == []
