"""Diversity measures: cutoffs and alphas, probabilities of subtopics, ties of the greedy order, names."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidValue, NotDefined
from tests.contract.kit import ENGINES, assert_same, values
from tests.oracles.evaluate import per_query
from tests.oracles.measures import ORACLES
from tests.oracles.tied import expected as over_all_orders
from tests.ranking.cases import Case
from tests.ranking.suite import CASES

engines = pytest.mark.parametrize("engine", ENGINES)
MEASURES = [
    "alpha_DCG",
    "alpha_nDCG",
    "ERR_IA",
    "nERR_IA",
    "NRBP",
    "nNRBP",
    "AP_IA",
    "P_IA",
    "StRecall",
    "D_nDCG",
    "DSharp_nDCG",
]


def test_any_cutoff_and_several_alphas_in_one_call() -> None:
    case = CASES["text"]
    measures = [
        ir.Measure.parse(f"{name}(alpha={alpha})@{k}")
        for name in MEASURES[:4]
        for alpha in (0, 0.1, 0.5, 0.99, 1)
        for k in (1, 2, 21, 54, 100000)
    ]
    expected = {}
    for measure in measures:
        for run_id, lists in case.runs.items():
            arguments = {k: v for k, v in measure.values if k in ("alpha", "cutoff")}
            values_by_query = per_query(
                case.judged_by("subtopic_id"), lists, measure.name, judged_by=("subtopic_id",), **arguments
            )
            expected |= {(str(measure), run_id, q): v for q, v in values_by_query.items()}
    for engine in ENGINES:
        actual = values(ir.evaluate(case.qrels_frame(), case.run_frame(), measures, engine=engine))
        assert_same(actual, expected, 1e-9)


@pytest.mark.parametrize("name", ["alpha_DCG", "ERR_IA"])
def test_an_alpha_of_zero_needs_a_cutoff(name: str) -> None:
    with pytest.raises(NotDefined, match=rf"{name}\(alpha=0\) has no largest value without a cutoff(.|\n)*@20"):
        ir.evaluate(*ir.examples.diversity(), f"{name}(alpha=0)").summary()
    assert ir.evaluate(*ir.examples.diversity(), f"{name}(alpha=0)@3").summary()["value"].item() > 0


def weights(case: Case) -> dict[Any, dict[Any, float]]:
    return {
        q: {s: (1.0, 0.25, 3.0, 0.0)[i % 4] for i, s in enumerate(parts)}
        for q, parts in case.judged_by("subtopic_id").items()
    }


def weighted_frame(case: Case) -> pl.DataFrame:
    rows = [(q, s, w) for q, of in weights(case).items() for s, w in of.items()]
    table = pl.DataFrame(rows, schema=["query_id", "subtopic_id", "subtopic_weight"], orient="row")
    return case.qrels_frame().join(table, on=["query_id", "subtopic_id"])


@engines
def test_probabilities_of_subtopics(engine: str) -> None:
    case = CASES["integers"]
    measures = [m for name in MEASURES for m in (ir.Measure.parse(name), getattr(ir, name)(judged_only=True))]
    measures += [ir.Measure.parse(f"{name}@{k}") for name in MEASURES if not name.endswith("NRBP") for k in (1, 3, 10)]
    actual = values(ir.evaluate(weighted_frame(case), case.run_frame(), measures, engine=engine))
    judged, weights_by_query, expected = case.judged_by("subtopic_id"), weights(case), {}
    for measure in measures:
        arguments = dict(measure.values)
        for run_id, lists in case.runs.items():
            for query in judged:
                value = per_query(
                    {query: judged[query]},
                    lists,
                    measure.name,
                    judged_by=("subtopic_id",),
                    weights=weights_by_query[query],
                    **arguments,
                )
                expected[str(measure), run_id, query] = value[query]
    assert_same(actual, expected, 1e-9)


@engines
def test_equal_probabilities(engine: str) -> None:
    case = CASES["text"]
    qrels = case.qrels_frame()
    equal = qrels.with_columns(subtopic_weight=pl.lit(0.125))
    measures = [*MEASURES, "AP(subtopics='mean')", "nDCG(subtopics='mean')@5"]
    expected = values(ir.evaluate(qrels, case.run_frame(), measures, engine=engine))
    assert_same(values(ir.evaluate(equal, case.run_frame(), measures, engine=engine)), expected, 1e-12)


@engines
def test_any_measure_by_probability(engine: str) -> None:
    qrels, run = ir.examples.diversity()
    qrels = qrels.with_columns(subtopic_weight=pl.col("subtopic_id").replace_strict({"a": 0.5, "b": 0.3, "c": 0.2}))
    # RR for a, b and c: 1, 1/2 and 1/5.
    assert ir.evaluate(qrels, run, "RR(subtopics='mean')", engine=engine).summary()["value"].item() == pytest.approx(
        0.5 + 0.15 + 0.04
    )


@engines
@pytest.mark.parametrize("invalid, message", [
    ([0.5, None], "0 or more; 4 rows do not"), ([0.5, -1.0], "0 or more"), ([0.5, float("nan")], "0 or more"),
    ([0.5, 0.25], "differs within"),
])  # fmt: skip
def test_invalid_probabilities(invalid: list[float | None], message: str, engine: str) -> None:
    qrels, run = ir.examples.diversity()
    with pytest.raises(InvalidValue, match=message):
        ir.evaluate(qrels.with_columns(subtopic_weight=pl.Series(invalid * 4)), run, "NRBP", engine=engine).summary()


@engines
def test_ties_of_the_greedy_order(engine: str) -> None:
    """Of two documents with two subtopics each, the one with the larger id comes first."""
    subtopics = {"a": "st", "b": "tu", "c": "s"}
    rows = [("q", s, d, 1) for d, on in subtopics.items() for s in on]
    qrels = pl.DataFrame(rows, schema=["query_id", "subtopic_id", "doc_id", "relevance"], orient="row")
    run = pl.DataFrame({"query_id": ["q"], "doc_id": ["b"], "score": [1.0]})
    # Greedy: b (2), then a (1 + 1/2), then c (1/2); with a first, the gains would be the same.
    best = 2 / 1 + 1.5 / 2 + 0.5 / 3
    assert ir.evaluate(qrels, run, "nERR_IA", engine=engine).summary()["value"].item() == pytest.approx(2 / best)
    renamed = qrels.with_columns(doc_id=pl.col("doc_id").replace({"c": "z"}))
    # z, with s only, gains less than both.
    assert ir.evaluate(renamed, run, "nERR_IA", engine=engine).summary()["value"].item() == pytest.approx(2 / best)


@engines
def test_lists_better_than_the_greedy_order(engine: str) -> None:
    """A better list has a value above 1, but at most e/(e−1)."""
    subtopics = {"c": "stuv", "a": "stw", "b": "uvx"}
    rows = [("q", s, d, 1) for d, on in subtopics.items() for s in on]
    qrels = pl.DataFrame(rows, schema=["query_id", "subtopic_id", "doc_id", "relevance"], orient="row")
    run = pl.DataFrame({"query_id": ["q"] * 2, "doc_id": ["a", "b"], "score": [2.0, 1.0]})
    actual = ir.evaluate(qrels, run, "alpha_nDCG(alpha=1)@2 nERR_IA(alpha=1)@2", engine=engine).wide().row(0)
    assert actual == pytest.approx(
        ((3 + 3 / 1.584962500721156) / (4 + 1 / 1.584962500721156), (3 + 3 / 2) / (4 + 1 / 2))
    )
    assert actual[0] > 1.05


@engines
def test_expected_gains_of_ties(engine: str) -> None:
    """D-nDCG and P-IA are sums over documents and have a tie expectation; measures of novelty have none."""
    case = Case(
        {"q": {c: float(i % 4) for i, c in enumerate("abcdef")}},
        {"r": {"q": [("a", 1.0), ("b", 1.0), ("c", 0.0), ("x", 0.0), ("e", 0.0)]}},
    )
    judged = case.judged_by("subtopic_id")["q"]
    for text in ("D_nDCG@2", "D_nDCG", "P_IA@3"):
        measure = ir.Measure.parse(text)
        actual = values(
            ir.evaluate(case.qrels_frame(), case.run_frame("r"), measure, policy="ties=expectation", engine=engine)
        )
        expected = over_all_orders(
            ORACLES[measure.name], case.runs["r"]["q"], judged, **{k: v for k, v in measure.values if k == "cutoff"}
        )
        assert actual[text, "q"] == pytest.approx(expected, rel=1e-9)
    with pytest.raises(NotDefined, match="no closed form"):
        ir.evaluate(case.qrels_frame(), case.run_frame("r"), "NRBP", policy="ties=expectation", engine=engine).summary()


@pytest.mark.parametrize(
    "text, measure",
    [
        ("α_nDCG@10", "alpha_nDCG@10"), ("α_DCG(alpha=0.3)@5", "alpha_DCG(alpha=0.3)@5"), ("MAP_IA", "AP_IA"),
        ("D#-nDCG@10", "DSharp_nDCG@10"),
        ("I-rec@10", "StRecall@10"), ("D-nDCG", "D_nDCG"), ("NRBP(alpha=0.2,beta=0.8)", "NRBP(alpha=0.2, beta=0.8)"),
        ("nERR_IA(rel=2)@7", "nERR_IA(rel=2)@7"),
    ],
)  # fmt: skip
def test_names(text: str, measure: str) -> None:
    assert str(ir.Measure.parse(text)) == measure


def test_means_equal_named_measures() -> None:
    qrels, run = CASES["text"].qrels_frame(), CASES["text"].run_frame()
    for name, general in (
        ("AP_IA", "AP(subtopics='mean')"),
        ("P_IA@5", "P(subtopics='mean')@5"),
        ("StRecall@5", "Success(subtopics='mean')@5"),
    ):
        a, b = (values(ir.evaluate(qrels, run, m)) for m in (name, general))
        assert_same({k[1:]: v for k, v in a.items()}, {k[1:]: v for k, v in b.items()}, 1e-12)
