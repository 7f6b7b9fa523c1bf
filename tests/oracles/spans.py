"""Measures of spans as plain loops over the spans of documents."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.oracles.spans_matching import Pair, Span, common, copies, iou, matched

Number = Fraction | float
Maybe = Number | None
HALF = Fraction(1, 2)


@dataclass
class Document:
    """The gold spans of a document, the predicted ones, and its weight."""

    gold: list[Span]
    predicted: list[Span]
    weight: float = 1

    def counted(self) -> Document:
        """Each of several equal spans counts."""
        return Document(copies(self.gold), copies(self.predicted), self.weight)


def ratio(above: Number, below: Number) -> Maybe:
    return None if below == 0 else above / below


# ---- what a gold span earns recall, and a predicted one precision


@dataclass
class Credits:
    """The credit of each gold and of each predicted span of a document."""

    gold: list[tuple[Span, Number]] = field(default_factory=list)
    predicted: list[tuple[Span, Number]] = field(default_factory=list)


def of_pair(pair: Pair, match: str) -> Number:
    """What a matched pair is worth."""
    g, p = pair
    same_span, same_type = g.fragments == p.fragments, g.type == p.type
    return {
        "strict": int(same_span and same_type),
        "exact": int(same_span),
        "type": int(same_type),
        "partial": 1 if same_span else HALF,
        "iou": 1,
    }[match]


def credits_of(document: Document, match: str, threshold: float, typed: bool) -> Credits:  # noqa: FBT001
    gold, predicted = document.gold, document.predicted
    if match == "overlap":

        def touches(one: Span, others: list[Span]) -> int:
            return int(any(common(one, s) > 0 and (s.type == one.type or not typed) for s in others))

        return Credits([(g, touches(g, predicted)) for g in gold], [(p, touches(p, gold)) for p in predicted])
    pairs = matched(gold, predicted, threshold, typed=typed) if match == "iou" else matched(gold, predicted)
    value = {pair: of_pair(pair, match) for pair in pairs}
    return Credits(
        [(g, sum(v for pair, v in value.items() if pair[0] == g)) for g in gold],
        [(p, sum(v for pair, v in value.items() if pair[1] == p)) for p in predicted],
    )


@dataclass
class Totals:
    """The sums of credits and of spans, over documents by their weights."""

    gold: Number = 0
    predicted: Number = 0
    of_gold: Number = 0
    of_predicted: Number = 0

    def add(self, side: str, credit: Number, weight: float) -> None:
        n, earned = ("gold", "of_gold") if side == "gold" else ("predicted", "of_predicted")
        setattr(self, n, getattr(self, n) + weight)
        setattr(self, earned, getattr(self, earned) + credit * weight)

    def precision(self) -> Maybe:
        return ratio(self.of_predicted, self.predicted)

    def recall(self) -> Maybe:
        return ratio(self.of_gold, self.gold)

    def f(self, beta: float) -> Maybe:
        """0 where one side is empty, undefined where both are."""
        if self.gold + self.predicted == 0:
            return None
        p, r = self.precision() or 0, self.recall() or 0
        square = Fraction(beta) ** 2
        return (1 + square) * p * r / (square * p + r) if p and r else 0


def totals_by_type(credited: Iterable[tuple[Credits, float]]) -> dict[Any, Totals]:
    out: dict[Any, Totals] = {}
    for credit_of, weight in credited:
        for side in ("gold", "predicted"):
            for s, credit in getattr(credit_of, side):
                out.setdefault(s.type, Totals()).add(side, credit, weight)
    # Types of documents of weight 0 are none.
    return {t: n for t, n in out.items() if n.gold + n.predicted > 0}


def averaged(
    by_type: dict[Any, Totals], of: Callable[[Totals], Maybe], average: str, types: Any, undefined: Maybe = None
) -> Maybe:
    """The value of all types together, or the mean of the types' values."""
    if types == "gold":
        by_type = {t: n for t, n in by_type.items() if n.gold > 0}
    elif types is not None:
        by_type = {t: by_type.get(t, Totals()) for t in types}

    def value(totals: Totals) -> Maybe:
        out = of(totals)
        return undefined if out is None else out

    if average == "micro":
        pooled = Totals()
        for n in by_type.values():
            for name in ("gold", "predicted", "of_gold", "of_predicted"):
                setattr(pooled, name, getattr(pooled, name) + getattr(n, name))
        return value(pooled)
    weights = {t: 1 if average == "macro" else n.gold for t, n in by_type.items()}
    defined = {t: v for t, n in by_type.items() if (v := value(n)) is not None}
    out = ratio(sum(weights[t] * v for t, v in defined.items()), sum(weights[t] for t in defined))
    return undefined if out is None else out


