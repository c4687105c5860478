"""Files that a stranger sent: whatever they are called and hold, a list shows it and steers no terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.program import Program
from tui.store.shelf import list_contents
from tui.systems import Registry

STEERING = "\x1b[31m", "\x1b]0;title\x07", "\u202egpj", "\n2 Orc", "\x9b2J", "\t", "\u2066", "\udcff"
BODIES = {
    "parties": '[[combatant]]\nname = "A{}B"\ncount = "2{}"\n',
    "encounters": 'system = "x{}"\n[[combatant]]\nname = "C{}"\n',
    "creatures": '[[creature]]\nname = "D{}"\nhp = "many{}"\n',
    "conditions": '[[condition]]\nname = "E{}"\nuntil = "{}"\n',
    "trash": "junk{}",
    ".": "junk{}",
}


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    program = Program(tmp_path, "mill")
    assert program.call("new").code == 0
    whole = (tmp_path / "mill.toml").read_bytes()
    for folder, body in BODIES.items():
        (tmp_path / folder).mkdir(exist_ok=True)
        for number, text in enumerate(STEERING):
            escaped = "".join(f"\\u{ord(c):04x}" for c in text if c != "\udcff")
            place = tmp_path / folder
            (place / f"f{number}{text}.toml").write_text(body.replace("{}", escaped))
            (place / f"g{number}{text}.toml").write_bytes(whole)
    return tmp_path


@pytest.mark.parametrize("more", [[], ["--json"]])
@pytest.mark.parametrize("command", ["party", "creatures"])
def test_a_list_steers_no_terminal(sent: Path, command: str, more: list[str]) -> None:
    ended = Program(sent).bare(command, "--saves", str(sent), *more)
    assert ended.code == 0
    for line in (ended.out + ended.err).splitlines():
        assert line.replace("\udcff", "").isprintable(), line


def test_the_start_screen_is_given_nothing_that_steers(sent: Path) -> None:
    found = list_contents(str(sent), Registry())
    fights = [text for one in (*found.fights, *found.trash) for text in (one.name, one.problem)]
    parties = [text for one in found.parties for text in (one.name, one.summary)]
    assert len(found.fights) > len(STEERING)
    assert len(found.parties) > len(STEERING)
    assert [text for text in (*fights, *parties) if not text.isprintable()] == []
