"""Criteria of order: whether pairs of points of one cluster are nearer than pairs of different clusters.

They compare single distances, so all of a unit's distances are in memory at once; distances that differ by rounding
count as equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.expr import Expr
from ireval_frames.points.context import PointContext
from ireval_frames.points.criteria import point_measure
from ireval_frames.points.geometry import Geometry

if TYPE_CHECKING:
    from ireval_frames.points.distances import Array

# The largest number of pairs, about 160 MB of distances.
MAX_PAIRS = 20_000_000
# Distances are compared in units of this share of the largest.
GRAIN = 1e-12
COST = "All n·(n−1)/2 distances sorted, at most 6,300 points in a unit."


@dataclass(frozen=True)
class Ordered:
    """The distances of all pairs.

    Attributes:
        inside, between: sorted, of pairs of one cluster, and of different clusters.
        concordant, discordant: the number of combinations of an inside and a between pair in which the inside pair is
            nearer, and farther.
    """

    inside: Array
    between: Array
    concordant: float
    discordant: float

    @property
    def total(self) -> int:
        """The number of pairs."""
        return len(self.inside) + len(self.between)

    @property
    def has_both(self) -> bool:
        """Whether there are pairs inside clusters and between them."""
        return len(self.inside) > 0 and len(self.between) > 0


def ordered(g: Geometry, metric: str, measure: str) -> Ordered:
    """All distances of a unit, computed once.

    Raises:
        NotDefined: there are too many.
    """
    import numpy as np

    n = len(g.codes)
    if n * (n - 1) // 2 > MAX_PAIRS:
        n_max = int(math.sqrt(2 * MAX_PAIRS))
        raise NotDefined(
            f"{measure} compares all pairs of points, and {n} points have {n * (n - 1) // 2}; at most {MAX_PAIRS} fit.",
            Hint(
                f"Evaluate a sample of them: frame.sample({n_max - n_max % 100}, seed=0), or groups: ",
                Argument("by", "group"),
            ),
        )
    if ("ordered", metric) not in g.cache:
        distances = g.all_distances(metric)
        same = np.concatenate([g.codes[i + 1 :] == g.codes[i] for i in range(n)]) if n else np.zeros(0, dtype=bool)
        inside, between = np.sort(distances[same]), np.sort(distances[~same])
        # Differences below the grain are ties.
        grain = GRAIN * float(distances.max(initial=0.0)) or 1.0
        rounded, others = np.round(inside / grain), np.round(between / grain)
        nearer = float(np.searchsorted(rounded, others, side="left").sum(dtype=np.float64))
        farther = float((len(rounded) - np.searchsorted(rounded, others, side="right")).sum(dtype=np.float64))
        g.cache["ordered", metric] = Ordered(inside, between, nearer, farther)
    result: Ordered = g.cache["ordered", metric]
    return result


def _of_pairs(u: PointContext, value: Callable[[Ordered], float | None]) -> Expr:
    u.unweighted()
    of, measure = u.metric(None), u.measure
    return u.computed(lambda g: value(ordered(g, of, measure)), metric=of)


@point_measure(
    "CIndex",
    range=(0.0, 1.0),
    higher_is_better=False,
    formula="(S_W − S_min) / (S_max − S_min)",
    source="Hubert and Levin, 1976; clusterCrit",
    runs="python",
    cost=COST,
)
def CIndex(u: PointContext) -> Expr:
    """The position of the sum of distances inside clusters between its smallest and largest possible values.

    C = (S_W − S_min) / (S_max − S_min), where S_W sums the distances of the N_W pairs inside clusters, S_min the N_W
    smallest distances of all pairs, and S_max the N_W largest.

    Range: 0 to 1, lower is better.  Undefined where S_max = S_min, such as for one cluster, or
    where every point is a cluster.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("CIndex")
        >>> ev.summary()["value"].round(4).item()
        0.0
    """

    def value(pairs: Ordered) -> float | None:
        import numpy as np

        distances = np.sort(np.concatenate([pairs.inside, pairs.between]))
        n = len(pairs.inside)
        low, high = float(distances[:n].sum()), float(distances[len(distances) - n :].sum())
        return (
            (float(pairs.inside.sum()) - low) / (high - low)
            if pairs.has_both and distances[-1] - distances[0] > GRAIN * distances[-1]
            else None
        )

    return _of_pairs(u, value)


@point_measure(
    "Gamma",
    range=(-1.0, 1.0),
    higher_is_better=True,
    formula="(s₊ − s₋) / (s₊ + s₋)",
    source="Baker and Hubert, 1975; clusterCrit",
    runs="python",
    cost=COST,
)
def Gamma(u: PointContext) -> Expr:
    """Goodman and Kruskal's gamma of distance and being in different clusters.

    (s₊ − s₋) / (s₊ + s₋), over combinations of a pair inside a cluster and a pair between clusters: s₊ counts those in
    which the inside pair is nearer, s₋ those in which it is farther.

    Range: −1 to 1, higher is better.  Undefined where there are none.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k2").evaluate("Gamma")
        >>> ev.summary()["value"].round(4).item()
        0.8275
    """
    return _of_pairs(
        u,
        lambda p: (
            (p.concordant - p.discordant) / (p.concordant + p.discordant) if p.concordant + p.discordant else None
        ),
    )


@point_measure(
    "GPlus",
    range=(0.0, 1.0),
    higher_is_better=False,
    formula="2·s₋ / (N_T·(N_T − 1))",
    source="Rohlf, 1974; clusterCrit",
    runs="python",
    cost=COST,
)
def GPlus(u: PointContext) -> Expr:
    """The share of combinations of two pairs of points where one inside a cluster is farther than one between clusters.

    2·s₋ / (N_T·(N_T − 1)), where N_T is the number of pairs of points and s₋ that of such combinations.

    Range: 0 to 1, lower is better.  Undefined where there are no pairs inside clusters, or none between them.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k2").evaluate("GPlus")
        >>> ev.summary()["value"].round(4).item()
        0.0429
    """
    return _of_pairs(u, lambda p: 2.0 * p.discordant / (p.total * (p.total - 1.0)) if p.has_both else None)


@point_measure(
    "Tau",
    range=(-1.0, 1.0),
    higher_is_better=True,
    formula="(s₊ − s₋) / √(N_B·N_W·N_T·(N_T − 1)/2)",
    source="Rohlf, 1974; Milligan, 1981; clusterCrit",
    runs="python",
    cost=COST,
)
def Tau(u: PointContext) -> Expr:
    """Kendall's tau of distance and being in different clusters, corrected for ties of the latter.

    (s₊ − s₋) / √(N_B·N_W·N_T·(N_T − 1)/2), with the counts of `Gamma` and N_T pairs of points, N_W of them inside
    clusters and N_B between.  Ties of distances are not corrected for, as in clusterCrit.

    Range: −1 to 1, higher is better.  Undefined where there are no pairs inside clusters, or none between them.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Points(ir.examples.points(), ["x", "y"], cluster="k2").evaluate("Tau").summary()["value"].round(4).item()
        0.5768
    """

    def value(p: Ordered) -> float | None:
        below = math.sqrt(float(len(p.between)) * len(p.inside) * p.total * (p.total - 1.0) / 2.0)
        return (p.concordant - p.discordant) / below if p.has_both else None

    return _of_pairs(u, value)
