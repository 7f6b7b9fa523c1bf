"""Credits and outcomes equal plain loops; the preferred ranking wins, and random clicks have no winner."""

from __future__ import annotations

import math
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats

import ireval_frames as ir
from ireval_frames import errors
from tests.interleaving import oracle
from tests.interleaving.cases import THREE_RUNS, TWO_RUNS, add_clicks, pages, run

CLICK_PROBABILITIES = {"a": 0.3, "b": 0.8, "c": 0.2, "d": 0.2, "e": 0.7, "f": 0.1}
METHODS = ("team-draft", "balanced", "probabilistic", "optimized", "pairwise")


def log_of(method: str, n: int = 60, case: Any = TWO_RUNS, seed: int = 0) -> pl.DataFrame:
    runs = [run(case, i) for i in range(len(next(iter(case.values()))))]
    lists = ir.interleaving.interleave(runs, None, method, seed=seed, depth=3, pages=pages(n, list(case)))
    return add_clicks(lists, CLICK_PROBABILITIES, seed)


def credits_of(method: str, page: pl.DataFrame, lists: Any) -> list[float]:
    """The credits of one page, as loops."""
    docs, clicks = tuple(page["doc_id"]), page["click"].to_list()
    names = "abc"[: len(lists)]
    match method:
        case "team-draft":
            return [float(sum(c for c, t in zip(clicks, page["team"], strict=True) if t == r)) for r in names]
        case "balanced":
            return oracle.lowest(lists, docs, clicks)
        case "probabilistic":
            return [sum(c * s for c, s in zip(clicks, row, strict=True)) for row in oracle.shares(lists, docs, 3)]
        case "optimized":
            bottom_ranks = [len(ranking) + 1 for ranking in lists]
            ranks = [
                [min(oracle.rank(ranking, d), b) for d in docs] for ranking, b in zip(lists, bottom_ranks, strict=True)
            ]
            return [sum(c / p for c, p in zip(clicks, row, strict=True)) for row in ranks]
        case _:
            return oracle.preferred(lists, docs, clicks, 3)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", [TWO_RUNS, THREE_RUNS])
def test_credits_equal_loops(engine: str, method: str, case: Any) -> None:
    log = log_of(method, case=case)
    table = log if engine == "polars" else duckdb.connect().from_arrow(log.to_arrow())
    test = ir.interleaving.Interleaving(table, method, runs=list("abc"[: len(case["q"])]))
    results = test.per_unit()
    outcomes: dict[tuple[str, str], list[tuple[Any, float, float]]] = {}
    names = "abc"[: len(case["q"])]
    for page in log.partition_by("serp_id"):
        serp, lists = page["serp_id"][0], [ranking[:3] for ranking in case[page["query_id"][0]]]
        expected = credits_of(method, page, lists)
        actual = results.filter(pl.col("serp_id") == serp)["credit"].to_list()
        assert actual == pytest.approx(expected), page
        for i, run_name in enumerate(names):
            for j in range(i):
                outcomes.setdefault((run_name, names[j]), []).append(
                    (serp, expected[i] - expected[j], page["click"].sum())
                )
    for row in test.summary().iter_rows(named=True):
        expected_means = oracle.means(
            outcomes[row["run"], row["baseline"]], graded=method not in ("team-draft", "balanced")
        )
        for name, value in expected_means.items():
            assert row[name] == pytest.approx(value, abs=1e-12), name
    sums = results.group_by("run").agg(pl.col("credit").sum())
    totals = test.credits()
    assert totals["run"].to_list() == list(names)
    assert totals["credit"].to_list() == pytest.approx(sums.sort("run")["credit"].to_list())
    credit = results.filter(pl.col("run") == "b")["credit"]
    mean, se = totals.filter(pl.col("run") == "b").select("mean", "se").row(0)
    assert (mean, se) == pytest.approx((credit.mean(), credit.std() / math.sqrt(len(credit))))  # type: ignore[operator]


