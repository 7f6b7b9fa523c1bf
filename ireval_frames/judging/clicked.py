"""Judgments from clicks compared with those of people."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from ireval_frames import ranking
from ireval_frames.errors import MissingColumn, listed
from ireval_frames.judging.judges import Judges, judges
from ireval_frames.judging.systems import IDS, qrels_of
from ireval_frames.labels import Labels
from ireval_frames.resampling import bootstrap
from ireval_frames.resampling.options import N_RESAMPLES
from ireval_frames.similarity import Similarity

OF_GRADES = "PercentAgreement CohenKappa CohenKappa(weights='quadratic')"
COLUMNS = ("measure", "value", "ci_low", "ci_high", "n_queries", "n")


def click_agreement(
    clicks: Any,
    human: Any,
    *,
    relevance: str = "relevance",
    rel: float = 1.0,
    cutoff: int = 10,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pl.DataFrame:
    """The agreement of relevance estimated from clicks with judgments of people, over documents that have both.

    ROCAUC: the chance that of a document of grade `rel` or more and another one, of any queries, clicks prefer the
    first; Pearson's correlation of relevance and grade over all documents; Spearman's ρ and Kendall's τ_b of the two
    orders of each query, and nDCG of its documents in the order of clicks, each the mean over queries; agreement of
    grades, with relevance cut into as many of each grade as people gave (`people_grades`); and Coverage, the share of
    the documents judged by people that have a relevance from clicks.

    Args:
        clicks: a fitted click model, or a table of query_id, doc_id and a relevance:
            `log.rates(by=["query_id", "doc_id"])` with `relevance="coec"`.
        human: judgments of people: a table, or a file.
        relevance: the column of the table of clicks.
        rel: the lowest grade that counts as relevant.
        cutoff: of nDCG.
        confidence: of intervals, with queries drawn: by the delta method for agreement of grades, else percentiles.
        n_resamples: the number of replicates.
        seed: of the draws.

    Returns:
        measure value ci_low ci_high n_queries n: the numbers of queries and of documents.  Null if a value is
        undefined: AUC if all documents are relevant or none is; correlations if one side does not vary.

    Raises:
        NothingInCommon: no document is in both.
        MissingColumn: the table has no such column.
        InvalidParameter: a number is not allowed.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> people = pl.DataFrame({"query_id": [1, 1, 1], "doc_id": ["a", "b", "c"], "relevance": [0, 2, 1]})
        >>> model = ir.Impressions(ir.examples.click_log()).fit("SDBN")
        >>> agreement = ir.judging.click_agreement(model, people, n_resamples=50)
        >>> agreement.select("measure", pl.col("value").round(3)).rows()[:3]
        [('ROCAUC', 1.0), ('Pearson', 0.874), ('Spearman', 1.0)]
    """
    N_RESAMPLES.check("n_resamples", n_resamples)
    people = qrels_of(human)
    both = _both(_relevance(clicks, relevance), people)
    options: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "confidence": confidence}
    pairs = both.with_columns(label=(pl.col("human") >= rel).cast(pl.Int64))
    labels = Labels(pairs, label="label", score="clicks", positive=1)
    parts = [bootstrap(labels, "ROCAUC", cluster="query_id", **options).table()]
    parts.append(_pearson(both, n_resamples, seed, confidence))
    sides = [both.select(*IDS, score=side) for side in ("clicks", "human")]
    orders = Similarity(sides[0], against=sides[1]).evaluate("Spearman Tau")
    qrels = both.select(*IDS, relevance="human")
    gains = ranking.evaluate(qrels, sides[0], f"nDCG@{cutoff}")
    parts += [bootstrap(evaluation, **options).table() for evaluation in (orders, gains)]
    graded = judges(qrels, people_grades(both.select(*IDS, relevance="clicks"), qrels))
    parts.append(graded.agreement(OF_GRADES, confidence=confidence))
    table = pl.concat([p.select(COLUMNS[:4]) for p in parts]).with_columns(
        n_queries=pl.lit(both["query_id"].n_unique(), dtype=pl.Int64), n=pl.lit(both.height, dtype=pl.Int64)
    )
    counts = {"n_queries": people["query_id"].n_unique(), "n": people.height}
    share = {"measure": "Coverage", "value": both.height / people.height, "ci_low": None, "ci_high": None, **counts}
    return pl.concat([table, pl.DataFrame([share], schema=table.schema)])


def people_grades(clicks: Any, human: Any, *, relevance: str = "relevance") -> pl.DataFrame:
    """Relevance from clicks as grades of people: of the documents in both, as many of each grade as people gave.

    A document whose share of lower ones (ties in the middle) is u gets the lowest grade that a share u of people's
    grades does not pass; documents of equal relevance get one grade.

    Args:
        clicks: a fitted click model, or a table of query_id, doc_id and a relevance.
        human: judgments of people: a table, or a file.
        relevance: the column of the table.

    Returns:
        query_id doc_id relevance: for `ir.judging.judges(human, …)`, whose `confusion()` counts them.

    Raises:
        NothingInCommon: no document is in both.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> people = pl.DataFrame({"query_id": [1, 1, 1], "doc_id": ["a", "b", "c"], "relevance": [0, 2, 1]})
        >>> model = ir.Impressions(ir.examples.click_log()).fit("SDBN")
        >>> ir.judging.people_grades(model, people)["relevance"].to_list()
        [0.0, 2.0, 1.0]
    """
    both = _both(_relevance(clicks, relevance), qrels_of(human))
    grades, counts = np.unique(both["human"].to_numpy(), return_counts=True)
    below = (both["clicks"].rank("average").to_numpy() - 0.5) / both.height
    position = np.searchsorted(np.cumsum(counts) / both.height, below, side="left").clip(0, len(grades) - 1)
    return both.select(*IDS, relevance=pl.Series(grades[position]))


def _relevance(clicks: Any, column: str) -> pl.DataFrame:
    """query_id doc_id relevance from clicks; documents without a value are left out."""
    frame = clicks.judgments() if hasattr(clicks, "judgments") else clicks
    if isinstance(frame, pl.DataFrame) and column != "relevance":
        if column not in frame.columns:
            raise MissingColumn(
                f"The table has no column {column!r} (it has: {listed(frame.columns, 20)}).",
                "Name the column of relevance: relevance=",
            )
        frame = frame.select(*IDS, relevance=column)
    return qrels_of(frame).filter(pl.col("relevance").is_finite())


def _both(clicks: pl.DataFrame, people: pl.DataFrame) -> pl.DataFrame:
    """The documents in both: query_id doc_id clicks human; integers are text where the other's ids are text."""
    for column in IDS:
        types = (clicks.schema[column], people.schema[column])
        if pl.String in types and any(t.is_integer() for t in types):
            clicks, people = (frame.with_columns(pl.col(column).cast(pl.String)) for frame in (clicks, people))
    return Judges(people, clicks, names=("human", "clicks")).both.rename({"llm": "clicks"})


