"""Try whether the tests of a change notice small faults: `python -m tests.mutants`.

Each fault in `mutants.json` is applied to a copy of the tree, in which the tests that `make test CHANGED=1` selects for
its file run until one fails.  Results are stored at once, so that an interrupted run can be resumed.

    python -m tests.mutants                resumes
    python -m tests.mutants --again        tries all again
    python -m tests.mutants --renew        first replaces those that no longer apply
    python -m tests.mutants --list         lists them
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue

from tests.changed import CONTRACT, select
from tests.mutants.faults import Mutant, apply, mutants
from tests.packaging.imports import HOUSE, PACKAGE

STORED = Path(__file__).with_name("mutants.json")
NUMBER = 60
ESCAPED = "escaped"
ENDLESS = "the tests did not end"
CRASHED = "the process of the tests crashed"
# Spark is tested by `make test-external`, and a change of the package itself by all tests.
ELSEWHERE = re.compile(r"spark|^__init__\.py$|__main__")
NOT_COPIED = (".venv*", ".git", "build", "__pycache__", ".*_cache", ".hypothesis")
# A fault can cause an endless loop.
SECONDS = 600


def load() -> list[Mutant]:
    """The stored mutants."""
    return [Mutant(**entry) for entry in json.loads(STORED.read_text("utf-8"))] if STORED.exists() else []


def store(all_mutants: Iterable[Mutant]) -> None:
    """Write them, by file and function."""
    entries = [
        dataclasses.asdict(m) for m in sorted(all_mutants, key=lambda m: (m.file, m.function, m.before, m.after))
    ]
    STORED.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n", "utf-8")


def folders() -> dict[str, list[Mutant]]:
    """All faults of the files of each folder."""
    out: dict[str, list[Mutant]] = {}
    for path in sorted((HOUSE / PACKAGE).rglob("*.py")):
        if not ELSEWHERE.search(path.relative_to(HOUSE / PACKAGE).as_posix()):
            file = path.relative_to(HOUSE).as_posix()
            out.setdefault(file.rpartition("/")[0], []).extend(mutants(file, path.read_text("utf-8")))
    return {folder: faults for folder, faults in out.items() if faults}


def choose(retained: list[Mutant], tried: Iterable[Mutant] = ()) -> list[Mutant]:
    """Up to `NUMBER` mutants: the retained ones, and others by a fixed seed, first of folders without any.

    Args:
        retained: these remain.
        tried: these are not chosen again.
    """
    rng, excluded = random.Random(0), {(m.function, m.before, m.after) for m in [*retained, *tried]}
    by_folder = folders()
    turns = rng.sample(sorted(by_folder), len(by_folder))
    # Large folders have more turns.
    turns += rng.choices(turns, [len(by_folder[f]) for f in turns], k=10 * NUMBER)
    out = list(retained)
    for i, folder in enumerate(turns):
        if len(out) >= NUMBER:
            break
        if sum(m.file.rpartition("/")[0] == folder for m in out) > turns[:i].count(folder):
            continue
        by_fault: dict[str, list[Mutant]] = {}
        for m in by_folder[folder]:
            if (m.function, m.before, m.after) not in excluded:
                by_fault.setdefault(m.fault, []).append(m)
        if by_fault:
            # Rare faults are as likely as common ones.
            new = rng.choice(by_fault[rng.choice(sorted(by_fault))])
            excluded.add((new.function, new.before, new.after))
            out.append(new)
    return out


def failing(file: str, text: str, tree: Path, broken: list[str]) -> str:
    """The first test that fails with a fault and passes without it, else `ESCAPED` or `ENDLESS`.

    Tests that also fail without the fault are added to `broken` and deselected.
    """
    selected, path = select([file]).arguments(), tree / file
    # Tests of the file before the contract of whole families.
    position = selected.index(CONTRACT) if CONTRACT in selected else len(selected)
    original = path.read_text("utf-8")
    for tests in (selected[:position], selected[position:]):
        while tests:
            _write(path, text)
            try:
                failed_test = _run([*tests, *(f"--deselect={name}" for name in broken)], tree)
            finally:
                _write(path, original)
            if not failed_test:
                break
            if failed_test in {CRASHED, ENDLESS} or not _run([failed_test], tree):
                return failed_test
            broken.append(failed_test)
    return ESCAPED


def _run(tests: list[str], tree: Path) -> str:
    """The first of these tests that fails in a tree, or nothing."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-o", "cache_dir=.pytest_cache"]
    failed = tree / ".pytest_cache/v/cache/lastfailed"
    failed.unlink(missing_ok=True)
    environment = os.environ | {"PYTHONPATH": str(tree)}
    process = subprocess.Popen(
        [*command, *tests],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return ENDLESS
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if process.returncode in {0, 5}:
        return ""
    if process.returncode < 0:
        return CRASHED
    if failed.exists():
        return str(next(iter(json.loads(failed.read_text("utf-8")))))
    if "while loading conftest" in output:
        return "tests/conftest.py"
    raise RuntimeError(f"pytest ended with {process.returncode}:\n{output[-2000:]}")


def attempt(mutant: Mutant, trees: SimpleQueue[Path], broken: list[str]) -> tuple[Mutant, Mutant, float]:
    """A mutant, its result, and the seconds that it took, in one of the trees."""
    start, tree = time.monotonic(), trees.get()
    try:
        path, text = apply(mutant, HOUSE / PACKAGE) or (HOUSE, "")
        file = path.relative_to(HOUSE).as_posix()
        caught = failing(file, text, tree, broken)
        return mutant, dataclasses.replace(mutant, file=file, caught_by=caught), time.monotonic() - start
    finally:
        trees.put(tree)


def _write(path: Path, text: str) -> None:
    """Write a file of the copy and delete its compiled files, which Python compares by second and size only."""
    path.write_text(text, "utf-8")
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--again", action="store_true", help="try all of them again")
    parser.add_argument("--renew", action="store_true", help="replace those that no longer apply")
    parser.add_argument("--list", action="store_true", help="list them without trying any")
    parser.add_argument("--first", type=int, default=NUMBER, help="try at most this many")
    parser.add_argument("--workers", type=int, default=2, help="how many are tried in parallel")
    options = parser.parse_args()
    stored = load()
    obsolete = [m for m in stored if apply(m, HOUSE / PACKAGE) is None]
    if options.renew or not stored:
        stored, obsolete = choose([m for m in stored if m not in obsolete], obsolete), []
    if options.again:
        stored = [dataclasses.replace(m, caught_by=None) for m in stored]
    store(stored)
    todo = [m for m in stored if m.caught_by is None and m not in obsolete][: 0 if options.list else options.first]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.workers) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        for i in range(min(options.workers, len(todo))):
            copy = Path(folder) / str(i) / "tree"
            trees.put(shutil.copytree(HOUSE, copy, ignore=shutil.ignore_patterns(*NOT_COPIED), symlinks=True))
        broken: list[str] = []
        for future in as_completed([pool.submit(attempt, m, trees, broken) for m in todo]):
            try:
                before, after, seconds = future.result()
            except RuntimeError as error:
                # The others go on; this one is tried with the next run.
                print(error, flush=True)
                continue
            stored[stored.index(before)] = after
            store(stored)
            print(f"{after}\n  {after.caught_by}, {seconds:.0f} s", flush=True)
        if broken:
            print(f"These fail without a fault, and were left out: {', '.join(broken)}")
    for m in stored if options.list else [m for m in stored if m.caught_by in {ESCAPED, ENDLESS}]:
        print(f"{m}\n  {m.caught_by or 'not tried'}")
    for m in obsolete:
        print(f"{m}\n  no longer applies: --renew replaces it")
    counts = [
        sum(m.caught_by in {ESCAPED, ENDLESS} for m in stored),
        sum(m.caught_by is None for m in stored),
        len(obsolete),
    ]
    print("{} mutants: {} escaped, {} not tried, {} no longer apply".format(len(stored), *counts))
    return min(1, sum(counts))


if __name__ == "__main__":
    sys.exit(main())
