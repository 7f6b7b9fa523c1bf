"""Numbers that are known from elsewhere: computed by hand, by expeval, or with SciPy."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir

ENGINES = ("polars", "duckdb")
LIST = ir.examples.exposure()
UTILITY = pl.DataFrame({"query_id": "q", "doc_id": list("abcde"), "relevance": [0.9, 0.6, 0.7, 0.5, 0.3]})
GEOMETRIC = "(browsing='geometric'"


def values(measures: str, engine: str = "polars", **tables: Any) -> list[float | None]:
    fair = ir.FairExposure(**(LIST | tables), engine=engine)
    return [None if v is None else round(v, 6) for v in fair.evaluate(measures).summary()["value"].to_list()]


@pytest.mark.parametrize("engine", ENGINES)
def test_groups_of_one_list(engine: str) -> None:
    of_new = "GroupExposure(group='new'{}) AWRF({}) AWRF(distance='js-bits'{}) AWRF(distance='l1'{})"
    for more, expected in (
        ("", [0.300785, 0.979167, 0.969945, 0.800785]),
        ("browsing='trecfair'", [0.298070, 0.978565, 0.969076, 0.798070]),
        ("browsing='geometric'", [0.161290, 0.932841, 0.903110, 0.661290]),
    ):
        text = of_new.format(*(f",{more}" if more and i != 1 else more for i in range(4)))
        assert values(text, engine) == expected
    ratios = "ExposureRatio(group='new'{0}) ExposureRatio(group='new',browsing='trecfair') "
    ratios += "ExposureRatio(group='new',browsing='geometric')"
    assert values(ratios.format(""), engine) == [0.645263, 0.636964, 0.288462]
    assert values("DTR(group='new') DIR(group='new')", engine, relevant=UTILITY) == [0.860351, 0.623947]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_top_of_one_list(engine: str) -> None:
    target = {"new": 0.4, "known": 0.6}
    measures = "Skew(group='new')@3 Skew(group='new')@2 NDKL rND(group='new',step=2,normalized=False)"
    assert values(measures, engine, target=target) == [-0.182322, None, 0.291449, 0.475]
    pairs = "PairwiseAccuracy(group='{}'{})"
    texts = [pairs.format(g, more) for more in ("", ",pairs='inter'", ",pairs='intra'") for g in ("new", "known")]
    assert values(" ".join(texts), engine) == [0.666667, 1.0, 0.5, 1.0, 1.0, 1.0]


def test_equal_shares() -> None:
    assert values("AWRF", target="equal") == [0.979167]


def test_the_smallest_value_of_awrf_in_nats() -> None:
    """Jensen-Shannon divergence in nats is at most ln 2."""
    one = values("AWRF AWRF(distance='js-bits')", groups=LIST["groups"].with_columns(group=pl.lit("known")),
                 target={"known": 0.0, "new": 1.0})  # fmt: skip
    assert one == [round(1 - math.log(2), 6), 0.0]


@pytest.mark.parametrize("engine", ENGINES)
def test_expected_exposure_as_expeval_has_it(engine: str) -> None:
    tables = ir.examples.expected_exposure()
    tables["groups"] = tables["groups"].filter(pl.col("doc_id") != "x")
    fair = ir.FairExposure(**tables, samples="sample", policy="expeval,overlap=allow", engine=engine)
    grouped = " ".join(f"{m}(grouped=True)" for m in ("EED", "EER", "EEL"))
    found = fair.evaluate(f"EED EER EEL {grouped}").summary()["value"].round(6).to_list()
    assert found == [0.660156, 0.546875, 0.140625, 0.8125, 0.875, 0.019531]
    ev = fair.evaluate("EED EER EEL", policy="browsing=geometric,overlap=allow")
    assert ev.summary()["value"].round(6).to_list() == [0.9375, 0.875, 0.208333]


def test_expected_exposure_of_complete_judgments() -> None:
    run = pl.DataFrame({"query_id": 1, "s": [1] * 3 + [2] * 3, "doc_id": [*"abxbxa"], "rank": [1, 2, 3] * 2})
    judged = pl.DataFrame({"query_id": 1, "doc_id": [*"abx"], "relevance": [1, 1, 0]})
    fair = ir.FairExposure(run, relevant=judged, samples="s", browsing="geometric")
    ev = fair.evaluate("EED EER(complete=True) EEL(complete=True)")
    assert ev.summary()["value"].to_list() == pytest.approx([1.09375, 1.125, 0.03125], abs=1e-12)


def test_grades_share_the_ranks_they_have_in_the_best_order() -> None:
    """Two documents of grade 2 share (1 + γ) / 2, that of grade 1 has γ²; with `rel` all three are alike."""
    run = pl.DataFrame({"query_id": 1, "doc_id": [*"abc"], "rank": [1, 2, 3]})
    judged = pl.DataFrame({"query_id": 1, "doc_id": [*"abc"], "relevance": [2, 2, 1]})
    fair = ir.FairExposure(run, relevant=judged, browsing="geometric")
    graded, alike = fair.evaluate("EER EER(rel=1)").summary()["value"].to_list()
    assert graded == pytest.approx(0.75 + 0.5 * 0.75 + 0.25 * 0.25, abs=1e-12)
    assert alike == pytest.approx(1.75 * 1.75 / 3, abs=1e-12)


def test_a_query_without_a_list_loses_all_that_is_due() -> None:
    """It is no perfect score, as it is in expeval with groups."""
    run = pl.DataFrame({"query_id": [1, 1], "doc_id": [*"ab"], "rank": [1, 2]})
    judged = pl.DataFrame({"query_id": [1, 2], "doc_id": [*"ac"], "relevance": [1, 1]})
    ev = ir.FairExposure(run, relevant=judged).evaluate("EED EER EEL NumRetrieved")
    assert dict(ev.per_unit().filter(pl.col("query_id") == 2).select("measure", "value").rows()) == {
        "EED": 0.0, "EER": 0.0, "EEL": 1.0, "NumRetrieved": 0.0,
    }  # fmt: skip


def test_expected_exposure_as_trec_fair_has_it() -> None:
    """Only relevant documents count, and groups share the attention of 20 ranks."""
    ev = ir.FairExposure(**LIST, policy="trecfair").evaluate(
        " ".join(f"{m}(convention='trecfair')" for m in ("EED", "EER", "EEL"))
    )
    total = 1 + sum(1 / math.log2(r) for r in range(2, 21))
    real, due = (1.0, 1 / math.log2(3)), (total / 2, total / 2)
    assert ev.summary()["value"].to_list() == pytest.approx(
        [
            sum(x * x for x in real),
            sum(x * y for x, y in zip(real, due, strict=True)),
            sum((x - y) ** 2 for x, y in zip(real, due, strict=True)),
        ],
        abs=1e-12,
    )


def test_equity_of_attention_along_a_sequence() -> None:
    orders, relevance = ("ab", "ba", "ab"), ((0.5, 0.5), (0.5, 0.5), (0.7, 0.3))
    rows = [(t, doc, rank) for t, order in enumerate(orders) for rank, doc in enumerate(order, 1)]
    run = pl.DataFrame(rows, schema=["query_id", "doc_id", "rank"], orient="row")
    judged = pl.DataFrame(
        [(t, doc, r) for t, of in enumerate(relevance) for doc, r in zip("ab", of, strict=True)],
        schema=["query_id", "doc_id", "relevance"],
        orient="row",
    )
    after = []
    for t in range(3):
        some = pl.col("query_id") <= t
        fair = ir.FairExposure(run.filter(some), relevant=judged.filter(some))
        ev = fair.evaluate("EquityOfAttention(browsing='geometric',p=0.25)")
        after.append(ev.summary()["value"].item())
    assert after == pytest.approx([0.6, 0.0, 0.2], abs=1e-12)


def test_several_attributes_are_an_outer_product() -> None:
    """A document's share of a combination is the product of its shares; what is not known of it is unknown."""
    items = pl.DataFrame(
        {
            "doc_id": ["a", "a", "b", "c", "d"],
            "gender": ["f", "m", "f", None, None],
            "region": ["eu", "eu", None, "asia", None],
        }
    )
    run = pl.DataFrame({"query_id": 1, "doc_id": [*"abcd"], "rank": [1, 2, 3, 4]})
    fair = ir.FairExposure(run, items, group=["gender", "region"], browsing="none", policy="overlap=allow")
    table = fair.exposure()
    assert dict(table.select("group", "exposure").rows()) == pytest.approx(
        {"f × eu": 1 / 6, "m × eu": 1 / 6, "f × unknown": 1 / 3, "unknown × asia": 1 / 3}
    )
