"""Systems by several judgments: their values, orders and differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames import ranking
from ireval_frames.columns.schema import QRELS, resolve
from ireval_frames.columns.suggestions import renaming
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import Argument, Hint, InvalidParameter, WrongType
from ireval_frames.io.reading import TABLE
from ireval_frames.similarity import Similarity
from ireval_frames.stats.corrections import corrected

IDS = ("query_id", "doc_id")


def frame_of(source: Any) -> pl.DataFrame:
    """Judgments as a frame with all columns of a table, or those of a file of judgments."""
    if isinstance(source, str):
        from ireval_frames import io

        return io.read_qrels(source).select(*IDS, pl.col("relevance").cast(pl.Float64))
    engine = open_engine(source, None, None)
    with engine.errors():
        return engine.collect(open_source(Source(source, "qrels", TABLE), engine).lazy())


def qrels_of(source: Any) -> pl.DataFrame:
    """Judgments as a frame of query_id, doc_id, relevance, from a table or a file."""
    if isinstance(source, str):
        return frame_of(source)
    frame = frame_of(source)
    columns = resolve(QRELS, frame.columns)
    grade = columns["relevance"]
    if not frame.schema[grade].is_numeric():
        raise WrongType(
            f"Column {grade!r} of the judgments is {frame.schema[grade]}; grades are numbers.",
            f'Convert it: frame.with_columns(pl.col("{grade}").cast(pl.Float64))',
        )
    return frame.select(**{c: pl.col(columns[c]) for c in IDS}, relevance=pl.col(grade).cast(pl.Float64))


def values(qrels: pl.DataFrame, run: Any, measure: Any) -> pl.DataFrame:
    """The values of measures: measure, run_id, query_id, value; run_id is "run" for a run without name."""
    with renaming():
        units = ranking.evaluate(qrels, run, measure).per_unit()
    named = units if "run_id" in units.columns else units.with_columns(run_id=pl.lit("run"))
    return named.select("measure", "run_id", "query_id", "value")


def per_measure(function: Callable[..., pl.DataFrame], *units: pl.DataFrame) -> pl.DataFrame:
    """A function's results for each measure, in the measures' order, with the measure's name as first column.

    Args:
        function: of the values by each of several judgments, without the column `measure`.
        units: the values by these judgments, of the same measures.
    """
    parts = []
    for name in units[0]["measure"].unique(maintain_order=True):
        result = function(*(u.filter(pl.col("measure") == name).drop("measure") for u in units))
        parts.append(result.select(pl.lit(name).alias("measure"), *result.columns))
    return pl.concat(parts)


def means(units: pl.DataFrame) -> pl.DataFrame:
    """The mean of each system."""
    return units.group_by("run_id").agg(value=in_order(pl.col("value").mean())).sort("run_id")


def agreement(one: pl.DataFrame, other: pl.DataFrame) -> dict[str, float | None]:
    """Kendall's τ_b and τ_AP of two orders of systems, and the number of pairs in reverse order.

    Args:
        one: run_id and value: the true order.
        other: the same systems.
    """
    lists = [
        f.select(query_id=pl.lit("systems"), doc_id=pl.col("run_id").cast(pl.String), score="value")
        for f in (one, other)
    ]
    values = (
        Similarity(lists[1], against=lists[0]).evaluate("Tau TauAP").summary()["value"].to_list()
        if one.height > 1
        else [None, None]
    )
    pairs = swapped(one, other)
    return {"tau": values[0], "tau_ap": values[1], "swaps": pairs.height, "n_pairs": one.height * (one.height - 1) // 2}


def swapped(one: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    """The pairs of systems in reverse order."""
    both = one.join(other, on="run_id", suffix="_other")
    pairs = both.join(both, how="cross", suffix="_b").filter(pl.col("run_id") < pl.col("run_id_b"))
    before, after = pl.col("value") - pl.col("value_b"), pl.col("value_other") - pl.col("value_other_b")
    return pairs.filter(before * after < 0).select("run_id", "run_id_b")


def paired(units: pl.DataFrame, systems: Sequence[Any]) -> pl.DataFrame:
    """Differences of every two systems, query by query: run_a, run_b, query_id, difference."""
    wide = units.filter(pl.col("run_id").is_in(list(systems)))
    both = wide.join(wide, on="query_id", suffix="_b").filter(pl.col("run_id") < pl.col("run_id_b"))
    return both.select("query_id", run_a="run_id", run_b="run_id_b", difference=pl.col("value") - pl.col("value_b"))


def compare_pairs(human: pl.DataFrame, llm: pl.DataFrame, alpha: float, correction: str) -> pl.DataFrame:
    """A row per two systems: the mean differences, the p-values and the status of `Judges.places`.

    Args:
        human: the values per unit by the human judgments.
        llm: those by the model's judgments.
        alpha: the level of the tests.
        correction: of p-values over the pairs.
    """
    from scipy.special import stdtr

    out = None
    for name, units in (("human", human), ("llm", llm)):
        pairs = paired(units, units["run_id"].unique().to_list())
        tests = (
            pairs.group_by("run_a", "run_b")
            .agg(
                mean=in_order(pl.col("difference").mean()),
                sd=in_order(pl.col("difference").std()),
                n=pl.col("difference").count(),
            )
            .sort("run_a", "run_b")
        )
        n, sd, mean = (tests[c].cast(pl.Float64).fill_null(np.nan).to_numpy() for c in ("n", "sd", "mean"))
        with np.errstate(invalid="ignore", divide="ignore"):
            p = np.where(sd > 0, 2 * stdtr(np.maximum(n - 1, 1), -np.abs(mean) / (sd / np.sqrt(n))), np.nan)
        columns = {name: pl.Series(mean), f"p_{name}": pl.Series(corrected(p, correction))}
        frame = tests.select("run_a", "run_b").with_columns(**columns)
        out = frame if out is None else out.join(frame, on=["run_a", "run_b"])
    assert out is not None  # noqa: S101 - the loop has two turns
    same = pl.col("human") * pl.col("llm") > 0
    significant = [pl.col(f"p_{name}").fill_nan(1.0) <= alpha for name in ("human", "llm")]
    status = (
        pl.when(significant[0] & significant[1] & same).then(pl.lit("kept"))
        .when(significant[0] & significant[1]).then(pl.lit("reversed"))
        .when(significant[0]).then(pl.lit("lost"))
        .when(significant[1]).then(pl.lit("gained"))
        .when(pl.col("human") * pl.col("llm") < 0).then(pl.lit("swapped"))
        .otherwise(pl.lit("undecided"))
    )  # fmt: skip
    return out.with_columns(status=status).with_columns(pl.selectors.float().fill_nan(None)).sort("run_a", "run_b")


def compare_families(gains: pl.DataFrame, families: Mapping[Any, Any], confidence: float) -> pl.DataFrame:
    """The mean over queries of each family's gain over that of the other systems.

    Args:
        gains: run_id, query_id, `gain`: the value by one judge minus that by the other.
        families: the family of each system.
        confidence: of Student's intervals over queries.

    Returns:
        family gain others favour se ci_low ci_high p_value p_corrected n_systems n_queries.

    Raises:
        InvalidParameter: a system has no family, or there is only one family.
    """
    from scipy.special import stdtr, stdtrit

    systems = gains["run_id"].unique().sort().to_list()
    if not isinstance(families, Mapping) or (missing := [s for s in systems if s not in families]):
        problem = (
            f"The system {missing[0]!r} has no family." if isinstance(families, Mapping) else "No family is named."
        )
        raise InvalidParameter(problem, Hint("Name all: ", Argument("families", dict.fromkeys(systems[:2], "family"))))
    names = sorted({families[s] for s in systems}, key=str)
    if len(names) < 2:
        raise InvalidParameter(
            "All systems are of one family, so there are none to compare it with.", "Name two families or more."
        )
    rows = []
    for family in names:
        own = pl.col("run_id").is_in([s for s in systems if families[s] == family])
        by_query = gains.drop_nulls("gain").group_by("query_id", maintain_order=True).agg(
            own=pl.col("gain").filter(own).mean(), others=pl.col("gain").filter(~own).mean()
        ).drop_nulls()  # fmt: skip
        one, other = by_query["own"].to_numpy(), by_query["others"].to_numpy()
        difference, n = one - other, len(one)
        mean = difference.mean() if n else np.nan
        se = difference.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
        half = float(stdtrit(n - 1, (1 + confidence) / 2)) * se if n > 1 else np.nan
        p = 2 * float(stdtr(n - 1, -abs(mean) / se)) if n > 1 and se > 0 else np.nan
        size = sum(families[s] == family for s in systems)
        means = (one.mean(), other.mean()) if n else (np.nan, np.nan)
        rows.append((family, *means, mean, se, mean - half, mean + half, p, size, n))
    statistics = ("gain", "others", "favour", "se", "ci_low", "ci_high", "p_value")
    columns = {name: [float(r[i]) for r in rows] for i, name in enumerate(statistics, 1)}
    columns["p_corrected"] = corrected(np.array(columns["p_value"]), "holm").tolist()
    table = pl.DataFrame(
        {"family": names, **columns, "n_systems": [r[8] for r in rows], "n_queries": [r[9] for r in rows]}
    )
    return table.with_columns(pl.selectors.float().fill_nan(None))
