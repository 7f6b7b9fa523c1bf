"""The command as a process: exit codes, what goes to which stream, pipes."""

import subprocess
import sys
from pathlib import Path

from tests.cli.commands import BM25, QRELS, ROOT, process


def test_done_is_0_and_the_result_goes_to_standard_output() -> None:
    done = process("evaluate", QRELS, BM25, "-m", "AP")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"measure   value\nAP       0.3084\n"


def test_the_data_are_1_and_the_command_is_2_without_a_traceback(tmp_path) -> None:
    broken = tmp_path / "broken.run"
    broken.write_text("q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 high t\n")
    for code, arguments in {1: ("evaluate", QRELS, broken), 2: ("evaluate", QRELS, BM25, "-m", "nDGC@5")}.items():
        done = process(*arguments)
        assert (done.returncode, done.stdout) == (code, b"")
        assert done.stderr.startswith(b"ireval: ")
        assert b"Traceback" not in done.stderr


def test_standard_input_is_a_run_or_the_judgments() -> None:
    expected = process("trec-eval", QRELS, BM25).stdout
    assert expected.startswith(b"runid ")
    assert process("trec-eval", QRELS, "-", text=Path(BM25).read_bytes()).stdout == expected
    assert process("trec-eval", "-", BM25, text=Path(QRELS).read_bytes()).stdout == expected


def test_a_closed_pipe_is_quiet() -> None:
    measures = " ".join(f"P@{k}" for k in range(1, 100))
    command = [sys.executable, "-m", "ireval_frames", "evaluate", QRELS, BM25, "-q", "-m", measures, "--format", "csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.read(10)
        running.stdout.close()
        errors = running.stderr.read()
    assert errors == b""


def test_rich_is_not_imported_for_piped_output() -> None:
    script = (
        "import sys; from click.testing import CliRunner; from ireval_frames.cli.app import app;"
        f"result = CliRunner().invoke(app, ['evaluate', {QRELS!r}, {BM25!r}]);"
        "assert result.exit_code == 0, result.output;"
        "sys.exit(' '.join(m for m in ('rich', 'duckdb', 'pyarrow', 'pandas', 'scipy') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=ROOT, check=False)
    assert done.stderr.strip() == b""
