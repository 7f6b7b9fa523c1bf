"""Measurements: each in a process of its own, whose peak memory the system tells when it ends.

On Linux a process starts with its parent's peak memory as its own, so nothing is loaded in the parent.
"""

import csv
import functools
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.sizes import Sizes

ROOT = Path(__file__).resolve().parent.parent
OF_SCIKIT_LEARN = ("peers_regressions", "peers_labels", "peers_clusters", "peers_points")
PEERS = (
    *("ranx", "ir_measures", "pytrec_eval", "scipy", "sklearn", "tea_tasting", "pyclick", "crowdkit", "scorch"),
    *("seqeval", "nervaluate", "rectools", "replay", "evalica", "nuggetizer"),
)


@dataclass(frozen=True)
class Measured:
    """What one measurement found."""

    seconds: float
    peak: int
    """Bytes."""
    values: Mapping[str, float] = field(default_factory=dict)
    loaded: int = 0
    """The peak before the work, with programs and tables loaded; 0 where it is not known."""

    def __str__(self) -> str:
        seconds = f"{self.seconds:.2f} s" if self.seconds >= 1 else f"{self.seconds * 1e3:.0f} ms"
        return f"{seconds}, {gigabytes(self.peak)}"


@dataclass(frozen=True)
class Missing:
    """A measurement that could not be made, and why."""

    why: str

    def __str__(self) -> str:
        return self.why


Result = Measured | Missing


class Bench:
    """Makes tables and measurements, each once."""

    def __init__(self, tables: Path, sizes: Sizes, peers: str, trec_eval: str | None = None) -> None:
        """`peers` is the Python interpreter in which the other tools are installed, `trec_eval` that program."""
        self.sizes, self.peers, self.trec_eval = sizes, peers, trec_eval
        self.recorded: dict[str, Any] = {}
        """What groups have for the pages, by their names."""
        self._tables = tables / sizes.name
        self._made: dict[tuple[str, ...], Result] = {}

    def path(self, table: str, file: str) -> str:
        """The file of a table, which is made if it is not there."""
        if not (self._tables / table).exists():
            _say(f"making {table}")
            end = _finished(
                [sys.executable, "-m", "benchmarks.tables", str(self._tables), self.sizes.name, *_sources(table)]
            )
            if end.error:
                raise SystemExit(f"The table {table} could not be made: {end.error}")
        return str(self._tables / table / file)

    def parquet(self, run: str, qrels: str = "") -> dict[str, str]:
        """The Parquet files of a run and its judgments."""
        return {"qrels": self.path(qrels or run, "qrels.parquet"), "run": self.path(run, "run.parquet")}

    def work(self, function: str, *, calls: int = 1, **options: Any) -> Result:
        """The best of some calls of a function of `work`, named `module.function`."""
        module, name = function.split(".")
        tool = "sklearn" if module in OF_SCIKIT_LEARN else name
        if module.startswith("peers") and tool not in self.installed:
            return Missing(f"{tool} is not installed")
        python = self.peers if module.startswith("peers") else sys.executable
        command = (python, "-m", "benchmarks.child", module, name, json.dumps(options), str(calls))
        if command not in self._made:
            _say(f"{function} {_options_text(options)}")
            self._made[command] = _measured_inside(command)
        return self._made[command]

    def turns(self, works: Sequence[Callable[[], Result]], rounds: int = 3) -> list[Result]:
        """Each of several works in turns, and the best of its rounds: what slows the machine for a while slows all."""
        measured: list[list[Result]] = []
        made_tables = self._made
        for _ in range(rounds):
            self._made = {}
            measured.append([work() for work in works])
        self._made = made_tables
        return [_quickest(results) for results in zip(*measured, strict=True)]

    def process(self, *command: str, processes: int = 1) -> Result:
        """The best of some runs of a whole process: a Python module or `-c` text, with its arguments."""
        if command not in self._made:
            _say(" ".join(command)[-100:])
            self._made[command] = _best([_finished(command) for _ in range(processes)])
        return self._made[command]

    @functools.cached_property
    def installed(self) -> dict[str, str]:
        """Versions of the other tools."""
        command = [self.peers, "-m", "benchmarks.machine", *PEERS, "numpy", "pandas", "polars"]
        versions: dict[str, str] = json.loads(
            subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        )
        return versions


def gigabytes(size: float) -> str:
    """Memory for people."""
    return f"{size / 1e9:.2f} GB"


@dataclass(frozen=True)
class _Finished:
    seconds: float
    peak: int
    out: str
    error: str


def _finished(command: Sequence[str]) -> _Finished:
    """Run a process to its end."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=out, stderr=err, cwd=ROOT)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        last = ["", *err.read().strip().splitlines()][-1]
        error = f"failed ({child.returncode}): {last}" if child.returncode else ""
        if error:
            _say(error)
        return _Finished(seconds, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024), out.read(), error)


def _measured_inside(command: Sequence[str]) -> Result:
    end = _finished(command)
    if end.error:
        return Missing(end.error)
    result = json.loads(end.out.splitlines()[-1])
    return Measured(result["seconds"], end.peak, result["values"], result["loaded"])


def _quickest(results: Sequence[Result]) -> Result:
    """The one that took the least time; where one is missing, that one."""
    missing = [r for r in results if isinstance(r, Missing)]
    return missing[0] if missing else min((r for r in results if isinstance(r, Measured)), key=lambda r: r.seconds)


def _best(ends: Sequence[_Finished]) -> Result:
    if errors := [end.error for end in ends if end.error]:
        return Missing(f"{errors[0]} ({len(errors)} of {len(ends)} processes)")
    best = min(ends, key=lambda end: end.seconds)
    return Measured(best.seconds, max(end.peak for end in ends), _means(best.out))


def _means(out: str) -> dict[str, float]:
    """Means of a CSV with a header (this project) or of two tab-separated columns (ir_measures)."""
    if out.startswith(("runid ", "map ", "num_", "P_")) or out.count("\t") == 2 * out.count("\n") > 0:
        return {}  # trec_eval's lines; the tests compare them byte by byte
    if "\t" in out:
        return {name: float(value) for name, value in csv.reader(io.StringIO(out), delimiter="\t")}
    return {row["measure"]: float(row["value"]) for row in csv.DictReader(io.StringIO(out))}


def _sources(table: str) -> tuple[str, ...]:
    """The table, behind the one it is made from."""
    return ("passages", table) if table in ("within", "shuffled", "blanks") else (table,)


def _options_text(options: Mapping[str, Any]) -> str:
    return " ".join(_short(value) for value in options.values())


def _short(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"{len(value)} names"
    return "/".join(Path(value).parts[-2:]) if isinstance(value, str) else str(value)


def _say(text: str) -> None:
    print(f"… {text}", file=sys.stderr, flush=True)
