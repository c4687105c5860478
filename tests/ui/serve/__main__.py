"""`python -m tests.ui.serve`: draw the README's picture of the page again, in a real browser."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tests.kit.scripted_play import stop
from tests.kit.terminal import tocsin
from tests.ui.serve.browser import Browser
from tests.ui.serve.serving import Serving

TOP = Path(__file__).parents[3]
PICTURE = TOP / ".github" / "pictures" / "page.png"

with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    shutil.copy(TOP / "saves" / "examples" / "gate.toml", folder / "gate.toml")
    writer = tocsin(folder, "gate", size=(120, 40))
    writer.wait("saved")
    with Serving(folder, save="gate") as serving, Browser(folder / "profile") as browser:
        browser.look_like((1200, 675), dark=True)
        browser.open(serving.addresses["everybody"])
        browser.until(lambda: browser.text("#who") == "Thane" and not browser.text("#note"))
        browser.picture(PICTURE)
    stop(writer)
