"""Families of documents and of answers whose tables have a name in every role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

import ireval_frames as ir
from tests.contract.kit.named import ITEMS, Columns, Family, N

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
NUGGETS = pl.DataFrame(
    {
        "user": ["q1", "q1", "q2", "q3"],
        "item_id": ["a", "b", "a", "c"],
        "label": ["vital", "okay", "vital", "vital"],
    }
)
ASSIGNMENTS = pl.DataFrame(
    {
        "run_id": ["r1"] * 3 + ["r2"] * 3,
        "user": ["q1", "q1", "q2", "q1", "q2", "q3"],
        "item_id": ["a", "b", "a", "b", "a", "c"],
        "prediction": ["support", "support", "not_support", "partial_support", "support", "partial_support"],
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

LISTS = ITEMS.select(
    "user", "part", "score", run_id=pl.Series([f"r{i % 2}" for i in range(N)]), item_id=pl.int_range(N) // 3 % 4,
    first=pl.int_range(N) // 12,
).with_columns(item_id=pl.format("d{}", "item_id"), first=pl.format("s{}", "first"))  # fmt: skip
LISTS = LISTS.with_columns(part=pl.format("g{}", pl.col("user").str.slice(1))).unique(
    ["run_id", "user", "part", "first", "item_id"], keep="first", maintain_order=True
)
GROUPS = pl.DataFrame(
    {"item_id": ["d0", "d1", "d2", "d3", "d3"], "label": [*"xyxxy"], "weight": [1.0, 1.0, 1.0, 0.5, 0.5]}
)
GRADES = pl.DataFrame(
    [(f"u{u}", f"d{d}", (u + d) % 3) for u in range(3) for d in range(4)],
    schema=["user", "item_id", "relevance"],
    orient="row",
)


def _answers(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    columns = {"query_id": c["user"], "run_id": c["run_id"], "answer": c["answer"], "prediction": c["prediction"]}
    columns["weight"] = c["weight"]
    subject = ir.Answers(
        t["gold"], t["predicted"], documents=t["documents"], columns=columns, by=c["part"], **options
    )  # fmt: skip
    return subject.evaluate("TokenF1(normalize='none')")


SENTENCES = pl.DataFrame({"run_id": ["r1"] * 4, "user": ["q1", "q1", "q2", "q2"], "item_id": [*"abab"]})
CITED = SENTENCES.with_columns(doc=pl.Series([*"xyxz"]), first=pl.Series([1, 1, 1, 1]))


def _citations(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.Citations(
        t["sentences"], t["citations"], t["support"], queries=t["queries"], query=c["user"], sentence=c["item_id"],
        doc=c["doc"], rank=c["first"], label=c["label"], columns={"run_id": c["run_id"]}, by=c["part"], **options,
    )  # fmt: skip
    return subject.evaluate("CitationF(first=1)")


def _verdicts(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    subject = ir.verdicts.Verdicts(
        t["verdicts"], query=c["user"], rank=c["first"], verdict=c["label"], columns={"run_id": c["run_id"]},
        by=c["part"], **options,
    )  # fmt: skip
    return subject.evaluate("ContextPrecision")


def _nuggets(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    names = {"query": "user", "nugget": "item_id", "importance": "label", "run": "run_id", "label": "prediction"}
    subject = ir.Nuggets(
        t["nuggets"], t["assignments"], documents=t["documents"], columns={"weight": c["weight"]},
        **{k: c[v] for k, v in names.items()}, by=c["part"], **options
    )  # fmt: skip
    return subject.evaluate("NuggetRecall(level='weighted')")


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


def _exposure(t: Mapping[str, Any], c: Columns, **options: Any) -> Any:
    names = {"query_id": "user", "sample": "first", "doc_id": "item_id", "group": "label", "share": "weight"}
    columns = {ours: c[role] for ours, role in names.items()} | {k: c[k] for k in ("run_id", "score", "relevance")}
    subject = ir.FairExposure(
        t["run"], t["groups"], relevant=t["relevant"], samples=c["first"], columns=columns, by=c["part"], **options
    )
    return subject.evaluate("TreatmentRatio EEL")


FAMILIES = {
    "exposure": Family({"groups": GROUPS, "relevant": GRADES, "run": LISTS}, _exposure),
    "answers": Family({"gold": GOLD_ANSWERS, "predicted": PREDICTED_ANSWERS, "documents": QUERIES}, _answers),
    "citations": Family(
        {
            "sentences": SENTENCES,
            "citations": CITED,
            "support": CITED.drop("first").with_columns(label=pl.Series([2, 0, 1, 2])),
            "queries": QUERIES.select("user", "part"),
        },
        _citations,
    ),
    "verdicts": Family(
        {
            "verdicts": CITED.with_columns(
                label=pl.Series([1, 0, 1, 1]), part=pl.lit("g1"), first=pl.Series([1, 2, 2, 1])
            ).drop("item_id", "doc")
        },
        _verdicts,
    ),
    "nuggets": Family({"nuggets": NUGGETS, "assignments": ASSIGNMENTS, "documents": QUERIES}, _nuggets),
    "segmentation": Family(
        {
            "segments": SEGMENTED.select("user", "first", "label", "cluster_id"),
            "documents": SEGMENTED.group_by("user", maintain_order=True).agg(pl.first("part", "weight")),
        },
        _segmentation,
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