def precision_recall(kind: str) -> Callable[..., Maybe]:
    def of(
        documents: Sequence[Document], match: str, threshold: float, typed: bool, average: str, types: Any,  # noqa: FBT001
        beta: float = 1, undefined: Maybe = None,
    ) -> Maybe:  # fmt: skip
        credited = [(credits_of(d, match, threshold, typed), d.weight) for d in documents]
        return averaged(totals_by_type(credited), by_kind(kind, beta), average, types, undefined)

    return of


def by_kind(kind: str, beta: float) -> Callable[[Totals], Maybe]:
    return {"P": Totals.precision, "R": Totals.recall, "F": lambda n: n.f(beta)}[kind]


def token(kind: str) -> Callable[..., Maybe]:
    """Positions with their types, which both sides have, one side alone has."""

    def of(documents: Sequence[Document], average: str, types: Any, beta: float = 1, undefined: Maybe = None) -> Maybe:
        by_type: dict[Any, Totals] = {}
        for d in documents:
            gold, predicted = ({(p, s.type) for s in side for p in s.positions} for side in (d.gold, d.predicted))
            for side, mine, other in (("gold", gold, predicted), ("predicted", predicted, gold)):
                for p, t in mine:
                    by_type.setdefault(t, Totals()).add(side, int((p, t) in other), d.weight)
        by_type = {t: n for t, n in by_type.items() if n.gold + n.predicted > 0}
        return averaged(by_type, by_kind(kind, beta), average, types, undefined)

    return of


# ---- correct, incorrect, partial, missing, spurious


@dataclass
class Counts:
    """The counts of MUC."""

    cor: Number = 0
    inc: Number = 0
    par: Number = 0
    mis: Number = 0
    spu: Number = 0

    @property
    def pos(self) -> Number:
        return self.cor + self.inc + self.par + self.mis

    @property
    def act(self) -> Number:
        return self.cor + self.inc + self.par + self.spu


def name_of_pair(pair: Pair, mode: str) -> str:
    g, p = pair
    same_span, same_type = g.fragments == p.fragments, g.type == p.type
    if mode == "strict":
        return "cor" if same_span and same_type else "inc"
    if mode == "exact":
        return "cor" if same_span else "inc"
    if mode == "partial":
        return "cor" if same_span else "par"
    return "cor" if same_type else "inc"


def counts_by_type(documents: Iterable[Document], mode: str, *, filtered: bool = False) -> dict[Any, Counts]:
    """The counts of each type: a pair counts for the gold span's type, a spurious span for its own.

    With `filtered` spans of one type only are compared with each other.
    """
    out: dict[Any, Counts] = {}

    def add(type: Any, name: str, weight: float) -> None:
        counts = out.setdefault(type, Counts())
        setattr(counts, name, getattr(counts, name) + weight)

    for d in documents:
        pairs = matched(d.gold, d.predicted, typed=filtered)
        for pair in pairs:
            add(pair[0].type, name_of_pair(pair, mode), d.weight)
        for g in d.gold:
            if g not in [one for one, _ in pairs]:
                add(g.type, "mis", d.weight)
        for p in d.predicted:
            if p not in [other for _, other in pairs]:
                add(p.type, "spu", d.weight)
    return out


def counted(documents: Iterable[Document], mode: str) -> Counts:
    out = Counts()
    for c in counts_by_type(documents, mode).values():
        for name in ("cor", "inc", "par", "mis", "spu"):
            setattr(out, name, getattr(out, name) + getattr(c, name))
    return out


def slot_error_rate(documents: Sequence[Document], errors: str) -> Maybe:
    total, gold = Fraction(0), Fraction(0)
    for d in documents:
        pairs = matched(d.gold, d.predicted)
        weight = Fraction(d.weight)
        gold += len(d.gold) * weight
        total += (len(d.gold) + len(d.predicted) - 2 * len(pairs)) * weight
        for g, p in pairs:
            wrong = (g.fragments != p.fragments) + (g.type != p.type)
            total += ((wrong > 0) if errors == "equal" else wrong * HALF) * weight
    return ratio(total, gold)


