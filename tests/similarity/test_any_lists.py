"""Any lists, made by Hypothesis; variants for ties are means over all orders of tied items."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ireval_frames as ir
from tests.contract.kit import assert_same
from tests.oracles import similarity as oracle
from tests.similarity.suite import SIMILARITY, expected, sample


def check(lists: dict, measures: Sequence, engine: str) -> None:
    actual = SIMILARITY.compute(lists, measures, engine)
    for measure in measures:
        assert_same(actual.get(str(measure), {}), expected(lists, measure))


LIST = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-9, 1e300, float("inf"), float("-inf")]),
    min_size=1,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, max_examples=15)
@given(
    st.dictionaries(
        st.tuples(st.sampled_from(["x", "Y", "é"]), st.sampled_from(["1", "02"])), LIST, min_size=1, max_size=5
    )
)
def test_any_lists(lists: dict) -> None:
    check(lists, sample(7, 3), "polars")


def test_tau_ap_is_the_mean_over_all_orders_of_ties() -> None:
    first, second = (
        {"a": 3.0, "b": 2.0, "c": 2.0, "d": 2.0, "e": 1.0},
        {"e": 5.0, "c": 4.0, "a": 4.0, "b": 2.0, "d": 1.0},
    )

    def orders(ranking: dict[str, float]) -> list[dict[str, float]]:
        parts = [list(itertools.permutations(tied)) for tied in oracle.groups(ranking)]
        return [
            {item: -float(i) for i, item in enumerate(itertools.chain(*order))} for order in itertools.product(*parts)
        ]

    values = [oracle.tau_ap(x, y) for x in orders(first) for y in orders(second)]
    assert len(values) == 12
    frames = [pl.DataFrame({"item": list(r), "score": list(r.values())}) for r in (first, second)]
    actual = ir.Similarity(frames[0], against=frames[1]).evaluate("TauAP").per_unit()["value"].item()
    assert actual == pytest.approx(sum(values) / 12, abs=1e-15)


def test_rbo_a_is_the_mean_over_all_orders_of_ties() -> None:
    first, second = ir.similarity.ranking("a (b c d) e"), ir.similarity.ranking("(e c) (a b) f")
    values = []
    for tied in itertools.permutations("bcd"):
        for left in ("e c", "c e"):
            for right in ("a b", "b a"):
                orders = [ir.similarity.ranking(t) for t in (f"a {' '.join(tied)} e", f"{left} {right} f")]
                values.append(
                    ir.Similarity(orders[0], against=orders[1])
                    .evaluate("RBO(estimate='truncated')")
                    .per_unit()["value"]
                    .item()
                )
    actual = ir.Similarity(first, against=second).evaluate("RBO(estimate='truncated')").per_unit()["value"].item()
    assert actual == pytest.approx(sum(values) / len(values), abs=1e-15)
