"""Numbers that can be checked by hand, and the rules of ALCE's script that its paper does not tell."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir


def answers(
    cites: dict[str, list[str | None]], labels: dict[tuple[str, str | None, str], int]
) -> tuple[pl.DataFrame, ...]:
    """The tables of one answer: what sentences cite, and labels by sentence, passage, and what they are about."""
    rows = [("q", s, d, i) for s, docs in cites.items() for i, d in enumerate(docs, start=1)]
    schema = {"query_id": pl.String, "sentence_id": pl.String, "doc_id": pl.String}
    return (
        pl.DataFrame({"query_id": "q", "sentence_id": [*cites]}),
        pl.DataFrame(rows, {**schema, "rank": pl.Int64}, orient="row"),
        pl.DataFrame(
            [("q", s, d, label, about) for (s, d, about), label in labels.items()],
            {**schema, "label": pl.Int64, "passages": pl.String},
            orient="row",
        ),
    )


def value(tables: tuple[pl.DataFrame, ...], measure: str, policy: str) -> float | None:
    out: float | None = ir.Citations(*tables, policy=policy).evaluate(measure).per_unit()["value"].item()
    return out


TREC = answers(
    {"s1": ["a", "b"], "s2": ["c"], "s3": ["d"], "s4": []},
    {("s1", "a", "alone"): 1, ("s1", "b", "alone"): 2, ("s2", "c", "alone"): 2, ("s3", "d", "alone"): 0},
)


@pytest.mark.parametrize(
    "measure, expected",
    [
        # Of first citations: ½, 1, 0.
        ("CitationPrecision(first=1)", 1.5 / 3),
        ("CitationRecall(first=1)", 1.5 / 4),
        ("CitationPrecision", 2.5 / 4),
        ("CitationRecall", 2 / 4),
        ("CitationPrecision(partial=0)", 2 / 4),
        ("SupportedSentences(first=1)", 1 / 4),
        ("SupportedSentences(first=1, level='partial')", 2 / 4),
        ("HallucinationRate", 2 / 4),
        ("HallucinationRate(sentences='cited')", 1 / 3),
        ("CitedSentences", 3 / 4),
    ],
)
def test_trec_rag(measure: str, expected: float) -> None:
    assert value(TREC, measure, "trec-rag") == pytest.approx(expected, abs=1e-12)


P, R = "CitationPrecision(convention='alce')", "CitationRecall(convention='alce')"


def test_alce_irrelevant_and_necessary_citations() -> None:
    """s1: b alone does not support it and the others do without b; s2: none alone, both are necessary; s3: none."""
    tables = answers(
        {"s1": ["a", "b"], "s2": ["a", "c"], "s3": ["d", "e"]},
        {
            ("s1", None, "together"): 1, ("s1", "a", "alone"): 1, ("s1", "b", "alone"): 0,
            ("s2", None, "together"): 1, ("s2", "a", "alone"): 0, ("s2", "c", "alone"): 0,
            ("s3", None, "together"): 0,
        },
    )  # fmt: skip
    assert value(tables, P, "alce") == 3 / 6
    assert value(tables, R, "alce") == 2 / 3


def test_alce_a_citation_of_nothing_takes_all_of_its_sentence() -> None:
    """The script gives such a sentence no support, and counts none of its citations for precision."""
    tables = answers(
        {"s1": ["a", None], "s2": ["b"]},
        {("s1", "a", "alone"): 1, ("s2", "b", "alone"): 1},
    )
    assert value(tables, P, "alce") == 1.0
    assert value(tables, R, "alce") == 1 / 2
    assert value(tables, P, "alce,out_of_range=drop") == value(tables, R, "alce,out_of_range=drop") == 1.0
    assert value(tables, P, "alce,out_of_range=unsupported") == 2 / 3


def test_alce_repeated_citations_count_twice() -> None:
    tables = answers({"s1": ["a", "a"], "s2": ["b"]}, {("s1", "a", "alone"): 1, ("s2", "b", "alone"): 0})
    assert value(tables, P, "alce") == 2 / 3
    assert value(tables, P, "alce,repeated=once") == 1 / 2


def test_answers_without_citations() -> None:
    tables = answers({"s1": [], "s2": []}, {})
    assert value(tables, "CitationPrecision", "trec-rag") == 0.0
    assert value(tables, "CitationPrecision", "uncited=undefined") is None
    assert value(tables, "CitationF", "uncited=undefined") is None
    assert value(tables, "CitationRecall", "uncited=undefined") == 0.0
