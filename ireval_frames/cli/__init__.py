"""The command line `ireval`: evaluate, trec-eval, labels, clusters, measures, sql."""

import gc
import os
import sys


def main() -> None:
    """Run the command with the arguments of the process, and end it.

    The process leaves without taking its tables apart, which would keep a caller waiting for nothing.
    """
    # The process is short, and counted references free its tables; looking for cycles takes a twentieth of its time.
    gc.disable()
    _streams()
    from ireval_frames.cli.app import app

    try:
        app(prog_name="ireval")
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1 if error.code else 0
    else:
        code = 0
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Whoever read the output has gone; nobody can be told that errors cannot be.
            code = code or int(stream is sys.stdout)
    os._exit(code)


def _streams() -> None:
    """Put something where a standard stream is closed, so that no file takes its number, and writing to it fails."""
    for name, mode in (("stdin", os.O_RDONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, mode)
            setattr(sys, name, os.fdopen(number, "r" if name == "stdin" else "w", errors="backslashreplace"))
