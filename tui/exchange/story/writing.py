"""The formats that a story is written in, found by scanning `writers`: one file each."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping

from msgspec import Struct

from tui.core.fight.encounter import Encounter
from tui.core.rules.system import InitiativeSystem
from tui.exchange.story.told import Story


class Fight(Struct, frozen=True):
    """What is written: the story, and the fight as it stands at its end, with the system that runs it."""

    story: Story
    encounter: Encounter
    system: InitiativeSystem


class StoryFormat(Struct, frozen=True):
    """A format: its name on the command line, what it is, and how a fight is written in it.

    `whole`: it holds what only the game master may know, so that there is no version for a player.
    """

    name: str
    title: str
    write: Callable[[Fight], str]
    whole: bool = False


def writers() -> Mapping[str, StoryFormat]:
    """Every format by its name."""
    package = importlib.import_module("tui.exchange.story.writers")
    modules = (
        importlib.import_module(f"{package.__name__}.{info.name}")
        for info in pkgutil.iter_modules(package.__path__)
    )
    found = (value for module in modules for value in vars(module).values() if isinstance(value, StoryFormat))
    return {writer.name: writer for writer in sorted(found, key=lambda w: w.name)}
