"""The page in a real browser without a server: its clock is set, and a judge answers what it sends.

Each line of `page.txt` is a step: what is done, ` ==> `, and what then looks different, by its place. `@` is
what the page did: posts, timers in milliseconds, sounds, styles. `python -m tests.serve` writes it again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from tests.kit.table import Table
from tests.serve.browser import PHONE, SCREEN, Browser
from tui.serve.judge import PageJudge
from tui.serve.letter import Posted, SentLine
from tui.serve.page import make_page, number_page, read_html
from tui.store.sources import SeededDice

TRANSCRIPT = Path(__file__).parent / "page.txt"
FIELD = re.compile(r"textarea\[name=(\w+)\]((?:\[[^\]]*\])+)(?=\()")
WORLD = r"""
const box = window.box = { clock: 1e12, timers: [], did: [], posts: [], sources: [], every: [] };
const tell = text => { box.did.push(text); };
Date.now = () => box.clock;
window.setTimeout = (f, ms) => { tell(`in ${ms}`); return box.timers.push({ f, at: box.clock + ms }); };
window.clearTimeout = id => { if (box.timers[id - 1]) box.timers[id - 1].f = null; };
window.setInterval = (f, ms) => { tell(`every ${ms}`); box.every.push(f); };
window.requestAnimationFrame = queueMicrotask;
crypto.getRandomValues = numbers => {
  const n = sessionStorage.n = +(sessionStorage.n ?? 0) + 1;
  return numbers.map((_, i) => i % 2 ? n % 32 : n / 32);
};
window.scrollTo = (x, y) => tell(`scroll ${x} ${y}`);
Object.defineProperty(navigator, "vibrate", { value: x => tell(`vibrate ${x}`) });
const told = (kind, more) => (...x) => { tell(`${kind} ${x}`); return more; };
window.AudioContext = class {
  currentTime = 1;
  constructor() { tell("audio"); }
  resume() { tell("resume"); }
  createGain() {
    const gain = { setValueAtTime: told("gain"), exponentialRampToValueAtTime: told("fade") };
    return { gain, connect: x => x };
  }
  createOscillator() {
    const tone = { frequency: {}, connect: x => x, stop: told("until") };
    tone.start = () => tell(`tone ${tone.frequency.value}`);
    return tone;
  }
};
window.fetch = (url, init) => new Promise((ok, no) => {
  const x = JSON.parse(init.body), head = [init.method, url.split("/").at(-1), Object.values(init.headers)];
  box.posts.push({ x, ok, no });
  init.signal.onabort = () => { tell("abort"); box.posts = box.posts.filter(p => p.x !== x); no(); };
  tell(`${head.join(" ")} ${x.id} ${x.moment}${x.read ? " read" : ""} ${x.line}`);
});
window.EventSource = class {
  static CLOSED = 2;
  readyState = 1;
  heard = {};
  constructor(url) { tell(`stream ${url.split("/").at(-1)}`); box.sources.push(this); }
  addEventListener(kind, f) { this.heard[kind] = f; }
  close() { this.readyState = 2; tell("close"); }
};
box.rest = async () => { for (let n = 0; n < 40; n += 1) await null; };
box.wait = async ms => {
  const end = box.clock + ms, due = () => box.timers.filter(t => t.f && t.at <= end);
  while (box.clock < end || due().length) {
    const next = due().sort((a, b) => a.at - b.at)[0], tick = Math.floor(box.clock / 1000 + 1) * 1000;
    box.clock = Math.min(end, tick, next ? Math.max(next.at, box.clock) : end);
    if (next && next.at <= box.clock) { const f = next.f; next.f = null; f(); }
    else if (box.clock === tick) box.every.forEach(f => f());
    await box.rest();
  }
};
const attributes = node => [...node.attributes].filter(x => !/^(id|data-key|class)$/.test(x.name)
  && x.value !== "button" && !(x.name === "style" && node.tagName === "TEXTAREA"));
