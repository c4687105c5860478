"""Read and write the parts of a line: a slot is one value of an action, a syntax is all slots in order."""

from __future__ import annotations

import re
from itertools import islice, takewhile
from typing import Final, Literal

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.text import SUITS
from tui.core.language.tokens import Token, key_table, pairs, quote, scan
from tui.core.language.values import read_choice, read_int


class Reading:
    """The words and keys after a verb, which slots take one after the other.

    Raises RuleError for an open quote.

    `most`: the number of tokens before a free text; None if the line has no free text.
    """

    def __init__(self, verb: str, raw: str, usage: str, most: int | None = None) -> None:
        self.verb, self.usage = verb, usage
        self.taken: list[str] = []
        self.joins = False
        """Whether a slot takes names of several words without quotes."""
        # The scan goes no further than needed: a free text after the fields may hold quotes that are never
        # closed.
        self.left: list[Token] = list(islice(scan(raw), most))
        self.tail = raw[self.left[-1].end if self.left else 0 :].strip() if most is not None else ""

    def words(self) -> list[Token]:
        """Return the words that are left."""
        return [t for t in self.left if not t.key]

    def take(self, label: str) -> str:
        """Remove and return the next word. Raises RuleError if none is left, or if it is empty."""
        tokens = self.words()
        if not tokens or not tokens[0].text:
            raise self.lacks(label)
        self.left.remove(tokens[0])
        self.taken.append(tokens[0].text)
        return tokens[0].text

    def rest(self) -> list[str]:
        """Remove and return all words that are left."""
        return [t.text for t in self.rest_tokens()]

    def rest_tokens(self) -> list[Token]:
        """Remove and return all words that are left, with what is known of their quotes."""
        tokens = self.words()
        self.left = [t for t in self.left if t.key]
        return tokens

    def keys(self) -> dict[str, str]:
        """Remove and return all `key=value` that are left, in order.

        Raises RuleError for a key that occurs twice.
        """
        result = key_table(self.left, self.verb)
        self.left = self.words()
        return result

    def key(self, name: str) -> str:
        """Remove a key and return its value; "" if it is missing. Raises RuleError if its value is empty."""
        result = key_table(self.left, self.verb).get(name)
        if result is not None and not result.strip():
            # Leaving the key out has a meaning, such as no saving throw: an empty value must not be taken for
            # that.
            raise RuleError(f"{self.verb}: {name}= has no value", f"give it one, or leave {name}= out")
        result = result or ""
        self.left = [t for t in self.left if t.key != name]
        return result

    def lacks(self, what: str, hint: str = "") -> RuleError:
        """Return the refusal of a line in which something is missing."""
        return RuleError(f"{self.verb}: {what} is missing", hint or self.usage)

    def done(self) -> None:
        """Raise RuleError if a word or a key is left."""
        if not self.left:
            return
        first = self.left[0]
        if first.key:
            raise RuleError(f"{self.verb} has no key {first.key}=", self.usage)
        quotes = "" if self.joins else 'a name of two words takes quotes, "Orc 1"'
        hint = "; ".join(x for x in (self.usage, quotes if " " in self.usage else "") if x)
        if "key=value" in self.usage and first.text.isalpha():
            value = f"a key its value, {first.text}=…" if quotes else f"a key takes its value, {first.text}=…"
            hint = f"{', '.join(x for x in (quotes, value) if x)}; {self.usage}"
        raise RuleError(f"{self.verb}: one word too many, {quote(first.text)}", hint)


Takes = Literal[
    "", "who", "roller", "saver", "writer", "picked", "actor", "bearer", "condition", "carried", "endable",
    "kept", "counter", "attack", "effect", "group", "side", "attributes", "options", "form", "creature",
    "party", "fight",
]  # fmt: skip
"""The kind of words that completion offers for a slot; "" for none."""

PAIR_WORDS = 2
"""The number of words in a key and its value that were written without `=`."""

MOST_CALLED = 999_999_999
"""The largest number that a face or a total may be, up or down."""
MOST_STEPS = 999_999_999

