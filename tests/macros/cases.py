"""Small tables with what is hard: ties, missing and unjudged documents, empty judgments, weights, several units."""

from __future__ import annotations

import random

import polars as pl


def rankings() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments and two runs: tied scores, a query that a run lacks, one without relevant documents, pooled ones."""
    draw = random.Random(7)
    qrels = [
        (f"q{q}", f"d{d}", draw.choice([-1, 0, 0, 1, 2, 3]) if q else 0)
        for q in range(7)
        for d in range(0, 20, 1 + q % 3)
    ]
    run = [
        (name, f"q{q}", f"d{d}", float(draw.randrange(6)))
        for name in ("bm25", "lsa")
        for q in range(8)
        if (name, q) != ("lsa", 3)
        for d in draw.sample(range(24), 15)
    ]
    return (
        pl.DataFrame(qrels, ["query_id", "doc_id", "relevance"], orient="row"),
        pl.DataFrame(run, ["run_id", "query_id", "doc_id", "score"], orient="row"),
    )


def by_subtopic() -> pl.DataFrame:
    """The same judgments, some of them by two subtopics of unlike weight."""
    draw, (qrels, _) = random.Random(3), rankings()
    rows = [
        (q, topic, d, draw.choice([0, 1, 2]) if topic == "s2" else r, {"s1": 0.25, "s2": 0.75}[topic])
        for q, d, r in qrels.iter_rows()
        for topic in draw.sample(["s1", "s2"], draw.choice([1, 2]))
    ]
    return pl.DataFrame(rows, ["query_id", "subtopic_id", "doc_id", "relevance", "subtopic_weight"], orient="row")


def sampled() -> pl.DataFrame:
    """The same judgments as those of a sample: a stratum, a method and an inclusion probability of each document."""
    draw, (qrels, _) = random.Random(5), rankings()
    rows = [(*row, draw.choice("ab"), draw.choice("0112"), draw.choice([1.0, 0.5, 0.2])) for row in qrels.iter_rows()]
    return pl.DataFrame(rows, [*qrels.columns, "stratum", "method", "iprob"], orient="row")


def click_model() -> pl.DataFrame:
    """Parameters of most of the documents of the runs, and of positions."""
    draw, (_, run) = random.Random(9), rankings()
    rows: list[tuple[str, str | None, str | None, int | None, int | None, float, float]] = []
    for query, doc in run.select("query_id", "doc_id").unique().sort("query_id", "doc_id").rows():
        if draw.random() < 0.8:
            rows += [(name, query, doc, None, None, draw.random(), 9.0) for name in ("attraction", "satisfaction")]
    for position in range(1, 9):
        rows += [(name, None, None, position, None, draw.random(), 9.0) for name in ("continuation", "examination")]
        rows += [("examination", None, None, position, last, draw.random(), 9.0) for last in range(position)]
    rows.append(("continuation", None, None, None, None, 0.8, 9.0))
    columns = ["parameter", "query_id", "doc_id", "position", "last_click", "value", "n"]
    return pl.DataFrame(rows, columns, orient="row", infer_schema_length=None)


def items(labels: list[str]) -> pl.DataFrame:
    """Items of two systems in two units, of these classes, with weights, scores and clusters."""
    draw = random.Random(11)
    rows = [
        {
            "run_id": name,
            "unit_id": unit,
            "label": draw.choice(labels),
            "prediction": draw.choice(labels),
            "cluster_id": draw.choice("xyz"),
            "score": draw.choice([0.1, 0.25, 0.25, 0.5, 0.7, 0.9]),
            "weight": float(draw.choice([1, 1, 2, 3])),
        }
        for name in ("one", "two")
        for unit in ("a", "b")
        for _ in range(25)
    ]
    # A class that one side lacks, and an item without a label.
    return pl.DataFrame(rows).with_columns(label=pl.when(pl.int_range(pl.len()) != 3).then("label"))


def probabilities() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Items in two units with a class each, and what two systems give the classes; many are equal."""
    draw = random.Random(5)
    labels = [(f"i{i}", "ab"[i % 2], draw.choice("xyz"), float(draw.choice([1, 2]))) for i in range(30)]
    chances = [
        (name, item, c, draw.choice([0.1, 0.2, 0.3, 0.5]))
        for name in ("one", "two")
        for item, *_ in labels
        for c in "wxyz"
    ]
    return (
        pl.DataFrame(labels, ["item_id", "unit_id", "label", "weight"], orient="row"),
        pl.DataFrame(chances, ["run_id", "item_id", "label", "probability"], orient="row"),
    )


HIERARCHY = {"1": "odd", "3": "odd", "2": "even", "4": "even", "odd": "number", "even": "number"}


def organized() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Documents of two topics with grades and classes, ranked and clustered by two systems."""
    draw = random.Random(2)
    documents = [(f"q{q}", f"d{d}") for q in range(2) for d in range(8)]
    gold = [(*one, draw.choice([0, 1, 2]), draw.choice("ab")) for one in documents]
    system = [
        (name, *one, float(draw.randrange(4)), draw.choice("xyz")) for name in ("one", "two") for one in documents
    ]
    return (
        pl.DataFrame(gold, ["query_id", "item_id", "relevance", "label"], orient="row"),
        pl.DataFrame(system, ["run_id", "query_id", "item_id", "score", "cluster_id"], orient="row"),
    )
