"""Agreement of raters from the definitions, as plain loops over units, pairs of ratings and pairs of raters.

A group is a list of units, a unit a dictionary of raters and their ratings.  A unit of weight 2 is there twice.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Maybe = float | None
Unit = Mapping[str, Any]


@dataclass(frozen=True)
class Group:
    """Units, the level of their ratings, and the scale where one is said."""

    units: Sequence[Unit]
    level: str = "nominal"
    scale: Sequence[Any] | None = None
    distances: Mapping[tuple[Any, Any], float] | None = None

    @property
    def several(self) -> list[Unit]:
        """Units with two ratings or more."""
        return [u for u in self.units if len(u) > 1]

    @property
    def rated(self) -> list[Unit]:
        return [u for u in self.units if u]

    @property
    def raters(self) -> list[str]:
        return sorted({r for u in self.units for r in u})

    @property
    def complete(self) -> list[Unit]:
        """Units that all raters rated."""
        return [u for u in self.rated if len(u) == len(self.raters)]

    @property
    def categories(self) -> list[Any]:
        return list(self.scale) if self.scale is not None else sorted({x for u in self.units for x in u.values()})

    def place(self, rating: Any) -> Fraction:
        """Where a category lies: its number, or which one it is."""
        return Fraction(rating) if self.level in ("interval", "ratio") else Fraction(self.categories.index(rating) + 1)


def far(g: Group, scheme: str, a: Any, b: Any) -> Any:
    """How far two categories lie apart."""
    if scheme == "identity" or a == b:
        return Fraction(a != b)
    x, y = g.place(a), g.place(b)
    if scheme == "linear":
        return abs(x - y)
    if scheme == "quadratic":
        return (x - y) ** 2
    if scheme == "radical":
        return math.sqrt(abs(x - y))
    if scheme == "ordinal":
        between = abs(x - y) + 1
        return between * (between - 1) / 2
    return ((x - y) / (x + y)) ** 2


def near(g: Group, scheme: str, a: Any, b: Any) -> Any:
    """How much two categories agree: 1 for one, 0 at the ends of the scale."""
    if scheme == "identity":
        return Fraction(a == b)
    ends = sorted(g.categories, key=g.place)
    widest = far(g, scheme, ends[0], ends[-1])
    return 1 - (far(g, scheme, a, b) / widest if widest else 0)


def over(above: Any, below: Any) -> Maybe:
    return None if below == 0 else float(above / below)


def mean(values: Sequence[Any]) -> Any:
    return sum(values, Fraction(0)) / len(values) if values else None


def observed(g: Group, scheme: str) -> Any:
    shares = []
    for unit in g.several:
        pairs = list(itertools.permutations(unit.values(), 2))
        shares.append(mean([near(g, scheme, a, b) for a, b in pairs]))
    return mean(shares)


def corrected(agreement: Any, chance: Any) -> Maybe:
    if agreement is None or chance is None:
        return None
    return over(agreement - chance, 1 - chance)


def drawn(g: Group, scheme: str, share: Mapping[Any, Any]) -> Any:
    """Two ratings drawn from shares of categories."""
    return sum((near(g, scheme, a, b) * share[a] * share[b] for a in share for b in share), Fraction(0))


def mean_shares(g: Group) -> dict[Any, Fraction]:
    return {c: mean([Fraction(list(u.values()).count(c), len(u)) for u in g.rated]) for c in g.categories}


def percent(g: Group, *, weights: str = "identity") -> Maybe:
    agreement = observed(g, weights)
    return None if agreement is None else float(agreement)


def fleiss(g: Group, *, weights: str = "identity") -> Maybe:
    return corrected(observed(g, weights), drawn(g, weights, mean_shares(g)) if g.rated else None)


def scott(g: Group, *, weights: str = "identity") -> Maybe:
    pool = [x for u in g.several for x in u.values()]
    share = {c: Fraction(pool.count(c), len(pool)) for c in set(pool)}
    return corrected(observed(g, weights), drawn(g, weights, share) if pool else None)


def total(g: Group, scheme: str) -> Any:
    return sum((near(g, scheme, a, b) for a in g.categories for b in g.categories), Fraction(0))


def brennan(g: Group, *, weights: str = "identity") -> Maybe:
    return corrected(observed(g, weights), total(g, weights) / len(g.categories) ** 2 if g.rated else None)


def gwet(g: Group, *, weights: str = "quadratic") -> Maybe:
    q = len(g.categories)
    if not g.rated or q < 2:
        return None
    spread = sum((p * (1 - p) for p in mean_shares(g).values()), Fraction(0))
    return corrected(observed(g, weights), total(g, weights) * spread / (q * (q - 1)))


def conger(g: Group, *, weights: str = "identity") -> Maybe:
    own = {}
    for rater in g.raters:
        rated = [u[rater] for u in g.units if rater in u]
        own[rater] = {c: Fraction(rated.count(c), len(rated)) for c in set(rated)}
    chances = [
        sum((near(g, weights, a, b) * p * q for a, p in own[r].items() for b, q in own[s].items()), Fraction(0))
        for r, s in itertools.permutations(g.raters, 2)
    ]
    return corrected(observed(g, weights), mean(chances))


def named_distance(g: Group, name: str, a: Any, b: Any) -> Any:
    """Krippendorff's δ² by its name."""
    if name == "own":
        assert g.distances is not None
        return g.distances[a, b] if (a, b) in g.distances else g.distances[b, a]
    if name == "circular":
        i, j = (g.categories.index(x) for x in (a, b))
        return math.sin(math.radians(180 * (i - j) / len(g.categories))) ** 2
    x, y, ends = g.place(a), g.place(b), [g.place(c) for c in g.categories]
    return abs(x - y) if name == "linear" else (x - y) ** 2 / ((x + y - 2 * min(ends)) * (2 * max(ends) - x - y))


