"""Compute results in processes with other numbers of threads, and say what differs.

    python -m tests.same_bytes [--engines polars duckdb] [--threads 1 2 8] [--copies 20] [--repetitions 2]

Exits with 1 where bytes differ, on DuckDB with several threads where numbers differ by more than TOLERANCE.
"""

from __future__ import annotations

import argparse
import sys

from tests.same_bytes.comparing import DIGITS, computed, differences

PARTS = ("families", "analyses")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", nargs="+", default=["polars", "duckdb"])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2, 8], help="of Polars and of DuckDB")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--copies", type=int, default=1, help="how often each unit of a family's tables is there")
    parser.add_argument("--repetitions", type=int, default=2, help="in one process")
    options = parser.parse_args()
    wrong = 0
    for engine in options.engines:
        found = [
            results
            for threads in options.threads
            for results in computed(engine, threads, options.parts, options.copies, options.repetitions)
        ]
        apart = differences(found)
        allowed = DIGITS if engine == "duckdb" and max(options.threads) > 1 else 0.0
        for name, (distance, measures) in apart.items():
            print(f"{engine}, {name}: {distance:.1e} {', '.join(measures[:5])}")
        wrong += sum(distance > allowed for distance, _ in apart.values())
        print(f"{engine}: {len(apart)} of {len(found[0])} results differ in {len(found)} computations")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
