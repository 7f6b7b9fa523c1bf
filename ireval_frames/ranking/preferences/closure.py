"""Preferences that follow from each other: the one part of preferences that is a loop."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from ireval_frames.errors import InvalidValue
from ireval_frames.expr import col
from ireval_frames.plan import Plan, Table

Judged = list[tuple[Any, float]]


def closed(plan: Plan, judged: Table, keys: Sequence[str]) -> Table:
    """A row per pair of documents of which one is preferred, from judgments in groups.

    Within equal `keys` preferences add up.
    """
    columns = {"other_id": col("doc_id"), "relevance": col("relevance")}
    groups = plan.selected("grouped_judgments", judged.keys, judged, **columns)
    function = functools.partial(closure, keys=tuple(keys))
    functools.update_wrapper(function, closure)
    return plan.applied("preferences", (*keys, "doc_id", "other_id"), groups, function, {}, by=keys)


def closure(rows: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """The preferences of all groups, with those that follow from them.

    Raises:
        InvalidValue: preferences contradict each other, or a document has grade 0 and a larger one.
    """
    found: dict[tuple[Any, ...], dict[Any, Judged]] = {}
    for *place, group, doc, grade in rows.select(*keys, "subgroup_id", "doc_id", "relevance").iter_rows():
        found.setdefault(tuple(place), {}).setdefault(group, []).append((doc, grade))
    out: list[tuple[Any, ...]] = []
    for of, groups in found.items():
        at = dict(zip(keys, of, strict=True))
        _one_opinion_of_zero(groups, at)
        out += [(*of, doc, other) for doc, other in _pairs(groups, at)]
    return pl.DataFrame(out, schema={k: rows.schema[k] for k in (*keys, "doc_id", "other_id")}, orient="row")


def _pairs(groups: dict[Any, Judged], place: dict[str, Any]) -> list[tuple[Any, Any]]:
    """A document and one it is preferred to, in one of the groups or by what follows."""
    docs = list(dict.fromkeys(doc for judged in groups.values() for doc, _ in judged))
    number = {doc: i for i, doc in enumerate(docs)}
    below = [0] * len(docs)  # the documents below each, as bits
    for judged in groups.values():
        lower, level = 0, 0
        previous: float | None = None
        for doc, grade in sorted(judged, key=lambda row: row[1]):
            if grade != previous:
                lower, level, previous = lower | level, 0, grade
            below[number[doc]] |= lower
            level |= 1 << number[doc]
    if len(groups) > 1:
        for i in _upwards(below, docs, place):
            for j in _bits(below[i]):
                below[i] |= below[j]
    return [(doc, docs[j]) for i, doc in enumerate(docs) for j in _bits(below[i])]


def _upwards(below: list[int], docs: list[Any], place: dict[str, Any]) -> list[int]:
    """The documents in an order in which all below one come before it.

    Raises:
        InvalidValue: there is none, because preferences go round in a circle.
    """
    order: list[int] = []
    done, open_ = 0, 0
    for start in range(len(docs)):
        stack = [start]
        while stack:
            i = stack[-1]
            if done >> i & 1:
                stack.pop()
                continue
            left = below[i] & ~done
            if left & open_:
                j = next(_bits(left & open_))
                raise InvalidValue(
                    f"Preferences contradict each other ({_at(place)}): {docs[i]!r} is preferred to {docs[j]!r}, and "
                    "the other way round.",
                    "Within one assessor_id all groups must agree; opinions that differ need different assessor_ids.",
                )
            if left:
                open_ |= 1 << i
                stack.append(next(_bits(left)))
            else:
                order.append(i)
                done |= 1 << i
                open_ &= ~(1 << i)
                stack.pop()
    return order


def _one_opinion_of_zero(groups: dict[Any, Judged], place: dict[str, Any]) -> None:
    """Grade 0 says a document is not relevant: it cannot be relevant in another group of the same assessor."""
    zero = {doc for judged in groups.values() for doc, grade in judged if grade == 0}
    both = [doc for judged in groups.values() for doc, grade in judged if grade > 0 and doc in zero]
    if both:
        raise InvalidValue(
            f"Preferences contradict each other ({_at(place)}): {both[0]!r} has grade 0 in one group and a larger one "
            "in another.",
            "Grade 0 means not relevant; give documents that are only less preferred a grade above 0.",
        )


def _bits(number: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def _at(place: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value!r}" for key, value in place.items())
