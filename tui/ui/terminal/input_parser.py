"""Parse the terminal's input into keys, pastes and answers. Times are arguments.

Bytes are keys, in whatever packets they arrive; only text between the brackets of a paste is a paste. The
tokens depend on the bytes alone, wherever they are cut, unless a pause is longer than the patience. No answer
to one of our questions becomes a key, nor does half a sequence or an unknown one (.github/PROMISES.md, 6).
Escape before a character is two keys: typed ahead on a slow line both arrive at once, and alt types nothing
here.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct, field


class Started(Struct, frozen=True):
    """The terminal is ours. `linefeed` says that line feeds reach it without an added carriage return."""

    linefeed: bool


class Stopped(Struct, frozen=True):
    """The terminal was restored, for good or until the next `Started`."""


class Resized(Struct, frozen=True):
    """The terminal may have a new size; its contents are unknown."""

    width: int
    height: int


class Answered(Struct, frozen=True):
    """The terminal has answered `CSI 5 n`: it has processed everything sent before."""


class Named(Struct, frozen=True):
    """The terminal has reported its name and version (XTVERSION)."""

    program: str


class Synchronizes(Struct, frozen=True):
    """The terminal knows synchronized output (mode 2026)."""


class Pasted(Struct, frozen=True):
    """Text pasted in brackets."""

    text: str
    """The pasted text, at most `MOST_PASTED` characters."""
    dropped: int = 0
    """How many characters beyond `MOST_PASTED` were dropped."""


class HungUp(Struct, frozen=True):
    """Standard input has ended, or the terminal was closed."""


Report = Started | Stopped | Resized | Answered | Named | Synchronizes | Pasted | HungUp

ESCAPE: Final = "\x1b"
PASTE_BEGIN: Final = "\x1b[200~"
PASTE_END: Final = "\x1b[201~"
ANSWER: Final = "\x1b[0n"

MOST_PASTED: Final = 65_536
"""The most characters kept of one paste."""

PASTE_SECONDS: Final = 1.0
"""Seconds of silence that end a paste if the sequence that ends it was lost."""

KEY_SECONDS: Final = 1.0
"""Seconds of silence after which the beginning of a sequence is dropped.

They are longer than the escape delay, because the characters that come later would be run as commands. An
answer that does not end in that time is dropped, too.
"""

MOST_SEQUENCE: Final = 512
"""The most characters of a sequence; a longer one is skipped to its end."""

TOO_LONG: Final = rf"([0-?]{{{MOST_SEQUENCE}}})[0-?]+|([ -/]{{{MOST_SEQUENCE}}})[ -/]+"

KEY: Final = (
    r"\x1b(?:"
    r"\[\[[A-E]"  # function keys of the Linux console
    r"|\[\d+\$"  # shifted keys of rxvt
    r"|\[[0-?]*[ -/]*[@-Z\\-~]"  # CSI
    r"|O[A-DFHMP-Sa-dj-y]"  # SS3, as far as keys send it
    r")"
)
KEY_BEGUN: Final = r"\x1b(?:O|\[(?:\[|[0-?]*[ -/]*))\Z"

STRING: Final = r"\x1b(?:P(?:>\||!\||[01][$+]r)|\][0-9]{1,5};|_G)"
"""Matches the beginning of the strings in which terminals answer (DCS, OSC, APC).

