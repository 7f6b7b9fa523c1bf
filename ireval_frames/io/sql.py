"""SELECTs that read files in DuckDB the way the readers do: the same columns, ids as text, nothing guessed."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from ireval_frames.columns.schema import QRELS, RUN
from ireval_frames.engines.inputs.parquet_files import ParquetFiles, Table
from ireval_frames.engines.quoting import quoted
from ireval_frames.engines.quoting import string as text
from ireval_frames.engines.sql.values import type_name
from ireval_frames.errors import EngineError
from ireval_frames.io import Description, scan_table
from ireval_frames.io.any_table import separated, table_file
from ireval_frames.io.collections.files import reader
from ireval_frames.io.storage.compression import Stream
from ireval_frames.io.storage.places import JSON
from ireval_frames.io.storage.source import File
from ireval_frames.io.text.delimited import padded
from ireval_frames.io.text.stream import BOM

Kind = Literal["run", "qrels", "queries"]

HEAD = 1 << 16
_PLAIN = {c.name for schema in (QRELS, RUN) for c in schema.columns}
_TYPES = {
    "score": "DOUBLE",
    "rank": "BIGINT",
    "relevance": "BIGINT",
    "subtopic_weight": "DOUBLE",
    "iprob": "DOUBLE",
}


def select(files: Sequence[Description], kind: Kind, *, rank: bool = False, second: str | None = None) -> str:
    """The SELECT that reads the described files.

    Args:
        files: their descriptions, by `io.describe`.
        kind: "run", "qrels" or "queries".
        rank: read a run's ranks beside its scores.
        second: "iteration" to read the second field of judgments; None leaves it out.

    Raises:
        EngineError: DuckDB cannot read such a file; the message says what to convert.
    """
    return "\nUNION ALL\n".join(_select(file, kind, rank=rank, second=second) for file in files)


def any_file(name: Any, path: Any) -> tuple[str, Mapping[str, Any]]:
    """The SELECT that reads a file of any columns, and these; `name` is not used."""
    del name
    return any_table(path, scan_table(path).collect_schema())


def any_table(path: str | os.PathLike[str], types: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The SELECT that reads a file with all its columns as `scan_table` does, and these.

    Raises:
        EngineError: DuckDB cannot read such a file; the message says what to convert.
    """
    located = table_file(path)
    _refuse_stored(located)
    if located.stored is not None and located.stored.parquet is not None:
        return f"SELECT * FROM {located.stored.parquet.sql(as_pattern=True)}", types
    file = located.path
    end, literal = file.suffix.lower(), text(glob.escape(os.fspath(path)))
    if end in (".arrow", ".feather", ".ipc"):
        raise EngineError(
            f"DuckDB reads no Arrow files, such as {file.name}.",
            f'Write it as Parquet: pl.read_ipc(path).write_parquet("{file.stem}.parquet")',
        )
    if end in (".parquet", ".pq"):
        return f"SELECT * FROM read_parquet({literal})", types
    with Stream(file, file.name) as stream:
        array = stream.read(HEAD).removeprefix(BOM).lstrip().startswith(b"[")
    if any(s.lower() in JSON for s in file.suffixes):
        columns = ", ".join(f"{text(c)}: {text(type_name(t))}" for c, t in types.items())
        form = "array" if array else "newline_delimited"
        return f"SELECT * FROM read_json({literal}, format='{form}', columns={{{columns}}})", types
    _, separator, _, skip = separated(located)
    columns = ", ".join(f"{text(c)}: 'VARCHAR'" for c in types)
    options = f"delim={_delimiter(separator)}, quote='\"', escape='\"', header=true, auto_detect=false"
    options += f", skip={skip - 1}" if skip > 1 else ""
    items = ", ".join(f"{c} AS {quoted(n)}" for n, c in _bare(file, separator, types).items()) or "*"
    return f"SELECT {items} FROM read_csv({literal}, {options},\n  columns={{{columns}}})", types


def tables(
    files: Sequence[Description], kind: Kind, *, rank: bool = False, second: str | None = None
) -> tuple[Table, ...] | None:
    """The described files as tables that engines read themselves; None if one is no local Parquet file."""
    out = []
    for file in files:
        source = _parquet(file)
        if source is None:
            return None
        required = _columns(file, kind, rank=rank, second=second)
        out.append(Table(source, required, _constants(file, kind, required)))
    return tuple(out)


