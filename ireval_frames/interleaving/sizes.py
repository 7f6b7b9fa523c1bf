"""How many pages an interleaving test needs."""

from __future__ import annotations

import math

from scipy import special

from ireval_frames.comparison.asked import share
from ireval_frames.errors import InvalidParameter


def sample_size(wins: float, losses: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """How many pages (or users) show which of two rankings wins, by a two-sided test of the mean outcome.

    n = (z(1 − α/2) + z(power))² (w + l − μ²) / μ² with μ = w − l = 2Δ, since an outcome is 1, −1 or 0.

    Args:
        wins: the share of pages that a ranking wins, from 0 to 1.
        losses: the share that it loses; the rest are ties.
        power: how likely the difference is to be found.
        alpha: the level of the test.

    Raises:
        InvalidParameter: they are no shares, or equal: no number of pages finds what is not there.

    Source: Radlinski and Craswell, SIGIR 2010; the normal approximation.

    Example:
        >>> import ireval_frames as ir
        >>> ir.interleaving.sample_size(0.12, 0.10)
        4310
    """
    share(power, "power", 0.8)
    share(alpha, "alpha", 0.05)
    for value in (wins, losses):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise InvalidParameter(
                f"wins is {wins!r} and losses {losses!r}; they are shares from 0 to 1.", "Write 0.12."
            )
    mean = wins - losses
    if not mean or wins + losses > 1:
        raise InvalidParameter(
            f"wins is {wins!r} and losses {losses!r}; they differ, and their sum is at most 1.",
            "Write ir.interleaving.sample_size(0.12, 0.10).",
        )
    z = float(special.ndtri(1.0 - alpha / 2.0) + special.ndtri(power))
    return math.ceil(z * z * (wins + losses - mean * mean) / (mean * mean))
