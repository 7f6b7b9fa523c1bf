"""Building the tables of a plan: the stages that a table is cut into, and the frame of each.

A table is one stage, unless its columns form a cycle with other tables: a sum of the rows that is brought back to the
rows, say.  Then each column has a rank, which counts how often its computation crosses from table to table within the
cycle, and a table is cut where another table of the cycle reads it; a stage reads only earlier stages.  To cut at every
rank that is read would do, but most of these cuts are not needed, since columns of one rank rarely need the earlier
stage of their own table: there are as few cuts as possible, so that few rows are computed twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from ireval_frames.engines.base import Engine, Part
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr
from ireval_frames.plan.tables import Link, Table

P = ParamSpec("P")
Result = TypeVar("Result")
Node = tuple[str, int]
Parts = dict[str, tuple[Table, dict[str, Link]]]


class Building:
    """The frames of a plan's tables, each built on first use."""

    def __init__(self, engine: Engine, tables: Iterable[Table]) -> None:
        self._engine, self._tables = engine, list(tables)
        self._cycles = cycles(self._tables)
        self._ranks: dict[tuple[str, str], int] = {}
        self._row_ranks: dict[str, int] = {}
        self._cuts: dict[str, list[int]] = {}
        self._in_progress: list[object] = []
        self._frames: dict[tuple[str, int], Frame] = {}
        self._readers = {t.name: 0 for t in self._tables}
        for table in self._tables:
            for name in sources(table).keys() - {table.name}:
                self._readers[name] = self._readers.get(name, 0) + 1

    @property
    def names(self) -> set[str]:
        """The tables that were built."""
        return {name for name, _ in self._frames}

    def frame(self, table: Table, upto: int | None = None) -> Frame:
        """The table with the columns of all ranks, or of those up to one."""
        bounds = self._bounds(table)
        last = len(bounds) - 1
        stage = last if upto is None else stage_of(bounds, upto)
        key = (table.name, stage)
        if key not in self._frames:
            stage_name = table.name if stage == last else f"{table.name}_part{stage + 1}"
            frame = self._guarded(key, table, self._build, table, bounds, stage)
            if table.compute_once or (table.finer and (self._readers[table.name] > 1 or stage < last)):
                # Grouping many rows into few is the work; several readers share it.
                frame = self._engine.shared(self._engine.compute_once(frame) if table.cached else frame)
            self._frames[key] = self._engine.stage(frame, stage_name)
        return self._frames[key]

    def with_columns(self, table: Table, columns: Iterable[str]) -> Frame:
        """The table with at least these columns, at the earliest stage that has them."""
        return self.frame(table, None if len(self._cycles[table.name]) == 1 else self._highest_rank(table, columns))

    def _guarded(
        self, key: object, table: Table, make: Callable[P, Result], *args: P.args, **kwargs: P.kwargs
    ) -> Result:
        if key in self._in_progress:
            raise RecursionError(f"Table {table.name} would be computed from itself.")
        self._in_progress.append(key)
        try:
            return make(*args, **kwargs)
        finally:
            self._in_progress.pop()

    # ---- one stage

    def _build(self, table: Table, bounds: Sequence[int], stage: int) -> Frame:
        links, columns = table.links, table.computed
        low = bounds[stage - 1] if stage else -1
        if len(bounds) > 1:
            links = {n: k for n, k in links.items() if low < self._rank(table, n) <= bounds[stage]}
            columns = {n: c for n, c in columns.items() if low < self._rank(table, n) <= bounds[stage]}
        aggregated, looked_up = _by_source(links)
        frame = self.frame(table, low) if stage else self._rows(table, aggregated)
        parts = [self._summed(table, source, part) for source, part in aggregated.values()]
        parts += [self._looked_up(source, part) for source, part in looked_up.values()]
        frame = self._engine.attach(frame, parts)
        layers: dict[int, dict[str, Expr]] = {}
        for name, (layer, expr) in columns.items():
            layers.setdefault(layer, {})[name] = expr
        for layer in sorted(layers):
            frame = frame.with_columns(**layers[layer])
        return frame

    def _rows(self, table: Table, aggregated: Parts) -> Frame:
        """The rows of a table; those of a grouped one with their aggregates of the rows it groups."""
        if table.finer is None:
            return table.origin.frame(
                lambda parent: self.frame(parent, self._upto(table, parent) if self._within(table, parent) else None)
            )
        _, links = aggregated.pop(table.finer.name, (table.finer, {}))
        return self._group(table, table.finer, links)

    def _group(self, table: Table, source: Table, links: Mapping[str, Link]) -> Frame:
        aggregates = [k.aggregate for k in links.values() if k.aggregate]
        reads = {c for a in aggregates for c in (*a.expr.columns, *([a.order] if a.order else []))}
        return self._engine.group(self.with_columns(source, (*reads, *table.keys)), table.keys, aggregates)

    def _summed(self, table: Table, source: Table, links: Mapping[str, Link]) -> Part:
        zero = [name for name, k in links.items() if k.aggregate and k.aggregate.how in ("sum", "count")]
        return Part(self._group(table, source, links), table.keys, tuple(zero))

    def _looked_up(self, source: Table, links: Mapping[str, Link]) -> Part:
        columns = {name: k.column for name, k in links.items()}
        frame = self.with_columns(source, columns.values())
        return Part(frame.select(*source.keys, **columns), source.keys)

    # ---- ranks

    def _bounds(self, table: Table) -> list[int]:
        """The last rank of each of a table's stages: those that another table of its cycle reads, and the last one."""
        if len(self._cycles[table.name]) == 1:
            return [0]
        if table.name not in self._cuts:
            cycle = [t for t in self._tables if self._within(table, t)]
            reads = list(dict.fromkeys(r for t in cycle for r in self._reads(t)))
            ranks = {t.name: {r.upto for r in reads if r.source == t.name} | {self._last(t)} for t in cycle}
            # The finest tables have the most rows.
            finest = sorted(cycle, key=lambda t: -len(t.keys))
            self._cuts |= cut({t.name: sorted(ranks[t.name]) for t in finest}, reads)
        return self._cuts[table.name]

    def _last(self, table: Table) -> int:
        return max([self._row_rank(table), *(self._rank(table, n) for n in table.links)])

    def _reads(self, table: Table) -> Iterator[Read]:
        """What a table reads from the others of its cycle."""
        for parent in table.origin.parents:
            if self._within(table, parent):
                yield Read(table.name, self._row_rank(table), parent.name, self._upto(table, parent))
        for name, link in table.links.items():
            if self._within(table, link.source):
                yield Read(table.name, self._rank(table, name), link.source.name, self._needed(table, link))

    def _within(self, table: Table, other: Table) -> bool:
        return other.name in self._cycles[table.name]

    def _rank(self, table: Table, column: str) -> int:
        """How often the computation of a column crosses from table to table of its cycle."""
        if len(self._cycles[table.name]) == 1:
            return 0
        key = (table.name, column)
        if key not in self._ranks:
            self._ranks[key] = self._guarded(("rank", *key), table, self._computed_rank, table, column)
        return self._ranks[key]

    def _computed_rank(self, table: Table, column: str) -> int:
        if column in table.computed:
            return max((self._rank(table, c) for c in table.computed[column][1].columns), default=0)
        if column not in table.links:
            return self._row_rank(table)
        link = table.links[column]
        if not self._within(table, link.source):
            return self._row_rank(table)
        return max(self._row_rank(table), self._needed(table, link) + 1)

    def _needed(self, table: Table, link: Link) -> int:
        """The rank of the columns that a link of a table reads."""
        if link.aggregate is None:
            return self._rank(link.source, link.column)
        reads = link.aggregate.expr.columns | ({link.aggregate.order} if link.aggregate.order else set())
        # Counting the rows of a table reads none of its columns.
        return self._highest_rank(link.source, (*reads, *table.keys))

    def _highest_rank(self, table: Table, columns: Iterable[str]) -> int:
        """The rank of the last of these columns; of no column, that of the rows."""
        return max((self._rank(table, c) for c in columns), default=self._row_rank(table))

    def _row_rank(self, table: Table) -> int:
        """The rank at which the rows of a table are there."""
        if table.name not in self._row_ranks:
            parents = [t for t in table.origin.parents if self._within(table, t)]
            ranks = self._guarded(("rows", table.name), table, lambda: [1 + self._upto(table, t) for t in parents])
            self._row_ranks[table.name] = max(ranks, default=0)
        return self._row_ranks[table.name]

    def _upto(self, table: Table, parent: Table) -> int:
        """The rank of the columns of a parent that the rows need."""
        reads = set(table.origin.reads) | (table.carried if parent in table.origin.carries else set())
        return self._highest_rank(parent, [c for c in reads | set(table.keys) if parent.has(c)])


