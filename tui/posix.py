"""What the system must have: locks on files and terminals as POSIX knows them."""

from __future__ import annotations


def lacking() -> str:
    """Return why the program cannot run on this system, in one sentence; "" when it can."""
    try:
        # Inside the function: whether they can be imported is the question.
        import fcntl
        import termios
    except ImportError as error:
        needed = "it needs a POSIX system, such as Linux or macOS"
        return f"{needed}: this Python has no {error.name or 'fcntl'}; on Windows it runs inside WSL"
    del fcntl, termios
    return ""