ESC P, ] or _ before anything else are two keys.
"""

STRING_BEGUN: Final = r"\x1b(?:P(?:[>!]|[01][$+]?)?|\][0-9]{0,5}|_)?\Z"
BODY: Final = r"[^\x00-\x1f\x7f\x9c]*"

BROKEN_SEQUENCE: Final = r"\x1b\[(?:\[|[0-?]+[ -/]*|[ -/]+)"
"""Matches the beginning of a sequence that was cut off, and that cannot be two keys."""

IN_PASTE: Final = r"\x1b\[(?:0n|20[01]~)"
"""Matches sequences that are not part of a pasted text: an answer in the middle, and brackets of a paste."""
IN_PASTE_BEGUN: Final = r"\x1b(?:\[(?:0|2(?:0[01]?)?)?)?\Z"

CONTROLS: Final = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"


class Key(Struct, frozen=True):
    """One character or one escape sequence that a key may have sent."""

    sequence: str


Token = Key | Pasted | Answered | Named | Synchronizes


def clean(text: str) -> str:
    """Return pasted text with plain line ends, and U+FFFD for characters that could control a terminal."""
    return re.sub(CONTROLS, "\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def token_of(sequence: str) -> Token | None:
    """Return the token of a complete escape sequence.

    Return None for the end of a paste that has already ended.
    """
    if sequence == ANSWER:
        return Answered()
    if match := re.fullmatch(r"\x1b\[\?2026;([0-4])\$y", sequence):
        return Synchronizes() if match[1] in "123" else None
    return None if sequence == PASTE_END else Key(sequence)


class PasteText(Struct):
    """The text of a paste, at most `MOST_PASTED` characters, and the number of characters dropped."""

    parts: list[str] = field(default_factory=list)
    kept: int = 0
    dropped: int = 0

    def add(self, text: str) -> None:
        """Append text; what exceeds `MOST_PASTED` is counted as dropped."""
        fits = text[: MOST_PASTED - self.kept]
        if fits:
            self.parts.append(fits)
        self.kept += len(fits)
        self.dropped += len(text) - len(fits)

    def pasted(self) -> Pasted:
        """Return the paste as a token."""
        return Pasted(clean("".join(self.parts)), self.dropped)


class InputParser:
    """Parses decoded input into tokens.

    If no more input comes, `tick` must be called at the time `deadline`.
    """

    def __init__(self, escape_delay: float) -> None:
        self._escape_delay = escape_delay
        self._begun = ""  # the start of a sequence
        self._string: str | None = None  # the beginning of a string whose end has not come
        self._since = 0.0  # when that string began
        self._paste: PasteText | None = None
        self._last = 0.0  # when anything came

    def feed(self, data: str, now: float) -> list[Token]:
        """Return the tokens of input that arrived at the time `now`."""
        tokens = self.tick(now)
        self._last = now
        data, self._begun = self._begun + data, ""
        at = 0
        while at < len(data):
            if self._paste is not None:
                at = self._in_paste(self._paste, data, at, tokens)
            elif self._string is not None:
                at = self._in_string(self._string, data, at, tokens)
            elif data[at] == ESCAPE:
                at = self._escaped(data, at, tokens)
            else:
                # C1 controls are sent by no key.
                tokens += [] if "\x80" <= data[at] <= "\x9f" else [Key(data[at])]
                at += 1
        return tokens

    def _escaped(self, data: str, at: int, tokens: list[Token]) -> int:
        """Parse the sequence that begins with the escape at index `at`; return the index after it."""
        if match := re.compile(KEY).match(data, at):
            if match[0] == PASTE_BEGIN:
                self._paste = PasteText()
            elif len(match[0]) <= MOST_SEQUENCE and (token := token_of(match[0])) is not None:
                tokens.append(token)
            return match.end()
        if match := re.compile(STRING).match(data, at):
            self._string, self._since = match[0], self._last
            return match.end()
        if match := re.compile(f"{KEY_BEGUN}|{STRING_BEGUN}").match(data, at):
            # Text beyond the bound is skipped: the whole stays too long to be a key.
            self._begun = re.sub(TOO_LONG, r"\1\2", match[0])
            return match.end()
        if match := re.compile(BROKEN_SEQUENCE).match(data, at):
            return match.end()
        tokens.append(Key(ESCAPE))
        return at + 1

    def _in_string(self, string: str, data: str, at: int, tokens: list[Token]) -> int:
        """Read on in an answer string to its end, or to a control character that ends it early.

        Return the index after it.
        """
        body = re.compile(BODY).match(data, at)
        assert body is not None  # it may be empty
        end = body.end()
        self._string = string = (string + data[at:end])[: MOST_SEQUENCE + 1]
        if end == len(data):
            return end
        if data[end:] == ESCAPE:
            self._begun = ESCAPE
            return len(data)
        self._string = None
        terminator = 2 if data.startswith("\x1b\\", end) else int(data[end] in "\x07\x9c")
        if (
            terminator
            and len(string) <= MOST_SEQUENCE
            and (match := re.match(r"\x1bP>\|([ -~]{1,64})", string))
        ):
            tokens.append(Named(match[1]))
        return end + terminator

    def _in_paste(self, paste: PasteText, data: str, at: int, tokens: list[Token]) -> int:
        """Read on in a paste to its end or to an answer inside; return the index after that."""
        if match := re.compile(IN_PASTE).search(data, at):
            paste.add(data[at : match.start()])
            if match[0] == PASTE_END:
                tokens.append(paste.pasted())
                self._paste = None
            elif match[0] == ANSWER:
                # The terminal may answer in the middle of a paste, and the clock waits for it.
                tokens.append(Answered())
            return match.end()
        # An end that arrives cut in two is kept until the rest is there.
        begun = re.compile(IN_PASTE_BEGUN).search(data, at)
        self._begun = begun[0] if begun else ""
        paste.add(data[at : len(data) - len(self._begun)])
        return len(data)

    def deadline(self) -> float | None:
        """Return the time of the next `tick`, None if nothing is pending."""
        if self._paste is not None:
            return self._last + PASTE_SECONDS
        if self._string is not None:
            return min(self._last + self._escape_delay, self._since + KEY_SECONDS)
        return self._last + self._patience() if self._begun else None

    def _patience(self) -> float:
        """Return how many seconds to wait for the rest of a sequence."""
        return KEY_SECONDS if self._begun[1:2] in ("[", "O") else self._escape_delay

    def tick(self, now: float) -> list[Token]:
        """Return the tokens of pending input, if its time is up."""
        if self._paste is not None:
            if now < self._last + PASTE_SECONDS:
                return []
            paste, self._paste, self._begun = self._paste, None, ""
            return [paste.pasted()]
        if self._string is not None and now >= min(
            self._last + self._escape_delay, self._since + KEY_SECONDS
        ):
            # An answer that was broken off means nothing; an escape after it is a key as any other.
            self._string = None
        if self._begun and self._string is None and now >= self._last + self._patience():
            begun, self._begun = self._begun, ""
            # Half a sequence does not say which key it was; but what may be two keys is two.
            return [] if re.match(BROKEN_SEQUENCE, begun) else [Key(letter) for letter in begun]
        return []


Typed = tuple[str, str]
"""The name of a key, and the character that it types, "" for none."""

KEY_CONTROLS: Final = {
    "\r": "enter", "\t": "tab", "\x08": "backspace", "\x7f": "backspace", "\x1b": "escape", "\x00": "ctrl+@",
    "\x1c": "ctrl+backslash", "\x1d": "ctrl+right_square_bracket", "\x1e": "ctrl+circumflex_accent",
    "\x1f": "ctrl+underscore",
}  # fmt: skip
"""Names of single control characters; all others are ctrl and a letter."""

WHOLE_KEYS: Final = {
    "\x1b[Z": "shift+tab", "\x1b[~": "shift+tab", "\x1bOM": "enter",
    "\x1b[a": "shift+up", "\x1b[b": "shift+down", "\x1b[c": "shift+right", "\x1b[d": "shift+left",
    "\x1bOa": "ctrl+up", "\x1bOb": "ctrl+up", "\x1bOc": "ctrl+right", "\x1bOd": "ctrl+left",
    "\x1b[7$": "shift+home", "\x1b[8$": "shift+end", "\x1b[7^": "ctrl+end", "\x1b[8^": "ctrl+home",
    "\x1b[5A": "ctrl+up", "\x1b[5B": "ctrl+down", "\x1b[5C": "ctrl+right", "\x1b[5D": "ctrl+left",
    "\x1b[2;7~": "", "\x1b[2;8~": "", "\x1b[5;7~": "", "\x1b[5;8~": "", "\x1b[6;7~": "", "\x1b[6;8~": "",
}  # fmt: skip
"""Names of sequences that follow no rule; "" for a sequence that is ignored."""

KEY_LETTERS: Final = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
FUNCTIONS: Final = {"P": "f1", "Q": "f2", "R": "f3", "S": "f4"}
NUMBERS: Final = {
    1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end",
    11: "f1", 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10",
    23: "f11",
    24: "f12",
}  # fmt: skip
KEYPAD: Final = dict(zip("jkmnopqrstuvwxy", "*+-./0123456789", strict=True))

MODIFIERS: Final = {"2": "shift+", "5": "ctrl+", "6": "ctrl+shift+"}
RXVT: Final = {"$": "2", "^": "5"}
"""The modifier number for the last character of rxvt's sequences: shift, ctrl."""

