"""Tables that cannot be meant are refused: the message names the table, the column, the first row and what to do."""

from __future__ import annotations

from collections.abc import Callable

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
    NotDefined,
    WrongType,
)
from tests.contract.kit import ENGINES
from tests.ranking.small import MEASURES, QRELS, RUN, right

engines = pytest.mark.parametrize("engine", ENGINES)
Change = Callable[[pl.DataFrame], pl.DataFrame]


def at(row: int, column: str, value: object) -> Change:
    """The table with one value changed."""
    return lambda frame: frame.with_columns(
        pl.when(pl.int_range(pl.len()) == row).then(pl.lit(value)).otherwise(pl.col(column)).alias(column)
    )


def same(frame: pl.DataFrame) -> pl.DataFrame:
    return frame


def more(*rows: int) -> Change:
    return lambda frame: pl.concat([frame, frame[list(rows)]])


CASES: list[tuple[str, Change, Change, type[Exception], str]] = [
    (
        "null score",
        same,
        at(2, "score", None),
        InvalidValue,
        r"'score' of the run table is null or NaN in 1 rows(.|\n)*query_id '1', doc_id '99'",
    ),
    (
        "NaN score",
        same,
        at(6, "score", float("nan")),
        InvalidValue,
        r"'score' of the run table(.|\n)*query_id '4', doc_id '10'",
    ),
    (
        "null query of the run",
        same,
        at(0, "query_id", None),
        InvalidValue,
        r"'query_id' of the run table is null in 1 rows(.|\n)*doc_id '11'",
    ),
    (
        "null document of the run",
        same,
        at(4, "doc_id", None),
        InvalidValue,
        r"'doc_id' of the run table is null in 1 rows(.|\n)*query_id '2'",
    ),
    (
        "null grade",
        at(1, "relevance", None),
        same,
        InvalidValue,
        r"'relevance' of the qrels table(.|\n)*query_id '1', doc_id '11'",
    ),
    (
        "NaN grade",
        lambda f: at(3, "relevance", float("nan"))(f.cast({"relevance": pl.Float64})),
        same,
        InvalidValue,
        r"'relevance' of the qrels table",
    ),
    ("null judged query", at(4, "query_id", None), same, InvalidValue, r"'query_id' of the qrels table is null"),
    ("null judged document", at(4, "doc_id", None), same, InvalidValue, r"'doc_id' of the qrels table is null"),
    (
        "null run",
        same,
        lambda f: f.with_columns(run_id=pl.lit(None, dtype=pl.String)),
        InvalidValue,
        r"'run_id' of the run table is null in 7 rows",
    ),
    (
        "infinite grade",
        lambda f: at(4, "relevance", float("inf"))(f.cast({"relevance": pl.Float64})),
        same,
        InvalidValue,
        r"'relevance' of the qrels table(.|\n)*doc_id '30'",
    ),
    (
        "document twice",
        same,
        more(1),
        DuplicateRows,
        r"run(.|\n)*2 rows(.|\n)*query_id '1', doc_id '10'(.|\n)*duplicates=best",
    ),
    ("document twice in an unjudged query", same, more(6), DuplicateRows, r"query_id '4', doc_id '10'"),
    (
        "judgment twice",
        more(2),
        same,
        DuplicateRows,
        r"qrels judge 1 documents more than once \(2 rows\): query_id '1', doc_id '12'",
    ),
]


