"""The lists of one query as arrays, and what became of its documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass
class QueryLists:
    """The ranked lists of a query, one of each run, and its documents: numbers in the order of their ids.

    Attributes:
        list_of: the list of each row; rows stand by list and rank.
        rank: the rank of each row.
        document: the document of each row.
        priority: a number of each list, drawn from the seed, that decides between equal ones: the smallest comes first.
        grade: of each document; NaN if it is not judged.
        order: the place of each document among those that were handed out, from 1; 0 for others.
        chosen: the list that each of these was taken from; −1 for others.
    """

    list_of: Integers
    rank: Integers
    document: Integers
    priority: Floats
    grade: Floats
    order: Integers
    chosen: Integers

    def __post_init__(self) -> None:
        lists = np.arange(len(self.priority))
        self._next = np.searchsorted(self.list_of, lists)
        self._end = np.searchsorted(self.list_of, lists, side="right")

    @property
    def handed_out(self) -> int:
        """How many documents were handed out."""
        return int(self.order.max())

    @property
    def taken(self) -> NDArray[np.bool_]:
        """Whether a document is judged, or was handed out."""
        return (self.order > 0) | ~np.isnan(self.grade)

    def first_left(self) -> Integers:
        """The best document of each list that is not taken; −1 where none is left."""
        taken = self.taken
        while True:
            more = self._next < self._end
            document = np.where(more, self.document[np.minimum(self._next, len(self.document) - 1)], -1)
            passed = more & taken[document]
            if not passed.any():
                return document
            self._next += passed

    def hand_out(self, document: int, of: int) -> None:
        """Hand out a document of a list."""
        self.order[document], self.chosen[document] = self.handed_out + 1, of
