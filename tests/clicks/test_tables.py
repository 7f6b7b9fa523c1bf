"""Rates as a table, days that are added, policies, weights and levels of units, against plain loops."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.clicks.rates_and_counts import why_not_sums
from ireval_frames.errors import InvalidParameter, InvalidValue, NotDefined
from tests.clicks.cases import Case, make_case
from tests.clicks.suite import CLICKS, COLUMNS, UNWEIGHTED, variants
from tests.contract.kit import assert_same, values
from tests.oracles import clicks as oracle
from tests.oracles.clicks import ORACLES

ENGINES = ("polars", "duckdb")


def wilson(x: float, n: float, z: float = 1.959963984540054) -> tuple[float, float]:
    """The shares p for which x is z standard errors of p from n·p: the roots of a quadratic."""
    a, b, c = n + z * z, -(2 * x + z * z), x * x / n
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


engines = pytest.mark.parametrize("engine", ENGINES)
WEIGHTED, PLAIN = make_case(11), make_case(12, weighted=False)


def log(result: Case, engine: str, frame: pl.DataFrame | None = None, **options: Any) -> ir.Impressions:
    return ir.Impressions(result.frame() if frame is None else frame, engine=engine, **(COLUMNS | options))


@engines
def test_rates(engine: str) -> None:
    """Of queries and documents, against a loop over results."""
    actual = log(WEIGHTED, engine).rates(by=["query", "doc"], shrinkage=2.0)
    rates, required = oracle.rates_by_position(WEIGHTED.log("")), {}
    for page in WEIGHTED.log(""):
        for r in page.results:
            shown, clicks, expected = required.get((page.query, r.doc), (0.0, 0.0, 0.0))
            more = page.weight * rates[r.position] if page.weight else 0.0
            required[page.query, r.doc] = (shown + page.weight, clicks + page.weight * r.clicked, expected + more)
    there = {key: sums for key, sums in required.items() if sums[0] > 0}
    assert actual.select("query", "doc").rows() == sorted(there, key=lambda k: (k[0].encode(), k[1].encode()))
    for query, doc, n, clicks, ctr, low, high, expected, coec in actual.iter_rows():
        assert (n, clicks, expected) == pytest.approx(there[query, doc], rel=1e-12)
        assert ctr == pytest.approx(clicks / n)
        assert (low, high) == pytest.approx(wilson(clicks, n), rel=1e-9, abs=1e-12)
        assert coec == pytest.approx((clicks + 2.0) / (expected + 2.0))
    with pytest.raises(InvalidParameter, match="confidence is 95"):
        log(WEIGHTED, engine).rates(confidence=95)


MERGED = [m for d in CLICKS.definitions for m in variants(d, WEIGHTED)]


@engines
def test_days_are_added(engine: str) -> None:
    """Sums of two days are those of one log, for every measure that says so; others are refused."""
    frame = WEIGHTED.frame()
    # Sessions stay whole, as the promise asks.
    early = pl.col("session").str.ends_with("0")
    days = [frame.filter(early), frame.filter(~early)]
    measures = [m for m in MERGED if not why_not_sums(m)]
    assert {m.name for m in MERGED} - {m.name for m in measures} == {"ClickEntropy"}
    assert len(measures) > 40
    parts = [log(WEIGHTED, engine, day, unit="user").counts(measures) for day in days]
    sums = pl.concat(parts).group_by("user", "measure").agg(pl.col("numerator").sum(), pl.col("denominator").sum())
    known = {(m, u): (a, b) for u, m, a, b in sums.iter_rows()}
    for m, user, value in log(WEIGHTED, engine, unit="user").evaluate(measures).per_unit().select(
        "measure", "user", "value").iter_rows():  # fmt: skip
        above, below = known[m, user]
        merged = above if m.startswith("Num") else above / below if below else None
        assert_same({(m, user): merged}, {(m, user): value})
    with pytest.raises(NotDefined, match=r"COEC of several days is no ratio of sums(.|\n)*COEC\(rates="):
        log(WEIGHTED, engine).counts("COEC")
    with pytest.raises(NotDefined, match="SessionsPerUser of several days"):
        log(PLAIN, engine).counts("SessionsPerUser")


@engines
@pytest.mark.parametrize("policy", [{"empty": "skip"}, {"no_click": "skip"}, {"empty": "skip", "no_click": "skip"}])
@pytest.mark.parametrize("result", [WEIGHTED, PLAIN], ids=["weighted", "plain"])
def test_policies(result: Case, policy: dict[str, str], engine: str) -> None:
    some = [d() for d in CLICKS.definitions if d.name not in (UNWEIGHTED if result.weighted else ())]
    actual = log(result, engine, unit="user", policy=policy).evaluate(some).per_unit()
    changed = 0
    for user, name, value in actual.iter_rows():
        pages, oracle_of = result.runs[""][user], ORACLES[name]
        taken = {k: v for k, v in policy.items() if k in _options(oracle_of)}
        expected = oracle_of(pages, result.log(""), **taken)
        assert_same({(name, user): value}, {(name, user): expected})
        changed += expected != oracle_of(pages, result.log(""))
    assert changed > 10


def _options(function: Any) -> set[str]:
    code = getattr(function, "func", function).__code__
    return set(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


@engines
def test_undefined_is_zero_if_the_policy_says_so(engine: str) -> None:
    some = [d() for d in CLICKS.definitions if d.name not in UNWEIGHTED]
    null, zero = (
        log(WEIGHTED, engine, unit="user", policy={"undefined": u}).evaluate(some).per_unit() for u in (None, 0)
    )
    assert null["value"].null_count() > 20
    assert zero["value"].fill_null(-1.0).round(9).to_list() == null["value"].fill_null(0.0).round(9).to_list()


@engines
def test_a_weight_is_a_number_of_pages(engine: str) -> None:
    """Pages of whole weights, and as many copies of them."""
    frame = WEIGHTED.frame().with_columns(pl.col("weight").ceil()).filter(pl.col("weight") > 0)
    copies = frame.with_columns(copy=pl.int_ranges(0, pl.col("weight").cast(pl.Int64))).explode("copy")
    copies = copies.with_columns(serp=pl.col("serp") * 100 + pl.col("copy")).drop("copy", "weight")
    # Copies of a page come at the same time: what follows what is another question.
    some = [m for d in CLICKS.definitions for m in variants(d, WEIGHTED) if d.name != "ReformulationRate"]
    one, other = (values(log(WEIGHTED, engine, f, unit="user").evaluate(some)) for f in (frame, copies))
    assert copies.height > frame.height
    assert_same(one, other)
    uneven = frame.with_columns(weight=pl.when(pl.int_range(pl.len()) == 0).then(9.0).otherwise("weight"))
    with pytest.raises(InvalidValue, match=r"rows of 1 pages have several weights, such as those of the page 2"):
        log(WEIGHTED, engine, uneven).evaluate("Abandonment").summary()


@engines
def test_levels_of_units(engine: str) -> None:
    """The mean over users of the means over their sessions of what their pages are."""
    users = []
    for pages in PLAIN.runs[""].values():
        sessions = [oracle.page_ctr(own, []) for own in oracle.sessions(pages).values()]
        users.append(sum(s or 0.0 for s in sessions) / len(sessions))
    ev = log(PLAIN, engine, unit=["user", "session"]).evaluate("PageCTR")
    row = ev.summary(over="user").row(0, named=True)
    assert (row["n_units"], row["value"]) == (len(users), pytest.approx(sum(users) / len(users)))
    complete = log(PLAIN, engine).evaluate("PageCTR").summary()["value"].item()
    pages = log(PLAIN, engine, unit="serp").evaluate("PageCTR").summary()["value"].item()
    assert pages == pytest.approx(complete) != pytest.approx(row["value"])


@engines
def test_times_of_any_type(engine: str) -> None:
    """Seconds, instants with and without zone."""
    expected = log(PLAIN, engine).evaluate("ReformulationRate(within=20)").summary()["value"].item()
    instants = pl.from_epoch((pl.col("time") * 1000).cast(pl.Int64), "ms")
    for times in (instants, instants.dt.replace_time_zone("Asia/Tokyo"), pl.col("time").cast(pl.Int64)):
        actual = log(PLAIN, engine, PLAIN.frame().with_columns(time=times)).evaluate("ReformulationRate(within=20)")
        assert actual.summary()["value"].item() == pytest.approx(expected)


@engines
def test_counts_of_policies_and_units(engine: str) -> None:
    """`explain` says how many pages a policy touched, `per_unit` how much a unit holds."""
    ev = log(PLAIN, engine, unit="user").evaluate("CTR")
    empty = sum(not p.results for p in PLAIN.log(""))
    idle = sum(not p.clicked for p in PLAIN.log(""))
    message = ev.explain(counts=True)
    assert f"empty = count  [{empty} pages]" in message
    assert f"no_click = zero  [{idle} pages]" in message
    counts = ev.per_unit(counts=True).select("n_pages", "n_results", "n_clicks").sum().row(0)
    log_ = PLAIN.log("")
    assert counts == (len(log_), sum(len(p.results) for p in log_), sum(len(p.clicked) for p in log_))


@engines
def test_positions_of_a_text_file_group_as_numbers(engine: str, tmp_path: Path) -> None:
    """2 stands before 10, as where positions are numbers."""
    shown = pl.DataFrame({"serp_id": [1] * 12, "doc_id": list("abcdefghijkl"), "position": range(1, 13), "click": 1})
    shown = shown.with_columns(grade=13.0 - pl.col("position"))
    shown.write_csv(tmp_path / "log.csv")
    for by in ("position", "grade"):
        read, plain = (ir.Impressions(x, engine=engine) for x in (str(tmp_path / "log.csv"), shown))
        assert_frame_equal(read.rates(by=by), plain.rates(by=by))
        assert read.evaluate("CTR").grouped(by).summary()[by].to_list() == sorted(shown[by])