LEAST_TOTAL, MOST_TOTAL = -99, 999
"""The least and the highest total that may be called at the table."""
_TOTAL = r"[+-]?[0-9]+"


class Slot(Struct, frozen=True):
    """One part of a line, for the attribute `name` of the action."""

    name: str
    label: str = ""
    """The name of the slot in the usage, such as `WHO`."""
    takes: Takes = ""
    """The kind of words that completion offers for the slot."""

    @property
    def usage(self) -> str:
        """The slot's part of the usage."""
        return self.label

    def read(self, line: Reading) -> object:
        """Remove the slot's tokens from the line and return their value. Raises RuleError."""
        raise NotImplementedError

    def write(self, value: object) -> list[str]:
        """Return the tokens that `read` turns into this value; none for an empty value."""
        return [quote(str(value))] if value else []


class Word(Slot, frozen=True):
    """A word, or one of `choices`; an `optional` one may be missing and is "" then."""

    choices: tuple[str, ...] = ()
    optional: bool = False

    @property
    def usage(self) -> str:
        """The slot's part of the usage, in brackets if it may be missing."""
        return f"[{self.label}]" if self.optional else self.label

    def read(self, line: Reading) -> object:
        """Return the word, or the choice that it begins. Raises RuleError."""
        if self.optional and not line.words():
            return ""
        text = line.take(self.label)
        return read_choice(text, self.choices, line.verb) if self.choices else text

    def write(self, value: object) -> list[str]:
        """Return the word, in quotes if it needs them."""
        return [] if self.optional and not value else [quote(str(value))]


class WholeRest(Word, frozen=True):
    """A name: all words that are left."""

    def read(self, line: Reading) -> object:
        """Return the words as one name. Raises RuleError if there is none."""
        return " ".join([line.take(self.label), *line.rest()])


class Number(Slot, frozen=True):
    """A whole number; one with a `default` may be missing."""

    least: int = 0
    most: int = MOST_STEPS
    default: int | None = None

    @property
    def usage(self) -> str:
        """The slot's part of the usage, in brackets if it may be missing."""
        return self.label if self.default is None else f"[{self.label}]"

    def read(self, line: Reading) -> object:
        """Return the number. Raises RuleError if it is out of bounds."""
        if self.default is not None and not line.words():
            return self.default
        return read_int(line.take(self.label), line.verb, self.least, self.most)

    def write(self, value: object) -> list[str]:
        """Return the number, unless it is the default."""
        return [] if value == self.default else [str(value)]


class Faces(Slot, frozen=True):
    """Any number of dice faces: as numbers, or as names that only the rules know."""

    def read(self, line: Reading) -> object:
        """Return all faces that are left, numbers as int and names as text. Raises RuleError."""
        title, words = f"{line.verb}: a face", line.rest()
        names = {word for word in words if any(map(str.isalpha, word.translate(SUITS)))}
        return [word if word in names else read_int(word, title, -MOST_CALLED, MOST_CALLED) for word in words]

    def write(self, value: object) -> list[str]:
        """Return the faces, names in quotes if they need them."""
        return [quote(str(face)) for face in value] if isinstance(value, tuple) else []


class Names(Slot, frozen=True):
    """One or more names; `none` for no name."""

    def read(self, line: Reading) -> object:
        """Return all names that are left; none for `none`. Raises RuleError without a word."""
        texts = line.rest()
        if not texts:
            raise line.lacks("a name", f"`{line.verb} none` names nobody")
        # `none` is a word of its own, because an empty value is more often a slip than a choice.
        return [] if [word.lower() for word in texts] == ["none"] else texts

    def write(self, value: object) -> list[str]:
        """Return the names, or `none`."""
        return [quote(name) for name in value] if isinstance(value, tuple) and value else ["none"]


class Several(Names, frozen=True):
    """One or more names."""

    def read(self, line: Reading) -> object:
        """Return all names that are left. Raises RuleError if there is none."""
        result = line.rest()
        if not result or not all(result):
            raise line.lacks("a name")
        return result


