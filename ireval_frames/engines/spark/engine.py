"""Spark: the plan becomes one statement of the caller's session, and its results are frames of that session."""

from __future__ import annotations

import functools
import itertools
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from ireval_frames.engines.base import Function, Ranking
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.file_errors import ReadPath, blame_file, in_memory
from ireval_frames.engines.inputs.frames import (
    SPARK_TO_PICKLE,
    Read,
    check_names,
    checked_frame,
    is_path,
    is_spark_frame,
    may_name_table,
    names_files,
    polars_frame,
)
from ireval_frames.engines.quoting import identifier
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.engines.spark import files as spark_files
from ireval_frames.engines.spark.checkpoints import checkpoint, free, owning
from ireval_frames.engines.spark.errors import engine_error, failures
from ireval_frames.engines.spark.expressions import SparkDialect, row_hash
from ireval_frames.engines.spark.jvm import same_session
from ireval_frames.engines.spark.ranking import SparkRanked
from ireval_frames.engines.spark.statement import Checkpoint, PythonStep, cuts, in_groups, spark_statement
from ireval_frames.engines.spark.values import (
    by_bytes,
    create_frame,
    name,
    standard,
    type_name,
    types_of,
    with_spark_types,
)
from ireval_frames.engines.sql.engine import StatementEngine, sql_frame
from ireval_frames.engines.sql.frame import SQLFrame
from ireval_frames.engines.sql.statement import Step, required_steps
from ireval_frames.errors import EngineError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_numbers = itertools.count()


