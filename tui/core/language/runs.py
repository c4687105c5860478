"""Find names of several words that a line writes without quotes, and put quotes around them.

Several words count as a name only if they are a whole name of something that is there: the longest first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Verb
from tui.core.language.grammar import syntax
from tui.core.language.syntax import Faces, Names, Number, Slot, Tail, Takes, Text, Totals, Word
from tui.core.language.tokens import Token, tokens

Known = Callable[[Takes], Collection[str]]
"""Returns the whole names, in lower case, that a word of this kind may mean."""
Faced = Callable[[str, str], bool]
"""Returns whether a typed name owes a die that has this face."""

MOST_WORDS = 8
"""The most words of a name without quotes."""
_NEVER_JOINED = ("add", "save", "load", "party", "note", "option")
_OWN: Mapping[str, Takes] = {"who": "who", "several": "who", "side": "side"}


class _Run(Struct, frozen=True):
    """Words of a line, by their places among its words, that are one name."""

    first: int
    end: int


def join_names(line: str, known: Known, own: Mapping[str, Verb], owes_face: Faced) -> str:
    """Return the line with quotes around names of several words.

    Raises RuleError with both readings if the words after a name are missing then, and with one word they
    would not be.
    """
    verb, gap, raw = line.strip().partition(" ")
    slots = _slots_of(verb.lower(), own)
    words = [t for t in _spell(raw) if not t.key] if slots else []
    if len(words) < 2 or any(not t.quoted and raw[t.end - len(t.text) : t.end] != t.text for t in words):
        return line
    runs, needed = _find_runs(words, slots, known)
    if not runs:
        return line
    joined = len(words) - sum(run.end - run.first - 1 for run in runs)
    last = runs[-1]
    missing = joined < needed <= len(words)
    whole = verb.lower() == "roll" and last == _Run(0, len(words))
    if missing or (whole and _may_be_face(words, owes_face)):
        raise _ask_reading(f"{verb}{gap}", raw, words, last)
    return f"{verb}{gap}{_quote_runs(raw, words, runs)}"


def _slots_of(verb: str, own: Mapping[str, Verb]) -> Sequence[Slot]:
    if verb in own:
        return [
            Word("", "", _OWN.get(t, "")) if t != "several" else Names("", "", "who") for t in own[verb].takes
        ]
    known = syntax(verb)
    return known.slots if known and verb not in _NEVER_JOINED else ()


def _spell(raw: str) -> list[Token]:
    """Return the tokens; none if a quote is never closed, as in a free text."""
    try:
        return tokens(raw)
    except RuleError:
        return []


def _find_runs(words: Sequence[Token], slots: Sequence[Slot], known: Known) -> tuple[list[_Run], int]:
    """Return the runs of words that are names, and the number of words that the verb needs."""
    runs: list[_Run] = []
    at = needed = 0
    for slot in slots:
        match slot:
            case Tail() | Text() | Faces():
                needed += isinstance(slot, Tail) and not slot.after
                break
            case Names() | Totals():
                needed += 2 if isinstance(slot, Totals) else 1
                while at < len(words):
                    runs += (found := _run_at(words, at, slot.takes, known))
                    at = found[0].end if found else at + 1
            case Word() if at < len(words):
                needed += not slot.optional
                runs += (found := _run_at(words, at, slot.takes, known))
                at = found[0].end if found else at + 1
            case Word():
                needed += not slot.optional
            case Number():
                needed += slot.default is None
                at += 1
            case _:
                continue
    return runs, needed


def _run_at(words: Sequence[Token], at: int, takes: Takes, known: Known) -> list[_Run]:
    """Return the longest run of two words or more that begins here and is a name; none if there is none."""
    names = known(takes)
    for end in range(min(len(words), at + MOST_WORDS), at + 1, -1):
        some = words[at:end]
        if not any(t.quoted for t in some) and _is_name(" ".join(t.text for t in some), names):
            return [_Run(at, end)]
    return []


def _is_name(text: str, names: Collection[str]) -> bool:
    """Return whether a text is a whole name, or a list with commas whose parts of several words are names."""
    if text.lower() in names:
        return True
    parts = [part.strip().lower() for part in text.split(",")]
    several = [part for part in parts if " " in part]
    return len(parts) > 1 and all(parts) and bool(several) and all(part in names for part in several)


def _may_be_face(words: Sequence[Token], owes_face: Faced) -> bool:
    """Return whether the words before the last are somebody who owes a die that the last may be a face of."""
    *name, last = (t.text for t in words)
    return last.isdecimal() and owes_face(" ".join(name), last)


def _quote_runs(raw: str, words: Sequence[Token], runs: Sequence[_Run]) -> str:
    for run in reversed(runs):
        first, last = words[run.first], words[run.end - 1]
        start = first.end - len(first.text)
        text = " ".join(t.text for t in words[run.first : run.end])
        raw = f'{raw[:start]}"{text}"{raw[last.end :]}'
    return raw


def _ask_reading(before: str, raw: str, words: Sequence[Token], run: _Run) -> RuleError:
    """Return the refusal of a line that can be read in two ways, with both."""
    name = " ".join(t.text for t in words[run.first : run.end])
    one = _quote_runs(raw, words, [run]).strip()
    shorter = _quote_runs(raw, words, [_Run(run.first, run.end - 1)]).strip()
    return RuleError(
        f'"{name}" is a name, and {words[run.end - 1].text} may be a number',
        f"`{before}{shorter}`, or `{before}{one} …` for {name}",
        kind="ambiguous",
    )
