"""What a person's editor or another program does to a save: each way by its name, and whether the values
stay."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

import tomli_w

SEAL_LINES = re.compile(rb"^# \d+ \d+ [0-9a-f]{8}\n", re.MULTILINE)


def _formatted(data: bytes) -> bytes:
    """Loaded and written by a TOML library: no remarks, another layout."""
    return tomli_w.dumps(tomllib.loads(data.decode())).encode()


def _sorted(data: bytes) -> bytes:
    """The same with all keys in the order of the alphabet, and tables behind values."""
    return tomli_w.dumps(_in_order(tomllib.loads(data.decode()))).encode()


def _in_order(tables: Mapping[str, Any]) -> dict[str, Any]:
    keys = sorted(tables, key=lambda key: (isinstance(tables[key], Mapping | list), key))
    return {key: _ordered(tables[key]) for key in keys}


def _ordered(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _in_order(value)
    return [_ordered(one) for one in value] if isinstance(value, list) else value


def _escaped(letter: bytes) -> bytes:
    return b"\\U%08x" % ord(letter.decode())


WAYS: dict[str, Callable[[bytes], bytes]] = {
    "no last line feed": lambda data: data[:-1],
    "Windows line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "old Mac line ends": lambda data: data.replace(b"\n", b"\r"),
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "byte order mark and Windows line ends": lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "a remark at the end": lambda data: data + b"# the mill, second evening\n",
    "a remark without line feed": lambda data: data + b"# later",
    "a remark behind the last seal": lambda data: data[:-1] + b"  # here we stopped",
    "a remark at the beginning": lambda data: b"# my save\n" + data,
    "a remark in a step": lambda data: data.replace(b"\nn = 3\n", b"\nn = 3  # here Ana fell\n"),
    "blank lines at the end": lambda data: data + b"\n\n",
    "blanks at the end": lambda data: data + b"  ",
    "a blank line between steps": lambda data: data.replace(b"[[step]]\nn = 3\n", b"\n[[step]]\nn = 3\n"),
    "blanks at the end of lines": lambda data: data.replace(b"[[step]]\n", b"[[step]] \n"),
    "keys in another order": lambda data: re.sub(rb"(n = \d+\n)(at = .*\n)", rb"\2\1", data),
    "no remarks": lambda data: SEAL_LINES.sub(b"", data),
    "a formatter": _formatted,
    "a formatter that sorts": _sorted,
    "other brackets": lambda data: data.replace(b"[[step]]", b"[[ step ]]"),
    "indented": lambda data: data.replace(b"\n", b"\n  ").rstrip(b" "),
    "indented, a remark first": lambda data: b"# my save\n  " + data.replace(b"\n", b"\n  "),
    "blanks at the end of lines trimmed": lambda data: re.sub(rb"[ \t]+(?=\n)", b"", data),
    "line ends changed twice": lambda data: data.replace(b"\n", b"\r\r\n"),
    "a remark first, old Mac line ends, then a line": lambda data: (
        (b"# my save\n" + data).replace(b"\n", b"\r") + b"\n"
    ),
    "a formatter, then blanks": lambda data: _formatted(data).replace(b"[[step]]\n", b"[[step]] \n"),
    "a formatter, then a byte order mark": lambda data: b"\xef\xbb\xbf" + _formatted(data),
    "a formatter, then a remark": lambda data: _formatted(data) + b"# later",
    "letters as escapes": lambda data: re.sub(
        rb'(?<=\nline = ")[^\n]*',
        lambda line: re.sub(rb"[\xc3-\xf4][\x80-\xbf]+", lambda found: _escaped(found[0]), line[0]),
        data,
    ),
}
"""All of them leave every value of the save as it was."""
