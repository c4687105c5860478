"""Write the answers of transcripts again: `python -m tests.kit [PATH…]`. Read the difference afterwards.

A path is a file of transcripts or a folder with some. Without one all are written, also those of calls of the
program, of samples of formats and of spoilt saves.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from tests.kit.transcript import CORE, DESK, PLACES, replayed, transcripts

wanted = [Path(path).resolve() for path in sys.argv[1:]]
files = (*PLACES, *CORE, *DESK)
if strange := [path for path in wanted if not any(file.is_relative_to(path) for file in files)]:
    sys.exit(f"no transcripts: {', '.join(map(str, strange))}")
for place in files:
    if not wanted or any(place.is_relative_to(path) for path in wanted):
        texts = [replayed(place, text) for text in transcripts(place)]
        place.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
for module in () if wanted else ("tests.cli", "tests.exchange", "tests.store.damaged"):
    runpy.run_module(module, run_name="__main__")
