"""Tests over folds by loops from the papers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats

from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName
from ireval_frames.stats.means.cross_validation import corrected_t, five_by_two
from ireval_frames.stats.sample import Options
from tests.stats.sakai import of

RNG = np.random.default_rng(1)
BASELINE, SYSTEM = RNG.random((2, 10))


@pytest.mark.parametrize("more, ratio", [({}, 1 / 9), ({"folds": 5}, 1 / 4), ({"ratio": 0.5}, 0.5)])
def test_corrected_t(more: dict[str, Any], ratio: float) -> None:
    actual = corrected_t(of(BASELINE, SYSTEM), Options(more=more))
    d = SYSTEM - BASELINE
    se = (np.var(d, ddof=1) * (1 / 10 + ratio)) ** 0.5
    t = d.mean() / se
    assert (actual.statistic[0], actual.df[0]) == (pytest.approx(t), 9)
    assert actual.p_value[0] == pytest.approx(2 * scipy.stats.t.sf(abs(t), 9))
    assert actual.ci_high[0] == pytest.approx(d.mean() + scipy.stats.t.ppf(0.975, 9) * se)


def test_five_by_two() -> None:
    d = (SYSTEM - BASELINE).reshape(5, 2)
    squares = sum((x - repeat.mean()) ** 2 for repeat in d for x in repeat)
    f = sum(x**2 for x in d.ravel()) / (2 * squares)
    actual = five_by_two(of(BASELINE, SYSTEM), Options())
    assert (actual.statistic[0], actual.p_value[0]) == pytest.approx((f, scipy.stats.f.sf(f, 10, 5)))
    t = d[0, 0] / (squares / 5) ** 0.5
    actual = five_by_two(of(BASELINE, SYSTEM), Options(more={"statistic": "t"}))
    assert (actual.statistic[0], actual.p_value[0]) == pytest.approx((t, 2 * scipy.stats.t.sf(abs(t), 5)))


def test_degenerate() -> None:
    same = five_by_two(of(BASELINE, BASELINE), Options())
    assert (same.status[0], same.statistic[0], same.p_value[0]) == ("identical", 0, 1)
    shifted = five_by_two(of(np.zeros(10), np.ones(10)), Options())
    assert (shifted.status[0], shifted.statistic[0]) == ("undefined", np.inf)
    assert np.isnan(shifted.p_value[0])
    assert five_by_two(of(BASELINE, [*SYSTEM[:9], np.nan]), Options()).status[0] == "too_few"
    assert corrected_t(of(BASELINE, BASELINE), Options()).p_value[0] == 1
    assert corrected_t(of([1.0], [2.0]), Options()).status[0] == "one_unit"


def test_what_is_refused() -> None:
    for more, words in (
        ({"ratio": 0}, "ratio is 0"),
        ({"folds": 1}, "folds is 1"),
        ({"folds": 10, "ratio": 0.1}, "both"),
    ):
        with pytest.raises(InvalidParameter, match=words):
            corrected_t(of(BASELINE, SYSTEM), Options(more=more))
    with pytest.raises(NotDefined, match="9 units"):
        five_by_two(of(BASELINE[1:], SYSTEM[1:]), Options())
    with pytest.raises(UnknownName, match="it must be 'F' or 't'"):
        five_by_two(of(BASELINE, SYSTEM), Options(more={"statistic": "z"}))
