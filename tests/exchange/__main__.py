"""Write again what is taken from each sample: `python -m tests.exchange`. Read the difference."""

from __future__ import annotations

from tests.kit.shapes import FORMATS, NAMES, answers

for name in NAMES:
    for file, text in answers(name).items():
        (FORMATS / name / file).write_text(text, encoding="utf-8")
