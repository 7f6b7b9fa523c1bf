"""How many of the package's files and functions a small evaluation passes through: `python -m benchmarks.calls`.

Counted in the second of two evaluations, since the first one imports and fills caches.  Generators do not count: each
of their values would be a call.  `--files` lists the calls by file, `--functions` by function; names of cases, as
`polars`, count those alone.
"""

import argparse
import inspect
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import ireval_frames as ir

PACKAGE = str(Path(ir.__file__).parent)


@dataclass(frozen=True)
class Trip:
    """The calls of functions of the package, by their code, and how many came from another of its files."""

    calls: Counter[CodeType]
    crossings: int

    @property
    def files(self) -> Counter[str]:
        """Calls by file."""
        return self._by(lambda code: code.co_filename.removeprefix(PACKAGE + "/"))

    @property
    def functions(self) -> Counter[str]:
        """Calls by function."""
        return self._by(lambda code: f"{code.co_filename.removeprefix(PACKAGE + '/')}:{code.co_qualname}")

    def _by(self, name: Callable[[CodeType], str]) -> Counter[str]:
        out: Counter[str] = Counter()
        for code, n in self.calls.items():
            out[name(code)] += n
        return out


def trip(work: Callable[[], object]) -> Trip:
    """Count the calls of the second time that `work` is done."""
    work()
    calls: Counter[CodeType] = Counter()
    crossings = 0

    def count(frame: FrameType, event: str, _: Any) -> None:
        nonlocal crossings
        code = frame.f_code
        if event != "call" or code.co_flags & inspect.CO_GENERATOR or not code.co_filename.startswith(PACKAGE):
            return
        calls[code] += 1
        before = frame.f_back
        crossings += before is None or before.f_code.co_filename != code.co_filename

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return Trip(calls, crossings)


def cases() -> dict[str, Callable[[], object]]:
    """The small evaluations that are counted."""
    import duckdb

    qrels, run = ir.examples.ranking()
    items = ir.examples.labels()
    con = duckdb.connect()
    con.register("qrels", qrels.to_arrow())
    con.register("run", run.to_arrow())
    return {
        "polars": lambda: ir.evaluate(qrels, run, "nDCG@10 AP").summary(),
        "duckdb": lambda: ir.evaluate("qrels", "run", "nDCG@10 AP", con=con).summary(),
        "labels": lambda: ir.Labels(items).evaluate("Accuracy F1(average='macro')").summary(),
    }


def main() -> None:
    """Print a line per case."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calls", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="polars, duckdb, labels; all by default")
    parser.add_argument("--files", action="store_true", help="the calls by file, too")
    parser.add_argument("--functions", action="store_true", help="the calls by function, too")
    options = parser.parse_args()
    for name, work in cases().items():
        if options.cases and name not in options.cases:
            continue
        calls_and_files = trip(work)
        counts = (
            len(calls_and_files.files),
            len(calls_and_files.functions),
            calls_and_files.calls.total(),
            calls_and_files.crossings,
        )
        print("{}: {} files, {} functions, {:,} calls, {:,} changes of file".format(name, *counts))
        for shown, by in ((options.files, calls_and_files.files), (options.functions, calls_and_files.functions)):
            for place, n in by.most_common() if shown else ():
                print(f"  {n:6,}  {place}")


if __name__ == "__main__":
    main()