def muc(above: Callable[[Counts], Number], below: Callable[[Counts], Number]) -> Callable[..., Maybe]:
    def of(documents: Sequence[Document], match: str = "strict") -> Maybe:
        c = counted(documents, match)
        return ratio(above(c), below(c))

    return of


def subset_accuracy(documents: Sequence[Document]) -> Maybe:
    same = sum(d.weight for d in documents if set(d.gold) == set(d.predicted))
    return ratio(same, sum(d.weight for d in documents))


ORACLES: dict[str, Callable[..., Maybe]] = {
    "Precision": precision_recall("P"),
    "Recall": precision_recall("R"),
    "F1": precision_recall("F"),
    "F": precision_recall("F"),
    "TokenP": token("P"),
    "TokenR": token("R"),
    "TokenF1": token("F"),
    "SlotErrorRate": slot_error_rate,
    "ErrorRate": muc(lambda c: c.inc + c.par * HALF + c.mis + c.spu, lambda c: c.cor + c.inc + c.par + c.mis + c.spu),
    "Undergeneration": muc(lambda c: c.mis, lambda c: c.pos),
    "Overgeneration": muc(lambda c: c.spu, lambda c: c.act),
    "Substitution": muc(lambda c: c.inc + c.par * HALF, lambda c: c.cor + c.inc + c.par),
    "SubsetAccuracy": subset_accuracy,
    "NumGold": lambda documents: sum(len(d.gold) * d.weight for d in documents),
    "NumPredicted": lambda documents: sum(len(d.predicted) * d.weight for d in documents),
}
UNDEFINED = ("Precision", "Recall", "F1", "F", "TokenP", "TokenR", "TokenF1")


def value(name: str, documents: Sequence[Document], *, undefined: float | None = None, **parameters: Any) -> Maybe:
    """The value of the measure of that name, pooled over documents."""
    inside = {"undefined": undefined} if name in UNDEFINED else {}
    out = ORACLES[name](documents, **parameters, **inside)
    return undefined if out is None else float(out)


# ---- tables


def relation(gold: Span, predicted: Span) -> str:
    """How the ends of a predicted span differ from those of the gold one that it overlaps."""
    left, right = predicted.start - gold.start, predicted.end - gold.end
    if left == 0 and right == 0:
        return "fragments"
    if right == 0:
        return "left"
    if left == 0:
        return "right"
    if left < 0 < right:
        return "long"
    return "short" if right < 0 < left else "shifted"


def errors(document: Document) -> list[tuple[Span | None, Span | None, str, str | None]]:
    """Each matched or lone span with its error, and how the ends differ where they do."""
    pairs, out = matched(document.gold, document.predicted), []
    for g, p in pairs:
        same_span, same_type = g.fragments == p.fragments, g.type == p.type
        name = ("correct" if same_type else "type") if same_span else ("boundary" if same_type else "both")
        out.append((g, p, name, None if same_span else relation(g, p)))
    for g in document.gold:
        if g not in [one for one, _ in pairs]:
            merged = any(common(g, p) > 0 for p in document.predicted)
            out.append((g, None, "merged" if merged else "missed", None))
    for p in document.predicted:
        if p not in [other for _, other in pairs]:
            of = [g for g in document.gold if common(g, p) > 0]
            again = any(common(p, q) > 0 for g, q in pairs if g in of)
            out.append((None, p, "duplicate" if again else "split" if of else "spurious", None))
    return out


def confusion(documents: Iterable[Document]) -> dict[tuple[Any, Any], float]:
    """The number of matched pairs by both types; of lone spans with None on the other side."""
    out: dict[tuple[Any, Any], float] = {}
    for d in documents:
        for g, p, _, _ in errors(d):
            key = (g.type if g else None, p.type if p else None)
            out[key] = out.get(key, 0) + d.weight
    return out


def annotator_pairs(spans: dict[str, list[Document]]) -> Iterable[tuple[str, str]]:
    """Every two annotators."""
    return itertools.combinations(sorted(spans), 2)


__all__ = ["ORACLES", "Document", "Span", "confusion", "counts_by_type", "errors", "iou", "value"]