@engines
@pytest.mark.parametrize("qrels, run, error, said", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_data_errors_come_with_the_first_result(
    qrels: Change, run: Change, error: type[Exception], said: str, engine: str
) -> None:
    evaluation = ir.evaluate(qrels(QRELS), run(RUN), MEASURES, engine=engine)
    for _ in range(2):
        with pytest.raises(error, match=said):
            evaluation.summary()


@engines
def test_trusted_duplicates_are_not_looked_for(engine: str) -> None:
    right(ir.evaluate(QRELS, RUN, MEASURES, policy="duplicates=trust", engine=engine))
    ir.evaluate(QRELS, more(1)(RUN), MEASURES, policy="duplicates=trust", engine=engine).summary()


@engines
def test_one_document_in_two_queries_or_runs_is_no_duplicate(engine: str) -> None:
    run = pl.concat([RUN.with_columns(run_id=pl.lit(r)) for r in ("a", "b")])
    actual = ir.evaluate(QRELS, run, MEASURES, engine=engine).summary()
    assert actual.filter(run_id="a").drop("run_id").equals(actual.filter(run_id="b").drop("run_id"))


TYPES = [
    (
        QRELS.cast({"relevance": pl.String}),
        RUN,
        r"'relevance' of the qrels table is String; it must hold numbers(.|\n)*cast\(pl.Float64\)",
    ),
    (QRELS, RUN.cast({"score": pl.String}), r"'score' of the run table is String"),
    (
        QRELS.cast({"query_id": pl.Float64}),
        RUN,
        r"'query_id' of the qrels table is Float64; it must hold text or integers(.|\n)*cast\(pl.Int64\)",
    ),
    (QRELS, RUN.cast({"doc_id": pl.Float64}), r"'doc_id' of the run table is Float64"),
    (QRELS.with_columns(relevance=pl.col("relevance") > 0), RUN, r"'relevance' of the qrels table is Boolean"),
]


@engines
@pytest.mark.parametrize("qrels, run, said", TYPES)
def test_wrong_types_are_seen_at_once(qrels: pl.DataFrame, run: pl.DataFrame, said: str, engine: str) -> None:
    with pytest.raises(WrongType, match=said):
        ir.evaluate(qrels, run, MEASURES, engine=engine)


@engines
@pytest.mark.parametrize(
    "table, column",
    [
        ("qrels", "query_id"),
        ("qrels", "doc_id"),
        ("qrels", "relevance"),
        ("run", "query_id"),
        ("run", "doc_id"),
        ("run", "score"),
    ],
)
def test_missing_columns_are_seen_at_once(table: str, column: str, engine: str) -> None:
    qrels, run = (
        f.rename({column: "mine"}) if table == t and column in f.columns else f
        for t, f in (("qrels", QRELS), ("run", RUN))
    )
    with pytest.raises(MissingColumn, match=rf"{table} table has no column '{column}' \(it has: .*mine(.|\n)*columns="):
        ir.evaluate(qrels, run, MEASURES, engine=engine)


@engines
def test_swapped_tables(engine: str) -> None:
    with pytest.raises(MismatchedTables, match=r"swapped(.|\n)*Judgments come first"):
        ir.evaluate(RUN, QRELS, MEASURES, engine=engine)


@engines
@pytest.mark.parametrize("odd", ["q1", "007", "+1", "1.0", "", " 1"])
def test_text_that_is_no_integer_of_the_run(odd: str, engine: str) -> None:
    qrels = at(4, "query_id", odd)(QRELS)
    evaluation = ir.evaluate(qrels, RUN.cast({"query_id": pl.Int64}), "AP", engine=engine)
    with pytest.raises(MismatchedTables, match=r"'query_id' holds Int64 in the run and text in the qrels"):
        evaluation.summary()


@engines
def test_grades_above_the_declared_scale(engine: str) -> None:
    """Also where the document was not retrieved."""
    for measure in ("ERR(max_rel=1)@10", "nERR(max_rel=1)", "RBP(max_rel=1)"):
        evaluation = ir.evaluate(QRELS, RUN, measure, engine=engine)
        with pytest.raises(
            InvalidValue,
            match=r"up to 1, but 1 judgments are above: query_id '1', doc_id '12', relevance 2(.|\n)*max_rel=2",
        ):
            evaluation.summary()
    assert ir.evaluate(QRELS, RUN, "ERR(max_rel=2)", engine=engine).summary()["value"].item() > 0


BY = [
    ({"by": "nowhere"}, MissingColumn, r"by column nowhere(.|\n)*queries="),
    ({"by": ["score"]}, NotDefined, r"missing=skip"),
    (
        {"by": "length", "queries": pl.DataFrame({"query_id": ["1", "1"], "length": ["a", "b"]})},
        MismatchedTables,
        r"differ within 1 queries, such as '1'",
    ),
    (
        {"by": "length", "queries": pl.DataFrame({"length": ["a"]})},
        MissingColumn,
        r"queries table has no column 'query_id'",
    ),
]

BY += [
    ({"by": n, "queries": pl.DataFrame({"query_id": ["1"], n: ["a"]})}, InvalidParameter, n)
    for n in ("measure", "value", "n_units", "n_undefined", "run_id")
]
BY += [
    ({"by": "query_id"}, InvalidParameter, "query_id"),
    ({"by": ["n", "n"], "queries": pl.DataFrame({"query_id": ["1"], "n": ["a"]})}, InvalidParameter, "'n'"),
]


@engines
@pytest.mark.parametrize("options, error, said", BY)
def test_columns_that_cannot_group(options: dict, error: type[Exception], said: str, engine: str) -> None:
    with pytest.raises(error, match=said):
        ir.evaluate(QRELS, RUN, "AP", engine=engine, **options).summary()


@engines
def test_all_errors_are_ours(engine: str) -> None:
    """Whatever is wrong with a table, no bare error of an engine comes out."""
    odd = [
        pl.lit(None, dtype=d).alias(c)
        for c, d in (("relevance", pl.List(pl.Int64)), ("doc_id", pl.List(pl.String)), ("query_id", pl.Date))
    ]
    # More than a signed 64-bit integer holds.
    odd += [pl.lit(2**63, dtype=pl.UInt64).alias(c) for c in ("query_id", "doc_id")]
    for expr in odd:
        for qrels, run in ((QRELS.with_columns(expr), RUN), (QRELS, RUN.with_columns(expr))):
            if "relevance" not in run.columns:
                with pytest.raises(IrevalError):
                    ir.evaluate(qrels, run, MEASURES, engine=engine).summary()
