"""The group of cases about rows that stand in no order."""

from functools import partial

from benchmarks.jobs import Bench, Result
from benchmarks.names import FIVE
from benchmarks.rows import Row, faster, within

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
