"""Measures of citations as plain loops over sentences and what they cite.

A citation of None is one of nothing.  Labels are lists of levels, one of each judge: 0, 1, 2 for no, partial and full
support.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Maybe = float | None


@dataclass(frozen=True)
class Sentence:
    """What a sentence cites, in order, and the labels: of passages alone, of all, and of all but one."""

    cites: tuple[str | None, ...] = ()
    alone: dict[str, list[int]] = field(default_factory=dict)
    together: list[int] | None = None
    without: dict[str, list[int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Conventions:
    """What the policy says."""

    missing: str = "zero"
    uncited: str = "zero"
    out_of_range: str = "unsupported"
    repeated: str = "once"
    unjudged: str = "error"
    together: str = "judged"
    labels: str = "known"
    judges: str = "error"


# A citation that counts has its support; one of a sentence that counts its own.
Credited = tuple[list[float], Maybe, int]


def counted(sentence: Sentence, c: Conventions, first: int | None) -> list[str | None]:
    cites = list(sentence.cites if first is None else sentence.cites[:first])
    if c.out_of_range == "drop":
        cites = [d for d in cites if d is not None]
    if c.repeated == "each":
        return cites
    return [d for i, d in enumerate(cites) if d is None or d not in cites[:i]]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def weight(levels: list[int] | None, partial: float) -> Maybe:
    return mean([1.0 if n == 2 else partial if n == 1 else 0.0 for n in levels]) if levels else None


def holds(levels: list[int] | None, partial: float) -> bool | None:
    """Whether most judges say that there is support; None if none says anything."""
    if not levels:
        return None
    full = [n == 2 or (n == 1 and partial == 1) for n in levels]
    return sum(full) > len(full) / 2


def by_trec_rag(sentence: Sentence, c: Conventions, first: int | None, partial: float) -> Credited:
    cites, values, known, left_out = counted(sentence, c, first), [], [], 0
    if c.out_of_range == "sentence" and None in cites:
        return [], 0.0, 0
    for doc in cites:
        w = 0.0 if doc is None else weight(sentence.alone.get(doc), partial)
        if w is None and c.unjudged == "skip":
            left_out += 1
            continue
        values.append(w or 0.0)
        known.append(w or 0.0)
    if not cites:
        return [], 0.0, 0
    return values, max(known) if known else None, left_out


def any_of(docs: set[str], alone: dict[str, bool | None]) -> bool | None:
    """Whether one of the passages supports a sentence alone."""
    if any(alone[d] for d in docs):
        return True
    return None if any(alone[d] is None for d in docs) else False


def all_support(sentence: Sentence, c: Conventions, alone: dict[str, bool | None], partial: float) -> bool | None:
    """Whether all passages support a sentence together."""
    judged = None if c.together == "any" else holds(sentence.together, partial)
    if c.together == "any" or (judged is None and len(alone) == 1):
        return any_of({*alone}, alone)
    return judged


def others_support(
    doc: str, sentence: Sentence, c: Conventions, alone: dict[str, bool | None], partial: float
) -> bool | None:
    """Whether the other passages of a sentence support it."""
    judged = None if c.together == "any" else holds(sentence.without.get(doc), partial)
    if c.together == "any" or (judged is None and len(alone) == 2):
        return any_of({*alone} - {doc}, alone)
    return judged


def by_alce(sentence: Sentence, c: Conventions, first: int | None, partial: float) -> Credited:
    cites = counted(sentence, c, first)
    if (c.out_of_range == "sentence" and None in cites) or not cites:
        return [], 0.0, 0
    alone = {d: holds(sentence.alone.get(d), partial) for d in cites if d is not None}
    together = all_support(sentence, c, alone, partial) if alone else False
    if together is None and c.unjudged == "skip":
        return [], None, len(cites)
    values, left_out = [], 0
    for doc in cites:
        if doc is None or not together:
            values.append(0.0)
        elif len(cites) == 1 or alone[doc]:
            values.append(1.0)
        else:
            rest = others_support(doc, sentence, c, alone, partial)
            if (alone[doc] is None or rest is None) and rest is not False and c.unjudged == "skip":
                left_out += 1
            else:
                values.append(1.0 if rest is False else 0.0)
    return values, float(bool(together)), left_out


CONVENTIONS: dict[str, Callable[..., Credited]] = {"trec-rag": by_trec_rag, "alce": by_alce}


def precision(answer: list[Sentence], c: Conventions, *, convention: str, **options: Any) -> Maybe:
    values, left_out = [], 0
    for sentence in answer:
        of_sentence, _, n = CONVENTIONS[convention](sentence, c, **options)
        values += of_sentence
        left_out += n
    if values:
        return mean(values)
    return 0.0 if c.uncited == "zero" and not left_out else None


def recall(answer: list[Sentence], c: Conventions, *, convention: str, **options: Any) -> Maybe:
    values = [CONVENTIONS[convention](sentence, c, **options)[1] for sentence in answer]
    known = [v for v in values if v is not None]
    return mean(known) if known else None


def f(answer: list[Sentence], c: Conventions, *, beta: float, **options: Any) -> Maybe:
    p, r = precision(answer, c, **options), recall(answer, c, **options)
    if p is None or r is None:
        return None
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p and r else 0.0


def supported(answer: list[Sentence], c: Conventions, *, level: str, sentences: str, **options: Any) -> Maybe:
    chosen = [s for s in answer if sentences == "all" or counted(s, c, options["first"])]
    return recall(chosen, c, partial=1.0 if level == "partial" else 0.0, **options)


def unsupported(answer: list[Sentence], c: Conventions, **options: Any) -> Maybe:
    value = supported(answer, c, **options)
    return None if value is None else 1 - value


def cited(answer: list[Sentence], c: Conventions, *, first: int | None) -> Maybe:
    return mean([float(bool(counted(s, c, first))) for s in answer])


def judged(answer: list[Sentence], c: Conventions, *, first: int | None) -> Maybe:
    known = [bool(s.alone.get(d)) for s in answer for d in {*counted(s, c, first)} if d is not None]
    return mean([float(k) for k in known]) if known else None


def num_citations(answer: list[Sentence], c: Conventions, *, first: int | None) -> Maybe:
    return float(sum(len(counted(s, c, first)) for s in answer))


ORACLES: dict[str, Callable[..., Maybe]] = {
    "CitationPrecision": precision,
    "CitationRecall": recall,
    "CitationF": f,
    "SupportedSentences": supported,
    "HallucinationRate": unsupported,
    "CitedSentences": cited,
    "JudgedCitations": judged,
    "NumSentences": lambda answer, _: float(len(answer)),
    "NumCitations": num_citations,
}
# Without an answer these are not 0, or say so themselves.
UNDEFINED_WITHOUT = ("HallucinationRate", "JudgedCitations")
COUNTS = ("NumSentences", "NumCitations")


def value(measure: str, answer: list[Sentence], c: Conventions, **options: Any) -> Maybe:
    """The value of a measure for the answer to a query; a list of no sentences is no answer."""
    if not answer and measure not in COUNTS:
        return 0.0 if c.missing == "zero" and measure not in UNDEFINED_WITHOUT else None
    return ORACLES[measure](answer, c, **options)
