"""The peak memory of one path, in a process of its own: `python -m tests.memory.child NAME FOLDER` prints megabytes."""

from __future__ import annotations

import gc
import sys
import warnings
from pathlib import Path

STATUS = Path("/proc/self/status")


def megabytes(name: str) -> float:
    """What the system says of this process: VmRSS now, VmHWM at its peak."""
    (line,) = (line for line in STATUS.read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) / 1024


def peak(name: str, folder: Path) -> float:
    """The megabytes that a path takes at its peak, beyond what the process has before."""
    from tests.memory.paths import CASES, CONTROL

    # Programs that are loaded at their first use are none of the path's memory.
    for module in ("duckdb", "pyarrow.parquet", "scipy.stats", "ireval_frames.cli.app"):
        __import__(module)
    gc.collect()
    before = megabytes("VmRSS")
    # From here on the peak is counted anew.
    Path("/proc/self/clear_refs").write_text("5")
    CASES.get(name, CONTROL).work(folder)
    return megabytes("VmHWM") - before


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(round(peak(sys.argv[1], Path(sys.argv[2])), 1))
