"""The files that the examples of commands about texts name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl

import ireval_frames as ir


def _coreference(folder: Path) -> None:
    for name, mentions in zip(("gold", "predicted"), ir.examples.coreference(), strict=True):
        mentions.with_columns(genre=pl.lit("news")).write_csv(folder / f"{name}.csv")
        lines = ["#begin document (d1); part 000", "Ada (1", "Lovelace 1)", "wrote -", "it (2)", "#end document"]
        (folder / f"{name}.conll").write_text("\n".join(lines), "utf-8")


def _answers(folder: Path) -> None:
    gold, predicted = ir.examples.answers()
    gold.write_ndjson(folder / "gold.jsonl")
    gold.explode("answer", empty_as_null=True).with_columns(type=pl.lit("fact")).write_csv(folder / "gold.csv")
    predicted.write_csv(folder / "predicted.csv")


def _nuggets(folder: Path) -> None:
    nuggets, assignments, answers = ir.examples.nuggets()
    nuggets.write_csv(folder / "nuggets.csv")
    assignments.with_columns(run_id=pl.lit("mine")).write_csv(folder / "assignments.csv")
    answers.with_columns(run_id=pl.lit("mine")).write_csv(folder / "answers.csv")
    pl.concat(assignments.with_columns(assessor=pl.lit(j)) for j in "ab").write_csv(folder / "judged.csv")
    assignments.with_columns(doc_id=pl.lit("d1")).write_csv(folder / "passages.csv")
    labelled = nuggets.join(assignments, on=["query_id", "nugget_id"], maintain_order="left")
    nugget = pl.struct(text=pl.format("fact {}", "nugget_id"), importance="importance", assignment="label")
    records = labelled.group_by(qid="query_id", maintain_order=True).agg(nuggets=nugget)
    records.with_columns(run_id=pl.lit("mine")).write_ndjson(folder / "run.jsonl")


def _citations(folder: Path) -> None:
    sentences, citations, support = ir.examples.citations()
    for name, frame in {"sentences": sentences, "citations": citations, "support": support}.items():
        frame.with_columns(pl.lit("rag").alias("run_id")).write_csv(folder / f"{name}.csv")
    records = []
    for (query,), rows in sentences.group_by("query_id", maintain_order=True):
        cited = citations.filter(query_id=query).group_by("sentence_id").agg(pl.col("doc_id").sort_by("rank"))
        cites = dict(cited.iter_rows())
        answer = [{"text": f"Sentence {i}.", "citations": cites.get(i, [])} for i in rows["sentence_id"]]
        records.append({"run_id": "rag", "topic_id": query, "references": ["d1", "d2", "d3"], "answer": answer})
    (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, records)), "utf-8")


def _segmentation(folder: Path) -> None:
    segments = ir.examples.segments()
    segments.write_csv(folder / "talks.csv")
    segments.rename({"gold_segment": "topic", "segment": "detected"}).write_parquet(folder / "talks.parquet")
    for name, boundaries in {"gold": [3, 6], "predicted": [3, 5, 6]}.items():
        pl.DataFrame({"doc_id": "d", "position": boundaries}).write_csv(folder / f"{name}.csv")
    pl.DataFrame({"doc_id": "d", "length": 8, "genre": "talk"}).write_csv(folder / "documents.csv")
    of_coders = (segments.select("doc_id", "position", coder=pl.lit(c), segment=c) for c in segments.columns[2:])
    pl.concat(of_coders).write_csv(folder / "annotated.csv")


def _spans(folder: Path) -> None:
    for name, frame in zip(("gold", "predicted"), ir.examples.spans(), strict=True):
        frame.write_csv(folder / f"{name}.csv")
        frame.write_ndjson(folder / f"{name}.jsonl")
    pl.DataFrame({"doc_id": ["a", "b"], "genre": ["news", "mail"]}).write_csv(folder / "documents.csv")
    (folder / "tokens.conll").write_text("Ada NNP B B-PER B-PER\nof IN O O O\nLondon NNP B B-LOC B-PER\n", "utf-8")


def _relations(folder: Path) -> None:
    examples = {("gold", "predicted"): ir.examples.relations(), ("events", "predicted_events"): ir.examples.events()}
    for names, sides in examples.items():
        for name, frame in zip(names, sides, strict=True):
            frame.write_csv(folder / f"{name}.csv")
    pl.DataFrame({"doc_id": ["d1", "d2"], "genre": ["news", "mail"]}).write_csv(folder / "documents.csv")


def _links(folder: Path) -> None:
    examples = {("gold", "predicted"): ir.examples.links(), ("slots", "answers"): ir.examples.slots()}
    for names, sides in examples.items():
        for name, frame in zip(names, sides, strict=True):
            frame.write_csv(folder / f"{name}.csv")
    pl.DataFrame({"doc_id": ["d1", "d2"], "genre": ["news", "mail"]}).write_csv(folder / "documents.csv")


def _recommended(folder: Path) -> None:
    tables = ir.examples.recommendations()
    recs, other = (tables["recs"].with_columns(rank=sign * pl.col("rank")) for sign in (1, -1))
    recs = pl.concat([recs.with_columns(run_id=pl.lit("own")), other.with_columns(run_id=pl.lit("popular"))])
    tables |= {"recs": recs, "test": tables["relevant"], "items": tables["catalogue"], "genres": tables["features"]}
    for name, table in tables.items():
        table.write_csv(folder / f"{name}.csv")
    pl.DataFrame({"user_id": ["u1", "u2", "u3", "u4"], "age": ["old", "old", "new", "new"]}).write_csv(
        folder / "users.csv"
    )


def _exposed(folder: Path) -> None:
    """Four queries of two countries with the same lists."""
    tables, queries = ir.examples.exposure(), pl.DataFrame({"query_id": ["q1", "q2", "q3", "q4"]})
    run, relevant = (queries.join(tables[name].drop("query_id"), how="cross") for name in ("run", "relevant"))
    lines = [f"{q} Q0 {doc} {rank} {10 - rank} bm25" for q, doc, rank in run.rows()]
    (folder / "bm25.run").write_text("\n".join([*lines, ""]), "utf-8")
    (folder / "qrels.txt").write_text("\n".join([*(f"{q} 0 {d} {r}" for q, d, r in relevant.rows()), ""]), "utf-8")
    tables["groups"].write_csv(folder / "groups.csv")
    tables["target"].write_csv(folder / "target.csv")
    queries.with_columns(country=pl.Series([*"aabb"])).write_csv(folder / "queries.csv")
    samples = pl.concat([run.with_columns(sample=n, rank=n * pl.col("rank")) for n in (1, -1)])
    samples.write_csv(folder / "samples.csv")


OF_TEXTS: Mapping[str, Callable[[Path], None]] = {
    "answers": _answers,
    "citations": _citations,
    "coreference": _coreference,
    "exposure": _exposed,
    "links": _links,
    "recommendations": _recommended,
    "nuggets": _nuggets,
    "relations": _relations,
    "segmentation": _segmentation,
    "spans": _spans,
}