class SparkEngine(StatementEngine):
    """Plans as one statement of a session; nothing stays cached or registered in it."""

    name = "spark"
    dialect = SparkDialect

    def __init__(self, session: SparkSession) -> None:
        self.session = session
        self._tables: weakref.WeakValueDictionary[str, Callable[[], DataFrame]] = weakref.WeakValueDictionary()
        self._materialised: dict[str, DataFrame] = {}
        self._files: dict[str, ReadPath] = {}

    @classmethod
    def open(cls, first: Any, con: Any) -> SparkEngine:
        """In this session, that of a frame, or the active one."""
        if con is None and is_spark_frame(first):
            return cls(first.sparkSession)
        return cls(_active() if con is None else con)

    def __reduce__(self) -> Any:
        """Refused: a session belongs to its process.

        Raises:
            EngineError: always.
        """
        raise EngineError("A Spark session cannot be pickled.", SPARK_TO_PICKLE)

    # ---- tables

    def open_table(self, table: Any, name: str, read: Read) -> Frame:
        """Frames of Spark and tables of the session stay where they are; other frames and files are read into it."""
        if self.names_table(table):
            with self.errors():
                table = self.session.table(table)
        if is_spark_frame(table):
            if not same_session(table.sparkSession, self.session):
                raise EngineError(
                    f"The {name} table is a frame of another Spark session.",
                    "Make all frames in one session.",
                )
            with self.errors():
                columns = tuple(table.columns)
                check_names(columns, name, "Spark")
                rows = by_bytes(table)
                return self._frame(lambda: rows, columns, types_of(table))
        if names_files(table):
            # Errors in files are reported as on every engine.
            scanned, files = read(table), read.tables(table)
            self._files[str(table)] = table, read
            if files is not None and spark_files.readable(files):
                types = dict(files[0].types)
                check_names(tuple(types), name, "Spark")
                return self._frame(lambda: spark_files.rows(self.session, files), tuple(types), types)
            return self.from_polars(checked_frame(in_memory(scanned, table, name, read), name, "Spark"))
        return self.from_polars(checked_frame(polars_frame(table, name, read), name, "Spark"))

    def names_table(self, table: Any) -> bool:
        """Whether it is the name of a table of the session, rather than a path."""
        if not isinstance(table, str):
            return False
        return not is_path(table) or (may_name_table(table) and self.session.catalog.tableExists(table))

    def session_table(self, table: Any) -> tuple[str, Mapping[str, Any]] | None:
        """Tables of the session, and its frames."""
        if self.names_table(table):
            with self.errors():
                return standard(table), types_of(self.session.table(table))
        return ("", types_of(table)) if is_spark_frame(table) else None

    def from_polars(self, frame: pl.DataFrame) -> SQLFrame:
        """A Polars frame, through Arrow."""
        rows = with_spark_types(frame)
        return self._frame(lambda: create_frame(self.session, rows), tuple(frame.columns), rows.schema)

    def _frame(self, create: Callable[[], DataFrame], columns: Sequence[str], types: Mapping[str, Any]) -> SQLFrame:
        """A frame of the session under a name that only our statements use, created on first use."""
        table = f"ireval_frames_table_{next(_numbers)}"
        self._tables[table] = owner = functools.cache(create)
        return SQLFrame(self, Step((), tuple(columns), table, external=True, types=dict(types), owner=owner))

    def materialise(self, frame: Frame) -> SQLFrame:
        """Stored in the executors' memory or on their disks, until `close`."""
        step = sql_frame(frame).as_step()
        with self.errors(), self._run(step) as rows:
            stored = rows.localCheckpoint()
        out = self._frame(lambda: stored, step.columns, types_of(stored))
        self._materialised[out.as_step().name] = stored
        return out

    def release(self, frame: Frame) -> None:
        """Free it, if it is ours."""
        stored = self._materialised.pop(sql_frame(frame).as_step().name, None)
        if stored is not None:
            free([stored])

    def close(self) -> None:
        """Free what was materialised."""
        while self._materialised:
            free([self._materialised.popitem()[1]])

    # ---- rows and groups

    def rank(self, frame: Frame, ranking: Ranking, partner: Frame | None) -> RankedRows:
        """Few judged rows by counting the better ones; else `row_number()` over the groups."""
        return SparkRanked(self, sql_frame(frame), ranking, partner)

    def set_ids(self, frame: Frame, keys: Sequence[str], of: str, name: str) -> Frame:
        """The values in order, each after its length."""
        text = f"CAST({identifier(of)} AS STRING)"
        part = f"octet_length({text}) || ':' || {text}"
        rows = SQLFrame(self, sql_frame(frame.select(*keys, of)).as_step())
        return rows.grouped(keys, {name: f"array_join(array_sort(collect_set({part})), '')"})

    def apply(
        self, frame: Frame, function: Function, by: Sequence[str], keys: Sequence[str], adds: Mapping[str, Any]
    ) -> Frame:
        """The executors run it, group by group."""
        rows = sql_frame(frame)
        types = {k: rows.dtype(k) for k in keys} | dict(adds)
        schema = ", ".join(f"{name(c)} {type_name(t)}" for c, t in types.items())

        def run(frames: Sequence[DataFrame], _: Checkpoint) -> DataFrame:
            return in_groups(frames[0], function, by, schema)

        step = rows.as_step()
        return SQLFrame(self, PythonStep((step,), tuple(types), types=types, of=(step,), run=run))

    def hash_sums(self, frame: Frame, by: Sequence[str], columns: Sequence[str]) -> tuple[str, pl.DataFrame]:
        """Spark's hash of 64 bits."""
        rows = SQLFrame(self, sql_frame(frame.select(*by, *columns)).as_step())
        total = f"CAST(sum(CAST({row_hash(rows, columns)} AS DECIMAL(38, 0))) AS STRING)"
        sums = self.collect(rows.grouped(by, {"n_rows": "count(*)", "total": total}))
        return f"spark-{'.'.join(self.session.version.split('.')[:2])}", sums

    # ---- running

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Errors of Spark and its clients become ours."""
        try:
            yield
        except failures() as error:
            raise blame_file(engine_error(error, self.session), list(self._files.values())) from error

    def collect(self, frame: Frame) -> pl.DataFrame:
        """Run the statement.

        Raises:
            EngineError: Spark failed, or the session has ended.
        """
        with self.errors(), self._run(sql_frame(frame).as_step()) as rows:
            return pl.DataFrame(pl.from_arrow(rows.toArrow()))

    def text(self, frame: Frame) -> str:
        """The statement of a frame."""
        return spark_statement(sql_frame(frame).as_step(), {})

    def describe(self, step: Step) -> Mapping[str, Any]:
        """The types of a step's columns; nothing runs."""
        with self.errors():
            empty = {id(s): self._empty(s) for s in required_steps(step) if isinstance(s, PythonStep)}
            return types_of(self._frame_of(step, empty, []))

    def _empty(self, step: Step) -> DataFrame:
        columns = ", ".join(f"{name(c)} {type_name(step.types[c])}" for c in step.columns)
        return self.session.createDataFrame([], columns)

    def relation(self, step: Step) -> DataFrame:
        """The step as a frame of the session; its checkpoints are freed with the frame."""
        with self.errors():
            rows, checkpoints = self._planned(step)
        return owning(rows, checkpoints) if checkpoints else rows

    def _planned(self, step: Step) -> tuple[DataFrame, list[DataFrame]]:
        """The step as a frame, and its checkpoints."""
        frames: dict[int, DataFrame] = {}
        checkpoints: list[DataFrame] = []
        try:
            for cut in cuts(step):
                frame = self._frame_of(cut.step, frames, checkpoints)
                frames[id(cut.step)] = checkpoint(frame, checkpoints) if cut.checkpoint else frame
        except BaseException:
            free(checkpoints)
            raise
        return frames[id(step)], checkpoints

    @contextmanager
    def _run(self, step: Step) -> Iterator[DataFrame]:
        """A context with the step as a frame that is read once."""
        rows, checkpoints = self._planned(step)
        try:
            yield rows
        finally:
            free(checkpoints)

    def _frame_of(self, step: Step, frames: Mapping[int, DataFrame], checkpoints: list[DataFrame]) -> DataFrame:
        """A step as a frame over the frames of others; adds its own checkpoints."""
        if id(step) in frames:
            return frames[id(step)]
        if step.external:
            return self._tables[step.name]()
        if isinstance(step, PythonStep):
            parents = [self._frame_of(parent, frames, checkpoints) for parent in step.of]
            if (result := step.run(parents, lambda frame: checkpoint(frame, checkpoints))) is not None:
                return cast("DataFrame", result)
            step = Step(step.body, step.columns)
        names = {id(s): s.name for s in required_steps(step) if s.external}
        tables: dict[str, Any] = {n: self._tables[n]() for n in names.values()}
        for i, (one, frame) in enumerate(frames.items()):
            names[one] = f"ireval_frames_step_{i}"
            tables[names[one]] = frame
        # Spark parses a statement that begins with WITH twice.
        text = f"({spark_statement(step, names)})"
        return self.session.sql(text, **{n: f for n, f in tables.items() if f"{{{n}}}" in text})


def _active() -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise EngineError("PySpark is not installed.", 'pip install "ireval-frames[spark]"') from error
    session = SparkSession.getActiveSession()
    if session is None:
        raise EngineError("There is no session of Spark.", "Pass one: con=SparkSession.builder.getOrCreate()")
    return session
