"""One fuzzer in a process of its own: `python -m tests.fuzzing.driving NAME FOLDER SECONDS`.

Atheris changes inputs and keeps those that reach new lines of the package.  A fault does not end the search: the first
input of each kind of fault is written to FOLDER/faults, beside its traceback.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.fuzzing.properties import Fault

LONGEST, MEMORY = 300, 4096  # seconds, megabytes


def kind(error: BaseException) -> str:
    """The error's class, and where it was raised: the innermost line of ours; of a property its first words."""
    if isinstance(error, Fault):
        return "Fault-" + "".join(c if c.isalnum() else "_" for c in str(error)[:24])
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "ireval_frames" in f.filename or "fuzzing" in f.filename][-1]
    return f"{type(error).__name__}-{Path(own.filename).stem}-{own.lineno}"


def collecting(fuzz: Callable[[bytes], None], faults: Path) -> Callable[[bytes], None]:
    """A fuzzer that writes its faults into a folder instead of ending with the first one."""

    def one(data: bytes) -> None:
        try:
            fuzz(data)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001 - a panic of Polars is no Exception
            place = faults / kind(error)
            if not place.exists():
                place.write_bytes(data)
                text = "".join(traceback.format_exception(error))
                place.with_suffix(".txt").write_text(text, "utf-8", errors="backslashreplace")

    return one


def main(name: str, folder: str, seconds: str) -> None:
    """Search until the time is over."""
    import atheris

    with atheris.instrument_imports(include=["ireval_frames"]):
        from tests.fuzzing.fuzzers import fuzzer

        fuzz = fuzzer(name)
    faults = Path(folder, "faults")
    options = {
        "dict": f"{folder}/words",
        "max_total_time": seconds,
        "timeout": LONGEST,
        "rss_limit_mb": MEMORY,
        "artifact_prefix": f"{faults}/",
        "max_len": 4096,
        "print_final_stats": 1,
        "verbosity": 0,
    }
    arguments = (f"-{option}={value}" for option, value in options.items())
    atheris.Setup([name, f"{folder}/corpus", *arguments], collecting(fuzz, faults))
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
