"""Texts that steer terminals, mean something to markup, hide, or take more or fewer columns than letters."""

from __future__ import annotations

STEERING = {
    "clear": "a\x1b[2Jb",
    "title": "\x1b]0;pwned\x07",
    "clipboard": "\x1b]52;c;cm0gLXJm\x07",
    "question": "\x1b[6n\x1b[c\x1b[5n",
    "keyboard": "\x1b[?1049l\x1b[>1u",
    "canary": "\x1b[31337m\x9b31337m\x1b[?31337h",
    "c1": "\x9b2J\x9d0;x\x9c",
    "nul": "a\x00b\x07\x08",
    "breaks": "a\nb\rc\td\x0be\x85f\u2028g",
    "bidi": "\u202eevil\u2066x\u2069\u200f",
    "tags": "a\U000e0041\U000e007f",
    "joiners": "a\u200db\u200cc\u2060d\ufeff",
    "private": "\ue000\U000f0000",
    "dcs": "\x1bP1$r0m\x1b\\\x90q\x9c",
    "delete": "a\x7fb",
}
MARKUP = {
    "closing": "Orc [/]",
    "action": "[@click=app.quit]x[/]",
    "bold": "[bold red]Bo[/bold red]",
    "unknown": "[dagger]",
    "open": "[",
    "backslash": "\\[b]x\\",
    "variable": "$name {0} {who} %s",
    "ticks": "`next`",
    "html": "<b>&amp;",
}
SHAPED = {
    "wide": "龍の子",
    "hangul": "한글 각",
    "marks": "e\u0301\u0301\u0301\u0301\u0301",
    "zalgo": "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334a\u0320",
    "family": "👩\u200d👩\u200d👧\u200d👦 clan",
    "tone": "👍🏽",
    "flag": "🇩🇪🇫🇷",
    "selector": "☠\ufe0f☠",
    "thai": "ก\u0e33ก",
    "devanagari": "क्षि",
    "arabic": "سلام",
    "long": "x" * 64,
    "widest": "龍" * 64,
    "filler": "\u3164\u115f",
}
SYNTAX = {
    "quotes": 'a"b\\"c',
    "toml": '"""\n[[step]]\nn = 1',
    "seal": "# 1 2 deadbeef",
    "equals": "x=y hp=9",
    "comment": "#1",
    "number": "5",
    "dots": "../../etc/passwd",
    "dash": "-x --bogus",
}
EVIL = {**STEERING, **MARKUP, **SHAPED, **SYNTAX}
