"""An output that refuses what is written: one line, exit code 1, and files that are complete or as they were."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ireval_frames.cli.app import app
from tests.cli import example_files
from tests.cli.commands import BM25, DATA, QRELS, ROOT, invoke
from tests.cli.test_examples import RUN, VERBS, meant

FULL = Path("/dev/full")
# What prints nothing.
SILENT = ("store tag", "store export", "store remove", "store check")
REFUSED = "ireval: The output cannot be written: No space left on device."
needs_full = pytest.mark.skipif(not FULL.is_char_device(), reason="there is no full device here")


def ended(*arguments: Any) -> int:
    """The exit code of the command, with standard output as it is."""
    with pytest.raises(SystemExit) as end:
        app.main([str(a) for a in arguments], prog_name="ireval")
    return int(end.value.code or 0)


def first_of_each(verb: str) -> dict[str, list[str]]:
    """An example of each command that prints, of files that are there."""
    below = {name.split()[-1] for name in VERBS if name.startswith(f"ireval {verb} ")}
    out: dict[str, list[str]] = {}
    for line in RUN[verb]:
        words = shlex.split(line)[1:]
        there = all(Path(word).exists() for word in words if re.search(r"\w\.(csv|parquet)$", word))
        if there and not re.search(r"\s(\||&&)\s|…|zcat| -o |nightly", line):
            out.setdefault(next((word for word in words[1:] if word in below), verb), words)
    return out


@needs_full
@pytest.mark.parametrize("verb", RUN)
def test_standard_output_is_full(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example_files.written(tmp_path, verb)
    monkeypatch.chdir(tmp_path)
    for name, words in first_of_each(verb).items():
        arguments = [w for word in words for w in meant(word, words[0], tmp_path, quoted='"' in word)]
        capsys.readouterr()
        code = None
        # What is still to be written is refused once more when it is closed.
        with suppress(OSError), FULL.open("w") as full, monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", full)
            code = ended(*arguments)
        errors = capsys.readouterr().err.splitlines()
        expected = (
            (0, [])
            if f"{verb} {name}" in SILENT
            else (1, ["ireval: The output cannot be written: No space left on device."])
        )
        assert (code, errors[-1:]) == expected, arguments


def test_help_and_version(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Full:
        """Standard output of a full disk."""

        encoding, buffer = "utf-8", None

        def write(self, _: object) -> int:
            raise OSError(28, "No space left on device")

        def flush(self) -> None: ...

        def isatty(self) -> bool:
            return False

    for arguments in (["--help"], ["--version"], ["evaluate", "--help"], ["store", "list", "-h"], ["trec-eval", "-h"]):
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", Full())
            assert ended(*arguments) == 1, arguments
        assert capsys.readouterr().err == f"{REFUSED}\n"


def shell(line: str) -> tuple[int, str]:
    """A line of the shell: the exit code, and its standard error."""
    command = f"{shlex.quote(sys.executable)} -m ireval_frames"
    done = subprocess.run(
        ["sh", "-c", line.replace("ireval ", f"{command} ")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="a shell closes them")
def test_streams_that_are_closed(tmp_path: Path) -> None:
    evaluated, out = f"ireval evaluate {QRELS} {BM25} -m AP", tmp_path / "means.csv"
    assert shell(f"{evaluated} >&-") == (1, "ireval: The output cannot be written: Bad file descriptor.\n")
    # Who needs none goes on without; no file takes the number of a stream.
    assert shell(f"{evaluated} -o {out} <&- >&- 2>&-") == (0, "")
    assert out.read_text().startswith("run_id,measure,value")


@pytest.mark.skipif(os.name != "posix", reason="files of a system that names streams")
def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    reading = subprocess.Popen(["cat", tmp_path / "pipe.csv"], stdout=subprocess.PIPE)
    assert invoke("evaluate", QRELS, BM25, "-m", "AP", "-o", tmp_path / "pipe.csv").exit_code == 0
    assert reading.communicate()[0].startswith(b"run_id,measure,value")
    assert [p.name for p in tmp_path.iterdir()] == ["pipe.csv"]
    if FULL.is_char_device():
        result = invoke("evaluate", QRELS, BM25, "-m", "AP", "-o", FULL)
        assert (result.exit_code, result.stderr) == (
            1,
            "ireval: /dev/full cannot be written: No space left on device.\n",
        )
        assert FULL.is_char_device()


def test_markdown(tmp_path: Path) -> None:
    expected = "| run\\_id | AP |\n| --- | ---: |\n| bm25 | 0.3084 |\n| lsa | 0.3779 |\n"
    runs = [str(DATA / "runs" / f"{name}.txt") for name in ("bm25", "lsa")]
    printed = invoke("evaluate", QRELS, *runs, "-m", "AP", "--format", "markdown")
    assert printed.stdout == expected
    assert invoke("evaluate", QRELS, *runs, "-m", "AP", "-o", tmp_path / "x.md").exit_code == 0
    assert (tmp_path / "x.md").read_text() == expected
