"""How many queries an evaluation asks: one for what its tables must not hold, one for its plan's own, one result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.engines.duckdb.engine import DuckDBEngine
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import DataError

QRELS, RUN = ir.examples.ranking()
N = 60
LABELS = pl.DataFrame(
    {"item_id": range(N), "label": [*"abc"] * 20, "prediction": [*"aabbcc"] * 10, "weight": [1.0, 2.0, 3.0] * 20}
)
CHANCES = LABELS.with_columns(a=0.5, b=0.25, c=0.25)
LONG = CHANCES.select("item_id", "a", "b", "c").unpivot(
    index="item_id", variable_name="label", value_name="probability"
)
SCORES = LABELS.drop("prediction").with_columns(score=pl.int_range(pl.len()), label=pl.int_range(pl.len()) % 2)
CLUSTERS = LABELS.rename({"prediction": "cluster_id"})
GOLD = LABELS.select("item_id", "label", relevance=pl.int_range(pl.len()) % 3)
SYSTEM = CLUSTERS.select("item_id", "cluster_id", score=pl.int_range(pl.len()) * 1.0)
RUNS = pl.concat(
    [RUN.with_columns(run_id=pl.lit(run), score=pl.col("score") * by) for run, by in (("a", 1), ("b", -1))]
)
POINTS = CLUSTERS.with_columns(x=pl.int_range(pl.len()) % 7 * 1.0, y=pl.int_range(pl.len()) % 5 * 1.0)
VECTORS = POINTS.select("item_id", "cluster_id", v=pl.concat_list("x", "y"))
STRICT = "missing=error,unknown=error"
# Evaluations, and how many queries they ask at most on both engines; DuckDB has two more for a run's rows.
REQUESTED: dict[str, tuple[Callable[[str], Any], int]] = {
    "rankings": (lambda e: ir.evaluate(QRELS, RUN, "AP nDCG", engine=e), 2),
    "rankings by policy": (lambda e: ir.evaluate(QRELS, RUN, "AP", policy=STRICT, engine=e), 3),
    "rankings in groups": (lambda e: ir.evaluate(QRELS.with_columns(g=1), RUN, "AP", by="g", engine=e), 2),
    "ids of two types": (
        lambda e: ir.evaluate(QRELS.with_columns(query_id=1), RUN.with_columns(query_id=pl.lit("1")), "AP", engine=e),
        3,
    ),
    "labels": (lambda e: ir.Labels(LABELS, engine=e).evaluate("F1(average='macro') MCC"), 2),
    "labels by policy": (
        lambda e: ir.Labels(LABELS, policy="unlabelled=error", engine=e).evaluate("F1(average='macro')"),
        2,
    ),
    "labels in two tables": (
        lambda e: ir.Labels(
            LABELS.drop("prediction"), LABELS.drop("label", "weight"), policy="missing=error", engine=e
        ).evaluate("F1(average='macro')"),
        2,
    ),
    "scores": (lambda e: ir.Labels(SCORES, engine=e).evaluate("ROCAUC KS"), 3),
    "probabilities": (
        lambda e: ir.Labels(CHANCES, probabilities=["a", "b", "c"], engine=e).evaluate("HandTill LogLoss"),
        3,
    ),
    "a table of probabilities": (
        lambda e: ir.Labels(LABELS, probabilities=LONG, engine=e).evaluate("HandTill LogLoss"),
        3,
    ),
    "clusters": (lambda e: ir.Clusters(CLUSTERS, item="item_id", engine=e).evaluate("Purity AMI"), 3),
    "clusters in two tables": (
        lambda e: ir.Clusters(
            CLUSTERS.drop("cluster_id"), CLUSTERS.drop("label", "weight"), policy="missing=error", engine=e
        ).evaluate("Purity AMI"),
        3,
    ),
    "overlapping clusters": (
        lambda e: ir.Clusters(CLUSTERS, overlapping=True, policy="missing=error,unlabelled=error", engine=e).evaluate(
            "BCubedF"
        ),
        2,
    ),
    "points": (lambda e: ir.Points(POINTS, ["x", "y"], policy="missing=error", engine=e).evaluate("SSE RSquared"), 2),
    "points of which pairs are counted": (lambda e: ir.Points(POINTS, ["x", "y"], engine=e).evaluate("Silhouette"), 4),
    "organization": (lambda e: ir.Organization(GOLD, SYSTEM, policy="missing=error", engine=e).evaluate("RS"), 2),
    "overlapping organization": (
        lambda e: ir.Organization(GOLD, SYSTEM, overlapping=True, policy="missing=error", engine=e).evaluate("RS"),
        2,
    ),
    # On Polars the pairs are looked at first, which tell whether they are compared in parts.
    "similarity of ranking": (lambda e: ir.Similarity(RUNS, engine=e).evaluate("Tau RBO"), 3),
    "similarity of ranking by policy": (
        lambda e: ir.Similarity(RUNS, policy="items=same,missing=error", engine=e).evaluate("Tau RBO"),
        4,
    ),
    # The first vector tells how many dimensions there are.
    "vectors": (lambda e: ir.Points(VECTORS, "v", engine=e).evaluate("SSE"), 3),
}


class Queries:
    """What was asked of the engines: the number of rows of each answer."""

    def __init__(self) -> None:
        self.rows: list[int] = []


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> Iterator[Queries]:
    seen = Queries()

    def counting(kind: type, name: str) -> None:
        plainly = getattr(kind, name)

        def requested(self: Any, frame: Any) -> Any:
            seen.rows.append(0)
            at, answer = len(seen.rows) - 1, plainly(self, frame)
            if len(seen.rows) > at + 1:  # asked by way of the other method
                seen.rows.pop()
            # Of a run's rows DuckDB gives one hash each, in which duplicates are looked for.
            is_frame = isinstance(answer, pl.DataFrame) and answer.columns != ["_hash"]
            seen.rows[at] = answer.height if is_frame else 1
            return answer

        monkeypatch.setattr(kind, name, requested)

    for kind, names in ((PolarsEngine, ("collect",)), (DuckDBEngine, ("collect", "numbers"))):
        for name in names:
            counting(kind, name)
    return seen


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("case", REQUESTED)
def test_number_of_queries(case: str, engine: str, queries: Queries) -> None:
    make, most = REQUESTED[case]
    evaluation = make(engine)
    evaluation.summary()
    of_runs = 2 if engine == "duckdb" and ("ranking" in case or "ids" in case) else 0
    assert len(queries.rows) <= most + of_runs, queries.rows
    # What was looked at once is not looked at again.
    queries.rows.clear()
    evaluation.per_unit()
    assert len(queries.rows) <= 1


def same(frame: pl.DataFrame, **columns: Any) -> pl.DataFrame:
    return frame.with_columns(**{name: pl.lit(value).cast(frame.schema[name]) for name, value in columns.items()})


# Tables of which every row is wrong: what is fetched of them.
WRONG: dict[str, Callable[[str], Any]] = {
    "judgments": lambda e: ir.evaluate(pl.concat([QRELS] * 20), RUN, "AP", engine=e),
    "grades": lambda e: ir.evaluate(
        pl.concat([QRELS] * 20).with_columns(relevance=float("nan")), RUN, "AP", engine=e
    ),
    "unknown queries": lambda e: ir.evaluate(
        QRELS, pl.DataFrame({"query_id": [f"q{i}" for i in range(N)], "doc_id": "d", "score": 1.0}), "AP",
        policy="unknown=error", engine=e,
    ),
    "missing queries": lambda e: ir.evaluate(
        pl.DataFrame({"query_id": [f"q{i}" for i in range(N)], "doc_id": "d", "relevance": 1}), RUN, "AP",
        policy="missing=error,unknown=skip", engine=e,
    ),
    "groups": lambda e: ir.evaluate(
        pl.DataFrame({"query_id": [f"q{i % 30}" for i in range(N)], "doc_id": [f"d{i}" for i in range(N)],
                      "relevance": 1, "g": [i // 30 for i in range(N)]}), RUN, "AP", by="g", engine=e,
    ),
    "weights": lambda e: ir.Labels(same(LABELS, weight=-1.0), engine=e).evaluate("MCC"),
    "no labels": lambda e: ir.Labels(same(LABELS, label=None), policy="unlabelled=error", engine=e).evaluate("MCC"),
    "items twice": lambda e: ir.Labels(pl.concat([CHANCES] * 2), probabilities=["a", "b"], engine=e).evaluate("LRAP"),
    "large scores": lambda e: ir.Labels(SCORES.with_columns(pl.col("score") + 2**60), engine=e).evaluate("ROCAUC"),
    "two tables": lambda e: ir.Labels(
        LABELS.drop("prediction"), LABELS.drop("label").with_columns(pl.col("item_id") + N), policy="missing=error",
        engine=e,
    ).evaluate("SubsetAccuracy"),
    "clusters": lambda e: ir.Clusters(
        same(CLUSTERS, cluster_id=None), policy="missing=error", engine=e
    ).evaluate("Rand"),
    "clusters twice": lambda e: ir.Clusters(pl.concat([CLUSTERS] * 2), item="item_id", engine=e).evaluate("Rand"),
    "fractions": lambda e: ir.Clusters(same(CLUSTERS, weight=0.5), engine=e).evaluate("Rand"),
    "features": lambda e: ir.Points(same(POINTS, x=float("nan")), ["x", "y"], engine=e).evaluate("SSE"),
    "large features": lambda e: ir.Points(POINTS.with_columns(pl.col("x") * 1e90), ["x", "y"], unit="item_id",
                                          item="label", engine=e).evaluate("SSE"),
    "documents twice": lambda e: ir.Organization(pl.concat([GOLD] * 2), SYSTEM, engine=e).evaluate("RS"),
    "scores of documents": lambda e: ir.Organization(GOLD, same(SYSTEM, score=float("nan")), engine=e).evaluate("RS"),
    "large grades": lambda e: ir.Organization(
        GOLD.with_columns(pl.col("relevance") + 2**60), SYSTEM, engine=e
    ).evaluate("RS"),
    "one side of documents": lambda e: ir.Organization(
        GOLD, SYSTEM.with_columns(pl.col("item_id") + N), policy="missing=error", engine=e
    ).evaluate("RS"),
    "items of rankings": lambda e: ir.Similarity(pl.concat([RUNS] * 20), engine=e).evaluate("Tau"),
    "other items": lambda e: ir.Similarity(
        RUNS.with_columns(doc_id=pl.col("run_id") + pl.col("doc_id")), policy="items=same", engine=e
    ).evaluate("Tau"),
    "rankings without the query": lambda e: ir.Similarity(
        pl.DataFrame({"run_id": [f"r{i}" for i in range(N)], "query_id": [f"q{i}" for i in range(N)], "doc_id": "d",
                      "score": 1.0}), policy="missing=error", engine=e,
    ).evaluate("Tau"),
    "weights of points": lambda e: ir.Points(same(POINTS, weight=1e200), ["x", "y"], engine=e).evaluate("SSE"),
}  # fmt: skip


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("case", WRONG)
def test_at_most_ten_rows_are_fetched(case: str, engine: str, queries: Queries) -> None:
    evaluation = WRONG[case](engine)
    with pytest.raises(DataError):
        evaluation.summary()
    assert max(queries.rows) <= 10
    # The tables, a run's rows, the plan, and what is wrong.
    assert len(queries.rows) <= 6
