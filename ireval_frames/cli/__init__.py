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
    from ireval_frames.cli.app import app

    # Typer prepares every option of every command; the one that is asked for is enough.
    asked = [c for c in app.registered_commands if (c.name or getattr(c.callback, "__name__", "")) in sys.argv[1:2]]
    app.registered_commands = asked or app.registered_commands
    try:
        app(prog_name="ireval")
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1 if error.code else 0
    else:
        code = 0
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        # Whoever read the output has gone.
        code = code or 1
    os._exit(code)
