"""Every small table of one, two or three raters and units against the definitions: all equal, one different, gaps."""

from __future__ import annotations

import itertools

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from tests.oracles import ratings as oracle
from tests.oracles.ratings import Group

Units = list[dict[str, float]]
INTERVALS = [
    "PercentAgreement", "FleissKappa", "ScottPi", "BrennanPrediger", "GwetAC1", "CongerKappa", "CohenKappa",
    "KrippendorffAlpha",
]  # fmt: skip


def every_table() -> dict[str, Units]:
    """Units × raters × categories; and two raters of two units, some of whose ratings are missing."""
    out: dict[str, Units] = {}
    for n, r, k in ((1, 1, 2), (1, 2, 2), (2, 1, 2), (2, 2, 2), (3, 2, 2), (2, 3, 2)):
        for t in itertools.product(range(k), repeat=n * r):
            name = f"{n}×{r}: " + "".join(map(str, t))
            out[name] = [{f"r{j}": float(t[i * r + j]) for j in range(r)} for i in range(n)]
    for t in itertools.product((0.0, 1.0, None), repeat=4):
        units = [{f"r{j}": x for j, x in enumerate(t[2 * i : 2 * i + 2]) if x is not None} for i in range(2)]
        if None in t and any(units):
            out["gaps: " + "".join("-" if x is None else f"{x:.0f}" for x in t)] = [u for u in units if u]
    return out


TABLES = every_table()
FRAME = pl.DataFrame(
    [(g, f"u{i}", r, x) for g, units in TABLES.items() for i, u in enumerate(units) for r, x in u.items()],
    schema=["part", "item_id", "rater_id", "rating"], orient="row",
)  # fmt: skip


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_every_small_table(level: str) -> None:
    names = list(oracle.OF_CATEGORIES if level == "nominal" else oracle.ORACLES)
    measures = [catalog.parse(name, "ratings") for name in names]
    table = ir.Ratings(FRAME, unit="part", level=level).evaluate(measures).per_unit()
    values = {(g, m): v for g, m, v in table.select("part", "measure", "value").iter_rows()}
    wrong = []
    for measure in measures:
        for part, units in TABLES.items():
            expected = oracle.value(measure.name, Group(units, level, None, None), **measure.arguments())
            actual = values[part, str(measure)]
            if (actual is None) != (expected is None) or (
                expected is not None and actual != pytest.approx(expected, abs=1e-9)
            ):
                wrong.append((str(measure), part, actual, expected))
    assert not wrong, wrong[:10]


def test_intervals_of_every_small_table() -> None:
    """An interval holds its value; where there is none the row says why."""
    some = FRAME.filter(pl.col("part").str.contains("^(1×2|2×1|2×2|gaps: .-)"))
    actual = ir.Ratings(some, unit="part").evaluate(INTERVALS).intervals()
    assert actual.height == some["part"].n_unique() * len(INTERVALS)
    for row in actual.iter_rows(named=True):
        ends = (row["ci_low"], row["ci_high"])
        text = (row["part"], row["measure"], row)
        if row["status"] == "ok":
            assert row["se"] > 0, text
            assert ends[0] - 1e-9 <= row["value"] <= ends[1] + 1e-9, text
        elif row["status"] == "degenerate":
            assert ends == pytest.approx((row["value"],) * 2), text
        else:
            assert row["status"] in ("undefined", "one_unit"), text
            assert ends == (None, None), text
            assert (row["value"] is None) == (row["status"] == "undefined") or row["se"] is None, text
