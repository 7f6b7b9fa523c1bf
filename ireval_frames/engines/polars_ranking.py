"""Ranking on Polars: one pass over batches of rows whose groups stand together.

A run is long and its judgments are few, so the pass keeps what is asked for (the rows with a partner, or all of them)
and never holds more than a batch of the rest.  Runs are nearly always written query by query and best first: then
the rank of a row is its distance from the start of its group, and nothing is sorted (`polars_order` mends the rest).
Tables whose groups are scattered are first brought together, a part of the groups at a time.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.engines import polars_order
from ireval_frames.engines.base import Ranking

BATCH_ROWS = 1_000_000
# A batch costs some milliseconds whatever its size, so frames in memory are cut into few slices: nothing of them is copied.
SLICE_ROWS = 4_000_000
WORKERS = 2
# Scattered groups are gathered in parts of about this many rows, which bounds the memory of the pass.
PART_ROWS = 12_000_000

# A batch of whole groups and the positions where they begin, where these are known.
Whole = tuple[pl.DataFrame, pl.Series | None]


class Scattered(Exception):
    """The rows of a group do not stand together."""


@dataclass
class Ranked:
    """The wanted rows with their `rank`, and a row per group with its number of rows `n`."""

    rows: pl.DataFrame
    groups: pl.DataFrame
    duplicates: pl.DataFrame


def rank(source: pl.DataFrame | pl.LazyFrame, ranking: Ranking, partner: pl.DataFrame | None) -> Ranked:
    """Rank `source` within groups; keep the rows that `partner` has too, or all rows without one.

    Raises:
        IrevalError: the error of the first rule that a row breaks, or of duplicates.
    """
    wanted = None
    if partner is not None:
        wanted = _hash(partner, ranking.on, ranking.id, partner[ranking.id].hash(seed=1)).unique().implode()
    try:
        together = (
            _slices(source, ranking)
            if isinstance(source, pl.DataFrame)
            else _contiguous(source.collect_batches(chunk_size=BATCH_ROWS, maintain_order=True), ranking)
        )
        ranked = _collected(together, ranking, wanted)
    except Scattered:
        ranked = _collected(_gathered(source, ranking), ranking, wanted)
    if ranked is None:
        schema = source.lazy().collect_schema()
        groups = pl.DataFrame(schema={k: schema[k] for k in ranking.keys} | {"n": pl.Int64})
        return Ranked(pl.DataFrame(schema=dict(schema) | {"rank": pl.Int64}), groups, pl.DataFrame(schema=schema))
    if ranked.duplicates.height:
        raise ranking.duplicate(ranked.duplicates.sort(*ranking.keys, ranking.id).head(10), ranked.duplicates.height)
    return ranked


# ---- batches of whole groups


def _slices(frame: pl.DataFrame, ranking: Ranking) -> Iterator[Whole]:
    """Slices of a frame in memory; nothing is copied."""
    _refuse_scattered([frame[:BATCH_ROWS]], ranking.keys)
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
    """Look at the beginning of the rows, before more is spent on groups that do not stand together."""
    firsts = [frame.select(keys)[_starts(frame, keys)] for frame in beginning]
    groups = sum(first.height for first in firsts)
    if groups > len(firsts) and pl.concat(firsts).n_unique() <= groups - len(firsts):
        raise Scattered


def _check(batch: pl.DataFrame, ranking: Ranking) -> None:
    """Raise the error of the first rule that a row of the batch breaks."""
    if not ranking.rules:
        return
    frame = nw.from_native(batch)
    broken = frame.select(**{f"rule{i}": rule.bad.any() for i, rule in enumerate(ranking.rules)}).row(0)
    for rule, found in zip(ranking.rules, broken, strict=True):
        if found:
            bad: pl.DataFrame = frame.filter(rule.bad).to_native()
            raise rule.error(bad.head(10), bad.height)


def _contiguous(batches: Iterator[pl.DataFrame], ranking: Ranking) -> Iterator[Whole]:
    """Batches cut anew; scattered groups are found as early as they show."""
    held: list[pl.DataFrame] = []
    beginning: list[pl.DataFrame] = []
    for batch in batches:
        if batch.height == 0:
            continue
        if len(beginning) < 2:
            beginning.append(batch)
            _refuse_scattered(beginning, ranking.keys)
        starts = _starts(batch, ranking.keys)
        if held and not _same_group(held[-1], batch, ranking.keys):
            yield _joined(held), _first_start(starts)
            held = []
        last = int(starts[-1])
        if last > 0:
            before = sum(frame.height for frame in held)
            yield _joined([*held, batch[:last]]), _shifted(starts[:-1], before)
            held = []
        held.append(batch[last:])
    if held:
        yield _joined(held), _first_start(starts)


def _joined(frames: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(frames).rechunk() if len(frames) > 1 else frames[0]


def _first_start(starts: pl.Series) -> pl.Series:
    return pl.Series([0], dtype=starts.dtype)


def _shifted(starts: pl.Series, by: int) -> pl.Series:
    """The starts of a batch after `by` rows of its first group were put in front of it."""
    return starts if by == 0 else _first_start(starts).append(starts[1:] + by)


def _same_group(before: pl.DataFrame, after: pl.DataFrame, keys: tuple[str, ...]) -> bool:
    return before[-1:].select(keys).row(0) == after[:1].select(keys).row(0)


def _gathered(source: pl.DataFrame | pl.LazyFrame, ranking: Ranking) -> Iterator[Whole]:
    """Scattered groups brought together, a part of the groups at a time."""
    lazy = source.lazy()
    rows = lazy.select(pl.len()).collect().item()
    parts = max(1, -(-rows // PART_ROWS))
    for part in range(parts):
        picked = lazy
        if parts > 1:
            picked = lazy.filter(pl.struct(ranking.keys).hash(seed=7) % parts == part)
        frame = picked.collect()
        if frame.height == 0:
            continue
        index = frame.lazy().select(ranking.keys).unique().with_row_index("_group").collect()
        group = frame.select(ranking.keys).join(index, on=ranking.keys, how="left", maintain_order="left")["_group"]
        whole = frame[group.arg_sort()]
        yield whole, None


def _starts(batch: pl.DataFrame, keys: tuple[str, ...]) -> pl.Series:
    """Where the groups begin."""
    changes = [pl.col(k) != pl.col(k).shift() for k in keys]
    change = changes[0] if len(changes) == 1 else pl.any_horizontal(changes)
    return batch.select(change.fill_null(value=True).arg_true()).to_series()


# ---- ranks


def _collected(batches: Iterator[Whole], ranking: Ranking, wanted: pl.Series | None) -> Ranked | None:
    rows, groups, duplicates = [], [], []
    for one in _mapped(lambda whole: _ranked_batch(*whole, ranking, wanted), batches):
        rows.append(one.rows)
        groups.append(one.groups)
        duplicates.append(one.duplicates)
    if not rows:
        return None
    found = pl.concat(groups)
    if found.select(ranking.keys).n_unique() < found.height:
        raise Scattered
    return Ranked(pl.concat(rows), found, pl.concat(duplicates))


def _mapped(function: Callable[[Whole], Ranked], batches: Iterator[Whole]) -> Iterator[Ranked]:
    """`function` of each batch, two batches at a time: many of its steps keep only one core busy."""
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        running: deque[Future[Ranked]] = deque()
        for batch in batches:
            running.append(pool.submit(function, batch))
            if len(running) > WORKERS:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()


def _ranked_batch(batch: pl.DataFrame, known: pl.Series | None, ranking: Ranking, wanted: pl.Series | None) -> Ranked:
    _check(batch, ranking)
    starts = _starts(batch, ranking.keys) if known is None else known
    sizes = starts.clone().append(pl.Series([batch.height], dtype=starts.dtype)).diff().slice(1)
    groups = batch.select(ranking.keys)[starts].with_columns(sizes.cast(pl.Int64).alias("n"))
    ids = batch[ranking.id].hash(seed=1)
    duplicates = _duplicates(batch, ids, starts, sizes, ranking) if ranking.unique else batch.clear()
    if wanted is None:
        positions, rows = pl.int_range(0, batch.height, dtype=pl.UInt32, eager=True), batch
    else:
        positions = _hash(batch, ranking.on, ranking.id, ids).is_in(wanted).arg_true()
        rows = batch[positions]
    begins = starts.gather(starts.search_sorted(positions, side="right") - 1)
    places = polars_order.places(batch, starts, ranking, positions)
    rows = rows.with_columns((places.cast(pl.Int64) - begins.cast(pl.Int64) + 1).alias("rank"))
    if ranking.depth is not None:
        rows = rows.filter(pl.col("rank") <= ranking.depth)
        groups = groups.with_columns(pl.col("n").clip(upper_bound=ranking.depth))
    return Ranked(rows, groups, duplicates)


def _hash(frame: pl.DataFrame, columns: tuple[str, ...], id: str, ids: pl.Series) -> pl.Series:
    """One number per combination of values, given the hashes of the ids; it picks candidates and never decides."""
    mixed = ids
    for seed, column in enumerate((c for c in columns if c != id), start=2):
        mixed = mixed ^ frame[column].hash(seed=seed)
    return mixed


def _duplicates(batch: pl.DataFrame, ids: pl.Series, starts: pl.Series, sizes: pl.Series, ranking: Ranking) -> pl.DataFrame:
    """Rows whose id stands twice in their group: hashes find the groups, the ids decide."""
    group = pl.zeros(batch.height, dtype=pl.UInt32, eager=True).scatter(starts, 1).cum_sum().set_sorted()
    different = pl.DataFrame({"group": group, "hash": ids}).group_by("group", maintain_order=True).agg(pl.col("hash").n_unique())["hash"]
    if different.sum() == batch.height:
        return batch.clear()
    suspects = (different < sizes).arg_true() + 1
    return batch.filter(group.is_in(suspects.implode())).filter(pl.struct(*ranking.keys, ranking.id).is_duplicated())
