"""Tables as users have them: names, ids, runs, groups, weights; and errors that say what is wrong."""

from __future__ import annotations

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
from tests.coreference.cases import make_case
from tests.oracles import coreference as oracle

GOLD, PREDICTED = ir.examples.coreference()
engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def values(gold: Any, predicted: Any, measures: str = "MUCF B3F CEAFeF BLANCF LEAF", **options: Any) -> list[float]:
    return ir.Coreference(gold, predicted, **options).evaluate(measures).summary()["value"].to_list()


EXPECTED = pytest.approx(values(GOLD, PREDICTED), rel=1e-12)


@engines
def test_names_of_columns(engine: str) -> None:
    """By argument, and as other tools call them."""
    theirs = {"doc_id": "d", "start": "a", "end": "b", "cluster_id": "c"}
    one, other = GOLD.rename(theirs), PREDICTED.rename(theirs)
    assert values(one, other, doc="d", start="a", end="b", cluster="c", engine=engine) == EXPECTED
    aliases = {"doc_id": "document", "start": "begin", "end": "end_char", "cluster_id": "entity_id"}
    assert values(GOLD.rename(aliases), PREDICTED, engine=engine) == EXPECTED


@engines
def test_ids_of_mentions(engine: str) -> None:
    """Ids in the place of spans; where both are there, spans are compared, unless ids are named."""
    ids = pl.format("m{}", "start").alias("mention_id")
    one, other = GOLD.with_columns(ids), PREDICTED.with_columns(ids)
    assert values(one.drop("start", "end"), other.drop("start", "end"), engine=engine) == EXPECTED
    other = other.with_columns(end=pl.col("end") + 1)
    assert values(one, other, "MentionF", engine=engine, mention="mention_id") == [pytest.approx(10 / 13)]
    assert values(one, other, "MentionF", engine=engine) == [0.0]


@engines
def test_positions_of_other_types(engine: str) -> None:
    one = GOLD.with_columns(pl.col("start", "end").cast(pl.Float64))
    other = PREDICTED.with_columns(pl.col("start", "end").cast(pl.UInt16))
    assert values(one, other, engine=engine) == EXPECTED


@engines
def test_runs_and_groups(engine: str) -> None:
    """Each system is compared with the same gold, and groups of documents have values of their own."""
    case = make_case(6, runs=2)
    frames = case.frames()
    documents = frames["documents"].with_columns(genre=pl.int_range(pl.len()) % 2, weight=pl.int_range(pl.len()) % 3)
    weights, genres = (dict(zip(documents["doc_id"], documents[c], strict=True)) for c in ("weight", "genre"))
    subject = ir.Coreference(frames["gold"], frames["predicted"], documents=documents, by="genre", engine=engine)
    summary = subject.evaluate(oracle.ORACLES).summary()
    assert summary.height == 2 * 2 * len(oracle.ORACLES)
    for run, genre, measure, value, *_ in summary.rows():
        of_run = case.documents(run, {d: float(w) for d, w in weights.items()})
        expected = oracle.value(measure, [d for name, d in of_run.items() if genres[name] == genre])
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-12), (run, genre, measure)
    means = subject.evaluate("B3F(aggregation='mean')").summary()
    of = {d: oracle.value("B3F", [document]) for d, document in case.documents("run1").items() if genres[d] == 1}
    total = sum(weights[d] * (v or 0.0) for d, v in of.items()) / sum(weights[d] for d in of)
    assert means.filter(run_id="run1", genre=1)["value"].item() == pytest.approx(total)


@engines
def test_groups_in_both_tables(engine: str) -> None:
    one, other = (
        pl.concat([f.with_columns(genre=pl.lit(g), doc_id=pl.lit(g)) for g in ("a", "b")]) for f in (GOLD, PREDICTED)
    )
    other = other.filter((pl.col("genre") == "a") | (pl.col("start") > 0))
    summary = ir.Coreference(one, other, by="genre", engine=engine).evaluate("B3F").summary()
    one, other = values(GOLD, PREDICTED, "B3F"), values(GOLD, PREDICTED.filter(pl.col("start") > 0), "B3F")
    assert summary["value"].to_list() == pytest.approx([*one, *other])


@engines
def test_duplicates(engine: str) -> None:
    """A mention twice is an error, or that of the first cluster in order counts."""
    twice = pl.concat([PREDICTED, PREDICTED.head(2).with_columns(cluster_id=pl.lit(9, pl.Int64))])
    with pytest.raises(
        DuplicateRows,
        match=r"mention 0 to 2 of document 'd1' is in 2 rows of the predicted table; 2 mentions (?s:.)*drop",
    ):
        values(GOLD, twice, engine=engine)
    assert values(GOLD, twice.reverse(), engine=engine, policy="duplicates=drop") == EXPECTED
    assert values(GOLD, twice, engine=engine, policy="conll") == EXPECTED
    again = pl.concat([GOLD, GOLD.tail(1)])
    with pytest.raises(DuplicateRows, match="gold table"):
        values(again, PREDICTED, engine=engine)
    assert values(again, PREDICTED, engine=engine, policy="duplicates=drop") == EXPECTED


