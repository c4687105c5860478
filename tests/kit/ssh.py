"""A real sshd on the loopback, with its own keys and accounts, and the real ssh as its client."""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from tests.kit.machine import Account, namespace, program
from tests.kit.terminal import Terminal

PATIENCE = 60.0
FIRST = 61_001
"""The number of the first temporary account."""

CONFIG = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
PidFile none
UsePAM no
StrictModes no
AuthorizedKeysFile {folder}/keys/%u
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
PrintMotd no
PrintLastLog no
X11Forwarding yes
AcceptEnv LANG LC_*
LogLevel VERBOSE
Subsystem sftp internal-sftp
MaxStartups 100
MaxSessions 100
Match User {me}
    SetEnv XDG_STATE_HOME={folder}/state TOCSIN_CONFIG={folder}/config
"""


class Client(Terminal):
    """The real ssh in a pty."""

    program = (program("ssh"),)


class Sshd:
    """A running sshd; `me` is the account that runs the tests."""

    def __init__(self, folder: Path, names: Sequence[str] = ()) -> None:
        self.folder = folder
        self.me = pwd.getpwuid(os.geteuid()).pw_name
        for name in ("keys", "pairs", "homes"):
            (folder / name).mkdir()
        self.accounts = {
            name: Account(name, FIRST + at, folder / "homes" / name) for at, name in enumerate(names)
        }
        self.key("host", folder)
        self.log = folder / "sshd.log"
        self._process = self._started()
        for account in self.accounts.values():
            account.make_home()

    def _started(self) -> subprocess.Popen[bytes]:
        for _ in range(5):  # a port that was free may be another's by now
            self.port = _free_port()
            told = CONFIG.format(port=self.port, folder=self.folder, me=self.me)
            (self.folder / "config").write_text(told)
            with self.log.open("wb") as log:
                process = subprocess.Popen(self._words(), stdin=subprocess.DEVNULL, stderr=log)
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end and process.poll() is None:
                if b"Server listening" in self.log.read_bytes():
                    self._trust()
                    return process
                time.sleep(0.02)
            process.kill()
            process.wait()
        raise AssertionError(f"sshd does not start: {self.log.read_text()}")

    def _words(self) -> list[str]:
        words = [program("sshd"), "-D", "-e", "-f", str(self.folder / "config")]
        if os.geteuid():
            return words  # only the account that runs it can log in
        made = namespace(self.folder, list(self.accounts.values()))
        return [program("unshare"), "--mount", "sh", "-c", f'{made}; exec "$@"', "sh", *words]

    def _trust(self) -> None:
        public = (self.folder / "host.pub").read_text()
        (self.folder / "known").write_text(f"[127.0.0.1]:{self.port} {public}")

    def close(self) -> None:
        """End the server and its connections."""
        self._process.terminate()
        self._process.wait()

    # --- keys

    def key(self, name: str, folder: Path | None = None) -> Path:
        """Make a key pair; return the path of the private key. NAME.pub is beside it."""
        path = (folder or self.folder / "pairs") / name
        words = [
            program("ssh-keygen"),
            "-q",
            "-t",
            "ed25519",
            "-N",
            "",
            "-C",
            f"{name}@home",
            "-f",
            str(path),
        ]
        subprocess.run(words, check=True, timeout=PATIENCE)
        return path

    def authorize(self, line: str, account: str = "") -> None:
        """Append a line to an account's `authorized_keys`."""
        path = self.folder / "keys" / (account or self.me)
        with path.open("a") as file:
            file.write(line.rstrip("\n") + "\n")

    def open_door(self, name: str, account: str = "") -> Path:
        """Make a key that may run any command in an account; return the path of the private key."""
        path = self.key(name)
        self.authorize(path.with_suffix(".pub").read_text(), account)
        return path

    # --- the client

    def words(self, key: Path, *options: str, account: str = "") -> list[str]:
        """Return the arguments of ssh, up to the account."""
        return [
            "-F",
            "none",
            "-p",
            str(self.port),
            *self.options(key),
            *options,
            f"{account or self.me}@127.0.0.1",
        ]

    def options(self, key: Path) -> list[str]:
        """Return the options for ssh and sftp: this key, this server, no questions."""
        said = {
            "IdentityFile": str(key),
            "IdentitiesOnly": "yes",
            "UserKnownHostsFile": str(self.folder / "known"),
            "GlobalKnownHostsFile": "none",
            "StrictHostKeyChecking": "yes",
            "BatchMode": "yes",
            "SendEnv": "LANG",
        }
        return [word for name, value in said.items() for word in ("-o", f"{name}={value}")]

    def run(
        self, key: Path, *command: str, account: str = "", options: Sequence[str] = (), **environ: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command over ssh, without a terminal."""
        words = [program("ssh"), *self.words(key, *options, account=account), *command]
        return subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=PATIENCE,
            env={**os.environ, "LANG": "C.UTF-8", **environ},
        )

    def login(
        self,
        key: Path,
        *command: str,
        account: str = "",
        options: Sequence[str] = (),
        size: tuple[int, int] = (80, 24),
        **environ: str,
    ) -> Terminal:
        """Start ssh in a terminal."""
        return Client([*self.words(key, "-tt", *options, account=account), *command], size, **environ)


def processes(*words: str) -> list[int]:
    """Return the ids of processes that have all of these words among their arguments."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            call = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if set(words) <= set(call):
            found.append(int(pid))
    return found


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