class Totals(Slot, frozen=True):
    """One or more names, each with its total, or with the totals of all that it names."""

    def read(self, line: Reading) -> object:
        """Return a pair for each total, in the order of the line. Raises RuleError."""
        words = line.rest_tokens()
        if not words:
            raise line.lacks("a name")
        result: list[tuple[str, int]] = []
        name = ""
        for token in words:
            word = token.text
            if name and not token.quoted and re.fullmatch(_TOTAL, word):
                result.append((name, read_int(word, f"{line.verb} {quote(name)}", LEAST_TOTAL, MOST_TOTAL)))
                continue
            if not word:
                raise line.lacks("a name")
            if name and (not result or result[-1][0] != name):
                # Two words in a row: the second is no number, so it is refused as one.
                read_int(word, f"{line.verb} {quote(name)}", LEAST_TOTAL, MOST_TOTAL)
            name = word
        if not result or result[-1][0] != name:
            raise line.lacks(f"the total of {quote(name)}")
        return result

    def write(self, value: object) -> list[str]:
        """Return the names, each followed by its total; a name that is a number in quotes."""
        result = list[str]()
        for name, n in value if isinstance(value, tuple) else ():
            result += [f'"{name}"' if re.fullmatch(_TOTAL, name) else quote(name), str(n)]
        return result


class Text(Slot, frozen=True):
    """The words that are left, joined with spaces; "" for none."""

    def read(self, line: Reading) -> object:
        """Return the words as one text."""
        return " ".join(line.rest())


class Tail(Slot, frozen=True):
    """The end of the line unchanged, quotes included; after the word `after` it may be missing."""

    after: str = ""

    @property
    def usage(self) -> str:
        """The slot's part of the usage, in brackets if it may be missing."""
        return f"[{self.after} {self.label}]" if self.after else self.label

    def read(self, line: Reading) -> object:
        """Return the free text, "" if it is missing after `after`.

        Raises RuleError for a missing or wrong word.
        """
        word, _, text = line.tail.partition(" ") if self.after else ("", "", line.tail)
        if self.after and word and word.lower() != self.after:
            raise RuleError(f"{line.verb}: one word too many, {quote(word)}", line.usage)
        if not self.after and not text:
            raise line.lacks("the text")
        return text.strip()

    def write(self, value: object) -> list[str]:
        """Return the text unchanged."""
        return [*([self.after] if self.after else []), str(value)] if value else []


class KeyValue(Slot, frozen=True):
    """One `key=value`, whose key is the name of the field of the action; "" if it is missing."""

    choices: tuple[str, ...] = ()
    word: str = ""
    """The key, if it is not the name of the field; "" if it is."""

    @property
    def key(self) -> str:
        """The key as it is typed."""
        return self.word or self.name

    @property
    def usage(self) -> str:
        """The slot's part of the usage: `[key=value]` or `[key=one|other]`."""
        return f"[{self.key}={'|'.join(self.choices) or self.label}]"

    def read(self, line: Reading) -> object:
        """Return the value, or the choice that it begins. Raises RuleError."""
        text = line.key(self.key)
        return read_choice(text, self.choices, f"{line.verb}: {self.key}=") if text and self.choices else text

    def write(self, value: object) -> list[str]:
        """Return the key with its value."""
        return pairs({self.key: str(value)}) if value else []


_LONG_USAGE: Final = 130  # characters: a refusal also needs room to say what was wrong
_KINDS = (
    "acid bleed bludgeoning cold electricity fire force lightning mental necrotic negative piercing poison "
    "positive psychic radiant slashing sonic spirit thunder vitality void"
)
KINDS_OF_DAMAGE = frozenset(_KINDS.split())
"""Kinds of damage that may follow an amount without `type=`."""


class Kind(KeyValue, frozen=True):
    """A kind of damage: by its key, or as one of KINDS_OF_DAMAGE."""

    def read(self, line: Reading) -> object:
        """Return the kind, "" for none."""
        value = super().read(line)
        words = line.words()
        if not value and words and not words[0].quoted and words[0].text.lower() in KINDS_OF_DAMAGE:
            return line.take(self.label).lower()
        return value


