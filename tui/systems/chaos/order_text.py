"""Read the text of an order: its components, alternatives, conditions, readied parts and reactions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from tui.core.fight.agenda import Preview

COMPONENTS = ("movement", "action", "bonus", "object")
"""The parts that a slot resolves; each may have one alternative (CHA-3, CHA-5)."""

DOUBT = "reads like a condition"
"""The warning about an instruction that seems to have a condition."""
REMEDY = 'a trigger belongs in reaction or ready, a second way after "or else"'
"""The hint for an order that has a condition in the wrong part (CHA-5, CHA-7, CHA-9)."""
SHAPE = "TRIGGER => WHAT, or: WHAT if TRIGGER"
"""The forms in which a reaction can be written, for hints."""

REACTIONS = ("reaction", "reaction2")
ALTERNATIVES = (*COMPONENTS, "ready")
"""The parts in which "or else" separates an alternative."""

_ELSE = re.compile(r"[\s,;]*\bor\s+else\b[\s,:]*", re.IGNORECASE)
_READY = re.compile(
    r"(?:^|\b(?:to|then|and|else)\s+)(ready)\b|\b(readies|readying)\b"
    r"|\b(ready)(?=\s+(?:an?|to|his|her|its|their|my|our)\b)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|until|when|whenever|should|otherwise|provided|assuming|in case|depending "
    "on|(?:as|so) long as"
    r"|once\s+(?!(?:per|each|every|more|again|and|then|or|with|at|against|a\s+(?:round|turn))\b)(?=\w)"
    r"|(?<!one )(?<!body )(?<!thing )(?<!where )else)\b",
    re.IGNORECASE,
)
_ARROW = re.compile(r"=>|->|\N{RIGHTWARDS ARROW}|\N{RIGHTWARDS DOUBLE ARROW}")
_SETS_OFF = r"(?:if|when|whenever|once|as\s+soon\s+as)"
_TRIGGER_FIRST = tuple(
    re.compile(rf"{_SETS_OFF}\s+{rest}", re.IGNORECASE | re.DOTALL)
    # The comma before the second "I" may be missing; a comma further on belongs to the action.
    for rest in (
        r"([^,]*),\s*(?:then\s+)?(I\b.*)",
        r"([^,]*?)\s+(?:then\s+)?(I\b.*)",
        r"([^,]*),\s*(?:then\s+)?(.*)",
    )
)
_TRIGGER_LAST = re.compile(rf"(.*?),?\s+{_SETS_OFF}\s+(.*)", re.IGNORECASE | re.DOTALL)

_EITHER = re.compile(r"\s*;\s*|,?\s+or\s+(?!else\b)", re.IGNORECASE)
"""Matches the text between two reactions in one sentence."""


class Reaction(Struct, frozen=True):
    """A written reaction."""

    trigger: str
    """The event that triggers the reaction; "" if none was found."""
    what: str
    """The reaction itself, as text."""

    @property
    def words(self) -> str:
        """Return both parts: `TRIGGER => WHAT`."""
        return f"{self.trigger} => {self.what}"


class Fault(Struct, frozen=True):
    """A fault of an order: the message, a hint that would work, and the clause."""

    text: str
    hint: str
    rule: str


class Check(Struct, frozen=True):
    """The faults for which an order is refused, and warnings for the GM."""

    errors: tuple[Fault, ...] = ()
    warnings: tuple[str, ...] = ()


def split_alternative(text: str) -> tuple[str, str]:
    """Return the primary instruction and its alternative; "" without one."""
    parts = _ELSE.split(text, maxsplit=1)
    return parts[0].strip(), parts[1].strip() if len(parts) > 1 else ""


def readied_part(text: str) -> str:
    """Return the part of an instruction that is readied, or "" (CHA-9)."""
    return _split_at_ready(text)[1]


def readied_action(order: Mapping[str, str]) -> str:
    """Return what an order readies: its field `ready`, else its action if that begins with "ready"; or ""."""
    action = order.get("action", "")
    return order.get("ready") or (readied_part(action) if readied_part(split_alternative(action)[0]) else "")


def read_reaction(text: str) -> Reaction:
    """Return the reaction of a text: `Y => X`, "when Y, X" or "X if Y" (CHA-7).

    Without any of these forms it has no trigger.
    """
    # The arrow is tried first: a player who writes one means it, whatever "if" stands beside it.
    if arrow := _ARROW.search(text):
        return Reaction(text[: arrow.start()].strip(), text[arrow.end() :].strip())
    for first in _TRIGGER_FIRST:
        if m := first.fullmatch(text.strip()):
            return Reaction(m[1].strip(), m[2].strip())
    if m := _TRIGGER_LAST.fullmatch(text.strip()):
        return Reaction(m[2].strip(), m[1].strip())
    return Reaction("", text.strip())


def read_reactions(order: Mapping[str, str]) -> tuple[Reaction, ...]:
    """Return the reactions of an order, in the order of its parts."""
    return tuple(read_reaction(order[key]) for key in REACTIONS if order.get(key))


def check_order(order: Mapping[str, str], *, has_readied: bool, strict: bool = False) -> Check:
    """Return faults and warnings of an order; `has_readied`: a readied action can be kept.

    With `strict` a condition is a fault, else a warning (CHA-A5).
    """
    errors: list[Fault] = []
    warnings: list[str] = []
    for key in ALTERNATIVES:
        if text := order.get(key, ""):
            errors += _check_alternatives(key, text)
            if _ELSE.search(text) and not all(part.strip(" .") for part in _ELSE.split(text)):
                warnings.append(f"{key}: 'or else' needs an instruction before and after it")
            if has_condition(key, text):
                words = f"{key}: {DOUBT}"
                if strict:
                    hint = 'say what is done; `ready="when it comes, bite"` may name a condition'
                    errors.append(Fault(words, hint, "CHA-4"))
                else:
                    warnings.append(words)
    for key in REACTIONS:
        if text := order.get(key, ""):
            errors += _check_trigger(key, text)
            if _ELSE.search(text):
                warnings.append(f"{key}: takes no 'or else'; use it in another part")
            if sum(bool(read_reaction(part).trigger) for part in _EITHER.split(text)) > 1:
                has_room = key == REACTIONS[0]
                hint = "write the second one as reaction2=" if has_room else "at most two in all"
                warnings.append(f"{key}: reads like two; {hint}")
    if order.get("action") and order.get("ready"):
        warnings.append("ready: to ready takes the action, and another action is written too")
    if order.get("maintain"):
        if readied_action(order):
            warnings.append("maintain: takes the reaction that the new readied action needs in this round")
        errors += _check_maintain(order, has_readied=has_readied)
    if not any(order.values()):
        warnings.append("nothing is ordered")
    return Check(tuple(errors), tuple(warnings))


def preview_order(order: Mapping[str, str], *, has_readied: bool, strict: bool) -> Preview:
    """Return faults and warnings, with notes on the action held after the slot and on the reactions."""
    checked = check_order(order, has_readied=has_readied, strict=strict)
    lines: list[str] = []
    if readied := readied_action(order):
        lines.append(f"held after the slot: {readied}")
    whole = [x for x in read_reactions(order) if x.trigger and x.what]
    lines += [f"reads as: when {x.trigger}, then {x.what}" for x in whole]
    if not {"reaction", "reaction2", "maintain"} & set(order):
        lines.append("reaction: the first opportunity attack")
    # The line's own example names a key: for a field of the form only the shape is shown.
    remedies = [f"write {SHAPE}" if x.rule == "CHA-7" else x.hint.replace("`", "") for x in checked.errors]
    hints = remedies or [REMEDY if x.endswith(DOUBT) else "" for x in checked.warnings]
    return Preview(tuple(x.text for x in checked.errors), checked.warnings, tuple(lines), tuple(hints))


def has_condition(key: str, text: str) -> bool:
    """Return whether a component has a condition outside its readied part (CHA-4, CHA-A5)."""
    # "or else" is no condition, and a text after "ready" may have one of its own (CHA-5, CHA-9).
    return key != "ready" and bool(_CONDITION.search(_ELSE.sub("; ", _split_at_ready(text)[0])))


def _check_alternatives(key: str, text: str) -> list[Fault]:
    """Return a fault for two alternatives in a component or in its readied part (CHA-5)."""
    parts = (text,) if key == "ready" else _split_at_ready(text)
    if all(len(_ELSE.findall(part)) <= 1 for part in parts):
        return []
    return [Fault(f"{key}: more than one 'or else'", "one alternative for each component", "CHA-5")]


def _check_trigger(key: str, text: str) -> list[Fault]:
    parsed, hint = read_reaction(text), f'{key}="an enemy comes adjacent => step back"'
    if not parsed.trigger:
        return [Fault(f"{key}: no trigger", hint, "CHA-7")]
    return [] if parsed.what else [Fault(f"{key}: nothing to do", hint, "CHA-7")]


def _check_maintain(order: Mapping[str, str], *, has_readied: bool) -> list[Fault]:
    other, none = "maintain: no other reaction this round", "maintain: no readied action from last round"
    faults = [Fault(other, "leave out the reaction, or maintain=", "CHA-10")] if read_reactions(order) else []
    return faults if has_readied else [*faults, Fault(none, "leave out maintain=", "CHA-10")]


def _split_at_ready(text: str) -> tuple[str, str]:
    """Return the text before the word `ready`, and the text from that word on."""
    m = _READY.search(text)
    if m is None:
        return text, ""
    at = m.start(m.lastindex or 0)
    return text[:at], text[at:]