const see = node => {
  if (node.nodeType === 3) return node.data.trim();
  if (node.tagName === "SCRIPT" || getComputedStyle(node).display === "none") return "";
  const parts = [...node.childNodes].map(see).filter(Boolean);
  for (const at of ["::before", "::after"]) parts.push(getComputedStyle(node, at).content);
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName))
    parts.push(`=${node.type === "checkbox" ? node.checked : node.value}`);
  if (node === document.activeElement && node.name)
    parts.push(`*${node.selectionStart ?? ""}-${node.selectionEnd ?? ""}`);
  const tag = /^(SPAN|DIV|P|DD|OPTION)$/.test(node.tagName) ? "" : node.tagName.toLowerCase();
  const own = attributes(node).map(x => `[${x.name}${x.value ? `=${x.value}` : ""}]`).join("");
  const head = [tag, ...node.classList].join(".") + own;
  const words = parts.filter(x => !/^(none|normal)$/.test(x));
  return head || !words.length ? `${head}(${words.join(" ")})` : words.join(" ");
};
box.look = () => {
  const found = { title: document.title, body: document.body.className };
  for (const node of document.querySelectorAll("[id]"))
    found[`#${node.id}`] = node.querySelector("[id]") ? node.className : see(node);
  return { ...found, "@": box.did.splice(0).join(" | ") };
};
const STYLES = ["color", "background-color", "border-left", "border-bottom", "border-top", "border-radius",
  "padding", "margin", "font-size", "font-weight", "font-style", "text-decoration-line", "text-align",
  "white-space", "min-height", "min-width", "gap", "display", "position", "opacity", "overflow", "box-shadow",
  "align-items", "justify-content", "flex", "flex-wrap", "width", "height", "cursor"];
const USUAL = RegExp("^(|none|normal|auto|0px|0px none .*|static|visible|block|inline|rgba\\(0, 0, 0, 0\\)"
  + "|1|0 1 auto|start)$");
const hex = text => text.replace(/rgb\(([^()]*)\)/g,
  (_, c) => "#" + c.split(", ").map(n => (+n).toString(16).padStart(2, "0")).join(""));
box.style = () => {
  const seen = {}, known = JSON.parse(sessionStorage.style ?? "{}"), all = document.documentElement;
  for (const node of document.querySelectorAll("body, body :not(script)")) {
    const up = node.parentElement, style = getComputedStyle(node), above = getComputedStyle(up);
    const name = [node.id && `#${node.id}`, node.tagName.toLowerCase(), ...node.classList].filter(Boolean);
    const path = `${up.className || up.id || up.tagName} ${name.join(".")}`;
    // Not what depends on the fonts of a machine.
    const sized = x => /^(width|height)$/.test(x), hasSize = node.matches(".bar, .bar i, [type=checkbox]");
    const measured = x => node.id === "bell" && x === "margin" || sized(x) && !hasSize
      || x === "flex-wrap" && style[x] === "nowrap";
    const inherited = x => /^(color|font-.*|text-align|white-space|cursor)$/.test(x) && style[x] === above[x];
    const usual = x => x === "overflow" ? style[x] === "visible" : USUAL.test(style[x]);
    const special = x => !usual(x) && !measured(x) && !inherited(x);
    if (style.display !== "none" && !(path in seen))
      seen[path] = STYLES.filter(special).map(x => hex(style[x])).join(", ");
  }
  const at = id => document.getElementById(id).getBoundingClientRect();
  const ids = ["top", "note", "do", "stage", "next", "more", "own", "track", "log"];
  const before = (a, b) => at(a).top - at(b).top || at(a).left - at(b).left;
  const places = ids.filter(x => at(x).height).sort(before);
  seen.page = [...places, all.scrollWidth <= innerWidth, all.scrollHeight <= innerHeight,
    at("track").left > at("own").right].join(" ");
  tell(Object.entries(seen).filter(([k, x]) => x !== known[k]).map(([k, x]) => `${k}: ${x}`).join("; "));
  sessionStorage.style = JSON.stringify({ ...known, ...seen });
};
"""
"""What the page's script meets in place of the world, and what looks at the page."""


