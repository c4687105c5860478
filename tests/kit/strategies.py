"""Strategies for awkward values, shared by the laws; actions are built from the core's union of actions."""

from __future__ import annotations

from functools import partial
from typing import get_args

import msgspec
from hypothesis import strategies as st

from tui.core.base.text import clean_name
from tui.core.language.actions import Action
from tui.core.language.creature_actions import OwnVerb, Request
from tui.core.language.syntax import (
    Bare,
    Count,
    Faces,
    Flag,
    KeyValue,
    Names,
    NewName,
    Number,
    Pairs,
    Several,
    Shorthand,
    Slot,
    Tail,
    Text,
    Totals,
    Word,
)

AWKWARD = [
    "Orc 1", "Bo", "O'Hara", "Zoë", "龍", "5", "2d6", "+3", "ac13", "none", "x=y", "#1", "a\\b", "-", "with",
    "Ana Maria",
    "[/]", "*", "@x", "Orc,Bo", "open=yes",
]  # fmt: skip
ENCODABLE = st.characters(exclude_categories=["Cs"])
"""What UTF-8 can say. Asked by the codec's name, each process would encode all of Unicode first."""
any_text = partial(st.text, ENCODABLE)
names = st.sampled_from(AWKWARD) | any_text(min_size=1, max_size=12).map(clean_name).filter(
    lambda n: bool(n.strip()) and '"' not in n
)
words = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"], include_characters=' "\\'),
    max_size=20,
)
KEYS = ["hp", "side", "per", "trk.tie", "movement"]
line = words.map(str.strip).filter(bool)
said = words.map(lambda text: " ".join(text.split()))
"""Texts of words separated by single spaces."""


def values(slot: Slot) -> st.SearchStrategy[object]:
    """Return a strategy for the values of a slot in a line."""
    match slot:
        case NewName():
            return names
        case Word(choices=choices) if choices:
            return st.sampled_from(choices)
        case Word(optional=optional):
            return st.just("") | names if optional else names
        case Count():
            return st.sampled_from(["", "5", "2d4", "d6+1"])
        case Bare():
            return st.just(value=False)
        case Shorthand():
            return st.sampled_from(["", "+3", "-1"])
        case Number(least=least, most=most):
            return st.integers(least, most)
        case Faces():
            return st.lists(st.integers(1, 20), max_size=3)
        case Totals():
            return st.lists(st.tuples(names, st.integers(-9, 99)), min_size=1, max_size=3)
        case Several():
            return st.lists(names, min_size=1, max_size=3)
        case Names():
            return st.lists(names.filter(lambda n: n.lower() != "none"), max_size=3)
        case Text():
            return said
        case Tail(after=after):
            return line | st.just("") if after else line
        case KeyValue(choices=choices):
            return st.sampled_from(("", *choices)) if choices else names | st.just("")
        case Flag():
            return st.booleans()
        case Pairs(least=least):
            return st.dictionaries(st.sampled_from(KEYS), words, min_size=least, max_size=3)
        case _:
            raise AssertionError(f"no pool for {type(slot).__name__}")


def of_shape(shape: type[Request]) -> st.SearchStrategy[Request]:
    """Return a strategy for actions of one kind, built from its slots.

    Raises AssertionError if slots and attributes have different names.
    """
    slots = [slot.name for slot in shape.syntax.slots]
    assert sorted(slots) == sorted(shape.__struct_fields__), f"{shape.__name__}: slots are {slots}"
    made = st.fixed_dictionaries({slot.name: values(slot) for slot in shape.syntax.slots})
    whole = made.filter(lambda found: found.get("who") != "" or not found.get("faces")).filter(
        lambda found: found.get("name") != "" or not found.get("amount")
    )
    return whole.map(lambda found: msgspec.convert(found, shape))


def _own() -> st.SearchStrategy[OwnVerb]:
    plain = st.lists(names, max_size=3).map(tuple)
    keys = st.dictionaries(st.sampled_from(KEYS), words, max_size=3)
    return st.builds(OwnVerb, st.just("meet"), plain, keys)


SHAPES: tuple[type[Request], ...] = tuple(shape for shape in get_args(Action) if shape is not OwnVerb)
"""Every kind of action in the core's union, except `OwnVerb`."""

actions: st.SearchStrategy[Action] = st.one_of(_own(), *(of_shape(shape) for shape in SHAPES))
