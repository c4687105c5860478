"""YAML as plain data, from its events: no tags, no anchors, no dates, bounded in depth. A stranger's file runs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

DEPTH = 40
MOST_VALUES = 200_000

_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_REAL = re.compile(r"[-+]?[0-9]{1,17}\.[0-9]{1,17}(?:[eE][-+]?[0-9]{1,2})?")
_WORDS: dict[str, Any] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


class BadYaml(ValueError):  # noqa: N818 - the word of the message
    """What is wrong with a YAML file; `line` from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message, self.line = message, line


class UntakenYaml(BadYaml):
    """It is YAML, and more than is taken: anchors, too many values, too deep."""


def documents(text: str) -> list[Any]:
    """The documents of a file, as dicts, lists, texts and numbers. Raises BadYaml."""
    import yaml

    # The parser in C, where there is one, is ten times as fast; both stop at events, where nothing is made yet.
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _built(yaml.parse(text, Loader=loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BadYaml(str(error.problem or error.context), mark.line + 1 if mark else 0) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if isinstance(error, BadYaml):
            raise
        raise BadYaml("this is no YAML", 0) from None


class _Level:
    """A list or a table that is being filled."""

    def __init__(self, value: list[Any] | dict[str, Any]) -> None:
        self.value = value
        self.key: str | None = None

    def put(self, value: Any) -> None:
        """The next item, or a key and then what stands at it."""
        if isinstance(self.value, list):
            self.value.append(value)
        elif self.key is None:
            self.key = value if isinstance(value, str) else str(value)[:200]
        else:
            self.value[self.key] = value
            self.key = None


def _built(events: Iterator[Any]) -> list[Any]:
    """The documents that a stream of events describes."""
    found: list[Any] = []
    levels = [_Level(found)]
    for count, event in enumerate(events):
        kind = type(event).__name__
        if kind == "AliasEvent" or count > MOST_VALUES:
            what = "anchors are not followed" if kind == "AliasEvent" else f"more than {MOST_VALUES:,} values"
            raise UntakenYaml(what, event.start_mark.line + 1)
        if kind in ("SequenceStartEvent", "MappingStartEvent"):
            if len(levels) > DEPTH:
                raise UntakenYaml(f"lists more than {DEPTH} deep", event.start_mark.line + 1)
            levels.append(_Level([] if kind == "SequenceStartEvent" else {}))
        elif kind in ("SequenceEndEvent", "MappingEndEvent"):
            done = levels.pop().value
            levels[-1].put(done)
        elif kind == "ScalarEvent":
            levels[-1].put(_scalar(event.value, plain=event.style in (None, "") and not event.tag))
    return found


def _scalar(text: str, *, plain: bool) -> Any:
    """A number, a truth or nothing where a text without quotes says so; else the text."""
    if not plain:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _REAL.fullmatch(text) else text