def test_probabilities_from_ranks() -> None:
    log = log_of("probabilistic", case=THREE_RUNS)
    ranks = log.drop("credit_a", "credit_b", "credit_c")
    actual = ir.interleaving.Interleaving(ranks, "probabilistic", depth=3).per_unit()
    assert_frame_equal(actual, ir.interleaving.Interleaving(log, "probabilistic").per_unit(), abs_tol=1e-12)


def test_credit_functions_users_and_prefixes() -> None:
    log = log_of("team-draft", 80)
    results = {c: ir.interleaving.Interleaving(log, credit=c).per_unit() for c in ("clicks", "any", "first", "last")}
    for page in log.partition_by("serp_id"):
        hits = [t for t, c in page.sort("position").select("team", "click").iter_rows() if c]
        for name, counted in (("clicks", hits), ("first", hits[:1]), ("last", hits[-1:])):
            actual = results[name].filter(pl.col("serp_id") == page["serp_id"][0])["credit"].to_list()
            assert actual == [counted.count("a"), counted.count("b")]
        actual = results["any"].filter(pl.col("serp_id") == page["serp_id"][0])["credit"].to_list()
        assert actual == [float("a" in hits), float("b" in hits)]
    users = ir.interleaving.Interleaving(log, unit="user").per_unit()
    sums = log.group_by("user_id").agg(a=(pl.col("click") * (pl.col("team") == "a")).sum())
    assert users.filter(pl.col("run") == "a")["credit"].to_list() == sums.sort("user_id")["a"].to_list()
    clustered = ir.interleaving.Interleaving(log, cluster="user").summary()
    credit = results["clicks"].pivot(on="run", index="serp_id", values="credit")
    pairs = [(s // 4, b - a, 1) for s, a, b in credit.iter_rows()]
    for name, value in oracle.means(pairs).items():
        assert clustered[name][0] == pytest.approx(value)
    run_a = pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ["x", "y", "z"], "rank": [1, 2, 3]})
    run_b = run_a.with_columns(rank=pl.Series([1, 3, 2]))
    lists = ir.interleaving.interleave(run_a, run_b, pages=pages(20)).with_columns(click=1)
    without = ir.interleaving.Interleaving(lists, common_prefix=False).per_unit()
    assert without.group_by("serp_id").agg(pl.col("credit").sum())["credit"].to_list() == [2.0] * 20


def test_min_dwell() -> None:
    log = log_of("team-draft", 40).with_columns(dwell=pl.when(pl.col("click") > 0).then(pl.col("position") * 10.0))
    actual = ir.interleaving.Interleaving(log, min_dwell=20).per_unit()["credit"].sum()
    assert actual == log.filter((pl.col("click") > 0) & (pl.col("position") >= 2)).height


@pytest.mark.parametrize("method", METHODS)
def test_the_preferred_ranking_wins(method: str) -> None:
    actual = (
        ir.interleaving.Interleaving(log_of(method, 1200, {"q": TWO_RUNS["q"]}), method).summary().row(0, named=True)
    )
    assert (actual["run"], actual["baseline"]) == ("b", "a")
    assert actual["low"] > 0


