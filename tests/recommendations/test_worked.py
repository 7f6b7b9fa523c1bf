"""Numbers computed by hand from small lists, and what other tools give for them."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir

# Four users, lists of three items (one of two), and six items: `ir.examples.recommendations`.
PER_USER = {
    "MIUF@3": (2, 1.5, 2, 1.666667),
    "Surprisal(over='k')@3": (1, 0.5, 1, 0.833333),
    "ARP@3": (0.666667, 1, 0.333333, 1.333333),
    "TailShare@3": (0.666667, 0.5, 0.666667, 0.333333),
    "UnseenShare@3": (1, 1, 1, 1),
    "ILD@3": (0.833333, 1, 0.722222, 0.666667),
    "FeatureRecall@3": (1, 0.666667, 1, 0.666667),
    "Serendipity@3": (0.055556, 0.083333, 0.277778, 0),
    "Serendipity(of='history', relevance=False)@3": (0.715482, 0.823223, 0.944444, 0.430964),
    "Serendipity(of='history')@3": (0.132149, 0.323223, 0.333333, 0),
    "Serendipity(of='baseline')@3": (0.333333, 0, 0.333333, 0),
    "Miscalibration@3": (1.742969, 1.451651, 0.904490, 0.683197),
    "Miscalibration(browsing='log')@3": (1.417608, 1.300722, 0.638408, 0.476188),
    "Miscalibration(divergence='js')@3": (0.453913, 0.272515, 0.253597, 0.215762),
    "Miscalibration(divergence='hellinger')@3": (0.769254, 0.622597, 0.577350, 0.541196),
}
OF_ALL = {
    "MIUF@3": 1.791667,
    "ARP@3": 0.833333,
    "ARP(share=True)@3": 0.104167,
    "TailShare@3": 0.541667,
    "SelfInformation(unseen='null')@3": 2.714286,
    "CatalogCoverage@3": 0.833333,
    "UserCoverage@3": 1,
    "ItemGini@3": 0.318182,
    "ExposureGini@3": 0.368945,
    "ItemEntropy@3": 2.231270,
    "ItemEntropy(base=2.718281828459045)@3": 1.546599,
    "ItemEntropy(normalized=True)@3": 0.863173,
    "Personalization@3": 0.555556,
    "Personalization(over='lengths')@3": 0.518098,
    "ILD@3": 0.805556,
    "FeatureRecall@3": 0.833333,
    "Serendipity@3": 0.104167,
    "Serendipity(of='history', relevance=False)@3": 0.728529,
    "Serendipity(of='history')@3": 0.197176,
    "Serendipity(of='baseline')@3": 0.166667,
}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_the_numbers_of_the_example(engine: str) -> None:
    recs = ir.Recommendations(**ir.examples.recommendations(), engine=engine)
    evaluation = recs.evaluate([*PER_USER, *OF_ALL])
    each = evaluation.per_unit(wide=True).sort("user_id")
    assert {m: tuple(each[m].round(6)) for m in PER_USER} == PER_USER
    assert {m: evaluation.wide()[m].round(6).item() for m in OF_ALL} == OF_ALL
    # 1 − the similarity of users in train is the diversity of the library recommenders.
    ils = recs.evaluate("ILS(of='train')@3").per_unit()["value"]
    assert [round(1 - v, 6) for v in ils] == [1, 1, 1, 0.764298]


def test_the_largest_miscalibration_is_that_of_disjoint_features() -> None:
    tables = ir.examples.recommendations()
    tables["recs"] = tables["recs"].filter(user_id="u1", item_id="E").vstack(tables["recs"].clear())
    value = (
        ir.Recommendations(**tables, policy="overlap=allow")
        .evaluate("Miscalibration")
        .per_unit()
        .filter(user_id="u1")["value"]
        .item()
    )
    assert value == pytest.approx(4.605170, abs=1e-6)


def test_what_many_lists_must_give() -> None:
    """Equal counts have no inequality, one item the largest; equal lists differ in nothing."""
    users, items = [f"u{n}" for n in range(4)], ["a", "b", "c", "d"]
    once = pl.DataFrame({"user_id": users, "item_id": items, "rank": [1] * 4})
    same = once.with_columns(item_id=pl.lit("a"))
    measures = "ItemGini ItemEntropy(normalized=True) Personalization@1 CatalogCoverage"
    even = ir.Recommendations(once, catalogue=items).evaluate(measures).summary()["value"].to_list()
    one = ir.Recommendations(same, catalogue=items).evaluate(measures).summary()["value"].to_list()
    assert even == pytest.approx([0, 1, 1, 1])
    assert one == pytest.approx([0.75, 0, 0, 0.25])
    features = pl.DataFrame({"item_id": items, "feature": ["x"] * 4})
    lists = pl.DataFrame({"user_id": ["u"] * 4, "item_id": items, "rank": [1, 2, 3, 4]})
    train = pl.DataFrame({"user_id": ["u", "v"] * 4, "item_id": [i for i in items for _ in "uv"]})
    recs = ir.Recommendations(lists, train, features=features)
    alike = "ILD ILD(distance='cosine') MIUF FeatureEntropy Miscalibration(divergence='js')"
    assert recs.evaluate(alike).summary()["value"].to_list() == [0] * 5
