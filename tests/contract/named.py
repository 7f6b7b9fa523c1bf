"""A small evaluation of every family, whose columns can be renamed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import duckdb
import polars as pl

import ireval_frames as ir

DICE = random.Random(1)
N = 24
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
GOLD_ANSWERS = pl.DataFrame({"user": ["q1", "q1", "q2", "q3"], "answer": ["a cat", "cats", "dog", None]})
QUERIES = pl.DataFrame(
    {"user": ["q1", "q2", "q3", "q4"], "part": ["g1", "g0", "g1", "g0"], "weight": [1.0, 2.0, 0.5, 3.0]}
)
PREDICTED_ANSWERS = pl.DataFrame(
    {
        "run_id": ["r1"] * 3 + ["r2"] * 3,
        "user": ["q1", "q2", "q3"] * 2,
        "prediction": ["cats", "", None, "the cat", "a dog", "it"],
    }
)
ITEMS = pl.DataFrame(
    {
        "item_id": [f"i{i}" for i in range(N)],
        "label": [DICE.choice("xy") for _ in range(N)],
        "prediction": [DICE.choice("xy") for _ in range(N)],
        "score": [DICE.random() for _ in range(N)],
        "weight": [float(DICE.randint(1, 3)) for _ in range(N)],
        "user": [f"u{i % 3}" for i in range(N)],
        "part": [f"g{i % 2}" for i in range(N)],
        "cluster_id": [DICE.randint(1, 3) for _ in range(N)],
        "first": [DICE.random() for _ in range(N)],
        "second": [DICE.random() for _ in range(N)],
        "relevance": [DICE.randint(0, 2) for _ in range(N)],
    }
)
RELATIONS = ITEMS.select(
    "user",
    "label",
    "part",
    head_start=pl.col("relevance"),
    head_end=pl.col("relevance") + 1,
    head_type=pl.col("prediction"),
    tail_start=pl.col("cluster_id"),
    tail_end=pl.col("cluster_id") + 2,
    tail_type=pl.col("prediction"),
)
MENTIONS = ITEMS.select("user", "cluster_id", "part", start=pl.int_range(N) // 3, end=pl.int_range(N) // 3 + 2)
SEGMENTED = ITEMS.with_columns(user=pl.format("u{}", pl.int_range(N) % 6))
# Some of one to three positions.
SPANS = ITEMS.select("user", "label", "cluster_id", relevance=pl.col("cluster_id") + pl.col("relevance"))
OF_SPANS = ITEMS.select(
    user=pl.Series([f"u{i}" for i in range(4)]), part=pl.col("part").head(4), weight=pl.col("weight").head(4)
)
KEYS = ("part", "user")
Columns = Mapping[str, str]


@dataclass(frozen=True)
class Family:
    """The tables of an evaluation, all of whose columns have a role, and how they are evaluated."""

    tables: dict[str, pl.DataFrame]
    evaluate: Callable[..., Any]

    @property
    def roles(self) -> list[str]:
        """The columns of all tables."""
        return list(dict.fromkeys(c for table in self.tables.values() for c in table.columns))

    def renamed(self, names: Columns) -> dict[str, pl.DataFrame]:
        """The tables with renamed columns."""
        return {
            name: table.rename({k: v for k, v in names.items() if k in table.columns})
            for name, table in self.tables.items()
        }

    def of(self, tables: Mapping[str, Any], names: Columns, **options: Any) -> Any:
        """The evaluation of tables with renamed columns."""
        return self.evaluate(tables, {r: r for r in self.roles} | dict(names), **options)


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


def _answers(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    columns = {"query_id": c["user"], "run_id": c["run_id"], "answer": c["answer"], "prediction": c["prediction"]}
    columns["weight"] = c["weight"]
    subject = ir.Answers(
        t["gold"], t["predicted"], documents=t["documents"], columns=columns, by=c["part"], **options
    )  # fmt: skip
    return subject.evaluate("TokenF1(normalize='none')")


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


def _segmentation(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Segmentation(
        t["segments"],
        doc=c["user"],
        position=c["first"],
        gold=c["label"],
        predicted=c["cluster_id"],
        documents=t["documents"],
        columns={"weight": c["weight"]},
        by=c["part"],
        **options,
    )
    return subject.evaluate("WindowDiff")


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


def _coreference(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Coreference(
        t["gold"],
        t["predicted"],
        doc=c["user"],
        start=c["start"],
        end=c["end"],
        cluster=c["cluster_id"],
        by=c["part"],
        **options,
    )
    return subject.evaluate("B3F")


def _relations(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    columns = {r: c[r] for r in RELATIONS.columns if r not in ("user", "label", "part")}
    subject = ir.Relations(
        t["gold"], t["predicted"], doc=c["user"], label=c["label"], columns=columns, by=c["part"], **options
    )
    return subject.evaluate("F1(average='macro')")


def _spans(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    columns = {"start": c["cluster_id"], "end": c["relevance"], "weight": c["weight"]}
    subject = ir.Spans(
        t["gold"], t["predicted"], documents=t["documents"], doc=c["user"], type=c["label"], columns=columns,
        by=c["part"], offsets="inclusive",
        policy="duplicates=merge", **options,
    )  # fmt: skip
    return subject.evaluate("F1(average='macro')")


def _links(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    columns = {"start": c["head_start"], "end": c["head_end"], "type": c["label"]}
    subject = ir.Links(
        t["gold"], t["predicted"], doc=c["user"], columns=columns, on=["start", "type", c["tail_start"]], by=c["part"],
        **options,
    )  # fmt: skip
    return subject.evaluate("F1(average='macro')")


FAMILIES = {
    "ranking": Family({"qrels": QRELS, "run": RUN}, _ranking),
    "answers": Family({"gold": GOLD_ANSWERS, "predicted": PREDICTED_ANSWERS, "documents": QUERIES}, _answers),
    "labels": Family({"labels": ITEMS.select("item_id", "label", "prediction", "weight", "user", "part")}, _labels),
    "scores": Family({"labels": ITEMS.select("label", "score", "user", "part")}, _scores),
    "two tables": Family(
        {
            "labels": ITEMS.select("item_id", "label", "part"),
            "predictions": ITEMS.select("item_id", "prediction", "part"),
        },
        _tables,
    ),
    "probabilities": Family({"labels": ITEMS.select("item_id", "label", "first", "second", "part")}, _probabilities),
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
    "segmentation": Family(
        {
            "segments": SEGMENTED.select("user", "first", "label", "cluster_id"),
            "documents": SEGMENTED.group_by("user", maintain_order=True).agg(pl.first("part", "weight")),
        },
        _segmentation,
    ),
    "clicks": Family(
        {"impressions": ITEMS.select("item_id", "label", "cluster_id", "relevance", "weight", "user", "part")},
        _clicks,
    ),
    "coreference": Family({"gold": MENTIONS.head(20), "predicted": MENTIONS.tail(16)}, _coreference),
    "spans": Family(
        {
            "gold": SPANS.head(16),
            "predicted": SPANS.tail(16),
            "documents": OF_SPANS,
        },
        _spans,
    ),
    "links": Family(
        {
            side: RELATIONS.select("user", "label", "part", "head_start", "head_end", "tail_start").slice(at, 16)
            for side, at in (("gold", 0), ("predicted", 8))
        },
        _links,
    ),
    "relations": Family({"gold": RELATIONS.head(16), "predicted": RELATIONS.tail(16)}, _relations),
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
