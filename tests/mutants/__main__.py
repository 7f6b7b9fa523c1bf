"""Try whether the tests of a change notice small faults: `python -m tests.mutants`.

Each of the faults in `mutants.json` is put into a copy of the tree, where the tests that `make test CHANGED=1` selects
for its file run until one fails.  What was tried is written down at once, so a run that was stopped goes on.

    python -m tests.mutants                goes on where it stopped
    python -m tests.mutants --again        tries all of them anew
    python -m tests.mutants --renew        first chooses others for those that no longer apply
    python -m tests.mutants --list         shows them
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
from tests.mutants.faults import Mutant, mutants, put
from tests.packaging.imports import HOUSE, PACKAGE

STORED = Path(__file__).with_name("mutants.json")
NUMBER = 60
ESCAPED = "escaped"
ENDLESS = "the tests did not end"
# Spark is tested by `make test-external`, and a change of the package itself by all tests.
ELSEWHERE = re.compile(r"spark|^__init__\.py$|__main__")
NOT_COPIED = (".venv*", ".git", "build", "__pycache__", ".*_cache", ".hypothesis")
# A fault may make a loop endless.
SECONDS = 600


def load() -> list[Mutant]:
    """The stored mutants."""
    return [Mutant(**entry) for entry in json.loads(STORED.read_text("utf-8"))] if STORED.exists() else []


def store(chosen: Iterable[Mutant]) -> None:
    """Write them, by file and function."""
    entries = [dataclasses.asdict(m) for m in sorted(chosen, key=lambda m: (m.file, m.function, m.before, m.after))]
    STORED.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n", "utf-8")


def folders() -> dict[str, list[Mutant]]:
    """All faults of the files of each folder that has some."""
    out: dict[str, list[Mutant]] = {}
    for path in sorted((HOUSE / PACKAGE).rglob("*.py")):
        if not ELSEWHERE.search(path.relative_to(HOUSE / PACKAGE).as_posix()):
            file = path.relative_to(HOUSE).as_posix()
            out.setdefault(file.rpartition("/")[0], []).extend(mutants(file, path.read_text("utf-8")))
    return {folder: faults for folder, faults in out.items() if faults}


def choose(kept: list[Mutant], tried: Iterable[Mutant] = ()) -> list[Mutant]:
    """Up to `NUMBER` mutants: those that are kept, and others by a fixed seed, first of folders that have none.

    Args:
        kept: these stay.
        tried: these are not chosen again.
    """
    rng, seen = random.Random(0), {(m.function, m.before, m.after) for m in [*kept, *tried]}
    of_folder = folders()
    turns = rng.sample(sorted(of_folder), len(of_folder))
    # Large folders have more turns.
    turns += rng.choices(turns, [len(of_folder[f]) for f in turns], k=10 * NUMBER)
    out = list(kept)
    for i, folder in enumerate(turns):
        if len(out) >= NUMBER:
            break
        if sum(m.file.rpartition("/")[0] == folder for m in out) > turns[:i].count(folder):
            continue
        of_kind: dict[str, list[Mutant]] = {}
        for m in of_folder[folder]:
            if (m.function, m.before, m.after) not in seen:
                of_kind.setdefault(m.fault, []).append(m)
        if of_kind:
            # Rare faults are as likely as common ones.
            new = rng.choice(of_kind[rng.choice(sorted(of_kind))])
            seen.add((new.function, new.before, new.after))
            out.append(new)
    return out


def failing(file: str, text: str, tree: Path, broken: list[str]) -> str:
    """The first test that fails of a file's text with a fault, and not without, else `ESCAPED` or `ENDLESS`.

    Those that fail without, too, are added to `broken`, and left out from then on.
    """
    chosen, place = select([file]).arguments(), tree / file
    # Tests of the file before the contract of whole families.
    at = chosen.index(CONTRACT) if CONTRACT in chosen else len(chosen)
    whole = place.read_text("utf-8")
    for tests in (chosen[:at], chosen[at:]):
        while tests:
            _write(place, text)
            try:
                found = _run([*tests, *(f"--deselect={name}" for name in broken)], tree)
            finally:
                _write(place, whole)
            if not found:
                break
            if found == ENDLESS or not _run([found], tree):
                return found
            broken.append(found)
    return ESCAPED


def _run(tests: list[str], tree: Path) -> str:
    """The first of these tests that fails in a tree, or nothing."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-o", "cache_dir=.pytest_cache"]
    failed = tree / ".pytest_cache/v/cache/lastfailed"
    failed.unlink(missing_ok=True)
    environment = os.environ | {"PYTHONPATH": str(tree)}
    done = subprocess.Popen(
        [*command, *tests],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = done.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return ENDLESS
    finally:
        if done.poll() is None:
            os.killpg(done.pid, signal.SIGKILL)
            done.wait()
    if done.returncode in {0, 5}:
        return ""
    if failed.exists():
        return str(next(iter(json.loads(failed.read_text("utf-8")))))
    if "while loading conftest" in said:
        return "tests/conftest.py"
    raise RuntimeError(f"pytest ended with {done.returncode}:\n{said[-2000:]}")


def attempt(mutant: Mutant, trees: SimpleQueue[Path], broken: list[str]) -> tuple[Mutant, Mutant, float]:
    """A mutant, the same with what caught it, and how long that took in one of the trees."""
    start, tree = time.monotonic(), trees.get()
    try:
        path, text = put(mutant, HOUSE / PACKAGE) or (HOUSE, "")
        file = path.relative_to(HOUSE).as_posix()
        caught = failing(file, text, tree, broken)
        return mutant, dataclasses.replace(mutant, file=file, caught_by=caught), time.monotonic() - start
    finally:
        trees.put(tree)


def _write(path: Path, text: str) -> None:
    """Write a file of the copy; what was compiled goes, since Python knows a file again by its second and size."""
    path.write_text(text, "utf-8")
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--again", action="store_true", help="try all of them, whatever was found before")
    parser.add_argument("--renew", action="store_true", help="choose others for those that no longer apply")
    parser.add_argument("--list", action="store_true", help="show them, and try nothing")
    parser.add_argument("--first", type=int, default=NUMBER, help="try no more than this many now")
    parser.add_argument("--workers", type=int, default=2, help="how many are tried at once")
    options = parser.parse_args()
    chosen = load()
    gone = [m for m in chosen if put(m, HOUSE / PACKAGE) is None]
    if options.renew or not chosen:
        chosen, gone = choose([m for m in chosen if m not in gone], gone), []
    if options.again:
        chosen = [dataclasses.replace(m, caught_by=None) for m in chosen]
    store(chosen)
    todo = [m for m in chosen if m.caught_by is None and m not in gone][: 0 if options.list else options.first]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.workers) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        for i in range(min(options.workers, len(todo))):
            copy = Path(folder) / str(i) / "tree"
            trees.put(shutil.copytree(HOUSE, copy, ignore=shutil.ignore_patterns(*NOT_COPIED), symlinks=True))
        broken: list[str] = []
        for done in as_completed([pool.submit(attempt, m, trees, broken) for m in todo]):
            before, after, seconds = done.result()
            chosen[chosen.index(before)] = after
            store(chosen)
            print(f"{after}\n  {after.caught_by}, {seconds:.0f} s", flush=True)
        if broken:
            print(f"These fail without a fault, and were left out: {', '.join(broken)}")
    for m in chosen if options.list else [m for m in chosen if m.caught_by in {ESCAPED, ENDLESS}]:
        print(f"{m}\n  {m.caught_by or 'not tried'}")
    for m in gone:
        print(f"{m}\n  no longer applies: --renew chooses another")
    counts = [
        sum(m.caught_by in {ESCAPED, ENDLESS} for m in chosen),
        sum(m.caught_by is None for m in chosen),
        len(gone),
    ]
    print("{} mutants: {} escaped, {} not tried, {} no longer apply".format(len(chosen), *counts))
    return min(1, sum(counts))


if __name__ == "__main__":
    sys.exit(main())
