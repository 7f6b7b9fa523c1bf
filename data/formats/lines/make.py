"""Write small files of judgments, runs, queries and documents in lines of fields, and as folders of BEIR and MTEB.

    python -m data.formats.lines.make

The documents and queries are those of the collections beside; the grades, ranks and scores are invented here.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from data.formats.collections.make import DOCUMENTS, QUERIES

# Grades of documents by query, and lists of documents with scores, the best first.
GRADES = {1: {1: 2, 6: 1, 4: 0}, 2: {2: 2, 5: 0}, 3: {3: 2, 1: 0}, 4: {6: 2, 4: 1, 1: 1}}
LISTS = {
    1: [(1, 9.5), (4, 7.25), (6, 7.25), (2, 1.0), (5, 0.5), (3, 0.25)],
    2: [(5, 4.0), (2, 3.5)],
    3: [(3, 8.0), (1, 2.0)],
    4: [(6, 6.0), (1, 5.5), (2, 0.125)],
}
# The stratum of a document, and the probability with which those of a stratum were judged.
STRATA = {1: 1, 6: 1, 2: 1, 3: 1, 4: 2, 5: 2}
RATES = {1: 1.0, 2: 0.5}
TEXTS = {n: text.replace("\n", " ") for n, text in QUERIES}


def judged() -> list[tuple[int, int, int]]:
    return [(q, d, grade) for q, grades in GRADES.items() for d, grade in grades.items()]


def retrieved() -> list[tuple[int, int, int, float]]:
    return [(q, d, rank, score) for q, docs in LISTS.items() for rank, (d, score) in enumerate(docs, 1)]


def lines(rows: Iterable[Iterable[object]], between: str = " ") -> str:
    return "".join(between.join(map(str, row)) + "\n" for row in rows)


def judgments() -> dict[str, str]:
    # In a sample, documents of the second stratum are judged every other time.
    sampled = [(q, d, g if STRATA[d] == 1 or (q + d) % 2 else -1) for q, d, g in judged()]
    return {
        "judgments/trec.txt": lines((q, 0, f"W-{d}", g) for q, d, g in judged()),
        "judgments/three_fields.txt": lines((q, f"W-{d}", g) for q, d, g in judged()),
        "judgments/pairs.txt": lines((q, f"W-{d}") for q, d, g in judged() if g),
        "judgments/ntcir.txt": lines((f"000{q}", f"W-{d}", f"L{g}") for q, d, g in judged()),
        "judgments/subtopics.txt": lines((q, s, f"W-{d}", int(g >= s)) for q, d, g in judged() for s in (1, 2)),
        "judgments/preferences.txt": lines((q, 0, d % 2, f"W-{d}", float(g)) for q, d, g in judged()),
        "judgments/prels.txt": lines(
            (q, f"W-{d}", g, STRATA[d], RATES[STRATA[d]]) for q, d, g in sampled if g >= 0
        ),
        "judgments/sampled.txt": lines((q, 0, f"W-{d}", STRATA[d], g) for q, d, g in sampled),
        "judgments/passages.txt": lines((q, f"W-{d}", 7 * d, 20 + d, g) for q, d, g in judged()),
    }


def runs() -> dict[str, str]:
    return {
        "runs/trec.run": lines((q, "Q0", f"W-{d}", rank, score, "plane") for q, d, rank, score in retrieved()),
        "runs/without_tag.run": lines((q, "Q0", f"W-{d}", rank, score) for q, d, rank, score in retrieved()),
        "runs/three_fields.run": lines((q, f"W-{d}", score) for q, d, _, score in retrieved()),
        "runs/ranks.run": lines((q, "Q0", f"W-{d}", rank, "plane") for q, d, rank, _ in retrieved()),
        "runs/order.run": lines((q, f"W-{d}") for q, d, _, _ in retrieved()),
    }


def msmarco() -> dict[str, str]:
    documents = {n: text.replace("\n", " ") or title for n, title, text in DOCUMENTS}
    return {
        "msmarco/queries.tsv": lines(TEXTS.items(), "\t"),
        "msmarco/collection.tsv": lines(documents.items(), "\t"),
        "msmarco/docs.tsv": lines(((f"D{n}", f"https://x.org/{n}", t, documents[n]) for n, t, _ in DOCUMENTS), "\t"),
        "msmarco/qrels.tsv": lines(((q, 0, d, 1) for q, d, g in judged() if g), "\t"),
        "msmarco/run.tsv": lines(((q, d, rank) for q, d, rank, _ in retrieved()), "\t"),
        "msmarco/top1000.tsv": lines(((q, d, TEXTS[q], documents[d]) for q, d, _, _ in retrieved()), "\t"),
    }


def records() -> tuple[list[dict[str, object]], list[dict[str, object]], pl.DataFrame]:
    """The documents, queries and judgments of BEIR."""
    documents = [{"_id": f"W-{n}", "title": title, "text": text, "metadata": {}} for n, title, text in DOCUMENTS]
    queries = [{"_id": str(n), "text": text, "metadata": {}} for n, text in TEXTS.items()]
    rows = [(str(q), f"W-{d}", g) for q, d, g in judged()]
    return documents, queries, pl.DataFrame(rows, ["query-id", "corpus-id", "score"], orient="row")


def folders() -> dict[str, str | bytes]:
    documents, queries, grades = records()
    as_json = {
        name: "".join(json.dumps(row) + "\n" for row in rows)
        for name, rows in {"corpus": documents, "queries": queries, "qrels": grades.to_dicts()}.items()
    }
    # Data sets of MTEB have grades that are floats.
    tables = {
        "corpus/corpus": pl.DataFrame(documents).drop("metadata"),
        "queries/queries": pl.DataFrame(queries).drop("metadata"),
        "data/test": grades.cast({"score": pl.Float64}),
    }
    return {
        "beir/corpus.jsonl": as_json["corpus"],
        "beir/queries.jsonl": as_json["queries"],
        "beir/qrels/test.tsv": grades.write_csv(separator="\t"),
        "mteb/corpus.jsonl": as_json["corpus"],
        "mteb/queries.jsonl": as_json["queries"],
        "mteb/qrels/test.jsonl": as_json["qrels"],
        **{f"mteb_parquet/{name}-00000-of-00001.parquet": _parquet(table) for name, table in tables.items()},
    }


def _parquet(table: pl.DataFrame) -> bytes:
    packed = io.BytesIO()
    table.write_parquet(packed)
    return packed.getvalue()


def write(folder: Path) -> None:
    """Write all files into a folder."""
    for part in (judgments, runs, msmarco, folders):
        for name, content in part().items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
