"""How many requests an interval of a percentile needs, and which of them are its ends."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ireval_frames.parameters import CONFIDENCE, number

PERCENTAGE = number(what="the percentage", low=0.0, high=100.0, open_ends=True, example=95)
MARGIN = number(None, "how far the share of requests may be from p", low=0.0, high=1.0, open_ends=True, example=0.005)


@dataclass(frozen=True)
class Ends:
    """The ranks of the two latencies between which a percentile lies.

    Attributes:
        low, high: ranks from 1; None where there is no such latency.
        coverage: with what probability the percentile lies between them; an end that is missing is 0, or infinite.
    """

    low: int | None
    high: int | None
    coverage: float


def ranks(n: int, p: float, confidence: float) -> Ends:
    """The ranks l and u of B⁻¹(α/2) and B⁻¹(1 − α/2) + 1 of the binomial distribution of n requests at p %."""
    from scipy.special import bdtr

    share, tail = p / 100.0, (1.0 - confidence) / 2.0

    def quantile(of: float) -> int:
        """The smallest k with B(k) ≥ of."""
        low, high = 0, n
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if bdtr(middle, n, share) >= of else (middle + 1, high)
        return low

    low, high = quantile(tail), quantile(1.0 - tail) + 1
    above = float(bdtr(high - 1, n, share)) if high <= n else 1.0
    below = float(bdtr(low - 1, n, share)) if low >= 1 else 0.0
    return Ends(low if low >= 1 else None, high if high <= n else None, above - below)


def requests_needed(p: float, *, confidence: float = 0.99, margin: float | None = None) -> int:
    """How many requests are needed before anything can be said about the latency of p % of all.

    Without `margin`: the smallest n whose longest latency is at least that percentile with this confidence,
    ⌈ln(1 − confidence) / ln(p/100)⌉; with fewer, no upper end exists.  With it: the n at which the share of requests
    below the true percentile is within p/100 ± margin, ⌈z²·p(1 − p) / margin²⌉.

    Args:
        p: the percentage.
        confidence: of the statement.
        margin: as a share; MLPerf takes a twentieth of 1 − p/100.

    Raises:
        InvalidParameter: an argument is not allowed.

    Source: MLPerf Inference rules, early stopping and numbers of queries.

    Example:
        >>> import ireval_frames as ir
        >>> ir.timings.requests_needed(99), ir.timings.requests_needed(90, margin=0.005)
        (459, 23886)
    """
    share = PERCENTAGE.check("p", p) / 100.0
    level, margin = CONFIDENCE.check("confidence", confidence), MARGIN.check("margin", margin)
    if margin is None:
        return math.ceil(math.log1p(-level) / math.log(share) - 1e-9)
    from scipy.special import ndtri

    z = float(ndtri((1.0 + level) / 2.0))
    n: float = z**2 * share * (1.0 - share) / float(margin) ** 2
    return math.ceil(n - 1e-9)
