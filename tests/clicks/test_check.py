"""What is odd about a log is found, counted and shown on both engines, and what cannot be meant is refused."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import DuplicateRows, InvalidParameter, InvalidValue, MissingColumn, NotDefined, WrongType

ENGINES = ("polars", "duckdb")
LOG = ir.examples.click_log()


def page(
    serp: int, positions: list[float | None], clicks: list[Any], docs: list[str | None] | None = None
) -> pl.DataFrame:
    """A page of query 1 and user u1."""
    return pl.DataFrame(
        {
            "serp_id": [serp] * len(positions),
            "query_id": [1] * len(positions),
            "user_id": ["u1"] * len(positions),
            "session_id": ["s9"] * len(positions),
            "doc_id": docs or [f"d{i}" for i, _ in enumerate(positions)],
            "position": positions,
            "click": clicks,
        },
        schema_overrides={"position": pl.Float64, "click": pl.Float64, "doc_id": pl.String},
    )


def log(*pages: pl.DataFrame, **columns: Any) -> pl.DataFrame:
    return pl.concat(pages).with_columns(**columns)


GOOD = page(1, [1, 2], [1, 0])
# What is odd, and what is found of it: the check, the count and the examples; "" is no finding.
ODD: dict[str, tuple[pl.DataFrame, tuple[str, int, str]]] = {
    "no page": (log(GOOD, page(2, [1], [0]).with_columns(serp_id=pl.lit(None, pl.Int64))), ("no_page", 1, "d0")),
    "no document": (log(GOOD, page(2, [1, 2], [0, 0], ["a", None])), ("no_document", 1, "2")),
    "a click on nothing, nowhere": (log(GOOD, page(2, [1, None], [0, 1], ["a", None])), ("no_document", 1, "2")),
    "not shown": (log(GOOD, page(2, [1, None], [0, 1])), ("not_shown", 1, "2")),
    "no position": (log(GOOD, page(2, [1, None], [0, 0])), ("no_position", 1, "2")),
    "position zero": (log(GOOD, page(3, [0, 1], [0, 0]), page(2, [0], [0])), ("position_zero", 2, "2, 3")),
    "half a position": (log(GOOD, page(2, [1.5], [0])), ("position", 1, "2")),
    "position below zero": (log(GOOD, page(2, [-3], [0])), ("position", 1, "2")),
    "infinite position": (log(GOOD, page(2, [float("inf")], [0])), ("position", 1, "2")),
    "far down": (log(GOOD, page(2, [1_000_000], [0])), ("far_down", 1, "2")),
    "a click below zero": (log(GOOD, page(2, [1], [-1])), ("click", 1, "2")),
    "a share of a click": (log(GOOD, page(2, [1], [0.2])), ("click", 1, "2")),
    "a click and a half": (log(GOOD, page(2, [1], [1.5])), ("click", 1, "2")),
    "a click that is null": (log(GOOD, page(2, [1], [None])), ("click", 1, "2")),
    "a click that is no number": (log(GOOD, page(2, [1], [float("nan")])), ("click", 1, "2")),
    "a weight below zero": (log(GOOD, weight=pl.Series([1.0, -1.0])), ("weight", 1, "1")),
    "a dwell below zero": (log(GOOD, dwell=pl.Series([-1.0, None])), ("dwell", 1, "1")),
    "one position twice": (log(GOOD, page(2, [1, 1, 2], [0, 0, 0])), ("same_position", 1, "2")),
    # The counts and powers of page by page do not tell these.
    "one position twice, with a gap": (log(GOOD, page(2, [1, 3, 3, 5], [0] * 4)), ("same_position", 1, "2")),
    "one position twice, far down": (log(GOOD, page(2, [60, 60], [0, 0])), ("same_position", 1, "2")),
    "one document twice": (log(GOOD, page(2, [1, 2], [0, 0], ["a", "a"])), ("same_document", 1, "2")),
    "a later page": (log(GOOD, page(2, [11, 12], [0, 0])), ("starts_below", 1, "2")),
    "a gap": (log(GOOD, page(2, [1, 3], [0, 0])), ("gaps", 1, "2")),
    "an empty page": (log(GOOD, page(2, [None], [0], [None])), ("empty", 1, "2")),
    "no click": (log(GOOD, page(2, [1, 2], [0, 0])), ("no_click", 1, "2")),
    "all clicked": (log(GOOD, page(2, [1, 2], [1, 1])), ("all_clicked", 1, "2")),
    "two queries": (log(GOOD, query_id=pl.Series([1, 2])), ("several_query_id", 1, "1")),
    "two weights": (log(GOOD, weight=pl.Series([1.0, 2.0])), ("several_weight", 1, "1")),
    "many pages": (log(*(page(i, [1, 2], [0, 1]) for i in range(4))), ("bot_pages", 1, "u1")),
    "everything clicked": (log(*(page(i, [1, 2], [1, 1]) for i in range(10))), ("bot_clicks", 1, "u1")),
    "a shared session": (log(GOOD, page(2, [1], [0]).with_columns(user_id=pl.lit("u2"))), ("shared_session", 1, "s9")),
    "two runs": (log(GOOD, page(2, [1], [0])).with_columns(run_id=pl.lit("a") + pl.col("serp_id").cast(pl.String)),
                 ("several_runs", 1, "u1")),
}  # fmt: skip
# Evaluating refuses these.
REFUSED = (
    *("no_page", "no_document", "not_shown", "no_position", "position_zero", "position", "click", "weight", "dwell"),
    "same_position",
)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("odd", ODD)
def test_is_found(odd: str, engine: str) -> None:
    frame, (check, count, examples) = ODD[odd]
    result = ir.Impressions(frame, engine=engine)
    actual = {name: (level, n, message) for name, level, n, message in result.check(bot_pages=3).select(
        "check", "level", "count", "examples").rows()}  # fmt: skip
    assert actual[check][1:] == (count, examples)
    errors = [name for name, (level, *_) in actual.items() if level == "error"]
    assert errors == ([check] if check in REFUSED else [])
    evaluated = result.evaluate("CTR")
    if check in REFUSED:
        with pytest.raises((InvalidValue, DuplicateRows, ir.errors.MismatchedTables)):
            evaluated.summary()
        with pytest.raises((InvalidValue, DuplicateRows, ir.errors.MismatchedTables)):
            result.rates()
    else:
        assert evaluated.summary().height > 0


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_is_odd_about_a_plain_log(engine: str) -> None:
    result = ir.Impressions(GOOD, engine=engine)
    assert result.check().height == 0
    everything = result.check(everything=True)
    assert everything["count"].sum() == 0
    assert everything.height > 20
    assert everything["check"].n_unique() == everything.height


def test_words() -> None:
    """What failed, with its value, and the line to write."""
    for odd, message in {
        "position zero": r"'position' .* holds 0 \(2 rows do\).*\n.*policy=\"positions=zero\"",
        "no document": r"1 shown results have no document, such as that at position 2 of the page 2",
        "a click on nothing, nowhere": r"no document, such as a click without a position of the page 2: column",
        "a share of a click": r"'click' .* holds 0\.2; a click is true or false, or the number of clicks",
        "not shown": r"on 'd1' of the page 2\.\n.*policy=\"unshown=skip\"",
        "a click below zero": r"'click' .* holds -1; a click is true or false",
        "one position twice": r"Position 1 of the page 2 has 2 results\.\n.*log\.check\(\).*duplicates=trust",
        "a weight below zero": r"'weight' of the impressions table holds -1",
    }.items():
        with pytest.raises((InvalidValue, DuplicateRows, ir.errors.MismatchedTables), match=f"(?s){message}"):
            ir.Impressions(ODD[odd][0]).evaluate("CTR").summary()
    grid = ir.Impressions(ODD["one position twice"][0], policy="duplicates=trust")
    assert grid.evaluate("NumResults").summary()["value"].item() == 5.0


@pytest.mark.parametrize("engine", ENGINES)
def test_degenerate_logs(engine: str) -> None:
    """No clicks at all, all clicked, one document, a position of a million: numbers, or undefined, never NaN."""
    shown = page(1, [1, 2], [0, 0])
    for clicks, ctr, coec, debiased in ((0.0, 0.0, None, None), (1.0, 1.0, 1.0, 1.0)):
        actual = (
            ir.Impressions(shown.with_columns(click=pl.lit(clicks)), engine=engine)
            .evaluate(ASKED)
            .wide()
            .row(0, named=True)
        )
        assert (actual["CTR"], actual["COEC"], actual["DebiasedCTR"]) == (ctr, coec, debiased)
        assert (actual["MRRFirstClick"], actual["Abandonment"]) == (clicks, 1.0 - clicks)
        assert all(v is None or not math.isnan(v) for v in actual.values())
    far = ir.Impressions(page(1, [1_000_000], [1]), engine=engine).evaluate(ASKED).wide().row(0, named=True)
    assert (far["CTR"], far["MRRFirstClick"], far["DebiasedCTR"]) == (1.0, 1e-6, None)
    empty = ir.Impressions(page(1, [None], [0], [None]), engine=engine).evaluate(ASKED).wide().row(0, named=True)
    assert (empty["CTR"], empty["Abandonment"], empty["COEC"]) == (None, 1.0, None)
    none = ir.Impressions(shown.clear(), engine=engine)
    assert none.evaluate(ASKED).summary()["value"].to_list() == [None] * len(ASKED.split())
    assert none.check().height == 0


ASKED = "CTR COEC DebiasedCTR MRRFirstClick MRRLastClick Abandonment PageCTR ClicksPerPage PSkip ClickEntropy"


def test_what_a_measure_needs() -> None:
    bare = ir.Impressions(GOOD.select("serp_id", "doc_id", "position", "click", visit_key="serp_id"))
    for measure, message in {
        "SatCTR": r"no column 'dwell' \(it has: .*\)\.\n.*columns=\{\"dwell\": \"their_name\"",
        "TimeToFirstClick": "no column 'click_time'",
        "GoodAbandonment": "no column 'page_dwell'",
        "ReformulationRate": r"no column 'session_id'.*\n.*columns=\{\"session_id\": \"visit_key\"\}",
        "ClickEntropy": r"no column 'query_id'.*\n.*columns=\{\"query_id\"",
        "SessionsPerUser": "no column 'session_id'",
    }.items():
        with pytest.raises(MissingColumn, match=f"(?s){message}"):
            bare.evaluate(measure)
    assert bare.evaluate("CTR Abandonment").summary()["value"].to_list() == [0.5, 0.0]
    weighted = ir.Impressions(LOG.with_columns(weight=2))
    with pytest.raises(NotDefined, match="QueriesPerSession counts sessions"):
        weighted.evaluate("QueriesPerSession")
    with pytest.raises(InvalidParameter, match="at position 3, and numbers were given for the first 2"):
        ir.Impressions(LOG).evaluate("COEC(rates=(0.5, 0.2))").summary()
    with pytest.raises(InvalidParameter, match=r"numbers in \(0, 1\]"):
        ir.clicks.COEC(rates=(0.5, 0))
    with pytest.raises(WrongType, match="'click' of the impressions table is String"):
        ir.Impressions(GOOD.with_columns(click=pl.lit("yes"))).evaluate("CTR")


def test_columns_that_group_are_called_as_in_the_table() -> None:
    renamed = (
        LOG.rename({"position": "place", "user_id": "customer"})
        if "user_id" in LOG.columns
        else LOG.rename({"position": "place"}).with_columns(customer=pl.lit("u"))
    )
    log = ir.Impressions(renamed, position="place", user="customer")
    with pytest.raises(MissingColumn, match=r'position is place: by="place"'):
        log.rates(by="position")
    assert log.rates(by="place").columns[0] == "place"
    with pytest.raises(MissingColumn, match=r'user_id is customer: unit="customer"'):
        ir.Impressions(renamed, position="place", user="customer", unit="user_id").evaluate("CTR").summary()
    with pytest.raises(MissingColumn, match="Did you mean customer"):
        log.evaluate("CTR", by="custommer").summary()
    aliased = ir.Impressions(renamed.rename({"place": "slot"}))
    with pytest.raises(MissingColumn, match=r'position is slot: by="slot"'):
        aliased.rates(by="position")


def test_users_are_proposed() -> None:
    named = LOG.drop("user_id", strict=False).with_columns(customer=1, variant=pl.lit("a"))
    with pytest.raises(MissingColumn, match=r'unit="customer"'):
        ir.Impressions(named).experiment()


def test_copies_of_rows_are_left_out_as_the_hint_says() -> None:
    copied = pl.concat([GOOD, GOOD])
    with pytest.raises(DuplicateRows, match=r"leave out the copies: frame\.unique\(\)\. If they are intended"):
        ir.Impressions(copied).evaluate("CTR").summary()
    assert ir.Impressions(copied.unique()).evaluate("CTR").summary()["value"].to_list() == [0.5]
