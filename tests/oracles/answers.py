"""Measures of text answers as plain loops over answers and words.

A query has gold answers (null or empty: none) and one predicted answer; None where the system has none.
"""

from __future__ import annotations

import html
import math
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.oracles.answers_stems import STEMS

Maybe = float | None


@dataclass(frozen=True)
class Asked:
    """A query: its gold answers, and the predicted one."""

    golds: tuple[str | None, ...]
    predicted: str | None


@dataclass(frozen=True)
class Conventions:
    """What the policy says."""

    golds: str = "drop"
    empty: str = "equal"
    missing: str = "zero"


# ---- text


def spaced(text: str) -> str:
    return " ".join(text.split())


def without_articles(text: str) -> str:
    return re.sub(r"\b(a|an|the)\b", " ", text)


def squad(text: str) -> str:
    letters = "".join(c for c in text.lower() if c not in string.punctuation)
    return spaced(without_articles(letters))


def triviaqa(text: str) -> str:
    away = string.punctuation + "‘’´"
    return spaced(without_articles("".join(" " if c in away else c for c in text.lower())))


def stands_alone(character: str) -> bool:
    name = unicodedata.name(character, "")
    return (
        name.startswith(("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH")) or 0x3040 <= ord(character) <= 0x30FF
    )


def multilingual(text: str) -> str:
    out = []
    for c in text.lower():
        if c in string.punctuation or unicodedata.category(c).startswith("P"):
            continue
        out.append(f" {c} " if stands_alone(c) else c)
    return spaced("".join(out))


def rouge_score(text: str) -> str:
    kept = string.ascii_lowercase + string.digits
    return spaced("".join(c if c in kept else " " for c in text.lower()))


NORMALIZED: dict[str, Callable[[str], str]] = {
    "squad": squad,
    "none": lambda text: text,
    "triviaqa": triviaqa,
    "multilingual": multilingual,
    "rouge-score": rouge_score,
}


def words(text: str, normalize: str, stemming: str = "none") -> list[str]:
    out = NORMALIZED[normalize](text).split()
    return [STEMS.get(w, w) for w in out] if stemming == "porter" else out


# ---- one gold answer


def exact(gold: str, predicted: str) -> float:
    return float(gold == predicted)


def contains(gold: str, predicted: str, *, whole_words: bool) -> float:
    if not gold or not predicted:
        return exact(gold, predicted)
    if not whole_words:
        return float(gold in predicted)
    g, p = gold.split(), predicted.split()
    return float(any(p[i : i + len(g)] == g for i in range(len(p) - len(g) + 1)))


def longest_common(one: Sequence[str], other: Sequence[str]) -> int:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def grams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def f_of(p: Fraction, r: Fraction, beta: Fraction) -> Fraction:
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p and r else Fraction(0)


def overlap(g: Sequence[str], p: Sequence[str], n: int | None, beta: float, empty: str) -> tuple[Fraction, ...]:
    """F, precision and recall, of n-grams or, without n, of the longest common subsequence."""
    if not g or not p:
        return (Fraction(empty == "equal" and not g and not p),) * 3
    if n is None:
        common, of_gold, of_predicted = longest_common(g, p), len(g), len(p)
    else:
        one, other = grams(g, n), grams(p, n)
        common, of_gold, of_predicted = (one & other).total(), one.total(), other.total()
    precision = Fraction(common, of_predicted) if of_predicted else Fraction(0)
    recall = Fraction(common, of_gold) if of_gold else Fraction(0)
    return f_of(precision, recall, Fraction(beta)), precision, recall


# ---- a query


def answerable(query: Asked) -> bool:
    return any(query.golds)


def of_query(query: Asked, c: Conventions, normal: Callable[[str], str], value: Callable[[str, str], Any]) -> Any:
    """The best of the values of all gold answers; `value` gets texts that are not normalised."""
    predicted = query.predicted
    if predicted is None:
        if c.missing != "empty":
            return None
        predicted = ""
    golds = [g for g in query.golds if g is not None and (c.golds == "keep" or normal(g))] or [""]
    return max(value(g, predicted) for g in golds)


def missing_value(c: Conventions) -> Maybe:
    return 0.0 if c.missing == "zero" else None


def exact_match(query: Asked, c: Conventions, *, normalize: str) -> Maybe:
    normal = NORMALIZED[normalize]
    best = of_query(query, c, normal, lambda g, p: exact(normal(g), normal(p)))
    return missing_value(c) if best is None else float(best)


