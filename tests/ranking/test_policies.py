"""Each policy against the oracle, for every measure."""

from __future__ import annotations

import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MismatchedTables, UnknownName
from ireval_frames.ranking import RankingPolicy
from tests.contract.kit import ENGINES, assert_same, by_measure
from tests.ranking.suite import CASES, FIRST, RANKINGS, evaluated, expected

engines = pytest.mark.parametrize("engine", ENGINES)

# Policies, and the options of the oracle.
POLICIES = {
    "ties=doc_id": {"ties": "doc_id"},
    "precision=32": {"precision": 32},
    "missing=skip": {"missing": "skip"},
    "depth=1": {"depth": 1},
    "depth=4": {"depth": 4},
    "depth=1000": {"depth": 1000},
    "unjudged=skip": {"judged_only": True},
    "no_relevant=null": {"no_relevant": "null"},
    "depth=5,unjudged=skip,ties=doc_id,missing=skip": {
        "depth": 5,
        "judged_only": True,
        "ties": "doc_id",
        "missing": "skip",
    },
}


@pytest.mark.parametrize("policy", POLICIES)
def test_equals_the_oracle(policy: str) -> None:
    # Policies alternate between the cases; DuckDB computes every second measure.
    position = list(POLICIES).index(policy) % 2
    case = list(CASES.values())[position]
    values_expected = {measure: expected(case, measure, **POLICIES[policy]) for measure in FIRST}
    for engine, measures in (("polars", FIRST), ("duckdb", FIRST[position::2])):
        actual = by_measure(evaluated(case, measures, engine, policy=policy))
        for measure in measures:
            assert_same(actual[str(measure)], values_expected[measure], 1e-12)


@engines
def test_queries_without_relevant_documents_are_skipped(engine: str) -> None:
    """Measures share a table of units: a query remains if it has a document of grade 1."""
    case = CASES["text"]
    actual = by_measure(evaluated(case, FIRST, engine, policy="no_relevant=skip"))
    queries = {q for q, docs in case.qrels.items() if max(docs.values()) >= 1}
    assert 0 < len(queries) < len(case.qrels)
    for measure in FIRST:
        expected = {key: value for key, value in RANKINGS.expected("text", measure).items() if key[2] in queries}
        assert_same(actual[str(measure)], expected, 1e-9)


@engines
@pytest.mark.parametrize("rule", ["trec_eval-10", "trec_eval-9", "exact"])
def test_interpolation(rule: str, engine: str) -> None:
    measures = (
        [ir.IPrec @ (i / 20) for i in range(21)] + [ir.IAP(rel=r) for r in (1, 2)] + [ir.IAP(recalls=[0.25, 0.35, 0.5])]
    )
    for case in CASES.values():
        actual = by_measure(evaluated(case, measures, engine, policy={"interpolation": rule}))
        for measure in measures:
            assert_same(actual[str(measure)], expected(case, measure, rule=rule.removeprefix("trec_eval-")), 1e-9)


@engines
def test_undefined_ratios(engine: str) -> None:
    """`declared` uses the measure's value; `null` is null without documents or relevant ones to divide by."""
    case = CASES["text"]
    declared = by_measure(evaluated(case, FIRST, engine))
    null = by_measure(evaluated(case, FIRST, engine, policy="undefined=null"))
    for measure in FIRST:
        for key, value in null[str(measure)].items():
            if value is None:
                assert not declared[str(measure)][key], (key, declared[str(measure)][key])
            else:
                assert value == pytest.approx(declared[str(measure)][key], rel=1e-12), key
    empty = next(k for k, v in declared["NumRet"].items() if v == 0)
    assert null["SetP"]["SetP", *empty[1:]] is None


@engines
def test_error_policies(engine: str) -> None:
    case = CASES["text"]
    qrels, run = case.qrels_frame(), case.run_frame("run0")
    for policy, message in {
        "unknown=error": r"queries of the run have no judgments",
        "missing=error": r"judged queries are missing from the run",
        "unjudged=error": r"retrieved documents have no judgment",
    }.items():
        evaluation = ir.evaluate(qrels, run, "AP", policy=policy, engine=engine)
        with pytest.raises(MismatchedTables, match=message):
            evaluation.summary()


@engines
@pytest.mark.parametrize("policy", ["unknown=error", "missing=error", "unjudged=error"])
def test_error_policies_without_errors(policy: str, engine: str) -> None:
    case = CASES["text"]
    run = case.run_frame("run0")
    run = run.join(case.qrels_frame(), on=["query_id", "doc_id"], how="semi")
    qrels = case.qrels_frame().join(run, on="query_id", how="semi")
    assert ir.evaluate(qrels, run, "NumRelRet", policy=policy, engine=engine).summary()["value"].item() > 0


def test_the_default_is_trec_eval_10() -> None:
    assert (
        RankingPolicy.named("trec_eval-10")
        == RankingPolicy()
        == RankingPolicy.of(None)
        == RankingPolicy.of("")
        == RankingPolicy.of({})
    )


def test_the_preset_of_version_9() -> None:
    assert RankingPolicy.of("trec_eval-9") == RankingPolicy(precision=32, interpolation="trec_eval-9")
    assert RankingPolicy.of("trec_eval-9,depth=100,ties=rank") == RankingPolicy(
        precision=32, interpolation="trec_eval-9", depth=100, ties="rank"
    )


@pytest.mark.parametrize("invalid, error", [
    ("trec_eval-11", UnknownName), ("tie=rank", UnknownName), ({"tie": "rank"}, UnknownName),
    ("ties=docid", InvalidParameter), ("depth=0", InvalidParameter), ("depth=ten", InvalidParameter),
    ({"depth": True}, InvalidParameter),
    ({"depth": 2.0}, InvalidParameter), ({"precision": "32"}, InvalidParameter), ({"precision": 16}, InvalidParameter),
])  # fmt: skip
def test_invalid_policies(invalid: object, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"trec_eval|ties|depth|precision"):
        ir.Rankings(CASES["text"].qrels_frame(), CASES["text"].run_frame(), policy=invalid)


def test_curve_of_all_ranks_follows_the_policy_for_unjudged():
    qrels, run = ir.examples.ranking()
    removed = ir.Rankings(qrels, run, policy="unjudged=skip").curve("precision-recall")
    assert removed.equals(ir.Rankings(qrels, run).curve("precision-recall", judged_only=True))
    assert removed["precision"].to_list() == [1.0, 1 / 2, 2 / 3, 2 / 4]


def test_explanations_of_values() -> None:
    qrels, run = ir.examples.ranking()
    text = ir.evaluate(qrels, run, "AP", policy="missing=skip,depth=7").explain()
    assert "Judged queries without a list in the run are left out." in text
    assert "Only the first 7 documents of a query count." in text
    assert "count zero" not in text.split("missing =")[1].split("unknown =")[0]
