"""Judgments: how relevant documents are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import polars as pl

from ireval_frames.columns.schema import QRELS, missing
from ireval_frames.errors import AmbiguousFile, Argument, Hint, WrongType
from ireval_frames.io.collected import collected
from ireval_frames.io.collections.files import reader
from ireval_frames.io.collections.lines import lines_of
from ireval_frames.io.datasets import dataset_id, scan_judgments
from ireval_frames.io.detect.description import Description, Format
from ireval_frames.io.detect.file import describe
from ireval_frames.io.json import shapes
from ireval_frames.io.parts import Part, TextPart, concat_parts, lazy_part, parser_of
from ireval_frames.io.storage.collection_folders import in_folder
from ireval_frames.io.storage.places import Options
from ireval_frames.io.storage.source import Source
from ireval_frames.io.tables import scan_columns, scan_described
from ireval_frames.io.text import repairs
from ireval_frames.io.text.delimited import Quepid
from ireval_frames.io.text.field_orders import as_format
from ireval_frames.io.text.grammar import Field, Kind
from ireval_frames.io.text.headers import choice
from ireval_frames.io.text.letor import Letor
from ireval_frames.io.text.stream import empty
from ireval_frames.io.text.whitespace import Whitespace

_KINDS: dict[str, Kind] = {
    "subtopic_weight": "decimal", "stratum": "any", "method": "any", "iprob": "probability", "start": "count",
    "length": "count", "third": "zero", "fourth": "zero",
}  # fmt: skip
Second = Literal["iteration", "subtopic_id", "assessor_id"]
Grade = type[int] | type[float]

_PAIRS_HINT = Hint("If a line is query and document, perhaps with a grade: ", as_format("pairs"))
_RUN_HINT = "If this is a run: ir.io.scan_run(path)"


def scan_qrels(
    source: Source,
    *,
    format: Format | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    second: Second | None = None,
    relevance: Grade = int,
    storage_options: Options | None = None,
) -> pl.LazyFrame:
    """Judgments as a lazy frame with the columns query_id, doc_id, relevance.

    It reads lines of fields: TREC judgments (query, 0, document, grade), by subtopic or assessor (the second field);
    three fields (query, document, grade) and pairs; levels of NTCIR (`L2`); SMART's collections (query, document, 0, 0)
    and Cranfield's codes; preferences (query, assessor, group, document, level); prels (query, document, grade, method,
    probability) and sampled judgments (query, 0, document, stratum, grade); and passages of TREC Genomics (query,
    document, start, length, grade).  A layout is recognised if no other one fits all lines; else the error lists those
    that fit, and what to write.  It reads tables in CSV (commas, semicolons or tabs), JSON lines, arrays of records,
    Parquet and Arrow; BEIR and MTEB (`query-id corpus-id score`, where the score is the grade), also their folders;
    LETOR and RankLib (`2 qid:10 1:0.5 # docid = d1`; features are not read); `{query: {document: grade}}` in JSON,
    requests and responses of Elasticsearch's and OpenSearch's `_rank_eval`, what Quepid exports; judgments of TIME,
    NPL, LISA and CFC; text also compressed; and datasets of ir_datasets ("irds:name").  What was repaired or left out,
    such as rows of Quepid without a rating, is warned of.  A response of `_rank_eval` has the judgments of its own hits
    alone: the column `retrieved_only` says so, and measures that ask how many documents are relevant are refused.

    Args:
        source: a path, a folder of Parquet files or of a collection of BEIR or MTEB, a pattern, a list of these, or
            "-" for standard input; also in a store, such as "s3://bucket/qrels.parquet".
        format: "trec", "diversity" (TREC with subtopics), "pairs" (query, relevant document, and a grade if there is a
            third field), "ntcir", "smart" (leading zeros of ids are removed), "cranfield" (the grade is 5 − code),
            "prefs", "prels", "sampled", "passages", "msmarco", "beir", "letor" (documents are named behind `#`),
            "ranklib" (by their place in the list of their query, from 0, as in RankLib's scores), "quepid", "time",
            "npl", "lisa", "cfc", "csv", "tsv", "jsonl", "json", "parquet", "arrow", or "auto" to recognise it.
        columns: the file's own names of our columns, as in `{"relevance": "grade"}`.
        second: read the second TREC field (or a column `iteration`) as "iteration", "subtopic_id" or "assessor_id";
            None drops it, if a document has one judgment for a query.  A table's own columns of the latter two names
            are always read.
        relevance: int, or float for decimal grades; the levels of preferences always are floats.
        storage_options: options of the stores of remote paths, as in `{"aws_region": "eu-central-1"}`.

    Returns:
        query_id, doc_id (String, or Int64 from typed files), relevance (Int64 or Float64), and those there are of
        iteration, subtopic_id, assessor_id, subgroup_id, subtopic_weight, and retrieved_only; stratum, method and iprob
        of samples, in which a negative grade is a document that was not judged; start and length of passages, which
        have a row each.

    Raises:
        FileError: a file is missing, a directory, empty, truncated, not text, or has something else than judgments.
        AmbiguousFile: several layouts fit the lines.
        MalformedFile: lines are no judgments; or some do not parse, which is raised when the frame is collected.
        MissingColumn: a table lacks a column.
        WrongType: a typed column has floats where integers are declared.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "qrels.txt")
        >>> _ = path.write_text("q1 0 d1 2" + chr(10))
        >>> scan_qrels(path).collect().rows()
        [('q1', 'd1', 2)]
    """
    choice("second", second, [None, "iteration", "subtopic_id", "assessor_id"], 'second="subtopic_id"')
    choice("relevance", relevance, [int, float], "relevance=float")
    dataset = dataset_id(source)
    if dataset is not None:
        return scan_judgments(dataset, second, relevance)
    described = describe(source, "qrels", format=format, columns=columns, storage_options=storage_options)
    return concat_parts([_part(file, second, relevance, format) for file in described], "qrels")


def read_qrels(
    source: Source,
    *,
    format: Format | Literal["auto"] = "auto",
    columns: Mapping[str, str] | None = None,
    second: Second | None = None,
    relevance: Grade = int,
    storage_options: Options | None = None,
) -> pl.DataFrame:
    """Judgments as a frame in memory; arguments, columns and errors are those of `scan_qrels`.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "qrels.txt")
        >>> _ = path.write_text("q1 3 d1 0.5" + chr(10))
        >>> read_qrels(path, second="subtopic_id", relevance=float).rows()
        [('q1', 'd1', 0.5, '3')]
    """
    return collected(
        scan_qrels(
            source, format=format, columns=columns, second=second, relevance=relevance, storage_options=storage_options
        ),
        in_folder(source, "qrels"),
        storage_options,
    )


def _part(file: Description, second: Second | None, relevance: Grade, requested: str) -> Part:
    if (of_collection := reader(file.format, "qrels")) is not None:
        return file, _of_document(file, of_collection(lines_of(file.path, file.name)), second, relevance)
    if file.document is not None:
        return file, _of_document(file, shapes.judgments(*file.document), second, relevance)
    if file.format == "diversity" and second is None:
        if requested != "diversity":
            raise _facets(file)
        second = "subtopic_id"
    mapping = {c: c for c in file.columns} if not file.mapping else dict(file.mapping)
    iteration = mapping.pop("iteration", None)
    if second is not None and second not in mapping:
        if iteration is not None:
            mapping[second] = iteration
        elif second != "iteration":
            raise missing(QRELS, second, file.columns)
    relevance = float if file.format == "prefs" else relevance
    names = [*(c.name for c in QRELS.columns), *(("start", "length") if file.format == "passages" else ())]
    order = [name for name in names if name in mapping]
    if file.format in ("parquet", "arrow"):
        return file, _typed(file, {c: mapping[c] for c in order}, relevance)
    grade: Kind = "level" if file.format == "ntcir" else "integer" if relevance is int else "decimal"
    grade = "integer" if file.format == "cranfield" else grade
    kinds = {"relevance": grade, **_KINDS}
    hint = _float_hint(requested) if grade == "integer" and file.format != "cranfield" else ""
    fields_by_name = {
        mapping[c]: Field(mapping[c], kinds.get(c, "id"), hint if c == "relevance" else "") for c in order
    }
    every = (
        fields_by_name
        if file.format in ("jsonl", "json", "letor", "ranklib")
        else {
            name: fields_by_name.get(name, Field(name, "any" if file.header else _KINDS.get(name, "any")))
            for name in file.columns
        }
    )
    fields = tuple(every.values())
    hints = ((2, _PAIRS_HINT), (3, _PAIRS_HINT), (6, _RUN_HINT)) if not file.header else ()
    whitespace = Whitespace(fields, "a judgment" if not file.header else "the header", "error", hints)
    read = {c: fields_by_name[mapping[c]] for c in order}
    match file.format:
        case "letor" | "ranklib":
            by_position = file.format == "ranklib"
            used = [fields_by_name[c] for c in ("query_id", *(() if by_position else ("doc_id",)), "relevance")]
            part = TextPart(file, Letor(tuple(used), by_position), {f.name: f for f in used}, {})
            place = pl.int_range(pl.len()).over("query_id").cast(pl.String).alias("doc_id")
            return (file, lazy_part(part, "qrels").select("query_id", place, "relevance")) if by_position else part
        case "quepid":
            parser = Quepid(fields, file.separator or ",", file.name, mapping["doc_id"], mapping["relevance"])
            frame = collected(lazy_part(TextPart(file, parser, read, {}), "qrels"), file.path)
            shapes.warn_of_unrated(file.name, parser.unrated)
            return file, frame.lazy()
        case "cranfield" | "smart":
            part = TextPart(file, whitespace, read, {})
            frame = collected(lazy_part(part, "qrels"), file.path)
            if file.format == "cranfield":
                grades = repairs.gains_of_codes(frame, file.name).lazy()
                return file, grades.with_columns(pl.col("relevance").cast(pl.Int64 if relevance is int else pl.Float64))
            return file, _all_relevant(repairs.without_leading_zeros(frame, file.name).lazy(), relevance)
    unread = requested == "auto" and file.format == "trec" and second is None and not file.header
    check = _second_says_nothing(file, whitespace, read) if unread else None
    part = TextPart(file, parser_of(file, fields, whitespace), read, {}, check)
    return part if "relevance" in mapping else (file, _all_relevant(lazy_part(part, "qrels"), relevance))


def _float_hint(requested: str) -> Hint:
    """What reads decimal grades, of the format that is named."""
    others = "" if requested == "auto" else f'format="{requested}", '
    written = f"ir.io.scan_qrels(path, {others}{{}})"
    return Hint("If grades are decimal numbers: ", Argument("relevance", float, written, ("float_grades", True)))


def _facets(file: Description) -> AmbiguousFile:
    """The error that documents have several grades, and the user has not said by what."""
    by = {what: Argument("second", what, "ir.io.scan_qrels(path, {})") for what in ("subtopic_id", "assessor_id")}
    return AmbiguousFile(
        f"{file.name} judges a document of a query several times, with other values of the second field: subtopics or "
        "assessors.",
        Hint("If they are subtopics: ", by["subtopic_id"], "\n  If they are assessors: ", by["assessor_id"]),
    )


def _second_says_nothing(
    file: Description, parser: Whitespace, columns: Mapping[str, Field]
) -> Callable[[pl.DataFrame], None]:
    """A check of lines behind the first ones, in which the second field, which is not read, was constant.

    Where it changes, all judgments are read: a document may have one only.
    """
    seen: set[str] = set()
    sound: list[bool] = []

    def check(frame: pl.DataFrame) -> None:
        if sound:
            return
        seen.update(frame["iteration"].unique())
        if len(seen) > 1:
            pairs = lazy_part(TextPart(file, parser, columns, {}), "qrels").select("query_id", "doc_id").collect()
            if pairs.is_duplicated().any():
                raise _facets(file)
            sound.append(True)

    return check


def _all_relevant(pairs: pl.LazyFrame, relevance: Grade) -> pl.LazyFrame:
    grade = pl.lit(1, pl.Int64 if relevance is int else pl.Float64).alias("relevance")
    return pairs.select("query_id", "doc_id", grade, pl.exclude("query_id", "doc_id"))


def _of_document(file: Description, frame: pl.DataFrame, second: Second | None, relevance: Grade) -> pl.LazyFrame:
    if not frame.height:
        raise empty(file.name)
    if second in ("subtopic_id", "assessor_id") and second not in frame.columns:
        raise missing(QRELS, second, frame.columns)
    if relevance is int and frame.schema["relevance"].is_float():
        raise WrongType(f"{file.name} has grades that are not integers; integers are declared.", _float_hint("auto"))
    return frame.lazy().with_columns(pl.col("relevance").cast(pl.Int64 if relevance is int else pl.Float64))


def _typed(file: Description, mapping: dict[str, str], relevance: Grade) -> pl.LazyFrame:
    if "relevance" not in mapping:
        return _all_relevant(scan_columns(file, QRELS, mapping), relevance)
    dtype = scan_described(file).collect_schema()[mapping["relevance"]]
    if relevance is int and (dtype.is_float() or (isinstance(dtype, pl.Decimal) and dtype.scale)):
        frame = scan_columns(file, QRELS, mapping)
        # MTEB has whole grades as floats.
        if collected(frame.select((pl.col("relevance") % 1 == 0).all()), file.path).item():
            return frame.with_columns(pl.col("relevance").cast(pl.Int64))
        raise WrongType(
            f"{file.name}: column {mapping['relevance']!r} is {dtype}; integers are declared.", _float_hint("auto")
        )
    frame = scan_columns(file, QRELS, mapping)
    return frame if relevance is float else frame.with_columns(pl.col("relevance").cast(pl.Int64))
