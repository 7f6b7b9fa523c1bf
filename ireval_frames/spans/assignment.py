"""The matching of spans that overlap several others: the step in Python.

Spans that are connected by common positions are matched together: so that the sum of their intersections over unions is
largest, then the number of pairs of one type, then that of all pairs; then the first gold span, by its place and type,
has the first predicted one that it can have.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any

import polars as pl

from ireval_frames.engines.base import Function
from ireval_frames.kernels.assignment import optimal

# Up to this number of spans on the smaller side sums are compared exactly, and ties are broken by order.
EXACT = 40
# So much more count a pair of one type, and any pair, where sums are floats.
ONE_TYPE, ONE_PAIR = 1e-7, 1e-10

# The numbers of a gold and of a predicted span, their common positions, those of either, and whether types are equal.
Edge = tuple[int, int, int, int, bool]
Cell = tuple[int, int]


@functools.cache
def best_pairs(keys: tuple[str, ...], span: tuple[str, ...]) -> Function:
    """A function from pairs of overlapping spans to those that are matched.

    Args:
        keys: the columns of documents.
        span: the columns of a span in its document.
    """
    gold, predicted = (*keys, *span), (*keys, *(f"predicted_{c}" for c in span))
    columns = tuple(dict.fromkeys((*gold, *predicted)))

    def assignment(pairs: pl.DataFrame) -> pl.DataFrame:
        """The best matching of spans that overlap several others."""
        # Numbers in the order of places and types, so that the order of rows has no effect.
        for name, side in (("gold", gold), ("predicted", predicted)):
            numbers = pairs.select(side).unique().sort(side).with_row_index(name)
            pairs = pairs.join(numbers, on=side, nulls_equal=True)
        edges: list[Edge] = pairs.select(
            "gold",
            "predicted",
            pl.col("shared", "union").cast(pl.Int64),
            same=pl.col("type").eq_missing(pl.col("predicted_type")),
        ).rows()
        matched = [number for component in components(edges) for number in solve(edges, component)]
        return pairs[matched].select(*columns, "iou")

    return assignment


def components(edges: Sequence[Edge]) -> list[list[int]]:
    """The edges that are connected by common spans, by their numbers."""
    parents: dict[Any, Any] = {}

    def root(node: Any) -> Any:
        while (parent := parents.setdefault(node, node)) != node:
            parents[node] = node = parents[parent]
        return node

    for g, p, *_ in edges:
        parents[root((0, g))] = root((1, p))
    members: dict[Any, list[int]] = {}
    for number, (g, *_) in enumerate(edges):
        members.setdefault(root((0, g)), []).append(number)
    return list(members.values())


def solve(edges: Sequence[Edge], component: Sequence[int]) -> list[int]:
    """The matched edges of a component."""
    golds, predictions = (sorted({edges[e][side] for e in component}) for side in (0, 1))
    row, column = ({node: i for i, node in enumerate(nodes)} for nodes in (golds, predictions))
    cells = {(row[edges[e][0]], column[edges[e][1]]): e for e in component}
    of_cells, n, m = {cell: edges[e] for cell, e in cells.items()}, len(golds), len(predictions)
    exact = min(n, m) <= EXACT
    pairs = _hungarian(_exact_weights(of_cells, n, m), n, m) if exact else _in_floats(of_cells)
    return [cells[cell] for cell in pairs if cell in cells]


def _exact_weights(cells: Mapping[Cell, Edge], n: int, m: int) -> dict[Cell, int]:
    """Integers whose sums order matchings: by intersections over unions, types, pairs, and the order of spans."""
    unit = math.lcm(*(union for *_, union, _ in cells.values()))
    pairs, ties = min(n, m) + 1, (m + 1) ** n
    return {
        (i, j): ((shared * (unit // union) * pairs + same) * pairs + 1) * ties + (m - j) * (m + 1) ** (n - 1 - i)
        for (i, j), (_, _, shared, union, same) in cells.items()
    }


def _hungarian(weights: Mapping[Cell, int], n: int, m: int) -> list[Cell]:
    """The assignment of the largest sum, in integers of any size."""
    if n > m:
        turned = _hungarian({(j, i): w for (i, j), w in weights.items()}, m, n)
        return [(i, j) for j, i in turned]
    # Potentials of rows and columns, and the row that each column is assigned to; 0 is none.
    of_row, of_column, row_of = [0] * (n + 1), [0] * (m + 1), [0] * (m + 1)
    for i in range(1, n + 1):
        row_of[0], current = i, 0
        slack: list[int | None] = [None] * (m + 1)
        before, used = [0] * (m + 1), [False] * (m + 1)
        while row_of[current]:
            used[current] = True
            row, following = row_of[current], 0
            least: int | None = None
            for j in range(1, m + 1):
                if used[j]:
                    continue
                reduced = -weights.get((row - 1, j - 1), 0) - of_row[row] - of_column[j]
                known = slack[j]
                if known is None or reduced < known:
                    slack[j] = known = reduced
                    before[j] = current
                if least is None or known < least:
                    least, following = known, j
            step = least or 0
            for j in range(m + 1):
                if used[j]:
                    of_row[row_of[j]] += step
                    of_column[j] -= step
                elif (known := slack[j]) is not None:
                    slack[j] = known - step
            current = following
        while current:
            row_of[current] = row_of[before[current]]
            current = before[current]
    return [(row_of[j] - 1, j - 1) for j in range(1, m + 1) if row_of[j]]


def _in_floats(cells: Mapping[Cell, Edge]) -> list[Cell]:
    """The assignment of the largest sum of intersections over unions, and a little for types and pairs, in floats."""
    import numpy as np

    rows, columns = np.array(list(cells)).T
    worth = [shared / union + ONE_TYPE * same + ONE_PAIR for _, _, shared, union, same in cells.values()]
    return list(compress(cells, optimal(rows, columns, np.array(worth))))
