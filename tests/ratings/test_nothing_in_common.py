"""Gold that knows no item, and raters who are not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MissingColumn, NothingInCommon, OverlapWarning
from tests.contract.kit.suite import ENGINES

RATED = pl.DataFrame(
    [(f"u{u}", f"r{r}", (u + (u == r)) % 3) for u in range(6) for r in range(4)],
    schema=["item_id", "rater_id", "rating"], orient="row",
)  # fmt: skip
on_engines = pytest.mark.parametrize("engine", ENGINES)
READERS: tuple[Callable[[ir.Ratings, Any], Any], ...] = (
    lambda r, gold: r.aggregate("majority", gold=gold).consensus(),
    lambda r, gold: r.aggregate(gold=gold, smoothing=0.1).summary(),
    lambda r, gold: r.raters(gold=gold),
)


@on_engines
@pytest.mark.parametrize("read", READERS)
def test_gold_of_other_units(engine: str, read: Any) -> None:
    """The cause is named, and what the hint says makes them meet."""
    for units, text in (
        (["U1", "U2"], "have capital letters"),
        ([" u1", "u2 "], "have blanks"),
        (["unit-u1", "unit-u2"], "have 'unit-' before"),
        (["x", "y"], ""),
        ([], "none in the gold"),
    ):
        frame = pl.DataFrame({"id": units, "grade": [1] * len(units)}, schema_overrides={"id": pl.String})
        for gold in (dict(frame.iter_rows()), frame.select(item_id="id", label="grade")):
            ratings = ir.Ratings(RATED, engine=engine)
            with pytest.raises(NothingInCommon, match="Gold knows no item that is rated") as error:
                read(ratings, gold)
            assert text in str(error.value)
            if text and units:
                line = error.value.hint.removeprefix("Write them alike: ").removesuffix(".").split(" and ")
                mended = next(x for x in line if "gold" in x)
                read(ratings, eval(mended, {"pl": pl, "gold": gold}))


@on_engines
def test_gold_in_part(engine: str) -> None:
    """Less than half of the known units are rated; in groups it is enough that one has a known unit."""
    ratings = ir.Ratings(RATED, engine=engine)
    with pytest.warns(OverlapWarning, match="Gold knows 4 items, of which 1 are rated; not: 'x', 'y', 'z'"):
        actual = ratings.aggregate("majority", gold={"u1": 2, "x": 0, "y": 0, "z": 0}).consensus()
    assert actual.filter(item_id="u1")["label"].item() == 2
    grouped = ir.Ratings(RATED.with_columns(part=pl.col("item_id") < "u3"), by="part", engine=engine)
    aggregated = grouped.aggregate("majority", gold={"u1": 2}).consensus()
    assert aggregated.filter(item_id="u1")["label"].item() == 2
    numbered = RATED.with_columns(pl.col("item_id").str.slice(1).cast(pl.Int64))
    # A row of a label may be there twice.
    for gold in ({1: 2}, {"1": 2}, pl.DataFrame({"item_id": ["1", "1"], "label": ["2", "2"]})):
        actual = ir.Ratings(numbered, engine=engine).aggregate("majority", gold=gold).consensus()
        assert actual.filter(item_id=1)["label"].item() == 2
    with pytest.raises(InvalidParameter, match="several types"):
        ratings.aggregate("majority", gold={"u1": 2, "u2": "x"})


@on_engines
def test_raters_who_are_not_there(engine: str) -> None:
    ratings = ir.Ratings(RATED, engine=engine)
    for names, text in (
        (["nobody"], "no rater 'nobody': 'r0', 'r1', 'r2' and 1 more rated"),
        (["r1", "R2"], "no rater 'R2'.*have capital letters"),
        (["1"], "no rater '1'.*have 'r' before them"),
        ([None], "no rater None"),
    ):
        without = ratings.without(names)
        for read in (
            lambda r: r.evaluate("NumRaters").summary(),
            lambda r: r.aggregate("majority"),
            lambda r: r.raters(),
        ):
            with pytest.raises(NothingInCommon, match=text):
                read(without)
        with pytest.raises(NothingInCommon, match=text):
            ratings.changes(names)
    # Ids that are numbers may be named by text, as on the command line, and ids that are text by numbers.
    number = pl.col("rater_id").str.slice(1)
    for kind, names in (
        (pl.Int64, [[1], ["1"], [1.0]]),
        (pl.Float64, [[1], ["1"], [1.0]]),
        (pl.String, [[1], ["1"]]),
        (pl.Enum(["0", "1", "2", "3"]), [[1], ["1"]]),
    ):
        for some in names:
            kept = ir.Ratings(RATED.with_columns(number.cast(kind)), engine=engine).without(some)
            assert kept.evaluate("NumRaters").summary()["value"].item() == 3
        with pytest.raises(NothingInCommon):
            ir.Ratings(RATED.with_columns(number.cast(kind)), engine=engine).without(["1", "x"]).raters()
    # Who rated nothing but was asked is there.
    silent = RATED.with_columns(rating=pl.when(pl.col("rater_id") != "r1").then("rating"))
    assert ir.Ratings(silent, engine=engine).without(["r1"]).evaluate("NumRaters").summary()["value"].item() == 3


def test_gold_of_judgments_is_of_queries_and_documents() -> None:
    frame = RATED.with_columns(query_id=pl.lit("q"), doc_id="item_id").drop("item_id")
    ratings = ir.Ratings(frame, item="doc_id")
    for gold in ({("q", "u1"): 2}, pl.DataFrame({"query_id": ["q"], "doc_id": ["u1"], "relevance": [2]})):
        actual = ratings.judgments(gold=gold)
        assert actual.filter(doc_id="u1")["relevance"].item() == 2
        assert ratings.judgments().filter(doc_id="u1")["relevance"].item() == 1
    for error, message, wrong in (
        (NothingInCommon, "knows no item", {("p", "u1"): 2}),
        (InvalidParameter, "needs queries and documents", {"u1": 2}),
        (MissingColumn, "no column 'query_id'", pl.DataFrame({"item_id": ["u1"], "label": [2]})),
    ):
        with pytest.raises(error, match=message):
            ratings.judgments(gold=wrong)
