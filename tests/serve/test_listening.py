"""Where the pages are served, and the QR codes of their addresses."""

from __future__ import annotations

import pytest
import segno

from tui.core.base.errors import RuleError
from tui.core.base.listening import read_listen
from tui.serve.listening import base_url, is_local, listen, qr_rows


def test_an_address_of_every_network_is_shown_as_the_machines_own() -> None:
    with listen("0.0.0.0", 0) as wide, listen("127.0.0.1", 0) as here:
        assert not is_local(wide)
        assert "0.0.0.0" not in base_url(wide)
        assert base_url(wide).endswith(f":{wide.getsockname()[1]}/")
        assert is_local(here)
        assert base_url(here) == f"http://127.0.0.1:{here.getsockname()[1]}/"


def test_a_port_that_is_taken_is_refused_with_a_free_one_as_the_way_out() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(RuleError, match=f"port {port} is in use") as refused:
            listen("127.0.0.1", port)
        assert refused.value.hint == "`127.0.0.1:0` takes a free port"
        host, free = read_listen(refused.value.hint.split("`")[1])
        with listen(host, free) as second, listen(host, port, free=True) as third:
            assert len({port, second.getsockname()[1], third.getsockname()[1]}) == 3


@pytest.mark.parametrize("inverted", [False, True])
def test_a_qr_code_is_a_square_of_half_blocks_with_a_margin(inverted: bool) -> None:
    address = "http://192.168.1.20:8080/abcdefghijklmnopqrstuvwxyz"
    rows = list(qr_rows(address, inverted=inverted))
    drawn = [
        [(c in low) != inverted for c in row] for row in rows for low in ("\u2580\u2588", "\u2584\u2588")
    ]
    wanted = [
        [bool(x) for x in row] for row in segno.make(address, error="l", micro=False).matrix_iter(border=2)
    ]
    assert drawn[: len(wanted)] == wanted
    assert not any(any(row) for row in drawn[len(wanted) :])
