"""What `tocsin serve` prints, and where it listens."""

from __future__ import annotations

import segno

from tui.ui.launch.serve_command import base, is_only_here, open_socket, qr_code


def test_an_address_of_every_network_is_printed_as_the_machines_own() -> None:
    with open_socket("0.0.0.0", 0) as wide, open_socket("127.0.0.1", 0) as here:
        assert not is_only_here(wide)
        assert "0.0.0.0" not in base(wide)
        assert base(wide).endswith(f":{wide.getsockname()[1]}")
        assert is_only_here(here)
        assert base(here) == f"http://127.0.0.1:{here.getsockname()[1]}"


def test_a_qr_code_is_a_square_of_half_blocks_with_a_margin() -> None:
    address = "http://192.168.1.20:8080/abcdefghijklmnopqrstuvwxyz"
    rows = [row.removeprefix("\x1b[30;107m").removesuffix("\x1b[0m") for row in qr_code(address)]
    drawn = [[c in low for c in row] for row in rows for low in ("\u2580\u2588", "\u2584\u2588")]
    wanted = [
        [bool(x) for x in row] for row in segno.make(address, error="l", micro=False).matrix_iter(border=2)
    ]
    assert drawn[: len(wanted)] == wanted
    assert not any(any(row) for row in drawn[len(wanted) :])
