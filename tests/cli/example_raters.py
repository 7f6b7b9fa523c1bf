"""The files that the examples of `ireval ratings` and `ireval battles` name."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

import ireval_frames as ir

ANSWERS = ["bad", "fair", "good"]


def answers(folder: Path) -> None:
    half = pl.col("item_id").str.slice(1).cast(pl.Int64) % 2
    ratings = ir.examples.ratings().with_columns(query_id=pl.concat_str(pl.lit("q"), half))
    ratings.write_csv(folder / "answers.csv")
    pl.DataFrame({"item_id": ["u01", "u02"], "label": [5, 1]}).write_csv(folder / "known.csv")
    ir.examples.ratings().filter(pl.col("rater_id").is_in(["a", "b"])).write_parquet(folder / "answers.parquet")
    rows = [(i, *(ANSWERS[(i * j + i // 3) % 3] for j in (1, 1, 4))) for i in range(12)]
    pl.DataFrame(rows, ["item_id", "ann", "bob", "cleo"], orient="row").write_csv(folder / "wide.csv")
    answers = [(f"h{i}", f"a{i}{w}", w, (i + (w == "W3")) % 2) for i in range(6) for w in ("W1", "W2", "W3")]
    batch = pl.DataFrame(answers, ["HITId", "AssignmentId", "WorkerId", "Answer.relevance"], orient="row")
    batch.write_csv(folder / "batch.csv")


def battles(folder: Path) -> None:
    """Battles in the layouts of several arenas, and samples of two models."""
    rows = []
    for i in range(90):
        a, b = "xyz"[i % 3], "yzx"[i % 3]
        decided = "model_a" if i * 37 % 100 < {"x": 75, "y": 50, "z": 30}[a] else "model_b"
        meta = {"sum_assistant_a_tokens": 50 + 13 * i % 70, "sum_assistant_b_tokens": 40 + 7 * i % 90}
        meta |= {"header_count_a": {"h1": i % 4}, "header_count_b": {"h1": i % 3}}
        winner = {0: "tie", 1: "tie (bothbad)"}.get(i % 11, decided)
        rows.append({"model_a": a, "model_b": b, "winner": winner, "judge": f"u{i % 13}",
                     "language": ("en", "de")[i % 2], "question_id": i, "conv_metadata": meta})  # fmt: skip
    (folder / "arena.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    battles = [("xyz"[i % 3], "yzx"[i % 3], ("a", "b", "tie")[i * i % 7 % 3], "st"[i % 2]) for i in range(60)]
    pl.DataFrame(battles, ["item_a", "item_b", "winner", "topic"], orient="row").write_csv(folder / "battles.csv")
    games = [
        {"question_id": i, "model_1": "x", "model_2": "y", "g1_winner": f"model_{1 + i % 2}",
         "g2_winner": f"model_{1 + i % 3 % 2}", "judge": ["gpt-4", "pair-v2"], "turn": 1}
        for i in range(12)
    ]  # fmt: skip
    (folder / "pair.jsonl").write_text("\n".join(map(json.dumps, games)) + "\n", encoding="utf-8")
    notes = [
        {"instruction": f"say {i}", "output_1": "a" * (20 + i), "generator_1": "base",
         "output_2": "b" * (15 + 2 * i % 23), "generator_2": "m", "annotator": "judge",
         "preference": 1 + (i * i % 5) / 4}
        for i in range(20)
    ]  # fmt: skip
    (folder / "annotations.json").write_text(json.dumps(notes), encoding="utf-8")
    for k, model in enumerate(("small", "large")):
        (folder / model).mkdir(exist_ok=True)
        samples = [{"doc_id": i, "acc": float((i * (k + 2)) % 5 > 1 - k), "metrics": ["acc"]} for i in range(20)]
        name = "samples_arc_2026-01-01T00-00-00.000000.jsonl"
        (folder / model / name).write_text("\n".join(map(json.dumps, samples)) + "\n", encoding="utf-8")


OF_RATERS = {"battles": battles, "ratings": answers}
