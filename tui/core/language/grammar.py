"""Parse a line into one action, and write an action as its line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import get_args

import msgspec

from tui.core.base.errors import RuleError
from tui.core.base.text import did_you_mean
from tui.core.language.actions import Action
from tui.core.language.creature_actions import OwnVerb, Request
from tui.core.language.spoken import VERBS_BY_SYNONYM, explain_gone
from tui.core.language.syntax import Syntax
from tui.core.language.tokens import key_table, pairs, quote, tokens

ACTIONS: Mapping[str, type[Request]] = {
    shape.syntax.verb: shape for shape in get_args(Action) if shape is not OwnVerb
}
"""The class of action for each verb that begins a line in every system."""

_BEGIN_LIKE = "begin with a word such as add, damage or next"


Elsewhere = Callable[[str], tuple[str, str]]
"""Returns, for a verb of another system, that system's id and a line that does most of the same here; "" for
none.
"""


def verbs() -> tuple[str, ...]:
    """Return the verbs that begin a line in every system."""
    return tuple(ACTIONS)


def syntax(verb: str) -> Syntax | None:
    """Return the syntax of a verb of the core; None for any other word."""
    return ACTIONS[verb].syntax if verb in ACTIONS else None


def usage(verb: str) -> str:
    """Return how a line with this verb is written, such as `temp WHO N`; "" for any other word."""
    return ACTIONS[verb].syntax.usage if verb in ACTIONS else ""


def needs_words(verb: str) -> bool:
    """Return whether a line with this verb needs more words."""
    rest = usage(verb).partition(" ")[2]
    return bool(rest) and not rest.startswith("[")


def summary(verb: str) -> str:
    """Return in a few words what a verb does; "" for any other word."""
    return ACTIONS[verb].syntax.help if verb in ACTIONS else ""


def parse(line: str, own: Collection[str] = (), elsewhere: Elsewhere = lambda _: ("", "")) -> Action:
    """Return the action of a line. Raises RuleError with what is wrong and how the line is written.

    `own` are the verbs of the running system. `elsewhere` finds a verb that only another system has.
    """
    verb, _, raw = line.strip().partition(" ")
    verb = verb.lower()
    if verb in own:
        parsed = tokens(raw)
        return OwnVerb(verb, tuple(t.text for t in parsed if not t.key), key_table(parsed, verb))
    if verb not in ACTIONS:
        raise _refuse_verb(verb, own, *elsewhere(verb))
    if gone := explain_gone("line", " ".join([verb, *raw.split()[:1]]).lower()):
        raise RuleError(*gone, kind="unknown_word")
    shape = ACTIONS[verb]
    action: Action = msgspec.convert(shape.syntax.read(raw), shape)  # type: ignore[assignment]
    return action


def _refuse_verb(verb: str, own: Collection[str], system: str, instead: str) -> RuleError:
    if not verb:
        return RuleError("the line is empty", _BEGIN_LIKE, kind="unknown_word")
    if system:
        if instead:
            return RuleError(f"{verb} belongs to {system}", f"here it is `{instead}`")
        hint = f"`system {system}` changes the system"
        return RuleError(f"{verb} belongs to {system}", hint, kind="elsewhere")
    if gone := explain_gone("line", verb):
        return RuleError(*gone, kind="unknown_word")
    if verb in VERBS_BY_SYNONYM:
        word = VERBS_BY_SYNONYM[verb]
        hint = (
            f"the word is {word}: {usage(word)}" if word in ACTIONS else f"on the screen the word is {word}"
        )
    else:
        hint = did_you_mean(verb, [*ACTIONS, *own], _BEGIN_LIKE)
    return RuleError(f"unknown word {verb}", hint, kind="unknown_word")


def write_line(action: Action) -> str:
    """Return the line that `parse` reads as this action."""
    if isinstance(action, OwnVerb):
        return " ".join([action.verb, *map(quote, action.words), *pairs(action.keys)])
    return action.syntax.write(action)
