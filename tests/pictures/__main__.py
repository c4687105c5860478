"""`python -m tests.pictures`: takes the pictures of `.github/pictures` anew, and removes those of no shot."""

from __future__ import annotations

import asyncio

from tests.pictures import FOLDER, SHOTS, take
from tests.pictures.film import FILM, take_film


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.svg"):
        if path not in {FILM, *(shot.path for shot in SHOTS)}:
            path.unlink()
    for shot in SHOTS:
        shot.path.write_text(asyncio.run(take(shot)), encoding="utf-8")
        print(shot.path)
    FILM.write_text(asyncio.run(take_film()), encoding="utf-8")
    print(FILM)


if __name__ == "__main__":
    main()
