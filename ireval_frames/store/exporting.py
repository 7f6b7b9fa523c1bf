"""A store as one DuckDB file, or its values as a table."""

from __future__ import annotations

import json
import shlex
from contextlib import suppress
from pathlib import Path

import polars as pl

from ireval_frames import io
from ireval_frames.engines.duckdb.errors import engine_error
from ireval_frames.engines.quoting import quoted, string
from ireval_frames.errors import FileError, InvalidParameter
from ireval_frames.io.storage.atomic import destination
from ireval_frames.io.storage.places import as_text, is_text
from ireval_frames.io.writing.tables import is_table_name
from ireval_frames.store import frames
from ireval_frames.store.folder.files import Listing, check_files
from ireval_frames.store.tables import TABLES
from ireval_frames.store.views import connect, create_macros

COLUMNS = ("collection", "run_id", "groups", "measure", "value", "status", "evaluation_id")


def export(listing: Listing, path: Path, collection: str | None = None) -> Path:
    """Write the store as one DuckDB file, with its views and macros; or the last values of its runs as a table.

    Raises:
        FileError: the file exists, or the disk refuses.
        InvalidParameter: a DuckDB file cannot be of one collection.
        UnknownName: there is no such collection.
    """
    target = destination(path)
    if not is_text(target):
        raise FileError(f"{as_text(str(path))} cannot be written: the name is no text (UTF-8).", "Name another file.")
    if target.exists():
        raise FileError(f"{path} is there already.", f"Name another file, or remove it: rm {shlex.quote(str(path))}")
    if is_table_name(path):
        frames.check_names(listing, "collection", None if collection is None else [collection])
        io.write_table(_values(listing, collection), path)
    elif collection is not None:
        raise InvalidParameter("A DuckDB file holds all collections.", "Leave collection= out, or write values.csv.")
    else:
        _database(listing, path, target)
    return path


def _values(listing: Listing, collection: str | None) -> pl.LazyFrame:
    """The last values; the column of units has the name that all evaluations give it, if there is one."""
    rows = frames.values(listing, None, None, collection, counts=False)
    names = listing.rows("evaluations").select(pl.col("unit_columns").unique()).collect()["unit_columns"].to_list()
    unit = json.loads(names[0]) if len(names) == 1 else []
    return rows.rename({"unit_id": unit[0]}) if len(unit) == 1 and unit[0] not in COLUMNS else rows


def _database(listing: Listing, path: Path, target: Path) -> None:
    import duckdb

    temporary = target.with_name(f".{target.name}.tmp")
    try:
        temporary.unlink(missing_ok=True)
        with connect(listing, external=True) as con:
            con.execute(f"ATTACH {string(str(temporary))} AS sent (STORAGE_VERSION 'v1.5.0')")
            for name, table in TABLES.items():
                con.execute(f"CREATE TABLE sent.{quoted(name)} AS FROM memory.{quoted(name)}")
                con.execute(f"COMMENT ON TABLE sent.{quoted(name)} IS {string(table.description)}")
                for column, (_, description) in table.columns.items():
                    con.execute(f"COMMENT ON COLUMN sent.{quoted(name)}.{quoted(column)} IS {string(description)}")
            con.execute("USE sent")
            create_macros(con)
            con.execute("USE memory")
            con.execute("DETACH sent")
        temporary.replace(target)
    except (duckdb.IOException, OSError) as error:
        check_files(listing)
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0].partition(": ")[2]
        raise FileError(f"{path} cannot be written: {reason}.") from error
    except duckdb.Error as error:
        raise engine_error(error) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
