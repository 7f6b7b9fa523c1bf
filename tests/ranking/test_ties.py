"""Orders of tied documents, and means over all orders."""

from __future__ import annotations

import random
import re

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidValue, NotDefined
from tests.contract.kit import ENGINES, assert_same, by_measure, values
from tests.oracles.evaluate import per_query
from tests.oracles.measures import ORACLES
from tests.oracles.tied import expected as over_all_orders
from tests.ranking.suite import CASES, VARIANTS, judged_by

engines = pytest.mark.parametrize("engine", ENGINES)
CLOSED_FORMS = ("P", "R", "F", "Success", "Rprec", "RR", "AP", "RBP", "CG", "DCG", "nDCG", "nCG", "AUC", "FallOut")
# With parameters of user models, these have no closed form.
USER_MODELS = ("RR", "AP", "RBP")


def has_a_closed_form(measure: Measure) -> bool:
    parameters = dict(measure.values)
    as_user_model = measure.name in USER_MODELS and {"measurement", "residual", "max_depth"} & parameters.keys()
    return not (parameters.get("judged_only") or as_user_model or parameters.get("over") == "retrieved") and judged_by(
        measure
    ) == ("",)


def lists(seed: int, queries: int) -> tuple[dict, dict]:
    """Short lists with at most seven tied documents each, judged and unjudged."""
    rng = random.Random(seed)
    qrels, run = {}, {}
    for number in range(queries):
        pool = [f"d{i}" for i in range(8)]
        qrels[f"q{number}"] = {d: float(rng.choice((-1, 0, 0, 1, 2, 3))) for d in rng.sample(pool, rng.randint(1, 8))}
        actual = rng.sample(pool, rng.choice((0, 2, 3, 5)))
        docs = [
            (d, rng.choice((1.0, 2.0)) if d in actual else rng.random() + rng.choice((0, 1)))
            for d in rng.sample(pool, rng.randint(1, 8))
        ]
        if number % 9:
            run[f"q{number}"] = docs
    return qrels, run


def frames(qrels: dict, run: dict) -> tuple[pl.DataFrame, pl.DataFrame]:
    judged = [(q, d, g) for q, docs in qrels.items() for d, g in docs.items()]
    rows = [(q, d, s) for q, docs in run.items() for d, s in docs]
    return (
        pl.DataFrame(judged, schema=["query_id", "doc_id", "relevance"], orient="row"),
        pl.DataFrame(rows, schema=["query_id", "doc_id", "score"], orient="row"),
    )


def test_expectation_is_the_mean_over_all_orders() -> None:
    qrels, run = lists(4, 60)
    measures = [m for name in CLOSED_FORMS for m in VARIANTS[name] if has_a_closed_form(m)]
    results = [
        by_measure(values(ir.evaluate(*frames(qrels, run), measures, policy="ties=expectation", engine=engine)))
        for engine in ENGINES
    ]
    num_different = 0
    for measure in measures:
        arguments = {k: v for k, v in measure.arguments().items() if k not in ("judged_only", "subtopics", "assessors")}
        if "gains" in arguments:
            arguments["gains"] = dict(arguments["gains"])
        oracle, name = ORACLES[measure.name], str(measure)
        expected = {(name, q): over_all_orders(oracle, run.get(q, []), qrels[q], **arguments) for q in qrels}
        # An undefined value of a query that the run lacks is 0.
        expected = {(m, q): 0.0 if value is None and q not in run else value for (m, q), value in expected.items()}
        for actual in results:
            assert_same(actual[name], expected, 1e-9)
        single = per_query(qrels, run, measure.name, **arguments)
        num_different += sum(abs((single[q] or 0.0) - (expected[name, q] or 0.0)) > 1e-6 for q in qrels)
    assert num_different > 100


@engines
def test_expectation_in_condensed_lists(engine: str) -> None:
    """Unjudged documents are removed before ties are averaged."""
    qrels, run = lists(5, 40)
    condensed = {q: [(d, s) for d, s in docs if qrels[q].get(d, -1) >= 0] for q, docs in run.items()}
    measures = catalog.parse_all("nDCG(judged_only=True)@3 AP(judged_only=True)@3 RR(judged_only=True)@3", "ranking")
    actual = values(ir.evaluate(*frames(qrels, run), measures, policy="ties=expectation", engine=engine))
    oracles = {str(m): ORACLES[m.name] for m in measures}
    expected = {(m, q): over_all_orders(oracles[m], condensed.get(q, []), qrels[q], cutoff=3) for m, q in actual}
    assert_same(actual, expected, 1e-9)


@pytest.mark.parametrize("name", [n for n in VARIANTS if n not in (*CLOSED_FORMS, "D_nDCG", "DSharp_nDCG")])
def test_expectation_of_other_measures(name: str) -> None:
    """Other measures of ranks have no closed form; measures of sets and counts do not need one."""
    case, measure = CASES["text"], VARIANTS[name][0]
    no_ranks = {
        "SetP",
        "SetR",
        "SetF",
        "SetAP",
        "NumQ",
        "NumRet",
        "NumRel",
        "NumRelRet",
        "NumNonRelRet",
        "Utility",
        "IDCG",
        "P_IA",
        "StRecall",
    }
    if name == "Judged":
        measure = ir.Judged
    if name in no_ranks | {"Judged"}:
        actual = values(ir.evaluate(case.qrels_frame(), case.run_frame(), measure, policy="ties=expectation"))
        assert_same(actual, values(ir.evaluate(case.qrels_frame(), case.run_frame(), measure)), 1e-12)
    else:
        try:
            ir.evaluate(case.qrels_frame(), case.run_frame(), measure, policy="ties=expectation").summary()
            message = f"{measure} has a value under tie expectation: enter it in CLOSED_FORMS of {__file__}"
        except NotDefined as error:
            message = str(error)
        assert re.search(rf"{name}.* has no closed form under tie expectation", message), message


