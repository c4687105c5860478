"""The way into the small screen: `python -m tests.ui.wire.sample [--stock]`."""

from __future__ import annotations

import os
import sys
import threading

from tui.ui.terminal.environment import prepare_environment


def main(arguments: list[str]) -> int:
    """Run it as the program runs the real one."""
    prepare_environment(os.environ)
    from tests.ui.wire.sample_app import SampleDisplay
    from tui.ui.app.app import TocsinApp
    from tui.ui.launch.start import FirstPictures
    from tui.ui.terminal.guardian import guard

    stock = "--stock" in arguments
    threading.Thread(target=threading.Event().wait, daemon=True).start()  # as a store has one
    display = SampleDisplay()
    try:
        with guard(display.leaving):
            try:
                first = FirstPictures(display)
                if not stock:
                    first.show()
                app = TocsinApp(display, pictured=first.rows, stock_output=stock)
                app.run(mouse=False)
                if app.failure:
                    raise app.failure
                return app.return_code or 0
            finally:
                display.terminal.give_back()
                display.terminal.close()
    except RuntimeError as error:
        print(f"{type(error).__name__} ended it", file=sys.stderr)
        return 5


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
