"""The program from outside: exit codes, one-line refusals, JSON on the right stream."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.__main__ import CALLS, answered
from tests.kit.journals import append
from tests.kit.program import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    made = Program(tmp_path)
    assert made.call("new", "--system", "classic").code == 0
    return made


def test_an_accepted_call_prints_one_state(program: Program) -> None:
    ended = program.do("add Ana hp=3", "begin")
    state = json.loads(ended.out)
    assert (ended.code, ended.err, state["step"], state["round"]) == (0, "", 2, 1)
    assert state["due"][0] == {
        "kind": "roll",
        "who": "Ana",
        "why": "Ana rolls d20 for a place in the order",
        "rule": "CLASSIC-1",
        "dice": [20],
    }


@pytest.mark.parametrize(
    ("words", "code", "kind", "says"),
    [
        (["do", "--json", "damage Ghost 2"], 1, "refused", "Ghost"),
        (["do", "--json", "frob"], 1, "refused", "unknown word"),
        (["do", "--json"], 2, "usage", "LINE"),
        (["do", "--json", "--dice", "x", "next"], 2, "usage", "--dice"),
        (["do", "--json", "--nope", "next"], 2, "usage", "--nope"),
        (["new", "--json", "--system", "classic"], 1, "refused", "already there"),
        (["new", "--json", "--system", "nope"], 2, "usage", "no system"),
        (["new", "--json", "--option", "foo=1"], 2, "usage", "foo"),
        (["new", "--json", "--option", "foo"], 2, "usage", "KEY=VALUE"),
    ],
)
def test_every_no_has_its_code_and_one_object(
    program: Program, words: list[str], code: int, kind: str, says: str
) -> None:
    if "--option" in words:
        program.save = "other"
    ended = program.call(*words)
    assert ended.code == code
    assert ended.out == ""
    assert ended.err.count("\n") == 1
    assert (ended.error["kind"], says in ended.error["message"] + ended.error["hint"]) == (kind, True)


def test_lines_before_the_refused_one_stand(program: Program) -> None:
    ended = program.do("add Ana", "damage Ghost 1", "add Bo hp=9")
    assert (ended.code, ended.error["line"]) == (1, 2)
    assert [c["name"] for c in program.state()[0]["combatants"]] == ["Ana"]


@pytest.mark.parametrize("save", ["../x", "a/b", ".hidden", "", "x" * 99])
def test_bad_names_are_wrong_words(program: Program, save: str) -> None:
    program.save = save
    assert program.call("show").code == 2


def test_a_missing_file_is_a_file_problem(program: Program) -> None:
    program.save = "nowhere"
    for name, words in [("show", []), ("log", []), ("check", []), ("do", ["next"])]:
        assert program.call(name, *words).code == 3
    assert not (program.folder / "nowhere.toml.lock").exists()


def test_a_second_writer_is_told_who_writes(program: Program) -> None:
    program.do("add Ana")
    script = (
        "import sys; from tui.store.lock import SaveLock\n"
        "SaveLock.acquire(sys.argv[1]); print('held', flush=True); input()"
    )
    path = str(program.folder / "fight.toml")
    with subprocess.Popen(
        [sys.executable, "-c", script, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        ended = program.do("next")
        looking = program.call("show")
        other.communicate("\n")
    assert (ended.code, ended.error["kind"]) == (4, "busy")
    assert "being written by" in ended.error["message"]
    assert looking.code == 0


def test_comments_and_standard_input(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("# a party\nadd Ana\n \n\t # both\nadd Bo hp=9\n"))
    assert program.do("-").code == 0
    assert len(program.state()[0]["combatants"]) == 2


def test_calls_print_what_is_written_below_them(tmp_path: Path) -> None:
    text = CALLS.read_text(encoding="utf-8")
    assert answered(text, tmp_path) == text


def test_a_save_of_a_system_that_is_not_there_can_be_looked_at(program: Program) -> None:
    path = program.folder / "fight.toml"
    assert program.do("add Ana").code == 0
    mended = path.read_text().replace('system = "classic"', 'system = "nowhere"')
    path.write_text(mended)
    assert program.call("check").code == 3
    repaired = program.call("check", "--repair")
    copy = program.folder / "fight-repaired.toml"
    assert (repaired.code, repaired.out.splitlines()[-1]) == (0, f"repaired copy: {copy}")
    program.save = "fight-repaired"
    assert program.state()[0]["combatants"][0]["name"] == "Ana"
    assert "no system nowhere" in program.do("begin").error["message"]


def test_what_there_is(program: Program) -> None:
    found = {s["id"]: s for s in json.loads(program.bare("systems", "--json").out)}
    assert [f"{x['id']:<20} {x['title']}: {x['summary']}" for x in found.values()] == [
        line for line in program.bare("systems").out.splitlines() if line[0] != " "
    ]
    known = program.systems.get("popcorn")
    assert found["popcorn"]["options"] == [
        {"key": f.key, "title": f.title, "kind": f.kind, "choices": [*f.choices], "default": f.default,
         "help": f.help} for f in known.options
    ]  # fmt: skip
    assert found["chaos"]["verbs"] == [
        {"name": v.name, "usage": v.usage, "help": v.help} for v in program.systems.get("chaos").verbs
    ]
    assert program.bare("keys").out.split() == ["n", "next", "goes", "on"]
    assert program.bare("themes").out.split() == ["dark"]


@pytest.mark.parametrize("name", ["fight", "other"])
def test_common_options_stand_before_and_after_the_command(program: Program, name: str) -> None:
    """What stands behind counts when it is on both sides."""
    common = ["--saves", str(program.folder), "--seed=4", "--theme", "dark"]
    lines = ["add Ana", "begin", "roll", "--json"]
    before = program.bare(*common, "do", "fight", *lines)
    assert program.bare(*common, "new", "other").code == 0
    after = program.bare("do", "other", *common, *lines)
    assert before.code == after.code == 0
    assert before.out.replace('"fight"', '"other"') == after.out
    assert program.bare("--saves", "/nowhere", "show", name, "--saves", str(program.folder)).code == 0


@pytest.mark.parametrize("digit", ["²", "\u0661", "\uff15", "1_0", "9" * 5_000, "-1", "0", "1.5"])
def test_numbers_of_a_call_are_ascii_and_bounded(program: Program, digit: str) -> None:
    assert program.do("add Ana", "begin", "roll", dice=None).code == 0
    for words in (["--dice", digit, "next"], ["--seed", digit, "next"]):
        ended = program.call("do", *words)
        assert ended.code == (2 if words[0] == "--dice" or digit not in {"-1", "0"} else 0)
        assert ended.err.count("\n") == (ended.code != 0)


def test_only_a_line_feed_ends_a_line(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    text = "note a\u2028remove *\x0bb\x0cc\x1cd\x1ee\x85f\r\nnote g\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(text, newline="\n"))
    assert program.call("do", "-").code == 0
    assert program.state()[0]["step"] == 2


@pytest.mark.parametrize(
    "event",
    ['"noted",\tkey =\t"values",\tvalue =\t"x"', '"changed",\twho =\t"c1",\tkey =\t"hp",\tvalue =\t"x"'],
)
def test_check_calls_unsound_what_show_refuses(program: Program, event: str) -> None:
    assert program.do("add Ana", "begin").code == 0
    append(program.folder / "fight.toml", f"[{{\tt =\t{event}}}]")
    assert program.call("show").code == 3
    checked = program.call("check")
    assert (checked.code, "step 3: not possible" in checked.out) == (3, True)
    repaired = program.call("check", "--repair")
    copy = program.folder / "fight-repaired.toml"
    assert (repaired.code, repaired.out.splitlines()[-1]) == (0, f"repaired copy: {copy}")
    program.save = "fight-repaired"
    assert program.call("show").code == 0


def test_a_save_whose_system_is_missing_says_that_its_order_is_not_shown(program: Program) -> None:
    path = program.folder / "fight.toml"
    assert program.do("add Ana", "begin").code == 0
    header, steps = path.read_bytes().split(b"\n# 0 ", 1)
    path.write_bytes(header.replace(b"classic", b"missing") + b"\n# 0 " + steps)
    repaired = program.call("check", "--repair")
    copy = program.folder / "fight-repaired.toml"
    assert (repaired.code, repaired.out.splitlines()[-1]) == (0, f"repaired copy: {copy}")
    program.save = "fight-repaired"
    shown = program.call("show")
    assert (shown.code, shown.err.count("\n")) == (0, 1)
    assert "there is no system missing" in shown.err
    assert "the order of turns is not shown" in shown.err
    assert "Ana" in shown.out


def test_a_plug_in_that_leaves_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "gone.py").write_text("raise SystemExit(7)")
    environ = {"TOCSIN_SYSTEMS": str(tmp_path), "TOCSIN_SAVES": str(tmp_path)}
    called = subprocess.run(
        [sys.executable, "-m", "tui", "new", "x", "--system", "gone"],
        capture_output=True,
        env={**os.environ, **environ},
        check=False,
    )
    assert (called.returncode, called.stderr.count(b"\n")) == (2, 1)
    assert b"SystemExit" in called.stderr


def test_a_locale_that_knows_only_ascii_keeps_every_letter(program: Program) -> None:
    environ = {**os.environ, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    words = ["do", "fight", "-", "add Éowyn", "--saves", str(program.folder)]
    called = subprocess.run(
        [sys.executable, "-m", "tui", *words],
        input="add Þórr\n".encode(),
        capture_output=True,
        env=environ,
        check=False,
    )
    assert called.returncode == 0
    assert called.stdout.decode().split()[0] == "Þórr"
    assert [c["name"] for c in program.state()[0]["combatants"]] == ["Þórr", "Éowyn"]


def test_version_is_a_word_and_a_short_option(program: Program) -> None:
    from tui import VERSION

    assert program.bare("version").out == f"tocsin {VERSION}\n"