def test_expectation_with_a_depth() -> None:
    with pytest.raises(NotDefined, match="depth"):
        ir.evaluate(*frames(*lists(1, 5)), "P@5", policy="ties=expectation,depth=3").summary()


@engines
def test_ranks_of_the_run(engine: str) -> None:
    qrels, run = lists(6, 40)
    rng, rows = random.Random(1), []
    for query, docs in run.items():
        ranks = rng.sample(range(1, 50), len(docs))
        rows += [(query, d, s, r) for (d, s), r in zip(docs, ranks, strict=True)]
    frame = pl.DataFrame(rows, schema=["query_id", "doc_id", "score", "rank"], orient="row")
    ranked: dict = {}
    for query, doc, score, rank in rows:
        ranked.setdefault(query, []).append((doc, score, rank))
    expected = {("AP", q): v for q, v in per_query(qrels, ranked, "AP", ties="rank").items()}
    judged = frames(qrels, run)[0]
    for table, policy in ((frame, "ties=rank"), (frame.drop("score"), None), (frame.drop("score"), "ties=rank")):
        assert_same(values(ir.evaluate(judged, table, "AP", policy=policy, engine=engine)), expected, 1e-9)
    with_scores = values(ir.evaluate(judged, frame, "AP", engine=engine))
    assert any(abs(with_scores[k] - expected[k]) > 0.1 for k in expected)


def test_missing_ranks() -> None:
    with pytest.raises(NotDefined, match=r"rank column(.|\n)*scan_run\(path, rank=True\)"):
        ir.evaluate(*frames(*lists(1, 5)), "AP", policy="ties=rank").summary()


@engines
@pytest.mark.parametrize("ties", ["trec_eval", "doc_id"])
def test_text_is_ordered_by_bytes(ties: str, engine: str) -> None:
    """Upper case precedes lower case, independent of the locale."""
    docs = ["a", "B", "Z", "z", "é", "\U0001f600", "\uffee"]
    order = sorted(docs, key=str.encode, reverse=ties == "trec_eval")
    run = pl.DataFrame({"query_id": "q", "doc_id": docs, "score": 1.0})
    for rank, doc in enumerate(order, start=1):
        qrels = pl.DataFrame({"query_id": ["q"], "doc_id": [doc], "relevance": [1]})
        assert ir.evaluate(qrels, run, "RR", policy=f"ties={ties}", engine=engine).summary()[
            "value"
        ].item() == pytest.approx(1 / rank)


@engines
def test_integers_are_ordered_as_numbers(engine: str) -> None:
    run = pl.DataFrame({"query_id": 1, "doc_id": [9, 10, -3], "score": 1.0})
    for rank, doc in enumerate([10, 9, -3], start=1):
        qrels = pl.DataFrame({"query_id": [1], "doc_id": [doc], "relevance": [1]})
        assert ir.evaluate(qrels, run, "RR", engine=engine).summary()["value"].item() == pytest.approx(1 / rank)


@engines
@pytest.mark.parametrize("precision, rr", [(64, 1.0), (32, 0.5)])
def test_scores_that_differ_in_double_precision(precision: int, rr: float, engine: str) -> None:
    for high, low in ((0.50000002, 0.50000001), (16777217.0, 16777216.0), (2e39, 1e39)):
        run = pl.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": [high, low]})
        qrels = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})
        assert (
            ir.evaluate(qrels, run, "RR", policy={"precision": precision}, engine=engine).summary()["value"].item()
            == rr
        )


@engines
def test_signed_zeros_are_tied(engine: str) -> None:
    for scores in ([0.0, -0.0], [-0.0, 0.0]):
        run = pl.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": scores})
        qrels = pl.DataFrame({"query_id": ["q"], "doc_id": ["b"], "relevance": [1]})
        assert ir.evaluate(qrels, run, "RR", engine=engine).summary()["value"].item() == 1.0
        assert ir.evaluate(qrels, run, "P@1", policy="ties=expectation", engine=engine).summary()["value"].item() == 0.5


@engines
@pytest.mark.parametrize("dtype, least", [(pl.Int64, 2**53), (pl.Int64, 2**60), (pl.UInt64, 2**63)])
def test_integer_scores_beyond_floats_are_refused(dtype: pl.DataType, least: int, engine: str) -> None:
    """Integer scores that would be equal as floats are an error."""
    run = pl.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": pl.Series([least + 1, least], dtype=dtype)})
    qrels = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})
    with pytest.raises(InvalidValue, match=rf"'score' holds {least}; floats do not tell(.|\n)*rank"):
        ir.evaluate(qrels, run, "RR", engine=engine).summary()
    exact = run.with_columns(pl.col("score") - (least - 2**53 + 2))
    assert ir.evaluate(qrels, exact, "RR", engine=engine).summary()["value"].item() == 1.0
    # `precision=32` rounds them by request.
    assert ir.evaluate(qrels, run, "RR", policy="precision=32", engine=engine).summary()["value"].item() == 0.5