def _pearson(both: pl.DataFrame, n_resamples: int, seed: int, confidence: float) -> pl.DataFrame:
    """Pearson's correlation over all documents, with the interval of resampled queries, each of six sums."""
    value, ends = np.nan, (np.nan, np.nan)
    if both["clicks"].n_unique() > 1 and both["human"].n_unique() > 1:
        x, y = ((pl.col(c) - pl.col(c).mean()) / pl.col(c).std() for c in ("clicks", "human"))
        terms = both.select("query_id", n=pl.lit(1.0), x=x, y=y).with_columns(
            xx=pl.col("x") ** 2, yy=pl.col("y") ** 2, xy=pl.col("x") * pl.col("y")
        )
        sums = terms.group_by("query_id", maintain_order=True).sum().drop("query_id").to_numpy()
        value = _correlation(sums.sum(axis=0)[None])[0]
        queries = len(sums)
        counts = np.random.default_rng(seed).multinomial(queries, np.full(queries, 1.0 / queries), size=n_resamples)
        replicates = _correlation(counts @ sums)
        replicates, tail = replicates[~np.isnan(replicates)], (1.0 - confidence) / 2.0
        if queries > 1 and len(replicates):
            ends = tuple(np.quantile(replicates, [tail, 1.0 - tail]))
    row = {"measure": "Pearson", "value": value, "ci_low": ends[0], "ci_high": ends[1]}
    types = dict.fromkeys(COLUMNS[1:4], pl.Float64)
    return pl.DataFrame([row], schema={"measure": pl.String, **types}).with_columns(pl.selectors.float().fill_nan(None))


def _correlation(sums: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The correlation of each row of n Σx Σy Σx² Σy² Σxy, of standardised values; NaN if they vary only by rounding."""
    n, x, y, xx, yy, xy = sums.T
    first, second = xx - x * x / n, yy - y * y / n
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.clip((xy - x * y / n) / np.sqrt(first * second), -1.0, 1.0)
    return np.where((first > 1e-12 * n) & (second > 1e-12 * n), r, np.nan)
