"""Look for inputs that break a property: `python -m tests.fuzzing [NAME …] [--minutes 10]`.

What is found stands in build/fuzzing/NAME/faults.  Mend it, and keep the input in tests/fuzzing/seeds/NAME under a name
that says what it is: `make test` tries all that are kept.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.fuzzing.fuzzers import FUZZERS, beginnings, words

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "fuzzing"


def run(name: str, minutes: float) -> list[Path]:
    """The inputs that break a property of a fuzzer; what earlier runs reached is where it begins."""
    folder = BUILD / name
    (folder / "corpus").mkdir(parents=True, exist_ok=True)
    (folder / "faults").mkdir(exist_ok=True)
    for old in (folder / "faults").iterdir():
        old.unlink()
    for seed, content in beginnings(name).items():
        (folder / "corpus" / seed).write_bytes(content)
    escaped = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in words(name))
    (folder / "words").write_text("".join(f'"{word}"\n' for word in escaped), "ascii")
    print(f"{name}: {len(beginnings(name))} inputs to begin with, {minutes:g} minutes", flush=True)
    ended = subprocess.run(
        [sys.executable, "-m", "tests.fuzzing.driving", name, str(folder), str(round(60 * minutes))],
        cwd=ROOT,
        env={**os.environ, "POLARS_MAX_THREADS": "1"},
        stderr=(folder / "log").open("w"),
        check=False,
    )
    faults = sorted(path for path in (folder / "faults").iterdir() if path.suffix != ".txt")
    log = (folder / "log").read_text("utf-8", "replace").splitlines()
    print("\n".join(line for line in log if "number_of_executed_units" in line or "ERROR" in line))
    if ended.returncode and not faults:
        print("\n".join(log[-20:]))
        sys.exit(f"{name} ended with {ended.returncode}: see {folder / 'log'}")
    for fault in faults:
        said = fault.with_suffix(".txt")
        print(
            f"  {fault}: {said.read_text('utf-8').strip().splitlines()[-1][:300] if said.exists() else 'see the log'}"
        )
    return faults


def main() -> None:
    """Run the fuzzers one after another; the exit code is 1 if one found something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(FUZZERS)}; by default all")
    parser.add_argument("--minutes", type=float, default=10.0, help="of each")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in FUZZERS]:
        parser.error(f"there is no fuzzer {unknown[0]!r}; fuzzers: {', '.join(FUZZERS)}")
    faults = [fault for name in options.names or FUZZERS for fault in run(name, options.minutes)]
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
