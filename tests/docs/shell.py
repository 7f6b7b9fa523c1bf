"""Runs shell blocks with bash, where `ireval` is a function that this process answers.

Bash does all that a shell does; only the command itself starts no Python.  Requests and answers go through named pipes.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import threading
import warnings
from pathlib import Path

from click.testing import CliRunner

# The folder and the arguments, a line each, are a request; the answer is the exit code.
FUNCTION = """
ireval() {
  printf '%s\\n' "$PWD" "$@" > "$IREVAL/request"
  local code; read -r code < "$IREVAL/answer"
  cat "$IREVAL/stdout"; cat "$IREVAL/stderr" >&2
  return "$code"
}
"""


def run(code: str) -> str:
    """What a block prints.

    Raises:
        RuntimeError: it ends with an error, or prints to standard error.
    """
    with tempfile.TemporaryDirectory() as folder:
        pipes = Path(folder)
        for name in ("request", "answer"):
            os.mkfifo(pipes / name)
        process = subprocess.Popen(
            ["bash", "-e", "-o", "pipefail", "-c", FUNCTION + code],
            env=os.environ | {"IREVAL": folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        outputs: list[str] = []

        def wait() -> None:
            outputs.extend(process.communicate())
            # An empty request: there will be no others.
            (pipes / "request").write_text("")

        waiting = threading.Thread(target=wait)
        waiting.start()
        while request := (pipes / "request").read_text("utf-8"):
            _answer(pipes, request.splitlines())
        waiting.join()
    stdout, stderr = outputs
    if process.returncode or stderr:
        raise RuntimeError(f"exit code {process.returncode}\n{stderr}")
    return stdout


def _answer(pipes: Path, request: list[str]) -> None:
    """Run the command of a request."""
    from ireval_frames.cli.app import app

    folder, *arguments = request
    with contextlib.chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("error")
        result = CliRunner().invoke(app, arguments, prog_name="ireval")
    (pipes / "stdout").write_bytes(result.stdout_bytes)
    (pipes / "stderr").write_bytes(result.stderr_bytes)
    (pipes / "answer").write_text(f"{result.exit_code}\n")
