"""Measures of links and slots as plain loops over the documents' rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Row = dict[str, Any]
Maybe = float | None
# The TAC's and neleval's names: what must be equal, and which rows count.
NAMED = {
    "strong_mention_match": (("start", "end"), None),
    "strong_typed_mention_match": (("start", "end", "type"), None),
    "strong_linked_mention_match": (("start", "end"), "linked"),
    "strong_link_match": (("start", "end", "kb_id"), "linked"),
    "strong_nil_match": (("start", "end"), "nil"),
    "strong_all_match": (("start", "end", "kb_id"), None),
    "strong_typed_link_match": (("start", "end", "type", "kb_id"), "linked"),
    "strong_typed_nil_match": (("start", "end", "type"), "nil"),
    "strong_typed_all_match": (("start", "end", "type", "kb_id"), None),
    "entity_match": (("kb_id",), "linked"),
}
CORRECT = ("correct", "C", "1", 1)
KNOWN = {
    "correct": "correct", "C": "correct", "1": "correct", "redundant": "redundant", "R": "redundant", "2": "redundant",
    "inexact": "inexact", "X": "inexact", "3": "inexact", "wrong": "wrong", "W": "wrong", "-1": "wrong",
}  # fmt: skip


@dataclass
class Document:
    """The rows of a document, and its weight."""

    gold: list[Row] = field(default_factory=list)
    predicted: list[Row] = field(default_factory=list)
    weight: float = 1.0


@dataclass(frozen=True)
class Rules:
    """What must be equal, which rows count, and the conventions."""

    on: tuple[str, ...] = ("start", "end", "kb_id")
    where: str | None = None
    values: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    duplicates: str = "distinct"
    undefined: float | None = None
    inclusive: bool = False


def entity(row: Row) -> Any:
    """The entity of a row; None for NIL."""
    name = row.get("kb_id")
    return None if name is None or str(name).startswith("NIL") else name


def of_match(rules: Rules, on: Any, where: str | None) -> tuple[tuple[str, ...], str | None]:
    if isinstance(on, str):
        columns, own = NAMED[on]
        return columns, where or own or rules.where
    return (on or rules.on), where or rules.where


def counts_as(row: Row, rules: Rules, where: str | None) -> bool:
    if any(row[name] not in values for name, values in rules.values):
        return False
    return where is None or (entity(row) is None) == (where == "nil")


def key(row: Row, on: Sequence[str]) -> tuple[Any, ...]:
    return tuple(entity(row) if name == "kb_id" else row[name] for name in on)


@dataclass
class Counts:
    """Numbers of gold and predicted things, of correct ones of either side, and of kinds of wrong responses."""

    gold: Fraction = Fraction(0)
    predicted: Fraction = Fraction(0)
    correct_gold: Fraction = Fraction(0)
    correct_predicted: Fraction = Fraction(0)
    redundant: Fraction = Fraction(0)
    inexact: Fraction = Fraction(0)


def positions(row: Row, rules: Rules) -> set[int]:
    return set(range(row["start"], row["end"] + rules.inclusive))


def responses(d: Document, rules: Rules, on: Sequence[str], where: str | None) -> dict[Any, Counts]:
    """The counts by type of one document where all of `on` must be equal; equal classes are one thing."""
    order = ("correct", "redundant", "inexact", "wrong")
    judged: dict[tuple[Any, ...], tuple[int, Any]] = {}
    for row in d.gold:
        if counts_as(row, rules, where):
            name = KNOWN[str(row.get("judgment") or "correct")]
            judgment = (order.index(name), row.get("class_id"))
            k = key(row, on)
            if k not in judged or judgment[0] < judged[k][0]:
                judged[k] = judgment
    kind = on.index("type") if "type" in on else None
    out: dict[Any, Counts] = {}

    def of(k: tuple[Any, ...]) -> Counts:
        return out.setdefault(None if kind is None else k[kind], Counts())

    def thing(k: tuple[Any, ...]) -> Any:
        if k in judged and judged[k][0] == 0 and judged[k][1] is not None:
            return ("class", None if kind is None else k[kind], judged[k][1])
        return ("key", k)

    gold = {}
    for k, (judgment, _) in judged.items():
        if judgment == 0:
            gold[thing(k)] = k
    for k in gold.values():
        of(k).gold += 1
    seen: set[Any] = set()
    for row in d.predicted:
        if not counts_as(row, rules, where):
            continue
        k = key(row, on)
        again = thing(k) in seen
        if again and rules.duplicates != "spurious":
            continue
        counts = of(k)
        counts.predicted += 1
        if thing(k) in gold and not again:
            counts.correct_gold += 1
            counts.correct_predicted += 1
        elif thing(k) in gold or (k in judged and judged[k][0] == 1):
            counts.redundant += 1
        elif k in judged and judged[k][0] == 2:
            counts.inexact += 1
        seen.add(thing(k))
    return out


def overlapping(d: Document, rules: Rules, on: Sequence[str], where: str | None, match: str) -> dict[Any, Counts]:
    """The counts by type of one document where spans overlap, and the other columns of `on` are equal."""
    rest = [name for name in on if name not in ("start", "end")]
    gold, predicted = (
        {key(r, (*rest, "start", "end")): r for r in rows if counts_as(r, rules, where)}
        for rows in (d.gold, d.predicted)
    )
    out: dict[Any, Counts] = {}

    def of(k: tuple[Any, ...]) -> Counts:
        return out.setdefault(k[rest.index("type")] if "type" in rest else None, Counts())

    def partners(k: tuple[Any, ...], row: Row, others: dict[tuple[Any, ...], Row]) -> list[set[int]]:
        n = len(rest)
        return [positions(row, rules) & positions(o, rules) for ok, o in others.items() if ok[:n] == k[:n]]

    if match == "characters":
        sides = [
            {(*k[: len(rest)], p) for k, r in rows.items() for p in positions(r, rules)} for rows in (gold, predicted)
        ]
        for k in sides[0] | sides[1]:
            c = of(k)
            c.gold += k in sides[0]
            c.predicted += k in sides[1]
            c.correct_gold += k in sides[0] and k in sides[1]
            c.correct_predicted += k in sides[0] and k in sides[1]
        return out
    for mine, others, number, correct in (
        (gold, predicted, "gold", "correct_gold"),
        (predicted, gold, "predicted", "correct_predicted"),
    ):
        for k, row in mine.items():
            c, shared = of(k), partners(k, row, others)
            size = len(positions(row, rules))
            if match == "weak":
                share = Fraction(any(shared))
            else:
                covered = max(map(len, shared), default=0) if match == "max" else len(set().union(*shared))
                share = Fraction(covered, size) if size else Fraction(0)
            setattr(c, number, getattr(c, number) + 1)
            setattr(c, correct, getattr(c, correct) + share)
    return out


def counts_by_type(
    documents: Sequence[Document], rules: Rules, *, on: Any, where: str | None, match: str
) -> dict[Any, Counts]:
    columns, rows = of_match(rules, on, where)
    total: dict[Any, Counts] = {}
    for d in documents:
        if match == "strong":
            counts = responses(d, rules, columns, rows)
        else:
            counts = overlapping(d, rules, columns, rows, match)
        for name, c in counts.items():
            t = total.setdefault(name, Counts())
            for f in vars(c):
                setattr(t, f, getattr(t, f) + Fraction(d.weight) * getattr(c, f))
    return total


def add(counts: Any) -> Counts:
    out = Counts()
    for c in counts:
        for f in vars(c):
            setattr(out, f, getattr(out, f) + getattr(c, f))
    return out


def ratio(above: Fraction, below: Fraction, rules: Rules) -> Maybe:
    return float(above / below) if below else rules.undefined


def f_of(c: Counts, rules: Rules, beta: float) -> Maybe:
    if not Fraction(beta) ** 2 * c.gold + c.predicted:
        return rules.undefined
    if not c.correct_gold or not c.correct_predicted:
        return 0.0
    p, r, b = c.correct_predicted / c.predicted, c.correct_gold / c.gold, Fraction(beta) ** 2
    return float((1 + b) * p * r / (b * p + r))


def prf(value: Callable[..., Maybe]) -> Callable[..., Maybe]:
    def measure(
        documents: Sequence[Document], rules: Rules, *, on: Any, where: str | None, match: str, average: str, **own: Any
    ) -> Maybe:
        by_type = counts_by_type(documents, rules, on=on, where=where, match=match)
        if average == "micro":
            return value(add(by_type.values()), rules, **own)
        values = [(value(c, rules, **own), float(c.gold) if average == "weighted" else 1.0) for c in by_type.values()]
        defined = [(v, w) for v, w in values if v is not None]
        below = sum(w for _, w in defined)
        return sum(v * w for v, w in defined) / below if below else rules.undefined

    return measure


def subset_accuracy(documents: Sequence[Document], rules: Rules, *, on: Any, where: str | None) -> Maybe:
    equal, number = Fraction(0), Fraction(0)
    for d in documents:
        c = add(counts_by_type([Document(d.gold, d.predicted)], rules, on=on, where=where, match="strong").values())
        equal += Fraction(d.weight) * (c.gold == c.predicted == c.correct_gold)
        number += Fraction(d.weight)
    return ratio(equal, number, rules)


def number(of: Callable[[Counts], Fraction]) -> Callable[..., Maybe]:
    def measure(documents: Sequence[Document], rules: Rules, *, on: Any, where: str | None) -> Maybe:
        return float(of(add(counts_by_type(documents, rules, on=on, where=where, match="strong").values())))

    return measure


ORACLES: dict[str, Callable[..., Maybe]] = {
    "Precision": prf(lambda c, rules: ratio(c.correct_predicted, c.predicted, rules)),
    "Recall": prf(lambda c, rules: ratio(c.correct_gold, c.gold, rules)),
    "F1": prf(lambda c, rules: f_of(c, rules, 1)),
    "F": prf(f_of),
    "SubsetAccuracy": subset_accuracy,
    "NumGold": number(lambda c: c.gold),
    "NumPredicted": number(lambda c: c.predicted),
    "NumCorrect": number(lambda c: c.correct_gold),
    "NumRedundant": number(lambda c: c.redundant),
    "NumInexact": number(lambda c: c.inexact),
    "NumWrong": number(lambda c: c.predicted - c.correct_predicted - c.redundant - c.inexact),
    "NumMissing": number(lambda c: c.gold - c.correct_gold),
}


def value(name: str, documents: Sequence[Document], rules: Rules, **parameters: Any) -> Maybe:
    return ORACLES[name](documents, rules, **parameters)
