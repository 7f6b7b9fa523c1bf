"""Files of values per query, written by trec_eval, ir_measures, ranx or pytrec_eval, as one table."""

from __future__ import annotations

import os
from collections.abc import Iterable

import polars as pl

from ireval_frames import catalog, io
from ireval_frames.comparison.values.foreign import MEASURE, UNIT, VALUE, foreign
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter, MalformedFile, MissingColumn, ReadingWarning, listed, warn
from ireval_frames.io.storage.places import Options
from ireval_frames.io.storage.source import Source, files

RUN_ID = "run_id"


def read_values(source: Source, *, family: str = "ranking", storage_options: Options | None = None) -> pl.DataFrame:
    """Values per query as other tools wrote them, as the table that `ir.compare` reads.

    Read are the outputs of `trec_eval -q` and of `ir_measures --by_query`, JSON of values by measure and query (ranx)
    or by query and measure (pytrec_eval), and tables with the columns query_id, measure and value.  Each file is a
    system with its name (`bm25.txt` is `bm25`), unless a table has a column run_id.

    Args:
        source: a path, a pattern, or a list of these.
        family: that of the measures, by which queries and measures are recognised where a file may have both orders.
        storage_options: options of the stores of remote paths.

    Returns:
        run_id, query_id, measure (String), value (Float64).

    Raises:
        FileError: a file is missing, empty, or not text.
        MalformedFile: a line or value is malformed, or there are means only.
        MissingColumn: a table lacks a column.
        InvalidParameter: two files have the same name.

    Example:
        >>> import pathlib, tempfile, ireval_frames as ir
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> for name, value in (("a", 0.25), ("b", 0.75)):
        ...     rows = [("map", f"q{i}", f"{value + i / 8}") for i in range(2)]
        ...     _ = (folder / f"{name}.txt").write_text(chr(10).join(map(chr(9).join, rows)))
        >>> values = ir.comparison.read_values(folder / "*.txt")
        >>> ir.compare(values).table().select("baseline", "system", "n", "difference").rows()
        [('a', 'b', 2, 0.5)]
    """
    frames: list[pl.DataFrame] = []
    named: dict[str, str] = {}
    for file in files(source, storage_options):
        parsed = foreign(file.path, family)
        frame = _of_table(os.fspath(file.path)) if parsed is None else parsed.rows
        if RUN_ID not in frame.columns:
            if file.stem in named:
                raise InvalidParameter(
                    f"{named[file.stem]} and {file.name} would both be called {file.stem!r}.", "Rename a file."
                )
            named[file.stem] = file.name
            frame = frame.with_columns(pl.lit(file.stem, pl.String).alias(RUN_ID))
        frames.append(frame.select(RUN_ID, UNIT, MEASURE, VALUE))
    return pl.concat(frames)


def _of_table(path: str) -> pl.DataFrame:
    """A table that names its columns.

    Raises:
        MissingColumn: it is no table of values.
        MalformedFile: a value is no number.
    """
    frame = io.scan_table(path).collect()
    columns: dict[str, str] = {}
    for ours, others in ((UNIT, ("qid", "q_id")), (MEASURE, ("metric",)), (VALUE, ()), (RUN_ID, ("run", "name"))):
        name = next((c for c in (ours, *others) if c in frame.columns), None)
        if name is None and ours != RUN_ID:
            raise MissingColumn(
                f"{path} has no column {ours!r} (it has: {listed(frame.columns, 20)}).",
                "It may be the output of trec_eval -q, or a table of query_id, measure and value.",
            )
        columns |= {} if name is None else {ours: name}
    text = {c: pl.col(name).cast(pl.String).alias(c) for c, name in columns.items() if c != VALUE}
    value = pl.col(columns[VALUE])
    try:
        numbers = frame.select(value.cast(pl.Float64, strict=False).alias(VALUE))
    except pl.exceptions.PolarsError:
        numbers = frame.select(pl.lit(None, pl.Float64).alias(VALUE))
    wrong = frame.filter(numbers[VALUE].is_null() & frame[columns[VALUE]].is_not_null())
    if wrong.height:
        raise MalformedFile(
            f"{path} has {wrong[columns[VALUE]][0]!r} among its values, and {wrong.height} of its {frame.height} rows "
            f"have no number in the column {columns[VALUE]!r}.",
            "Write a number, or nothing where a value is undefined.",
        )
    return frame.select(*text.values(), numbers[VALUE])


def select_measures(
    values: pl.DataFrame, measures: Iterable[str], family: str = "ranking"
) -> tuple[pl.DataFrame, list[str]]:
    """The values of the requested measures, and those of the measures of which less is better.

    Without any, those of which more or less is better, or that are not known; others, such as trec_eval's num_rel, are
    left out with a warning.

    Raises:
        InvalidParameter: there are no values of a measure.
    """
    names = values[MEASURE].unique(maintain_order=True).to_list()
    better = {name: _better(name, family) for name in names}
    by_measure = {_measure(name, family): name for name in reversed(names)}
    selected = list(dict.fromkeys(m if m in names else by_measure.get(_measure(m, family), m) for m in measures))
    if lacking := [m for m in selected if m not in names]:
        raise InvalidParameter(f"There are no values of {lacking[0]!r}.", f"There are those of {listed(names, 20)}.")
    if not selected:
        selected = [name for name in names if better[name] is not None]
        if left_out := [name for name in names if name not in selected]:
            message = (
                f"{listed(left_out)}: neither more nor less of it is better, so it is left out unless it is named."
            )
            warn(message, ReadingWarning)
    lower_is_better = [name for name in selected if better[name] is False]
    return values.filter(pl.col(MEASURE).is_in(selected)), lower_is_better


def _measure(name: str, family: str) -> Measure | str:
    """The measure that a name means, whatever its spelling; the name where it means none of ours."""
    try:
        (measure,) = catalog.parse_all(name, family)
    except ValueError:
        return name
    return measure


def _better(name: str, family: str) -> bool | None:
    """Whether more is better: None where neither is; of a name that is not known, more."""
    measure = _measure(name, family)
    return True if isinstance(measure, str) else measure.definition.higher_is_better
