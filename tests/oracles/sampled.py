"""Estimates from judgments that are a sample, each as its paper or script defines it, one document after another.

Judgments map a document to its grade; a negative grade is in the pool and was not drawn.  A design maps a document of
the pool to its stratum, the method that chose it, and its inclusion probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

EPSILON = 0.00001
Judgments = Mapping[Any, float]


class Drawn(NamedTuple):
    """How a pooled document came into the sample."""

    stratum: Any
    method: Any = None
    iprob: float | None = None


Design = Mapping[Any, Drawn]


def members(judgments: Judgments, design: Design) -> dict[Any, list[Any]]:
    """The pooled documents of each stratum."""
    out: dict[Any, list[Any]] = {}
    for doc in judgments:
        out.setdefault(design[doc].stratum, []).append(doc)
    return out


def judged(docs: Iterable[Any], judgments: Judgments) -> list[Any]:
    return [d for d in docs if judgments.get(d, -1.0) >= 0]


def relevant(docs: Iterable[Any], judgments: Judgments, rel: float) -> list[Any]:
    return [d for d in judged(docs, judgments) if judgments[d] >= rel]


def rates(judgments: Judgments, design: Design) -> dict[Any, float]:
    """How many pooled documents of a stratum one judged stands for; strata without a judgment are left out."""
    out = {}
    for stratum, docs in members(judgments, design).items():
        if judged(docs, judgments):
            out[stratum] = len(docs) / len(judged(docs, judgments))
    return out


def inferred_number(judgments: Judgments, design: Design, rel: float) -> float:
    total = 0.0
    by_stratum = members(judgments, design)
    for stratum, rate in rates(judgments, design).items():
        total += rate * len(relevant(by_stratum[stratum], judgments, rel))
    return total


def inferred_relevant_in(docs: list[Any], judgments: Judgments, design: Design, rel: float) -> float:
    """The estimated number of relevant documents among some retrieved ones."""
    total = 0.0
    for pooled in members(judgments, design).values():
        here = [d for d in docs if d in set(pooled)]
        if here:
            share = (len(relevant(here, judgments, rel)) + EPSILON) / (len(judged(here, judgments)) + 3 * EPSILON)
            total += len(here) * share
    return total


def inferred_ap(
    ranking: list[Any],
    judgments: Judgments,
    design: Design,
    *,
    rel: float = 1,
    variant: str | None = None,
    cutoff: int = 1000,
) -> float | None:
    """As the script has it: the mean, over strata, of the mean expected precision of their sampled relevant ones."""
    number = inferred_number(judgments, design, rel)
    if number == 0:
        return None
    value = 0.0
    for stratum, docs in members(judgments, design).items():
        sampled = relevant(docs, judgments, rel)
        if not sampled:
            continue
        precisions = []
        for i, doc in enumerate(ranking[:cutoff]):
            if doc in sampled:
                above = inferred_relevant_in(ranking[:i], judgments, design, rel)
                precisions.append(1 / (i + 1) + i / (i + 1) * (above / i if i else 0.0))
        of_stratum = rates(judgments, design)[stratum] * len(sampled)
        value += of_stratum / number * (math.fsum(precisions) / len(sampled))
    if variant == "2012-trecvid" and number > cutoff:
        value *= number / cutoff
    return value


def gain_of(grade: float, gains: Mapping[float, float]) -> float:
    return max(gains.get(grade, grade), 0.0) if grade >= 0 else 0.0


def inferred_ndcg(
    ranking: list[Any],
    judgments: Judgments,
    design: Design,
    *,
    gains: Any = (),
    variant: str | None = None,
    cutoff: int = 1000,
) -> float | None:
    table = dict(gains)
    numbers: dict[float, float] = {}
    for stratum, rate in rates(judgments, design).items():
        for doc in judged(members(judgments, design)[stratum], judgments):
            gain = gain_of(judgments[doc], table)
            if gain > 0:
                numbers[gain] = numbers.get(gain, 0.0) + rate
    ideal, place = 0.0, 0.0
    for gain in sorted(numbers, reverse=True):
        number = numbers[gain]
        if variant != "2012-trecvid":
            number = math.floor(number + 0.5 + 1e-9)
        rank = place + 1
        while rank <= place + number + 1e-9:
            if variant is None and rank > cutoff:
                break
            ideal += gain / math.log2(rank + 1)
            if rank >= cutoff:
                break
            rank += 1
        place += number
    if ideal == 0:
        return None
    value = 0.0
    for docs in members(judgments, design).values():
        here = [(i, d) for i, d in enumerate(ranking[:cutoff], start=1) if d in set(docs)]
        known = [(i, d) for i, d in here if judgments[d] >= 0]
        for i, d in known:
            value += len(here) / len(known) * gain_of(judgments[d], table) / math.log2(i + 1)
    return value / ideal


def inferred_precision(
    ranking: list[Any], judgments: Judgments, design: Design, *, rel: float = 1, cutoff: int
) -> float:
    return inferred_relevant_in(ranking[:cutoff], judgments, design, rel) / cutoff


def inferred_recall(
    ranking: list[Any], judgments: Judgments, design: Design, *, rel: float = 1, cutoff: int = 1000
) -> float | None:
    number = inferred_number(judgments, design, rel)
    return inferred_relevant_in(ranking[:cutoff], judgments, design, rel) / number if number else None


def inferred_number_retrieved(
    ranking: list[Any], judgments: Judgments, design: Design, *, rel: float = 1, cutoff: int = 1000
) -> float:
    return inferred_relevant_in(ranking[:cutoff], judgments, design, rel)


def inferred_number_relevant(_: list[Any], judgments: Judgments, design: Design, *, rel: float = 1) -> float:
    return inferred_number(judgments, design, rel)


# ---- by inclusion probabilities


def weights(judgments: Judgments, design: Design, by: str | None, chosen: str) -> dict[Any, float]:
    """How many documents each judged one stands for."""
    out = {}
    by_stratum = rates(judgments, design) if by == "strata" else {}
    for doc in judged(judgments, judgments):
        drawn = design[doc]
        if by == "strata":
            weight = by_stratum[drawn.stratum]
        elif chosen == "certain" and str(drawn.method) in ("0", "2"):
            weight = 1.0
        else:
            assert drawn.iprob is not None
            weight = 1 / drawn.iprob
        if chosen != "drop" or str(drawn.method) != "0":
            out[doc] = weight
    return out


def statistical_ap(
    ranking: list[Any],
    judgments: Judgments,
    design: Design,
    *,
    rel: float = 1,
    rates: str | None = None,
    chosen: str = "certain",
    cutoff: int | None = None,
) -> float | None:
    weight = weights(judgments, design, rates, chosen)
    sampled = relevant(weight, judgments, rel)
    if not sampled:
        return None
    total, above = 0.0, 0.0
    for rank, doc in enumerate(ranking[:cutoff], start=1):
        if doc in sampled:
            total += weight[doc] * (1 + above) / rank
            above += weight[doc]
    return total / math.fsum(weight[d] for d in sampled)


def statistical_precision(
    ranking: list[Any],
    judgments: Judgments,
    design: Design,
    *,
    rel: float = 1,
    rates: str | None = None,
    chosen: str = "certain",
    estimator: str = "total",
    cutoff: int,
) -> float | None:
    weight = weights(judgments, design, rates, chosen)
    top = ranking[:cutoff]
    found = math.fsum(weight[d] for d in relevant(top, judgments, rel) if d in weight)
    if estimator == "total":
        return found / cutoff
    known = math.fsum(weight[d] for d in top if d in weight)
    return found / known if known else None


def statistical_recall(
    ranking: list[Any],
    judgments: Judgments,
    design: Design,
    *,
    rel: float = 1,
    rates: str | None = None,
    chosen: str = "certain",
    cutoff: int | None = None,
) -> float | None:
    weight = weights(judgments, design, rates, chosen)
    number = math.fsum(weight[d] for d in relevant(weight, judgments, rel))
    top = ranking[:cutoff]
    return math.fsum(weight[d] for d in relevant(top, judgments, rel) if d in weight) / number if number else None


def statistical_r_precision(
    ranking: list[Any],
    judgments: Judgments,
    design: Design,
    *,
    rel: float = 1,
    rates: str | None = None,
    chosen: str = "certain",
) -> float | None:
    weight = weights(judgments, design, rates, chosen)
    number = math.fsum(weight[d] for d in relevant(weight, judgments, rel))
    if not number:
        return None
    depth = math.floor(number + 0.5 + 1e-9)
    found = math.fsum(weight[d] for d in relevant(ranking[:depth], judgments, rel) if d in weight)
    return found / (number if len(ranking) < depth else depth)


def statistical_number_relevant(
    _: list[Any],
    judgments: Judgments,
    design: Design,
    *,
    rel: float = 1,
    rates: str | None = None,
    chosen: str = "certain",
) -> float:
    weight = weights(judgments, design, rates, chosen)
    return math.fsum(weight[d] for d in relevant(weight, judgments, rel))


ORACLES: dict[str, Callable[..., float | None]] = {
    "xinfAP": inferred_ap,
    "infNDCG": inferred_ndcg,
    "infP": inferred_precision,
    "infR": inferred_recall,
    "infNumRel": inferred_number_relevant,
    "infNumRelRet": inferred_number_retrieved,
    "statAP": statistical_ap,
    "statP": statistical_precision,
    "statR": statistical_recall,
    "statRprec": statistical_r_precision,
    "statNumRel": statistical_number_relevant,
}