def alpha(g: Group, *, level: str | None = None, distance: str | None = None) -> Maybe:
    level = level or g.level
    pool = [x for u in g.several for x in u.values()]
    counts = {c: pool.count(c) for c in g.categories if c in pool}
    order = sorted(counts, key=Group(g.units, "ordinal", g.scale).place)

    def delta(a: Any, b: Any) -> Any:
        if distance is not None and a != b:
            return named_distance(g, distance, a, b)
        if level == "nominal" or a == b:
            return Fraction(a != b)
        if level == "ordinal":
            i, j = sorted((order.index(a), order.index(b)))
            between = sum(counts[c] for c in order[i : j + 1])
            return (between - Fraction(counts[a] + counts[b], 2)) ** 2
        x, y = Fraction(a), Fraction(b)
        return (x - y) ** 2 if level == "interval" else ((x - y) / (x + y)) ** 2

    n = len(pool)
    within = Fraction(0)
    for unit in g.several:
        for a, b in itertools.permutations(unit.values(), 2):
            within += delta(a, b) / (len(unit) - 1)
    between = sum((counts[a] * counts[b] * delta(a, b) for a in counts for b in counts), Fraction(0))
    return None if between == 0 else float(1 - (within / n) / (between / (n * (n - 1))))


def cohen(g: Group, *, weights: str = "identity") -> Maybe:
    values = []
    for r, s in itertools.combinations(g.raters, 2):
        pairs = [(u[r], u[s]) for u in g.units if r in u and s in u]
        if not pairs:
            continue
        seen = mean([far(g, weights, a, b) for a, b in pairs])
        chance = mean([far(g, weights, a, b) for a, _ in pairs for _, b in pairs])
        if chance:
            values.append(1 - seen / chance)
    kappa = mean(values)
    return None if kappa is None else float(kappa)


def differences(g: Group) -> list[Fraction]:
    if len(g.raters) != 2:
        return []
    one, other = g.raters
    return [g.place(u[one]) - g.place(u[other]) for u in g.several]


def bias(g: Group) -> Maybe:
    mean_difference = mean(differences(g))
    return None if mean_difference is None else float(mean_difference)


def limit(g: Group, side: float) -> Maybe:
    d = differences(g)
    if len(d) < 2:
        return None
    middle = mean(d)
    return float(middle) + side * math.sqrt(sum((x - middle) ** 2 for x in d) / (len(d) - 1))


def icc(g: Group, *, form: str = "2,1") -> Maybe:
    units, raters = g.complete, g.raters
    n, k = len(units), len(raters)
    if n < 2 or k < 2:
        return None
    x = [[g.place(u[r]) for r in raters] for u in units]
    grand = mean([v for row in x for v in row])
    of_unit = [mean(row) for row in x]
    of_rater = [mean([row[j] for row in x]) for j in range(k)]
    between = k * sum((v - grand) ** 2 for v in of_unit) / (n - 1)
    by_raters = n * sum((v - grand) ** 2 for v in of_rater) / (k - 1)
    within = sum((v - m) ** 2 for row, m in zip(x, of_unit, strict=True) for v in row) / (n * (k - 1))
    left = sum((x[i][j] - of_unit[i] - of_rater[j] + grand) ** 2 for i in range(n) for j in range(k))
    error = left / ((n - 1) * (k - 1))
    above, below = {
        "1,1": (between - within, between + (k - 1) * within),
        "2,1": (between - error, between + (k - 1) * error + k * (by_raters - error) / n),
        "3,1": (between - error, between + (k - 1) * error),
        "1,k": (between - within, between),
        "2,k": (between - error, between + (by_raters - error) / n),
        "3,k": (between - error, between),
    }[form]
    return float(above / below) if below > 0 else None


def kendall(g: Group) -> Maybe:
    units, raters = g.complete, g.raters
    n, k = len(units), len(raters)
    if k < 2:
        return None
    sums, ties = [Fraction(0)] * n, 0
    for rater in raters:
        places = [g.place(u[rater]) for u in units]
        for i, v in enumerate(places):
            sums[i] += sum(w < v for w in places) + Fraction(places.count(v) + 1, 2)
        ties += sum(places.count(v) ** 3 - places.count(v) for v in set(places))
    squares = sum((s - Fraction(k * (n + 1), 2)) ** 2 for s in sums)
    return over(12 * squares, k * k * (n**3 - n) - k * ties)


def lower(g: Group, *, z: float = 1.96) -> Maybe:
    return limit(g, -z)


def upper(g: Group, *, z: float = 1.96) -> Maybe:
    return limit(g, z)


Oracle = Callable[..., Maybe]
OF_CATEGORIES: dict[str, Oracle] = {
    "PercentAgreement": percent,
    "FleissKappa": fleiss,
    "ScottPi": scott,
    "BrennanPrediger": brennan,
    "GwetAC1": lambda g: gwet(g, weights="identity"),
    "CongerKappa": conger,
    "CohenKappa": cohen,
    "KrippendorffAlpha": alpha,
    "NumRatedItems": lambda g: float(len(g.rated)),
    "NumRaters": lambda g: float(len(g.raters)),
    "NumRatings": lambda g: float(sum(map(len, g.units))),
}
ORACLES: dict[str, Oracle] = {
    **OF_CATEGORIES,
    "GwetAC2": gwet,
    "ICC": icc,
    "KendallW": kendall,
    "BlandAltmanBias": bias,
    "BlandAltmanLower": lower,
    "BlandAltmanUpper": upper,
}


def value(name: str, group: Group, **parameters: Any) -> Maybe:
    """What a measure is for a group of units."""
    return ORACLES[name](group, **parameters)
