"""Where the tables of a circle are cut into stages: as seldom as they can be, so that few rows are made twice.

Ranks tell an order in which all columns can be made.  A cut at every rank that is read would do; most of them are not
needed, since what is made at one rank rarely needs what the table had before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Node = tuple[str, int]


@dataclass(frozen=True)
class Read:
    """A table's columns of a rank read those of another one, of a rank or of earlier ones."""

    reader: str
    at: int
    source: str
    upto: int


def cut(ranks: Mapping[str, Sequence[int]], reads: Sequence[Read]) -> dict[str, list[int]]:
    """The last rank of each stage, by table.

    Args:
        ranks: what they may be, by table, rising; the last one stays.  Tables that come first are cut least.
        reads: between the tables.
    """
    cuts = {table: list(some) for table, some in ranks.items()}
    for table, some in ranks.items():
        for rank in some[:-1]:
            fewer = {**cuts, table: [r for r in cuts[table] if r != rank]}
            if not _goes_round(fewer, reads):
                cuts = fewer
    return cuts


def stage_of(cuts: Sequence[int], rank: int) -> int:
    """The first stage that has the columns of a rank."""
    return next((i for i, last in enumerate(cuts) if last >= rank), len(cuts) - 1)


def _goes_round(cuts: Mapping[str, Sequence[int]], reads: Iterable[Read]) -> bool:
    """Whether a stage would be made from itself."""
    needs: dict[Node, set[Node]] = {
        (t, i): {(t, i - 1)} if i else set() for t, c in cuts.items() for i in range(len(c))
    }
    for r in reads:
        reader = r.reader, stage_of(cuts[r.reader], r.at)
        needs[reader].add((r.source, stage_of(cuts[r.source], r.upto)))
    done: set[Node] = set()
    under_way: set[Node] = set()

    def visit(node: Node) -> bool:
        if node in done:
            return False
        if node in under_way:
            return True
        under_way.add(node)
        if any(visit(other) for other in needs[node]):
            return True
        under_way.discard(node)
        done.add(node)
        return False

    return any(visit(node) for node in needs)
