"""Writing runs, judgments and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, cast

import polars as pl

from ireval_frames.columns.schema import QRELS, RUN, Schema, missing, resolve
from ireval_frames.errors import (
    Argument,
    Code,
    EngineError,
    Hint,
    InvalidParameter,
    InvalidValue,
    ReadingWarning,
    listed,
    warn,
)
from ireval_frames.io.run_header import commented
from ireval_frames.io.storage.atomic import replacing
from ireval_frames.io.storage.compression import SUFFIXES
from ireval_frames.io.storage.failures import ENGINE_ERRORS, cause, unwrap
from ireval_frames.io.storage.source import stem
from ireval_frames.io.tables import refuse_confused
from ireval_frames.io.text.headers import choice

Tabular = Literal["csv", "tsv", "parquet", "arrow", "jsonl"]
Frame = pl.DataFrame | pl.LazyFrame

_TABULAR: dict[str, Tabular] = {
    ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow",
    ".ipc": "arrow", ".jsonl": "jsonl", ".ndjson": "jsonl",
}  # fmt: skip
# The layouts of lines of judgments, and their fields.
JudgmentLayout = Literal["trec", "msmarco", "prefs", "prels", "sampled", "passages", "beir"]
_JUDGMENTS: dict[str, tuple[str, ...]] = {
    "trec": ("query_id", "iteration", "doc_id", "relevance"),
    "msmarco": ("query_id", "iteration", "doc_id", "relevance"),
    "prefs": ("query_id", "assessor_id", "subgroup_id", "doc_id", "relevance"),
    "prels": ("query_id", "doc_id", "relevance", "method", "iprob"),
    "sampled": ("query_id", "iteration", "doc_id", "stratum", "relevance"),
    "passages": ("query_id", "doc_id", "start", "length", "relevance"),
    "beir": ("query_id", "doc_id", "relevance"),
}
_NUMBERS = ("relevance", "iprob", "start", "length")
_NAMES = ("auto", "csv", "tsv", "parquet", "arrow", "jsonl")


def write_run(
    frame: Frame,
    path: str | Path,
    *,
    format: Tabular | Literal["auto", "trec", "msmarco"] = "auto",
    tag: str | None = None,
    metadata: str | Mapping[str, Any] | None = None,
) -> None:
    """Write a run.

    A TREC file is sorted by run, query, then score and document descending, with ranks from 1; its scores read back as
    the same numbers.  MS MARCO files (query, document, rank) are sorted likewise, or by rank when there are no scores.
    Tables are written as they are.

    Args:
        frame: query_id, doc_id, score (or rank), and run_id when there are several runs.
        path: the file; .gz, .bz2, .xz and .zst compress, and the suffix before decides the
            format (TREC by default).
        format: "trec", "msmarco", "csv", "tsv", "parquet", "arrow" or "jsonl".
        tag: the sixth TREC field; without it run_id, and without that the name of the file.
        metadata: the run's ir_metadata, as YAML or a mapping, for the header of a TREC file.

    Raises:
        MissingColumn: a column is missing.
        InvalidParameter: the metadata cannot be written, or the format cannot have them.
        InvalidValue: TREC text cannot have an id with blanks, an empty id, a null, or a score that is not finite.
        FileError: the file cannot be written; an existing one stays as it was.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "bm25.run")
        >>> write_run(pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [1.0, 2.5]}), path)
        >>> path.read_text().splitlines()
        ['q1 Q0 b 1 2.5 bm25', 'q1 Q0 a 2 1.0 bm25']
    """
    path = Path(path)
    choice("format", format, ["trec", "msmarco", *_NAMES], _as("trec"))
    chosen = _TABULAR.get(_inner_suffix(path), "trec") if format == "auto" else format
    if metadata is not None and chosen != "trec":
        raise InvalidParameter(f"The format {chosen} cannot have metadata.", 'Write format="trec".')
    head = "" if metadata is None else commented(metadata)
    if chosen not in ("trec", "msmarco"):
        return write_table(frame, path, cast(Tabular, chosen))
    table = _canonical(frame, RUN)
    if "score" not in table.columns and (chosen == "trec" or "rank" not in table.columns):
        raise missing(RUN, "score", table.columns)
    if tag is not None or "run_id" not in table.columns:
        table = table.with_columns(pl.lit(stem(path) if tag is None else tag).alias("run_id"))
    _check_ids(table, ["run_id", "query_id", "doc_id"])
    _check_numbers(table, "score" if "score" in table.columns else "rank")
    if "score" in table.columns:
        refuse_confused(table["score"])
        table = table.with_columns(pl.col("score").cast(pl.Float64))
        table = table.sort(["run_id", "query_id", "score", "doc_id"], descending=[False, False, True, True])
    else:
        table = table.sort(["run_id", "query_id", "rank", "doc_id"])
    ranks = pl.int_range(1, pl.len() + 1).over("run_id", "query_id").alias("rank")
    if chosen == "msmarco":
        return _lines(table.select("query_id", "doc_id", ranks), path, "\t")
    return _lines(table.select("query_id", pl.lit("Q0"), "doc_id", ranks, "score", "run_id"), path, " ", head=head)


def write_qrels(frame: Frame, path: str | Path, *, format: Tabular | JudgmentLayout | Literal["auto"] = "auto") -> None:
    """Write judgments in the order of the frame.

    Args:
        frame: query_id, doc_id, relevance, and further columns of judgments.
        path: the file; .gz, .bz2, .xz and .zst compress, and the suffix before decides the format; without one it is
            that of the text below which has the columns: "prefs" for subgroup_id, "prels" for method and iprob,
            "sampled" for stratum, else "trec".
        format: "trec" (subtopic_id or assessor_id is the second field, which is 0 otherwise), "msmarco" (TREC with
            tabs), "prefs", "prels", "sampled", "passages", "beir", "csv", "tsv", "parquet", "arrow" or "jsonl".

    Columns that the format has no field for are not written, with a ReadingWarning that names them.

    Raises:
        MissingColumn: a column is missing.
        InvalidValue: the text cannot have an id with blanks, an empty id, a null, or a grade that is not finite.
        FileError: the file cannot be written; an existing one stays as it was.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "qrels.txt")
        >>> write_qrels(pl.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "relevance": [2]}), path)
        >>> path.read_text().splitlines()
        ['q1 0 a 2']
    """
    path = Path(path)
    choice("format", format, [*_JUDGMENTS, *_NAMES], _as("trec"))
    chosen = _TABULAR.get(_inner_suffix(path)) if format == "auto" else format
    if chosen is not None and chosen not in _JUDGMENTS:
        return write_table(frame, path, cast(Tabular, chosen))
    table = _canonical(frame, QRELS, ("start", "length"))
    chosen = chosen or _layout_with(table.columns)
    names = _JUDGMENTS[chosen]
    if chosen in ("trec", "msmarco"):
        second = next((c for c in ("subtopic_id", "assessor_id", "iteration") if c in table.columns), "iteration")
        names = ("query_id", second, "doc_id", "relevance")
    if "iteration" in names and "iteration" not in table.columns:
        table = table.with_columns(iteration=pl.lit("0"))
    if absent := [name for name in names if name not in table.columns]:
        raise missing(QRELS, absent[0], table.columns)
    left_out = [name for name in table.columns if name not in names and name != "iteration"]
    if keys := [name for name in left_out if name in QRELS.key]:
        raise InvalidParameter(
            f"The {chosen} format has no field for {listed(keys)}.",
            'Write a table, which holds all columns: ir.io.write_qrels(frame, "qrels.parquet")',
        )
    if left_out:
        are = "are" if len(left_out) > 1 else "is"
        text = f"{path.name}: the {chosen} format has no field for {listed(left_out)}, which {are} not written."
        warn(f'{text} A table holds all columns: ir.io.write_qrels(frame, "qrels.parquet")', ReadingWarning)
    _check_ids(table, [name for name in names if name not in _NUMBERS])
    for name in _NUMBERS:
        if name in names:
            _check_numbers(table, name)
    table = table.select(names)
    if chosen == "beir":
        table = table.rename({"query_id": "query-id", "doc_id": "corpus-id", "relevance": "score"})
    return _lines(table, path, "\t" if chosen in ("msmarco", "beir") else " ", header=chosen == "beir")


def _layout_with(columns: Sequence[str]) -> str:
    """The layout of lines that has the columns."""
    own = {"prefs": {"subgroup_id"}, "prels": {"method", "iprob"}, "sampled": {"stratum"}}
    return next((name for name, needed in own.items() if needed <= {*columns}), "trec")


def write_table(frame: Frame, path: str | Path, format: Tabular | Literal["auto"] = "auto") -> None:
    """Write a table as it is.

    Args:
        frame: any table.
        path: the file; the suffix decides the format, and .gz, .bz2, .xz and .zst after a text format compress.
        format: "csv", "tsv", "parquet", "arrow", "jsonl", or "auto".

    Raises:
        InvalidParameter: the suffix is no known format, Parquet or Arrow would be compressed twice, or CSV or TSV
            would have to hold lists.
        FileError: the file cannot be written; an existing one stays as it was.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "means.csv")
        >>> write_table(pl.DataFrame({"measure": ["AP"], "value": [0.25]}), path)
        >>> path.read_text().splitlines()
        ['measure,value', 'AP,0.25']
    """
    path = Path(path)
    choice("format", format, _NAMES, _as("parquet"))
    chosen = _TABULAR.get(_inner_suffix(path)) if format == "auto" else format
    compression = SUFFIXES.get(path.suffix.lower())
    if chosen is None:
        raise InvalidParameter(
            f"The name {path.name!r} has no suffix of a known format.",
            Hint("Write: ", _as("csv", "ir.io.write_table(frame, path, {})")),
        )
    if compression and chosen in ("parquet", "arrow"):
        raise InvalidParameter(
            f"{path.name!r}: {chosen} files are compressed internally.", f"Leave the suffix {path.suffix} out."
        )
    table = _collected(frame)
    if chosen in ("csv", "tsv") and (lists := [name for name, dtype in table.schema.items() if dtype.is_nested()]):
        raise InvalidParameter(
            f"Column {lists[0]!r} holds {table.schema[lists[0]]}, which a {chosen} file cannot.",
            Hint(
                "Lists fit into Parquet and JSON lines: ",
                Code('ir.io.write_table(frame, "table.parquet")', "name a file that ends in .parquet or .jsonl"),
            ),
        )
    with _writing_errors(path), replacing(path, compression) as stream:
        if chosen == "parquet":
            table.write_parquet(stream)
        elif chosen == "arrow":
            table.write_ipc(stream, compression="zstd")
        elif chosen == "jsonl":
            table.write_ndjson(stream)
        else:
            table.write_csv(stream, separator="," if chosen == "csv" else "\t")


def _as(format: str, written: str = "{}") -> Argument:
    """The argument that names the format of what is written."""
    return Argument("format", format, written, ("to", format))


def is_table_name(path: str | Path) -> bool:
    """Whether the suffix of a name is that of a table format."""
    return _inner_suffix(Path(path)) in _TABULAR


@contextmanager
def _writing_errors(path: Path) -> Iterator[None]:
    """Errors of an engine while writing become ours."""
    try:
        yield
    except ENGINE_ERRORS as error:
        raise EngineError(f"{path} cannot be written: {cause(error)}.") from error


def _lines(table: pl.DataFrame, path: Path, separator: str, *, header: bool = False, head: str = "") -> None:
    with _writing_errors(path), replacing(path, SUFFIXES.get(path.suffix.lower())) as stream:
        stream.write(head.encode())
        # Ids have no blanks, so nothing needs quotes; a quote in an id is written as it is.
        table.write_csv(stream, separator=separator, include_header=header, quote_style="never")


def _collected(frame: Frame) -> pl.DataFrame:
    if not isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        raise InvalidParameter(
            f"frame must be a Polars frame, not {type(frame).__name__}.",
            "Convert it: pl.from_arrow(table), pl.from_pandas(frame)",
        )
    try:
        return frame.lazy().collect()
    except ENGINE_ERRORS as error:
        raise unwrap(error) or EngineError(f"The frame cannot be collected: {cause(error)}.") from error


def _canonical(frame: Frame, schema: Schema, others: Sequence[str] = ()) -> pl.DataFrame:
    """The columns of a schema under our names, and those of other names."""
    table = _collected(frame)
    mapping = {**resolve(schema, table.columns), **{name: name for name in others if name in table.columns}}
    return table.select(pl.col(column).alias(ours) for ours, column in mapping.items())


def _inner_suffix(path: Path) -> str:
    name = path.name.lower()
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return Path(name).suffix


def _check_ids(table: pl.DataFrame, names: list[str]) -> None:
    for name in names:
        text = table[name].cast(pl.String)
        bad = table.filter(
            text.is_null()
            | (text == "")
            | text.str.contains(r"[ \t\r\n\x00]")
            | ((text.str.starts_with("#")) & (name == "query_id"))
        )
        if bad.height:
            raise InvalidValue(
                f"{name} {bad[name][0]!r} cannot be written as TREC text: no field may be empty or contain blanks, and "
                "no line begin with '#'.",
                'Write a table instead: ir.io.write_table(frame, "run.parquet")',
            )


def _check_numbers(table: pl.DataFrame, name: str) -> None:
    if not table.schema[name].is_numeric():
        cast_it = f'Convert it: frame.with_columns(pl.col("{name}").cast(pl.Float64))'
        raise InvalidValue(f"Column {name!r} is {table.schema[name]}; it must hold numbers.", cast_it)
    bad = table.filter(pl.col(name).is_null() | ~pl.col(name).cast(pl.Float64).is_finite())
    if bad.height:
        raise InvalidValue(
            f"{bad.height} rows have no finite {name}; the first is query {bad['query_id'][0]!r}, document "
            f"{bad['doc_id'][0]!r}."
        )