def shared(one: Sequence[str], two: Sequence[str]) -> int:
    """Return how many first words are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))


def narrow(old: str, new: str) -> str:
    """Return the words of a text that are not as before, from the word before them, and how many are gone."""
    one, two = re.split(r"(?<=[ (])", old), re.split(r"(?<=[ (])", new)
    start = shared(one, two)
    end = shared(one[start:][::-1], two[start:][::-1])
    middle = "".join(two[max(0, start - 1) : len(two) - end]).strip()
    gone = len(one) - start - end if start or end else 0
    return f"{'...' if start else ''}{f'-{gone} ' if gone else ''}{middle}{'...' if end else ''}"


def replayed(browser: Browser, folder: Path) -> Iterator[str]:
    """Yield the lines of the transcript with the answers of the page as it is."""
    page = BoxedPage(browser, folder)
    for line in TRANSCRIPT.read_text(encoding="utf-8").splitlines():
        words = line.partition(" ==> ")[0]
        yield f"{words} ==> {page.step(words)}"


class BoxedPage:
    """A player's page of a fight that is played line by line."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self.path = browser, folder / "page.html"
        self.moment, self.made, self.before = 0, b"", dict[str, str]()
        self.known = dict[str, str]()
        script = b"<script>{%b}</script><script>" % WORLD.encode()
        self.path.write_bytes(read_html().replace(b"<script>", script, 1))

    def step(self, words: str) -> str:
        """Do what a line says, and return what then looks different."""
        for act in words.split(" | "):
            verb, _, rest = act.partition(" ")
            getattr(self, f"do_{verb}")(rest)
            self.browser.run("return box.rest()")
        now = self.browser.run("return box.look()")
        self.before, before = now, {**self.before, "@": ""}
        changed = [f"{k} {narrow(before.get(k, ''), v)}" for k, v in now.items() if v != before.get(k, "")]
        return FIELD.sub(self.shorten, "  ".join(changed).replace("\n", "/"))

    def shorten(self, found: re.Match[str]) -> str:
        """Return a field, with its attributes only if they are not those that it had before."""
        if self.known.get(found[1]) == found[2]:
            return found[1]
        self.known[found[1]] = found[2]
        return found[0]

    def do_fight(self, rest: str) -> None:
        """Begin a fight of a system, and open a player's page of it."""
        system, self.name, lines = rest.split(" ", 2)
        self.table = Table(system, dice=SeededDice(1))
        self.judge = PageJudge(self.table.store)
        self.table.do(*lines.split("; "))
        self.before = {}
        self.browser.open(self.path.as_uri())
        self.browser.run("localStorage.clear()" + ("" if self.moment else "; sessionStorage.clear()"))
        self.do_open()

    def do_open(self, _: str = "") -> None:
        """Load the page again."""
        self.browser.open(self.path.as_uri())
        self.do_show()

    def do_show(self, _: str = "") -> None:
        """Send the page, changed or not."""
        self.made, offers = make_page(self.table.store, self.name)
        self.moment += 1
        self.judge.showed(self.name.lower(), self.moment, offers)
        page = json.dumps(number_page(self.moment, self.made).decode())
        self.browser.run(f"box.sources.at(-1).onmessage({{ data: {page} }})")

    def do_gm(self, rest: str) -> None:
        """Run lines of the game master."""
        self.do_quietly(rest)
        self.do_show()

    def do_quietly(self, rest: str) -> None:
        """Run lines of the game master before the page is sent."""
        self.table.do(*rest.split("; "))

    def do_tap(self, words: str) -> None:
        """Tap the button that begins with these words, in a place if one is named."""
        place, words = words.split(" ", 1) if words[0] in "#[" else ("body", words)
        self.browser.run(
            f"const all = [...document.querySelectorAll('{place} button, {place} summary')];"
            f"const text = {json.dumps(words)}, said = b => b.innerText.replace(/\\n/g, ' ');"
            "const at = all.find(b => b.checkVisibility() && said(b).startsWith(text));"
            "at.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })); at.click();"
        )

    def do_type(self, rest: str) -> None:
        """Tap a field and type a text into it; a box is ticked."""
        name, _, text = rest.partition(" ")
        self.browser.run(
            f"const at = [...document.querySelectorAll('[name={name}]')].find(x => x.checkVisibility());"
            "at.focus(); at.click(); if (at.type === 'checkbox') return;"
            f"at.value = {json.dumps(text)}; at.dispatchEvent(new Event('input'));"
        )

    def do_choose(self, rest: str) -> None:
        """Choose from the list `NAME: BEGINNING`."""
        name, text = rest.split(": ")
        self.browser.run(
            f"const at = document.querySelector('[name=\"{name}\"]');"
            f"at.value = [...at.options].find(x => x.text.startsWith({json.dumps(text)})).value;"
            "at.dispatchEvent(new Event('change'))"
        )

    def do_answer(self, status: str) -> None:
        """Answer the post that waits longest: as the judge does, with a status, or not at all."""
        if status == "lost":
            self.browser.run("box.posts.shift().no()")
            return
        reply: Any = {}
        if not status:
            posted = Posted(**self.browser.run("return box.posts[0].x"))
            found = self.judge.judge(SentLine(self.name.lower(), "", posted, print), self.name).reply
            reply = to_builtins(found)
        self.browser.run(
            f"const ok = {json.dumps(not status)}, status = {status or 200};"
            f"box.posts.shift().ok({{ ok, status, json: async () => ({json.dumps(reply)}) }});"
            "return box.rest()"
        )
        if make_page(self.table.store, self.name)[0] != self.made:
            self.do_show()

    def do_style(self, device: str) -> None:
        """Tell how everything is drawn on a device, where that was not told before."""
        self.browser.look_like(SCREEN if device == "screen" else PHONE, dark=device == "night")
        self.browser.run("box.style()")
        self.browser.look_like(PHONE)

    def do_wait(self, seconds: str) -> None:
        """Let time pass."""
        self.browser.run(f"return box.wait({float(seconds) * 1000})")

    def do_js(self, script: str) -> None:
        """Run a script."""
        self.browser.run(script)
