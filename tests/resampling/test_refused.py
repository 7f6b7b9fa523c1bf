"""What is not allowed, or says little, is told."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, IrevalError, MissingColumn, NotDefined, UnknownName
from ireval_frames.resampling.options import STATUS
from tests.resampling import samples


def items() -> ir.Labels:
    return ir.Labels(samples.labels().drop("score", "truth"))


REFUSED = [
    ({"seed": "today"}, InvalidParameter, "seed is 'today'"),
    ({"seed": -1}, InvalidParameter, "seed is -1"),
    ({"seed": True}, InvalidParameter, "seed is True"),
    ({"n_resamples": 1}, InvalidParameter, "n_resamples is 1"),
    ({"n_resamples": 10.0}, InvalidParameter, "n_resamples is 10.0"),
    ({"confidence": 95}, InvalidParameter, "confidence is 95"),
    ({"confidence": "0.9"}, InvalidParameter, "confidence is '0.9'"),
    ({"method": "percentil"}, UnknownName, "method is 'percentil'; it must be"),
    ({"weights": "poisson"}, UnknownName, "no weights 'poisson'"),
    ({"weights": "cells", "cluster": "user"}, InvalidParameter, "drawn one by one"),
    ({"cluster": "usr"}, MissingColumn, "no column 'usr'"),
    ({"stratify": "sit"}, MissingColumn, "no column 'sit'"),
    ({"by": "sit"}, MissingColumn, "no column 'sit'"),
    ({"system": "variant"}, MissingColumn, "no column 'variant'"),
    ({"cluster": "site", "stratify": "user"}, InvalidParameter, "stratify=.'user'. splits"),
    ({"cluster": "user", "unit": "site", "method": "studentised"}, NotDefined, "Studentised"),
    ({"cluster": "user", "method": "wilson"}, NotDefined, "drawn one by one"),
    ({"cluster": "user", "method": "delong"}, NotDefined, "drawn one by one"),
]


@pytest.mark.parametrize("how, error, message", REFUSED)
def test_arguments(how: dict[str, object], error: type[IrevalError], message: str) -> None:
    with pytest.raises(error, match=message) as actual:
        ir.resampling.bootstrap(items(), "Accuracy", **how).table()
    assert actual.value.hint


def test_subjects() -> None:
    with pytest.raises(InvalidParameter, match="of type DataFrame"):
        ir.resampling.bootstrap(samples.labels(), "Accuracy")
    with pytest.raises(InvalidParameter, match="No measure"):
        ir.resampling.bootstrap(items())
    # All items are one unit, and are drawn one by one.
    of_evaluation, of_subject = (
        ir.resampling.bootstrap(*arguments, n_resamples=20).table()
        for arguments in ((items().evaluate("Accuracy"),), (items(), "Accuracy"))
    )
    assert of_evaluation.equals(of_subject)
    ev = items().evaluate("Accuracy", by="site")
    with pytest.raises(InvalidParameter, match="has its measures"):
        ir.resampling.bootstrap(ev, "Accuracy")
    with pytest.raises(NotDefined, match="no ids"):
        ir.resampling.bootstrap(
            ir.Labels(samples.labels().drop("item_id", "score")), "Accuracy", weights="hash"
        ).table()
    qrels, run, queries = samples.rankings()
    rankings = ir.Rankings(qrels, run, queries=queries)
    with pytest.raises(InvalidParameter, match="units of Rankings"):
        ir.resampling.bootstrap(rankings, "AP", unit="user")
    with pytest.raises(InvalidParameter, match="a group holds no other"):
        ir.resampling.bootstrap(rankings.evaluate("AP", by="user"), cluster="user").table()
    with pytest.raises(IrevalError, match=r"NaN|null|finite"):
        ir.resampling.bootstrap(
            ir.Labels(samples.labels().select("user", "truth", score=pl.lit(float("nan"))), label="truth"),
            "ROCAUC",
            cluster="user",
        ).table()


def test_every_status_is_explained_and_found() -> None:
    one = pl.DataFrame({"label": ["a"], "prediction": ["a"]})
    few = ir.resampling.bootstrap(items(), "Accuracy", cluster="site", n_resamples=50)
    qrels, run, _ = samples.rankings()
    largest = ir.resampling.bootstrap(ir.Rankings(qrels, run), "AP(aggregation='max')", n_resamples=50)
    nothing = ir.Labels(pl.DataFrame({"label": [0, 0], "prediction": [0, 0]}), policy="undefined=null")
    right = pl.DataFrame({"label": [True] * 30, "prediction": [True] * 30})
    # Of two items of a user, one right, half of the draws leave nothing to be wrong about.
    users = pl.DataFrame(
        {"user": [*range(40)] * 3, "label": [True] * 40 + [False] * 80, "score": [0.5] * 40 + [0.6] * 80}
    )
    recommendations = ir.Recommendations(**ir.examples.recommendations())
    options = {
        "one_unit": ir.resampling.bootstrap(ir.Labels(one), "Accuracy").table(),
        "few_clusters": few.table(),
        "extreme": largest.table(),
        "undefined": ir.resampling.bootstrap(nothing, "Precision", n_resamples=5).table(),
        "biased": ir.resampling.bootstrap(ir.Labels(users, unit="user"), "AveragePrecision", n_resamples=100).table(),
        "degenerate": ir.resampling.bootstrap(ir.Labels(right), "Accuracy", n_resamples=5).table(),
        "infinite": ir.resampling.bootstrap(ir.Timings(ir.examples.timings()), "Latency(p=95)", n_resamples=50)
        .table()
        .tail(1),
        "no_share": ir.resampling.bootstrap(items(), "MCC", method="wilson").table(),
        "not_smooth": ir.resampling.bootstrap(recommendations, "CatalogCoverage@3", method="delta").table(),
        "identical": ir.resampling.bootstrap(ir.Labels(samples.systems()), "Accuracy", n_resamples=5)
        .compare("copy")
        .head(1),
        "no_area": ir.resampling.bootstrap(
            ir.Labels(samples.labels().drop("label", "prediction"), label="truth"), "AveragePrecision", method="delong"
        ).table(),
    }
    for status, frame in options.items():
        assert frame["status"][0] == status
        assert not any(frame.select(pl.selectors.float().is_nan().any()).row(0))
    assert STATUS.keys() == {*options, "ok"}
    assert options["one_unit"].row(0, named=True)["ci_low"] is None


def test_replicates_without_a_value_are_left_out_and_counted() -> None:
    # With two users, one replicate in seven holds nobody.
    frame = samples.labels().filter(pl.col("user") < 2)
    b = ir.resampling.bootstrap(ir.Labels(frame.drop("score")), "Accuracy", cluster="user", n_resamples=300)
    row = b.table().row(0, named=True)
    empty = b.replicates()["value"].null_count()
    assert 20 < empty < 70
    assert row["n_resamples"] == 300 - empty
    assert row["n_resampled"] == 2