def any_tables(path: str | os.PathLike[str]) -> tuple[Table, ...] | None:
    """The same for a table of any columns."""
    file = table_file(path)
    source = _parquet(file)
    return None if source is None else (Table(source, {c: c for c in source.types}),)


def _parquet(file: Description | File) -> ParquetFiles | None:
    if file.stored is not None:
        return file.stored.parquet
    is_one = file.path.suffix.lower() in (".parquet", ".pq") if isinstance(file, File) else file.format == "parquet"
    return ParquetFiles((str(file.path),)) if is_one and file.owner is None else None


def _refuse_stored(file: Description | File) -> None:
    """Refuse files that SQL text of DuckDB cannot read.

    Raises:
        EngineError: it is one, such as a file in a store.
    """
    if file.owner is not None or (file.stored is not None and file.stored.parquet is None):
        raise EngineError(
            f"SQL text cannot read {file.name}: credentials of stores are not written into it.",
            'Create a table or view of it in DuckDB, and name it: ir.evaluate(qrels, "run", "AP", con=con)',
        )


def _columns(file: Description, kind: Kind, *, rank: bool, second: str | None) -> dict[str, str]:
    """Our names of the columns to read, in order, and the file's names."""
    mapping = dict(file.mapping) or {c: c for c in file.columns}
    if kind == "queries":
        return {"query_id" if c == mapping["query_id"] else c: c for c in file.columns}
    return _columns_read(file, kind, mapping, rank=rank, second=second)


def _constants(file: Description, kind: Kind, required: Mapping[str, str]) -> dict[str, str]:
    return {"run_id": file.stem} if kind == "run" and "run_id" not in required else {}


def _select(file: Description, kind: Kind, *, rank: bool, second: str | None) -> str:
    _refuse_stored(file)
    if reader(file.format, kind) is not None or (kind == "queries" and not file.tabular):
        raise _only_read_here(file, kind)
    required = _columns(file, kind, rank=rank, second=second)
    constant = _constants(file, kind, required)
    source, columns = _source(file, required)
    parts = [f"{text(value)} AS {name}" for name, value in constant.items()]
    parts += [_named(columns[column], ours) for ours, column in required.items()]
    return f"SELECT {', '.join(parts)}\nFROM {source}"


def _named(column: str, name: str) -> str:
    if column == quoted(name):
        return name if name in _PLAIN else column
    return f"{column} AS {name if name in _PLAIN else quoted(name)}"


def _columns_read(
    file: Description, kind: Kind, mapping: Mapping[str, str], *, rank: bool, second: str | None
) -> dict[str, str]:
    """Our names of the columns to read, in order, and the file's names."""
    drop = {"iteration"} if kind == "qrels" and second is None else set()
    if kind == "run":
        drop |= set() if file.tabular else {"run_id"}
        drop |= {"rank"} if "score" in mapping and not rank else set()
    schema = QRELS if kind == "qrels" else RUN
    return {c.name: mapping[c.name] for c in schema.columns if c.name in mapping and c.name not in drop}