def _by_source(links: Mapping[str, Link]) -> tuple[Parts, Parts]:
    """The links that aggregate, and those that look a value up, by the table they come from."""
    aggregated: Parts = {}
    looked_up: Parts = {}
    for name, link in links.items():
        parts = aggregated if link.aggregate else looked_up
        parts.setdefault(link.source.name, (link.source, {}))[1][name] = link
    return aggregated, looked_up


def sources(table: Table) -> dict[str, Table]:
    """The tables that a table is computed from, or looks columns up in, by name."""
    tables: dict[str, Table] = {}
    for source in table.origin.parents:
        tables[source.name] = source
    for link in table.links.values():
        tables[link.source.name] = link.source
    return tables


def cycles(tables: Iterable[Table]) -> dict[str, frozenset[str]]:
    """The tables that each table depends on and that depend on it, with itself (Tarjan's algorithm)."""
    components: dict[str, frozenset[str]] = {}
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(table: Table) -> None:
        name = table.name
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sources(table).values():
            if other.name not in index:
                visit(other)
                low[name] = min(low[name], low[other.name])
            elif other.name not in components:
                low[name] = min(low[name], index[other.name])
        if low[name] == index[name]:
            at = stack.index(name)
            cycle = frozenset(stack[at:])
            del stack[at:]
            components.update(dict.fromkeys(cycle, cycle))

    for table in tables:
        if table.name not in index:
            visit(table)
    return components


