"""Several clusterings of the same items, side by side, are as many runs."""

from __future__ import annotations

import random

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MissingColumn
from tests.contract.kit import ENGINES

MEASURES = "Purity NMI BCubedF AdjustedRand NumItems NumClusters"
DRAW = random.Random(1)
ROWS = [
    (i, DRAW.choice("abc"), DRAW.randrange(2), DRAW.choice([None, 0, 1, 2]), DRAW.choice("xyz"), i % 2, i % 3 + 1)
    for i in range(60)
]
TABLE = pl.DataFrame(ROWS, schema=["item_id", "label", "k2", "k5", "t", "part", "weight"], orient="row")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("by", [(), "part", "k2"])
def test_each_is_what_it_is_alone(engine: str, by: str) -> None:
    names = ["k5", "k2", "t"]
    both = ir.Clusters(TABLE, cluster=names, by=by, engine=engine).evaluate(MEASURES).summary()
    assert both["run_id"].unique().sort().to_list() == sorted(names)
    cells = ir.Clusters(TABLE, cluster=names, by=by, engine=engine).contingency()
    for name in names:
        subject = ir.Clusters(TABLE, cluster=name, by=by, engine=engine)
        assert both.filter(run_id=name)["value"].to_list() == pytest.approx(
            subject.evaluate(MEASURES).summary()["value"]
        )
        counts = subject.contingency()["count"].sort()
        assert cells.filter(run_id=name)["count"].sort().to_list() == counts.to_list()


@pytest.mark.parametrize("engine", ENGINES)
def test_two_tables_lists_and_noise(engine: str) -> None:
    classes, system = TABLE.select("item_id", "label"), TABLE.select("item_id", "k2", "k5")
    both = ir.Clusters(classes, system, cluster=["k2", "k5"], engine=engine).evaluate("Purity").wide()
    for name in ("k2", "k5"):
        subject = ir.Clusters(classes, system, cluster=name, engine=engine).evaluate("Purity").wide()
        assert both.filter(run_id=name)["Purity"].item() == pytest.approx(subject["Purity"].item())
    lists = TABLE.select("item_id", "label", a=pl.concat_list("k2"), b=pl.concat_list("k2", "part"))
    actual = ir.Clusters(lists, cluster=["a", "b"], engine=engine).evaluate("BCubedF").wide()
    for name in "ab":
        subject = ir.Clusters(lists, cluster=name, engine=engine).evaluate("BCubedF").wide()
        assert actual.filter(run_id=name)["BCubedF"].item() == pytest.approx(subject["BCubedF"].item())
    # Of different types they are compared as text, the cluster of noise too.
    mixed = ir.Clusters(TABLE, cluster=["k5", "t"], noise_cluster=1, policy="noise=skip", engine=engine)
    subject = ir.Clusters(TABLE, cluster="k5", noise_cluster=1, policy="noise=skip", engine=engine)
    n = mixed.evaluate("NumItems").wide()
    assert n.filter(run_id="k5")["NumItems"].item() == subject.evaluate("NumItems").wide()["NumItems"].item()
    assert n.filter(run_id="t")["NumItems"].item() == TABLE["weight"].sum()


def test_refused() -> None:
    with pytest.raises(MissingColumn, match=r"no column 'k9'.*\n.*cluster=\[\"k2\"\]"):
        ir.Clusters(TABLE, cluster=["k2", "k9"]).evaluate("Purity")
    with pytest.raises(InvalidParameter, match="a column 'run' of runs, and 2 clusterings"):
        ir.Clusters(TABLE.with_columns(run=pl.lit("a")), cluster=["k2", "k5"]).evaluate("Purity")
    with pytest.raises(InvalidParameter, match="twice"):
        ir.Clusters(TABLE, cluster=["k2", "k2"])
    lists = TABLE.with_columns(pl.concat_list("t"))
    with pytest.raises(InvalidParameter, match="some are lists"):
        ir.Clusters(lists, cluster=["k2", "t"]).evaluate("BCubedF")
