"""The page in a real headless Chromium, at the size of a phone, with what one thumb can do."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.kit.program import Program
from tests.kit.secrets import SECRET
from tests.serve.browser import PHONE, SCREEN, Browser
from tests.serve.serving import Serving

pytestmark = [pytest.mark.browser, pytest.mark.long]

MARKUP = "<img src=x onerror=document.title=1>"
FIELD = "#do [name={0}], #more [name={0}]"
ROUND = ("lock missing=empty", "roll", "ok", *["next"] * 5)
"""The lines from the lock to the next round."""
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


def value(browser: Browser, name: str) -> Any:
    return browser.run(f"return document.querySelector({FIELD.format(name)!r})?.value")


def opened(browser: Browser) -> str:
    """Open what is folded, and return the words of what else may be sent."""
    browser.run("document.querySelectorAll('#more details').forEach(x => { x.open = true; })")
    return browser.text("#more")


def refused(browser: Browser) -> list[str]:
    """Return what the browser complained of, but for servers that have ended."""
    return [x for x in browser.complaints() if "net::ERR" not in x]


def lines_of(made: Program) -> list[str]:
    """Return the lines that players sent."""
    log = json.loads(made.call("log", "--json").out)
    return [x["line"] for x in log if x["by"] and not x["undone"]]


def test_an_order_is_written_read_doubted_sent_and_returned(browser: Browser, tmp_path: Path) -> None:
    made = prepared(tmp_path, *CHAOS)
    with Serving(tmp_path) as serving:
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: "Order for Brakk" in browser.text("#do"))
        assert SECRET not in browser.run("return document.documentElement.outerHTML")
        assert browser.run("return document.documentElement.scrollWidth") <= PHONE[0]
        fill(browser, action="strike if it comes", reaction="an orc comes => shove", reaction2="step back")
        browser.until(lambda: "reaction2: no trigger" in browser.text("#do"))
        assert "when an orc comes, then shove" in browser.text("#do")
        tap(browser, "Send the order")
        browser.until(lambda: browser.text("#do .said") == "Not sent: change reaction2.")
        assert "Send it all the same" not in browser.text("#do"), "a refused order is no doubt"
        assert "reads like a condition" in browser.text("#do"), "all problems are told at once"
        # Half-written text survives a reload.
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: value(browser, "reaction2") == "step back")
        fill(browser, action="strike or else", reaction2="")
        tap(browser, "Send the order")
        tap(browser, "Send it all the same")
        assert lines_of(made) == [], "a double tap is one tap: nobody has read the doubt"
        time.sleep(0.8)
        tap(browser, "Send it all the same")
        browser.until(lambda: "Change it" in browser.text("#more"))
        assert lines_of(made) == ['order Brakk action="strike or else" reaction="an orc comes => shove"']
        assert browser.run("return drafts") == {}, "what was taken is half-written no more"
        serving.say("undo")
        browser.until(lambda: "The GM took back: order Brakk" in browser.text("#note"))
        assert value(browser, "action") == "strike or else"
        assert value(browser, "reaction") == "an orc comes => shove"
        assert refused(browser) == []


def test_what_was_taken_back_or_not_sent_in_time_is_never_lost(browser: Browser, tmp_path: Path) -> None:
    prepared(tmp_path, *CHAOS, "order Brakk action=strike bonus=rage", *ROUND)
    with Serving(tmp_path) as serving:
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: value(browser, "action") == "strike")
        fill(browser, action="flee")
        tap(browser, "Send the order")
        for _ in range(2):
            browser.until(lambda: "Change it" in browser.text("#more"))
            serving.say("undo")
            browser.until(lambda: "The GM took back: order Brakk" in browser.text("#note"))
            assert value(browser, "action") == "flee", "the returned text wins over that of the last round"
            assert "The GM took this order back. Send it again" in browser.text("#do")
            assert browser.run(
                "return [...document.querySelectorAll('#do [name].last')].map(x => x.name)"
            ) == ["bonus"]
            serving.say("redo")
            browser.until(lambda: "The GM restored: order Brakk" in browser.text("#note"))
            assert "took this order back" not in browser.text()
        opened(browser)
        fill(browser, action="hide")
        tap(browser, "Send it again")
        browser.until(lambda: "action hide" in browser.text("#own"))
        serving.say("undo")
        browser.until(lambda: "the one before it counts" in browser.text("#more"))
        assert value(browser, "action") == "hide"
        # The orders are locked while it is changed: the text is kept, and returns if they are opened.
        fill(browser, action="hide well")
        serving.say("lock missing=empty")
        browser.until(lambda: "(round 2) was not sent, and it is too late" in browser.text("#note"))
        assert "action: hide well" in browser.text("#more")
        serving.say("unlock")
        browser.until(lambda: value(browser, "action") == "hide well")
        serving.say(*ROUND)
        tap(browser, "Write this")
        browser.until(lambda: value(browser, "action") == "hide well")
        assert "Not sent" not in browser.text("#more")
        assert refused(browser) == []


def test_dice_turn_reaction_and_last_rounds_order_with_one_tap(browser: Browser, tmp_path: Path) -> None:
    made = prepared(tmp_path, *CHAOS, 'order Brakk action="strike" reaction="an orc comes => shove"')
    with Serving(tmp_path) as serving:
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: "Change it" in browser.text("#more"))
        serving.say("lock missing=empty")
        browser.until(lambda: "d20" in browser.text("#do"))
        fill(browser, face="3")
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: value(browser, "face") == "3")
        tap(browser, "My total", "#do")
        browser.until(lambda: browser.text("#do") == "")
        serving.say("undo")
        browser.until(lambda: value(browser, "face") == "3")
        assert "The GM took this roll back." in browser.text("#do")
        tap(browser, "It shows this", "#do")
        browser.until(lambda: browser.text("#do") == "")
        # An unseen creature that acted in between would leave the marker where it is.
        serving.say(f'total Orc 19 Ana 15 "{SECRET} lurker" 2', "ok", "next")
        browser.until(lambda: "shove" in opened(browser))
        acts = browser.text("#who")
        serving.say("next")
        browser.until(lambda: browser.text("#who") != acts)
        assert "shove" in browser.text("#more"), "what was unfolded stays so"
        tap(browser, "Brakk: shove", "#more")
        browser.until(lambda: "Brakk" in "".join(x for x in lines_of(made) if x.startswith("react")))
        serving.say("next", "next", "next")
        browser.until(
            lambda: "Dashed parts are those of the last round: they are sent as they" in browser.text("#do")
        )
        # A tap selects the old part, so that typing replaces it; Undo restores it.
        written = browser.run(
            "const at = document.querySelector('#do [name=action]'), label = at.closest('label').innerText;"
            "at.focus(); at.click(); document.execCommand('insertText', false, 'flee');"
            "const is = [label, at.value, at.className]; location.reload(); return is;"
        )
        assert written == ["action\nas last round", "flee", ""]
        browser.until(lambda: value(browser, "action") == "flee")
        assert "As last round" not in browser.text("#do")
        assert browser.run("return [...document.querySelectorAll('#do [name].last')].map(x => x.name)") == [
            "reaction"
        ]
        fill(browser, action="strike")
        browser.open(serving.addresses["Mia"])
        tap(browser, "As last round")
        browser.until(lambda: "Change it" in browser.text("#more"))
        assert lines_of(made)[-1] == 'order Brakk action=strike reaction="an orc comes => shove"'


def test_a_turn_that_its_player_has_ended_says_that_somebody_else_goes_on(
    browser: Browser, tmp_path: Path
) -> None:
    prepared(tmp_path, "add Ana owner=Mia hp=9", "add Orc hp=9", "begin", system="classic")
    said = "the game master goes on"
    with Serving(tmp_path) as serving:
        serving.say("total Ana 19 Orc 2", "next")
        browser.open(serving.addresses["Mia"])
        tap(browser, "End the turn", "#do")
        browser.until(lambda: said in browser.text("#stage"))
        assert browser.text("#do") == ""
        browser.until(lambda: bool(browser.run("return page.state.mine.lines.length")))
        serving.say("undo")
        browser.until(lambda: "End the turn" in browser.text("#do"))
        assert "took back: end" in browser.text("#note")
        tap(browser, "End the turn", "#do")
        browser.until(lambda: said in browser.text("#stage"))
        serving.say("next", "next")
        browser.until(lambda: "End the turn" in browser.text("#do"))
        assert said not in browser.text("#stage"), "the turn of the next round has not been ended"


def test_points_conditions_log_and_card(browser: Browser, tmp_path: Path) -> None:
    made = prepared(tmp_path, *CHAOS, "option players.points=own")
    with Serving(tmp_path) as serving:
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: "18/18" in browser.text("#own"))
        browser.run(
            "const at = document.querySelector('#own input'); at.value = '5'; at.oninput(); at.focus()"
        )
        serving.say("temp Brakk 2", "heal Orc 1")
        browser.until(lambda: "+2" in browser.text("#own"))
        assert browser.run("return [document.activeElement.name, document.activeElement.value]") == [
            "points",
            "5",
        ]
        serving.say("undo 2")
        tap(browser, "Damage", "#own")
        browser.until(lambda: "13/18" in browser.text("#own"))
        tap(browser, "rage \u2212", "#own")
        browser.until(lambda: "1/3" in browser.text("#own"))
        tap(browser, "poisoned 3", "#own")
        assert browser.text("#term").startswith("poisoned")
        browser.run("document.querySelector('#log details').open = true")
        assert "Brakk takes 5 damage" in browser.text("#log")
        serving.say("area Brakk damage=3 dc=12 save=dex")
        tap(browser, "Failed", "#do")
        browser.until(lambda: "Brakk fails the save" in browser.text("#log"))
        assert lines_of(made) == ["damage Brakk 5", "count Brakk rage -1", "failed Brakk"]


def test_a_page_says_how_old_it_is_and_goes_on_after_a_restart(browser: Browser, tmp_path: Path) -> None:
    made = prepared(tmp_path, *CHAOS)
    with Serving(tmp_path) as first:
        browser.open(first.addresses["Mia"])
        browser.until(lambda: "Order for Brakk" in browser.text("#do"))
        fill(browser, action="hide and wait")
        first.kill()
        browser.until(lambda: "This may be old" in browser.text("#note"))
        browser.until(lambda: "This is old" in browser.text("#note"))
        tap(browser, "Send the order")
        browser.until(lambda: "no connection" in browser.text("#do .said"))
        with Serving(tmp_path, f"127.0.0.1:{first.port}") as second:
            assert second.addresses == first.addresses
            browser.until(lambda: "Change it" in browser.text("#more"))
            assert lines_of(made) == ['order Brakk action="hide and wait"']
            second.end()
            browser.until(lambda: "program has ended" in browser.text("#note"))


CLOCK = """
const now = Date.now; window.ahead = 0; Date.now = () => now() + window.ahead; window.felt = 0;
Object.defineProperty(navigator, 'vibrate', { value: () => { window.felt += 1; return true; } });
window.AudioContext = class { constructor() { window.tones = 0; } resume() {} get currentTime() { return 0; }
  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: x => x };
  } createOscillator() { return { frequency: {}, connect: x => x, start() { window.tones += 1; }, stop() {} };
  } };
