"""Where a user's files belong is where platformdirs says."""

from __future__ import annotations

import os
import subprocess
import sys
from unittest.mock import patch

import platformdirs
from hypothesis import given
from hypothesis import strategies as st

from tui.dirs import state_folder, user_folder

PATHS = st.sampled_from(["", "/", "/a", "/a/", "a", "~/a", "/home/mia", "./x", " /a", "//b", "/a b"])
NAMES = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, PATHS)))
def test_they_lie_where_the_library_says(environ: dict[str, str]) -> None:
    with patch.dict(os.environ, environ, clear=True):
        assert user_folder("config") == platformdirs.user_config_dir("tocsin")
        assert user_folder("data") == platformdirs.user_data_dir("tocsin")
        if environ.get("HOME", "").startswith("/"):
            assert state_folder() == platformdirs.user_state_dir("tocsin")


def test_where_there_is_nothing_to_work_out_the_library_is_not_loaded() -> None:
    script = "import sys, tui.dirs as d; d.user_folder('config'); d.user_folder('data'); print('platformdirs' in sys.modules)"
    env = {**os.environ, "HOME": "/home/mia"}
    for name in NAMES[1:]:
        env.pop(name, None)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=env)
    assert done.stdout == "False\n"
