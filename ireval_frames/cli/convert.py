"""`ireval convert`: a file of one format as one of another."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, cast

import polars as pl

from ireval_frames import io
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Columns, StorageOptions, mapping, storage
from ireval_frames.cli.options.rankings import ScoreFrom
from ireval_frames.cli.output.running import working
from ireval_frames.errors import AmbiguousFile, FileError, InvalidParameter, IrevalError
from ireval_frames.io.coreference import has_coreference
from ireval_frames.io.datasets import dataset_id
from ireval_frames.io.spans import LAYOUTS as OF_SPANS
from ireval_frames.io.spans import has_spans
from ireval_frames.io.storage.places import is_remote
from ireval_frames.io.storage.source import files as sources
from ireval_frames.io.text.headers import choice

EXAMPLES = """\b
Examples:
  ireval convert qrels.txt -o qrels.parquet
  ireval convert runs/*.run -o runs.parquet                 several runs as one table
  ireval convert run.parquet -o bm25.txt                    a run of TREC
  ireval convert qrels.txt -o test.tsv --to beir
  ireval convert pairs.txt -o qrels.txt --kind qrels --format pairs
  ireval convert cacm.all -o docs.jsonl --kind documents
  ireval convert train-labels-idx1-ubyte -o labels.csv      MNIST's labels
  ireval convert truth.txt -o labels.csv --format imagenet --classes synset_words.txt --first 1

\b
What a file holds is recognised where only one kind and one format fit, and told; else the error lists
those that fit.  The ending of OUT decides what is written: .csv, .tsv, .parquet, .arrow, .jsonl, and
any other for lines of TREC.  --to names other lines: of runs msmarco and ranklib; of judgments msmarco,
diversity, pairs, ntcir, prefs, prels, sampled, passages and beir; of queries and documents beir and msmarco.
"""


class Kind(StrEnum):
    """What a file holds."""

    qrels = "qrels"
    run = "run"
    queries = "queries"
    documents = "documents"
    labels = "labels"
    spans = "spans"
    tags = "tags"
    coreference = "coreference"
    ratings = "ratings"


class Second(StrEnum):
    """What the second field of judgments is."""

    subtopic_id = "subtopic_id"
    assessor_id = "assessor_id"


# The kinds that are recognised; tags and ratings are tables that could be anything.
RECOGNISED = (Kind.qrels, Kind.run, Kind.queries, Kind.documents, Kind.labels, Kind.spans, Kind.coreference)
# Tables of judgments and runs also have what the others need.
SPECIFIC = {Kind.qrels, Kind.run}


@dataclass(frozen=True)
class Reading:
    """How files are read."""

    format: Annotated[
        str | None, Option("--format", metavar="NAME", help="The format of IN, such as pairs; recognised by default.")
    ] = None
    columns: Columns = None
    second: Annotated[Second | None, Option("--second", help="What the second field of judgments is.")] = None
    float_grades: Annotated[bool, Option("--float-grades", help="Grades are decimal numbers.")] = False
    score_from: Annotated[ScoreFrom | None, Option("--score-from", help="What orders a run without scores.")] = None
    classes: Annotated[
        str | None, Option("--classes", metavar="FILE", help="The names of numbered classes, in their order.")
    ] = None
    first: Annotated[int | None, Option("--first", help="The number of the first class, 0 or 1.")] = None
    codes: Annotated[
        str,
        Option("--codes", help="The codes of Reuters' news items that are labels: topics, industries or countries."),
    ] = "topics"
    storage_option: StorageOptions = None

    @property
    def kind(self) -> Kind | None:
        """What a file holds, if the options are those of one kind."""
        return Kind.run if self.score_from else Kind.qrels if self.second or self.float_grades else None

    def table(self, kind: Kind, files: list[str]) -> pl.LazyFrame:
        """The table of some files."""
        stores, names = storage(self.storage_option), mapping(self.columns) or None
        layout = cast(Any, self.format or "auto")
        match kind:
            case Kind.qrels:
                return io.scan_qrels(
                    files, format=layout, columns=names, second=None if self.second is None else self.second.value,
                    relevance=float if self.float_grades else int, storage_options=stores,
                )  # fmt: skip
            case Kind.run:
                order = cast(Any, None if self.score_from is None else self.score_from.value)
                return io.scan_run(files, format=layout, columns=names, score_from=order, storage_options=stores)
            case Kind.queries:
                return io.scan_queries(files, names, stores, format=layout)
            case Kind.documents:
                documents = files if len(files) > 1 else files[0]
                return io.scan_documents(documents, format=layout, columns=names, storage_options=stores)
            case Kind.coreference:
                return io.read_coreference(files, storage_options=stores).lazy()
        return pl.concat([self._one(kind, source, stores) for source in files]).lazy()

    def may_hold(self, kind: Kind, file: str) -> bool:
        """Whether a file may be of a kind: what is read at once, and not in parts, is looked at first."""
        stores = storage(self.storage_option)
        if kind is Kind.spans:
            # Any table may be read as one of spans.
            return has_spans(file, self.format, stores)
        return kind is not Kind.coreference or has_coreference(file, storage_options=stores)

    def _one(self, kind: Kind, source: str, stores: dict[str, str] | None) -> pl.DataFrame:
        """The table of a file of a kind that is read one at a time."""
        if kind is Kind.labels:
            from ireval_frames.labels import read

            first, codes = cast(Any, self.first), cast(Any, self.codes)
            return read(
                source, cast(Any, self.format or "auto"), classes=self.classes, first=first, codes=codes,
                storage_options=stores,
            )  # fmt: skip
        readers: dict[Kind, Callable[..., pl.DataFrame]] = {
            Kind.spans: partial(io.read_spans, storage_options=stores),
            Kind.tags: partial(io.read_tags, storage_options=stores),
            Kind.ratings: io.read_ratings,
        }
        return readers[kind](source, layout=self.format)


@command(epilog=EXAMPLES)
def convert(
    files: Annotated[list[str], Argument(metavar="IN", help="A file, a folder, or several of one kind.")],
    output: Annotated[str, Option("-o", "--output", metavar="OUT", help="The file to write, atomically.")],
    kind: Annotated[Kind | None, Option("--kind", help="What IN holds; recognised by default.")] = None,
    to: Annotated[
        str | None,
        Option(
            "--to",
            metavar="NAME",
            help="The format of OUT, if its ending does not tell: trec, msmarco, beir, pairs, ntcir, prels, csv, …",
        ),
    ] = None,
    *,
    reading: Reading,
) -> None:
    """Write judgments, runs, queries, documents or labels in another format."""
    with working("converting"):
        # Standard input can be read once.
        files = [str(sources(file)[0].path) if file == "-" else file for file in files]
        what = kind or reading.kind or recognised(files, reading)
        heights: list[int] = []
        _write(what, _counted(reading.table(what, files), heights), Path(output), to)
    print(f"{output}: {sum(heights)} rows, read as {what.value}")


def _counted(table: pl.LazyFrame, heights: list[int]) -> pl.LazyFrame:
    """The table, which notes how many rows of it are read, part by part."""

    def note(rows: pl.DataFrame) -> pl.DataFrame:
        heights.append(rows.height)
        return rows

    return table.map_batches(note, streamable=True, schema=None)


def recognised(files: list[str], reading: Reading) -> Kind:
    """The one kind that fits the first file.

    Raises:
        FileError: it is not there, or none fits.
        InvalidParameter: several do.
    """
    first = files[0]
    if reading.format is not None:
        from ireval_frames.labels.reading import FORMATS as OF_LABELS

        known = ("auto", *io.FORMATS, *OF_LABELS, *OF_SPANS)
        choice("format", reading.format, dict.fromkeys(known), "--format pairs")
    if not is_remote(first) and dataset_id(first) is None and first != "-" and not Path(first).is_dir():
        sources(first)
    fits, errors, several = dict[Kind, bool](), dict[Kind, IrevalError](), list[AmbiguousFile]()
    for kind in RECOGNISED:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if reading.may_hold(kind, first):
                    reading.table(kind, [first]).head(1).collect()
                    fits[kind] = True
        except AmbiguousFile as error:
            fits[kind] = False
            several.append(error)
        except IrevalError as error:
            errors[kind] = error
        except pl.exceptions.PolarsError as error:
            errors[kind] = io.unwrap(error) or FileError(str(error))
    if (
        len(fits) > 1
        and not Path(first).is_dir()
        and _names_its_columns(first, [kind for kind, one in fits.items() if one])
    ):
        fits = {kind: one for kind, one in fits.items() if kind in SPECIFIC} or fits
    if len(fits) == 1:
        # That the layout of this kind is ambiguous is said where it is read.
        return next(iter(fits))
    if fits and not any(fits.values()):
        raise several[0]
    if fits:
        ways = " or ".join(f"--kind {kind.value}" for kind in fits)
        raise InvalidParameter(f"{first} may hold {' or '.join(fits)}.", f"Say which: {ways}")
    what = errors[Kind.qrels].what.partition("\n")[0].rstrip(":")
    raise FileError(
        f"{first} holds nothing that is recognised. As qrels: {what}",
        f"If you know what it holds, say so: --kind labels; {', '.join(Kind)}.",
    )


def _names_its_columns(file: str, fits: list[Kind]) -> bool:
    """Whether a file is a table with names of columns, for one of the kinds that fit."""
    specific = [kind for kind in fits if kind in SPECIFIC]
    return any(one.tabular for kind in specific for one in io.describe(file, cast(Any, kind.value)))


def _write(kind: Kind, table: pl.LazyFrame, path: Path, to: str | None) -> None:
    writers: dict[Kind, Callable[..., None]] = {
        Kind.qrels: io.write_qrels, Kind.run: io.write_run, Kind.queries: io.write_queries,
        Kind.documents: io.write_documents,
    }  # fmt: skip
    writers.get(kind, io.write_table)(table, path, format=to or "auto")
