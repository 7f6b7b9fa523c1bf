"""The machine and the versions.

`python -m benchmarks.machine NAME …` prints versions of an interpreter's packages as JSON.
"""

import importlib.metadata
import json
import os
import platform
import resource
import sys
import time
from collections.abc import Iterable
from pathlib import Path

# Cores that other processes may use before a measurement is called disturbed.
QUIET = 0.1

OURS = ("polars", "duckdb", "narwhals", "pyarrow", "numpy")


def versions(modules: Iterable[str]) -> dict[str, str]:
    """Versions of the modules that are installed."""
    distributions = importlib.metadata.packages_distributions()
    return {m: importlib.metadata.version(distributions[m][0]) for m in modules if m in distributions}


class Others:
    """How busy other processes kept the machine: all processor time less that of the children that ended."""

    def __init__(self) -> None:
        self._start = self._now()

    def text(self) -> str:
        """A sentence, empty if the machine was quiet or the system does not tell."""
        elapsed, busy, ours = (now - then for now, then in zip(self._now(), self._start, strict=True))
        cores = (busy - ours) / elapsed
        if cores < QUIET:
            return ""
        return (
            f"Other processes used {cores:.1f} of {os.cpu_count()} cores meanwhile: neither times nor ratios are "
            "reliable.\n"
        )

    @staticmethod
    def _now() -> tuple[float, float, float]:
        """Elapsed time, processor time of all processes, and of ours."""
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        stat = Path("/proc/stat")
        user, nice, system, _, _, *rest = map(int, stat.read_text().split()[1:9]) if stat.exists() else [0] * 8
        busy = (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")
        return time.monotonic(), busy, usage.ru_utime + usage.ru_stime


def resident() -> int:
    """The bytes of memory that this process holds now; where the system does not tell, the most it ever held."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def here() -> list[str]:
    """Cores and memory, and versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return [
        f"{_processor()}, {os.cpu_count()} cores, {memory / 1e9:.1f} GB of memory, {platform.system()}",
        f"Python {platform.python_version()}, {_listed(versions(OURS))}",
    ]


def described(peers: dict[str, str]) -> str:
    """Cores, memory and versions, also of the other tools."""
    return "\n".join(f"- {line}" for line in (*here(), f"peers: {_listed(peers)}"))


def _listed(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items()) or "none"


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    names = (
        [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")] if cpuinfo.exists() else []
    )
    return names[0].partition(":")[2].strip() if names else platform.machine()


if __name__ == "__main__":
    print(json.dumps(versions(sys.argv[1:])))
