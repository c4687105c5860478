"""Gather the words that the program uses and those of the running system."""

from __future__ import annotations

from tui.core.rules.system import InitiativeSystem
from tui.systems import Texts

COMMON_WORDS = Texts("glossary", __file__)
"""One sentence for each word, in alphabetical order."""


def glossary(system: InitiativeSystem) -> dict[str, str]:
    """Return every word of this system's fights with its meaning, in alphabetical order."""
    words = {**COMMON_WORDS, **system.glossary}
    return {word: words[word] for word in sorted(words, key=str.lower)}
