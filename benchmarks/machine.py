"""The machine and the versions; `python -m benchmarks.machine NAME …` prints versions of an interpreter's packages as JSON."""

import importlib.metadata
import json
import os
import platform
import sys
from collections.abc import Iterable
from pathlib import Path

OURS = ("polars", "duckdb", "narwhals", "pyarrow", "numpy")


def versions(modules: Iterable[str]) -> dict[str, str]:
    """Versions of the modules that are installed."""
    distributions = importlib.metadata.packages_distributions()
    return {m: importlib.metadata.version(distributions[m][0]) for m in modules if m in distributions}


def described(peers: dict[str, str], load: float) -> str:
    """Cores, memory, load before the run, and versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    lines = [
        f"- {_processor()}, {os.cpu_count()} cores, {memory / 1e9:.1f} GB of memory, {platform.system()}",
        f"- load before the run: {load:.1f}" + (" (the machine was busy: trust ratios more than times)" if load > 0.5 else ""),
        f"- Python {platform.python_version()}, {_listed(versions(OURS))}",
        f"- peers: {_listed(peers)}",
    ]
    return "\n".join(lines)


def _listed(found: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in found.items()) or "none"


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")] if cpuinfo.exists() else []
    return names[0].partition(":")[2].strip() if names else platform.machine()


if __name__ == "__main__":
    print(json.dumps(versions(sys.argv[1:])))
