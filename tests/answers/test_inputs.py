"""What may be handed in, what is refused, and the policies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    IrevalError,
    MismatchedTables,
    MissingColumn,
    NothingInCommon,
    WrongType,
)
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
GOLD, PREDICTED = ir.examples.answers()
ROWS = GOLD.explode("answer", empty_as_null=True)
EXPECTED = {"ExactMatch": 0.6, "TokenF1": 0.7, "NumAnswers": 1.4}


def summary(gold: Any = GOLD, predicted: Any = PREDICTED, measures: str = " ".join(EXPECTED), **options: Any) -> Any:
    rows = ir.Answers(gold, predicted, **options).evaluate(measures).summary()
    return dict(rows.select("measure", "value").rows())


@engines
def test_lists_rows_names_and_types(engine: str, tmp_path: Path) -> None:
    ROWS.write_csv(tmp_path / "gold.csv")
    GOLD.write_ndjson(tmp_path / "gold.jsonl")
    turned = ROWS.sample(fraction=1, shuffle=True, seed=1)
    others = GOLD.rename({"query_id": "id", "answer": "answers"})
    for gold in (
        ROWS, turned, pl.concat([ROWS, ROWS]), others, ROWS.cast({"answer": pl.Categorical}),
        GOLD.cast({"answer": pl.List(pl.Categorical)}),
        tmp_path / "gold.csv", tmp_path / "gold.jsonl",
    ):  # fmt: skip
        assert summary(gold, engine=engine) == pytest.approx(EXPECTED)
    mine = {"query": "q", "answer": "right", "prediction": "said"}
    renamed = GOLD.rename({"query_id": "q", "answer": "right"}), PREDICTED.rename({"query_id": "q", "answer": "said"})
    assert summary(*renamed, engine=engine, **mine) == pytest.approx(EXPECTED)
    both = GOLD.rename({"answer": "right"}), PREDICTED.rename({"answer": "right"})
    assert summary(*both, engine=engine, answer="right") == pytest.approx(EXPECTED)
    # A table of predictions that has the gold answers, too.
    beside = PREDICTED.select("query_id", predicted="answer", answer=pl.lit("gold"))
    assert summary(predicted=beside, engine=engine) == pytest.approx(EXPECTED)
    # Nobody has an answer: lists without a type.
    assert summary(GOLD.select("query_id", answer=[]), engine=engine, measures="NumAnswers") == {"NumAnswers": 0.0}
    # An answer that is null is none.
    nulls = PREDICTED.with_columns(answer=pl.when(pl.col("answer") != "").then("answer"))
    assert summary(predicted=nulls, engine=engine) == pytest.approx(EXPECTED)


@engines
def test_groups_are_those_of_the_gold(engine: str) -> None:
    grouped = GOLD.with_columns(kind=pl.Series([*"aabbb"]))
    ev = ir.Answers(grouped, PREDICTED, by="kind", engine=engine).evaluate("ExactMatch")
    assert ev.summary().select("kind", "value", "n_units").rows() == [("a", 0.5, 2), ("b", pytest.approx(2 / 3), 3)]
    assert ev.coverage().rows() == [("a", 2, 2, 2, 2), ("b", 3, 3, 3, 3)]
    one_more = pl.concat([PREDICTED, pl.DataFrame({"query_id": ["q9"], "answer": ["x"]})])
    ev = ir.Answers(GOLD, one_more, engine=engine).evaluate("ExactMatch")
    with pytest.warns(ir.errors.OverlapWarning, match="1 of 6 queries of the predicted are not in the gold: 'q9'"):
        rows = ev.summary()
    assert rows["n_units"].to_list() == [5]
    assert ev.coverage().rows() == [(5, 5, 6, 5)]


@engines
def test_documents_and_their_weights(engine: str) -> None:
    queries = pl.DataFrame({"query_id": ["q1", "q2", "q3", "q4", "q5", "q6"], "weight": [1.0, 2, 1, 1, 1, 4]})
    weighted = summary(documents=queries, engine=engine, measures="ExactMatch ExactMatch(aggregation='sum')")
    # A query that neither table has is not answered, and has no answer.
    assert weighted == {"ExactMatch": 0.3, "ExactMatch(aggregation='sum')": 3.0}
    empty = summary(documents=queries, engine=engine, policy="missing=empty", measures="ExactMatch")
    assert empty == {"ExactMatch": 0.7}
    with pytest.raises(InvalidValue, match="1 row of the gold table is of queries that documents= does not name"):
        summary(documents=["q1", "q2", "q3", "q4"], gold=ROWS, engine=engine)
    twice = pl.concat([queries, queries])
    kinds = queries.with_columns(weight=1.0, kind=pl.Series([*"aaabbb"]))
    once = ir.Answers(GOLD, PREDICTED, documents=kinds, by="kind", engine=engine).evaluate("TokenF1").summary()
    assert once["value"].to_list() == [pytest.approx(2.5 / 3), pytest.approx(1 / 3)]
    with pytest.raises(InvalidValue, match="names 'q1' 2 times"):
        summary(documents=twice.sort("query_id").head(2), gold=GOLD.head(1), predicted=PREDICTED.head(1), engine=engine)


@engines
def test_policies(engine: str) -> None:
    one = pl.DataFrame({"query_id": ["a", "b", "c"], "answer": [["A", "B"], [], ["x"]]})
    said = pl.DataFrame({"query_id": ["a", "b"], "answer": ["the", "no answer"]})

    def values(policy: str) -> list[float | None]:
        ev = ir.Answers(one, said, policy=policy, engine=engine).evaluate("TokenF1")
        return ev.per_unit()["value"].to_list()

    # "A" is nothing without its article, and so is the answer "the".
    assert values("golds=drop") == [0.0, 0.0, 0.0]
    assert values("golds=keep") == [1.0, 0.0, 0.0]
    assert values("golds=keep,empty=zero") == [0.0, 0.0, 0.0]
    assert values("missing=skip") == [0.0, 0.0, None]
    assert values("squad-1.1") == [0.0, 0.0, 0.0]
    assert values("squad-2.0") == [0.0, 0.0, None]
    counted = ir.Answers(one, said, engine=engine).evaluate("TokenF1").explain(counts=True)
    assert "missing = zero  [1 queries]  (SQuAD 1.1)" in counted
    with pytest.raises(MismatchedTables, match=r"1 query has no predicted answer, such as 'c'.(.|\n)*missing=zero"):
        values("missing=error")


@pytest.mark.parametrize(
    "gold, predicted, options, error, message",
    [
        (GOLD.with_columns(answer=1), PREDICTED, {}, WrongType, "'answer' of the gold table is Int32; it must hold"),
        (
            GOLD.select("query_id", answers=pl.struct(text="answer")), PREDICTED, {}, WrongType,
            'pl.col("answers").struct.field("text").alias("answer")',
        ),
        (GOLD, PREDICTED.with_columns(answer=["x"]), {}, WrongType, 'pl.col("answer").list.first()'),
        (GOLD, PREDICTED.rename({"answer": "said"}), {}, MissingColumn, 'columns={"prediction": "said"}'),
        (GOLD, pl.concat([PREDICTED, PREDICTED]), {}, DuplicateRows, "has 2 predicted answers"),
        (GOLD, PREDICTED.with_columns(query_id="answer"), {}, NothingInCommon, "No query of the gold table"),
        (GOLD, PREDICTED, {"by": "kind"}, MissingColumn, "no column 'kind'"),
        (GOLD, PREDICTED, {"by": "f1"}, InvalidParameter, "f1"),
        (GOLD, PREDICTED, {"policy": "golds=some"}, InvalidParameter, "allowed: drop, keep"),
        (GOLD.with_columns(query_id=None), PREDICTED, {}, IrevalError, "no query: column 'query_id' is null"),
    ],
)  # fmt: skip
@engines
def test_errors(engine: str, gold: Any, predicted: Any, options: Any, error: Any, message: str) -> None:
    with pytest.raises(error) as raised:
        summary(gold, predicted, engine=engine, **options)
    assert message in str(raised.value)


def test_parameters() -> None:
    with pytest.raises(InvalidParameter, match="normalize of TokenF1 is 'squat'"):
        summary(measures="TokenF1(normalize='squat')")
    with pytest.raises(IrevalError, match="normalize is 'squat'"):
        ir.Answers(GOLD, PREDICTED).pairs(normalize="squat")


@engines
def test_several_systems(engine: str) -> None:
    """Each is evaluated on all queries; compared, stored and resampled as in other families."""
    runs = [PREDICTED.with_columns(run_id=pl.lit(r)) for r in "ab"]
    runs[1] = runs[1].with_columns(answer=pl.lit("gold"))
    ev = ir.Answers(GOLD, pl.concat(runs), engine=engine).evaluate("ExactMatch TokenF1")
    assert ev.summary()["value"].round(3).to_list() == [0.6, 0.7, 0.2, 0.2]
    assert ev.compare("a").table()["difference"].round(3).to_list() == [-0.4, -0.5]
    assert ir.Answers(GOLD, pl.concat(runs), engine=engine).pairs().columns[:3] == ["run_id", "query_id", "answer"]


def test_resampling_draws_queries() -> None:
    table = ir.resampling.bootstrap(ir.Answers(GOLD, PREDICTED), "ExactMatch BLEU(order=2)", n_resamples=30).table()
    assert table["value"].round(2).to_list() == [0.6, 46.77]
    assert (table["ci_low"] < table["value"]).all()
    assert (table["value"] < table["ci_high"]).all()


@engines
def test_tables_that_are_exchanged(engine: str) -> None:
    """Answers of several systems are not several gold answers of a query."""
    runs = pl.concat([PREDICTED.with_columns(system=pl.lit(r)) for r in "ab"])
    gold = GOLD.explode("answer", empty_as_null=True)
    with pytest.raises(InvalidValue, match=r"has 2 systems in its column 'system'(.|\n)*write the gold first"):
        summary(runs, gold.unique("query_id"), engine=engine)
    with pytest.raises(MissingColumn, match="look exchanged: write the table of gold first, then that of predicted"):
        summary(runs.rename({"answer": "response"}), gold.rename({"answer": "reference"}), engine=engine)
