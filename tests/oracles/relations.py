"""Measures of relations and events as plain loops over the documents' rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Row = dict[str, Any]
Maybe = float | None


@dataclass
class Document:
    """The relations of a document, its weight, and the labels whose arguments have no order (True: all)."""

    gold: list[Row] = field(default_factory=list)
    predicted: list[Row] = field(default_factory=list)
    weight: float = 1.0


@dataclass(frozen=True)
class Rules:
    """Labels without a direction, what a repeated prediction is, and what a ratio without a denominator is."""

    undirected: tuple[str, ...] | bool = ()
    duplicates: str = "distinct"
    undefined: float | None = None


def argument(row: Row, side: str, match: str) -> tuple[Any, ...]:
    """What must be equal of an argument of a relation."""
    start, end = row[f"{side}_start"], row[f"{side}_end"]
    if match == "entities":
        return (row[f"{side}_id"],)
    if match == "head":
        token = row.get(f"{side}_token")
        return (end if token is None else token,)
    return (start, end, row[f"{side}_type"]) if match == "strict" else (start, end)


def thing(row: Row, match: str, rules: Rules, *, attached: bool) -> tuple[Any, Any] | None:
    """The type of a row, and what must be equal; None where the row is nothing of that kind."""
    trigger = (row["head_start"], row["head_end"])
    has_argument = row["tail_id" if match == "entities" else "tail_start"] is not None
    if match == "trigger-identification":
        return None, trigger
    if match == "trigger-classification":
        return row["head_type"], trigger
    if not has_argument:
        return None
    if match.startswith("argument"):
        span: tuple[Any, ...] = (row["tail_start"], row["tail_end"], row["head_type"], *(trigger if attached else ()))
        return (row["head_type"], span) if match == "argument-identification" else (row["label"], span)
    arguments = [argument(row, side, match) for side in ("head", "tail")]
    if rules.undirected is True or (rules.undirected and row["label"] in rules.undirected):
        arguments.sort(key=repr)
    return row["label"], tuple(arguments)


@dataclass
class Counts:
    """Weighted numbers of gold and predicted things, and of those that are both."""

    gold: Fraction = Fraction(0)
    predicted: Fraction = Fraction(0)
    correct: Fraction = Fraction(0)


def count_document(gold: Sequence[Any], predicted: Sequence[Any], rules: Rules) -> Counts:
    """The counts of the things of one document and type."""
    correct = set(gold) & set(predicted)
    number = len(predicted) if rules.duplicates == "spurious" else len(set(predicted))
    return Counts(Fraction(len(set(gold))), Fraction(number), Fraction(len(correct)))


def counts_by_type(documents: Sequence[Document], match: str, rules: Rules, *, attached: bool) -> dict[Any, Counts]:
    out: dict[Any, Counts] = {}
    for d in documents:
        sides = [
            [t for row in rows if (t := thing(row, match, rules, attached=attached)) is not None]
            for rows in (d.gold, d.predicted)
        ]
        for name in {t for side in sides for t, _ in side}:
            counts = count_document(*([k for t, k in side if t == name] for side in sides), rules)
            total = out.setdefault(name, Counts())
            for f in ("gold", "predicted", "correct"):
                setattr(total, f, getattr(total, f) + Fraction(d.weight) * getattr(counts, f))
    return out


def ratio(above: Fraction, below: Fraction, rules: Rules) -> Maybe:
    return float(above / below) if below else rules.undefined


def f(counts: Counts, beta: float, rules: Rules) -> Maybe:
    b = Fraction(beta) ** 2
    return ratio((1 + b) * counts.correct, b * counts.gold + counts.predicted, rules)


def averaged(value: Callable[[Counts], Maybe], by_type: dict[Any, Counts], average: str, rules: Rules) -> Maybe:
    if average == "micro":
        return value(add(by_type.values()))
    values = [(value(c), float(c.gold) if average == "weighted" else 1.0) for c in by_type.values()]
    defined = [(v, w) for v, w in values if v is not None]
    below = sum(w for _, w in defined)
    return sum(v * w for v, w in defined) / below if below else rules.undefined


def add(counts: Any) -> Counts:
    out = Counts()
    for c in counts:
        out = Counts(out.gold + c.gold, out.predicted + c.predicted, out.correct + c.correct)
    return out


def prf(value: Callable[..., Maybe]) -> Callable[..., Maybe]:
    def measure(
        documents: Sequence[Document], rules: Rules, *, match: str, attached: bool, average: str, **own: Any
    ) -> Maybe:
        by_type = counts_by_type(documents, match, rules, attached=attached)
        return averaged(lambda c: value(c, rules, **own), by_type, average, rules)

    return measure


def each(documents: Sequence[Document], match: str, rules: Rules, *, attached: bool) -> list[tuple[Document, Counts]]:
    return [(d, add(counts_by_type([Document(d.gold, d.predicted)], match, rules, attached=attached).values()))
            for d in documents]  # fmt: skip


def argument_score(documents: Sequence[Document], rules: Rules, *, match: str, attached: bool, penalty: float) -> Maybe:
    above, below = Fraction(0), Fraction(0)
    for d, c in each(documents, match, rules, attached=attached):
        score = c.correct - Fraction(penalty) * (c.predicted - c.correct)
        above += Fraction(d.weight) * max(Fraction(0), score)
        below += Fraction(d.weight) * c.gold
    return ratio(above, below, rules)


def subset_accuracy(documents: Sequence[Document], rules: Rules, *, match: str, attached: bool) -> Maybe:
    equal, number = Fraction(0), Fraction(0)
    for d, c in each(documents, match, rules, attached=attached):
        equal += Fraction(d.weight) * (c.gold == c.predicted == c.correct)
        number += Fraction(d.weight)
    return ratio(equal, number, rules)


def number(of: str) -> Callable[..., Maybe]:
    def measure(documents: Sequence[Document], rules: Rules, *, match: str, attached: bool) -> Maybe:
        return float(getattr(add(counts_by_type(documents, match, rules, attached=attached).values()), of))

    return measure


ORACLES: dict[str, Callable[..., Maybe]] = {
    "Precision": prf(lambda c, rules: ratio(c.correct, c.predicted, rules)),
    "Recall": prf(lambda c, rules: ratio(c.correct, c.gold, rules)),
    "F1": prf(lambda c, rules: f(c, 1, rules)),
    "F": prf(lambda c, rules, beta: f(c, beta, rules)),
    "ArgumentScore": argument_score,
    "SubsetAccuracy": subset_accuracy,
    "NumGold": number("gold"),
    "NumPredicted": number("predicted"),
    "NumCorrect": number("correct"),
}


def value(name: str, documents: Sequence[Document], rules: Rules, **parameters: Any) -> Maybe:
    return ORACLES[name](documents, rules, **parameters)
