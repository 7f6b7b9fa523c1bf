"""Writing runs and judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

import polars as pl

from ireval_frames.columns.schema import QRELS, RUN, Schema, missing, resolve
from ireval_frames.errors import Code, Hint, InvalidParameter, InvalidValue, MissingColumn, ReadingWarning, listed, warn
from ireval_frames.io.run_header import commented
from ireval_frames.io.storage.source import stem
from ireval_frames.io.tables import refuse_confused
from ireval_frames.io.text.headers import choice
from ireval_frames.io.writing.tables import (
    NAMES,
    TABULAR,
    Frame,
    Tabular,
    as_written,
    collected,
    inner_suffix,
    write_lines,
    write_table,
)

# The layouts of lines of judgments, and their fields.
JudgmentLayout = Literal[
    "trec", "msmarco", "diversity", "pairs", "ntcir", "prefs", "prels", "sampled", "passages", "beir"
]  # fmt: skip
_JUDGMENTS: dict[str, tuple[str, ...]] = {
    "trec": ("query_id", "iteration", "doc_id", "relevance"),
    "msmarco": ("query_id", "iteration", "doc_id", "relevance"),
    "diversity": ("query_id", "subtopic_id", "doc_id", "relevance"),
    "pairs": ("query_id", "doc_id", "relevance"),
    "ntcir": ("query_id", "doc_id", "relevance"),
    "prefs": ("query_id", "assessor_id", "subgroup_id", "doc_id", "relevance"),
    "prels": ("query_id", "doc_id", "relevance", "method", "iprob"),
    "sampled": ("query_id", "iteration", "doc_id", "stratum", "relevance"),
    "passages": ("query_id", "doc_id", "start", "length", "relevance"),
    "beir": ("query_id", "doc_id", "relevance"),
}
_NUMBERS = ("relevance", "iprob", "start", "length")


def write_run(
    frame: Frame,
    path: str | Path,
    *,
    format: Tabular | Literal["auto", "trec", "msmarco", "ranklib"] = "auto",
    tag: str | None = None,
    metadata: str | Mapping[str, Any] | None = None,
) -> None:
    """Write a run.

    A TREC file is sorted by run, query, then score and document descending, with ranks from 1; its scores read back as
    the same numbers.  MS MARCO files (query, document, rank) are sorted likewise, or by rank when there are no scores;
    files of RankLib (query, document, score) as those of TREC.  Tables are written as they are.

    Args:
        frame: query_id, doc_id, score (or rank), and run_id when there are several runs.
        path: the file; .gz, .bz2, .xz and .zst compress, and the suffix before decides the
            format (TREC by default).
        format: "trec", "msmarco", "ranklib", "csv", "tsv", "parquet", "arrow" or "jsonl".
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
    choice("format", format, ["trec", "msmarco", "ranklib", *NAMES], as_written("trec"))
    chosen = TABULAR.get(inner_suffix(path), "trec") if format == "auto" else format
    if metadata is not None and chosen != "trec":
        raise InvalidParameter(f"The format {chosen} cannot have metadata.", 'Write format="trec".')
    head = "" if metadata is None else commented(metadata)
    if chosen not in ("trec", "msmarco", "ranklib"):
        return write_table(frame, path, cast(Tabular, chosen))
    table = _canonical(frame, RUN)
    if "score" not in table.columns and (chosen != "msmarco" or "rank" not in table.columns):
        raise _unscored(table, chosen)
    if chosen != "trec" and "run_id" in table.columns and (n := table["run_id"].n_unique()) > 1:
        raise InvalidParameter(
            f"{path.name}: the {chosen} format has no field for the run, and the table has {n} runs.",
            Hint("Write a file per run, or TREC's lines, which have their names: ", as_written("trec")),
        )
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
        return write_lines(table.select("query_id", "doc_id", ranks), path, "\t")
    if chosen == "ranklib":
        return write_lines(table.select("query_id", "doc_id", "score"), path, "\t")
    return write_lines(table.select("query_id", pl.lit("Q0"), "doc_id", ranks, "score", "run_id"), path, " ", head=head)


def _unscored(table: pl.DataFrame, format: str) -> MissingColumn:
    """The error for a run without scores, which only lines of MS MARCO can be."""
    if "rank" not in table.columns:
        return missing(RUN, "score", table.columns)
    by_rank = Code('frame.with_columns(score=-pl.col("rank"))', "--score-from rank")
    return MissingColumn(
        f"The run has ranks and no scores, and lines of the {format} format have scores.",
        Hint("Take −rank as the score: ", by_rank, ". To write the ranks alone: ", as_written("msmarco")),
    )


