"""A small evaluation of every family, whose columns can be renamed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb
import polars as pl

import ireval_frames as ir
from tests.contract.kit.named import DICE, ITEMS, Columns, Family
from tests.contract.named_documents import FAMILIES as OF_DOCUMENTS

DOCUMENTS = [f"d{i}" for i in range(8)]
QRELS = pl.DataFrame(
    [
        {"query_id": f"q{q}", "doc_id": d, "relevance": DICE.randint(0, 2), "part": f"g{q % 2}"}
        for q in range(4)
        for d in DOCUMENTS[:6]
    ]
)
RUN = pl.DataFrame(
    [
        {"query_id": f"q{q}", "doc_id": d, "score": DICE.random(), "run_id": run}
        for run in "ab"
        for q in range(4)
        for d in DOCUMENTS[2:]
    ]
)
KEYS = ("part", "user")


def _ranking(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    columns = {k: c[k] for k in ("query_id", "doc_id", "relevance", "score", "run_id")}
    return ir.Rankings(t["qrels"], t["run"], columns=columns, by=c["part"], **options).evaluate("nDCG@5")


def _labels(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Labels(
        t["labels"],
        item=c["item_id"],
        label=c["label"],
        prediction=c["prediction"],
        weight=c["weight"],
        unit=c["user"],
        by=c["part"],
        **options,
    )
    return subject.evaluate("F1(average='macro')")


def _scores(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Labels(
        t["labels"], label=c["label"], score=c["score"], unit=c["user"], by=c["part"], positive="x", **options
    )
    return subject.evaluate("ROCAUC")


def _tables(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Labels(
        t["labels"],
        t["predictions"],
        item=c["item_id"],
        label=c["label"],
        prediction=c["prediction"],
        by=c["part"],
        **options,
    )
    return subject.evaluate("F1(average='macro')")


def _probabilities(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Labels(
        t["labels"],
        item=c["item_id"],
        label=c["label"],
        probabilities={"x": c["first"], "y": c["second"]},
        by=c["part"],
        **options,
    )
    return subject.evaluate("LogLoss")


def _clusters(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Clusters(
        t["clusters"],
        item=c["item_id"],
        label=c["label"],
        cluster=c["cluster_id"],
        weight=c["weight"],
        unit=c["user"],
        by=c["part"],
        **options,
    )
    return subject.evaluate("Purity")


def _points(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Points(
        t["points"], [c["first"], c["second"]], cluster=c["cluster_id"], item=c["item_id"], by=c["part"], **options
    )
    return subject.evaluate("SSE")


def _organization(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Organization(
        t["gold"],
        t["system"],
        item=c["item_id"],
        label=c["label"],
        cluster=c["cluster_id"],
        relevance=c["relevance"],
        score=c["score"],
        **options,
    )
    return subject.evaluate("Reliability")


def _ratings(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Ratings(
        t["ratings"],
        item=c["item_id"],
        rater=c["user"],
        rating=c["label"],
        weight=c["weight"],
        unit=c["part"],
        policy="duplicates=trust",
        **options,
    )
    return subject.evaluate("CongerKappa")


def _similarity(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    columns = {k: c[k] for k in ("query_id", "doc_id", "score", "run_id")}
    return ir.Similarity(t["runs"], columns=columns, **options).evaluate("Tau")


def _clicks(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Impressions(
        t["impressions"],
        serp=c["item_id"],
        doc=c["label"],
        position=c["cluster_id"],
        click=c["relevance"],
        weight=c["weight"],
        unit=c["user"],
        by=c["part"],
        **options,
    )
    return subject.evaluate("MRRFirstClick")


def _timings(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Timings(
        t["timings"],
        query=c["item_id"],
        seconds=c["score"],
        started=c["first"],
        cost=c["second"],
        weight=c["weight"],
        unit=c["user"],
        by=c["part"],
        **options,
    )
    return subject.evaluate("Latency(p=90) Throughput Cost")


FAMILIES = {
    **OF_DOCUMENTS,
    "ranking": Family({"qrels": QRELS, "run": RUN}, _ranking),
    "labels": Family({"labels": ITEMS.select("item_id", "label", "prediction", "weight", "user", "part")}, _labels),
    "scores": Family({"labels": ITEMS.select("label", "score", "user", "part")}, _scores),
    "two tables": Family(
        {
            "labels": ITEMS.select("item_id", "label", "part"),
            "predictions": ITEMS.select("item_id", "prediction", "part"),
        },
        _tables,
    ),
    "probabilities": Family(
        {"labels": ITEMS.select("item_id", "label", "first", second=1 - pl.col("first"), part="part")}, _probabilities
    ),
    "clusters": Family(
        {"clusters": ITEMS.select("item_id", "label", "cluster_id", "weight", "user", "part")}, _clusters
    ),
    "points": Family({"points": ITEMS.select("item_id", "first", "second", "cluster_id", "part")}, _points),
    "organization": Family(
        {
            "gold": ITEMS.select("item_id", "label", "relevance"),
            "system": ITEMS.select("item_id", "cluster_id", "score"),
        },
        _organization,
    ),
    "ratings": Family({"ratings": ITEMS.select("item_id", "label", "user", "part", "weight")}, _ratings),
    "similarity": Family({"runs": RUN}, _similarity),
    "timings": Family(
        {"timings": ITEMS.select("item_id", "score", "first", "second", "weight", "user", "part")}, _timings
    ),
    "clicks": Family(
        {"impressions": ITEMS.select("item_id", "label", "cluster_id", "relevance", "weight", "user", "part")},
        _clicks,
    ),
}
# Other evaluations of labels.
OF_LABELS = ("scores", "two tables", "probabilities")
# Names with a meaning in SQL, and names that plans and results use.
SQL_NAMES = [
    *('q"q', '"', 'q""q', "q'q", "a.b", "a, b", "a  b", "line\nend", "tab\tin", " ", "__duckdb_s0", '"__duckdb_s0"'),
    *(' AS "unnamed_relation_1a"', "rowid", "--", "/*", ";", "\\", "a ) b", "( SELECT", "FROM t", "NULL", "select"),
]
INTERNAL_NAMES = [
    *("n", "N", "rank", "m0", "M1", "by_0", "BY_0", "unit_0", "_rows", "_row", "key", "grade", "place", "l"),
    *("r", "h", "frame", "unit_id", "item", "yes", "literal", "weight_1", "x0", "X0", "class_id_1", "^a"),
]


def relations(frames: Mapping[str, pl.DataFrame], con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """The frames as relations of a connection."""
    return {name: con.from_arrow(frame.to_arrow()) for name, frame in frames.items()}


def normalized(frame: pl.DataFrame, names: Columns) -> pl.DataFrame:
    """A result with the original names, rounded and sorted."""
    back = {names[k]: k for k in KEYS if k in names}
    return frame.rename(back, strict=False).with_columns(pl.selectors.float().round(9)).sort(pl.all())
