"""Ratios of verdicts as plain loops.

A verdict is a number from 0 to 1, or None where it is unsure; those of a kind are in the order of ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

Maybe = float | None
Answer = Mapping[str, Sequence[Maybe]]
EMPTY: dict[str, Maybe] = {"undefined": None, "zero": 0.0, "one": 1.0}


def numbers(answer: Answer, kind: str, unsure: float) -> list[float]:
    return [unsure if v is None else v for v in answer.get(kind, ())]


def mean(answer: Answer, *, kind: str, unsure: float, empty: str) -> Maybe:
    values = numbers(answer, kind, unsure)
    return sum(values) / len(values) if values else EMPTY[empty]


def context_precision(answer: Answer, *, unsure: float, empty: str, epsilon: float) -> Maybe:
    values = numbers(answer, "context", unsure)
    if not values:
        return EMPTY[empty]
    total = sum(sum(values[: k + 1]) / (k + 1) * v for k, v in enumerate(values))
    return total / (sum(values) + epsilon) if any(values) else 0.0


def hallucination(answer: Answer, *, unsure: float, empty: str) -> Maybe:
    values = numbers(answer, "context_agreement", unsure)
    return sum(1 - v for v in values) / len(values) if values else EMPTY[empty]


ORACLES: dict[str, Callable[..., Maybe]] = {
    "ContextPrecision": context_precision,
    "ContextRelevance": partial(mean, kind="context"),
    "ContextualRelevancy": partial(mean, kind="context_statement"),
    "ContextRecall": partial(mean, kind="reference_claim"),
    "Faithfulness": partial(mean, kind="answer_claim"),
    "AnswerRelevancy": partial(mean, kind="answer_statement"),
    "Hallucination": hallucination,
    "NumVerdicts": lambda answer: float(sum(map(len, answer.values()))),
}