@engines
@pytest.mark.parametrize(
    "change, error, message",
    [
        (pl.col("end") * 0, InvalidValue, "before its start: start 4, end 0, and of 4 other mentions"),
        (pl.col("end").replace(2, None), InvalidValue, "'end' of the gold table holds None; it must hold whole"),
        ((pl.col("start") + 0.5).alias("start"), InvalidValue, "holds 0.5, and 5 other rows"),
        (pl.col("start").cast(pl.String) + "x", WrongType, "'start' of the gold table is String; it must hold whole"),
        (pl.col("cluster_id").replace("paper", None), InvalidValue, "1 row of the gold table has no entity"),
        (pl.lit(None, pl.String).alias("doc_id"), InvalidValue, "6 rows of the gold table have no (item|document)"),
        (pl.lit(7).alias("doc_id"), MismatchedTables, "none can be equal"),
        (pl.concat_list("cluster_id").alias("cluster_id"), WrongType, "cannot be a label"),
    ],
    ids=["backwards", "null", "fractions", "text", "no entity", "no document", "types", "lists"],
)
def test_bad_rows(change: pl.Expr, error: type[Exception], message: str, engine: str) -> None:
    with pytest.raises(error, match=message):
        values(GOLD.with_columns(change), PREDICTED, engine=engine)


def test_missing_columns() -> None:
    with pytest.raises(MissingColumn, match=r"predicted table has no column 'end'(?s:.)*mention=\"their_name\""):
        values(GOLD, PREDICTED.drop("end"))
    with pytest.raises(MissingColumn, match="no column 'cluster_id'"):
        values(GOLD.drop("cluster_id"), PREDICTED)
    with pytest.raises(InvalidParameter, match="offsets is 'half'"):
        values(GOLD, PREDICTED, offsets="half")


def test_documents_of_one_side() -> None:
    other = PREDICTED.with_columns(doc_id=pl.lit("d2"))
    with pytest.raises(NothingInCommon, match="No document of the gold table is in the predicted table"):
        values(GOLD, other)
    assert values(GOLD, other, policy="overlap=allow") == [0.0] * 5
    with pytest.raises(IrevalError, match="documents= does not name"):
        values(GOLD, PREDICTED, documents=["d0"])


def test_a_null_document_is_named() -> None:
    with pytest.raises(InvalidValue, match=r"gold\.remove"):
        values(GOLD.with_columns(cluster_id=pl.lit(None, pl.String)), PREDICTED)


@engines
@pytest.mark.parametrize("policy", ["singletons=keep", "singletons=drop"])
def test_policies_are_counted(policy: str, engine: str) -> None:
    text = ir.Coreference(GOLD, PREDICTED, policy=policy, engine=engine).evaluate("CoNLL").explain(counts=True)
    assert "[1 gold, 1 predicted entities]" in text
    assert "[0 gold, 0 predicted mentions more]" in text
    assert "[1 gold, 2 predicted mentions]" in text


@engines
def test_contingency(engine: str) -> None:
    """Counts of cells, and of mentions that the other side has not; shares of documents."""
    subject = ir.Coreference(GOLD, PREDICTED, engine=engine)
    rows = set(subject.contingency().select("gold_cluster", "predicted_cluster", "count").rows())
    assert rows == {
        *(("ada", 1, 2), ("ada", 2, 1), ("notes", 2, 1), ("paper", 3, 1)),
        *(("notes", None, 1), (None, 3, 1), (None, 4, 1)),
    }
    shares = subject.contingency(normalize="gold_cluster").filter(gold_cluster="ada")["share"].to_list()
    assert shares == pytest.approx([2 / 3, 1 / 3])
    assert subject.contingency(normalize="all")["share"].sum() == pytest.approx(1.0)
    dropped = subject.contingency(policy="twinless=drop")
    assert dropped["count"].sum() == 6


@engines
@pytest.mark.parametrize(
    "column, value, text",
    [("start", 0.5, "0.5"), ("end", float("nan"), "nan"), ("end", 2.0**60, "1.15"), ("end", 2**63 - 1, "9223372")],
)
def test_positions_that_are_none(column: str, value: float, text: str, engine: str) -> None:
    """The line of the error leaves them out."""
    gold = pl.concat(
        [GOLD, GOLD.tail(1).with_columns(pl.lit(value).alias(column), cluster_id=pl.lit("more"))],
        how="vertical_relaxed",
    )
    with pytest.raises(InvalidValue, match=f"Column '{column}' of the gold table holds {text}.*whole numbers") as error:
        values(gold, PREDICTED, engine=engine, offsets="inclusive")
    left = eval(str(error.value).partition("leave them out: ")[2], {"pl": pl, "gold": gold})
    assert values(left, PREDICTED, engine=engine) == EXPECTED
