"""Methods that learn from judgments how good a place in a list is: what they learn, and how lists are scored by it."""

from __future__ import annotations

import itertools

import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.fusion.lists import Lists
from ireval_frames.fusion.normalization import added
from ireval_frames.fusion.options import FusionOptions
from ireval_frames.fusion.training import Training
from ireval_frames.judgments import KEYS

LEARNED = ("fold", "run_id", "place", "value")
# The last ranks of the bands of bayesfuse, those of trec_eval; a last one has all further ranks.
BANDS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
# The last ranks of the segments of segfuse, of 5, 15, 35, … documents; the last is open.
SEGMENTS = tuple(sum(10 * 2**k - 5 for k in range(last + 1)) for last in range(16))


def learn(training: Training) -> pl.DataFrame:
    """What is learned for each fold from the queries of the others, by run and place.

    Returns:
        fold, run_id, place, value: the mean average precision (mapfuse, one place), the probability of relevance at a
        rank (posfuse), in a segment of the list (probfuse, segfuse), the sum of such probabilities up to a rank
        (slidefuse), or the log odds of a band of ranks beside those of not being retrieved (bayesfuse).
    """
    rows = _LEARN[training.options.method](training)
    return rows.select(LEARNED).sort("fold", "run_id", "place")


def _runs(training: Training) -> pl.DataFrame:
    """Every fold with every run."""
    return training.n_queries.join(training.sizes.select("run_id").unique(), how="cross")


def _at_places(training: Training, place: pl.Expr) -> pl.DataFrame:
    """fold, run_id, place, hits, n_queries: how many relevant documents were at a place."""
    rows = training.other_folds(training.hits.with_columns(place=place.cast(pl.Int64)))
    hits = rows.group_by("fold", "run_id", "place", maintain_order=True).agg(hits=pl.len())
    return hits.join(training.n_queries, on="fold")


def _number(ends: tuple[int, ...]) -> pl.Expr:
    """The number of the band of a rank, from 1."""
    return 1 + pl.sum_horizontal((pl.col("rank") > end).cast(pl.Int64) for end in ends)


def _average_precision(training: Training) -> pl.DataFrame:
    ordered = training.hits.sort("run_id", "query_id", "rank").join(training.relevant, on="query_id")
    hit = pl.int_range(1, pl.len() + 1).over("run_id", "query_id")
    precision = ordered.select("run_id", "query_id", ap=hit / pl.col("rank") / pl.col("relevant"))
    rows = training.other_folds(
        precision.group_by("run_id", "query_id", maintain_order=True).agg(in_order(pl.col("ap").sum()))
    )
    sums = rows.sort("query_id").group_by("fold", "run_id", maintain_order=True).agg(in_order(pl.col("ap").sum()))
    means = _runs(training).join(sums, on=["fold", "run_id"], how="left")
    return means.with_columns(place=pl.lit(0, pl.Int64), value=pl.col("ap").fill_null(0.0) / pl.col("n_queries"))


def _at_ranks(training: Training) -> pl.DataFrame:
    return _at_places(training, pl.col("rank").floor()).with_columns(value=pl.col("hits") / pl.col("n_queries"))


def _in_parts(training: Training) -> pl.DataFrame:
    """Of probfuse: each list has the same number of segments; the mean over queries of the share that is relevant."""
    segments = training.options.segments
    size = (pl.col("n") / segments).ceil()
    place = (pl.col("rank") / size).ceil()
    of_segment = pl.min_horizontal(size, pl.col("n") - (place - 1) * size)
    hits = training.hits.join(training.sizes, on=["run_id", "query_id"])
    hits = hits.with_columns(place=place.cast(pl.Int64), share=1.0 / of_segment)
    # The same order of addition everywhere.
    rows = training.other_folds(hits).sort("query_id", "share")
    sums = rows.group_by("fold", "run_id", "place", maintain_order=True).agg(in_order(pl.col("share").sum()))
    sums = sums.join(training.n_queries, on="fold")
    return sums.with_columns(value=pl.col("share") / pl.col("n_queries"))


def _in_segments(training: Training) -> pl.DataFrame:
    sizes = [SEGMENTS[0], *(b - a for a, b in itertools.pairwise(SEGMENTS))]
    rows = _at_places(training, _number(SEGMENTS))
    size = pl.col("place").replace_strict(dict(enumerate(sizes, start=1)), default=sizes[-1])
    return rows.with_columns(value=pl.col("hits") / (size * pl.col("n_queries")))


def _summed(training: Training) -> pl.DataFrame:
    """Of slidefuse: the sums of the probabilities up to every rank, from 0."""
    last = training.sizes.select(pl.col("n").max()).item() or 0
    places = pl.DataFrame({"place": range(last + 1)}, {"place": pl.Int64})
    rows = _runs(training).join(places, how="cross")
    hits = _at_places(training, pl.col("rank").floor()).drop("n_queries")
    rows = rows.join(hits, on=["fold", "run_id", "place"], how="left").sort("fold", "run_id", "place")
    hits_so_far = pl.col("hits").fill_null(0).cum_sum().over("fold", "run_id")
    return rows.with_columns(value=hits_so_far / pl.col("n_queries"))


