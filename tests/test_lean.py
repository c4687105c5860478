"""Stand-ins are gone once the import they stood in for is over, and cost nothing when nobody asks for them."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from tui.lean import stand_in, standing_in


def printed(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_stand_in_is_there_for_as_long_as_an_import_runs() -> None:
    module = stand_in("tui.nothing_of_ours", "Name")
    with standing_in({"tui.nothing_of_ours": module}):
        assert import_module("tui.nothing_of_ours").Name.__name__ == "Name"
    with pytest.raises(ImportError):
        import_module("tui.nothing_of_ours")


def test_what_is_loaded_already_is_left_alone() -> None:
    import json

    with standing_in({"json": stand_in("json")}):
        import json as found

        assert found is json
    assert sys.modules["json"] is json


START = "from tui.lean import lean_argparse, lean_msgspec\nlean_msgspec()\nlean_argparse()\nimport sys\n"


def test_whoever_asks_afterwards_gets_the_real_modules() -> None:
    script = START + (
        "import uuid, decimal, gettext, typing_extensions, msgspec.inspect\nfrom msgspec import inspect\n"
        "print(uuid.UUID(int=7), decimal.Decimal('1.5'), gettext.gettext('x'), msgspec.inspect is inspect,"
        " inspect.type_info(int).__class__.__name__, typing_extensions.Self)"
    )
    assert printed(script) == "00000000-0000-0000-0000-000000000007 1.5 x True IntType typing.Self"


def test_a_start_loads_none_of_them() -> None:
    unwanted = (
        "uuid",
        "decimal",
        "platform",
        "gettext",
        "locale",
        "typing_extensions",
        "inspect",
        "msgspec.inspect",
    )
    assert printed(START + f"print([m for m in {unwanted} if m in sys.modules])") == "[]"


def test_a_msgspec_that_asks_for_more_gets_the_real_modules() -> None:
    script = (
        "import tui.lean as lean\nmade = lean.stand_in\nlean.stand_in = lambda name, *names: made(name, *names) if name == 'uuid' else made(name)\n"
        "lean.lean_msgspec()\nimport msgspec, sys\nprint(msgspec.json.encode([1]).decode(), 'decimal' in sys.modules)"
    )
    assert printed(script) == "[1] True"


def test_where_a_module_of_c_cannot_be_loaded_twice_the_call_begins_anew() -> None:
    script = (
        "import os, sys, tui.lean as lean\nprint('begun', flush=True)\nif not os.environ.get(lean.WHOLE): lean.anew()\n"
        "lean.lean_msgspec()\nprint('msgspec' in sys.modules)"
    )
    assert printed(script).split() == ["begun", "begun", "False"]


def test_fingerprints_and_seals_are_those_of_openssl_without_it() -> None:
    script = (
        "import sys\nfrom tui.digest import same, sha256, signed\n"
        "told = sha256(b'mill'), signed(b'key', b'mill'), same('a', 'a'), same('a', 'b'), '_hashlib' in sys.modules\n"
        "import hashlib, hmac\n{more}print(*told)"
    )
    lean = printed(script.format(more=""))
    assert lean.endswith("True False False")
    whole = "import hashlib, hmac\nprint(hashlib.sha256(b'mill').hexdigest(), hmac.digest(b'key', b'mill', 'sha256').hex())"
    assert lean.startswith(printed(whole))


def test_a_python_without_hashes_of_its_own_takes_openssls() -> None:
    script = (
        "import sys, logging\nlogging.disable()\nsys.modules.update(_sha256=None, _sha2=None)\n"
        "from tui.digest import sha256\nprint(sha256(b'mill'), '_hashlib' in sys.modules)"
    )
    usual = printed("from tui.digest import sha256\nprint(sha256(b'mill'))")
    assert printed(script) == f"{usual} True"
