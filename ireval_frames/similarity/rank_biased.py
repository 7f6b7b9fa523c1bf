"""Rank-biased overlap: agreement at every depth, weighted by the probability that a reader reaches it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import polars as pl

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.parameters import choice, number
from ireval_frames.ratios import ratio
from ireval_frames.similarity.context import Pair
from ireval_frames.similarity.overlap import CUTOFF, TIES, Depths

ESTIMATES = ("extrapolated", "minimum", "maximum", "residual", "truncated", "normalized")


@measure(
    "similarity",
    "RBO",
    parameters={
        "p": number(0.9, "the probability of continuing to the next depth", low=0.0, high=1.0, open_ends=True),
        "estimate": choice(*ESTIMATES, what="what to assume for the depths beyond the ends of the lists"),
        "ties": TIES,
        "cutoff": CUTOFF,
    },
    undefined=None,
    formula="(1−p) Σ_d p^(d−1) A_d, A_d = |top d of one ∩ top d of the other| / d",
    source="Webber, Moffat and Zobel, TOIS 2010; Corsi and Urbano, SIGIR 2024 for ties",
)
def RBO(pair: Pair, p: float, estimate: str, ties: str, cutoff: int | None) -> Expr:
    """Rank-biased overlap: the expected agreement of two lists for a reader who goes deeper with probability p.

    RBO = (1−p) Σ_{d≥1} p^(d−1) A_d, where A_d is the agreement of the top d items of both.  Lists are finite; with s
    and l items (s ≤ l) and X common ones, `estimate` says how the infinite sum is estimated: "extrapolated" assumes
    that agreement continues as at s and at l (the paper's RBO_EXT, equation 32); "minimum" and "maximum" assume that
    the unseen items share nothing more, or as much as possible, and "residual" is the difference (RBO_RES); "truncated"
    stops at depth s; "normalized" divides this by 1 − p^s, so that equal lists have 1.  With a cutoff, both lists are
    known down to that depth only.

    Tied items count partly at depths that cut through them: `ties="a"` is the mean over all orders of the ties, "b"
    also divides by what each list has in common with itself, "w" gives tied items one rank, as in sports.

    Range: 0 (nothing in common) to 1.  Undefined where one of the lists is missing.

    Example:
        >>> import ireval_frames as ir
        >>> a, b = ir.similarity.ranking("a b c d e"), ir.similarity.ranking("b a c f g")
        >>> ir.Similarity(a, against=b).evaluate("RBO RBO(estimate='truncated') RBO(p=0.5)@3").wide().row(0)[2:]
        (0.6193..., 0.2650..., 0.5)
    """
    sums = _Sums(Depths(pair, ties, cutoff), p)
    match estimate:
        case "extrapolated":
            value = sums.extrapolated()
        case "minimum":
            value = sums.minimum()
        case "maximum":
            value = sums.maximum()
        case "residual":
            value = sums.maximum() - sums.minimum()
        case "truncated":
            value = sums.truncated()
        case _:
            value = sums.truncated() / (1.0 - lit(p) ** sums.short)
    value = pair.result(value, "rbo")
    # Rounding may exceed 1 or fall below 0.
    return when(value > 1.0).then(1.0).when(value < 0.0).then(0.0).otherwise(value)


@dataclass(frozen=True)
class _Sums:
    """The parts of the sum over depths: (1−p)/p Σ_d p^d A_d."""

    depths: Depths
    p: float

    @property
    def short(self) -> Expr:
        return self.depths.pair.short_size(self.depths.cutoff)

    @property
    def long(self) -> Expr:
        return self.depths.pair.long_size(self.depths.cutoff)

    @property
    def _weight(self) -> Expr:
        return lit(self.p) ** self.depths.depth

    @property
    def _beyond_short(self) -> Expr:
        return self.depths.depth > col("short_size")

    def _seen(self) -> Expr:
        """The sum down to the end of the longer list."""
        return self.depths.sum(self.depths.agreement * self._weight)

    def _after(self, depth: Expr) -> Expr:
        """Σ p^d over all depths after this one."""
        return lit(self.p) ** (depth + 1.0) / (1.0 - self.p)

    def _scaled(self, value: Expr) -> Expr:
        return value * ((1.0 - self.p) / self.p)

    @property
    def _shared_at_end(self) -> Expr:
        """The number of items shared at the end of the longer list."""
        return self.depths.sum(self.depths.agreement, self.depths.last) * self.long

    def truncated(self) -> Expr:
        """The depths that both lists have."""
        return self._scaled(self.depths.sum(self.depths.agreement * self._weight, ~self._beyond_short))

    def minimum(self) -> Expr:
        """Nothing more is shared: Σ_{d>l} p^d X/d, where Σ_d p^d/d is the logarithm of 1/(1−p)."""
        rest = -math.log1p(-self.p) - self.depths.sum(self._weight / self.depths.depth)
        # Deep down this difference is rounding; the sum lies between 0 and the geometric series of its first term.
        most = self._after(self.long) / (self.long + 1.0)
        rest = self.depths.pair.result(rest, "rest")
        rest = when(rest < 0.0).then(0.0).when(rest > most).then(most).otherwise(rest)
        return self._scaled(self._seen() + self._shared_at_end * rest)

    def extrapolated(self) -> Expr:
        """Items missing in the shorter list are shared as often as those at its end; then A_d is constant."""
        depths, beyond = self.depths, self._beyond_short
        at_short = depths.sum(depths.agreement, depths.depth == self._short_end)
        more = depths.column(depths.normalized(self._missing * self._mean_part()), "extrapolated")
        end = depths.sum(depths.agreement, depths.last) + at_short * depths.sum(more, depths.last & beyond)
        return self._scaled(
            self._seen() + at_short * depths.sum(more * self._weight, beyond) + end * self._after(self.long)
        )

    @property
    def _short_end(self) -> Expr:
        size = col("short_size")
        cutoff = self.depths.cutoff
        return size if cutoff is None else when(size < float(cutoff)).then(size).otherwise(float(cutoff))

    def maximum(self) -> Expr:
        """The shorter list continues with the longer one's items, then both with the rest, until all f are shared."""
        depths, pair = self.depths, self.depths.pair
        label = f"_{depths.ties}" + (f"_{depths.cutoff}" if depths.cutoff else "")
        most = depths.column(depths.normalized(self._most_shared()), "most_shared")
        more = depths.sum(most * self._weight, self._beyond_short)
        full = pair.measured_column(self.long + self.short - self._shared_at_end, "full")
        # With a cutoff through ties f may be fractional, and smaller than the last depth if ties are corrected for.
        last = pair.measured_column(when(full < self.long).then(self.long).otherwise(full.floor()), "last")
        step = col("depth").cast(pl.Float64)
        inverse = pair.sum_beyond(label, self.long + 1.0, last, lit(self.p) ** step / step)
        shared_until = 2.0 * (self._after(self.long) - self._after(last)) - full * inverse
        return self._scaled(self._seen() + more + shared_until + self._after(last))

    @property
    def _missing(self) -> Expr:
        """The number of items missing in the shorter list at a depth beyond its end."""
        return self.depths.depth - col("short_size")

    def _long_only(self) -> tuple[Expr, Expr]:
        """The items of the longer list alone beyond the shorter one's end: how many count, and count fully."""
        agreement = self.depths.pair.agreement
        alone = agreement.depths.column(col("long_bottom") - agreement.started, "long_only")
        tied = col("long_bottom") - col("long_top") + 1.0 - agreement.long_tied
        return alone, agreement.depths.column(
            when(self.depths.cut_through < 1.0).then(alone - tied).otherwise(alone), "long_only_fully"
        )

    def _most_shared(self) -> Expr:
        """The most that the shorter list's missing items can share with the longer one, highest items first."""
        if self.depths.ties == "w":
            return self._missing
        _, fully = self._long_only()
        part = self.depths.cut_through
        return when(self._missing > fully).then(fully + part * (self._missing - fully)).otherwise(self._missing)

    def _mean_part(self) -> Expr:
        """The mean part at a depth of the items of the longer list alone that count."""
        if self.depths.ties == "w":
            return lit(1.0)
        long_only, fully = self._long_only()
        partly = self.depths.cut_through * (long_only - fully)
        return when(long_only > 0).then(ratio(fully + partly, long_only)).otherwise(1.0)
