"""The way into the small screen: `python -m tests.ui.wire.sample [--stock]`."""

from __future__ import annotations

import os
import sys
import threading
import time
from importlib.abc import MetaPathFinder

from tui.image import Image
from tui.ui.terminal.environment import prepare_environment


class Slow(MetaPathFinder):
    """Textual takes its time."""

    def find_spec(self, fullname: str, *_: object) -> None:
        if fullname == "textual":
            time.sleep(float(os.environ["SAMPLE_SLOW"]))


def main(arguments: list[str]) -> int:
    """Run it as the composition root runs the real one."""
    prepare_environment(os.environ)
    if "SAMPLE_SLOW" in os.environ:
        sys.meta_path.insert(0, Slow())
    from tests.ui.wire.sample_app import SampleDisplay
    from tui.ui.launch.running.playing import play
    from tui.ui.terminal.guardian import guarding
    from tui.ui.terminal.watchdog import watched

    threading.Thread(target=threading.Event().wait, daemon=True).start()  # as a store has one
    with watched() as watchdog:
        display = SampleDisplay()
        try:
            with guarding(display.leaving, watchdog):
                return play(display, display.terminal, Image(""), frugal="--stock" not in arguments)
        except RuntimeError as error:
            print(f"{type(error).__name__} ended it", file=sys.stderr)
            return 5


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
