"""The values of stochastic rankers: plain loops over slates, the truth of simulated ones, and bad probabilities."""

from __future__ import annotations

import itertools
import math
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames import errors

Row = dict[str, Any]
DOCS = 3
NAMES = ("IIPS", "SIPS", "RIPS", "SNIIPS", "SNSIPS", "SNRIPS", "CascadeDR")
VARIANTS = (
    *NAMES,
    "SNIIPS(over='all')",
    "RIPS(clip=1.1)",
    "SIPS(sub_gaussian=0.5)",
    "IIPS(shrinkage=2)",
    "RIPS(switch=1.2)",
)


def plackett_luce(scores: list[float], order: tuple[int, ...]) -> list[float]:
    """The probability of each document of an order, given those above."""
    out, left = [], list(range(len(scores)))
    for d in order:
        out.append(math.exp(scores[d]) / sum(math.exp(scores[e]) for e in left))
        left.remove(d)
    return out


LOGGED, NEW = [0.3, 0.0, -0.3], [-0.5, 0.2, 0.4]
ATTRACTIVE = [0.2, 0.5, 0.8]


def simulated(seed: int, pages: int) -> pl.DataFrame:
    """Slates of a logging policy, read from the top; a click ends the reading half of the time."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for page in range(pages):
        order = tuple(int(d) for d in np.argsort(-(np.array(LOGGED) + rng.gumbel(size=DOCS))))
        b, e = plackett_luce(LOGGED, order), plackett_luce(NEW, order)
        reading = True
        for k, d in enumerate(order):
            click = reading and rng.random() < ATTRACTIVE[d]
            reading = reading and not (click and rng.random() < 0.5)
            q = ATTRACTIVE[d] * 0.7**k
            row = {"serp_id": page, "user_id": page // 2, "doc_id": f"d{d}", "position": k + 1, "click": int(click)}
            rows.append(row | {"propensity": b[k], "target": e[k], "q": q, "q_target": 0.45 * 0.7**k, "old": b[k]})
    return pl.DataFrame(rows)


def truth() -> float:
    """The clicks per page of the new policy, over all orders and clicks."""
    total = 0.0
    for order in itertools.permutations(range(DOCS)):
        reading, clicks = 1.0, 0.0
        for d in order:
            clicks += reading * ATTRACTIVE[d]
            reading *= 1 - 0.5 * ATTRACTIVE[d]
        total += math.prod(plackett_luce(NEW, order)) * clicks
    return total


def changed(w: float, text: str) -> float:
    if "clip" in text:
        return min(w, 1.1)
    if "sub_gaussian" in text:
        return w / (1 - 0.5 + 0.5 * w)
    if "shrinkage" in text:
        return 2 * w / (w * w + 2)
    return (w if w <= 1.2 else 0.0) if "switch" in text else w


def looped(log: pl.DataFrame, text: str, worth: Any) -> float:
    """The value, page by page and place by place."""
    name = text.partition("(")[0]
    kind = name.removeprefix("SN")
    pages = [list(p.sort("position").iter_rows(named=True)) for p in log.partition_by("serp_id", maintain_order=True)]
    terms: list[tuple[int, float, float]] = []
    total = 0.0
    for page in pages:
        ratios = [r["target"] / r["propensity"] for r in page]
        before = 1.0
        for k, row in enumerate(page):
            so_far = math.prod(ratios[: k + 1])
            w = changed({"IIPS": ratios[k], "SIPS": math.prod(ratios)}.get(kind, so_far), text)
            if name == "CascadeDR":
                total += worth(k + 1) * (w * (row["click"] - row["q"]) + before * row["q_target"])
            terms.append((k + 1, w, worth(k + 1) * row["click"]))
            before = w
    if name == "CascadeDR":
        return total / len(pages)
    if not name.startswith("SN"):
        return sum(w * x for _, w, x in terms) / len(pages)
    by_position = "all" not in text and name != "SNSIPS"
    for _, mine in itertools.groupby(
        sorted(terms, key=lambda t: t[0] if by_position else 0), lambda t: t[0] if by_position else 0
    ):
        part = list(mine)
        mean = sum(w for _, w, _ in part) / len(part)
        total += sum(w / mean * x for _, w, x in part)
    return total / len(pages)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_values_are_those_of_loops(engine: str) -> None:
    log = simulated(0, 60)
    log = pl.concat(
        [log.filter(pl.col("serp_id") > 5), log.filter((pl.col("serp_id") <= 5) & (pl.col("position") < 3))]
    )
    handed = log if engine == "polars" else duckdb.connect().from_arrow(log.to_arrow())
    actual = ir.clicks.off_policy(
        handed, estimators=" ".join(VARIANTS), measure="DCG", expected="q", expected_target="q_target"
    ).summary()
    for row, text in zip(actual.iter_rows(named=True), VARIANTS, strict=True):
        assert row["estimator"] == text
        assert row["value"] == pytest.approx(looped(log, text, lambda k: 1 / math.log2(k + 1)), rel=1e-10), text


def test_standard_errors_are_those_of_pages_and_users() -> None:
    log = simulated(1, 80)
    for cluster, key in (("page", "serp_id"), ("user", "user_id")):
        actual = ir.clicks.off_policy(log, estimators="RIPS SNRIPS(over='all')", cluster=cluster).summary()
        w = (pl.col("target") / pl.col("propensity")).cum_prod().over("serp_id", order_by="position")
        sums = (
            log.with_columns(w=w)
            .group_by(key)
            .agg(
                y=(pl.col("w") * pl.col("click")).sum(), w=pl.col("w").sum(), n=pl.len(), s=pl.col("serp_id").n_unique()
            )
        )
        y, weight, n, pages = (sums[c].cast(pl.Float64).to_numpy() for c in ("y", "w", "n", "s"))
        off = y - y.sum() / pages.sum() * pages
        assert actual["se"][0] == pytest.approx(math.sqrt(len(y) / (len(y) - 1) * (off**2).sum()) / pages.sum())
        # The jackknife of the ratio is near its first order.
        values = [
            (y.sum() - y[i]) / (weight.sum() - weight[i]) * (n.sum() - n[i]) / (pages.sum() - pages[i])
            for i in range(len(y))
        ]
        jackknife = math.sqrt((len(y) - 1) / len(y) * ((np.array(values) - np.mean(values)) ** 2).sum())
        assert actual["se"][1] == pytest.approx(jackknife, rel=0.1)


def test_the_truth_is_found() -> None:
    log, value = simulated(2, 6000), truth()
    actual = ir.clicks.off_policy(
        log, estimators="IIPS SIPS RIPS SNRIPS CascadeDR", expected="q", expected_target="q_target"
    ).summary()
    rows = {r["estimator"]: r for r in actual.iter_rows(named=True)}
    for name in ("SIPS", "RIPS", "SNRIPS"):
        assert abs(rows[name]["value"] - value) < 4 * rows[name]["se"]
        assert abs(rows[name]["mean_weight"] - 1) < 0.05
    assert rows["RIPS"]["se"] < rows["SIPS"]["se"]


def test_policies_are_compared_on_the_same_pages() -> None:
    log = simulated(3, 300)
    actual = ir.clicks.off_policy(log, ["old", "target"], estimators="RIPS SNRIPS")
    values = actual.summary()["value"].to_list()
    compared = actual.compare()
    assert compared["difference"].to_list() == pytest.approx([values[2] - values[0], values[3] - values[1]])
    w = (pl.col("target") / pl.col("propensity")).cum_prod().over("serp_id", order_by="position")
    d = log.with_columns(w=w).group_by("serp_id").agg(d=((pl.col("w") - 1) * pl.col("click")).sum())["d"]
    assert compared["se"][0] == pytest.approx(d.std() / math.sqrt(len(d)))  # type: ignore[operator]
    con = duckdb.connect()
    con.from_arrow(log.to_arrow()).create("impressions")
    there = ir.clicks.off_policy(con.table("impressions"), ["old", "target"], estimators="RIPS SNRIPS")
    assert_frame_equal(there.compare(), compared, abs_tol=1e-12)
    assert_frame_equal(con.sql(there.summary.sql()).pl(), actual.summary(), abs_tol=1e-12)


def test_bad_probabilities_are_reported() -> None:
    log = simulated(4, 5)
    for column, value, words in (
        ("propensity", 0.0, r"allowed: \(0, 1\]"),
        ("target", 1.5, r"allowed: \[0, 1\]"),
        ("target", None, "is None at position"),
    ):
        with pytest.raises(errors.InvalidValue, match=words):
            ir.clicks.off_policy(log.with_columns(pl.lit(value, dtype=pl.Float64).alias(column))).summary()
    with pytest.raises(errors.MissingColumn, match="propensity"):
        ir.clicks.off_policy(log.drop("propensity"))
    with pytest.raises(errors.UnknownName, match="RIPS"):
        ir.clicks.off_policy(log, estimators="RIPSS")
    for wrong in ("RIPS(clip=-1)", "RIPS(clip=1, switch=2)", "CascadeDR"):
        with pytest.raises(errors.InvalidParameter):
            ir.clicks.off_policy(log, estimators=wrong)
    none = ir.clicks.off_policy(log.with_columns(target=0.0), estimators="RIPS SNRIPS").summary()
    assert none.select("value", "se", "status").rows() == [(0.0, None, "no_overlap"), (None, None, "no_overlap")]
