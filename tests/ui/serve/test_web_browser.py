"""The page in a real headless Chromium: on a phone, a tablet and a television, dark and light."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.scripted_play import stop
from tests.kit.secrets import SECRET
from tests.kit.terminal import tocsin
from tests.ui.serve.browser import PHONE, SCREEN, TABLET, Browser
from tests.ui.serve.serving import Serving

pytestmark = [pytest.mark.browser, pytest.mark.long]


MARKUP = "<img src=x onerror=document.title=1>"

LINES = (
    "add Ana owner=Mia +3 18 ac15",
    "add Bo owner=Jon +1 24",
    f'add "{MARKUP}" +2 9',
    "add 3 Goblin +2 7",
    "group Goblin* Goblins",
    f'add "{SECRET} lurker" hidden=yes 30',
    'set Ana note="remember the key"',
    "count Ana slots 2 max=4",
    "begin",
    "roll Ana,Bo 19 15",
    f'roll "{MARKUP}" 12',
    "roll Goblins 5",
    "roll",
    "next",
    "damage Ana 10",
    "condition Bo blessed rounds=3",
)
DEVICES = {"phone": PHONE, "tablet": TABLET, "screen": SCREEN}
BOXES = (
    "return [...document.querySelectorAll({!r})].map(e => e.getBoundingClientRect())"
    ".map(r => [r.left, r.top, r.right, r.bottom])"
)
STYLE = "return getComputedStyle(document.querySelector({!r})).{}"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as one:
        yield one


@pytest.fixture
def mill(tmp_path: Path) -> Program:
    made = Program(tmp_path, "mill")
    assert made.call("new").code == 0
    done = made.call("do", "--seed", "1", *LINES)
    assert done.code == 0, done.err
    return made


@pytest.fixture
def serving(mill: Program) -> Iterator[Serving]:
    with Serving(mill.folder) as one:
        yield one


def boxes(browser: Browser, of: str) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom of elements."""
    return [tuple(box) for box in browser.run(BOXES.format(of))]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2 counts it, from 1 to 21."""

    def light(colour: str) -> float:
        parts = [int(n) / 255 for n in re.findall(r"\d+", colour)[:3]]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("device", DEVICES)
def test_a_page_shows_the_fight_on_every_device(
    browser: Browser, serving: Serving, device: str, dark: bool
) -> None:
    browser.look_like(DEVICES[device], dark=dark)
    browser.open(serving.addresses["Mia"])
    browser.until(lambda: "Ana" in browser.text("#who"))
    text = browser.text()
    for says in (
        "Round 1",
        "it is your turn",
        "8/18",
        "blessed 3",
        "Goblins \u00d73",
        "remember the key",
        "2/4",
    ):
        assert says in text
    assert browser.text("#next").split()[:2] == ["next", "Bo"]
    assert SECRET not in browser.run("return document.documentElement.outerHTML")
    width = browser.run("return innerWidth")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    rows = boxes(browser, "#track li")
    assert all(above[3] <= below[1] + 1 for above, below in pairwise(rows))
    (stage,), track = boxes(browser, "#stage"), boxes(browser, "#right")
    if device == "screen":
        assert stage[2] <= track[0][0], "two columns"
        assert float(browser.run(STYLE.format("#who", "fontSize")).removesuffix("px")) > 90
        assert rows[-1][3] <= SCREEN[1], "without scrolling"
    else:
        assert stage[3] <= track[0][1], "one column"
        assert all(right - left > 0.9 * width for left, _, right, _ in rows)
    back = browser.run(STYLE.format("body", "backgroundColor"))
    assert contrast(browser.run(STYLE.format("body", "color")), back) > 7
    assert (contrast(back, "rgb(0, 0, 0)") < 2) == dark
    assert browser.complaints() == []


def test_a_name_that_is_markup_is_text(browser: Browser, serving: Serving) -> None:
    browser.look_like(PHONE)
    browser.open(serving.addresses["everybody"])
    browser.until(lambda: MARKUP in browser.text("#track"))
    assert browser.run("return document.querySelectorAll('img, b b, #track script').length") == 0
    assert browser.run("return document.title") == "mill"
    # Nor would it run if it were markup: the policy lets no script but the page's own.
    browser.run(f"document.body.insertAdjacentHTML('beforeend', {MARKUP!r})")
    assert browser.run("return document.title") == "mill"
    assert browser.complaints()


def test_a_player_reads_sheets_and_orders_in_words(browser: Browser, tmp_path: Path) -> None:
    made = Program(tmp_path, "mill")
    assert made.call("new", "--system", "chaos", "--option", "cha.reveal=all_at_start").code == 0
    lines = (
        "add Ana owner=Mia kind=pc +2 hp=18",
        "add Cat owner=Mia kind=npc +1 hp=3",
        "add Bo owner=Jon +1",
        "begin",
        "order Ana action=strike maintain=no",
        'order Bo ready="Ana comes => hide"',
        "order Cat",
        "lock",
        "roll Ana,Cat,Bo 3 2 19",
        "out Cat",
        "ok",
        "next",
    )
    done = made.call("do", *lines)
    assert done.code == 0, done.err
    browser.look_like(PHONE)
    with Serving(tmp_path) as serving:
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: "Ana" in browser.text("#own"))
        own, told = browser.text("#own"), browser.text("#told")
        assert "initiative bonus" in own
        assert "kind" not in own
        assert re.search(r"Cat\s+out", own)
        assert re.search(r"action strike\s+reaction by default", own)
        assert "Ana comes => hide" in told
        assert browser.text("#sides") == "", "nobody chooses who acts"
        assert "Bo: " not in own, "who acts is shown above"
        browser.open(serving.addresses["Jon"])
        browser.until(lambda: "Ana: action strike" in browser.text("#own"))
        assert made.call("do", "next").code == 0
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: re.search(r"ready\s*Ana comes => hide", browser.text("#track")) is not None)
        assert made.call("do", "next").code == 0
        browser.until(lambda: "Answer at your seat, or tell the game master" in browser.text("#told"))


def test_a_page_counts_who_acts_and_says_what_a_save_is_for(browser: Browser, tmp_path: Path) -> None:
    made = Program(tmp_path, "mill")
    assert made.call("new", "--system", "unbound").code == 0
    lines = ("add Ana owner=Mia", "add Bo owner=Jon", "add Orc side=foes", "begin", "total heroes 9 foes 3")
    assert made.call("do", *lines, "turn Ana").code == 0
    browser.look_like(PHONE)
    with Serving(tmp_path) as serving:
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: "1 of 2 to act" in browser.text("#track"))
        assert browser.text("#next") == "then Orc"
        assert made.call("do", "area Ana damage=3 dc=10 save=dex").code == 0
        browser.until(lambda: "Ana owes a save: DC 10 dex" in browser.text("#told"))
        assert made.call("do", "failed Ana", "finish").code == 0
        browser.until(lambda: "No fight" in browser.text("#round"))


def test_the_game_masters_steps_end_and_return_are_shown(
    browser: Browser, mill: Program, serving: Serving
) -> None:
    browser.look_like(SCREEN)
    browser.open(serving.addresses["everybody"])
    browser.until(lambda: "The game master is away" in browser.text("#note"))
    writer = tocsin(mill.folder, "mill", size=(120, 40))
    writer.wait("saved")
    browser.until(lambda: "The game master is back" in browser.text("#note"))
    writer.type("n")
    browser.until(lambda: browser.text("#who") == "Bo")
    writer.press(":condition Bo stunned\r", "stunned")
    browser.until(lambda: "stunned" in browser.text("#track"))
    stop(writer)
    browser.until(lambda: "The game master is away" in browser.text("#note"))
    assert browser.text("#who") == "Bo"


def test_a_page_says_when_its_server_ends_and_finds_it_again(browser: Browser, mill: Program) -> None:
    browser.look_like(PHONE)
    with Serving(mill.folder) as first:
        browser.open(first.addresses["Mia"])
        browser.until(lambda: "Ana" in browser.text("#who"))
    browser.until(lambda: "no connection" in browser.text("#note"))
    assert "Ana" in browser.text("#who")
    with Serving(mill.folder):
        browser.until(lambda: "no connection" not in browser.text("#note"))
    with Serving(mill.folder, "--new", "--listen", f"127.0.0.1:{first.port}"):
        browser.run("setTimeout(() => connect(), 0)")
        browser.until(lambda: "address is not open" in browser.text("#note"))
