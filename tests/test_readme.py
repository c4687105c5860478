"""The README's two commands are what they say, and what they open is there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tui.cli.manual import line_table, markdown
from tui.ui.state.commands import key_table

TOP = Path(__file__).parent.parent
README = (TOP / "README.md").read_text(encoding="utf-8")


def block(mark: str) -> str:
    """The code block under an HTML comment."""
    found = re.search(rf"^<!-- {mark} -->\n```sh\n(.*?)\n```", README, re.MULTILINE | re.DOTALL)
    assert found, mark
    return found[1]


@pytest.mark.parametrize("mark", ["run", "tests"])
def test_the_two_commands_are_one_line_each_and_set_everything_up(mark: str) -> None:
    words = shlex.split(block(mark))
    assert words[:4] == ["python3", "-m", "venv", ".venv"]
    assert ".venv/bin/pip" in words
    assert "\n" not in block(mark)


def test_the_sample_fight_is_in_the_tree_and_reads() -> None:
    sample = shlex.split(block("run"))[-1]
    shown = subprocess.run(
        [sys.executable, "-m", "tui", "show", sample, "--json"],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    assert '"phase":"turns"' in shown.stdout.replace(" ", "")


def test_the_check_of_the_whole_reads_its_command_from_here() -> None:
    script = (TOP / ".ci" / "run").read_text(encoding="utf-8")
    reader = re.search(r"readme_command\(\) \{[^\n]*\n(.*?)\n\}", script, re.DOTALL)
    assert reader
    read = subprocess.run(["bash", "-c", reader[1]], cwd=TOP, capture_output=True, text=True, check=True)
    assert read.stdout.strip() == block("tests")


def test_every_file_the_readme_points_to_is_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)", README) if "://" not in link]
    assert links
    assert [link for link in links if not (TOP / link).exists()] == []


def test_every_theme_is_told() -> None:
    assert [path.stem for path in (TOP / "themes").glob("*.toml") if f"`{path.stem}`" not in README] == []


def test_the_key_table_is_the_table_of_commands() -> None:
    found = re.search(r"<!-- keys -->\n(.*?)\n<!-- /keys -->", README, re.DOTALL)
    assert found
    assert found[1].splitlines() == markdown(key_table()), "`tocsin keys --markdown` prints the table"


def test_the_table_of_lines_is_the_grammars() -> None:
    found = re.search(r"<!-- lines -->\n(.*?)\n<!-- /lines -->", README, re.DOTALL)
    assert found
    assert found[1].splitlines() == line_table()