def _source(file: Description, required: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The FROM clause, and the expression of each of the file's columns."""
    types = {column: _TYPES.get(ours, "VARCHAR") for ours, column in required.items()}
    if file.format == "prefs":
        types["relevance"] = "DOUBLE"
    match file.format:
        case "parquet":
            source = ParquetFiles((str(file.path),)) if file.stored is None else file.stored.parquet
            return source.sql(as_pattern=True) if source is not None else "", {
                c: _typed(quoted(c), types.get(c, "VARCHAR")) for c in file.columns
            }
        case "arrow":
            hint = 'Write it as Parquet: pl.read_ipc(path).write_parquet("run.parquet")'
            raise EngineError(f"DuckDB reads no Arrow files, such as {file.name}.", hint)
        case "jsonl":
            return _json(file, types)
        case "json" | "letor" | "quepid" | "ntcir" | "cranfield" | "smart" | "top1000":
            raise _only_read_here(file)
        case "ranklib" if "relevance" in required:
            raise _only_read_here(file)
        case "pairs" if "relevance" not in required:
            raise _only_read_here(file)
    _refuse_compression(file)
    if file.separator not in (None, " "):
        bare = _bare(file.path, file.separator, [c for c in file.columns if types.get(c, "VARCHAR") == "VARCHAR"])
        return _csv(file, types, file.separator, '"'), {c: quoted(c) for c in file.columns} | bare
    separator = None if file.header else _regular(file)
    if separator is not None:
        return _csv(file, types, separator, ""), {c: quoted(c) for c in file.columns}
    return _lines(file), {
        c: _typed(f"f[{i}]", types[c]) if c in types else f"f[{i}]" for i, c in enumerate(file.columns, 1)
    }


def _only_read_here(file: Description, kind: Kind = "qrels") -> EngineError:
    written = 'ir.io.write_qrels(ir.read_qrels(path), "qrels.parquet")'
    if kind == "queries":
        written = 'ir.io.write_table(ir.io.read_queries(path), "queries.parquet")'
    return EngineError(f"SQL text cannot read {file.name}, which is {file.format}.", f"Write it as Parquet: {written}")


def _refuse_compression(file: Description) -> None:
    if file.compression in ("bz2", "xz"):
        raise EngineError(
            f"DuckDB reads no {file.compression} files, such as {file.name}.",
            "Compress it with gzip or zstd, or not at all.",
        )


def _typed(column: str, dtype: str) -> str:
    """The column, cast to its type; ids retain their own."""
    return column if dtype == "VARCHAR" else f"CAST({column} AS {dtype})"


def _csv(file: Description, types: Mapping[str, str], separator: str, quote: str) -> str:
    columns = ", ".join(f"{text(c)}: '{types.get(c, 'VARCHAR')}'" for c in file.columns)
    options = f"delim={_delimiter(separator)}, quote='{quote}', escape='{quote}', header=false, auto_detect=false"
    return f"read_csv({_path(file)}, {options}{_skip(file)}{_compression(file)},\n  columns={{{columns}}})"


def _delimiter(separator: str) -> str:
    return "'\\t'" if separator == "\t" else text(separator)


def _bare(path: Path, separator: str, columns: Iterable[str]) -> dict[str, str]:
    """The columns of text without blanks around them, if the beginning of the file has such blanks; else none."""
    with Stream(path, path.name) as stream:
        head = stream.read(HEAD).replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
    if not padded(head.partition(b"\n")[2], separator.encode()):
        return {}
    blanks = "' ' || chr(9)" if separator != "\t" else "' '"
    return {c: f"nullif(trim({quoted(c)}, {blanks}), '')" for c in columns}


def _lines(file: Description) -> str:
    """Each line split at runs of blanks and tabs, without blank lines and comments; bad lines are errors."""
    n = len(file.columns)
    options = "delim=chr(1), quote='', escape='', header=false, auto_detect=false, strict_mode=false"
    trimmed = "trim(line, ' ' || chr(9) || chr(13))"
    wrong = text(f"a line of {file.path} has not {n} fields")
    parts = [
        f"(SELECT string_split_regex({trimmed}, '[ \\t]+') AS f",
        f"  FROM read_csv({_path(file)}, {options}{_skip(file)}{_compression(file)}, columns={{'line': 'VARCHAR'}})",
        f"  WHERE {trimmed} <> '' AND NOT starts_with({trimmed}, '#'))",
        f"WHERE CASE WHEN len(f) = {n} THEN true ELSE error({wrong}) END",
    ]
    return "\n".join(parts)


def _json(file: Description, types: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    _refuse_compression(file)
    columns = ", ".join(f"{text(c)}: '{t}'" for c, t in types.items())
    return f"read_json({_path(file)}, format='newline_delimited'{_compression(file)}, columns={{{columns}}})", {
        c: quoted(c) for c in types
    }


def _skip(file: Description) -> str:
    return f", skip={file.skip}" if file.skip else ""


def _compression(file: Description) -> str:
    return f", compression='{file.compression}'" if file.compression else ""


def _path(file: Description) -> str:
    """The user's path; brackets and stars in it are no pattern."""
    return text(glob.escape(str(file.path)))


def _regular(file: Description) -> str | None:
    """The single separator between all fields, by the beginning of the file; None if lines have several in a row."""
    with Stream(file.path, file.name) as stream:
        head = stream.read(HEAD)
    lines = head.removeprefix(BOM).split(b"\n")
    lines = lines[:-1] if len(head) == HEAD or not lines[-1] else lines
    for separator in (" ", "\t"):
        if all(_fits(line, separator.encode(), len(file.columns)) for line in lines):
            return separator
    return None


def _fits(line: bytes, separator: bytes, n: int) -> bool:
    fields = line.split(separator)
    return len(fields) == n and line.split() == fields and not line.startswith(b"#")
