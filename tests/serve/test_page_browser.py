"""The page in a real headless Chromium, at the size of a phone, with what one thumb can do."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.secrets import SECRET
from tests.serve.boxed import TRANSCRIPT, replayed
from tests.serve.browser import PHONE, Browser
from tests.serve.serving import Serving

pytestmark = [pytest.mark.browser, pytest.mark.long]

MARKUP = "<img src=x onerror=document.title=1>"
FIELD = "#do [name={0}], #more [name={0}]"
CHAOS = (
    "add Brakk owner=Mia kind=pc +2 18 ac15", "add Ana owner=Jon kind=pc +1 9", "add Orc +1 8",
    f'add "{SECRET} lurker" hidden=yes 30', "count Brakk rage 2 max=3", "condition Brakk poisoned rounds=3",
    "begin",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as one:
        one.look_like(PHONE)
        yield one


def prepared(folder: Path, *lines: str, system: str = "chaos") -> Program:
    """Return a save with these lines."""
    made = Program(folder, "mill")
    assert made.call("new", "--system", system).code == 0
    done = made.call("do", *lines)
    assert done.code == 0, done.err
    return made


def fill(browser: Browser, **fields: str) -> None:
    """Type into the fields of the order."""
    for name, text in fields.items():
        browser.run(
            f"const at = document.querySelector({FIELD.format(name)!r}); at.value = {json.dumps(text)};"
            "at.dispatchEvent(new Event('input'))"
        )


def tap(browser: Browser, words: str, at: str = "body") -> None:
    """Tap the button with these words, once it can be tapped."""
    find = (
        f"[...document.querySelectorAll({json.dumps(at + ' button')})]"
        f".find(b => b.innerText.startsWith({json.dumps(words)}) && !b.disabled)"
    )
    browser.until(lambda: bool(browser.run(f"return !!{find}")))
    browser.run(f"{find}.click()")


def refused(browser: Browser) -> list[str]:
    """Return what the browser complained of, but for servers that have ended."""
    return [x for x in browser.complaints() if "net::ERR" not in x]


def lines_of(made: Program) -> list[str]:
    """Return the lines that players sent."""
    log = json.loads(made.call("log", "--json").out)
    return [x["line"] for x in log if x["by"] and not x["undone"]]


def test_the_page_shows_and_sends_what_its_transcript_says(browser: Browser, tmp_path: Path) -> None:
    wanted = TRANSCRIPT.read_text(encoding="utf-8").splitlines()
    for line, now in zip(wanted, replayed(browser, tmp_path), strict=True):
        assert now.split(" ") == line.split(" ")


def test_a_page_says_how_old_it_is_and_goes_on_after_a_restart(browser: Browser, tmp_path: Path) -> None:
    made = prepared(tmp_path, *CHAOS)
    with Serving(tmp_path) as first:
        browser.open(first.addresses["Mia"])
        browser.until(lambda: "Order for Brakk" in browser.text("#do"))
        assert SECRET not in browser.run("return document.documentElement.outerHTML")
        fill(browser, action="hide if it comes")
        browser.until(lambda: "reads like" in browser.text("#do"))
        first.kill()
        browser.until(lambda: "This may be old" in browser.text("#note"))
        tap(browser, "Send the order")
        time.sleep(0.8)
        tap(browser, "Send it all the same")
        browser.until(lambda: "no connection" in browser.text("#do .said"))
        with Serving(tmp_path, f"127.0.0.1:{first.port}") as second:
            assert second.addresses == first.addresses
            browser.until(lambda: "Change it" in browser.text("#more"))
            assert lines_of(made) == ['order Brakk action="hide if it comes"']
            second.say("undo")
            browser.until(lambda: "The GM took back: order Brakk" in browser.text("#note"))
            second.end()
            browser.until(lambda: "program has ended" in browser.text("#note"))
    assert refused(browser) == []


def test_names_are_never_markup(browser: Browser, tmp_path: Path) -> None:
    prepared(tmp_path, f'add "{MARKUP}" owner=Mia hp=9', "add Orc hp=7", "begin", system="classic")
    with Serving(tmp_path) as serving:
        for viewer in ("everybody", "Mia"):
            browser.open(serving.addresses[viewer])
            browser.until(lambda: MARKUP in browser.text("#track"))
            assert browser.run("return document.querySelectorAll('img').length") == 0
            assert browser.run("return document.title").endswith("mill")
        # Nor would it run if it were markup: the policy lets no script but the page's own.
        browser.run(f"document.body.insertAdjacentHTML('beforeend', {MARKUP!r})")
        assert browser.run("return document.title").endswith("mill")
        assert browser.complaints()
