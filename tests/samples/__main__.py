"""`python -m tests.samples`: makes the saves of `saves/examples` anew."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tests.samples import EXAMPLES, PREPARED, make, scripts
from tui.systems import Registry


def main() -> None:
    for name in (*scripts(Registry()), PREPARED.name):
        with tempfile.TemporaryDirectory() as folder:
            path = make(name, Path(folder))
            shutil.copyfile(path, EXAMPLES / path.name)
        print(f"{EXAMPLES / path.name}: {path.name}")


if __name__ == "__main__":
    main()
