"""A shell with job control, as small as one can be: `python -m tests.ui.terminal.shell WORD…`.

Runs one job in the foreground; when that stops it says so, and `fg` continues it. Its end is the shell's.
"""

from __future__ import annotations

import os
import signal
import sys

STOPPED = "JOB STOPPED"


def main(words: list[str]) -> int:
    """Run the job to its end; its exit code."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpgrp())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp(words[0], words)
    while True:
        status = os.waitpid(job, os.WUNTRACED)[1]
        if not os.WIFSTOPPED(status):
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        os.tcsetpgrp(0, os.getpgrp())
        os.write(2, f"{STOPPED}\r\n".encode())
        while os.read(0, 100).strip() != b"fg":
            pass
        os.tcsetpgrp(0, job)
        os.killpg(job, signal.SIGCONT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
