"""Two orders of the same systems: how near they are, and which systems change places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from ireval_frames import ranking
from ireval_frames.columns.schema import QRELS, resolve
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.errors import WrongType
from ireval_frames.io.reading import TABLE
from ireval_frames.similarity import Similarity

IDS = ("query_id", "doc_id")


def qrels_of(given: Any) -> pl.DataFrame:
    """Judgments as a frame of query_id, doc_id, relevance, from a table or a file."""
    if isinstance(given, str):
        from ireval_frames import io

        return io.read_qrels(given).select(*IDS, pl.col("relevance").cast(pl.Float64))
    engine = open_engine(given, None, None)
    with engine.errors():
        frame = engine.collect(open_source(Source(given, "qrels", TABLE), engine).lazy())
    found = resolve(QRELS, frame.columns)
    grade = found["relevance"]
    if not frame.schema[grade].is_numeric():
        raise WrongType(
            f"Column {grade!r} of the judgments is {frame.schema[grade]}; grades are numbers.",
            f'Convert it: frame.with_columns(pl.col("{grade}").cast(pl.Float64))',
        )
    return frame.select(**{c: pl.col(found[c]) for c in IDS}, relevance=pl.col(grade).cast(pl.Float64))


def values(qrels: pl.DataFrame, run: Any, measure: Any) -> pl.DataFrame:
    """The values of measures: measure, run_id, query_id, value; of one run, which has no name, run_id is "run"."""
    units = ranking.evaluate(qrels, run, measure).per_unit()
    named = units if "run_id" in units.columns else units.with_columns(run_id=pl.lit("run"))
    return named.select("measure", "run_id", "query_id", "value")


def each(made: Callable[..., pl.DataFrame], *units: pl.DataFrame) -> pl.DataFrame:
    """What is made of the values of each measure alone, in the order asked, with the measure's name before it.

    Args:
        made: from the values by each of several judgments, without a column `measure`.
        units: the values by these judgments, of the same measures.
    """
    parts = []
    for name in units[0]["measure"].unique(maintain_order=True):
        found = made(*(u.filter(pl.col("measure") == name).drop("measure") for u in units))
        parts.append(found.select(pl.lit(name).alias("measure"), *found.columns))
    return pl.concat(parts)


def means(units: pl.DataFrame) -> pl.DataFrame:
    """The mean of each system."""
    return units.group_by("run_id").agg(value=pl.col("value").mean()).sort("run_id")


def agreement(one: pl.DataFrame, other: pl.DataFrame) -> dict[str, float | None]:
    """Kendall's τ_b and τ_AP of two orders of systems, and the number of pairs that change places.

    Args:
        one: run_id and value: the order that is taken as the true one.
        other: the same systems.
    """
    lists = [
        f.select(query_id=pl.lit("systems"), doc_id=pl.col("run_id").cast(pl.String), score="value")
        for f in (one, other)
    ]
    found = (
        Similarity(lists[1], against=lists[0]).evaluate("Tau TauAP").summary()["value"].to_list()
        if one.height > 1
        else [None, None]
    )
    pairs = swapped(one, other)
    return {"tau": found[0], "tau_ap": found[1], "swaps": pairs.height, "n_pairs": one.height * (one.height - 1) // 2}


def swapped(one: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    """The pairs of systems whose order is the other one."""
    both = one.join(other, on="run_id", suffix="_other")
    pairs = both.join(both, how="cross", suffix="_b").filter(pl.col("run_id") < pl.col("run_id_b"))
    before, after = pl.col("value") - pl.col("value_b"), pl.col("value_other") - pl.col("value_other_b")
    return pairs.filter(before * after < 0).select("run_id", "run_id_b")


def paired(units: pl.DataFrame, systems: Sequence[Any]) -> pl.DataFrame:
    """Differences of every two systems, query by query: run_a, run_b, query_id, difference."""
    wide = units.filter(pl.col("run_id").is_in(list(systems)))
    both = wide.join(wide, on="query_id", suffix="_b").filter(pl.col("run_id") < pl.col("run_id_b"))
    return both.select("query_id", run_a="run_id", run_b="run_id_b", difference=pl.col("value") - pl.col("value_b"))