class Flag(Slot, frozen=True):
    """A `key=yes`, with the name of the attribute as key."""

    @property
    def usage(self) -> str:
        """The slot's part of the usage: `[key=yes]`."""
        return f"[{self.name}=yes]"

    def read(self, line: Reading) -> object:
        """Return True for `yes`, False for `no` or if the key is missing.

        Raises RuleError for any other value.
        """
        text = line.key(self.name)
        return bool(text) and read_choice(text, ("yes", "no"), f"{line.verb}: {self.name}=") == "yes"

    def write(self, value: object) -> list[str]:
        """Return `key=yes` if the flag is set, else nothing."""
        return [f"{self.name}=yes"] if value else []


class Pairs(Slot, frozen=True):
    """All `key=value` that are left; at least `least` of them."""

    least: int = 0

    @property
    def usage(self) -> str:
        """The slot's part of the usage, in brackets if no key is needed."""
        return f"{self.label}…" if self.least else f"[{self.label}…]"

    def read(self, line: Reading) -> object:
        """Return the keys with their values. Raises RuleError for fewer than `least`."""
        result = line.keys()
        if len(result) < self.least:
            words = [t.text for t in line.words()]
            before = " ".join([line.verb, *map(quote, line.taken)])
            hint = f"`{before} {words[0]}={quote(words[1])}`" if len(words) == PAIR_WORDS else line.usage
            raise line.lacks(self.label, hint)
        return result

    def write(self, value: object) -> list[str]:
        """Return the keys with their values."""
        return pairs(value) if isinstance(value, dict) else []


WHO = Word("who", "WHO", "who")
LONG_NAME = WholeRest("name", "NAME")
AMOUNT = Word("amount", "N")


class Syntax(Struct, frozen=True):
    """The form of a line with one verb: the verb, its slots, and a help text."""

    verb: str
    """The word that begins the line."""
    slots: tuple[Slot, ...]
    """The parts after the verb, in order."""
    help: str
    """A few words that say what the verb does, in the third person."""

    @property
    def usage(self) -> str:
        """The whole line as people write it, such as `temp WHO N`."""
        return " ".join([self.verb, *(slot.usage for slot in self.slots if slot.usage)])

    @property
    def brief(self) -> str:
        """The usage for a refusal: if it is long, only the names of its keys."""
        if len(self.usage) <= _LONG_USAGE:
            return self.usage
        words = [slot.usage for slot in self.slots if slot.usage and "=" not in slot.usage]
        keys = [f"{slot.name}=" for slot in self.slots if "=" in slot.usage]
        return f"{' '.join([self.verb, *words])} [{' '.join(keys)}]"

    def read(self, raw: str) -> dict[str, object]:
        """Return the values of all slots by name, from the text after the verb. Raises RuleError."""
        free = next((i for i, slot in enumerate(self.slots) if isinstance(slot, Tail)), None)
        line = Reading(self.verb, raw, self.brief, free)
        result = {slot.name: slot.read(line) for slot in self.slots}
        line.done()
        return result

    def write(self, action: object) -> str:
        """Return the line that reads as this action."""
        return " ".join(
            [self.verb, *(t for slot in self.slots for t in slot.write(getattr(action, slot.name)))]
        )


COUNT = r"(?i)[0-9]+|[0-9]*d[0-9]+([+-][0-9]+)?"
"""The pattern of a number of creatures before a name: digits or dice."""

_MOD = r"[+-][0-9]{1,3}"
_AC = r"(?i)ac(-?[0-9]{1,3})"
_N_OF_MOST = r"([0-9]{1,9})/([0-9]{1,9})"
_HP = r"(?i)[0-9].*|d[0-9].*"
_VALUE = r"(?i)[+-]?[0-9].*|d[0-9].*|ac-?[0-9]{1,3}|=.*"
"""The pattern of a word that ends a new name: a modifier, hit points, an armour class, or a slip."""
HIDDEN = "hidden"


