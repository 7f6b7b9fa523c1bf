"""The command line `ireval`: evaluate, trec-eval, labels, clusters, measures, sql."""

import gc
import os
import sys


def main() -> None:
    """Run the command with the arguments of the process, and end it.

    The process exits without freeing its tables, which would only delay the caller.
    """
    # In a short process the search for reference cycles only costs time, about a twentieth of it.
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
            # The reader of the output is gone; that errors cannot be written cannot be reported.
            code = code or int(stream is sys.stdout)
    os._exit(code)


def _streams() -> None:
    """Replace closed standard streams, so that no file takes their numbers, and writing to them fails."""
    for name, mode in (("stdin", os.O_RDONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, mode)
            setattr(sys, name, os.fdopen(number, "r" if name == "stdin" else "w", errors="backslashreplace"))
