"""Rank-biased precision with gains of single grades, scaled per query."""

from __future__ import annotations

import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter
from tests.contract.kit import ENGINES, assert_same, by_measure
from tests.ranking.cases import make_case
from tests.ranking.suite import evaluated, expected

GAINS = ({1: 0.25, 2: 0.5}, {1: 1, 2: 2, 3: 3}, {4: 0.5, 3: 0.75}, {0: 0.5}, {1: -1, 2: 5}, {-2: 3}, {9: 7})
CASE = make_case(8, 42, 2)
# Fractional grades have levels of their own, which trec_eval does not have.
INTEGER_GRADES = {q: docs for q, docs in CASE.qrels.items() if all(g == int(g) for g in docs.values())}


def test_gains_equal_the_oracle() -> None:
    CASE.qrels = INTEGER_GRADES
    measures = [
        ir.RBP(p=0.7, max_rel="topic", gains=gains, unjudged=unjudged, cutoff=cutoff, judged_only=judged_only)
        for gains in GAINS
        for judged_only in (False, True)
        for unjudged in (0, 0.5, 2)
        for cutoff in (None, 3)
    ]
    values_expected = {measure: expected(CASE, measure) for measure in measures}
    for engine in ENGINES:
        actual = by_measure(evaluated(CASE, measures, engine))
        for measure in measures:
            assert_same(actual[str(measure)], values_expected[measure], 1e-9)


@pytest.mark.parametrize(
    "options", [{}, {"max_rel": 4}, {"max_rel": "topic", "residual": True}, {"max_rel": "topic", "measurement": "ED"}]
)
def test_gains_need_the_scale_of_a_query(options: dict) -> None:
    with pytest.raises(InvalidParameter, match="need max_rel='topic'"):
        ir.RBP(gains={1: 2}, **options).arguments()