WITH_ALT: Final = {"3": "", "4": "shift+", "7": "ctrl+", "8": "ctrl+shift+", "9": ""}
"""The prefix of a key's name by modifier number with alt; escape is reported as a key before it."""

_CURSOR: Final = r"\x1b(?:\[(?:1;(?P<how>\d))?|O)(?P<letter>[A-DFHP-S])"
_NUMBERED: Final = r"\x1b\[(?P<number>\d+)(?:;(?P<how>\d))?(?P<end>[~$^])"
_CONSOLE: Final = r"\x1b\[\[([A-E])"


def keys(sequence: str) -> list[Typed]:
    """Return the keys of a character or a sequence, [] for an unknown one."""
    if len(sequence) == 1:
        return _character(sequence)
    if sequence in WHOLE_KEYS:
        return [(WHOLE_KEYS[sequence], "")] if WHOLE_KEYS[sequence] else []
    if match := re.fullmatch(_CURSOR, sequence):
        return _name_typed(KEY_LETTERS.get(match["letter"]) or FUNCTIONS[match["letter"]], match["how"])
    if match := re.fullmatch(_NUMBERED, sequence):
        return _name_typed(NUMBERS.get(int(match["number"]), ""), match["how"] or RXVT.get(match["end"]))
    if match := re.fullmatch(_CONSOLE, sequence):
        return [(f"f{'ABCDE'.index(match[1]) + 1}", "")]
    if sequence.startswith("\x1bO") and sequence[2:] in KEYPAD:
        return _character(KEYPAD[sequence[2:]])
    return []


def _character(character: str) -> list[Typed]:
    if character == " ":
        return [("space", " ")]
    if character.isprintable():
        return [(character, character)]
    if character in KEY_CONTROLS:
        return [(KEY_CONTROLS[character], "")]
    return [(f"ctrl+{chr(ord(character) + 96)}", "")] if ord(character) < 32 else []


def _name_typed(name: str, modifiers: str | None) -> list[Typed]:
    if not name:
        return []
    if not modifiers or modifiers in MODIFIERS:
        return [(MODIFIERS.get(modifiers or "", "") + name, "")]
    return [("escape", ""), (WITH_ALT[modifiers] + name, "")] if modifiers in WITH_ALT else []
