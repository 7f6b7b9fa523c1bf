"""Measures of click models: users walked down a list, state by state, and clicks written out.

A list is its documents in order, each with its attraction and satisfaction, None where the model has none, and its
grade, 0 where nobody judged it. Positions are dictionaries.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass
class Doc:
    attraction: float | None
    satisfaction: float | None
    grade: float
    n: float = 0.0


@dataclass
class Model:
    """What no document has: continuation for all, and by position; examination by position, and after a last click."""

    continuation: float | None = None
    continuation_at: Mapping[int, float] = field(default_factory=dict)
    examination: Mapping[int, float] = field(default_factory=dict)
    examination_after: Mapping[tuple[int, int], float] = field(default_factory=dict)


def worth(doc: Doc, gain: str, max_rel: float) -> float:
    grade = max(doc.grade, 0.0)
    return (2.0**grade - 1.0) / 2.0**max_rel if gain == "exp" else grade / max_rel


def known(value: float | None, unseen: float) -> float:
    return unseen if value is None else value


def walk(
    docs: Sequence[Doc], model: Model, name: str, parameters: Mapping[str, float | None]
) -> list[tuple[float, float]]:
    """By rank the probability of a click, and of being satisfied there, of users who go down the list."""
    unseen = float(parameters["unseen"] or 0.0)
    looks, out = 1.0, []
    for rank, doc in enumerate(docs, start=1):
        attraction = known(doc.attraction, unseen)
        if name.endswith("DCM"):
            if rank not in model.continuation_at:
                attraction = 0.0
            stops, on = 1.0 - model.continuation_at.get(rank, 0.0), 1.0
        else:
            continuation = parameters.get("satisfaction")
            stops = known(doc.satisfaction, unseen) if continuation is None else continuation
            continuation = parameters.get("continuation", 1.0)
            on = model.continuation if continuation is None else continuation
        click, skip = looks * attraction, looks * (1.0 - attraction)
        out.append((click, click * stops))
        looks = on * (skip + click * (1.0 - stops))  # type: ignore[operator]
    return out


def clicks_after_clicks(docs: Sequence[Doc], model: Model, unseen: float) -> list[float]:
    """The probability of a click at each rank: the sum over all ways to click the list."""
    out = [0.0] * len(docs)
    for ways in itertools.product((False, True), repeat=len(docs)):
        chance, last = 1.0, 0
        for rank, (doc, clicked) in enumerate(zip(docs, ways, strict=True), start=1):
            p = known(doc.attraction, unseen) * model.examination_after.get((rank, last), 0.0)
            chance *= p if clicked else 1.0 - p
            last = rank if clicked else last
        for i, clicked in enumerate(ways):
            out[i] += chance if clicked else 0.0
    return out


def value(name: str, docs: Sequence[Doc], model: Model, cutoff: int | None, parameters: Mapping) -> float | None:  # type: ignore[type-arg]
    """The measure of one list."""
    docs = docs if cutoff is None else docs[:cutoff]
    if name == "Seen":
        seen = [d for d in docs if d.attraction is not None and (not parameters["min_n"] or d.n >= parameters["min_n"])]
        return len(seen) / len(docs) if docs else None
    if name.startswith("rr"):
        return sum(done / rank for rank, (_, done) in enumerate(walk(docs, model, name, parameters), start=1))
    unseen = float(parameters["unseen"])
    if name == "uUBM":
        chances = clicks_after_clicks(docs, model, unseen)
    elif name == "uPBM":
        chances = [
            known(d.attraction, unseen) * model.examination.get(rank, 0.0) for rank, d in enumerate(docs, start=1)
        ]
    else:
        chances = [click for click, _ in walk(docs, model, name, parameters)]
    return sum(c * worth(d, parameters["gain"], parameters["max_rel"]) for c, d in zip(chances, docs, strict=True))


ORACLES = dict.fromkeys(("EBU", "uSDBN", "uDCM", "uPBM", "uUBM", "rrDBN", "rrDCM", "Seen"), value)
