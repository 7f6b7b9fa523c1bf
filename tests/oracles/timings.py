"""Measures of timings as plain loops over requests."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Maybe = float | None


@dataclass(frozen=True)
class Request:
    """One request, or `weight` of them."""

    query: str
    seconds: float | None
    started: float = 0.0
    scheduled: float | None = None
    failed: bool = False
    cost: float = 0.0
    weight: int = 1
    repetition: int = 1


@dataclass(frozen=True)
class Conventions:
    failures: str = "infinite"
    repetitions: str = "all"
    since: str = "scheduled"
    interval: float | None = None


def latency_of(r: Request, c: Conventions) -> float:
    if r.failed and c.failures == "infinite":
        return math.inf
    assert r.seconds is not None
    if r.scheduled is not None and c.since == "scheduled":
        return r.seconds + (r.started - r.scheduled)
    return r.seconds


def latencies(requests: Sequence[Request], c: Conventions) -> list[float]:
    """Every latency that counts, one by one."""
    rows = [(r, latency_of(r, c)) for r in requests if r.weight and not (r.failed and c.failures == "skip")]
    if c.repetitions == "best":
        names = sorted({r.repetition for r, _ in rows})
        means = {n: mean([v for r, v in rows if r.repetition == n for _ in range(r.weight)]) for n in names}
        finite = [m for m in means.values() if m is not None and m < math.inf]
        rows = [(r, v) for r, v in rows if not finite or means[r.repetition] == min(finite)]
    elif c.repetitions != "all":
        chosen = []
        for query in sorted({r.query for r, _ in rows}):
            own = sorted(v for r, v in rows if r.query == query)
            weight = max(r.weight for r, _ in rows if r.query == query)
            middle = len(own) // 2
            value = {
                "min": own[0],
                "mean": mean(own),
                "median": own[middle] if len(own) % 2 else (own[middle - 1] + own[middle]) / 2,
            }[c.repetitions]
            chosen.append((Request(query, None, weight=weight), value))
        rows = chosen  # type: ignore[assignment]
    out = [v for r, v in rows for _ in range(r.weight)]
    if c.interval is not None:
        for v in list(out):
            missed = v - c.interval
            while v < math.inf and missed >= c.interval * (1 - 1e-9):
                out.append(missed)
                missed -= c.interval
    return sorted(out)


def mean(values: Sequence[float]) -> Maybe:
    return math.fsum(values) / len(values) if values and max(values) < math.inf else math.inf if values else None


def percentile(x: Sequence[float], p: float, definition: str) -> Maybe:
    n, q = len(x), Fraction(str(float(p))) / 100
    if not n:
        return None
    if definition == "nearest-rank":
        return x[max(1, math.ceil(q * n)) - 1]
    if definition == "nearest-index":
        return x[math.floor(q * (n - 1) + Fraction(1, 2))]
    h = {"linear": q * (n - 1) + 1, "weibull": q * (n + 1), "hazen": q * n + Fraction(1, 2)}[definition]
    h = min(max(h, Fraction(1)), Fraction(n))
    low = math.floor(h)
    if h == low:
        return x[low - 1]
    return math.inf if x[low] == math.inf else x[low - 1] + float(h - low) * (x[low] - x[low - 1])


def wall(requests: Sequence[Request], clients: float | None) -> Maybe:
    counted = [r for r in requests if r.weight]
    if not counted:
        return None
    if clients is not None:
        return math.fsum((r.seconds or 0.0) * r.weight for r in counted) / clients
    return max(r.started + (r.seconds or 0.0) for r in counted) - min(r.started for r in counted)


def ratio(above: float, below: Maybe) -> Maybe:
    return above / below if below else None


def within(requests: Sequence[Request], c: Conventions, limit: float) -> int:
    return sum(r.weight for r in requests if r.weight and not r.failed and latency_of(r, c) <= limit)


def sent(requests: Sequence[Request]) -> int:
    return sum(r.weight for r in requests)


def failed(requests: Sequence[Request]) -> int:
    return sum(r.weight for r in requests if r.failed)


def throughput(requests: Sequence[Request], _: Conventions, clients: float | None) -> Maybe:
    return ratio(sent(requests) - failed(requests), wall(requests, clients))


def goodput(requests: Sequence[Request], c: Conventions, limit: float, clients: float | None) -> Maybe:
    return ratio(within(requests, c, limit), wall(requests, clients))


def within_limit(requests: Sequence[Request], c: Conventions, limit: float) -> Maybe:
    x = latencies(requests, c)
    return ratio(sum(v <= limit for v in x), len(x))


def logs(requests: Sequence[Request], c: Conventions) -> Maybe:
    x = latencies(requests, c)
    return None if 0.0 in x or not x else mean([math.log(v) if v < math.inf else v for v in x])


def geometric(requests: Sequence[Request], c: Conventions) -> Maybe:
    x = latencies(requests, c)
    if 0.0 in x:
        return None if math.inf in x else 0.0
    value = logs(requests, c)
    return value if value is None else math.exp(value)


def cost(requests: Sequence[Request], _: Conventions, per: str, price: float | None) -> Maybe:
    total = math.fsum(r.weight * (r.cost if price is None else (r.seconds or 0.0) * price) for r in requests)
    if per == "total":
        return total if sent(requests) else None
    return ratio(total * (1000 if per == "thousand" else 1), sent(requests))


def concurrency(requests: Sequence[Request], _: Conventions) -> Maybe:
    return ratio(math.fsum((r.seconds or 0.0) * r.weight for r in requests), wall(requests, None))


ORACLES: dict[str, Callable[..., Maybe]] = {
    "Latency": lambda r, c, p, definition: percentile(latencies(r, c), p, definition),
    "MeanLatency": lambda r, c: mean(latencies(r, c)),
    "GeometricMeanLatency": geometric,
    "MeanLogLatency": logs,
    "Throughput": throughput,
    "Goodput": goodput,
    "WithinLimit": within_limit,
    "ErrorRate": lambda r, _: ratio(failed(r), sent(r)),
    "Concurrency": concurrency,
    "Cost": cost,
    "NumRequests": lambda r, _: float(sent(r)),
    "NumLatencies": lambda r, c: float(len(latencies(r, c))),
    "NumQueries": lambda r, _: float(len({x.query for x in r if x.weight})),
    "NumFailed": lambda r, _: float(failed(r)),
    "NumWarmUp": lambda *_: 0.0,
}


def value(name: str, requests: Sequence[Request], conventions: Conventions, **arguments: Any) -> Maybe:
    return ORACLES[name](requests, conventions, **arguments)
