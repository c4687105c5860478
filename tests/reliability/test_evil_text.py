"""Promise 6: evil strings through every door, to every screen: no foreign byte, no markup."""

from __future__ import annotations

import re
import unicodedata
from itertools import cycle
from pathlib import Path

import pytest

from tests.kit.keyboard import Player
from tests.kit.program import Program
from tests.kit.scripted_play import shell, stop
from tests.kit.terminal import Terminal, tocsin
from tests.reliability.evil import EVIL, MARKUP, SHAPED
from tui.core.base.errors import RuleError
from tui.core.base.text import clean
from tui.core.language.tokens import quote
from tui.ui.screen import RolePens, paint_line
from tui.ui.settings.themes import load_themes
from tui.ui.text.palette import Palette
from tui.ui.text.rows import cells
from tui.ui.text.rows import words as text_of

SIZES = ((120, 40), (80, 24), (50, 20), (20, 5))
each = pytest.mark.parametrize("evil", EVIL.values(), ids=EVIL)


def doors(text: str) -> list[str]:
    """A line for every place where a text may stand in a fight."""
    t = quote(text)
    return [
        f"add {t} hp=9",
        f"add Ana owner={t} hp=9",
        f"add Bo side={t} hp=3",
        f"add Cy group={t}",
        "add 2 Orc hp=7",
        f'group "Orc 1" "Orc 2" as {t}',
        f"condition Ana {t} rounds=2",
        f"condition Ana concentration note={t}",
        f"note {t}",
        f"note {text}",
        "begin",
        "roll",
        "next",
        f"rename Bo {t}",
        f"add {t} {t}={t}",
        f"{text}",
        f"option {t}={t}",
        f"party {t}",
        f"load {t}.toml",
        f"damage {t} {t}",
        f"turn {t}",
        f"set Ana name={t}",
        f"why {t}",
        f"reveal {t}",
        f"order Ana {t}",
        f"order Ana movement={t} action={t}",
    ]


def foreign(text: str) -> list[str]:
    """What must not reach a terminal."""
    bad = {"Cc", "Cf", "Cs", "Co", "Cn"}
    joiner = "\u200d"
    return [repr(c) for c in text if c not in f"\n{joiner}" and unicodedata.category(c) in bad]


def all_parts(player: Player) -> str:
    """Every part at every size, no line wider than its box, and none that draws beside it."""
    pens, told = RolePens(_palette()), []
    for size in SIZES:
        player.size = size
        boxes = player.desk.boxes(*size)
        for part, lines in player.desk.draw(boxes).items():
            for line in lines:
                width, used = boxes[part].width, cells(text_of(line))
                drawn = paint_line(width + 9, [(3, width, line)], pens)
                assert used <= width, (part, line)
                assert drawn.texts[:3] + drawn.texts[3 + used :] == [" "] * (width + 9 - used), (part, line)
                told.append(text_of(line))
    player.size = (80, 24)
    return "\n".join(told)


def _palette() -> Palette:
    return load_themes()["dark"]


@pytest.mark.parametrize(("evil", "system"), [*zip(EVIL.values(), cycle(("classic", "chaos")))], ids=EVIL)
def test_every_door_to_every_screen(evil: str, system: str) -> None:
    player = Player(system)
    for line in doors(evil):
        try:
            player.store.run(line)
        except RuleError as error:
            player.desk.report_refusal(error)
        assert foreign(player.text()) == []
    assert foreign(all_parts(player)) == []
    for keys in (
        ["w"],
        ["?"],
        ["escape", "d"],
        ["escape", "c"],
        ["escape", "/"],
        ["escape", ":", "'verbs'", "enter"],
        ["escape", "o"],
        ["escape", ":", "tab", "tab"],
        ["escape", "tab", "z"],
        ["ctrl+p"],
        ["escape", "r", "n", "A", "x"],
    ):
        player.press(*keys)
        player.desk.paste(evil)
        assert foreign(all_parts(player)) == []
    assert foreign(str(player.store.table())) == []


@pytest.mark.parametrize("evil", SHAPED.values(), ids=SHAPED)
def test_columns_stay_where_they_are(evil: str) -> None:
    lines = [f"add {quote(evil)} hp=9", "add Orc hp=9", "add 🇩🇪 hp=9", "begin", "roll"]
    player = Player(lines=lines)
    for size in SIZES[:2]:
        player.size = size
        places = {cells(row[: row.index("9/9")]) for row in player.picture()["track"] if "9/9" in row}
        assert len(places) == 1, player.picture()["track"]


@pytest.mark.parametrize("evil", MARKUP.values(), ids=MARKUP)
def test_markup_is_shown_as_it_is(evil: str) -> None:
    player = Player(lines=[f"add {quote(evil)} hp=9", f"note {quote(evil)}", "begin", "roll"])
    player.size = (120, 40)
    shown = clean(evil).replace("`", "")
    text = player.text().replace("`", "")
    assert text.count(shown[:12]) >= 2, text


