"""What a page brings to the browser besides the table: meanings, and the headers that guard it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from tui.serve.page import make_page, number_page, page_headers, read_html
from tui.store.opening import create_save
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry


def test_the_meanings_of_what_is_seen_come_with_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = create_save("mill", str(tmp_path), Registry(), "classic", {})
    session = open_session(path, str(tmp_path), Registry(), SeededDice(5), how="inline")
    for line in ("add Ana owner=Mia", "add Orc", "add Lurk hidden=yes", "condition Lurk prone", "begin"):
        session.store.run(line)
    for line in ("condition Ana poisoned", "condition Orc dazed", "react Orc"):
        session.store.run(line)
    pages = [json.loads(make_page(session.store, name)[0]) for name in ("Mia", "")]
    session.close()
    meanings = {"reacted": "Has spent its reaction.", "poisoned": "Its attacks and checks are harder."}
    assert [(x["viewer"], x["terms"]) for x in pages] == [("Mia", meanings), ("", meanings)]


def test_the_page_runs_its_own_script_and_style_and_nothing_else() -> None:
    html = read_html()
    hashes = {}
    for tag, last in ((b"style", b"#note.old"), (b"script", b"connect();\n")):
        (text,) = re.findall(b"<%b>(.*?)</%b>" % (tag, tag), html, re.DOTALL)
        assert last in text
        hashes[tag.decode()] = f"sha256-{b64encode(sha256(text).digest()).decode()}"
    assert page_headers(html) == {
        "Content-Security-Policy": f"default-src 'none'; style-src '{hashes['style']}'; "
        f"script-src '{hashes['script']}'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
    assert number_page(7, b'{"a":"x",\n\r"b":1}') == b'{"moment":7,"a":"x","b":1}'
