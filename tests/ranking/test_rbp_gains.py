"""Rank-biased precision with gains of single grades, scaled per query."""

from __future__ import annotations

import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter
from tests.contract.kit import ENGINES, assert_same, by_measure
from tests.ranking.cases import make_case
from tests.ranking.suite import evaluated, expected

GAINS = ({1: 0.25, 2: 0.5}, {1: 1, 2: 2, 3: 3}, {4: 0.5, 3: 0.75}, {0: 0.5}, {1: -1, 2: 5}, {-2: 3}, {9: 7})
MADE = make_case(8, 42, 2)
# Between the whole grades there are levels of their own in the fractional tables, which trec_eval does not know.
WHOLE = {q: docs for q, docs in MADE.qrels.items() if all(g == int(g) for g in docs.values())}


def test_as_a_loop_scales_them() -> None:
    MADE.qrels = WHOLE
    measures = [
        ir.RBP(p=0.7, max_rel="topic", gains=gains, unjudged=unjudged, cutoff=cutoff, judged_only=judged_only)
        for gains in GAINS
        for judged_only in (False, True)
        for unjudged in (0, 0.5, 2)
        for cutoff in (None, 3)
    ]
    wanted = {measure: expected(MADE, measure) for measure in measures}
    for engine in ENGINES:
        found = by_measure(evaluated(MADE, measures, engine))
        for measure in measures:
            assert_same(found[str(measure)], wanted[measure], 1e-9)


@pytest.mark.parametrize(
    "others", [{}, {"max_rel": 4}, {"max_rel": "topic", "residual": True}, {"max_rel": "topic", "measurement": "ED"}]
)
def test_with_the_gains_of_trec_eval_alone(others: dict) -> None:
    with pytest.raises(InvalidParameter, match="need max_rel='topic'"):
        ir.RBP(gains={1: 2}, **others).arguments()
