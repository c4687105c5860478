"""What the terminal sends, sorted into keys, pastes and answers. Pure: times are arguments.

Whatever arrives, only a key becomes a key: pasted text never does, nor does an escape sequence nobody knows,
a broken one, or an answer to one of our own questions (.github/PROMISES.md, 6).
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct, field

from tui.ui.terminal.reports import Answered, Named, Pasted, Synchronizes

PASTE_BEGIN: Final = "\x1b[200~"
PASTE_END: Final = "\x1b[201~"

KEPT: Final = 65_536
"""Characters kept of one paste."""

UNFINISHED: Final = 1.0
"""Seconds of silence that end a paste whose end was lost."""

BROKEN: Final = 1.0
"""Seconds after which the beginning of a sequence is thrown away."""

FINGERS: Final = 25
"""Printable keys that fingers, or a held key after a hiccup, may bring within one BLINK."""

BLINK: Final = 0.05
"""Seconds in which more than FINGERS keys are a paste."""

HELD: Final = 4
"""Keys that arrive together from which on the parser waits a BLINK for more before it believes them."""

LULL: Final = 0.2
"""Seconds of silence that end a paste without brackets."""

SEQUENCES: Final = 64
"""Key sequences (arrows …) believed within one BLINK; the rest of a flood is dropped."""

WHOLE: Final = (
    r"\x1b(?:"
    r"\[\[[A-E]"  # function keys of the Linux console
    r"|\[\d+\$"  # shifted keys of rxvt
    r"|\[[0-?]*[ -/]*[@-Z\\-~]"  # CSI
    r"|O[ -~]"  # SS3
    r"|P[>0-9$+!][^\x07\x1b]*(?:\x07|\x1b\\)"  # DCS, when it looks like an answer
    r"|\][0-9][^\x07\x1b]*(?:\x07|\x1b\\)"  # OSC
    r"|(?![P\]](?:[>0-9$+!]|\Z))[^\x1b\[O]"  # alt and a key
    r")"
)
BEGUN: Final = r"\x1b(?:\[(?:\[|[0-?]*[ -/]*)|O|[P\]](?:[>0-9$+!][^\x07\x1b]*\x1b?)?)?\Z"
BROKEN_OFF: Final = r"\x1b(?:\[[0-?]*[ -/]*|O|[P\]][^\x07\x1b]*)?"
LETTERS: Final = r"(?s:[^\x00-\x1f\x7f-\x9f]+|[\r\n\t]+|.)"
LONGEST: Final = 512
"""Characters of an unfinished sequence; a longer one is broken."""

ANSWER: Final = "\x1b[0n"
INSIDE: Final = r"\x1b\[(?:0n|20[01]~)"
"""What is no part of a pasted text: an answer that fell into it, and brackets within brackets."""

ENDS: Final = "\r\n\t"
ALONE: Final = ("\x1b", "\x1bP", "\x1b]")
"""Beginnings that may be a whole key: escape, and alt with a letter that also opens a string."""

CONTROLS: Final = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"


class Key(Struct, frozen=True):
    """One character or one escape sequence that a key may have sent."""

    sequence: str


Token = Key | Pasted | Answered | Named | Synchronizes


def clean(text: str) -> str:
    """Pasted text without line ends of old and without any character that could steer a terminal."""
    return re.sub(CONTROLS, "\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def answer(sequence: str) -> Token | None:
    """What an answer of the terminal says, None for anything else."""
    if sequence == ANSWER:
        return Answered()
    if found := re.fullmatch(r"\x1b\[\?2026;([1-4])\$y", sequence):
        return Synchronizes() if found[1] != "4" else None
    if found := re.fullmatch(r"\x1bP>\|([ -~]{1,64}).*", sequence, re.DOTALL):
        return Named(found[1])
    return None


class Heap(Struct):
    """Text piled up to a bound, and a count of what fell off."""

    parts: list[str] = field(default_factory=list)
    kept: int = 0
    dropped: int = 0

    def add(self, text: str) -> None:
        """Keeps what fits."""
        fits = text[: KEPT - self.kept]
        if fits:
            self.parts.append(fits)
        self.kept += len(fits)
        self.dropped += len(text) - len(fits)

    def pasted(self, *, finished: bool = True, burst: bool = False) -> Pasted:
        """The paste as the app gets it."""
        text = clean("".join(self.parts))
        # One line and its Enter is what comes when somebody has typed ahead of a slow line.
        if burst and not self.dropped and text.count("\n") == 1 and text.endswith("\n"):
            return Pasted(text[:-1], 0, finished, burst, entered=True)
        return Pasted(text, self.dropped, finished, burst)


class InputParser:
    """Fed with decoded input; `deadline` says how long to wait, and `tick` is called when nothing came until then."""

    def __init__(self, escape_delay: float) -> None:
        self._escape_delay = escape_delay
        self._begun = ""  # the start of a sequence, or of a paste's end
        self._paste: Heap | None = None
        self._burst: Heap | None = None
        self._waiting: list[str] = []  # keys not believed yet
        self._since = 0.0  # when the first of them came
        self._recent: list[tuple[float, int]] = []  # when, and how many keys were let through
        self._last = 0.0  # when anything came
        self._quiet = 0.0  # how long nothing had come before that

    def feed(self, data: str, now: float) -> list[Token]:
        """Takes input that arrived at a time."""
        tokens = self.tick(now)
        self._quiet = now - self._last
        self._last = now
        data, self._begun = self._begun + data, ""
        while data:
            if self._paste is not None:
                data = self._in_paste(self._paste, data, tokens)
                continue
            before, begin, data = data.partition(PASTE_BEGIN)
            tokens += self._typed(before, now)
            if begin:
                tokens += self._let_go() + self._end_burst()
                self._begun, self._paste = "", Heap()
        return tokens

    def _in_paste(self, heap: Heap, data: str, tokens: list[Token]) -> str:
        """Piles up to the paste's end; what comes after it.

        The last end counts: one before it was in the text, put there to have the rest taken for keys.
        """
        text, end, rest = data.rpartition(PASTE_END)
        if not end:
            text, rest = rest, ""
            # The end may arrive cut in two: its beginning is kept back until the next read.
            keep = next((n for n in range(len(PASTE_END) - 1, 0, -1) if text.endswith(PASTE_END[:n])), 0)
            text, self._begun = text[: len(text) - keep], text[len(text) - keep :]
        # The terminal may answer in the middle of a paste, and the clock waits for it.
        tokens += [Answered()] * text.count(ANSWER)
        heap.add(re.sub(INSIDE, "", text) if heap.kept < KEPT else text)
        if end:
            tokens.append(heap.pasted())
            self._paste = None
        return rest

    def _typed(self, data: str, now: float) -> list[Token]:
        """Sorts input outside of brackets."""
        tokens: list[Token] = []
        keys: list[str] = []
        pieces, self._begun = _pieces(data)
        for piece in pieces:
            said = answer(piece)
            tokens += [said] if said is not None else []
            # The end of a paste that was given up for lost is no key.
            keys += [piece] if said is None and piece != PASTE_END else []
        if keys:
            tokens += self._keys(keys, now)
        return tokens

    def _keys(self, keys: list[str], now: float) -> list[Token]:
        """Believes keys, lets them wait for a blink, or takes them for a paste."""
        self._recent = [(when, count) for when, count in self._recent if now - when < BLINK]
        fresh = _printable(keys)
        near = fresh + _printable(self._waiting) + sum(count for _, count in self._recent)
        self._since = self._since if self._waiting else now
        self._waiting += keys
        if self._burst is None and fresh and near > FINGERS:
            self._burst, self._recent = Heap(), []
        if self._burst is not None and keys == ["\r"] and self._quiet >= BLINK:
            # Enter alone, and after a pause that no paste makes, is a finger's.
            tokens, self._waiting = self._end_burst(), []
            return [*tokens, Key("\r")]
        if self._burst is not None:
            self._burst.add("".join(piece for piece in self._waiting if _is_text(piece) or piece[0] in ENDS))
            self._waiting = []
            return []
        # Fingers bring one key at a time, so those who type never wait; only a burst is held back a BLINK.
        if fresh >= HELD or len(self._waiting) > len(keys):
            return []
        self._recent.append((now, fresh))
        return self._let_go()

    def _let_go(self) -> list[Token]:
        """Believes the keys that waited, but for a flood of sequences."""
        keys: list[Token] = []
        sequences = 0
        for piece in self._waiting:
            sequences += piece[0] == "\x1b"
            if piece[0] != "\x1b":
                keys += map(Key, piece)
            elif sequences <= SEQUENCES:
                keys.append(Key(piece))
        self._waiting = []
        return keys

    def _end_burst(self) -> list[Token]:
        heap, self._burst = self._burst, None
        return [] if heap is None else [heap.pasted(burst=True)]

    def deadline(self) -> float | None:
        """The time of the next `tick`, None when nothing is pending."""
        waits = (
            (self._paste is not None, self._last + UNFINISHED),
            (self._burst is not None, self._last + LULL),
            (bool(self._waiting), self._since + BLINK),
            (bool(self._begun) and self._paste is None, self._last + self._patience()),
        )
        return min((when for pending, when in waits if pending), default=None)

    def _patience(self) -> float:
        return self._escape_delay if self._begun in ALONE else BROKEN

    def tick(self, now: float) -> list[Token]:
        """Gives up waiting for what did not come in time."""
        tokens: list[Token] = []
        if self._paste is not None and now >= self._last + UNFINISHED:
            tokens.append(self._paste.pasted(finished=False))
            self._paste, self._begun = None, ""
        if self._waiting and now >= self._since + BLINK:
            tokens += self._let_go()
        if self._burst is not None and now >= self._last + LULL:
            tokens += self._end_burst()
        if self._begun and self._paste is None and now >= self._last + self._patience():
            # Half a sequence says nothing about which key it was: it is dropped and not guessed at.
            tokens += [Key(self._begun)] if self._begun in ALONE else []
            self._begun = ""
        return tokens


def _is_text(piece: str) -> bool:
    return piece[0] > "\x1f" and piece[0] != "\x7f"


def _printable(pieces: list[str]) -> int:
    return sum(len(piece) for piece in pieces if _is_text(piece))


def _pieces(data: str) -> tuple[list[str], str]:
    """Cuts input into runs of text, runs of line ends, controls and whole sequences.

    The beginning of a sequence at the end is returned apart. Broken sequences and C1 controls, which no key
    sends, fall out.
    """
    pieces: list[str] = []
    at = 0
    while at < len(data):
        found = re.compile(WHOLE if data[at] == "\x1b" else LETTERS).match(data, at)
        if found is None:
            if re.compile(BEGUN).match(data, at):
                return pieces, data[at:] if len(data) - at <= LONGEST else ""
            found = re.compile(BROKEN_OFF).match(data, at)
        assert found is not None
        if found[0] == "\x1b" or (found.re.pattern != BROKEN_OFF and not "\x7f" < found[0][0] <= "\x9f"):
            pieces.append(found[0])
        at = found.end()
    return pieces, ""
