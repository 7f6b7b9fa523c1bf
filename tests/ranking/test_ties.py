"""How tied documents are ordered, or averaged over all their orders."""

from __future__ import annotations

import random

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
CLOSED = ("P", "R", "F", "Success", "Rprec", "RR", "AP", "RBP", "CG", "DCG", "nDCG", "nCG", "AUC", "FallOut")
# As readers, and of relevant documents that were retrieved, these have no closed form.
READERS = ("RR", "AP", "RBP")


def has_a_closed_form(measure: Measure) -> bool:
    given = dict(measure.values)
    reads = measure.name in READERS and {"measurement", "residual", "max_depth"} & given.keys()
    return not (given.get("judged_only") or reads or given.get("over") == "retrieved") and judged_by(measure) == ("",)


def lists(seed: int, queries: int) -> tuple[dict, dict]:
    """Short lists with at most seven tied documents each, judged and unjudged."""
    rng = random.Random(seed)
    qrels, run = {}, {}
    for number in range(queries):
        pool = [f"d{i}" for i in range(8)]
        qrels[f"q{number}"] = {d: float(rng.choice((-1, 0, 0, 1, 2, 3))) for d in rng.sample(pool, rng.randint(1, 8))}
        tied = rng.sample(pool, rng.choice((0, 2, 3, 5)))
        docs = [
            (d, rng.choice((1.0, 2.0)) if d in tied else rng.random() + rng.choice((0, 1)))
            for d in rng.sample(pool, rng.randint(1, 8))
        ]
        if number % 9:
            run[f"q{number}"] = docs
    return qrels, run


def frames(qrels: dict, run: dict) -> tuple[pl.DataFrame, pl.DataFrame]:
    judged = [(q, d, g) for q, docs in qrels.items() for d, g in docs.items()]
    found = [(q, d, s) for q, docs in run.items() for d, s in docs]
    return (
        pl.DataFrame(judged, schema=["query_id", "doc_id", "relevance"], orient="row"),
        pl.DataFrame(found, schema=["query_id", "doc_id", "score"], orient="row"),
    )


def test_expectation_is_the_mean_over_all_orders() -> None:
    qrels, run = lists(4, 60)
    measures = [m for name in CLOSED for m in VARIANTS[name] if has_a_closed_form(m)]
    found = [
        by_measure(values(ir.evaluate(*frames(qrels, run), measures, policy="ties=expectation", engine=engine)))
        for engine in ENGINES
    ]
    differs_from_one_order = 0
    for measure in measures:
        arguments = {k: v for k, v in measure.arguments().items() if k not in ("judged_only", "subtopics", "assessors")}
        if "gains" in arguments:
            arguments["gains"] = dict(arguments["gains"])
        oracle, name = ORACLES[measure.name], str(measure)
        expected = {(name, q): over_all_orders(oracle, run.get(q, []), qrels[q], **arguments) for q in qrels}
        # A query that the run lacks counts 0 where nothing is defined.
        expected = {(m, q): 0.0 if value is None and q not in run else value for (m, q), value in expected.items()}
        for on_engine in found:
            assert_same(on_engine[name], expected, 1e-9)
        single = per_query(qrels, run, measure.name, **arguments)
        differs_from_one_order += sum(abs((single[q] or 0.0) - (expected[name, q] or 0.0)) > 1e-6 for q in qrels)
    assert differs_from_one_order > 100


@engines
def test_expectation_in_condensed_lists(engine: str) -> None:
    """Unjudged documents are out before the ties are averaged."""
    qrels, run = lists(5, 40)
    condensed = {q: [(d, s) for d, s in docs if qrels[q].get(d, -1) >= 0] for q, docs in run.items()}
    measures = catalog.parse_all("nDCG(judged_only=True)@3 AP(judged_only=True)@3 RR(judged_only=True)@3", "ranking")
    found = values(ir.evaluate(*frames(qrels, run), measures, policy="ties=expectation", engine=engine))
    oracles = {str(m): ORACLES[m.name] for m in measures}
    expected = {(m, q): over_all_orders(oracles[m], condensed.get(q, []), qrels[q], cutoff=3) for m, q in found}
    assert_same(found, expected, 1e-9)


