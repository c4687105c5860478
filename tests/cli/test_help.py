"""Help, manual page and completion: each names every command, and what they show can be typed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from tests.kit.program import Front, Program
from tui import cli
from tui.cli import make_command_parser
from tui.cli.commands import COMMANDS, COMMON, SCREEN, SHELLS, CliOption, ImportedCommand
from tui.systems import Registry

TOP = Path(__file__).parents[2]


def help_of(*words: str) -> str:
    """What `--help` prints, without its line breaks."""
    out = StringIO()
    with redirect_stdout(out), pytest.raises(SystemExit) as left:
        cli.main([*words, "--help"], Registry(), Front())
    assert left.value.code == 0
    return " ".join(out.getvalue().split())


def explains(text: str, option: CliOption) -> bool:
    return option.label.split()[0].strip("[]") in text and option.help in text


@pytest.mark.parametrize("word", COMMANDS)
def test_help_of_a_word_explains_that_word_with_an_example(word: str) -> None:
    command, text = COMMANDS[word], help_of(word)
    assert text.startswith(f"usage: tocsin {word} {command.usage}".rstrip())
    assert command.does[1:] in text
    assert [o.name for o in (*command.options, *COMMON) if not o.help or not explains(text, o)] == []
    assert text.endswith(f"example: {command.example}")


@pytest.mark.parametrize("word", COMMANDS)
def test_what_runs_a_word_is_there(word: str) -> None:
    run = COMMANDS[word].run
    assert callable(run.function if isinstance(run, ImportedCommand) else run)


@pytest.mark.parametrize("word", COMMANDS)
def test_the_example_of_a_word_is_one_that_it_takes(word: str) -> None:
    words = shlex.split(COMMANDS[word].example.partition(">")[0])
    assert words[:2] == ["tocsin", word]
    make_command_parser(word, COMMANDS[word]).parse_intermixed_args(words[2:])


def test_the_help_of_the_program_names_every_word_and_option() -> None:
    text = help_of()
    assert [word for word, c in COMMANDS.items() if f"tocsin {word} {c.usage}" not in text] == []
    assert [o.name for o in (*SCREEN, *COMMON) if not explains(text, o)] == []


def test_the_manual_page_has_every_command_with_its_options(tmp_path: Path) -> None:
    page = tmp_path / "tocsin.1"
    page.write_text(Program(tmp_path).bare("keys", "--man").out, encoding="utf-8")
    text = " ".join(page.read_text(encoding="utf-8").replace("\\-", "-").replace("\\e", "\\").split())
    for word, command in COMMANDS.items():
        assert f"\\fBtocsin {word} {command.usage}".rstrip() in text
        assert command.example in text
        assert [o.name for o in command.options if not explains(text, o)] == []


BASH = """
source {script}
COMP_WORDS=({words}) COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
_shtab_tocsin tocsin "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `tocsin` in `bin`, two saves, and bash's completion."""
    folder = tmp_path_factory.mktemp("completion")
    program = folder / "bin" / "tocsin"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH={TOP} exec {sys.executable} -m tui "$@"\n')
    program.chmod(0o755)
    for name, saves in (("mill", "saves"), ("mine", "saves"), ("cellar", "other")):
        assert Program(folder / saves, name).call("new").code == 0
    (folder / "tocsin.bash").write_text(Program(folder).bare("completion", "bash").out)
    return folder


@pytest.mark.parametrize(
    ("typed", "offered", "not_offered"),
    [
        ("sh", {"show"}, {"do"}),
        ("mi", {"mill", "mine"}, {"cellar"}),
        ("show m", {"mill", "mine"}, {"cellar"}),
        ("show --saves ../other c", {"cellar"}, {"mill"}),
        ("show mill --j", {"--json"}, {"--dice"}),
        ("new fresh --system c", {"classic", "chaos"}, {"mill"}),
        ("view mill --theme da", {"dark"}, {"light"}),
        ("export mill --format h", {"html"}, {"md"}),
        ("--sample cl", {"classic"}, {"chaos"}),
    ],
)
def test_bash_completes(machine: Path, typed: str, offered: set[str], not_offered: set[str]) -> None:
    run = subprocess.run(
        ["bash", "-c", BASH.format(script=machine / "tocsin.bash", words=f"tocsin {typed}")],
        env={
            **os.environ,
            "PATH": f"{machine / 'bin'}:{os.environ['PATH']}",
            "TOCSIN_SAVES": str(machine / "saves"),
        },
        cwd=machine / "saves",
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    words = {*run.stdout.split()}
    assert offered <= words, run
    assert not not_offered & words


def test_a_saves_name_is_no_command_of_the_shell_that_completes_it(machine: Path, tmp_path: Path) -> None:
    for name in (
        "$(touch ran)",
        "`touch ran`",
        "mi;touch ran",
        "mi'll",
        "-mi",
        "mi\x1b[31m",
        "mi\u202el",
        "mi\\l",
    ):
        (tmp_path / f"{name}.toml").touch()
    (tmp_path / "mühle-2.toml").touch()
    run = subprocess.run(
        ["bash", "-c", BASH.format(script=machine / "tocsin.bash", words="tocsin show m")],
        env={
            **os.environ,
            "PATH": f"{machine / 'bin'}:{os.environ['PATH']}",
            "TOCSIN_SAVES": str(tmp_path),
            "LC_ALL": "C.UTF-8",
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert run.stdout.split() == ["mühle-2"]
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_is_given_every_word(tmp_path: Path, shell: str) -> None:
    script = Program(tmp_path).bare("completion", shell).out
    assert [word for word in COMMANDS if word not in script] == []
    assert "completion --list saves" in script or "_tocsin_saves" in script


def test_a_shell_that_is_not_known_is_refused(tmp_path: Path) -> None:
    for words in (["completion"], ["completion", "csh"]):
        ended = Program(tmp_path).bare(*words)
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("asked", ["side-initiative", "side initiative", "SIDE Initiative", "side-"])
def test_a_chapter_is_printed_for_its_name_its_title_or_a_beginning(asked: str, tmp_path: Path) -> None:
    ended = Program(tmp_path).bare("help", *asked.split())
    assert (ended.code, ended.out.splitlines()[0]) == (0, "Side initiative")
