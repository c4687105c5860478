from __future__ import annotations

import tomllib

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.journals import EVIL, plains, strings
from tui.store.problems import BadFile
from tui.store.safetoml import DEPTH, DIGITS, DOTS, read_toml


@given(st.dictionaries(strings, plains, max_size=4))
def test_what_is_within_the_bounds_reads_as_the_parser_reads_it(tables: dict[str, object]) -> None:
    text = tomli_w.dumps(tables)
    assert read_toml(text.encode(), "a theme") == tomllib.loads(text)


@given(st.text(st.sampled_from("ab=.,[]{}\"'#\\\n \t01_"), max_size=60))
def test_any_text_is_read_or_refused_by_line(text: str) -> None:
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(BadFile) as caught:
            read_toml(text.encode(), "a theme")
        assert 1 <= caught.value.line <= text.count("\n") + 1
        assert caught.value.message.isprintable()
    else:
        assert read_toml(text.encode(), "a theme") == expected


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    problem = problem_of(data)
    assert problem is None or problem.line > 0


def problem_of(data: bytes, what: str = "a theme") -> BadFile | None:
    try:
        read_toml(data, what)
    except BadFile as error:
        return error
    return None


def refused(text: str, line: int, words: str) -> None:
    with pytest.raises(BadFile) as caught:
        read_toml(text.encode(), "a theme")
    assert (caught.value.line, words in caught.value.message) == (line, True), str(caught.value)


def test_each_bound_at_its_edge() -> None:
    deep = "[" * DEPTH + "]" * DEPTH
    assert read_toml(f"x = {deep}".encode(), "x")
    refused(f"a = 1\nx = [{deep}]", 2, "deep")
    refused(f"a = 1\nx = {'{a=' * (DEPTH + 1)}1{'}' * (DEPTH + 1)}", 2, "deep")
    key = ".".join("k" * (DOTS + 1))
    assert read_toml(f"{key} = 1".encode(), "x")
    refused(f"\n{key}.k = 1", 2, "dots")
    refused(f"\n\n[{key}.k]", 3, "dots")
    refused(f"{key} . 'q' . \"d\" = 1", 1, "dots")
    assert read_toml(f"x = {'9' * DIGITS}".encode(), "x")
    refused(f"x = {'9' * (DIGITS + 1)}", 1, "digits")
    refused(f"x = [1,\n0x{'f' * 99}]", 2, "digits")
    assert read_toml(f'x = "{"9" * 99}" # {"9" * 99}'.encode(), "x")
    assert read_toml(f"x = '{'[' * 99}' # {'[' * 99}".encode(), "x")
    assert read_toml(f'x = """a \\""" {"[" * 99} """'.encode(), "x")
    refused(f'x = """a \\\\"""\ny = {"[" * 99}', 2, "deep")


@pytest.mark.parametrize(
    "cover", ['"""a""""', '"""a"""""', "'''a''''", "'''a'''''", '"\\""', "'\\'", '"""\\""""', '""', '""""""']
)
def test_nothing_hides_behind_a_string(cover: str) -> None:
    assert read_toml(f"x = [{cover}, '']".encode(), "x")
    refused(f'\nx = [{cover}, {"[" * 99}{"]" * 99}, {cover}, \'\', "", """"""]', 2, "deep")


def test_the_known_bombs_are_refused() -> None:
    for text in (
        "x = " + "[" * 500_000,
        "x = " + "{a=" * 500_000,
        ".".join(["a"] * 100_000) + " = 1",
        "[" + ".".join(["a"] * 100_000) + "]",
        "x = " + "1" * 1_000_000,
        "x = 0x" + "f" * 1_000_000,
        'x = "' + "\\" * 1_000_001,
        'x = """' + '"" ' * 500_000,
        "'''" * 300_001,
        "x = [" + "'" * 900_001,
        'x = """' + '\\\\"""' * 200_000,
        '""" ' * 200_000,
    ):
        with pytest.raises(BadFile):
            read_toml(text.encode(), "x")


def test_messages_hold_no_control_characters() -> None:
    for evil in EVIL:
        for text in (f"x = {evil}", f"{evil}", f'"a{evil}" = 1\n"a{evil}" = 2', f"x = '{evil}"):
            assert str(problem_of(text.encode(), f"a {evil}")).isprintable()
