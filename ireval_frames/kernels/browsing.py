"""How users browse a list: the attention that each rank gets, that of rank 1 being 1.

| browsing | attention at rank r | source |
|---|---|---|
| `log` | 1 / log2(r+1) | Järvelin and Kekäläinen, ACM TOIS 20(4), 2002 |
| `trecfair` | 1 / log2(max(r, 2)), so ranks 1 and 2 get the same | TREC Fair Ranking 2021 and 2022 |
| `geometric` | p^(r−1): users continue with probability p | Moffat and Zobel, ACM TOIS 27(1), 2008 |
| `cascade` | p^(r−1) (1−stop)^(relevant above): a relevant one satisfies with probability stop | expeval |
| `reciprocal` | 1 / r | |
| `none` | 1: every rank gets the same; with a cutoff k that is the top k | |
"""

from __future__ import annotations

from ireval_frames.expr import Expr, lit, max_horizontal
from ireval_frames.parameters import choice, number

BROWSING = choice(
    "log",
    "trecfair",
    "geometric",
    "cascade",
    "reciprocal",
    "none",
    what="the attention at rank r: 1/log2(r+1); 1/log2(max(r, 2)); p^(r−1); p^(r−1) (1−stop)^(relevant above); 1/r; 1",
)
CONTINUING = number(
    0.5, "geometric and cascade: the probability of continuing to the next rank", low=0.0, high=1.0, open_ends=True
)
STOP = number(0.5, "cascade: the probability of stopping at a relevant document", low=0.0, high=1.0, open_ends=True)


def log_of_rank(rank: Expr) -> Expr:
    """log2(r+1), by which a gain is divided."""
    return (rank + 1.0).log(2)


def logarithmic(rank: Expr) -> Expr:
    """1 / log2(r+1)."""
    return 1.0 / log_of_rank(rank)


def reciprocal(rank: Expr) -> Expr:
    """1 / r."""
    return 1.0 / rank


def geometric(rank: Expr, p: float) -> Expr:
    """p^(r−1)."""
    return lit(p) ** (rank - 1.0)


def attention(browsing: str, rank: Expr, *, p: float = 0.5, stop: float = 0.5, above: Expr | None = None) -> Expr:
    """The attention at a rank.

    Args:
        browsing: one of the words of `BROWSING`.
        rank: the rank, from 1, as a float.
        p: for `geometric` and `cascade`, the probability of continuing.
        stop: for `cascade`, the probability of stopping at a relevant document.
        above: for `cascade`, the number of relevant documents above, as a float.
    """
    match browsing:
        case "log":
            return logarithmic(rank)
        case "trecfair":
            return 1.0 / max_horizontal(rank, lit(2.0)).log(2)
        case "geometric":
            return geometric(rank, p)
        case "cascade":
            if above is None:
                raise ValueError("cascade needs the number of relevant documents above")
            return geometric(rank, p) * lit(1.0 - stop) ** above
        case "reciprocal":
            return reciprocal(rank)
        case _:
            return 0.0 * rank + 1.0