@pytest.mark.parametrize("name", [n for n in VARIANTS if n not in (*CLOSED, "D_nDCG", "DSharp_nDCG")])
def test_expectation_elsewhere(name: str) -> None:
    """Measures that look at ranks have no closed form; those of sets and counts do not need one."""
    made, measure = CASES["text"], VARIANTS[name][0]
    free = {
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
    if name in free | {"Judged"}:
        tied = values(ir.evaluate(made.qrels_frame(), made.run_frame(), measure, policy="ties=expectation"))
        assert_same(tied, values(ir.evaluate(made.qrels_frame(), made.run_frame(), measure)), 1e-12)
    else:
        with pytest.raises(NotDefined, match=rf"{name}.* has no closed form under tie expectation"):
            ir.evaluate(made.qrels_frame(), made.run_frame(), measure, policy="ties=expectation").summary()


def test_expectation_with_a_depth() -> None:
    with pytest.raises(NotDefined, match="depth"):
        ir.evaluate(*frames(*lists(1, 5)), "P@5", policy="ties=expectation,depth=3").summary()


@engines
def test_the_runs_own_ranks(engine: str) -> None:
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
    for given, policy in ((frame, "ties=rank"), (frame.drop("score"), None), (frame.drop("score"), "ties=rank")):
        assert_same(values(ir.evaluate(judged, given, "AP", policy=policy, engine=engine)), expected, 1e-9)
    with_scores = values(ir.evaluate(judged, frame, "AP", engine=engine))
    assert any(abs(with_scores[k] - expected[k]) > 0.1 for k in expected)


def test_ranks_that_are_not_there() -> None:
    with pytest.raises(NotDefined, match=r"rank column(.|\n)*scan_run\(path, rank=True\)"):
        ir.evaluate(*frames(*lists(1, 5)), "AP", policy="ties=rank").summary()


@engines
@pytest.mark.parametrize("ties", ["trec_eval", "doc_id"])
def test_bytes_decide_between_texts(ties: str, engine: str) -> None:
    """Capital letters before small ones, no matter what a locale says."""
    docs = ["a", "B", "Z", "z", "é", "\U0001f600", "\uffee"]
    order = sorted(docs, key=str.encode, reverse=ties == "trec_eval")
    run = pl.DataFrame({"query_id": "q", "doc_id": docs, "score": 1.0})
    for rank, doc in enumerate(order, start=1):
        qrels = pl.DataFrame({"query_id": ["q"], "doc_id": [doc], "relevance": [1]})
        assert ir.evaluate(qrels, run, "RR", policy=f"ties={ties}", engine=engine).summary()[
            "value"
        ].item() == pytest.approx(1 / rank)


@engines
def test_integers_are_compared_as_numbers(engine: str) -> None:
    run = pl.DataFrame({"query_id": 1, "doc_id": [9, 10, -3], "score": 1.0})
    for rank, doc in enumerate([10, 9, -3], start=1):
        qrels = pl.DataFrame({"query_id": [1], "doc_id": [doc], "relevance": [1]})
        assert ir.evaluate(qrels, run, "RR", engine=engine).summary()["value"].item() == pytest.approx(1 / rank)


@engines
@pytest.mark.parametrize("precision, rr", [(64, 1.0), (32, 0.5)])
def test_scores_that_only_doubles_tell_apart(precision: int, rr: float, engine: str) -> None:
    for high, low in ((0.50000002, 0.50000001), (16777217.0, 16777216.0), (2e39, 1e39)):
        run = pl.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": [high, low]})
        qrels = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})
        assert (
            ir.evaluate(qrels, run, "RR", policy={"precision": precision}, engine=engine).summary()["value"].item()
            == rr
        )


@engines
def test_zero_has_no_sign(engine: str) -> None:
    for scores in ([0.0, -0.0], [-0.0, 0.0]):
        run = pl.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": scores})
        qrels = pl.DataFrame({"query_id": ["q"], "doc_id": ["b"], "relevance": [1]})
        assert ir.evaluate(qrels, run, "RR", engine=engine).summary()["value"].item() == 1.0
        assert ir.evaluate(qrels, run, "P@1", policy="ties=expectation", engine=engine).summary()["value"].item() == 0.5


@engines
@pytest.mark.parametrize("dtype, least", [(pl.Int64, 2**53), (pl.Int64, 2**60), (pl.UInt64, 2**63)])
def test_whole_scores_that_floats_confuse_are_refused(dtype: pl.DataType, least: int, engine: str) -> None:
    """Of two scores the larger stands first; ties that no one wrote are no ties."""
    run = pl.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": pl.Series([least + 1, least], dtype=dtype)})
    qrels = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})
    with pytest.raises(InvalidValue, match=rf"'score' holds {least}; floats do not tell(.|\n)*rank"):
        ir.evaluate(qrels, run, "RR", engine=engine).summary()
    fewer = run.with_columns(pl.col("score") - (least - 2**53 + 2))
    assert ir.evaluate(qrels, fewer, "RR", engine=engine).summary()["value"].item() == 1.0
    # Who takes 32 bits has chosen so.
    assert ir.evaluate(qrels, run, "RR", policy="precision=32", engine=engine).summary()["value"].item() == 0.5