class NewName(Word, frozen=True):
    """The name of a new creature: everything before its values. A number without quotes is refused."""

    def read(self, line: Reading) -> object:
        """Return the name. Raises RuleError."""
        tokens = line.words()
        bare = bool(tokens) and not tokens[0].quoted
        if bare and tokens[0].text[:1].isdigit() and re.fullmatch(COUNT, tokens[0].text):
            raise line.lacks(self.label, f"`{line.verb} {tokens[0].text} Orc`")
        if bare and len(tokens) > 1 and re.fullmatch(_MOD, tokens[0].text):
            counted = f"{line.verb} {abs(int(tokens[0].text)) or 1} {quote(tokens[1].text)}"
            one = f"`{counted}`; a modifier comes after the name"
            raise RuleError(f"{line.verb}: {tokens[0].text} is not a number of creatures", one)
        first = line.take(self.label)
        return first if tokens[0].quoted else " ".join([first, *self._take_others(line, tokens[0])])

    def _take_others(self, line: Reading, first: Token) -> list[str]:
        """Remove and return the words of the name after the first one."""
        line.joins = True
        after = [t for t in line.left if t.end > first.end]
        name = list(takewhile(lambda t: not (t.key or t.quoted or re.fullmatch(_VALUE, t.text)), after))
        # `hidden` is part of a name only if more of the name follows.
        if name and name[-1].text.lower() == HIDDEN:
            name.pop()
        line.left = [t for t in line.left if t not in name]
        return [t.text for t in name]

    def write(self, value: object) -> list[str]:
        """Return the name, in quotes if it could be read as a number or as several values."""
        plain = quote(str(value))
        return [f'"{plain}"' if re.fullmatch(rf"{COUNT}|{_MOD}|[^\"]*,[^\"]*|\W", plain) else plain]


class Count(Slot, frozen=True):
    """A number or dice before a name; "" if it is missing."""

    def fits(self, token: Token) -> bool:
        """Return whether this token is a number of creatures: digits or dice without quotes."""
        return not token.quoted and bool(re.fullmatch(COUNT, token.text))

    def read(self, line: Reading) -> object:
        """Return the number or dice as written; "" if the first word is not a number or the only word."""
        tokens = line.words()
        first = tokens[0] if len(tokens) > 1 else None
        # A number alone is left for the slot of the name, which then says that `add 5` lacks a name.
        return line.take(self.label) if first and self.fits(first) else ""


class Bare(Slot, frozen=True):
    """Whether a number of hit points is all that is left; it stays for `Shorthand`."""

    def read(self, line: Reading) -> object:
        """Return whether the only token left is such a number."""
        token = line.left[0] if len(line.left) == 1 else Token("", "key")
        is_word = not token.key and not token.quoted and "/" not in token.text
        return is_word and bool(re.fullmatch(_HP, token.text))

    def write(self, value: object) -> list[str]:  # noqa: ARG002
        """Return nothing: the syntax writes the hit points."""
        return []


class Shorthand(Slot, frozen=True):
    """`+MOD`, `HP`, `HP/MAX`, `acAC` and `hidden` after a name; all but the modifier become keys."""

    def read(self, line: Reading) -> object:
        """Return the modifier as it is written; "" for none. Raises RuleError for two of them."""
        result = points = ""
        for token in [t for t in line.words() if not t.quoted]:
            # The token keeps its position in the line: dice are rolled key by key, in the order of the line.
            at = line.left.index(token)
            if re.fullmatch(_MOD, token.text):
                if result:
                    raise RuleError(f"{line.verb}: {result} and {token.text} are two modifiers", line.usage)
                result = token.text
                del line.left[at]
            elif m := re.fullmatch(_N_OF_MOST, token.text):
                line.left[at : at + 1] = [Token(m[1], "hp", token.end), Token(m[2], "max_hp", token.end)]
            elif token.text.lower() == HIDDEN:
                line.left[at] = Token("yes", HIDDEN, token.end)
            elif m := re.fullmatch(_AC, token.text):
                line.left[at] = Token(m[1], "ac", token.end)
            elif re.fullmatch(_HP, token.text):
                if points:
                    both = f"{points} and {token.text.rstrip(',')}"
                    raise RuleError(f"{line.verb}: {both} are both hit points", "write ac15 for armour class")
                points = token.text.rstrip(",")
                line.left[at] = Token(token.text, "hp", token.end)
        return result