def _odds(training: Training) -> pl.DataFrame:
    """Of bayesfuse: log P(band | relevant)/P(band | not), less that of not being retrieved; counts from a half on."""
    starts = (0, *BANDS)
    bands = pl.DataFrame({"place": range(1, len(starts) + 1), "start": starts, "end": (*BANDS, None)})
    lengths = training.sizes.join(bands, how="cross")
    n = (pl.min_horizontal("n", "end") - pl.col("start")).clip(0)
    documents = training.other_folds(lengths.select("run_id", "query_id", "place", documents=n))
    keys = ["fold", "run_id", "place"]
    rows = _runs(training).join(bands.select(pl.col("place").cast(pl.Int64)), how="cross")
    rows = rows.join(documents.group_by(keys, maintain_order=True).agg(pl.col("documents").sum()), on=keys, how="left")
    hits = _at_places(training, _number(BANDS)).select(*keys, "hits")
    rows = rows.join(hits, on=keys, how="left").with_columns(pl.col("documents", "hits").fill_null(0))
    of_queries = training.relevant.join(training.candidates, on="query_id")
    totals = (
        training.other_folds(of_queries)
        .group_by("fold", maintain_order=True)
        .agg(relevant=pl.col("relevant").sum(), others=(pl.col("candidates") - pl.col("retrieved")).sum())
    )
    rows = rows.join(totals, on="fold").with_columns(other_hits=pl.col("documents") - pl.col("hits"))

    def odds(relevant: pl.Expr, others: pl.Expr) -> pl.Expr:
        return ((relevant + 0.5) / (others + 0.5)).log()

    absent = odds(
        pl.col("relevant") - pl.col("hits").sum().over("fold", "run_id"),
        pl.col("others") - pl.col("other_hits").sum().over("fold", "run_id"),
    )
    return rows.with_columns(value=odds(pl.col("hits"), pl.col("other_hits")) - absent)


_LEARN = {
    "mapfuse": _average_precision,
    "posfuse": _at_ranks,
    "probfuse": _in_parts,
    "segfuse": _in_segments,
    "slidefuse": _summed,
    "bayesfuse": _odds,
}


def scored_by_learned(lists: Lists, options: FusionOptions, learned: pl.DataFrame, folds: pl.DataFrame) -> Frame:
    """query_id doc_id score: what was learned of the places of a document, added."""
    engine, names = lists.engine, lists.names
    rows = engine.join(lists.with_ranks(), engine.from_polars(folds), ("query_id",), "left")
    rank = col("rank")
    if options.method in ("probfuse", "slidefuse"):
        rows = rows.with_columns(n=col("doc_id").count().over("run_id", "query_id").cast(pl.Float64))
    if options.method == "segfuse":
        low, high = (end.over("run_id", "query_id") for end in (col("value").min(), col("value").max()))
        rows = rows.with_columns(low=low, high=high)
    # The ranks of tied documents that share one are between places.
    whole = rank.floor()
    first, last = (whole - float(options.window) - 1.0).clip(0.0), (whole + float(options.window)).clip(0.0, col("n"))
    size = (col("n") / float(options.segments)).ceil()
    places: dict[str, Expr] = {
        "mapfuse": lit(0.0),
        "posfuse": whole,
        "probfuse": (rank / size).ceil(),
        "segfuse": _band(rank, SEGMENTS),
        "slidefuse": last,
        "bayesfuse": _band(rank, BANDS),
    }
    table = engine.from_polars(learned)

    def looked_up(rows: Frame, place: Expr, name: str) -> Frame:
        rows = rows.with_columns(place=place.cast(pl.Int64))
        return engine.join(rows, table.rename({"value": name}), ("fold", "run_id", "place"), "left").drop("place")

    rows = looked_up(rows, places[options.method], "learned")
    if options.method == "slidefuse":
        rows = looked_up(rows, first, "before")
    known = col("learned").fill_null(0.0)
    spread = col("high") - col("low")
    normal = when(spread > 0).then((col("value") - col("low")) / spread).otherwise(options.constant)
    terms: dict[str, Expr] = {
        "mapfuse": known / rank,
        "posfuse": known,
        "probfuse": known / places["probfuse"],
        "segfuse": known * (1.0 + normal),
        "slidefuse": (known - col("before").fill_null(0.0)) / (last - first),
        "bayesfuse": known,
    }
    rows = rows.with_columns(term=terms[options.method])
    aggregates = [
        Aggregate(f"term_{i}", "max", when(col("run_id") == name).then(col("term"))) for i, name in enumerate(names)
    ]
    wide = engine.stage(engine.group(rows, KEYS, aggregates), "lists")
    return wide.select(*KEYS, score=added([col(f"term_{i}") for i in range(len(names))]))


def _band(rank: Expr, ends: tuple[int, ...]) -> Expr:
    """The number of the band of a rank, from 1."""
    out: Expr = lit(float(len(ends) + 1))
    for number, end in reversed(list(enumerate(ends, start=1))):
        out = when(rank <= float(end)).then(float(number)).otherwise(out)
    return out