def contained(query: Asked, c: Conventions, *, normalize: str, whole_words: bool) -> Maybe:
    normal = NORMALIZED[normalize]

    def text(of: str) -> str:
        return spaced(normal(of)) if whole_words else normal(of)

    best = of_query(query, c, normal, lambda g, p: contains(text(g), text(p), whole_words=whole_words))
    return missing_value(c) if best is None else float(best)


def tokens(
    query: Asked,
    c: Conventions,
    *,
    normalize: str,
    n: int | None = 1,
    score: str = "F",
    beta: float = 1.0,
    stemming: str = "none",
) -> Maybe:
    """Precision and recall are those of the gold answer of the best F."""
    normal = NORMALIZED[normalize]

    def value(g: str, p: str) -> tuple[Fraction, Fraction]:
        sides = (words(g, normalize, stemming), words(p, normalize, stemming))
        f, precision, recall = overlap(*sides, n, beta, c.empty)
        return f, {"F": f, "P": precision, "R": recall}[score]

    best = of_query(query, c, normal, value)
    return missing_value(c) if best is None else float(best[1])


def num_answers(query: Asked, _: Conventions) -> Maybe:
    return float(len({g for g in query.golds if g}))


# ---- BLEU


def words_13a(text: str) -> list[str]:
    """The words of mteval-v13a, which is SacreBLEU's default: punctuation stands alone, but for points in numbers."""
    out = []
    text = f" {html.unescape(text)} " if "&" in text else f" {text} "
    for before, c, after in zip(" " + text, text, text[1:] + " ", strict=False):
        if c in '{|}~[\\]^_` !"#$%&()*+:;<=>?@/':
            out.append(f" {c} ")
        elif c in ".,":
            in_number = before in string.digits and after in string.digits
            out.append(c if in_number else f" {c} ")
        elif c == "-" and before in string.digits:
            out.append(" - ")
        else:
            out.append(c)
    return "".join(out).split()


def bleu(
    query: Asked,
    c: Conventions,
    *,
    tokenize: str,
    lowercase: bool,
    order: int,
    smoothing: str,
    effective_order: bool,
) -> Maybe:
    if query.predicted is None and c.missing == "skip":
        return None
    golds = [g for g in query.golds if g is not None and (g or c.golds == "keep")] or [""]
    sides = [text.lower() if lowercase else text for text in (query.predicted or "", *golds)]
    p, *references = (words_13a(t) if tokenize == "13a" else t.split() for t in sides)
    precisions, factor, found = [], 1.0, False
    for n in range(1, order + 1):
        most: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            most |= grams(reference, n)
        matched, total = (grams(p, n) & most).total(), max(0, len(p) - n + 1)
        found |= matched > 0
        if not total:
            break
        if not matched and smoothing == "exp":
            factor *= 2
        precisions.append(matched / total if matched or smoothing == "none" else 1 / (factor * total))
    if not found or not all(precisions) or (len(precisions) < order and not effective_order):
        return 0.0
    nearest = min((abs(len(r) - len(p)), len(r)) for r in references)[1]
    brief = math.exp(1 - nearest / len(p)) if len(p) < nearest else 1.0
    return 100 * brief * math.exp(math.fsum(map(math.log, precisions)) / len(precisions))


ORACLES: dict[str, Callable[..., Any]] = {
    "BLEU": bleu,
    "ExactMatch": exact_match,
    "Contains": contained,
    "TokenF1": tokens,
    "TokenP": lambda q, c, **o: tokens(q, c, score="P", **o),
    "TokenR": lambda q, c, **o: tokens(q, c, score="R", **o),
    "ROUGE1": lambda q, c, **o: tokens(q, c, n=1, **o),
    "ROUGE2": lambda q, c, **o: tokens(q, c, n=2, **o),
    "ROUGEL": lambda q, c, **o: tokens(q, c, n=None, **o),
    "NumAnswers": num_answers,
}


def value(measure: str, query: Asked, conventions: Conventions, *, queries: str = "all", **options: Any) -> Maybe:
    """The value of a measure for a query; undefined for queries that it is not about."""
    if queries != "all" and answerable(query) != (queries == "answerable"):
        return None
    out: Maybe = ORACLES[measure](query, conventions, **options)
    return out
