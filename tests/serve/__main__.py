"""`python -m tests.serve`: write `page.txt` again, and draw the README's picture of a phone in a browser."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.serve.boxed import TRANSCRIPT, replayed
from tests.serve.browser import PHONE, Browser
from tests.serve.serving import Serving

PICTURE = Path(__file__).parents[2] / ".github" / "pictures" / "page.png"
LINES = (
    "add Brakk owner=Mia kind=pc +2 18 ac15", "add Shara owner=Jon kind=pc +1 14 ac13", "add 3 Orc +1 8",
    "begin",
)  # fmt: skip
ORDER = {
    "movement": "to the door", "action": "strike the nearest orc or else shove it",
    "reaction": "an orc runs past => trip it",
}  # fmt: skip


def draw(folder: Path) -> None:
    """Serve a fight, write an order on a phone, and take its picture."""
    for words in (("new", "mill", "--system", "chaos"), ("do", "mill", *LINES)):
        subprocess.run([sys.executable, "-m", "tui", *words, "--saves", str(folder)], check=True)
    with Serving(folder) as serving, Browser(folder / "profile") as browser:
        browser.look_like(PHONE, dark=True)
        TRANSCRIPT.write_text("".join(f"{x}\n" for x in replayed(browser, folder)), encoding="utf-8")
        browser.open(serving.addresses["Mia"])
        browser.until(lambda: "Order for Brakk" in browser.text("#do"))
        for name, text in ORDER.items():
            browser.run(
                f"const at = document.querySelector('#do [name={name}]'); at.value = '{text}';"
                "at.dispatchEvent(new Event('input'))"
            )
        browser.until(lambda: "reads as" in browser.text("#do"))
        browser.picture(PICTURE)


with tempfile.TemporaryDirectory() as name:
    draw(Path(name))
