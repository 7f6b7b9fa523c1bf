"""What each run adds to a fusion: common and unique documents, gain over the best run, leaving one out."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.frame import Frame
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.expr import col, lit, when
from ireval_frames.fusion.lists import Lists
from ireval_frames.fusion.request import FusionRequest
from ireval_frames.items.inputs import same_kinds
from ireval_frames.judgments import KEYS, read_judgments, require_common
from ireval_frames.ranking.subject import Rankings

Measures = str | Measure | Iterable[str | Measure]


def _judged_rows(request: FusionRequest, lists: Lists, rows: Frame, qrels: Any) -> tuple[Frame, Frame]:
    """The rows of judged queries, and the judgments.

    Raises:
        NothingInCommon: no query is judged.
    """
    engine = lists.engine
    judgments = read_judgments(qrels, engine, request.user_names())
    rows, judgments = same_kinds({"run": rows, "qrels": judgments}, {c: c for c in KEYS})
    require_common(rows, judgments, engine)
    return engine.join(rows, judgments.select("query_id").unique(), ("query_id",), "inner"), judgments


def beside(request: FusionRequest, fused: pl.DataFrame, qrels: Any, measures: Measures) -> Evaluation:
    """The runs and the fused one, evaluated on the judged queries."""
    engine = request.engine
    with engine.errors():
        lists = request.lists(engine)
        rows, judgments = _judged_rows(request, lists, lists.rows, qrels)
        runs = engine.collect(rows.select("run_id", *KEYS, score=col("value")))
        of_runs = engine.collect(judgments.select(*KEYS, "relevance"))
    fused = fused.select(pl.col("run_id"), *(pl.col(c).cast(runs.schema[c]) for c in KEYS), "score")
    fused = fused.join(of_runs.select("query_id").unique(), on="query_id", how="semi")
    return Rankings(of_runs, pl.concat([runs, fused])).evaluate(measures)


def _signs(evaluation: Evaluation) -> dict[str, int]:
    """1 for measures of which more is better, −1 for those of which less is."""
    return {str(m): -1 if m.definition.higher_is_better is False else 1 for m in evaluation.measures}


def gain(evaluation: Evaluation, fused: str, runs: list[str]) -> pl.DataFrame:
    """The fused run beside the best of its runs."""
    signs, rows = _signs(evaluation), []
    values = evaluation.summary().select("measure", "run_id", "value")
    for measure, sign in signs.items():
        of_runs = dict(values.filter(measure=measure).select("run_id", "value").iter_rows())
        single = {run: of_runs[run] for run in runs if of_runs.get(run) is not None}
        value = of_runs.get(fused)
        best = max(single, key=lambda run: (sign * single[run], [-ord(c) for c in run]), default=None)
        best_value = None if best is None else single[best]
        difference = None if value is None or best_value is None else sign * (value - best_value)
        mean = sum(single.values()) / len(single) if single else None
        percent = 100.0 * difference / abs(best_value) if difference is not None and best_value else None
        rows.append((measure, value, best, best_value, mean, difference, percent))
    names = ("measure", "value", "best_run", "best_value", "mean_value", "gain", "percent")
    return pl.DataFrame(
        rows, {n: pl.String if n in ("measure", "best_run") else pl.Float64 for n in names}, orient="row"
    )


def leave_one_out(request: FusionRequest, fused: pl.DataFrame, qrels: Any, measures: Measures) -> pl.DataFrame:
    """The values of the fusion without each of its runs."""
    parts = [fused]
    for run in request.names:
        query = request.without(run).query(request.engine)
        with request.engine.errors():
            parts.append(query.collect().with_columns(run_id=pl.lit(f"without {run}")))
    evaluation = beside(request, pl.concat(parts), qrels, measures)
    signs = _signs(evaluation)
    order = {measure: i for i, measure in enumerate(signs)}
    values = evaluation.summary().select("measure", "run_id", "value")
    of_all = values.filter(run_id=request.run_id).select("measure", "value")
    without = values.filter(pl.col("run_id").str.starts_with("without ")).rename({"value": "value_without"})
    sign = pl.col("measure").replace_strict(signs)
    rows = without.join(of_all, on="measure").select(
        "measure",
        "value",
        "value_without",
        left_out=pl.col("run_id").str.strip_prefix("without "),
        contribution=sign * (pl.col("value") - pl.col("value_without")),
    )
    rows = rows.sort(pl.col("measure").replace_strict(order), -pl.col("contribution"), "left_out")
    return rows.select("measure", "left_out", "value", "value_without", "contribution")


def _patterns(request: FusionRequest, qrels: Any, rel: float) -> tuple[list[str], pl.DataFrame]:
    """The runs, and a row per set of runs that have the same documents: in_0, in_1 …, relevant, n."""
    engine = request.engine
    with engine.errors():
        lists = request.lists(engine)
        lists.ranked.check()
        rows, judgments = _judged_rows(request, lists, lists.ranked.rows(), qrels)
        has = {f"in_{i}": when(col("run_id") == name).then(1).otherwise(0) for i, name in enumerate(lists.names)}
        documents = engine.group(rows, KEYS, [Aggregate(name, "max", flag) for name, flag in has.items()])
        relevant = judgments.filter(col("relevance") >= lit(rel)).select(*KEYS).unique().with_columns(relevant=lit(1))
        documents = engine.join(documents, relevant, KEYS, "left").with_columns(relevant=col("relevant").fill_null(0))
        patterns = engine.collect(documents.count_by(*has, "relevant"))
        return lists.names, patterns.cast(pl.Int64)


def overlap(request: FusionRequest, qrels: Any, rel: float) -> pl.DataFrame:
    """The documents that every two runs have in common."""
    names, patterns = _patterns(request, qrels, rel)
    rows, n = [], pl.col("n")
    for i, j in itertools.combinations(range(len(names)), 2):
        counts = []
        for relevant in (1, 0):
            part = patterns.filter(relevant=relevant)
            one, other = pl.col(f"in_{i}"), pl.col(f"in_{j}")
            counts.append(part.select(common=(one * other * n).sum(), both=((one + other) * n).sum()).row(0))
        shares = [2.0 * common / both if both else None for common, both in counts]
        rows.append((names[i], names[j], counts[0][0], counts[1][0], *shares))
    schema = {
        "run_id": pl.String, "other_run_id": pl.String, "n_relevant": pl.Int64, "n_others": pl.Int64,
        "relevant_overlap": pl.Float64, "other_overlap": pl.Float64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema, orient="row")


def contributions(request: FusionRequest, qrels: Any, rel: float) -> pl.DataFrame:
    """The documents that each run has, and has alone."""
    names, patterns = _patterns(request, qrels, rel)
    n, relevant = pl.col("n"), pl.col("relevant")
    several = pl.sum_horizontal(f"in_{i}" for i in range(len(names)))
    rows = []
    for i, name in enumerate(names):
        part = patterns.filter(pl.col(f"in_{i}") == 1)
        alone = part.filter(several == 1)
        rows.append((name, *(f.select(c.sum()).item() for f, c in itertools.product((part, alone), (n, n * relevant)))))
    names_of = ("run_id", "n_documents", "n_relevant", "n_unique", "n_unique_relevant")
    n_relevant = patterns.select((n * relevant).sum()).item()
    out = pl.DataFrame(rows, {c: pl.String if c == "run_id" else pl.Int64 for c in names_of}, orient="row")
    share = pl.col("n_unique_relevant") / n_relevant if n_relevant else pl.lit(None, pl.Float64)
    return out.with_columns(share=share)
