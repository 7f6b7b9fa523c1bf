"""Compare speed and memory with other tools, in one run, by hand.

Prints Markdown: a table per group, where means differ, and the machine.  The tables are made once (about 2 GB of disk,
some minutes); remove their folder to make them anew.  `python -m benchmarks coverage` measures how often intervals hold
instead, and writes docs/coverage.md.
"""

import argparse
import shutil
import sys
from pathlib import Path

from benchmarks.groups import GROUPS
from benchmarks.jobs import Bench
from benchmarks.machine import Others, described
from benchmarks.recording import record
from benchmarks.rows import Row, agreement, table
from benchmarks.sizes import FULL, QUICK

TABLES = Path(__file__).resolve().parent / "tables"


def main() -> None:
    """Run the groups that were asked for."""
    listing = "; ".join(f"{name}: {group.__doc__}".rstrip(".") for name, group in GROUPS.items())
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__, epilog=f"Groups: {listing}.")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"some of {', '.join(GROUPS)}; all by default")
    parser.add_argument(
        "--quick", action="store_true", help="tables of about a fiftieth: shows that all works, not how fast"
    )
    parser.add_argument(
        "--peers",
        metavar="PYTHON",
        default=sys.executable,
        help="the interpreter in which the other tools are installed",
    )
    parser.add_argument("--tables", metavar="FOLDER", type=Path, default=TABLES, help="where the tables are kept")
    parser.add_argument(
        "--trec-eval", metavar="PROGRAM", default="trec_eval", help="the program of that name, which other tools wrap"
    )
    parser.add_argument(
        "--record",
        metavar="FOLDER",
        type=Path,
        help="write all rows to FOLDER/benchmarks.json, and the points of scale to FOLDER/scale.json; with docs, "
        "`make docs` makes the pages anew from them",
    )
    options = parser.parse_args()
    if unknown := [name for name in options.groups if name not in GROUPS]:
        parser.error(f"there is no group {unknown[0]!r}; groups: {', '.join(GROUPS)}")

    if not (peers := shutil.which(options.peers)):
        parser.error(f"there is no interpreter {options.peers!r}")

    bench = Bench(
        options.tables.resolve(),
        QUICK if options.quick else FULL,
        str(Path(peers).absolute()),
        shutil.which(options.trec_eval),
    )
    if options.quick:
        print("Small tables: the ratios say nothing about the targets.\n")
    rows: list[Row] = []
    for name in options.groups or GROUPS:
        others = Others()
        rows_of_group = GROUPS[name](bench)
        disturbed = others.text()
        print(f"## {name}\n\n{table(rows_of_group, judged=not options.quick)}\n\n{disturbed}", flush=True)
        rows += rows_of_group
        if options.record:
            record(options.record, name, rows_of_group, disturbed.strip(), bench)
    print(f"## agreement\n\n{agreement(rows)}\n\n## machine\n\n{described(bench.installed)}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["coverage"]:
        from benchmarks.coverage.page import main as coverage

        coverage(sys.argv[2:])
    else:
        main()
