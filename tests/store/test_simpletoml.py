"""The simplest TOML is read as Python's parser reads it, or left to it."""

from __future__ import annotations

import tomllib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tui.store.safetoml import simple

PIECES = st.sampled_from(
    [
        "a",
        "b-1",
        "true",
        "false",
        "=",
        " = ",
        "[a]",
        "[b-1]",
        '"x # y"',
        '"é"',
        '"\\n"',
        '""',
        '"""',
        "'x'",
        "# note",
        "\t",
        " ",
        "\n",
        "\r\n",
        ".",
        "1",
        "[",
        "]",
        "{",
        "\x00",
        "\x7f",
        "\ud800",
    ]
)
LINES = st.sampled_from(
    ['a = "x"', "b = true", "c=false # no", "[t]", "[u] # two", "", "# all", 'a = "y"', "[t.u]", "n = 1"]
)


@given(st.one_of(st.lists(PIECES, max_size=12).map("".join), st.lists(LINES, max_size=8).map("\n".join)))
def test_what_is_read_is_what_the_parser_reads(text: str) -> None:
    found = simple(text)
    assert found is None or found == tomllib.loads(text)


def test_themes_are_simple() -> None:
    for path in Path("themes").glob("*.toml"):
        text = path.read_text()
        assert simple(text) == tomllib.loads(text)
