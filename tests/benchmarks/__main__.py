"""Commands as whole processes, beside a process that only imports what they have imported.

    python -m tests.benchmarks [--runs 5]

Times are those of the processor, the lowest of several runs, the program and its imports in turn: what a busy
machine adds is never a part of either. A ratio beyond `LIMIT` ends with exit code 1.
"""

from __future__ import annotations

import argparse
import compileall
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from tests.benchmarks.fight import fight

COMMANDS: dict[str, tuple[str, ...]] = {
    "show": ("show",),
    "show --json": ("show", "--json"),
    "do": ("do", "note hello"),
}
LIMIT = 1.5
"""How much more than its imports alone a command may take; a doubling is a defect."""


def main() -> int:
    """Print a row for each command; 1 when one is beyond its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    # As it is installed: with its bytecode, whatever the environment says.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    compileall.compile_dir("tui", quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TOCSIN_CONFIG"] = folder
        path, ratios = fight(folder, 20, 300), []
        for name, (command, *rest) in COMMANDS.items():
            words = [sys.executable, "-m", "tui", command, path, "--saves", folder, *rest]
            imports = [sys.executable, "-c", f"import {', '.join(_imported(words))}"]
            pairs = [(_time(words), _time(imports)) for _ in range(runs)]
            ours, floor = (min(times) for times in zip(*pairs, strict=True))
            ratios.append(ours / floor)
            print(
                f"tocsin {name}: {1000 * ours:.0f} ms, its imports {1000 * floor:.0f} ms, {ours / floor:.2f}"
            )
    return int(max(ratios) > LIMIT)


def _imported(words: Sequence[str]) -> list[str]:
    """The modules that a command has loaded at its end."""
    script = (
        "import sys, runpy, atexit; atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr))\n"
    )
    script += f"sys.argv = ['tocsin', *{[*words[3:]]!r}]\nrunpy.run_module('tui', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    last = done.stderr.strip().splitlines()[-1].split()
    return ["tui.__main__", *(n for n in last if n.startswith("tui.") and n != "tui.__main__")]


def _time(words: Sequence[str]) -> float:
    """Processor time of a whole process, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
