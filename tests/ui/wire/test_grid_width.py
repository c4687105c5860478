"""Columns are what Rich says they are, also where it is not asked."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len as measured

from tui.ui.wire.grid import NARROW_RANGES, cell_len

SIGNS = [chr(code) for low, high in NARROW_RANGES for code in range(low, high + 1)]
TEXTS = st.text(
    st.one_of(st.characters(), st.sampled_from(SIGNS), st.sampled_from("a \t\x07\u0301\u200d漢🧝"))
)


@given(TEXTS)
def test_a_width_is_what_rich_says(text: str) -> None:
    assert cell_len(text) == measured(text)


def test_every_sign_of_the_frame_is_one_column() -> None:
    assert [c for c in SIGNS if measured(c) != 1] == []


def test_words_and_frames_do_without_rich() -> None:
    script = (
        "import sys; from tui.ui.wire.grid import cell_len; "
        "cell_len('── Track … é █'); print('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
