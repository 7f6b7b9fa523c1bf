"""How many pages an interleaving test needs."""

from __future__ import annotations

from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import ALPHA, POWER, number
from ireval_frames.stats.power.counts import mcnemar_sample_size


def sample_size(wins: float, losses: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """How many pages (or users) show which of two rankings wins, by the sign test, exactly as `tests()` runs it.

    n is the fewest pages from which on Σ_m P(M = m) · P(the sign test rejects m outcomes) is at least the power, with
    M ~ Binomial(n, w + l) pages that are no ties, of which w / (w + l) are wins.  Never fewer than it can reject with:
    at α = 0.05 six.

    Args:
        wins: the share of pages that a ranking wins, from 0 to 1.
        losses: the share that it loses; the rest are ties.
        power: how likely the difference is to be found.
        alpha: the level of the test.

    Raises:
        InvalidParameter: they are no shares, or equal: no number of pages finds what is not there.

    Source: Radlinski and Craswell, SIGIR 2010; Chernick and Liu, American Statistician 2002.

    Example:
        >>> import ireval_frames as ir
        >>> ir.interleaving.sample_size(0.12, 0.10), ir.interleaving.sample_size(1, 0)
        (4407, 6)
    """
    POWER.check("power", power)
    ALPHA.check("alpha", alpha)
    share = number(0.12, low=0.0, high=1.0)
    wins, losses = share.check("wins", wins), share.check("losses", losses)
    if wins == losses or wins + losses > 1.0 + 1e-12:
        raise InvalidParameter(
            f"wins is {wins!r} and losses {losses!r}; they differ, and their sum is at most 1.",
            "Write ir.interleaving.sample_size(0.12, 0.10).",
        )
    return mcnemar_sample_size(wins, losses, power, alpha)
