"""What may be handed in, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidValue,
    IrevalError,
    MismatchedTables,
    MissingColumn,
    NothingInCommon,
    OverlapWarning,
    WrongType,
)
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
NUGGETS, ASSIGNMENTS, ANSWERS = ir.examples.nuggets()
EXPECTED = {"NuggetRecall": 0.5625, "NuggetRecall(level='vital', strict=True)": 0.25, "NumNuggets": 3.0}


def summary(nuggets: Any = NUGGETS, labels: Any = ASSIGNMENTS, *more: Any, measures: str = "A V_strict NumNuggets",
            **options: Any) -> Any:  # fmt: skip
    rows = ir.Nuggets(nuggets, labels, *more, **options).evaluate(measures).summary()
    return dict(rows.select("measure", "value").rows())


@engines
def test_files_names_and_types(engine: str, tmp_path: Path) -> None:
    NUGGETS.write_csv(tmp_path / "nuggets.csv")
    ASSIGNMENTS.write_csv(tmp_path / "labels.csv")
    assert summary(tmp_path / "nuggets.csv", tmp_path / "labels.csv", engine=engine) == EXPECTED
    turned = ASSIGNMENTS.rename({"label": "assignment", "query_id": "qid"}).reverse()
    assert summary(NUGGETS.cast({"importance": pl.Categorical}), turned, engine=engine) == EXPECTED
    mine = {"query": "q", "nugget": "n", "importance": "kind", "label": "said"}
    renamed = NUGGETS.rename({"query_id": "q", "nugget_id": "n", "importance": "kind"})
    labels = ASSIGNMENTS.rename({"query_id": "q", "nugget_id": "n", "label": "said"})
    assert summary(renamed, labels, engine=engine, **mine) == EXPECTED
    assert summary(NUGGETS.with_columns(weight=2.0), engine=engine, measures="NuggetRecall(level='pyramid')") == {
        "NuggetRecall(level='pyramid')": 0.5625
    }


@engines
def test_several_judges(engine: str) -> None:
    other = ASSIGNMENTS.with_columns(label=pl.lit("support"))
    both = pl.concat([ASSIGNMENTS.with_columns(judge=pl.lit("a")), other.with_columns(judge=pl.lit("b"))])
    subject = ir.Nuggets(NUGGETS, both, engine=engine)
    assert subject.evaluate("A").summary()["value"].item() == pytest.approx((0.5625 + 1) / 2)
    assert subject.credits()["credit"].to_list() == [1.0, 0.75, 0.5, 1.0, 0.5, 1.0]
    rows = subject.ratings().evaluate("PercentAgreement KrippendorffAlpha").summary()
    assert rows["value"][0] == pytest.approx(3 / 6)
    assert subject.ratings(by="query_id").evaluate("PercentAgreement").summary()["value"].to_list() == [0.5, 0.5]
    third = pl.concat([both, other.with_columns(judge=pl.lit("c"))])
    panel = ir.Nuggets(NUGGETS, third, engine=engine).consensus("majority")
    assert panel.columns == ["query_id", "nugget_id", "label"]
    assert ir.Nuggets(NUGGETS, panel, engine=engine).evaluate("A").summary()["value"].item() == 1.0
    with pytest.raises(MissingColumn, match=r"no column of judges(.|\n)*judge="):
        ir.Nuggets(NUGGETS, ASSIGNMENTS, engine=engine).ratings()


@engines
def test_passages_become_judgments_with_subtopics(engine: str) -> None:
    passages = pl.concat([
        ASSIGNMENTS.with_columns(doc_id=pl.lit("d1")),
        ASSIGNMENTS.with_columns(doc_id=pl.lit("d2"), label=pl.lit("not_support")),
    ])  # fmt: skip
    subject = ir.Nuggets(NUGGETS, passages, run="doc_id", engine=engine)
    qrels = subject.qrels()
    assert qrels.columns == ["query_id", "doc_id", "subtopic_id", "relevance"]
    assert qrels.filter(doc_id="d1")["relevance"].to_list() == [1, 1, 0, 1, 0, 1]
    assert qrels.filter(doc_id="d2")["relevance"].to_list() == [0] * 6
    assert subject.qrels(strict=True, level="vital").filter(doc_id="d1")["relevance"].to_list() == [1, 0, 0]
    run = pl.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["d2", "d1", "d1"], "score": [2.0, 1.0, 1.0]})
    values = ir.Rankings(qrels, run).evaluate("StRecall@1 StRecall@2").per_unit().sort("query_id", "measure")["value"]
    assert values.to_list() == [0.0, 1.0, 1.0, 1.0]
    with pytest.raises(MissingColumn, match=r'no column of passages(.|\n)*run="doc_id"'):
        ir.Nuggets(NUGGETS, ASSIGNMENTS, engine=engine).qrels()


@engines
def test_answers_and_missing_ones(engine: str) -> None:
    """An answer that is known from the answers table, and has no labels, supports nothing."""
    labels = ASSIGNMENTS.filter(query_id="q1").with_columns(run_id=pl.lit("a"))
    answers = pl.DataFrame({"run_id": ["a", "a", "b"], "query_id": ["q1", "q2", "q2"], "length": [400, 80, 90]})
    skip = {"engine": engine, "policy": "missing=skip,overlap=allow"}
    values = ir.Nuggets(NUGGETS, labels, **skip).evaluate("A").per_unit()["value"]
    assert values.to_list() == [0.625, None]
    values = ir.Nuggets(NUGGETS, labels, answers, **skip).evaluate("A").per_unit()
    assert values.select("run_id", "query_id", "value").rows() == [
        ("a", "q1", 0.625), ("a", "q2", 0.0), ("b", "q1", None), ("b", "q2", 0.0),
    ]  # fmt: skip
    with pytest.raises(MismatchedTables, match=r"1 query has no answer, such as 'q1' of run 'b'(.|\n)*missing=zero"):
        summary(NUGGETS, labels, answers, engine=engine, policy="missing=error,overlap=allow")
    with pytest.raises(MismatchedTables, match=r"4 nuggets have no label(.|\n)*unassigned=not_support"):
        summary(NUGGETS, labels, answers, engine=engine, policy="unassigned=error,overlap=allow")
    counted = ir.Nuggets(NUGGETS, labels, answers, **skip).evaluate("A").explain(counts=True)
    assert "[1 queries]" in counted
    assert "[4 nuggets]" in counted
    with pytest.raises(MismatchedTables, match="assignments table has a column of runs, and the answers"):
        summary(NUGGETS, labels, answers.drop("run_id"), engine=engine)


@pytest.mark.parametrize(
    "nuggets, labels, answers, measures, error, message",
    [
        (NUGGETS.drop("importance"), ASSIGNMENTS, None, "V", MissingColumn, 'importance="their_name"'),
        (NUGGETS, ASSIGNMENTS, None, "NuggetRecall(level='pyramid')", MissingColumn, "ir.nuggets.pyramid"),
        (NUGGETS, ASSIGNMENTS, None, "NuggetF", MissingColumn, 'answers="answers.csv"'),
        (NUGGETS, ASSIGNMENTS, ANSWERS.rename({"length": "words"}), "NuggetF", MissingColumn, "no column 'length'"),
        (NUGGETS, ASSIGNMENTS, pl.concat([ANSWERS] * 2), "A", DuplicateRows, "has 2 rows in the answers table; 2"),
        (NUGGETS, ASSIGNMENTS, ANSWERS.with_columns(length=-1), "A", InvalidValue, "2 answers .* have the length -1"),
        (pl.concat([NUGGETS] * 2), ASSIGNMENTS, None, "A", DuplicateRows, "2 rows of the nuggets table; 6 nuggets"),
        (NUGGETS, pl.concat([ASSIGNMENTS] * 2), None, "A", DuplicateRows, r'2 labels for(.|\n)*run="run_id", judge='),
        (NUGGETS.head(4), ASSIGNMENTS.with_columns(query_id=pl.lit("q1"), nugget_id=pl.int_range(6)), None, "A",
         MismatchedTables, "2 rows label nuggets that the nuggets table has not, such as [05] of query 'q1'"),
        (NUGGETS, ASSIGNMENTS.with_columns(label=pl.lit("yes")), None, "A", InvalidValue,
         r"holds 'yes' in 6 rows; allowed: support, partial_support, not_support(.|\n)*replace"),
        (NUGGETS, ASSIGNMENTS.with_columns(label=pl.lit("failed")), None, "A", InvalidValue, "failed=not_support"),
        (NUGGETS, ASSIGNMENTS.with_columns(label=None), None, "A", InvalidValue, "holds None in 6 rows"),
        (NUGGETS.with_columns(importance=pl.lit("high")), ASSIGNMENTS, None, "A", InvalidValue, "allowed: vital, okay"),
        (NUGGETS.with_columns(weight=-1.0), ASSIGNMENTS, None, "A", InvalidValue, "weights must be finite"),
        (NUGGETS, ASSIGNMENTS.with_columns(label=1), None, "A", WrongType, "must hold text"),
        (NUGGETS.with_columns(importance=1), ASSIGNMENTS, None, "A", WrongType, "must hold text"),
        (NUGGETS, ASSIGNMENTS.cast({"nugget_id": pl.String}), None, "A", MismatchedTables, "assignments table is Str"),
        (NUGGETS, ASSIGNMENTS.with_columns(nugget_id=None), None, "A", IrevalError, "6 rows have no nugget"),
        (NUGGETS, ASSIGNMENTS.with_columns(query_id=pl.lit("x")), None, "A", NothingInCommon, "No query of the nugg"),
        (NUGGETS, ASSIGNMENTS.drop("label"), None, "A", MissingColumn, "label"),
        (NUGGETS.clear(), ASSIGNMENTS, None, "A", NothingInCommon, "No query of the nuggets table"),
    ],
)  # fmt: skip
@engines
def test_errors(engine: str, nuggets: Any, labels: Any, answers: Any, measures: str, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        summary(nuggets, labels, answers, measures=measures, engine=engine)


@pytest.mark.parametrize(
    "frame, error, message",
    [
        (NUGGETS.drop("importance"), MissingColumn, 'importance="their_name"'),
        (NUGGETS.with_columns(importance=pl.lit("must")), InvalidValue, "holds 'must' in 6 rows; allowed: vital, okay"),
        (NUGGETS.with_columns(importance=1), InvalidValue, "holds 1 in 6 rows; allowed: vital, okay"),
        (NUGGETS.with_columns(nugget_id=None), InvalidValue, "'nugget_id' of the nuggets table is null in 6 rows"),
        (pl.concat([NUGGETS.with_columns(judge=1)] * 2), DuplicateRows, "assessor 1 has several rows for nugget 1"),
    ],
)
def test_errors_of_pyramids(frame: pl.DataFrame, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        ir.nuggets.pyramid(frame)


@engines
def test_nuggets_without_a_label_are_reported(engine: str) -> None:
    """Where no label says that a nugget is not supported, those that are absent do."""
    some = ASSIGNMENTS.head(5)
    with pytest.warns(OverlapWarning, match="1 of 6 nuggets have no label for an answer, and count as not supported"):
        assert summary(NUGGETS, some, engine=engine)["NuggetRecall"] == pytest.approx((0.625 + 0) / 2)
    twice = pl.concat([some.with_columns(judge=pl.lit(j)) for j in "ab"])
    with pytest.warns(OverlapWarning, match="1 of 6 nuggets have no label"):
        summary(NUGGETS, twice, engine=engine)
    only_supported = ASSIGNMENTS.filter(pl.col("label") != "not_support")
    assert summary(NUGGETS, only_supported, engine=engine) == EXPECTED


def test_names_of_trec_rag() -> None:
    assert ir.nuggets.V_strict == ir.nuggets.NuggetRecall(level="vital", strict=True)
    assert str(ir.nuggets.W) == "NuggetRecall(level='weighted')"
    lower = ir.Nuggets(NUGGETS, ASSIGNMENTS).evaluate("v_STRICT A(strict=True)").measures
    assert [str(m) for m in lower] == ["NuggetRecall(level='vital', strict=True)", "NuggetRecall(strict=True)"]


def hint_of(error: pytest.ExceptionInfo[Any], **frames: pl.DataFrame) -> pl.DataFrame:
    """What the line of an error makes."""
    line = str(error.value).split(": ")[-1].split("; ")[0].strip().rstrip(".")
    frame: pl.DataFrame = eval(line, {"pl": pl, **frames})
    return frame


MINE = {"query_id": "qid", "nugget_id": "fact"}


def test_lines_to_write_are_in_the_users_names() -> None:
    nuggets, labels = NUGGETS.rename(MINE), ASSIGNMENTS.rename(MINE)
    answers = pl.DataFrame({"qid": ["q1", "q1", "q2"], "num_characters": [3.0, 3.0, float("inf")]})
    names = {"query": "qid", "nugget": "fact"}
    with pytest.raises(DuplicateRows, match="Keep one") as error:
        ir.Nuggets(pl.concat([nuggets, nuggets]), labels, **names).evaluate("A").summary()
    assert str(error.value).count("nuggets.unique(['qid', 'fact'])") == 1
    with pytest.raises(MismatchedTables, match="Add the nuggets") as error:
        ir.Nuggets(nuggets.head(5), labels, **names).evaluate("A").summary()
    line = str(error.value).split("leave the rows out: ")[1]
    assert eval(line, {"assignments": labels, "nuggets": nuggets.head(5)}).height == 5
    with pytest.raises(DuplicateRows, match="rows in the answers table") as error:
        ir.Nuggets(nuggets, labels, answers, **names).evaluate("NuggetF").summary()
    one_each = hint_of(error, answers=answers)
    assert one_each.height == 2
    with pytest.raises(InvalidValue, match="the length inf") as error:
        ir.Nuggets(nuggets, labels, one_each, **names).evaluate("NuggetF").summary()
    assert hint_of(error, answers=one_each)["qid"].to_list() == ["q1"]
    judged = labels.with_columns(judge=pl.lit("x"), run_id=pl.lit("a"))
    with pytest.raises(DuplicateRows, match="labels of judge 'x'") as error:
        ir.Nuggets(nuggets, pl.concat([judged, judged]), **names).evaluate("A").summary()
    assert hint_of(error, assignments=pl.concat([judged, judged])).height == 6


def test_queries_that_are_not_named_are_called_queries() -> None:
    with pytest.raises(InvalidValue, match="of queries that documents= does not name: 'q2'"):
        ir.Nuggets(NUGGETS, ASSIGNMENTS, documents=["q1"]).evaluate("A").summary()


@engines
def test_agreement_by_runs_and_without_failed_labels(engine: str) -> None:
    """The third judge differs in run b, and failed on query q2."""
    other = pl.when(run_id="b").then(pl.lit("support")).otherwise("label")
    third = pl.when(query_id="q2").then(pl.lit("failed")).otherwise(other)
    of = {"x": pl.col("label"), "y": pl.col("label"), "z": third}
    labels = pl.concat([ASSIGNMENTS.with_columns(run_id=pl.lit(run)) for run in "ab"])
    judged = pl.concat([labels.with_columns(judge=pl.lit(judge), label=label) for judge, label in of.items()])
    subject = ir.Nuggets(NUGGETS, judged, policy="failed=skip", engine=engine)
    rows = subject.ratings(by="run").evaluate("PercentAgreement").summary().select("run", "value").rows()
    assert rows == [("a", 1.0), ("b", pytest.approx((4 + 2 / 3) / 6))]
    panel = subject.consensus("dawid-skene")
    assert panel.height == 12
    assert "failed" not in panel["label"].to_list()
    harsh = ir.Nuggets(NUGGETS, judged, policy="failed=not_support", engine=engine).ratings(by="query_id")
    assert harsh.evaluate("PercentAgreement").summary().filter(query_id="q2")["value"].item() == pytest.approx(2 / 3)


def test_tables_that_are_exchanged() -> None:
    with pytest.raises(MissingColumn, match="exchanged: write the table of nuggets first, then that of assignments"):
        summary(ASSIGNMENTS, NUGGETS)
