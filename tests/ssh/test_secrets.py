"""What a player may not know is neither in the process behind the player's key nor on the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.players import holds
from tests.kit.program import Program
from tests.kit.scripted_play import drain, stop
from tests.kit.secrets import LINES, SECRET, SEEN
from tests.kit.ssh import Sshd, processes
from tests.kit.terminal import tocsin

pytestmark = [pytest.mark.sshd, pytest.mark.memory]


@pytest.mark.parametrize("shown", ["", "plain"])
def test_no_secret_is_at_the_other_end_of_the_line(tmp_path: Path, shown: str) -> None:
    server = Sshd(tmp_path)
    saves = tmp_path / "saves"
    (saves / "creatures").mkdir(parents=True)
    told = f'[[creature]]\nname = "{SECRET} beast"\nhp = 7\ncard = "{SECRET} of the library"\n'
    (saves / "creatures" / "mine.toml").write_text(told)
    program, key = Program(saves, "mill"), server.key("mia")
    try:
        assert program.call("new", "--system", "chaos").code == 0
        assert program.call("do", *LINES).code == 0
        server.authorize(program.call("invite", "Mia", "--public-key", f"{key}.pub").out)
        writer = tocsin(saves, "mill", size=(120, 40))
        writer.wait("saved")
        mia = server.login(key, *shown.split())
        mia.wait("Bo", "A shadow") if not shown else mia.wait(" an order")
        writer.type("u\x12")  # a step is taken back and comes again
        drain(mia, 0.5)
        (seat,) = processes("seat", str(saves / "mill.toml"), "--invited")
        assert holds(writer.pid, SECRET.encode()), "the search must find it where it is"
        assert holds(seat, SEEN.encode())
        assert holds(seat, SECRET.encode()) == []
        assert SECRET.encode() not in mia.raw
        stop(mia)
        stop(writer)
    finally:
        server.close()
