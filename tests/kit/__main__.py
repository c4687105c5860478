"""Write the answers of all transcripts again: `python -m tests.kit`. Read the difference afterwards."""

from __future__ import annotations

import runpy

for module in ("tests.kit.transcript", "tests.exchange", "tests.store.damaged"):
    runpy.run_module(module, run_name="__main__")
