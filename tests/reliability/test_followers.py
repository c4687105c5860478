"""Promise 11 through the whole program: the screen of who looks on says so, and what becomes of the save."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from tests.reliability.scripted_play import drain, fight, stop, until
from tests.terminal import Terminal, logged, tocsin

FOLLOWERS = 8


def looking(folder: Path) -> Terminal:
    t = tocsin(folder, "mill")
    t.wait("[l]")
    t.press("l", logged(6), "looking on")
    return t


def test_the_screen_tells_of_the_writer_the_move_the_copy_and_the_damage(tmp_path: Path) -> None:
    fight(tmp_path)
    path = tmp_path / "mill.toml"
    kept = path.read_bytes()
    writer = tocsin(tmp_path, "mill")
    writer.wait("saved")
    two = looking(tmp_path)
    writer.press("n", logged(7))
    two.wait(logged(7), "looking on")
    stop(writer)
    two.wait("nobody writes this save now")
    path.rename(tmp_path / "away")
    two.wait("save is gone", "moved or deleted")
    path.write_bytes(kept)
    two.wait(logged(6), "was replaced: step 7 has become step 6")
    two.press("\t", "nobody writes", silent=("was replaced",))
    path.write_bytes(kept[:400] + b"?" + kept[401:])
    two.wait("save damaged")
    shutil.move(tmp_path / "away", path)
    two.wait(logged(7), "nobody writes", silent=("damaged",))
    again = tocsin(tmp_path, "mill")
    again.press("n", logged(8))
    two.wait(logged(8), "looking on")
    two.type("q")
    assert two.end() == 0
    assert two.foreign() == b""
    stop(again)


def cpu(pid: int) -> float:
    """Seconds a process has worked."""
    told = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(told[11]) + int(told[12])) / 100


def test_followers_that_have_nothing_to_follow_cost_nothing(tmp_path: Path) -> None:
    fight(tmp_path)
    writer = tocsin(tmp_path, "mill")
    writer.wait("saved")
    followers = [looking(tmp_path) for _ in range(FOLLOWERS)]
    for one in followers:
        drain(one, 0.5)
    before = [cpu(one.pid) for one in followers]
    time.sleep(3)
    assert sum(cpu(one.pid) - was for one, was in zip(followers, before, strict=True)) <= 0.05
    for one in (*followers, writer):
        stop(one)


@pytest.mark.hours
def test_the_lag_of_eight_followers(tmp_path: Path) -> None:
    program = fight(tmp_path)
    (tmp_path / "mill.toml.lock").unlink()
    (tmp_path / "mill.toml.lock").mkdir()  # so that all of them can only look
    followers = []
    for _ in range(FOLLOWERS):
        t = tocsin(tmp_path, "mill")
        t.press("l", logged(6)) if t.wait("[l]") else None
        followers.append(t)
    (tmp_path / "mill.toml.lock").rmdir()
    lags = []
    for step in range(7, 57):
        assert program.do(f"note {step}").code == 0
        start = time.monotonic()
        one = followers[step % FOLLOWERS]
        until(lambda one=one, step=step: one._read(0.005) or logged(step) in one.text, 5, 0)  # type: ignore[misc]
        lags.append(time.monotonic() - start)
        for other in followers:
            drain(other, 0)
    lags.sort()
    print(f"lag: median {lags[len(lags) // 2] * 1000:.0f} ms, worst {lags[-1] * 1000:.0f} ms")
    assert lags[-1] <= 0.5
    for t in followers:
        stop(t)
