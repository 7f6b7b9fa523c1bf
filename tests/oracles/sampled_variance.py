"""The variance of estimates from samples, from derivatives that are taken by a step into the complex numbers.

Each estimate is written once more for documents that count any number of times: u_d is its derivative by the number of
times that document d counts, at once.
"""

from __future__ import annotations

import math
from typing import Any

from tests.oracles import sampled
from tests.oracles.sampled import EPSILON, Design, Judgments, judged, members, relevant

STEP = 1e-30
Counts = dict[Any, complex]


def total(docs: list[Any], counts: Counts) -> complex:
    return sum((counts[d] for d in docs), 0j)


def estimated_numbers(judgments: Judgments, design: Design, counts: Counts, docs: list[Any]) -> complex:
    """The estimated number of documents like some judged ones: of each stratum, as many as its pool has."""
    out = 0j
    for pooled in members(judgments, design).values():
        known = judged(pooled, judgments)
        if known:
            out += len(pooled) / total(known, counts) * total([d for d in docs if d in known], counts)
    return out


def found(
    docs: list[Any], judgments: Judgments, design: Design, counts: Counts, rel: float, smoothing: float = 3 * EPSILON
) -> complex:
    out = 0j
    for pooled in members(judgments, design).values():
        here = [d for d in docs if d in pooled]
        if here:
            hits, known = total(relevant(here, judgments, rel), counts), total(judged(here, judgments), counts)
            out += len(here) * (hits + EPSILON) / (known + smoothing)
    return out


def inferred_ap(
    ranking: list[Any],
    judgments: Judgments,
    design: Design,
    counts: Counts,
    *,
    rel: float = 1,
    variant: str | None = None,
    cutoff: int = 1000,
    smoothing: float = 3 * EPSILON,
) -> complex:
    number = estimated_numbers(judgments, design, counts, relevant(judgments, judgments, rel))
    above = 0j
    for i, doc in enumerate(ranking[:cutoff]):
        if relevant([doc], judgments, rel):
            stratum = [d for d in judgments if design[d].stratum == design[doc].stratum]
            rate = len(stratum) / total(judged(stratum, judgments), counts)
            precision = (1 + found(ranking[:i], judgments, design, counts, rel, smoothing)) / (i + 1)
            above += counts[doc] * rate * precision
    return above / (cutoff if variant == "2012-trecvid" and number.real > cutoff else number)


def of_trec_eval(
    ranking: list[Any], judgments: Judgments, design: Design, counts: Counts, *, rel: float = 1
) -> complex:
    pool = {doc: sampled.Drawn("pool") for doc in design}
    return inferred_ap(ranking, judgments, pool, counts, rel=rel, cutoff=len(ranking) + 1, smoothing=2 * EPSILON)


def inferred_ndcg(
    ranking: list[Any],
    judgments: Judgments,
    design: Design,
    counts: Counts,
    *,
    gains: Any = (),
    variant: str | None = None,
    cutoff: int = 1000,
) -> complex:
    table = dict(gains)
    by_gain: dict[float, list[Any]] = {}
    for doc in judged(judgments, judgments):
        by_gain.setdefault(sampled.gain_of(judgments[doc], table), []).append(doc)
    by_gain.pop(0.0, None)
    once = dict.fromkeys(counts, 1 + 0j)

    def best(numbers: dict[float, int]) -> float:
        listed = [gain for gain in sorted(numbers, reverse=True) for _ in range(numbers[gain])]
        return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(listed[:cutoff], start=1))

    numbers = {
        gain: math.floor(estimated_numbers(judgments, design, once, docs).real + 0.5 + 1e-9)
        for gain, docs in by_gain.items()
    }
    # The value itself has the best list of the variant.
    value = sampled.inferred_ndcg(ranking, judgments, design, gains=gains, variant=variant, cutoff=cutoff)
    dcg = 0j
    for docs in members(judgments, design).values():
        here = [(i, d) for i, d in enumerate(ranking[:cutoff], start=1) if d in docs]
        known = [d for _, d in here if judgments[d] >= 0]
        for i, d in here:
            if d in known:
                term = sampled.gain_of(judgments[d], table) / math.log2(i + 1)
                dcg += len(here) / total(known, counts) * counts[d] * term
    ideal = of_variant(judgments, design, gains=gains, variant=variant, cutoff=cutoff) + 0j
    assert value is not None
    assert ideal
    for gain, docs in by_gain.items():
        more = best(numbers | {gain: numbers[gain] + 1}) - best(numbers)
        change = estimated_numbers(judgments, design, counts, docs) - estimated_numbers(judgments, design, once, docs)
        ideal += more * change
    return dcg / ideal


def of_variant(judgments: Judgments, design: Design, *, gains: Any, variant: str | None, cutoff: int) -> float:
    """The sum of the best list, from a list whose DCG is known."""
    (first,) = [d for d in judged(judgments, judgments) if sampled.gain_of(judgments[d], dict(gains)) > 0][:1]
    alone = sampled.inferred_ndcg([first], judgments, design, gains=gains, variant=variant, cutoff=cutoff)
    assert alone
    return sampled.gain_of(judgments[first], dict(gains)) / alone


def inferred_number_retrieved(
    ranking: list[Any], judgments: Judgments, design: Design, counts: Counts, *, rel: float = 1, cutoff: int = 1000
) -> complex:
    return found(ranking[:cutoff], judgments, design, counts, rel)


def inferred_precision(
    ranking: list[Any], judgments: Judgments, design: Design, counts: Counts, *, rel: float = 1, cutoff: int
) -> complex:
    return found(ranking[:cutoff], judgments, design, counts, rel) / cutoff


