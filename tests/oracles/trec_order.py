"""trec_eval's measures in trec_eval's order of operations, so that every bit of a value is its own.

A list is the grades of the retrieved documents by rank, None for those without a judgment; `judged` holds the grades of
all judgments.  A negative grade says the document was in the pool and nobody judged it.  Sums run down the list in
doubles, one after another, and every division and product stands where the C code has it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Grades = Sequence["int | None"]
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)
LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
EPSILON = 0.00001


def hit(grade: int | None) -> bool:
    return grade is not None and grade >= 1


def hits(grades: Grades, cutoff: int | None = None) -> int:
    return sum(hit(g) for g in grades[:cutoff])


def count_relevant(judged: Grades) -> int:
    return sum(hit(g) for g in judged)


def average_precision(grades: Grades, judged: Grades, cutoff: int | None = None) -> float:
    total, seen = 0.0, 0
    for i, grade in enumerate(grades[:cutoff]):
        if hit(grade):
            seen += 1
            total += seen / (i + 1)
    return total / count_relevant(judged) if seen else 0.0


def smoothed(grades: Grades, judged: Grades) -> float:
    total, seen = 0.0, 0
    for i, grade in enumerate(grades):
        if hit(grade):
            seen += 1
            total += seen / (i + 1)
    return math.log((1.0 + total) / (1.0 + count_relevant(judged) - total))


def r_precision(grades: Grades, judged: Grades) -> float:
    n = count_relevant(judged)
    return hits(grades, n) / n if n else 0.0


def bpref(grades: Grades, judged: Grades) -> float:
    n, others = count_relevant(judged), sum(g is not None and 0 <= g < 1 for g in judged)
    above, total = 0, 0.0
    for grade in grades:
        if grade is None or grade < 0:
            continue
        if not hit(grade):
            above += 1
        elif above > 0:
            total += 1.0 - min(above, n) / min(others, n)
        else:
            total += 1.0
    return total / n if n else total


def reciprocal_rank(grades: Grades, judged: Grades) -> float:
    del judged
    return next((1.0 / (i + 1) for i, grade in enumerate(grades) if hit(grade)), 0.0)


def inferred(grades: Grades, judged: Grades) -> float:
    total, above, others, pooled = 0.0, 0, 0, 0
    for j, grade in enumerate(grades):
        if grade is None:
            continue
        if grade < 0:
            pooled += 1
        elif not hit(grade):
            others += 1
        else:
            above += 1
            if j == 0:
                total += 1.0
            else:
                share = (above - 1 + EPSILON) / (above - 1 + others + 2 * EPSILON)
                total += 1.0 / (j + 1.0) + (j / (j + 1.0)) * ((above - 1 + others + pooled) / j) * share
    n = count_relevant(judged)
    return total / n if n else total


def interpolated(grades: Grades, judged: Grades) -> list[float]:
    """The values at the levels, in ascending order."""
    seen, n = hits(grades), count_relevant(judged)
    cuts = [math.floor(level * n + 0.5) for level in LEVELS]
    out, cut = [0.0] * len(cuts), len(cuts) - 1
    while cut >= 0 and cuts[cut] > seen:
        cut -= 1
    best = seen / len(grades)
    for i in range(len(grades), 0, -1):
        if seen == 0:
            break
        best = max(best, seen / i)
        if hit(grades[i - 1]):
            while cut >= 0 and seen == cuts[cut]:
                out[cut] = best
                cut -= 1
            seen -= 1
    while cut >= 0:
        out[cut] = best
        cut -= 1
    return out


def eleven_points(grades: Grades, judged: Grades) -> float:
    total = 0.0
    for value in reversed(interpolated(grades, judged)):
        total += value
    return total / len(LEVELS)


def at_multiple(grades: Grades, judged: Grades, multiple: float) -> float:
    cut = int(multiple * count_relevant(judged) + 0.9)
    return hits(grades, cut) / cut if cut else 0.0


def binary_gain(grades: Grades, judged: Grades) -> float:
    total, seen = 0.0, 0
    for i, grade in enumerate(grades):
        if hit(grade):
            seen += 1
            total += 1.0 / math.log2(3 + i - seen)
    return total / count_relevant(judged) if seen else 0.0


def gain(grade: int | None) -> float:
    return float(grade) if grade is not None and grade > 0 else 0.0


def best(judged: Grades) -> list[float]:
    return sorted((gain(g) for g in judged if gain(g) > 0), reverse=True)


def gain_of_rank(grades: Grades, judged: Grades) -> float:
    """G: a gain is discounted by how much less was found so far than the best order has, at least 1 for each rank."""
    ideal, total, cost, so_far = best(judged), 0.0, 0.0, 0.0
    for i, grade in enumerate(grades):
        so_far += gain(grade)
        cost += ideal[i] if i < len(ideal) and ideal[i] >= 1.0 else 1.0
        if gain(grade) != 0:
            total += gain(grade) / math.log2(2 + cost - so_far)
    whole = 0.0
    for value in ideal:
        whole += value
    return total / whole if whole > 0 else 0.0


def discounted(gains: Sequence[float], cutoff: int | None = None) -> float:
    total = 0.0
    for i, value in enumerate(gains[:cutoff]):
        if value != 0:
            total += value / math.log2(i + 2)
    return total


def ndcg(grades: Grades, judged: Grades, cutoff: int | None = None) -> float:
    below = discounted(best(judged), cutoff)
    value = discounted([gain(g) for g in grades], cutoff)
    return value / below if below > 0 else 0.0


def ndcg_of_relevant(grades: Grades, judged: Grades) -> float:
    ideal, total, seen, dcg, below = best(judged), 0.0, 0, 0.0, 0.0
    for i, grade in enumerate(grades):
        if gain(grade) != 0:
            dcg += gain(grade) / math.log2(i + 2)
        if i < len(ideal):
            below += ideal[i] / math.log2(i + 2)
        if gain(grade) > 0:
            total += dcg / below
            seen += 1
    for i in range(len(grades), len(ideal)):
        below += ideal[i] / math.log2(i + 2)
    if not ideal:
        return 0.0
    total += (len(ideal) - seen) * dcg / below
    return total / len(ideal) if total > 0 else 0.0


def ndcg_at_falls(grades: Grades, judged: Grades) -> float:
    ideal, total, points, dcg, below = best(judged), 0.0, 0, 0.0, 0.0
    if not ideal:
        return 0.0
    last = ideal[0]
    for i in range(max(len(grades), len(ideal) + 1)):
        here = ideal[i] if i < len(ideal) else 0.0
        # Behind the best order the last fall is seen once: at its end in a list that goes on, or where the list ends.
        if i <= len(ideal) and here != last:
            total += dcg / below
            points += 1
            last = here
        if i < len(grades) and gain(grades[i]) != 0:
            dcg += gain(grades[i]) / math.log2(i + 2)
        if here > 0:
            below += here / math.log2(i + 2)
    if len(grades) > len(ideal) + 1:
        total += dcg / below
        points += 1
    return total / points


def persistence(grades: Grades, judged: Grades, p: float = 0.9) -> float:
    most, total, weight = max((gain(g) for g in judged), default=0.0), 0.0, 1.0
    for grade in grades:
        value = gain(grade)
        if most > 1:
            value = (value - 0.0) / (most - 0.0)
        if value != 0:
            total += value * weight
        weight = weight * p
    return (1.0 - p) * total


def left_of_persistence(grades: Grades, judged: Grades, p: float = 0.9) -> float:
    del judged
    total, weight, unjudged = 0.0, 1.0, 0
    for grade in grades:
        if grade is None or grade < 0:
            unjudged += 1
            total += weight
        weight = weight * p
    return weight + (1 - p) * total if unjudged else 0.0


def set_f(grades: Grades, judged: Grades, x: float = 1.0) -> float:
    seen = hits(grades)
    if not seen:
        return 0.0
    p, r = seen / len(grades), seen / count_relevant(judged)
    return (x + 1.0) * p * r / (x * p + r)


def set_average_precision(grades: Grades, judged: Grades) -> float:
    seen, n = hits(grades), count_relevant(judged)
    return (float(seen) * float(seen)) / (float(len(grades)) * float(n)) if n else 0.0


def over_relevant(value: float, judged: Grades) -> float:
    return value / count_relevant(judged) if count_relevant(judged) else 0.0


def capped(seen: int, size: int, judged: Grades) -> float:
    return seen / min(size, count_relevant(judged)) if count_relevant(judged) else 0.0


PLAIN: dict[str, Callable[[Grades, Grades], float]] = {
    "map": average_precision,
    "Rprec": r_precision,
    "bpref": bpref,
    "recip_rank": reciprocal_rank,
    "infAP": inferred,
    "utility": lambda grades, _: 1.0 * hits(grades) + -1.0 * (len(grades) - hits(grades)),
    "11pt_avg": eleven_points,
    "binG": binary_gain,
    "G": gain_of_rank,
    "ndcg": ndcg,
    "ndcg_rel": ndcg_of_relevant,
    "Rndcg": ndcg_at_falls,
    "set_P": lambda grades, _: hits(grades) / len(grades),
    "set_relative_P": lambda grades, judged: capped(hits(grades), len(grades), judged),
    "set_recall": lambda grades, judged: over_relevant(hits(grades), judged),
    "set_map": set_average_precision,
    "set_F": set_f,
    "yaap": smoothed,
    "dcg": lambda grades, _: discounted([gain(g) for g in grades]),
    "ideal_dcg": lambda _, judged: discounted(best(judged)),
    "rbp": persistence,
    "rbp_resid": left_of_persistence,
}


def values(grades: Grades, judged: Grades) -> dict[str, float]:
    """All measures by the names that trec_eval prints."""
    out = {name: measure(grades, judged) for name, measure in PLAIN.items()}
    for level, value in zip(LEVELS, interpolated(grades, judged), strict=True):
        out[f"iprec_at_recall_{level:3.2f}"] = value
    for multiple in MULTIPLES:
        out[f"Rprec_mult_{multiple:3.2f}"] = at_multiple(grades, judged, multiple)
    for k in CUTOFFS:
        seen = hits(grades, k)
        out[f"P_{k}"] = seen / k
        out[f"recall_{k}"] = over_relevant(seen, judged)
        out[f"map_cut_{k}"] = average_precision(grades, judged, k)
        out[f"ndcg_cut_{k}"] = ndcg(grades, judged, k)
        out[f"relative_P_{k}"] = capped(seen, k, judged)
    for k in (1, 5, 10):
        out[f"success_{k}"] = float(hits(grades, k) > 0)
    for k in (5, 10, 20):
        out[f"unj_{k}"] = sum(g is None or g < 0 for g in grades[:k]) / k
    return out
