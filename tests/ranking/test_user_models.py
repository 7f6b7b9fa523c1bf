"""User models: continuation functions equal the closed forms of the catalog; invalid ones are errors."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.cli.evaluation.measures import page
from ireval_frames.errors import InvalidParameter, InvalidValue, NotDefined, UnknownName, UsageError
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import choice, whole
from ireval_frames.ranking.cwl import custom as own_models
from tests.contract.kit import ENGINES, assert_same, by_measure, values
from tests.ranking.cases import make_case
from tests.ranking.suite import CASES

engines = pytest.mark.parametrize("engine", ENGINES)
MEASUREMENTS = ("EU", "ETU", "EC", "ETC", "ED")


@pytest.fixture(autouse=True)
def restore_catalog() -> Iterator[None]:
    """Registered measures are removed after the test."""
    with catalog.restored():
        yield
    own_models._own.clear()


def square(x: Expr) -> Expr:
    return (1 - 1 / x) * (1 - 1 / x)


# Measures of the catalog with an equivalent continuation function and its parameters.
EQUIVALENT: dict[str, tuple[Any, str]] = {
    "P@7": (lambda _: 1.0, "max_depth=7"),
    "RBP(p=0.7,max_rel=4,max_depth=50)": (lambda _, p=0.7: p, "max_depth=50,max_rel=4"),
    "SDCG(max_rel=4)@9": (lambda r: (r.rank + 1).log(2) / (r.rank + 2).log(2), "max_depth=9,max_rel=4"),
    "INSQ(T=2,max_rel=4,max_depth=50)": (lambda r, T=2: square(r.rank + 2 * T), "max_depth=50,max_rel=4"),
    "INST(T=1.5,max_rel=4,max_depth=50)": (
        lambda r, T=1.5: square(r.rank + 2 * T - r.total_gain),
        "max_depth=50,max_rel=4",
    ),
    "INST(T=0.25,min_rel=1,max_rel=4,max_depth=50)": (
        lambda r, T=0.25: square(r.rank + 2 * T - r.total_gain),
        "max_depth=50,max_rel=4,min_rel=1",
    ),
    "NERR8(max_rel=4)@9": (lambda r: 1 - r.gain, "max_depth=9,max_rel=4"),
    "NERR9(max_rel=4)@9": (lambda r: r.rank / (r.rank + 1) * (1 - r.gain), "max_depth=9,max_rel=4"),
    "NERR10(p=0.8,max_rel=4,max_depth=50)": (lambda r, p=0.8: p * (1 - r.gain), "max_depth=50,max_rel=4"),
    "NERR11(T=2,max_rel=4,max_depth=50)": (
        lambda r, T=2: square(r.rank + 2 * T) * (1 - r.gain),
        "max_depth=50,max_rel=4",
    ),
    "RR(max_depth=1000)": (lambda r: when(r.gain > 0).then(0.0).otherwise(1.0), ""),
    "BPM(T=2,max_rel=4)@9": (
        lambda r, T=2, K=9: when((r.total_gain >= T - 1e-9) | (r.total_cost >= K)).then(0.0).otherwise(1.0),
        "max_rel=4,max_depth=20",
    ),
}


@engines
def test_continuation_functions_equal_closed_forms(engine: str) -> None:
    """Every measurement, with and without residual."""
    # A query of every shape.
    case, pairs = make_case(1, 14, 1), {}
    for number, (text, (continuation, parameters)) in enumerate(EQUIVALENT.items()):
        ir.ranking.user_model(f"Mine{number}", continuation)
        catalog_measure, custom_measure = ir.Measure.parse(text), ir.Measure.parse(f"Mine{number}({parameters})")
        pairs |= {
            catalog_measure(measurement=m, residual=r): custom_measure(measurement=m, residual=r)
            for m in MEASUREMENTS
            for r in (False, True)
        }
    results: dict = {}
    # Large plans take longer for each measure.
    all_pairs = list(pairs.items())
    for start in range(0, len(all_pairs), 40):
        measures = [m for pair in all_pairs[start : start + 40] for m in pair]
        results |= by_measure(values(ir.evaluate(case.qrels_frame(), case.run_frame(), measures, engine=engine)))
    for catalog_measure, custom_measure in pairs.items():
        expected = {(str(catalog_measure), *key[1:]): value for key, value in results[str(custom_measure)].items()}
        assert len(expected) == len(case.runs) * len(case.qrels)
        assert_same(results[str(catalog_measure)], expected, 1e-11)


MEASURES = (
    "P@7", "RR", "AP", "AP(over='retrieved')", "RBP", "RBP(max_depth=20)", "SDCG(max_rel=4)@9", "INSQ(max_rel=4)",
    "INST(max_rel=4)",
    "INST(max_rel=4,max_depth=None)", "NERR8(max_rel=4)@9", "NERR9(max_rel=4)@9", "NERR10(max_rel=4)",
    "NERR11(max_rel=4)", "BPM(max_rel=4)@9",
    "BPM(max_rel=4,hb=1,hc=1)@9", "IFT(max_rel=4)", "TBG(max_rel=4,cost=2)", "UMeasure(max_rel=4,L=30,cost=2)",
)  # fmt: skip


@engines
def test_rates_times_depth_are_totals(engine: str) -> None:
    """EU·ED = ETU and EC·ED = ETC for every user model, as all stop at the last rank."""
    case = CASES["integers"]
    measures = {(text, m): ir.Measure.parse(text)(measurement=m) for text in MEASURES for m in MEASUREMENTS}
    actual = values(ir.evaluate(case.qrels_frame(), case.run_frame(), list(measures.values()), engine=engine))
    keys = {key[1:] for key in actual}
    for text in MEASURES:
        for key in keys:
            eu, etu, ec, etc, ed = (actual[str(measures[text, m]), *key] for m in MEASUREMENTS)
            assert eu * ed == pytest.approx(etu, rel=1e-11, abs=1e-11), (text, key)
            assert ec * ed == pytest.approx(etc, rel=1e-11, abs=1e-11), (text, key)
            assert ed >= 1 - 1e-12


def test_depths_that_few_users_reach() -> None:
    case = CASES["text"]
    measures = [
        "INST(max_rel=4,max_depth=100000)",
        "INST(max_rel=4,max_depth=None)",
        "NERR10(max_rel=4)",
        "NERR10(max_rel=4,max_depth=None)",
    ]
    wide = ir.evaluate(case.qrels_frame(), case.run_frame("run0"), measures).wide()
    deep, endless, tenth, endless_tenth = wide.row(0)
    assert 0 < deep - endless < 1e-4
    assert tenth == pytest.approx(endless_tenth, rel=1e-12)


@engines
def test_missing_queries_are_empty_lists(engine: str) -> None:
    """Users continue beyond the end of a list."""
    qrels = pl.DataFrame({"query_id": ["p", "q"], "doc_id": ["a", "a"], "relevance": [1, 1]})
    run = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]})
    measures = ["NERR10(p=0.5,max_rel=1,measurement='ED')", "IFT(max_rel=1)", "RBP(p=0.5,residual=True)"]
    actual = values(ir.evaluate(qrels, run, measures, engine=engine))
    assert actual["NERR10(p=0.5, max_rel=1, measurement='ED')", "p"] == pytest.approx(2.0, rel=1e-12)
    assert actual["NERR10(p=0.5, max_rel=1, measurement='ED')", "q"] == 1.0
    assert actual["IFT(max_rel=1)", "p"] == 0.0
    assert actual["RBP(p=0.5, residual=True)", "p"] == 1.0
    assert actual["RBP(p=0.5, residual=True)", "q"] == 0.5


@engines
def test_a_registered_model(engine: str) -> None:
    qrels, run = ir.examples.ranking()

    @ir.ranking.user_model(
        "Restless",
        parameters={"most": whole(3, "how many documents at most"), "mood": choice("good", "bad", what="the mood")},
    )
    def restless(ranks: Any, p: float = 0.9, most: int = 3, mood: str = "good") -> Expr:
        """A reader who leaves after a few documents.

        Range: 0 to 1.
        """
        return when(ranks.rank < most).then(p if mood == "good" else p / 2).otherwise(0.0)

    assert str(restless(p=0.5)) == "Restless(p=0.5)"
    assert ir.Measure.parse("Restless(most=2, mood='bad', rel=2)") == restless(most=2, mood="bad", rel=2)
    assert pickle.loads(pickle.dumps(restless(p=0.5))) == restless(p=0.5)
    assert "A reader who leaves" in page(restless.definition)
    actual = (
        ir.evaluate(qrels, run, [restless, restless(measurement="ED"), restless(max_rel=3)], engine=engine)
        .summary()["value"]
        .to_list()
    )
    depth = 1 + 0.9 + 0.81
    assert actual == pytest.approx([1.81 / depth, depth, (1 / 3 + 0.81) / depth], rel=1e-12)
    replaced = ir.ranking.user_model("Restless", lambda _: 0.0)
    assert ir.evaluate(qrels, run, replaced, engine=engine).summary()["value"].item() == 1.0
    with pytest.raises(UnknownName, match="no parameter 'most'"):
        replaced(most=2)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: ir.ranking.user_model("AP", lambda _: 0.5), "a measure 'AP' already"),
        (lambda: ir.ranking.user_model("precision", lambda _: 0.5), "a measure 'precision' already"),
        (lambda: ir.ranking.user_model("ndcg_cut", lambda _: 0.5), "a measure 'ndcg_cut' already"),
        (lambda: ir.ranking.user_model("two words", lambda _: 0.5), "not a name for a measure"),
        (lambda: ir.ranking.user_model("X1", lambda _, how="a": how), "'a' by default, which is not a number"),
        (lambda: ir.ranking.user_model("X1", lambda _, yes=True: yes), "True by default, which is not a number"),
        (lambda: ir.ranking.user_model("X1", lambda _, max_rel=1: max_rel), "which all user models have"),
        (lambda: ir.ranking.user_model("X1", lambda _: 0.5, parameters={"q": whole(1)}), "does not take: q"),
    ],
)
def test_invalid_registrations(make: Any, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        make()


@engines
@pytest.mark.parametrize(
    "continuation",
    [lambda r: r.rank, lambda r: 0.5 - r.rank, lambda r: r.gain / 0.0, lambda r: when(r.rank > 2).then(0.5)],
)
def test_values_that_are_no_probabilities(continuation: Any, engine: str) -> None:
    model = ir.ranking.user_model("Wild", continuation)
    with pytest.raises(InvalidValue, match=r"continuation function of Wild gives (.|\n)* between 0 and 1(.|\n)*clip"):
        ir.evaluate(*ir.examples.ranking(), model, engine=engine).summary()


@pytest.mark.parametrize(
    "text, message",
    [
        ("INST(max_rel=2, min_rel=2)", "min_rel must be the smaller one"),
        ("INST(max_rel=2, residual=True, max_depth=None)", "needs a max_depth"),
        ("NERR11(max_rel=2, residual=True, max_depth=None)", "needs a max_depth"),
        ("P(relative=True, measurement='ED')@5", "relative precision is not a user model"),
        ("INST(T=0.2, max_rel=2)", "T of INST is 0.2"),
        ("INST", "needs a max_rel"),
        ("SDCG(max_rel=2)", "needs a cutoff"),
        ("BPM(max_rel=2, T=0)@10", "T of BPM is 0"),
    ],
)
def test_invalid_parameters(text: str, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        ir.evaluate(*ir.examples.ranking(), text)


@engines
@pytest.mark.parametrize(
    "text", ["INST(max_rel=2)", "RBP(max_rel=2)", "NERR8(max_rel=2)@5", "IFT(max_rel=2)", "BPM(max_rel=2)@5"]
)
def test_grades_above_the_scale(text: str, engine: str) -> None:
    with pytest.raises(
        InvalidValue, match=r"takes grades up to 2, but 1 judgments are above: query_id 'q', doc_id 'd3', relevance 3"
    ):
        ir.evaluate(*ir.examples.ranking(), text, engine=engine).summary()


def test_ties_have_no_expectation() -> None:
    with pytest.raises(NotDefined, match="tie expectation"):
        ir.evaluate(*ir.examples.ranking(), "IFT(max_rel=3)", policy="ties=expectation").summary()


@pytest.mark.parametrize(
    "measures, message",
    [
        ("IFT(max_rel=3,max_depth=2000000)", r"2000000 ranks per list are too many; at most 1000000"),
        ("Compat(p=0.9999999,max_depth=None)", r"each becomes a row; at most 1000000"),
        ("SDCG(max_rel=3)@2000000", r"a whole number of at most 1000000"),
        ("TBG(max_rel=3,cost=1e-30)", r"one is negligible beside the other"),
        ("ERR(max_rel=2000)", r"a whole number of at most 1000"),
        ("alpha_DCG(alpha=0.00001)@2000000", r"no largest value that can be computed down to rank 2000000"),
    ],
)
def test_limits_of_ranks_and_numbers(measures: str, message: str) -> None:
    tables = ir.examples.diversity() if "alpha" in measures else ir.examples.ranking()
    with pytest.raises(UsageError, match=message):
        ir.evaluate(*tables, measures)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tiny_t(engine: str) -> None:
    """As T approaches 0, all weight is on the first rank."""
    ev = ir.evaluate(*ir.examples.ranking(), "INSQ(T=1e-90,max_rel=3) P@1", engine=engine)
    assert ev.summary()["value"].to_list() == pytest.approx([1 / 3, 1.0], abs=1e-12)
