"""The calls in the chapters of the manual."""

from __future__ import annotations

import re
import shlex


def calls(text: str) -> list[list[str]]:
    """The commands of a text's blocks of shell, in their order."""
    blocks: list[str] = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = (line for block in blocks for line in block.replace("\\\n", " ").splitlines())
    return [words for line in lines if (words := shlex.split(line, comments=True))]
