"""Reports of generated answers: nuggets, citations, and the steps from retrieval to the answer."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter
from tests.plots.cases import chain
from tests.reporting import cases
from tests.reporting.reading import Reader


def read(tmp_path: Path, subject: object) -> Reader:
    return Reader(ir.report(subject, tmp_path / "r.html").read_text("utf-8"))


def paragraphs(shown: Reader) -> str:
    return "\n".join(text for texts in shown.texts.values() for text in texts)


def test_nuggets_that_no_answer_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases.blank_drawings(monkeypatch)
    nuggets, labels, _ = ir.examples.nuggets()
    both = pl.concat([labels.with_columns(run_id=pl.lit(run)) for run in "ab"])
    better = pl.when((pl.col("run_id") == "b") & (pl.col("nugget_id") == 2)).then(pl.lit("support")).otherwise("label")
    both = both.with_columns(label=better)
    shown = read(tmp_path, ir.Nuggets(nuggets, both).evaluate("V_strict A"))
    rows = shown.table("Nuggets from those that answers state least")
    earned = dict(zip(zip(rows.column("query_id"), rows.column("nugget_id"), strict=True),
                      zip(rows.column("n_full"), rows.column("mean_credit"), strict=True), strict=True))  # fmt: skip
    # Vital nuggets only, and partial support is none: as the first measure has it.
    good = both.join(nuggets.filter(importance="vital"), on=["query_id", "nugget_id"])
    expected = {}
    for query, nugget in good.select("query_id", "nugget_id").unique().rows():
        of = good.filter(query_id=query, nugget_id=nugget)["label"].to_list()
        expected[query, str(nugget)] = (str(of.count("support")), f"{of.count('support') / 2:.4f}")
    assert earned == expected
    assert rows.column("mean_credit") == sorted(rows.column("mean_credit"))
    never, always = (sum(credit == end for _, credit in expected.values()) for end in ("0.0000", "1.0000"))
    sentence = f"No answer has credit for {never} of 3 nuggets; every answer has full credit for {always}."
    assert (never, always) == (1, 1)
    assert sentence in paragraphs(shown)


def test_sentences_by_their_support(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases.blank_drawings(monkeypatch)
    sentences, citations, support = ir.examples.citations()
    topics = pl.DataFrame({"query_id": ["q1", "q2"], "topic": ["x", "y"]})
    ev = ir.Citations(sentences, citations, support, queries=topics, by="topic").evaluate("CitationRecall(partial=1)")
    shown = read(tmp_path, ev)
    counts = shown.table("Sentences by the support of what they cite")
    assert counts.header == ["topic", "sentences", "full", "partial", "cited_without_support", "not_cited", "left_out"]
    # Partial support is full: as the measure has it.
    assert counts.rows == [["x", "4", "2", "0", "1", "1", "0"], ["y", "1", "0", "0", "0", "1", "0"]]
    wrong = shown.table("Sentences whose citations do not support them")
    assert wrong.column("sentence_id") == ["3"]


def test_steps_from_retrieval_to_the_answer(tmp_path: Path) -> None:
    steps = chain()
    shown = read(tmp_path, steps)
    assert shown.finding == (
        "b states 0.6000 of the nuggets over 2 queries; the largest losses are not cited, not stated (0.2000)."
    )
    assert "a states 0.4000" in paragraphs(shown)
    assert shown.table("What is lost at each step").column("loss") == [f"{v:.4f}" for v in steps.losses()["loss"]]
    assert len(shown.table("Each run and query, those that state least first").rows) == 4
    assert "<svg" in (tmp_path / "r.html").read_text("utf-8")
    nothing = read(tmp_path, dataclasses.replace(steps, queries=steps.queries.clear(), n_undefined=2))
    assert nothing.finding == "2 answers without a recall of nuggets are left out."
    assert "There is nothing to draw" in paragraphs(nothing)
    with pytest.raises(InvalidParameter, match="names no systems to compare with 'a'"):
        ir.report(steps, tmp_path / "r.html", baseline="a")
