"""The transitive closure of preferences: a loop in Python."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from ireval_frames.errors import InvalidValue
from ireval_frames.expr import col
from ireval_frames.plan import Plan, Table

Judged = list[tuple[Any, float]]


def closure_of(plan: Plan, judged: Table, keys: Sequence[str]) -> Table:
    """A row per pair of documents of which one is preferred, from judgments in groups with equal `keys`."""
    columns = {"other_id": col("doc_id"), "relevance": col("relevance")}
    groups = plan.selected("grouped_judgments", judged.keys, judged, **columns)
    function = functools.partial(closure, keys=tuple(keys))
    functools.update_wrapper(function, closure)
    return plan.applied("preferences", (*keys, "doc_id", "other_id"), groups, function, {}, by=keys)


def closure(rows: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """The preferences of all groups, and those that follow from them.

    Raises:
        InvalidValue: preferences contradict each other, or a document has grade 0 and a larger one.
    """
    by_key: dict[tuple[Any, ...], dict[Any, Judged]] = {}
    for *key, group, doc, grade in rows.select(*keys, "subgroup_id", "doc_id", "relevance").iter_rows():
        by_key.setdefault(tuple(key), {}).setdefault(group, []).append((doc, grade))
    pairs: list[tuple[Any, ...]] = []
    for key_values, groups in by_key.items():
        names = dict(zip(keys, key_values, strict=True))
        _require_one_zero(groups, names)
        pairs += [(*key_values, doc, other) for doc, other in _pairs(groups, names)]
    return pl.DataFrame(pairs, schema={k: rows.schema[k] for k in (*keys, "doc_id", "other_id")}, orient="row")


def _pairs(groups: dict[Any, Judged], place: dict[str, Any]) -> list[tuple[Any, Any]]:
    """The pairs of a document and one it is preferred to, in a group or by transitivity."""
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


def _upwards(below: list[int], docs: list[Any], key: dict[str, Any]) -> list[int]:
    """The documents in topological order: those below one come before it.

    Raises:
        InvalidValue: preferences are cyclic.
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
                    f"Preferences contradict each other ({_at(key)}): {docs[i]!r} is preferred to {docs[j]!r}, and "
                    "vice versa.",
                    "Within one assessor_id all groups must agree; different opinions need different assessor_ids.",
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


def _require_one_zero(groups: dict[Any, Judged], key: dict[str, Any]) -> None:
    """Refuse documents with grade 0, which is not relevant, in one group of an assessor and a larger one in another."""
    zero = {doc for judged in groups.values() for doc, grade in judged if grade == 0}
    both = [doc for judged in groups.values() for doc, grade in judged if grade > 0 and doc in zero]
    if both:
        raise InvalidValue(
            f"Preferences contradict each other ({_at(key)}): {both[0]!r} has grade 0 in one group and a larger one "
            "in another.",
            "Grade 0 means not relevant; give documents that are only less preferred a grade above 0.",
        )


def _bits(number: int) -> Iterator[int]:
    """The indexes of the bits that are set."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def _at(keys: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value!r}" for key, value in keys.items())
