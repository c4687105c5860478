"""A real sshd on the loopback with keys of its own, and the real ssh as its client."""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
import time
from pathlib import Path

from tests.kit.machine import program
from tests.kit.terminal import Terminal

PATIENCE = 60.0
BARE = 'set -e; mount -t tmpfs -o mode=755 tmpfs /run; mkdir /run/sshd; exec "$@"'
"""Shell commands that make the folder that an sshd started by root needs, for itself alone."""

CONFIG = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
PidFile none
UsePAM no
StrictModes no
AuthorizedKeysFile {folder}/gm.pub
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
PrintMotd no
PrintLastLog no
AcceptEnv LANG LC_*
SetEnv XDG_STATE_HOME={folder}/state TOCSIN_CONFIG={folder}/config
"""


class Client(Terminal):
    """The real ssh in a pty."""

    program = (program("ssh"),)


class Sshd:
    """A running sshd, which lets in the account that runs the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder / "sshd.log"
        for name in ("host", "gm"):
            words = [program("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
            subprocess.run(words, check=True, timeout=PATIENCE)
        self._process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        words = [program("sshd"), "-D", "-e", "-f", str(self.folder / "sshd_config")]
        if not os.geteuid():
            words = [program("unshare"), "--mount", "sh", "-c", BARE, "sh", *words]
        for _ in range(5):  # a port that was free may be another's by now
            self.port = _free_port()
            (self.folder / "sshd_config").write_text(CONFIG.format(port=self.port, folder=self.folder))
            with self.log.open("wb") as log:
                process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=log)
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end and process.poll() is None:
                if b"Server listening" in self.log.read_bytes():
                    return process
                time.sleep(0.02)
            process.kill()
            process.wait()
        raise AssertionError(f"sshd does not start: {self.log.read_text()}")

    def close(self) -> None:
        """End the server and its connections."""
        self._process.terminate()
        self._process.wait()

    def login(self, *command: str) -> Terminal:
        """Start ssh in a terminal; it runs the command there."""
        public = (self.folder / "host.pub").read_text()
        (self.folder / "known").write_text(f"[127.0.0.1]:{self.port} {public}")
        said = {
            "IdentityFile": f"{self.folder}/gm", "IdentitiesOnly": "yes", "StrictHostKeyChecking": "yes",
            "UserKnownHostsFile": f"{self.folder}/known", "GlobalKnownHostsFile": "none",
            "BatchMode": "yes", "SendEnv": "LANG",
        }  # fmt: skip
        options = [word for name, value in said.items() for word in ("-o", f"{name}={value}")]
        me = f"{pwd.getpwuid(os.geteuid()).pw_name}@127.0.0.1"
        words = ["-F", "none", "-p", str(self.port), *options, "-tt", me, *command]
        return Client(words, TERM="xterm-256color")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
