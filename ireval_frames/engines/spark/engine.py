"""Spark: the plan becomes one statement of the caller's session, and its results are frames of that session."""

from __future__ import annotations

import functools
import itertools
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from ireval_frames.engines.base import Aggregate, Function, RankedRows, Ranking
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.file_errors import Given, blame_file, in_memory
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
from ireval_frames.engines.spark import files as spark_files
from ireval_frames.engines.spark import hashes
from ireval_frames.engines.spark.checkpoints import holding, keep, let_go
from ireval_frames.engines.spark.errors import engine_error, failures
from ireval_frames.engines.spark.expressions import spark_sql_text
from ireval_frames.engines.spark.jvm import same_session
from ireval_frames.engines.spark.python_steps import in_groups
from ireval_frames.engines.spark.ranking import SparkRanked
from ireval_frames.engines.spark.statement import Keep, MadeStep, cuts, spark_statement
from ireval_frames.engines.spark.values import by_bytes, created, handed, name, standard, type_name, types_of
from ireval_frames.engines.sql.engine import StatementEngine, of_statement
from ireval_frames.engines.sql.frame import DuckDBFrame
from ireval_frames.engines.sql.lists import spark_each, spark_places
from ireval_frames.engines.sql.statement import Step, needed
from ireval_frames.engines.sql.values import Text, ValueKind, number
from ireval_frames.errors import Argument, EngineError, Hint, NotDefined
from ireval_frames.expr import Expr, col

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_AGGREGATES = {
    "sum": "coalesce(sum({0}), 0e0)",
    "plain_sum": "coalesce(sum({0}), 0e0)",
    "count": "CAST(count(*) AS DOUBLE)",
    "present": "CAST(count({0}) AS DOUBLE)",
    "mean": "avg({0})",
    "max": "max({0})",
    "min": "min({0})",
    "any": "any_value({0}, TRUE)",
    "quantile": "percentile({0}, {1})",
    "variance": "var_samp({0})",
}
# Terms in their order, one after another.
_IN_ORDER = (
    "aggregate(array_sort(collect_list(CASE WHEN {0} IS NOT NULL THEN named_struct('o', {1}, 't', CAST({0} AS DOUBLE))"
    " END)), 0e0, (s, x) -> s + x.t)"
)
_numbers = itertools.count()