"""
"""A clock of the page that can be set on, and a phone that counts how often it vibrates and sounds."""


def test_the_page_is_old_after_ten_seconds_wakes_by_itself_and_rings_if_it_was_switched_on(
    browser: Browser, tmp_path: Path
) -> None:
    prepared(
        tmp_path, *CHAOS, "order Brakk action=strike", *["order Ana action=run", "order Orc action=bite"]
    )
    with Serving(tmp_path) as serving:
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: "Change it" in browser.text("#more"))
        browser.run(CLOCK)
        said = "watch(); return document.querySelector('#note').innerText;"
        for seconds, words in (
            (4.5, ""),
            (5.5, "This may be old"),
            (10.5, "This is old: there is no connection"),
        ):
            # Within one script no sign of the server comes between.
            text = browser.run(
                f"heard = Date.now() - {1000 * seconds}; tried = Date.now(); stand(''); {said}"
            )
            assert text.startswith(words), seconds
            assert bool(text) == bool(words), seconds
        serving.say("lock missing=empty")
        browser.until(lambda: "Roll d20" in browser.text("#do"))
        assert browser.run("return felt") == 0, "a bell that was not switched on is silent"
        tap(browser, "Bell off", "#top")
        assert browser.run("return [felt, tones]") == [1, 1], "the tap shows what it does"
        tap(browser, "It shows this", "#do")
        fill(browser, face="7")
        tap(browser, "It shows this", "#do")
        browser.until(lambda: browser.text("#do") == "")
        # The phone sleeps while the GM goes on: no timer runs, and its connection is gone.
        browser.run("source.close(); ahead += 60000; scrollTo(0, 999)")
        serving.say("undo")
        browser.run("document.dispatchEvent(new Event('visibilitychange'))")
        browser.until(lambda: "You were away for 60 s: something waits for you." in browser.text("#note"))
        assert browser.run("return [felt, tones, scrollY]") == [2, 2, 0]
        serving.say("condition Brakk dizzy")
        browser.until(lambda: "dizzy" in browser.text("#own"))
        assert browser.run("return felt") == 2, "what waits still rings once"
        first = browser.run("return [...document.querySelectorAll('article, #stage')][0].innerText")
        assert first.startswith("Brakk: d20"), "what waits stands first"
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: browser.text("#bell") == "Bell on")
        # A browser lets no phone vibrate before the page was touched.
        assert all("vibrate" in x for x in refused(browser))


UNBOUND = ("add Ana owner=Mia side=red", "add Orc side=blue", "begin", "total red 9 blue 3")


@pytest.mark.parametrize(
    ("system", "lines", "shown", "typed"),
    [
        ("dynamic", ("add Fay owner=Mia kind=pc hp=9", "begin"), "pool", {"weapon": "1d8", "move": "yes"}),
        ("unbound", UNBOUND, "", {}),
        ("cards", ("add Ana owner=Mia kind=pc hp=9", "add Orc hp=5", "begin"), "Deal", {}),
        ("classic", ("add Ana owner=Mia kind=pc hp=9", "add Orc hp=5", "begin"), "d20", {}),
    ],
)  # fmt: skip
def test_every_system_has_its_own_tasks(
    browser: Browser, tmp_path: Path, system: str, lines: tuple[str, ...], shown: str, typed: dict[str, str]
) -> None:
    made = prepared(tmp_path, *lines, system=system)
    with Serving(tmp_path) as serving:
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: browser.text("#do") != "")
        for name, text in typed.items():
            if text == "yes":
                browser.run(f"document.querySelector('#do [name={name}]').click()")
            else:
                fill(browser, **{name: text})
        browser.until(lambda: shown in browser.text("#do"))
        browser.run("document.querySelector('#do button.go').click()")
        browser.until(lambda: len(lines_of(made)) == 1)
        assert refused(browser) == []


SWITCH = (
    "add Fay owner=Mia kind=pc hp=9", "add Orc hp=5", "begin", "order Fay weapon=1d8 move=yes",
    "roll Fay 5 2", "roll Orc 8", "next",
)  # fmt: skip


def test_a_switch_lists_the_actions_for_one_that_is_given_up(browser: Browser, tmp_path: Path) -> None:
    made = prepared(tmp_path, *SWITCH, system="dynamic")
    with Serving(tmp_path) as serving:
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: "other action" in opened(browser))
        slot, price = "#more [data-slot=switch]", "document.querySelector('[name=\"price switch\"]')"
        assert browser.run(f"return document.querySelectorAll('{slot} button').length") < 5
        browser.run(
            f"const at = {price}; at.value = [...at.options].findIndex(x => x.text === 'move');"
            "at.dispatchEvent(new Event('change'))"
        )
        browser.until(lambda: "other action" in opened(browser))
        tap(browser, "other action", slot)
        browser.until(lambda: lines_of(made) == ["switch Fay from=move action=1"])
        browser.until(lambda: "that was your turn" in browser.text("#stage"))
        assert refused(browser) == []


def test_names_are_never_markup_and_a_big_screen_has_two_columns(browser: Browser, tmp_path: Path) -> None:
    prepared(tmp_path, f'add "{MARKUP}" owner=Mia hp=9', "add Orc hp=7", "begin", system="classic")
    browser.look_like(SCREEN)
    try:
        with Serving(tmp_path) as serving:
            for viewer in ("everybody", "Mia"):
                browser.open(serving.addresses[viewer])
                browser.until(lambda: MARKUP in browser.text("#track"))
                assert browser.run("return document.querySelectorAll('img').length") == 0
                assert browser.run("return document.title").endswith("mill")
            boxes = browser.run(
                "return ['#left', '#right'].map(x => document.querySelector(x).getBoundingClientRect())"
                ".map(r => [r.left, r.right])"
            )
            assert all(one[1] <= other[0] for one, other in pairwise(boxes))
            # Nor would it run if it were markup: the policy lets no script but the page's own.
            browser.run(f"document.body.insertAdjacentHTML('beforeend', {MARKUP!r})")
            assert browser.run("return document.title").endswith("mill")
            assert browser.complaints()
    finally:
        browser.look_like(PHONE)