@pytest.mark.parametrize("method", ["team-draft", "probabilistic", "optimized"])
def test_random_clicks_have_no_winner(method: str) -> None:
    runs = [run(TWO_RUNS, i) for i in range(2)]
    lists = ir.interleaving.interleave(runs, None, method, seed=1, depth=3, pages=pages(24_000))
    rng = np.random.default_rng(5)
    log = lists.with_columns(click=pl.Series((rng.random(lists.height) < 0.3).astype(np.int64)))
    log = log.with_columns(draw=pl.col("serp_id") // 120)
    actual = ir.interleaving.Interleaving(log, method, by="draw").summary()
    # Expected credits are equal: of optimized lists, if all positions are clicked equally.
    mean = actual["credit_difference"].mean()
    assert abs(mean) < 4.5 * actual["credit_difference"].std() / math.sqrt(actual.height)  # type: ignore[operator, arg-type]
    if method == "team-draft":
        covered = ((actual["low"] <= 0) & (actual["high"] >= 0)).mean()
        assert 0.9 <= covered <= 0.99  # type: ignore[operator]


def test_significance_tests_of_counts() -> None:
    log = log_of("team-draft", 150, THREE_RUNS, seed=2)
    test = ir.interleaving.Interleaving(log)
    summary, actual = test.summary(), test.tests()
    for row, test_row in zip(summary.iter_rows(named=True), actual.iter_rows(named=True), strict=True):
        w, n = row["wins"], row["wins"] + row["losses"]
        assert test_row["p_sign"] == pytest.approx(stats.binomtest(w, n).pvalue)
        assert test_row["p_z"] == pytest.approx(2 * stats.norm.sf(abs(2 * w - n) / math.sqrt(n)))
        credit = test.per_unit().pivot(on="run", index="serp_id", values="credit")
        d = (credit[row["run"]] - credit[row["baseline"]]).to_numpy()
        assert test_row["p_t"] == pytest.approx(stats.ttest_1samp(d, 0).pvalue)
    ordered = sorted(actual["p_sign"].to_list())
    holm, so_far = [], 0.0
    for i, p in enumerate(ordered):
        so_far = max(so_far, min(1.0, (len(ordered) - i) * p))
        holm.append(so_far)
    assert sorted(actual["adjusted_sign"].to_list()) == pytest.approx(holm)
    comparison = test.compare("a", test="t").table()
    expected = actual.filter((pl.col("baseline") == "a") & (pl.col("run") == "b"))
    assert comparison.filter(pl.col("system") == "b")["p_value"][0] == pytest.approx(expected["p_t"][0])
    matrix = test.matrix()
    first = summary.row(0, named=True)
    assert matrix.filter(pl.col("run") == "b")["a"][0] == pytest.approx(first["delta"] + 0.5)
    assert matrix.filter(pl.col("run") == "a")["b"][0] == pytest.approx(0.5 - first["delta"])
    assert matrix["a"][0] is None


def test_long_tail_weights_queries_by_significance() -> None:
    rows = []
    for query, wins, losses, ties in (("head", 60, 40, 0), ("sure", 0, 12, 1), ("tail", 2, 1, 3), ("none", 0, 0, 4)):
        rows += [(query, t) for t, n in (("a", wins), ("b", losses), ("x", ties)) for _ in range(n)]
    frame = pl.DataFrame(rows, schema=["query_id", "clicked"], orient="row").with_row_index("serp_id")
    log = pl.concat(
        [
            frame.with_columns(doc_id=pl.lit(t), position=pl.lit(i), team=pl.lit(t), click=pl.col("clicked") == t)
            for i, t in ((1, "a"), (2, "b"))
        ]
    ).drop("clicked")
    test = ir.interleaving.Interleaving(log)
    p = {
        q: stats.binomtest(w, n).pvalue if n else 1.0
        for q, w, n in (("head", 40, 100), ("sure", 12, 12), ("tail", 1, 3))
    }
    weights = {q: 1 - v for q, v in p.items()}
    outcome = {"head": -0.5, "sure": 0.5, "tail": -0.5}
    delta = sum(weights[q] * outcome[q] for q in outcome) / sum(weights.values())
    actual = test.long_tail().row(0, named=True)
    assert actual["delta"] == pytest.approx(delta)
    assert (actual["n_queries"], actual["n_counted"]) == (4, 2)
    squares = sum((weights[q] * (outcome[q] - delta)) ** 2 for q in outcome)
    assert actual["se"] == pytest.approx(math.sqrt(4 / 3 * squares) / sum(weights.values()))
    assert test.long_tail("pruning")["delta"].to_list() == [0.5]
    assert test.long_tail("equal")["delta"][0] == pytest.approx(-0.5 / 4)
    assert test.long_tail("pruning", alpha=1e-9)["delta"].to_list() == [None]


def test_engines_and_sql_agree() -> None:
    log = log_of("pairwise", 50, THREE_RUNS)
    con = duckdb.connect()
    con.from_arrow(log.to_arrow()).create("impressions")
    on_polars, on_duckdb = (
        ir.interleaving.Interleaving(log, "pairwise"),
        ir.interleaving.Interleaving(con.table("impressions"), "pairwise"),
    )
    assert_frame_equal(on_duckdb.summary(), on_polars.summary(), abs_tol=1e-12)
    assert_frame_equal(con.sql(on_duckdb.summary.sql()).pl(), on_polars.summary(), abs_tol=1e-12)


@pytest.mark.parametrize(
    "invalid, error, message",
    [
        ({"method": "teams"}, errors.UnknownName, "method is 'teams'"),
        ({"credit": "dwell"}, errors.UnknownName, "credit is 'dwell'"),
        ({"unit": "user", "cluster": "page"}, errors.NotDefined, "has no complete users"),
        ({"method": "balanced", "log": log_of("team-draft").drop("rank_a")}, errors.InvalidParameter, "two or more"),
        ({"method": "pairwise"}, errors.MissingColumn, "candidates"),
        ({"log": log_of("team-draft").drop("team", "rank_a", "rank_b")}, errors.MissingColumn, "no column 'team'"),
        ({"min_dwell": 30}, errors.MissingColumn, "dwell"),
        ({"credit": "any", "log": log_of("optimized"), "method": "optimized"}, errors.NotDefined, "Every ranking"),
        ({"by": "delta"}, errors.InvalidParameter, "column of the result"),
        ({"depth": 0}, errors.InvalidParameter, "a whole number of at least 1"),
        ({"tau": "x"}, errors.InvalidParameter, "tau is 'x'"),
        ({"runs": "ab"}, errors.InvalidParameter, "runs is 'ab'; it must be a list of names"),
        ({"runs": 5}, errors.InvalidParameter, "runs is 5; it must be a list of names"),
        ({"log": log_of("team-draft").with_columns(weight=2.0)}, errors.NotDefined, "this log has weights"),
        ({"runs": ["A", "B"]}, errors.MismatchedTables, "No result is of the team 'A'; the teams are a, b"),
        ({"unit": "user", "log": log_of("team-draft").with_columns(user_id=None)}, errors.InvalidValue, "no user_id"),
        (
            {"method": "balanced", "log": log_of("balanced").with_columns(rank_a=0)},
            errors.InvalidValue,
            "Column 'rank_a' is 0 at position 1",
        ),
        (
            {"method": "optimized", "log": log_of("optimized").with_columns(credit_b=float("nan"))},
            errors.InvalidValue,
            "Column 'credit_b' is nan",
        ),
        ({"method": "pairwise", "log": log_of("pairwise").with_columns(candidates=0)}, errors.InvalidValue, "is 0 at"),
    ],
)
def test_invalid_arguments(invalid: dict[str, Any], error: type[Exception], message: str) -> None:
    options: dict[str, Any] = {"log": log_of("team-draft"), **invalid}
    with pytest.raises(error, match=message):
        ir.interleaving.Interleaving(options.pop("log"), **options).summary()


def test_undefined_tests_are_refused() -> None:
    with pytest.raises(errors.NotDefined, match="unequally"):
        ir.interleaving.Interleaving(log_of("probabilistic"), "probabilistic").long_tail()
    # Teams were drawn with equal probabilities.
    assert ir.interleaving.Interleaving(log_of("probabilistic"), "team-draft").long_tail().height == 1
    with pytest.raises(errors.NotDefined, match="sampled by user"):
        ir.interleaving.Interleaving(log_of("team-draft"), cluster="user").compare(test="bootstrap")


def test_status_of_ties_and_single_pages() -> None:
    no_clicks = log_of("team-draft").with_columns(click=0)
    row = ir.interleaving.Interleaving(no_clicks).summary().row(0, named=True)
    assert (row["delta"], row["wins"], row["status"]) == (0.0, 0, "no_outcome")
    assert ir.interleaving.Interleaving(no_clicks).tests()["p_sign"].to_list() == [None]
    one_page = ir.interleaving.Interleaving(
        log_of("team-draft").filter(pl.col("serp_id") == 1).with_columns(click=pl.col("position") == 1)
    )
    assert one_page.summary().select("se", "status").row(0) == (None, "one_cluster")
    all_wins = log_of("team-draft").with_columns(click=pl.col("team") == "b")
    row = ir.interleaving.Interleaving(all_wins).summary().row(0, named=True)
    assert (row["wins"], row["losses"], row["low"], row["status"]) == (row["n"], 0, None, "constant_shift")
    assert ir.interleaving.Interleaving(all_wins).tests().select("p_clustered", "p_sign").row(0) == (
        None,
        pytest.approx(2.0**-59),
    )


def test_no_interval_without_variance() -> None:
    """Three wins of three are not certain."""
    log = log_of("team-draft", 3).with_columns(click=(pl.col("team") == "b").cast(pl.Int64))
    test = ir.interleaving.Interleaving(log, credit="any")
    row = test.summary().row(0, named=True)
    assert (row["wins"], row["delta"], row["se"], row["low"], row["status"]) == (3, 0.5, 0.0, None, "constant_shift")
    actual = test.tests().row(0, named=True)
    assert (actual["p_sign"], actual["p_clustered"], actual["p_t"]) == (0.25, None, None)
    queries = log.with_columns(query_id=pl.col("serp_id").cast(pl.String))
    by_query = ir.interleaving.Interleaving(queries, credit="any").long_tail("equal").row(0, named=True)
    # Wilson's interval of three of three, and the two of eight permutations that are as extreme.
    z = stats.norm.ppf(0.975)
    assert (by_query["delta"], by_query["se"], by_query["p_value"]) == (0.5, 0.0, 0.25)
    assert (by_query["low"], by_query["high"]) == pytest.approx((3 / (3 + z * z) - 0.5, 0.5))


def test_power_of_the_sample_size() -> None:
    rng = np.random.default_rng(1)
    for wins, losses, power in ((0.3, 0.2, 0.8), (0.5, 0.0, 0.9), (1, 0, 0.5)):
        n = ir.interleaving.sample_size(wins, losses, power=power)
        w = rng.multinomial(n, [wins, losses, 1 - wins - losses], size=4000)
        fewer, more = w[:, :2].min(axis=1), w[:, :2].sum(axis=1)
        actual = (2 * stats.binom.cdf(fewer, more, 0.5) <= 0.05).mean()
        assert actual > power - 0.025
    assert ir.interleaving.sample_size(1, 0) == ir.interleaving.sample_size(0, 1) == 6
    for invalid in ((0.2, 0.2), (0.7, 0.6), (-0.1, 0.2), ("x", 0.2)):
        with pytest.raises(errors.InvalidParameter):
            ir.interleaving.sample_size(*invalid)  # type: ignore[arg-type]


def test_columns_of_a_log_may_be_named() -> None:
    log = log_of("team-draft")
    renamed = log.rename({"user_id": "customer"})
    expected = ir.interleaving.Interleaving(log, cluster="user").summary()
    with pytest.raises(errors.UnknownName, match='Write cluster="user"'):
        ir.interleaving.Interleaving(renamed, cluster="customer")
    with pytest.raises(errors.MissingColumn, match=r'columns=\{"user_id": "customer"\}'):
        ir.interleaving.Interleaving(renamed, cluster="user")
    columns = {"user_id": "customer"}
    assert_frame_equal(ir.interleaving.Interleaving(renamed, cluster="user", columns=columns).summary(), expected)
    with pytest.raises(errors.InvalidParameter, match="Leave out columns="):
        ir.interleaving.Interleaving(ir.Impressions(log), columns=columns)


def test_numbers_are_printed_in_one_piece() -> None:
    text = str(ir.interleaving.Interleaving(log_of("team-draft")))
    assert len(text.splitlines()) == 5
    assert "credit_difference" in text