class SparkEngine(StatementEngine):
    """Plans as one statement of a session; nothing stays cached or registered in it."""

    name = "spark"
    each, places = staticmethod(spark_each), staticmethod(spark_places)

    def __init__(self, session: SparkSession) -> None:
        self.session = session
        self._given: weakref.WeakValueDictionary[str, Callable[[], DataFrame]] = weakref.WeakValueDictionary()
        self._made: dict[str, DataFrame] = {}
        self._files: dict[str, Given] = {}

    @classmethod
    def open(cls, first: Any, con: Any) -> SparkEngine:
        """In this session, that of a frame, or the active one."""
        if con is None and is_spark_frame(first):
            return cls(first.sparkSession)
        return cls(_active() if con is None else con)

    def __reduce__(self) -> Any:
        """Refused: a session is of its process.

        Raises:
            EngineError: always.
        """
        raise EngineError("A Spark session cannot be pickled.", SPARK_TO_PICKLE)

    # ---- tables

    def open_table(self, given: Any, name: str, read: Read) -> Frame:
        """Frames of Spark and tables of the session stay where they are; other frames and files are read into it."""
        if self.names_table(given):
            with self.errors():
                given = self.session.table(given)
        if is_spark_frame(given):
            if not same_session(given.sparkSession, self.session):
                raise EngineError(
                    f"The {name} table is a frame of another Spark session.",
                    "Make all frames in one session.",
                )
            with self.errors():
                columns = tuple(given.columns)
                check_names(columns, name, "Spark")
                rows = by_bytes(given)
                return self._frame(lambda: rows, columns, types_of(given))
        if names_files(given):
            # What is wrong with them is told as on every engine.
            scanned, tables = read(given), read.tables(given)
            self._files[str(given)] = given, read
            if tables is not None and spark_files.readable(tables):
                check_names(tuple(tables[0].types), name, "Spark")
                known = dict(tables[0].types)
                return self._frame(lambda: spark_files.rows(self.session, tables), tuple(known), known)
            return self.from_polars(checked_frame(in_memory(scanned, given, name, read), name, "Spark"))
        return self.from_polars(checked_frame(polars_frame(given, name, read), name, "Spark"))

    def names_table(self, given: Any) -> bool:
        """Whether it is the name of a table of the session, rather than a path."""
        if not isinstance(given, str):
            return False
        return not is_path(given) or (may_name_table(given) and self.session.catalog.tableExists(given))

    def session_table(self, given: Any) -> tuple[str, Mapping[str, Any]] | None:
        """Tables of the session, and its frames."""
        if self.names_table(given):
            with self.errors():
                return standard(given), types_of(self.session.table(given))
        return ("", types_of(given)) if is_spark_frame(given) else None

    def from_polars(self, frame: pl.DataFrame) -> DuckDBFrame:
        """A Polars frame, through Arrow."""
        rows = handed(frame)
        known = dict(rows.schema)
        return self._frame(lambda: created(self.session, rows), tuple(frame.columns), known)

    def _frame(self, made: Callable[[], DataFrame], columns: Sequence[str], types: Mapping[str, Any]) -> DuckDBFrame:
        table = f"ireval_frames_given_{next(_numbers)}"
        self._given[table] = owner = functools.cache(made)
        return DuckDBFrame(self, Step((), tuple(columns), table, external=True, types=dict(types), owner=owner))

    def materialise(self, frame: Frame) -> DuckDBFrame:
        """Kept in the executors' memory or on their disks, until `close`."""
        step = of_statement(frame).settled()
        with self.errors(), self._run(step) as rows:
            made = rows.localCheckpoint()
        out = self._frame(lambda: made, step.columns, types_of(made))
        self._made[out.settled().name] = made
        return out

    def release(self, frame: Frame) -> None:
        """Free it, if it is one of ours."""
        made = self._made.pop(of_statement(frame).settled().name, None)
        if made is not None:
            let_go([made])

    def close(self) -> None:
        """Free what was materialised."""
        while self._made:
            let_go([self._made.popitem()[1]])

    # ---- words

    def worded(
        self, expr: Expr, columns: Mapping[str, str], kinds: Callable[[str], ValueKind], *, beside: bool = False
    ) -> Text:
        """An expression in Spark's words."""
        return spark_sql_text(expr, columns, kinds, beside=beside)

    def aggregated(self, a: Aggregate, frame: DuckDBFrame) -> str:
        """An aggregate in Spark's words."""
        if a.how == "count":
            return _AGGREGATES["count"]
        text = frame.text_of(a.expr)
        if a.how == "sum" and a.order:
            return _IN_ORDER.format(text, frame.text_of(col(a.order)))
        return _AGGREGATES[a.how].format(text, number(a.at))

    # ---- rows and groups

    def rank(self, frame: Frame, ranking: Ranking, partner: Frame | None) -> RankedRows:
        """Judged rows by a count of the better ones, if they are few; else `row_number()` over the groups."""
        return SparkRanked(self, of_statement(frame), ranking, partner)

    def set_ids(self, frame: Frame, keys: Sequence[str], of: str, name: str) -> Frame:
        """The values in order, each after its length."""
        text = f"CAST({identifier(of)} AS STRING)"
        part = f"octet_length({text}) || ':' || {text}"
        rows = DuckDBFrame(self, of_statement(frame.select(*keys, of)).settled())
        return rows.grouped(keys, {name: f"array_join(array_sort(collect_set({part})), '')"})

    def expand_range(self, frame: Frame, low: str, high: str, key: str) -> Frame:
        """Integer ranges, exploded."""
        rows = of_statement(frame.filter(col(low) <= col(high)))
        made = rows.with_text({key: f"explode(sequence({identifier(low)}, {identifier(high)}))"})
        return DuckDBFrame(self, made.settled())

    def number(self, frame: Frame, name: str) -> Frame:
        """Refused: rows of Spark may come in another order every time.

        Raises:
            NotDefined: always.
        """
        raise NotDefined(
            "The rows of a Spark frame have no order, so they need an id.",
            Hint("Name the column: ", Argument("item", "id")),
        )

    def hashed(self, frame: Frame, column: str, seed: int, name: str) -> Frame:
        """MD5 is Spark's own."""
        return of_statement(frame).with_text({name: hashes.portable(column, seed)})

    def apply(
        self, frame: Frame, function: Function, by: Sequence[str], keys: Sequence[str], adds: Mapping[str, Any]
    ) -> Frame:
        """The executors run it, group by group."""
        rows = of_statement(frame)
        known = {k: rows.dtype(k) for k in keys} | dict(adds)
        schema = ", ".join(f"{name(c)} {type_name(t)}" for c, t in known.items())

        def run(frames: Sequence[DataFrame], _: Keep) -> DataFrame:
            return in_groups(frames[0], function, by, schema)

        step = rows.settled()
        return DuckDBFrame(self, MadeStep((step,), tuple(known), types=known, of=(step,), run=run))

    def hash_sums(self, frame: Frame, by: Sequence[str], columns: Sequence[str]) -> tuple[str, pl.DataFrame]:
        """Spark's hash of 64 bits."""
        chosen = of_statement(frame.select(*by, *columns))
        rows = DuckDBFrame(self, chosen.settled())
        total = f"CAST(sum(CAST({hashes.of_rows(rows, columns)} AS DECIMAL(38, 0))) AS STRING)"
        found = self.collect(rows.grouped(by, {"n_rows": "count(*)", "total": total}))
        return f"spark-{'.'.join(self.session.version.split('.')[:2])}", found

    # ---- running

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Errors of Spark, and of what speaks to it, become ours."""
        try:
            yield
        except failures() as error:
            raise blame_file(engine_error(error, self.session), list(self._files.values())) from error

    def collect(self, frame: Frame) -> pl.DataFrame:
        """Run the statement.

        Raises:
            EngineError: Spark failed, or the session has ended.
        """
        with self.errors(), self._run(of_statement(frame).settled()) as rows:
            return pl.DataFrame(pl.from_arrow(rows.toArrow()))

    def numbers(self, frame: Frame) -> dict[str, Any]:
        """The one row."""
        return self.collect(frame).row(0, named=True)

    def text(self, frame: Frame) -> str:
        """The statement of a frame."""
        step = of_statement(frame).settled()
        return spark_statement(step, {})

    def describe(self, step: Step) -> Mapping[str, Any]:
        """The types of a step's columns; nothing runs."""
        with self.errors():
            empty = {id(s): self._empty(s) for s in needed(step) if isinstance(s, MadeStep)}
            return types_of(self._asked(step, empty, []))

    def _empty(self, step: Step) -> DataFrame:
        columns = ", ".join(f"{name(c)} {type_name(step.types[c])}" for c in step.columns)
        return self.session.createDataFrame([], columns)

    def relation(self, step: Step) -> DataFrame:
        """The step as a frame of the session; what several parts of it read is made now, and freed with the frame."""
        with self.errors():
            rows, kept = self._planned(step)
        return holding(rows, kept) if kept else rows

    def _planned(self, step: Step) -> tuple[DataFrame, list[DataFrame]]:
        """The step as a frame, and those whose rows are kept for it."""
        made: dict[int, DataFrame] = {}
        kept: list[DataFrame] = []
        try:
            for cut in cuts(step):
                frame = self._asked(cut.step, made, kept)
                if cut.kept:
                    frame = keep(frame, kept)
                made[id(cut.step)] = frame
        except BaseException:
            let_go(kept)
            raise
        return made[id(step)], kept

    @contextmanager
    def _run(self, step: Step) -> Iterator[DataFrame]:
        """The step as a frame that is read inside, once."""
        rows, kept = self._planned(step)
        try:
            yield rows
        finally:
            let_go(kept)

    def _asked(self, step: Step, made: Mapping[int, DataFrame], kept: list[DataFrame]) -> DataFrame:
        """A step as a frame over those that were made; what is kept besides is added to `kept`."""
        if id(step) in made:
            return made[id(step)]
        if step.external:
            return self._given[step.name]()
        if isinstance(step, MadeStep):
            frames = [self._asked(parent, made, kept) for parent in step.of]
            if (found := step.run(frames, lambda frame: keep(frame, kept))) is not None:
                return cast("DataFrame", found)
            step = Step(step.body, step.columns)
        names = {id(s): s.name for s in needed(step) if s.external}
        tables: dict[str, Any] = {n: self._given[n]() for n in names.values()}
        for i, (one, frame) in enumerate(made.items()):
            names[one] = f"ireval_frames_kept_{i}"
            tables[names[one]] = frame
        # Spark's parser reads a statement that begins with WITH to its end to learn what it is, and then again.
        text = f"({spark_statement(step, names)})"
        return self.session.sql(text, **{n: f for n, f in tables.items() if f"{{{n}}}" in text})


def _active() -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise EngineError("PySpark is not installed.", 'pip install "ireval-frames[spark]"') from error
    session = SparkSession.getActiveSession()
    if session is None:
        raise EngineError("There is no session of Spark.", "Hand one in: con=SparkSession.builder.getOrCreate()")
    return session