# ---- cuts


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
        ranks: the possible ones by table, ascending; the last one stays.  Tables that come first are cut least.
        reads: between the tables.
    """
    cuts = {table: list(some) for table, some in ranks.items()}
    for table, some in ranks.items():
        for rank in some[:-1]:
            fewer = {**cuts, table: [r for r in cuts[table] if r != rank]}
            if not _has_cycle(fewer, reads):
                cuts = fewer
    return cuts


def stage_of(cuts: Sequence[int], rank: int) -> int:
    """The first stage that has the columns of a rank."""
    return next((i for i, last in enumerate(cuts) if last >= rank), len(cuts) - 1)


def _has_cycle(cuts: Mapping[str, Sequence[int]], reads: Iterable[Read]) -> bool:
    """Whether a stage would be computed from itself."""
    needs: dict[Node, set[Node]] = {
        (t, i): {(t, i - 1)} if i else set() for t, c in cuts.items() for i in range(len(c))
    }
    for r in reads:
        reader = r.reader, stage_of(cuts[r.reader], r.at)
        needs[reader].add((r.source, stage_of(cuts[r.source], r.upto)))
    done: set[Node] = set()
    in_progress: set[Node] = set()

    def visit(node: Node) -> bool:
        if node in done:
            return False
        if node in in_progress:
            return True
        in_progress.add(node)
        if any(visit(other) for other in needs[node]):
            return True
        in_progress.discard(node)
        done.add(node)
        return False

    return any(visit(node) for node in needs)
