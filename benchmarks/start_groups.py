"""The group of cases about starting: whole processes beside `import polars`, and what they load."""

import os
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping

from benchmarks.jobs import ROOT, Bench
from benchmarks.rows import Row, shown

RUNS = 11
DATA = ROOT / "data" / "stdlib"
COMMANDS = {
    "import polars": ("-c", "import polars"),
    "import ireval_frames": ("-c", "import ireval_frames"),
    "… and ir.evaluate": ("-c", "import ireval_frames as ir; ir.evaluate"),
    "ireval --version": ("-m", "ireval_frames", "--version"),
    "ireval evaluate": ("-m", "ireval_frames", "evaluate", str(DATA / "qrels.txt"), str(DATA / "runs" / "bm25.txt")),
}
LIMITS = {"import ireval_frames": 1.4, "ireval evaluate": 3.0}
# With compiled files, which some environments do not write.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
# Packages and own folders that take a smaller share of the imports are not listed.
SMALLEST = 0.005


def start(bench: Bench) -> list[Row]:
    """Whole processes from start to end, and the modules that `ireval evaluate` loads."""
    del bench
    for command in COMMANDS.values():
        _run(command)
    runs = [{name: _run(command) for name, command in COMMANDS.items()} for _ in range(RUNS)]
    rows = []
    for which, words in enumerate(("wall", "CPU")):
        medians = {name: statistics.median(run[name][which] for run in runs) for name in COMMANDS}
        base = medians.pop("import polars")
        rows += [_row(f"{name}, import polars, {words} time", m, base, LIMITS.get(name)) for name, m in medians.items()]
    modules = _loaded(COMMANDS["ireval evaluate"])
    least = SMALLEST * sum(modules.values())
    own = {name: seconds for name, seconds in modules.items() if name.partition(".")[0] == "ireval_frames"}
    rows.append(shown("modules that `ireval evaluate` loads", f"{len(modules)}, of which {len(own)} are own"))
    for title, names in (("", modules), ("of these, ", own)):
        spent, count = Counter[str](), Counter[str]()
        for name, seconds in names.items():
            group = ".".join(name.split(".")[:2]) if title else name.partition(".")[0]
            spent[group] += seconds
            count[group] += 1
        rows += [
            shown(f"{title}{group}", f"{seconds * 1e3:.0f} ms, {count[group]} modules")
            for group, seconds in spent.most_common()
            if seconds >= least
        ]
    return rows


def _row(case: str, seconds: float, base: float, limit: float | None) -> Row:
    sides = f"{seconds * 1e3:.0f} ms", f"{base * 1e3:.0f} ms"
    return Row(case, *sides, seconds / base, "≤" if limit else "", limit or 0.0)


def _run(command: tuple[str, ...]) -> tuple[float, float]:
    """Wall and CPU seconds of a process."""
    began = time.perf_counter()
    child = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, cwd=ROOT, env=ENVIRONMENT)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime


def _loaded(command: tuple[str, ...]) -> Mapping[str, float]:
    """The modules that a process imports, with the seconds that each takes by itself."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *command],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        env=ENVIRONMENT,
    )
    imports = re.findall(r"^import time:\s*(\d+) \|\s*\d+ \|\s*(\S+)$", done.stderr, re.MULTILINE)
    return {name: int(microseconds) / 1e6 for microseconds, name in imports}
