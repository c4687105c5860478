"""Drive a real headless Chromium by its chromedriver, over the WebDriver protocol."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Self

from tests.kit.machine import program

PHONE, TABLET, SCREEN = (390, 844), (820, 1180), (1920, 1080)

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE = 60.0


class Browser:
    """A browser with one tab and a fresh profile; use `with`."""

    def __init__(self, folder: Path) -> None:
        self._driver = subprocess.Popen(
            [program("chromedriver"), "--port=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._driver.stdout
        found = None
        while not found:
            line = self._driver.stdout.readline()
            assert line, "chromedriver ended"
            found = re.search(r"started successfully on port (\d+)", line)
        self._port, self._session = int(found[1]), ""
        options = {"binary": program("chromium"), "args": [*FLAGS, f"--user-data-dir={folder}"]}
        wanted = {
            "capabilities": {
                "alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
            }
        }
        try:
            self._session = f"/session/{self._call('POST', '/session', wanted)['sessionId']}"
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._session:
            with suppress(OSError, AssertionError):
                self._call("DELETE", self._session)
        self._driver.terminate()
        self._driver.wait()
        if self._driver.stdout:
            self._driver.stdout.close()

    def open(self, address: str) -> None:
        """Load a page."""
        self._call("POST", f"{self._session}/url", {"url": address})

    def run(self, script: str) -> Any:
        """Return what a script returns in the page."""
        return self._call("POST", f"{self._session}/execute/sync", {"script": script, "args": []})

    def look_like(self, size: tuple[int, int], *, dark: bool = False) -> None:
        """Take the size of a device, and its colours."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 1000}
        self._devtools("Emulation.setDeviceMetricsOverride", metrics)
        colours = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._devtools("Emulation.setEmulatedMedia", {"features": [colours]})

    def picture(self, path: Path) -> None:
        """Write what is seen, as PNG."""
        path.write_bytes(base64.b64decode(self._call("GET", f"{self._session}/screenshot")))

    def text(self, of: str = "body") -> str:
        """Return the text that is seen of an element."""
        return str(self.run(f"return document.querySelector({of!r}).innerText"))

    def until(self, what: Callable[[], bool], patience: float = PATIENCE) -> None:
        """Wait for something."""
        end = time.monotonic() + patience
        while not what():
            assert time.monotonic() < end, self.text()
            time.sleep(0.02)

    def complaints(self) -> list[str]:
        """Return what the browser wrote into its console: refused scripts and styles among it."""
        found = self._call("POST", f"{self._session}/se/log", {"type": "browser"})
        return [entry["message"] for entry in found]

    def _devtools(self, command: str, words: dict[str, Any]) -> None:
        self._call("POST", f"{self._session}/goog/cdp/execute", {"cmd": command, "params": words})

    def _call(self, method: str, path: str, words: dict[str, Any] | None = None) -> Any:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request(method, path, json.dumps(words) if words is not None else None)
            answer = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        assert not (isinstance(answer, dict) and "error" in answer), answer
        return answer
