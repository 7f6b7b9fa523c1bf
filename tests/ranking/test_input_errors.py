"""Errors of tables name the table, the column, the first row and the remedy."""

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
from tests.ranking.small import MEASURES, QRELS, RUN, assert_values

engines = pytest.mark.parametrize("engine", ENGINES)
Change = Callable[[pl.DataFrame], pl.DataFrame]


def with_value(row: int, column: str, value: object) -> Change:
    """The table with one value changed."""
    return lambda frame: frame.with_columns(
        pl.when(pl.int_range(pl.len()) == row).then(pl.lit(value)).otherwise(pl.col(column)).alias(column)
    )


def unchanged(frame: pl.DataFrame) -> pl.DataFrame:
    return frame


def with_duplicates(*rows: int) -> Change:
    return lambda frame: pl.concat([frame, frame[list(rows)]])


CASES: list[tuple[str, Change, Change, type[Exception], str]] = [
    (
        "null score",
        unchanged,
        with_value(2, "score", None),
        InvalidValue,
        r"'score' of the run table is null or NaN in 1 rows(.|\n)*query_id '1', doc_id '99'",
    ),
    (
        "NaN score",
        unchanged,
        with_value(6, "score", float("nan")),
        InvalidValue,
        r"'score' of the run table(.|\n)*query_id '4', doc_id '10'",
    ),
    (
        "null query of the run",
        unchanged,
        with_value(0, "query_id", None),
        InvalidValue,
        r"'query_id' of the run table is null in 1 rows(.|\n)*doc_id '11'",
    ),
    (
        "null document of the run",
        unchanged,
        with_value(4, "doc_id", None),
        InvalidValue,
        r"'doc_id' of the run table is null in 1 rows(.|\n)*query_id '2'",
    ),
    (
        "null grade",
        with_value(1, "relevance", None),
        unchanged,
        InvalidValue,
        r"'relevance' of the qrels table(.|\n)*query_id '1', doc_id '11'",
    ),
    (
        "NaN grade",
        lambda f: with_value(3, "relevance", float("nan"))(f.cast({"relevance": pl.Float64})),
        unchanged,
        InvalidValue,
        r"'relevance' of the qrels table",
    ),
    (
        "null judged query",
        with_value(4, "query_id", None),
        unchanged,
        InvalidValue,
        r"'query_id' of the qrels table is null",
    ),
    (
        "null judged document",
        with_value(4, "doc_id", None),
        unchanged,
        InvalidValue,
        r"'doc_id' of the qrels table is null",
    ),
    (
        "null run",
        unchanged,
        lambda f: f.with_columns(run_id=pl.lit(None, dtype=pl.String)),
        InvalidValue,
        r"'run_id' of the run table is null in 7 rows",
    ),
    (
        "infinite grade",
        lambda f: with_value(4, "relevance", float("inf"))(f.cast({"relevance": pl.Float64})),
        unchanged,
        InvalidValue,
        r"'relevance' of the qrels table(.|\n)*doc_id '30'",
    ),
    (
        "document twice",
        unchanged,
        with_duplicates(1),
        DuplicateRows,
        r"run(.|\n)*2 rows(.|\n)*query_id '1', doc_id '10'(.|\n)*duplicates=best",
    ),
    ("document twice in an unjudged query", unchanged, with_duplicates(6), DuplicateRows, r"query_id '4', doc_id '10'"),
    (
        "judgment twice",
        with_duplicates(2),
        unchanged,
        DuplicateRows,
        r"qrels judge a document more than once \(2 rows\): query_id '1', doc_id '12'",
    ),
]


@engines
@pytest.mark.parametrize("qrels, run, error, message", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_errors_of_data(qrels: Change, run: Change, error: type[Exception], message: str, engine: str) -> None:
    evaluation = ir.evaluate(qrels(QRELS), run(RUN), MEASURES, engine=engine)
    for _ in range(2):
        with pytest.raises(error, match=message):
            evaluation.summary()


@engines
def test_trusted_duplicates_are_not_checked(engine: str) -> None:
    assert_values(ir.evaluate(QRELS, RUN, MEASURES, policy="duplicates=trust", engine=engine))
    ir.evaluate(QRELS, with_duplicates(1)(RUN), MEASURES, policy="duplicates=trust", engine=engine).summary()


@engines
def test_documents_in_several_queries_and_runs(engine: str) -> None:
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
@pytest.mark.parametrize("qrels, run, message", TYPES)
def test_types_are_checked_first(qrels: pl.DataFrame, run: pl.DataFrame, message: str, engine: str) -> None:
    with pytest.raises(WrongType, match=message):
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
def test_missing_columns_are_checked_first(table: str, column: str, engine: str) -> None:
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
@pytest.mark.parametrize("invalid", ["q1", "007", "+1", "1.0", "", " 1"])
def test_text_ids_that_are_no_integers(invalid: str, engine: str) -> None:
    qrels = with_value(4, "query_id", invalid)(QRELS)
    evaluation = ir.evaluate(qrels, RUN.cast({"query_id": pl.Int64}), "AP", engine=engine)
    with pytest.raises(MismatchedTables, match=r"'query_id' holds Int64 in the run and text in the qrels"):
        evaluation.summary()


@engines
def test_grades_above_the_declared_scale(engine: str) -> None:
    """Also of documents that were not retrieved."""
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
@pytest.mark.parametrize("options, error, message", BY)
def test_invalid_group_columns(options: dict, error: type[Exception], message: str, engine: str) -> None:
    with pytest.raises(error, match=message):
        ir.evaluate(QRELS, RUN, "AP", engine=engine, **options).summary()


@engines
def test_all_errors_are_ireval_errors(engine: str) -> None:
    """No invalid table causes an error of the engine."""
    invalid = [
        pl.lit(None, dtype=d).alias(c)
        for c, d in (("relevance", pl.List(pl.Int64)), ("doc_id", pl.List(pl.String)), ("query_id", pl.Date))
    ]
    # Beyond signed 64-bit integers.
    invalid += [pl.lit(2**63, dtype=pl.UInt64).alias(c) for c in ("query_id", "doc_id")]
    for expr in invalid:
        for qrels, run in ((QRELS.with_columns(expr), RUN), (QRELS, RUN.with_columns(expr))):
            if "relevance" not in run.columns:
                with pytest.raises(IrevalError):
                    ir.evaluate(qrels, run, MEASURES, engine=engine).summary()


def test_errors_name_the_columns_of_the_user() -> None:
    qrels = pl.DataFrame({"search_id": [1, 1], "doc": ["a", "b"], "label": [1, None]})
    run = pl.DataFrame({"search_id": [1, 1], "doc": ["a", "b"], "position": [1, None]})
    for judged, ranked, column in ((qrels.fill_null(0), run, "position"), (qrels, run.fill_null(2), "label")):
        for policy in ("duplicates=error", "duplicates=best"):
            with pytest.raises(InvalidValue) as caught:
                ir.evaluate(judged, ranked, "AP", columns={"query_id": "search_id"}, policy=policy).summary()
            assert caught.value.what.startswith(f"Column {column!r} of the ")
            assert f"search_id 1, doc 'b', {column} None" in caught.value.what
            assert f'pl.col("{column}").is_null()' in str(caught.value.hint)