def write_qrels(frame: Frame, path: str | Path, *, format: Tabular | JudgmentLayout | Literal["auto"] = "auto") -> None:
    """Write judgments in the order of the frame.

    Args:
        frame: query_id, doc_id, relevance, and further columns of judgments.
        path: the file; .gz, .bz2, .xz and .zst compress, and the suffix before decides the format; without one it is
            that of the text below which has the columns: "prefs" for subgroup_id, "prels" for method and iprob,
            "sampled" for stratum, "passages" for start and length, else "trec".
        format: "trec" (subtopic_id or assessor_id is the second field, which is 0 otherwise), "msmarco" (TREC with
            tabs), "diversity" (TREC with subtopics), "pairs" (query, document, grade), "ntcir" (query, document, level
            such as L2), "prefs", "prels", "sampled", "passages", "beir", "csv", "tsv", "parquet", "arrow" or "jsonl".

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
    choice("format", format, [*_JUDGMENTS, *NAMES], as_written("trec"))
    chosen: str | None = TABULAR.get(inner_suffix(path)) if format == "auto" else format
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
        warn(f"{text} A table, such as qrels.parquet, holds all columns.", ReadingWarning)
    _check_ids(table, [name for name in names if name not in _NUMBERS])
    for name in _NUMBERS:
        if name in names:
            _check_numbers(table, name)
    table = table.select(names)
    if chosen == "ntcir":
        table = table.with_columns(_levels(table["relevance"]))
    if chosen == "beir":
        table = table.rename({"query_id": "query-id", "doc_id": "corpus-id", "relevance": "score"})
    return write_lines(table, path, "\t" if chosen in ("msmarco", "beir") else " ", header=chosen == "beir")


def _levels(grades: pl.Series) -> pl.Series:
    """Grades as levels, such as L2.

    Raises:
        InvalidValue: one is no whole number from 0.
    """
    wrong = grades.filter((grades < 0) | (grades % 1 != 0))
    if wrong.len():
        raise InvalidValue(
            f"Levels are whole numbers from 0, and grades are others: {wrong.len()}, such as {wrong[0]}.",
            Hint("Write them as they are: ", as_written("pairs")),
        )
    return ("L" + grades.cast(pl.Int64).cast(pl.String)).alias("relevance")


def _layout_with(columns: Sequence[str]) -> str:
    """The layout of lines that has the columns."""
    own = {
        "prefs": {"subgroup_id"}, "prels": {"method", "iprob"}, "sampled": {"stratum"}, "passages": {"start", "length"},
    }  # fmt: skip
    return next((name for name, needed in own.items() if needed <= {*columns}), "trec")


def _canonical(frame: Frame, schema: Schema, others: Sequence[str] = ()) -> pl.DataFrame:
    """The columns of a schema under our names, and those of other names."""
    table = collected(frame)
    mapping = {**resolve(schema, table.columns), **{name: name for name in others if name in table.columns}}
    return table.select(pl.col(column).alias(ours) for ours, column in mapping.items())


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
                Hint(
                    "Write a table instead: ",
                    Code('ir.io.write_table(frame, "run.parquet")', "a file whose name ends in .parquet or .csv"),
                    ".",
                ),
            )


def _check_numbers(table: pl.DataFrame, name: str) -> None:
    if not table.schema[name].is_numeric():
        cast_it = f'Convert it: frame.with_columns(pl.col("{name}").cast(pl.Float64))'
        raise InvalidValue(f"Column {name!r} is {table.schema[name]}; it must hold numbers.", cast_it)
    number = pl.col(name).cast(pl.Float64)
    bad = table.filter(pl.col(name).is_null() | ~number.is_finite())
    if bad.height:
        raise InvalidValue(
            f"{bad.height} {'row has' if bad.height == 1 else 'rows have'} no finite {name}; the first is query "
            f"{bad['query_id'][0]!r}, document {bad['doc_id'][0]!r}."
        )
    if name == "iprob" and (bad := table.filter(~number.is_between(0, 1))).height:
        raise InvalidValue(
            f"iprob is a probability from 0 to 1, and other numbers were given: {bad.height}, such as {bad[name][0]}."
        )
