"""Lists with documents to grade as arrays: a row per list, its documents beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

Array = np.ndarray[Any, np.dtype[Any]]

# The number of pairs of documents of one list that are in memory at once, over several lists.
PAIRS = 4_000_000


class Ends(NamedTuple):
    """Of each list the least and the largest value, NaN where there is none, and 1 where these are attained."""

    low: Array
    high: Array
    exact: Array


@dataclass(frozen=True, eq=False)
class Lists:
    """Several lists, or several pairs of lists of two systems.

    Attributes:
        grade: the grade of each document; NaN where it has no judgment, or there is no document.
        to_grade: whether a document gets a grade.
        ranks: of each system, the rank of each document; infinite where its list does not have it.
        grades, judged: the grades of the judgments, ascending, and how many documents of a query have each.
        more: how many documents outside of the list get a grade, too.
        levels: the grades that documents may get, ascending.
    """

    grade: Array
    to_grade: Array
    ranks: tuple[Array, ...]
    grades: Array
    judged: Array
    more: Array
    levels: Array

    @property
    def n_to_grade(self) -> Array:
        """How many documents of each list get a grade."""
        return np.asarray(self.to_grade.sum(axis=1))

    @property
    def sizes(self) -> tuple[Array, ...]:
        """The number of documents of the list of each system."""
        return tuple(np.isfinite(rank).sum(axis=1) for rank in self.ranks)

    def count(self, counted: Array) -> Array:
        """How many judged documents of each query have one of the grades that are marked."""
        return np.asarray(self.judged @ counted.astype(float))

    def condensed(self) -> Lists:
        """The lists without the documents that remain without a judgment."""
        listed = self.to_grade | (self.grade >= 0)
        ranks = tuple(_renumbered(np.where(listed, rank, np.inf)) for rank in self.ranks)
        return replace(self, ranks=ranks, to_grade=self.to_grade & listed)

    def of_system(self, system: int) -> Lists:
        """The lists of one system, its documents by rank; those that only the other list has are outside of it."""
        rank = self.ranks[system]
        order = np.argsort(rank, axis=1, kind="stable")
        rank = np.take_along_axis(rank, order, axis=1)
        to_grade = np.take_along_axis(self.to_grade, order, axis=1)
        inside = np.isfinite(rank)
        more = self.more + (to_grade & ~inside).sum(axis=1)
        last = int(inside.sum(axis=1).max(initial=0))
        grade = np.where(inside, np.take_along_axis(self.grade, order, axis=1), np.nan)
        ranks = (rank[:, :last],)
        return Lists(grade[:, :last], (to_grade & inside)[:, :last], ranks, self.grades, self.judged, more, self.levels)

    def places(self) -> tuple[Array, Array]:
        """Of each list, where the documents to grade are, in their order; and which of these places are any."""
        width = int(self.n_to_grade.max(initial=0))
        at = np.argsort(~self.to_grade, axis=1, kind="stable")[:, :width]
        return at, np.arange(width) < self.n_to_grade[:, None]

    def split(self) -> Iterator[Lists]:
        """A few lists at a time, so that a row and a column for each document of a list fit in memory."""
        n, width = self.grade.shape
        step = max(1, PAIRS // max(1, width * width))
        for first in range(0, n, step):
            yield self.rows(slice(first, first + step))

    def rows(self, rows: slice | Array) -> Lists:
        """Some of the lists."""
        return replace(
            self, grade=self.grade[rows], to_grade=self.to_grade[rows], ranks=tuple(r[rows] for r in self.ranks),
            judged=self.judged[rows], more=self.more[rows],
        )  # fmt: skip


def _renumbered(rank: Array) -> Array:
    """Ranks from 1 without gaps, in the same order."""
    order = np.argsort(rank, axis=1, kind="stable")
    numbers = np.empty_like(rank)
    np.put_along_axis(numbers, order, np.broadcast_to(np.arange(1.0, rank.shape[1] + 1), rank.shape), axis=1)
    return np.where(np.isfinite(rank), numbers, np.inf)


def lists_of(
    rows: pl.DataFrame, keys: Sequence[str], ranks: Sequence[str], grades: Sequence[float] | None, more: int
) -> Iterator[tuple[pl.DataFrame, Lists]]:
    """Lists of about one length at a time, with their keys.

    Args:
        rows: a row per document (`number` null) with its `ranks`, `relevance`, and `to_grade`, and a row per grade of
            the judgments with the `number` of documents that have it.
        keys: the columns that name a list.
        ranks: the columns of the ranks of each system.
        grades: the grades that documents may get; None is 0, 1, … and the column `top`.
        more: how many documents outside of each list get a grade.
    """
    tasks = rows.group_by(keys, maintain_order=True).agg(length=pl.col("number").is_null().sum()).sort("length", *keys)
    numbered = rows.join(tasks.select(*keys).with_row_index("task"), on=list(keys), nulls_equal=True)
    width = tasks["length"].to_numpy()
    first = 0
    while first < tasks.height:
        last = first + 1
        while last < tasks.height and (last + 1 - first) * int(width[last]) ** 2 <= PAIRS:
            last += 1
        some = numbered.filter(pl.col("task").is_between(first, last - 1))
        yield tasks[first:last].select(*keys), _arrays(some, last - first, first, ranks, grades, more)
        first = last


def _arrays(
    rows: pl.DataFrame, n: int, first: int, ranks: Sequence[str], grades: Sequence[float] | None, more: int
) -> Lists:
    rows = rows.with_columns(task=pl.col("task").cast(pl.Int64) - first)
    documents = rows.filter(pl.col("number").is_null()).sort("task", *ranks)
    judged = rows.filter(pl.col("number").is_not_null() & (pl.col("relevance") >= 0))
    task = documents["task"].to_numpy()
    lengths = np.bincount(task, minlength=n)
    place = np.arange(len(task)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    shape = (n, int(lengths.max(initial=0)))

    def filled(column: str, empty: Any) -> Array:
        out = np.full(shape, empty)
        out[task, place] = documents[column].fill_null(empty).to_numpy()
        return out

    values = judged["relevance"].unique().sort().to_numpy()
    counts = np.zeros((n, len(values)))
    np.add.at(
        counts,
        (judged["task"].to_numpy(), np.searchsorted(values, judged["relevance"].to_numpy())),
        judged["number"].to_numpy(),
    )
    levels = default_levels(rows.select(pl.col("top").max()).item()) if grades is None else grades
    return Lists(
        filled("relevance", np.nan), filled("to_grade", 0.0) > 0, tuple(filled(rank, np.inf) for rank in ranks),
        values, counts, np.full(n, more), np.array(levels, dtype=float),
    )  # fmt: skip


def default_levels(top: float) -> list[float]:
    """The grades 0, 1, … and the largest."""
    return [*map(float, range(int(np.ceil(top)))), top]


def gains(grade: Array, of_grades: Mapping[float, float], unjudged: float = 0.0, *, exponential: bool = False) -> Array:
    """The gain of documents of these grades; without a judgment (NaN) it is `unjudged`."""
    out = np.where(grade > 0, grade, 0.0)
    for value, gain in of_grades.items():
        out = np.where(grade == value, gain, out)
    out = np.where(np.isnan(grade), unjudged, out)
    return 2.0**out - 1.0 if exponential else out