def inferred_number_relevant(
    _: list[Any], judgments: Judgments, design: Design, counts: Counts, *, rel: float = 1
) -> complex:
    return estimated_numbers(judgments, design, counts, relevant(judgments, judgments, rel))


def inferred_recall(
    ranking: list[Any], judgments: Judgments, design: Design, counts: Counts, *, rel: float = 1, cutoff: int = 1000
) -> complex:
    number = inferred_number_relevant(ranking, judgments, design, counts, rel=rel)
    return found(ranking[:cutoff], judgments, design, counts, rel) / number


def weighted(judgments: Judgments, design: Design, counts: Counts, by: str | None, chosen: str) -> dict[Any, complex]:
    """How many documents each judged one stands for, times how often it counts."""
    weights = sampled.weights(judgments, design, by, chosen)
    if by != "strata":
        return {d: w * counts[d] for d, w in weights.items()}
    return {d: estimated_numbers(judgments, design, counts, [d]) for d in weights}


def statistical(
    name: str,
    ranking: list[Any],
    judgments: Judgments,
    design: Design,
    counts: Counts,
    *,
    rel: float = 1,
    rates: str | None = None,
    chosen: str = "certain",
    estimator: str = "total",
    cutoff: int | None = None,
) -> complex:
    weight = weighted(judgments, design, counts, rates, chosen)
    number = sum((weight[d] for d in relevant(weight, judgments, rel)), 0j)
    top = [d for d in ranking[:cutoff] if d in weight]
    hits = sum((weight[d] for d in relevant(top, judgments, rel)), 0j)
    if name == "statNumRel":
        return number
    if name == "statR":
        return hits / number
    if name == "statP":
        assert cutoff is not None
        return hits / (cutoff if estimator == "total" else sum((weight[d] for d in top), 0j))
    out, above = 0j, 0j
    for rank, doc in enumerate(ranking[:cutoff], start=1):
        if doc in weight and judgments[doc] >= rel:
            out += weight[doc] * (1 + above) / rank
            above += weight[doc]
    return out / number


WEIGHTED = {
    "infAP": of_trec_eval,
    "xinfAP": inferred_ap,
    "infNDCG": inferred_ndcg,
    "infP": inferred_precision,
    "infR": inferred_recall,
    "infNumRel": inferred_number_relevant,
    "infNumRelRet": inferred_number_retrieved,
}


def variance(
    name: str, ranking: list[Any], judgments: Judgments, design: Design, parameters: dict[str, Any]
) -> float | None:
    """The variance of an estimate; None where it, or the estimate, is undefined."""
    known = judged(judgments, judgments)

    def estimate(counts: Counts) -> complex:
        if name.startswith("stat"):
            return statistical(name, ranking, judgments, design, counts, **parameters)
        return WEIGHTED[name](ranking, judgments, design, counts, **parameters)  # type: ignore[operator]

    influence: dict[Any, float] = {}
    try:
        estimate(dict.fromkeys(known, 1 + 0j))
        for doc in known:
            counts = dict.fromkeys(known, 1 + 0j)
            counts[doc] += STEP * 1j
            influence[doc] = estimate(counts).imag / STEP
    except (ZeroDivisionError, ValueError):
        return None
    if name.startswith("stat") and parameters.get("rates") != "strata":
        weights = sampled.weights(judgments, design, "iprob", parameters.get("chosen", "certain"))
        return math.fsum((1 - 1 / w) * influence[d] ** 2 for d, w in weights.items())
    out = 0.0
    strata = {"pool": list(judgments)} if name == "infAP" else members(judgments, design)
    for pooled in strata.values():
        drawn = judged(pooled, judgments)
        if len(drawn) == len(pooled):
            continue
        if len(drawn) < 2:
            return None
        mean = math.fsum(influence[d] for d in drawn) / len(drawn)
        squares = math.fsum((influence[d] - mean) ** 2 for d in drawn)
        out += (1 - len(drawn) / len(pooled)) * len(drawn) / (len(drawn) - 1) * squares
    return out


def of_statap_mq_eval(
    ranking: list[Any],
    judgments: Judgments,
    design: Design,
    *,
    rel: float = 1,
    rates: str | None = None,
    chosen: str = "certain",
    cutoff: int | None = None,
) -> float | None:
    """The variance of statAP as the script adds it up, over pairs of relevant documents."""
    weight = sampled.weights(judgments, design, rates, chosen)
    value = sampled.statistical_ap(ranking, judgments, design, rel=rel, rates=rates, chosen=chosen, cutoff=cutoff)
    if value is None or len(weight) < 2:
        return None
    listed = ranking[:cutoff]
    terms, above = [], 0.0
    for rank, doc in enumerate(listed, start=1):
        if doc in weight and judgments[doc] >= rel:
            terms.append((weight[doc], ((1 + above) / rank - value) * weight[doc], 1 / rank))
            above += weight[doc]
    hits = [d for d in weight if judgments[d] >= rel]
    terms += [(weight[d], -value * weight[d], 0.0) for d in hits if d not in listed]
    own = math.fsum((1 - 1 / w) * y * y for w, y, _ in terms)
    pairs = math.fsum(2 * one[1] * other[1] for i, one in enumerate(terms) for other in terms[:i])
    below = 0.0
    for i, (w, _, _) in enumerate(terms):
        under = math.fsum(v * place for v, _, place in terms[i + 1 :])
        below += under * under * (1 - 1 / w) * w * w if terms[i][2] else 0.0
    number = math.fsum(weight[d] for d in hits)
    total = (own - pairs / (len(weight) - 1) + below) / number**2
    return min(total * len(weight) / (sum(d in weight for d in listed) + 0.1), 1.0)