def reads(folder: Path, *words: str, **environ: str) -> str:
    """What a call says, both streams; only UTF-8 without foreign characters, and no traceback."""
    ended = shell(folder, *words, **environ)
    told = (ended.stdout + ended.stderr).decode()
    assert "Traceback" not in told, told
    assert foreign(told) == [], told
    return told


def program(folder: Path, evil: str) -> Program:
    """A save with a fight in which the text stands wherever it may."""
    program = Program(folder)
    program.call("new", "--system", "classic")
    rehearsal = Player()
    lines = [line for line in doors(evil) if accepted(rehearsal, line)]
    assert program.call("do", "--seed", "4", *lines).code == 0
    return program


def accepted(player: Player, line: str) -> bool:
    """Whether the line is played."""
    try:
        player.store.run(line)
    except RuleError:
        return False
    return not line.startswith("-")


@each
def test_log_show_and_check_in_this_process(tmp_path: Path, evil: str) -> None:
    p = program(tmp_path, evil)
    for words in (
        ["show"],
        ["log"],
        ["log", "--dice"],
        ["check"],
        ["show", "--as", evil],
        ["log", "--as", evil],
        ["show", "--json"],
        ["log", "--json"],
        ["new", "--system", evil],
        ["new", "--option", evil],
        ["do", "--dice", evil, "next"],
        ["do", evil],
        ["do", evil, evil, "--json"],
        ["check", evil],
    ):
        if any("\x00" in w for w in words):
            continue
        told = p.call(*words)
        assert foreign(told.out + told.err) == [], words
        assert "Traceback" not in told.err


@pytest.mark.parametrize("evil", [e for e in EVIL.values() if "\x00" not in e])
@pytest.mark.hours
def test_arguments_files_and_settings_as_processes(tmp_path: Path, evil: str) -> None:
    outside(tmp_path, evil)


def test_some_arguments_files_and_settings_as_processes(tmp_path: Path) -> None:
    outside(tmp_path, EVIL["canary"] + EVIL["closing"] + EVIL["bidi"])


def outside(folder: Path, evil: str) -> None:
    """The text as argument, file name, content of party and settings, and locale."""
    import tomli_w

    config = folder / "config"
    config.mkdir(parents=True)
    settings = {"theme": evil, evil: evil, "keys": {evil: evil, "next": evil, "quit": [evil, "q"]}}
    (config / "config.toml").write_text(tomli_w.dumps(settings), encoding="utf-8")
    (folder / "parties").mkdir()
    party = {"combatant": [{"name": evil, "owner": evil, evil: evil}]}
    (folder / "parties" / "p.toml").write_text(tomli_w.dumps(party), encoding="utf-8")
    name = evil.replace("/", "_")[:40]
    for words in (
        [evil],
        ["new", evil],
        ["show", evil],
        ["show", f"{name}.toml"],
        ["do", "fight", evil],
        ["show", "fight", "--as", evil],
        ["--theme", evil, "fight"],
        ["themes"],
    ):
        reads(folder, *words)
    program(folder, evil)
    for words in (["do", "fight", "party p"], ["log", "fight"], ["show", "fight"]):
        reads(folder, *words)
    reads(folder, "show", "fight", LC_ALL="POSIX", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    (folder / f"{name}.toml").write_bytes((folder / "fight.toml").read_bytes())
    picked(folder)
    t = tocsin(folder, "fight")
    t.wait("saved")
    for keys in ("w", "\x1b", "?", "\x1b", "c", "\x1b", "z", "z", "\x10", "\x1b"):
        t.type(keys)
    t.press(":", ":")
    t.type("\x1b[200~" + evil.replace("\x1b", "") + "\x1b[201~")
    t.type("\r")
    stop(t)
    passed(t)


def passed(t: Terminal) -> None:
    """Nothing foreign, and no sequence of the canary's."""
    assert t.foreign() == b""
    assert not re.search(rb"(?:\x1b\[\??|\xc2?\x9b)31337", t.raw)


def picked(folder: Path) -> None:
    """The start screen, where file names are listed."""
    t = tocsin(folder)
    t.wait("Fights", "Classic")
    t.type("q")
    t.end()
    passed(t)


def test_invalid_utf8_on_standard_input(tmp_path: Path) -> None:
    import os
    import subprocess
    import sys

    Program(tmp_path).call("new")
    ended = subprocess.run(
        [sys.executable, "-m", "tui", "do", "fight", "-", "--saves", str(tmp_path)],
        input=b"note \xff\xfe\xc3(\x1b[2J\n",
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    assert ended.returncode == 0, ended.stderr
    assert b"\x1b" not in ended.stdout
