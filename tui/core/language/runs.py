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
Diced = Callable[[str], tuple[Sequence[int], bool]]
"""Returns the dice for which `roll NAME` takes faces, and whether any of them is owed."""

MOST_WORDS = 8
"""The most words of a name without quotes."""
_QUOTED_NAME_VERBS = ("add", "save", "load", "party", "note", "option")
_OWN: Mapping[str, Takes] = {"who": "who", "side": "side"}


class _Run(Struct, frozen=True):
    """Words of a line, by their places among its words, that are one name."""

    first: int
    end: int


def join_names(line: str, known: Known, own: Mapping[str, Verb], dice_of: Diced) -> str:
    """Return the line with quotes around names of several words.

    Raises RuleError with both readings if the words after a name are missing then, and with one word they
    would not be, or if the last word of a name may be a face that is rolled.
    """
    verb, gap, raw = line.strip().partition(" ")
    slots = _slots_of(verb.lower(), own)
    words = [t for t in read_tokens(raw) if not t.key] if slots else []
    if len(words) < 2 or any(not t.quoted and raw[t.end - len(t.text) : t.end] != t.text for t in words):
        return line
    runs, needed = _find_runs(words, slots, known)
    if not runs:
        return line
    joined = len(words) - sum(run.end - run.first - 1 for run in runs)
    last = runs[-1]
    missing = joined < needed <= len(words)
    readings = [last] if verb.lower() != "roll" else _read_faces(words, last, dice_of)
    if missing or len(readings) > 1:
        raise _ask_reading(f"{verb}{gap}", raw, words, last)
    runs[-1] = readings[0]
    return f"{verb}{gap}{_quote_runs(raw, words, runs)}"


def word_slots(verb: Verb) -> list[Slot]:
    """Return the words of a system's own verb as slots."""
    return [Names(t, t, "who") if t == "several" else Word(t, t, _OWN.get(t, "")) for t in verb.takes]


def _slots_of(verb: str, own: Mapping[str, Verb]) -> Sequence[Slot]:
    if verb in own:
        return word_slots(own[verb])
    known = syntax(verb)
    return known.slots if known and verb not in _QUOTED_NAME_VERBS else ()


def read_tokens(raw: str) -> list[Token]:
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


def _read_faces(words: Sequence[Token], run: _Run, dice_of: Diced) -> list[_Run]:
    """Return the names that `roll` may mean: the run, or the run without its last word, which is a face."""
    shorter = _Run(run.first, run.end - 1)
    face, more = words[run.end - 1].text, len(words) - run.end
    dice, is_owed = dice_of(_name_of(words, shorter)) if face.isdecimal() else ((), False)
    if not any(1 <= int(face) <= sides for sides in dice):
        return [run]
    if not more:
        return [run, shorter] if is_owed else [run]
    # The number of faces tells the readings apart, as in `roll Orcs 3 4` for two dice.
    if len(dice) != more + 1:
        return [run]
    return [run, shorter] if len(dice_of(_name_of(words, run))[0]) == more else [shorter]


def _name_of(words: Sequence[Token], run: _Run) -> str:
    return " ".join(t.text for t in words[run.first : run.end])


def _quote_runs(raw: str, words: Sequence[Token], runs: Sequence[_Run]) -> str:
    for run in reversed(runs):
        first, last = words[run.first], words[run.end - 1]
        start = first.end - len(first.text)
        raw = f'{raw[:start]}"{_name_of(words, run)}"{raw[last.end :]}'
    return raw


def _ask_reading(before: str, raw: str, words: Sequence[Token], run: _Run) -> RuleError:
    """Return the refusal of a line that can be read in two ways, with both."""
    name = _name_of(words, run)
    one = _quote_runs(raw, words, [run]).strip()
    shorter = _quote_runs(raw, words, [_Run(run.first, run.end - 1)]).strip()
    reason = f'"{name}" is a name, and {words[run.end - 1].text} may be a number'
    return RuleError(reason, f"`{before}{shorter}`, or `{before}{one} …` for {name}", kind="ambiguous")
