"""Ranking on Polars: one pass over batches of rows whose groups are contiguous.

A run is long and its judgments are few, so the pass retains the requested rows (those with a partner, or all) and no
more than a batch of the others.  Runs are nearly always written query by query and best first: then the rank of a row
is its distance from the start of its group, and nothing is sorted (`order` sorts what is out of order).  Scattered
groups are gathered first, a part of the groups at a time.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import polars as pl

from ireval_frames.engines.base import SHOWN, Ranking
from ireval_frames.engines.polars.batches import batches
from ireval_frames.engines.polars.hashes import Hashes, HashSums
from ireval_frames.engines.polars.ranking import order, scattered_rows
from ireval_frames.engines.polars.ranking.grouped_rows import Grouping
from ireval_frames.engines.polars.ranking.ranked_rows import Ranked, RequestedRows, RuleBroken, check, ranked_rows
from ireval_frames.engines.polars.ranking.scattered_rows import WORKERS

BATCH_ROWS = 500_000
# A batch costs some milliseconds whatever its size, so frames in memory are cut into few slices, without copying.
SLICE_ROWS = 4_000_000
# The number of first rows that nearly always show whether groups are scattered.
SAMPLE_ROWS = 50_000
# Scattered groups are gathered in parts of about this many rows, which bounds the memory of the pass.
PART_ROWS = 12_000_000

# A batch of complete groups, and the positions where they begin, where known.
Batch = tuple[pl.DataFrame, pl.Series | None]


class Scattered(Exception):
    """The rows of a group are not contiguous."""


def rank(
    source: pl.DataFrame | pl.LazyFrame,
    ranking: Ranking,
    partner: pl.DataFrame | None,
    summed: HashSums | None = None,
    grouping: Grouping | None = None,
) -> Ranked:
    """Rank `source` within groups; return the rows that `partner` has too, or all rows if there is none.

    On request the hashes of all rows are summed as well, most of which ranking needs anyway; or the ranked rows are
    grouped as they come.

    Raises:
        IrevalError: the error of the first rule that a row breaks, or of duplicates.
    """
    requested = None if partner is None else RequestedRows(partner, ranking)
    try:
        ranked = _ranked(source, ranking, requested, summed, grouping)
    except RuleBroken as broken:
        raise broken.error(source) from None
    if ranked is None:
        schema = source.lazy().collect_schema()
        groups = pl.DataFrame(schema={k: schema[k] for k in ranking.keys} | {"n": pl.Int64})
        nothing = Ranked(pl.DataFrame(schema=dict(schema) | {"rank": pl.Int64}), groups, pl.DataFrame(schema=schema))
        return Ranked.all([nothing], grouping) or nothing
    if ranked.duplicates.height:
        raise ranking.duplicate(ranked.duplicates.sort(*ranking.keys, ranking.id).head(SHOWN), ranked.duplicates.height)
    return ranked


def _ranked(
    source: pl.DataFrame | pl.LazyFrame,
    ranking: Ranking,
    requested: RequestedRows | None,
    summed: HashSums | None,
    grouping: Grouping | None,
) -> Ranked | None:
    try:
        return _collected(_contiguous_batches(source, ranking), ranking, requested, summed, grouping)
    except Scattered:
        pass
    # Outside of the handler, since the exception refers to batches that nobody reads any more.
    return _of_scattered(source, ranking, requested, summed, grouping)


# ---- batches of complete groups


def _contiguous_batches(source: pl.DataFrame | pl.LazyFrame, ranking: Ranking) -> Iterator[Batch]:
    if isinstance(source, pl.DataFrame):
        return _slices(source, ranking)
    return _contiguous(batches(source, BATCH_ROWS), ranking)


def _slices(frame: pl.DataFrame, ranking: Ranking) -> Iterator[Batch]:
    """Slices of a frame in memory, without copying."""
    if frame.height > BATCH_ROWS:
        _refuse_scattered([frame[: min(SAMPLE_ROWS, BATCH_ROWS)]], ranking.keys)
    rows = min(SLICE_ROWS, max(BATCH_ROWS, -(-frame.height // WORKERS)))
    cuts = [0, *(_next_start(frame, row, ranking.keys) for row in range(rows, frame.height, rows)), frame.height]
    for begin, end in itertools.pairwise(dict.fromkeys(cuts)):
        yield frame[begin:end], None


def _next_start(frame: pl.DataFrame, row: int, keys: tuple[str, ...]) -> int:
    """The first row from `row` on at which a group begins."""
    length = 4096
    while True:
        starts = _starts(frame[row - 1 : row - 1 + length], keys)
        if starts.len() > 1:
            return row - 1 + int(starts[1])
        if row - 1 + length >= frame.height:
            return frame.height
        length *= 8


def _refuse_scattered(beginning: list[pl.DataFrame], keys: tuple[str, ...]) -> None:
    """Check the first rows, before more time is spent on groups that are not contiguous."""
    firsts = [frame.select(keys)[_starts(frame, keys)] for frame in beginning]
    groups = sum(first.height for first in firsts)
    if groups > len(firsts) and pl.concat(firsts).n_unique() <= groups - len(firsts):
        raise Scattered


def _contiguous(pieces: Iterator[pl.DataFrame], ranking: Ranking) -> Iterator[Batch]:
    """The batches cut between groups; scattered groups are found as early as possible."""
    pending: list[pl.DataFrame] = []
    beginning: list[pl.DataFrame] = []
    for batch in pieces:
        if batch.height == 0:
            continue
        if len(beginning) < 2:
            beginning.append(batch)
            _refuse_scattered(beginning, ranking.keys)
        starts = _starts(batch, ranking.keys)
        if pending and not _same_group(pending[-1], batch, ranking.keys):
            yield _joined(pending), _first_start(starts)
            pending = []
        last = int(starts[-1])
        if last > 0:
            before = sum(frame.height for frame in pending)
            yield _joined([*pending, batch[:last]]), _shifted(starts[:-1], before)
            pending = []
        pending.append(batch[last:])
    if pending:
        yield _joined(pending), _first_start(starts)


def _joined(frames: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(frames).rechunk() if len(frames) > 1 else frames[0]


def _first_start(starts: pl.Series) -> pl.Series:
    return pl.Series([0], dtype=starts.dtype)


def _shifted(starts: pl.Series, by: int) -> pl.Series:
    """The starts of a batch after `by` rows of its first group were prepended."""
    return starts if by == 0 else _first_start(starts).append(starts[1:] + by)


def _same_group(before: pl.DataFrame, after: pl.DataFrame, keys: tuple[str, ...]) -> bool:
    return before[-1:].select(keys).row(0) == after[:1].select(keys).row(0)


def _starts(batch: pl.DataFrame, keys: tuple[str, ...], hashes: Hashes | None = None) -> pl.Series:
    """Where the groups begin.

    Comparing hashes of the keys takes a tenth of the time of comparing text.  Adjacent groups with equal hashes look
    like one group that begins and ends with different keys; then the keys themselves are compared.
    """
    starts = _first_start(pl.Series(dtype=pl.UInt32)).append(_changes((hashes or Hashes(batch)).of(*keys)))[
        : batch.height
    ]
    if _one_key_each(batch, starts, keys):
        return starts
    changes = [pl.col(k).ne_missing(pl.col(k).shift()) for k in keys]
    first = pl.int_range(pl.len()) == 0
    return batch.select(pl.any_horizontal(first, *changes).arg_true()).to_series()


def _changes(values: pl.Series) -> pl.Series:
    """The positions where the value changes; a slice costs nothing, `shift` copies."""
    return (values.slice(1) != values.slice(0, max(0, values.len() - 1))).arg_true() + 1


def _one_key_each(batch: pl.DataFrame, starts: pl.Series, keys: tuple[str, ...]) -> bool:
    """Whether every group has the same keys at its end as at its start."""
    named = batch.select(keys)
    return named[starts].equals(named[order.ends(starts, batch.height) - 1])


# ---- ranks


def _collected(
    groups: Iterator[Batch],
    ranking: Ranking,
    requested: RequestedRows | None,
    summed: HashSums | None,
    grouping: Grouping | None,
) -> Ranked | None:
    parts = _in_threads(lambda batch: _ranked_batch(*batch, ranking, requested, summed), groups)
    ranked = Ranked.all(parts, grouping)
    if ranked is None:
        return None
    # A single column is checked in a hundredth of the time that several take.
    rows = ranked.groups
    one_is_unique = any(rows[key].n_unique() == rows.height for key in ranking.keys)
    if not one_is_unique and rows.select(ranking.keys).n_unique() < rows.height:
        raise Scattered
    return ranked


def _of_scattered(
    source: pl.DataFrame | pl.LazyFrame,
    ranking: Ranking,
    requested: RequestedRows | None,
    summed: HashSums | None,
    grouping: Grouping | None,
) -> Ranked | None:
    """A part of the groups at a time, gathered only where that is necessary."""

    def ranked(part: pl.DataFrame) -> Ranked:
        counted = None if requested is None else scattered_rows.ranked(part, ranking, requested.all)
        if counted is None:
            return _ranked_batch(scattered_rows.gathered(part, ranking), None, ranking, requested, summed)
        return counted if summed is None else replace(counted, sums=summed.of_rows(part.lazy()).collect())

    return Ranked.all(map(ranked, scattered_rows.parts(source, ranking, PART_ROWS)), grouping)


def _in_threads(function: Callable[[Batch], Ranked], groups: Iterator[Batch]) -> Iterator[Ranked]:
    """`function` of each batch, two batches at a time, since many of its steps use one core only."""
    first = list(itertools.islice(groups, 2))
    if len(first) < 2:
        # For a small table threads cost more than they save.
        yield from map(function, first)
        return
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        running: deque[Future[Ranked]] = deque()
        for batch in itertools.chain(first, groups):
            running.append(pool.submit(function, batch))
            if len(running) > WORKERS:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()


def _ranked_batch(
    batch: pl.DataFrame,
    known: pl.Series | None,
    ranking: Ranking,
    requested: RequestedRows | None,
    summed: HashSums | None,
) -> Ranked:
    check(batch, ranking)
    hashes = Hashes(batch)
    starts = _starts(batch, ranking.keys, hashes) if known is None else known
    sizes = order.ends(starts, batch.height) - starts
    groups = batch.select(ranking.keys)[starts].with_columns(sizes.cast(pl.Int64).alias("n"))
    duplicates = _duplicates(batch, hashes, starts, sizes, ranking) if ranking.unique else batch.clear()
    if requested is None:
        positions, rows = pl.int_range(0, batch.height, dtype=pl.UInt32, eager=True), batch
    else:
        positions = hashes.of(*ranking.on).is_in(requested.among(hashes, starts)).arg_true()
        rows = batch[positions]
    begins = starts.gather(starts.search_sorted(positions, side="right") - 1)
    targets, way = order.sorted_positions(batch, starts, ranking, positions)
    ranks = targets.cast(pl.Int64) - begins.cast(pl.Int64) + 1
    ranked = ranked_rows(rows, ranks, groups, duplicates, ranking, way)
    if summed is None:
        return ranked
    return replace(ranked, sums=summed.of_batch(batch, groups, starts, hashes))


def _duplicates(
    batch: pl.DataFrame, hashes: Hashes, starts: pl.Series, sizes: pl.Series, ranking: Ranking
) -> pl.DataFrame:
    """Rows whose id occurs twice in their group: hashes give candidates, the ids decide."""
    group = _group_ids(hashes.of(*ranking.keys), starts)
    distinct = (
        pl.DataFrame({"group": group, "hash": hashes.of(ranking.id)})
        .group_by("group", maintain_order=True)
        .agg(pl.col("hash").n_unique())["hash"]
    )
    if distinct.sum() == batch.height:
        return batch.clear()
    suspects = (distinct < sizes).arg_true()
    return batch.filter(group.is_in(suspects.implode())).filter(pl.struct(*ranking.keys, ranking.id).is_duplicated())


def _group_ids(keys: pl.Series, starts: pl.Series) -> pl.Series:
    """The number of each row's group, from 0, given the hashes of the keys."""
    ids = keys.rle_id()
    if ids[-1] != starts.len() - 1:
        ids = pl.zeros(keys.len(), dtype=pl.UInt32, eager=True).scatter(starts, 1).cum_sum() - 1
    return ids.set_sorted()
