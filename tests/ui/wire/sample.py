"""The way into the small app: `python -m tests.ui.wire.sample [--stock]`."""

from __future__ import annotations

import os
import sys
import threading

from tui.ui.terminal.environment import prepare_environment


def main(arguments: list[str]) -> int:
    """Run it as the composition root runs the real one."""
    prepare_environment(os.environ)
    from tests.ui.wire.sample_app import Sample
    from tui.ui.terminal.guardian import guarding
    from tui.ui.terminal.watchdog import watched

    threading.Thread(target=threading.Event().wait, daemon=True).start()  # as a store has one
    app = Sample(frugal="--stock" not in arguments)
    with watched() as watchdog, guarding(app, watchdog):
        app.run(mouse=False)
    if app.failure:
        print(f"{type(app.failure).__name__} ended it", file=sys.stderr)
        return 5
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
