"""Each convention against the oracle's, one at a time, for every measure."""

from __future__ import annotations

import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MismatchedTables, UnknownName
from ireval_frames.ranking import RankingPolicy
from tests.contract.kit import ENGINES, assert_same, by_measure
from tests.ranking.suite import CASES, FIRST, RANKINGS, evaluated, expected

engines = pytest.mark.parametrize("engine", ENGINES)

# RankingPolicy as we write it, and the same for the oracle.
SAME = {
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


@pytest.mark.parametrize("policy", SAME)
def test_equals_the_oracle(policy: str) -> None:
    # Every convention sees one of the cases, in turn; on DuckDB every second measure.
    turn = list(SAME).index(policy) % 2
    made = list(CASES.values())[turn]
    wanted = {measure: expected(made, measure, **SAME[policy]) for measure in FIRST}
    for engine, asked in (("polars", FIRST), ("duckdb", FIRST[turn::2])):
        found = by_measure(evaluated(made, asked, engine, policy=policy))
        for measure in asked:
            assert_same(found[str(measure)], wanted[measure], 1e-12)


@engines
def test_queries_without_relevant_documents_are_left_out(engine: str) -> None:
    """One table of units serves all measures: a query stays if it has a document of grade 1."""
    made = CASES["text"]
    found = by_measure(evaluated(made, FIRST, engine, policy="no_relevant=skip"))
    kept = {q for q, docs in made.qrels.items() if max(docs.values()) >= 1}
    assert 0 < len(kept) < len(made.qrels)
    for measure in FIRST:
        expected = {key: value for key, value in RANKINGS.expected("text", measure).items() if key[2] in kept}
        assert_same(found[str(measure)], expected, 1e-9)


@engines
@pytest.mark.parametrize("rule", ["trec_eval-10", "trec_eval-9", "exact"])
def test_interpolation(rule: str, engine: str) -> None:
    measures = (
        [ir.IPrec @ (i / 20) for i in range(21)] + [ir.IAP(rel=r) for r in (1, 2)] + [ir.IAP(recalls=[0.25, 0.35, 0.5])]
    )
    for made in CASES.values():
        found = by_measure(evaluated(made, measures, engine, policy={"interpolation": rule}))
        for measure in measures:
            assert_same(found[str(measure)], expected(made, measure, rule=rule.removeprefix("trec_eval-")), 1e-9)


@engines
def test_undefined_ratios(engine: str) -> None:
    """Declared: what the measure says. Null: nothing, where there is no document or no relevant one to divide by."""
    made = CASES["text"]
    declared = by_measure(evaluated(made, FIRST, engine))
    null = by_measure(evaluated(made, FIRST, engine, policy="undefined=null"))
    for measure in FIRST:
        for key, value in null[str(measure)].items():
            if value is None:
                assert not declared[str(measure)][key], (key, declared[str(measure)][key])
            else:
                assert value == pytest.approx(declared[str(measure)][key], rel=1e-12), key
    empty = next(k for k, v in declared["NumRet"].items() if v == 0)
    assert null["SetP"]["SetP", *empty[1:]] is None


@engines
def test_errors_instead(engine: str) -> None:
    made = CASES["text"]
    qrels, run = made.qrels_frame(), made.run_frame("run0")
    for policy, said in {
        "unknown=error": r"queries of the run have no judgments",
        "missing=error": r"judged queries are missing from the run",
        "unjudged=error": r"retrieved documents have no judgment",
    }.items():
        evaluation = ir.evaluate(qrels, run, "AP", policy=policy, engine=engine)
        with pytest.raises(MismatchedTables, match=said):
            evaluation.summary()


@engines
@pytest.mark.parametrize("policy", ["unknown=error", "missing=error", "unjudged=error"])
def test_no_error_where_there_is_nothing_to_say(policy: str, engine: str) -> None:
    made = CASES["text"]
    run = made.run_frame("run0")
    run = run.join(made.qrels_frame(), on=["query_id", "doc_id"], how="semi")
    qrels = made.qrels_frame().join(run, on="query_id", how="semi")
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


@pytest.mark.parametrize("wrong, error", [
    ("trec_eval-11", UnknownName), ("tie=rank", UnknownName), ({"tie": "rank"}, UnknownName),
    ("ties=docid", InvalidParameter), ("depth=0", InvalidParameter), ("depth=ten", InvalidParameter),
    ({"depth": True}, InvalidParameter),
    ({"depth": 2.0}, InvalidParameter), ({"precision": "32"}, InvalidParameter), ({"precision": 16}, InvalidParameter),
])  # fmt: skip
def test_policies_that_do_not_exist(wrong: object, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"trec_eval|ties|depth|precision"):
        ir.Rankings(CASES["text"].qrels_frame(), CASES["text"].run_frame(), policy=wrong)


def test_curve_of_all_ranks_follows_the_policy_for_unjudged():
    qrels, run = ir.examples.ranking()
    removed = ir.Rankings(qrels, run, policy="unjudged=skip").curve("precision-recall")
    assert removed.equals(ir.Rankings(qrels, run).curve("precision-recall", judged_only=True))
    assert removed["precision"].to_list() == [1.0, 1 / 2, 2 / 3, 2 / 4]


def test_the_sentence_of_the_value_in_force_is_told() -> None:
    qrels, run = ir.examples.ranking()
    text = ir.evaluate(qrels, run, "AP", policy="missing=skip,depth=7").explain()
    assert "Judged queries that the run lacks are left out." in text
    assert "Only the first 7 documents of a query count." in text
    assert "count zero" not in text.split("missing =")[1].split("unknown =")[0]
