"""The last handler: an error that nothing else caught ends in one line that reveals nothing of the fight.

A private file keeps only the kinds of the errors and the frames they came through: no message, no value of a
variable, no argument of the call, because any of those may hold what players must not read. The handler needs
no descriptor but that file's, and imports nothing that a failing process may be unable to import.
"""

from __future__ import annotations

import _thread
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from types import FrameType, TracebackType

from tui import VERSION

EXIT_FAILED = 5
"""The exit code of a program that failed or could not print."""

_SIGINT = 2
EXIT_INTERRUPTED = 128 + _SIGINT
AGAIN_SECONDS = 0.02
"""How long after it was swallowed ctrl+c is sent again, in seconds."""

_FRAMES = 60  # of one error that are kept: those nearest to where it was raised

SAVED_LINES_HINT = "lines already accepted are saved"


class Failures:
    """Keeps the first error of any thread, which ends the program like an error of the main thread."""

    def __init__(self) -> None:
        self.first: BaseException | None = None

    def take(self, args: threading.ExceptHookArgs) -> None:
        """Keep the error of a thread, and end the main thread as ctrl+c does."""
        import signal

        # The first error is the cause; later ones are mostly its echo.
        if self.first is None and args.exc_value is not None:
            self.first = args.exc_value
            # An exception cannot be raised in another thread, but a signal is always handled in the main one.
            os.kill(os.getpid(), signal.SIGINT)


def run_guarded(run: Callable[[], int], *, json: bool = False) -> int:
    """Run the program and return its exit code; after an error print one line and return `EXIT_FAILED`."""
    failures, swallowed = Failures(), list[bool]()
    threading.excepthook = failures.take
    sys.unraisablehook = partial(_take_unraisable, swallowed)
    try:
        code = run()
        if swallowed:
            time.sleep(1)  # until it is sent again
        return _report_failure(failures.first, json=json) if failures.first else code
    except SystemExit as left:  # argparse, after --help
        return left.code if isinstance(left.code, int) else 0
    except KeyboardInterrupt as stopped:
        if failures.first:
            return _report_failure(failures.first, json=json)
        _print_ending("interrupted", "stopped by ctrl+c", _what_stands(stopped), json=json)
        return EXIT_INTERRUPTED
    except BaseException as error:  # noqa: BLE001  # the last handler
        return _report_failure(error, json=json)
    finally:
        _flush_output()


def print_error(line: str) -> None:
    """Print a line on standard error; if it cannot be written, do nothing."""
    try:
        print(line, file=sys.stderr, flush=True)  # noqa: T201
    except (OSError, ValueError):
        return


def _print_ending(kind: str, message: str, hint: str, *, json: bool) -> None:
    """Print the line for an error: as text, or as the JSON object of a refusal."""
    if not json:
        print_error(f"tocsin: {message}; {hint}")
        return
    from json import dumps

    print_error(dumps({"error": {"line": 0, "kind": kind, "message": message, "hint": hint}}))


def _report_failure(error: BaseException, *, json: bool) -> int:
    message, where = f"tocsin failed, {describe_bug(error)}", describe_crash_file(error)
    _print_ending("failed", message, f"{_what_stands(error)}; {where}", json=json)
    return EXIT_FAILED


def describe_bug(error: BaseException) -> str:
    """Return `which is a bug (KeyError)`; a file of the user's is named with its line."""
    return f"which is a bug ({type(error).__name__}{_find_place(error)})"


def describe_crash_file(error: BaseException) -> str:
    """Write the details of an error to a private file; return the words that say where they are."""
    path = write_crash_file(error)
    return f"the details, without a word of the fight, are in {path}" if path else "details could not be kept"


def _find_place(error: BaseException) -> str:
    """Return ` in FILE, line N` for an error in a file of the user's; "" for any other."""
    try:
        from tui.plugins import find_fault  # only a failing process needs it

        place = find_fault(error)
    except Exception:  # noqa: BLE001  # a failing process may be unable to import
        return ""
    return f" in {os.path.basename(place)}" if place else ""


def _what_stands(error: BaseException) -> str:
    """Return which lines of a failed call are saved: the error's own note, else a general hint."""
    return next(iter(getattr(error, "__notes__", ())), SAVED_LINES_HINT)


def write_crash_file(error: BaseException) -> str:
    """Write the details to a new private file; return its path, or "" if none can be written."""
    data = "".join(f"{line}\n" for line in describe_error(error)).encode(errors="replace")
    name = f"crash-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{os.getpid()}.txt"
    for folder in _crash_folders():
        path = os.path.join(folder, name)
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            # The second folder is everybody's: nothing planted there is opened or followed.
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError:
            continue
        try:
            os.write(fd, data)
        except OSError:
            os.unlink(path)
            continue
        finally:
            os.close(fd)
        return path
    return ""


def describe_error(error: BaseException) -> Iterator[str]:
    """Yield version and system, then kind and frames of the error and of each of its causes, as lines."""
    system = os.uname()
    yield f"tocsin {VERSION}, Python {sys.version.split()[0]}, {system.sysname} {system.release}"
    known: set[int] = set()
    now: BaseException | None = error
    # Causes may form a ring.
    while now is not None and id(now) not in known:
        known.add(id(now))
        yield f"{type(now).__module__}.{type(now).__qualname__}"
        # Bounded: an endless recursion has thousands of equal frames.
        yield from list(_describe_frames(now.__traceback__))[-_FRAMES:]
        now = now.__cause__ or now.__context__
    yield "end"


def _describe_frames(traceback: TracebackType | None) -> Iterator[str]:
    while traceback is not None:
        yield f"  {_describe_frame(traceback.tb_frame)}:{traceback.tb_lineno}"
        traceback = traceback.tb_next


def _describe_frame(frame: FrameType) -> str:
    """Return the module and function of a frame; no path, because it may contain the user's name."""
    return f"{frame.f_globals.get('__name__', '?')} {frame.f_code.co_qualname}"


def _crash_folders() -> Iterator[str]:
    """Yield the folders for crash files: the user's state folder, then the one for temporary files."""
    try:
        from tui.homes import user_folder  # only a failing process needs it
    except Exception:  # noqa: BLE001, S110  # a failing process may be unable to import
        pass
    else:
        yield user_folder("state")
    yield os.environ.get("TMPDIR") or "/tmp"  # noqa: S108  # the file is made exclusively and followed by no one


def _take_unraisable(swallowed: list[bool], unraisable: sys.UnraisableHookArgs) -> None:
    """Ignore an error raised while an object was destroyed, which would be printed over the screen.

    ctrl+c that reached a destructor or a weak reference's callback is sent again; `swallowed` says so.
    """
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        with suppress(RuntimeError):  # no thread is left
            # By another thread, a moment later: in here it would be swallowed once more.
            _thread.start_new_thread(_interrupt_soon, ())
            swallowed.append(True)


def _interrupt_soon() -> None:
    time.sleep(AGAIN_SECONDS)
    os.kill(os.getpid(), _SIGINT)


def _flush_output() -> None:
    """Flush standard output and error; on failure, redirect them to /dev/null."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            try:
                # Python flushes both once more at its end, and would print that it cannot.
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            except (OSError, ValueError):
                continue
