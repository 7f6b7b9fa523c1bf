"""Spark, other databases, orders of rows, and starting."""

import os
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from benchmarks.jobs import ROOT, Bench, Result
from benchmarks.names import FIVE
from benchmarks.rows import Row, faster, shown, within


def spark(bench: Bench) -> list[Row]:
    """Frames of Spark, beside a statement by hand."""
    size = bench.sizes.described("spark")
    even, skewed = bench.parquet("spark"), bench.parquet("skewed")

    def ours(tables: dict[str, str], **options: str) -> Result:
        return bench.work("in_spark.ours", calls=3, **tables, measures=FIVE, **options)

    by_hand = bench.work("in_spark.by_hand", calls=3, **even)
    checked, uneven = ours(even), ours(skewed)
    # The tables differ, and so do the means.
    beside_even = replace(within("… a third of the rows in one query, even", uneven, checked, 3), difference=None)
    return [
        within(f"Spark, {size}: window, join and group-by by hand", checked, by_hand, 1.5),
        within("… duplicates not looked for", ours(even, duplicates="trust"), by_hand, 1.5),
        beside_even,
        within("… the same by hand", uneven, bench.work("in_spark.by_hand", calls=3, **skewed)),
        shown("… jobs, stages and shuffles of an evaluation", _counts(bench, even)),
    ]


def _counts(bench: Bench, tables: dict[str, str]) -> str:
    counts = bench.work("in_spark.counted", **tables, measures=FIVE)
    values = getattr(counts, "values", None)
    if not values:
        return str(counts)
    return (
        f"{values['jobs']} jobs, {values['stages']} stages, {values['shuffles']} shuffles, the largest of"
        f" {values['rows'] / 1e6:.1f} M rows"
    )


DATABASES = {"postgres": "PostgreSQL", "clickhouse": "ClickHouse"}


def dialects(bench: Bench) -> list[Row]:
    """The statement of five measures in other databases, beside DuckDB."""
    rows = []
    size = bench.sizes.described("million")
    for ids in ("integers", "text"):
        tables = {**bench.parquet("million"), "measures": FIVE, "ids": ids}
        ours = bench.work("in_databases.duckdb", calls=3, **tables)
        for name, title in DATABASES.items():
            result = bench.work(f"in_databases.{name}", calls=3, **tables)
            rows.append(within(f"{size}, ids are {ids}: {title}, DuckDB", result, ours))
    return rows


# How the rows of a table stand, and how many times as long as those of `passages` they may take.
ORDERS = {"within": ("in random order inside queries", 1.6), "shuffled": ("in random order", 3)}
IDS = ("text", "integers", "categories")


def orders(bench: Bench) -> list[Row]:
    """Rows in random order, inside queries and at all, beside the same rows best first; ranx with its sorting."""

    def ours(table: str, ids: str) -> Result:
        return bench.work("ours.frames", calls=5, **bench.parquet(table, "passages"), measures=FIVE, ids=ids)

    cases = [(table, ids) for ids in IDS for table in ("passages", *ORDERS)]
    ranx = partial(bench.work, "peers.ranx", calls=3, **bench.parquet("passages"), sorting="counted")
    *results, sorting = bench.turns([*(partial(ours, *case) for case in cases), ranx])
    seconds = dict(zip(cases, results, strict=True))
    rows = []
    for ids in IDS:
        for table, (size, limit) in ORDERS.items():
            scattered = seconds[table, ids]
            rows.append(within(f"ids are {ids}, rows {size}; best first", scattered, seconds["passages", ids], limit))
            if ids == "text":
                rows.append(faster("… ranx with its sorting", scattered, sorting, 2))
    return rows


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
