"""Compare what all contract variants give in the working tree with what they gave at a revision.

    python -m tests.golden REVISION [--families labels clusters] [--sections polars duckdb] [--numbers]

The golden data of a revision are made in a temporary worktree, by its own tests, and cached by its commit.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import polars as pl

from tests.golden import compare
from tests.packaging.test_floors import FAMILIES

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "golden"
MAKE = "tests/golden/make.py"
SECTIONS = ("polars", "duckdb", "text", "errors", "sql")


def git(*command: str) -> str:
    """What git prints."""
    return subprocess.run(["git", *command], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def make(tree: Path, family: str, files: Iterable[str], threads: int) -> None:
    """Have a tree write the golden data of a family; a tree from before this script uses this one's maker."""
    maker = tree / MAKE
    settings = {"PYTHONPATH": str(tree), "PYTHONHASHSEED": "0", "POLARS_MAX_THREADS": str(threads)}
    environment = os.environ | settings
    command = [sys.executable, str(maker if maker.exists() else ROOT / MAKE), family, *files, f"--threads={threads}"]
    if subprocess.run(command, cwd=tree, env=environment, check=False).returncode:
        raise SystemExit(f"No golden data of {family} in {tree}.")


def golden(folder: Path, revision: str | None, options: argparse.Namespace) -> None:
    """Make what is not in the folder yet, in a worktree of the revision or, without one, here."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = {
        family: [
            f"{section}={file}" for section in options.sections if not (file := _file(folder, family, section)).exists()
        ]
        for family in options.families
    }
    missing = {family: files for family, files in missing.items() if files}
    if not missing:
        return
    with tempfile.TemporaryDirectory() if revision else nullcontext(ROOT) as place:
        if revision:
            git("worktree", "add", "--detach", "--force", str(place), revision)
        try:
            with ThreadPoolExecutor(options.workers) as pool:
                list(pool.map(lambda item: make(Path(place), *item, options.threads), missing.items()))
        finally:
            if revision:
                git("worktree", "remove", "--force", str(place))


def _file(folder: Path, family: str, section: str) -> Path:
    return folder / f"{family}-{section}.parquet"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", help="what to compare with, such as main")
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, help="all but sql; with --numbers all but text")
    parser.add_argument(
        "--numbers", action="store_true", help="compare SQL by the numbers it gives, and errors by their class"
    )
    parser.add_argument("--threads", type=int, default=1, help="of Polars and of DuckDB; numbers of one are exact")
    parser.add_argument("--tolerance", type=float, help="how far numbers may be apart: 0 on one thread, else 1e-12")
    parser.add_argument("--workers", type=int, default=2, help="how many families are evaluated at once")
    parser.add_argument(
        "--cache", type=Path, default=os.environ.get("IREVAL_GOLDEN", BUILD), help="a folder (or $IREVAL_GOLDEN)"
    )
    options = parser.parse_args()
    options.sections = options.sections or [s for s in SECTIONS if s != ("text" if options.numbers else "sql")]
    start, commit = time.monotonic(), git("rev-parse", f"{options.revision}^{{commit}}")
    before = Path(options.cache).resolve() / f"{commit}-{options.threads}"
    golden(before, commit, options)
    after = BUILD / "working"
    for family in options.families:
        for section in options.sections:
            _file(after, family, section).unlink(missing_ok=True)
    golden(after, None, options)
    tolerance = options.tolerance if options.tolerance is not None else (0.0 if options.threads == 1 else 1e-12)
    total = 0
    for family in options.families:
        for section in options.sections:
            old, new = (pl.read_parquet(_file(folder, family, section)) for folder in (before, after))
            old = old.rename({"kind": "suite", "world": "case"}, strict=False)
            different = compare.differing(old, new, tolerance=tolerance, classes=options.numbers)
            total += different.height
            print(f"{family} {section}: {different.height:,} of {old.height:,} rows differ")
            print("".join(f"  {line}\n" for line in compare.report(different)), end="")
    print(f"{total:,} differences in {time.monotonic() - start:.0f} s")
    return min(total, 1)


if __name__ == "__main__":
    sys.exit(main())
