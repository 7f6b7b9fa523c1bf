"""`ireval spans`: marked and typed spans of documents, from tables, annotated texts, or tags of tokens."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from ireval_frames import catalog, io
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Coverage, OutputOptions
from ireval_frames.cli.options.documents import DocumentOptions
from ireval_frames.cli.options.evaluation import TableOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.errors import InvalidParameter, MalformedFile, MissingColumn

EXAMPLES = """\b
Examples:
  ireval spans gold.csv predicted.csv                           Precision Recall F1
  ireval spans gold.csv predicted.csv "F1(match='partial') F1(average='macro')"
  ireval spans gold.csv predicted.csv F1 --documents documents.csv --by genre
  ireval spans gold.jsonl predicted.jsonl --report
  ireval spans gold.csv predicted.csv --errors -o errors.parquet
  ireval spans gold.csv predicted.csv --confusion --policy duplicates=merge
  ireval spans gold.csv predicted.csv --counts --inclusive --format csv
  ireval spans tokens.conll --tags "F1 F1(average='macro')" --convention conlleval

\b
Files have a row per span with doc_id, start, end and type; or they are those of brat, spaCy,
Doccano and Label Studio; with --tags one file has a row per token with gold and predicted
tags, also in columns, of which these are the last two, as the CoNLL scorer reads them.
`ireval measures spans` lists the measures.
Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = "Precision Recall F1"
FILE = "{} spans: CSV, TSV, JSON lines, Parquet, Arrow; or files of brat, spaCy, Doccano, Label Studio."
# Endings of annotated texts; a JSON file may be a table, too.
ANNOTATED = (".ann", ".json", ".jsonl", ".ndjson")
# Those of tables of tokens; others are CoNLL's columns.
TABLES = (".csv", ".tsv", ".parquet", ".arrow", ".json", ".jsonl", ".ndjson", ".ipc", ".feather")


@command(epilog=EXAMPLES)
def spans(
    gold: Annotated[str, Argument(metavar="GOLD", help=FILE.format("Gold"))],
    predicted: Annotated[str | None, Argument(metavar="[PREDICTED]", help=FILE.format("Predicted"))] = None,
    start: Annotated[str | None, Option("--start", metavar="COLUMN", help="The column of starts.")] = None,
    end: Annotated[str | None, Option("--end", metavar="COLUMN", help="The column of ends.")] = None,
    type: Annotated[str | None, Option("--type", metavar="COLUMN", help="The column of types.")] = None,
    fragment: Annotated[
        str | None, Option("--fragment", metavar="COLUMN", help="Rows of equal values are fragments of one span.")
    ] = None,
    inclusive: Annotated[bool, Option("--inclusive", help="The end of a span is its last position.")] = False,
    tags: Annotated[bool, Option("--tags", help="GOLD is a file of tokens with gold and predicted tags.")] = False,
    scheme: Annotated[
        str | None, Option("--scheme", metavar="NAME", help="The scheme of tags: IOB2, IOBES, BILOU …")
    ] = None,
    repair: Annotated[
        str | None, Option("--repair", metavar="NAME", help="The repair of tags: conll, strict, begin or error.")
    ] = None,
    convention: Annotated[
        str | None,
        Option("--convention", metavar="NAME", help="The convention of tags: seqeval, seqeval-strict, conlleval …"),
    ] = None,
    coverage: Coverage = False,
    counts: Annotated[
        bool, Option("--counts", help="Correct, incorrect, partial, missing and spurious by type.")
    ] = False,
    report: Annotated[bool, Option("--report", help="Precision, recall and F1 of every type, and averages.")] = False,
    errors: Annotated[bool, Option("--errors", help="A row per matched pair and lone span, with its error.")] = False,
    confusion: Annotated[bool, Option("--confusion", help="The types of matched spans.")] = False,
    *,
    items: DocumentOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate spans: entities and whatever else is marked in documents."""
    items.at_most_one(coverage=coverage, counts=counts, report=report, errors=errors, confusion=confusion)
    if tags and predicted is not None:
        # Of one file the second argument is a measure.
        items = items.with_measures(predicted)
    elif not tags and (predicted is None or _are_measures(predicted)):
        raise InvalidParameter(
            "There is one file; gold and predicted spans are two.", "Name the second one, or write --tags for tokens."
        )
    measures = items.parse("spans", DEFAULT)
    from ireval_frames.spans import Spans

    with working("evaluating"):
        if tags:
            reading: dict[str, Any] = {"scheme": scheme, "repair": repair, "convention": convention}
            subject = Spans.from_tags(
                _tokens(gold, tables.stores), **reading, **items.of_subject(), **tables.arguments()
            )
        else:
            one, other = (_annotated(str(path), tables.stores, items.doc) for path in (gold, predicted))
            in_fragments = any(_in_fragments(side) for side in (one, other))
            subject = Spans(
                one, other, start=start, end=end, type=type, fragment="span_id" if in_fragments else fragment,
                offsets="inclusive" if inclusive else "exclusive", **items.of_subject(), **tables.arguments(),
            )  # fmt: skip
        result = (
            subject.evaluate(measures).coverage() if coverage
            else subject.counts() if counts
            else subject.report() if report
            else subject.errors() if errors
            else subject.confusion() if confusion
            else items.values(capture(subject.evaluate(measures)), measures)
        )  # fmt: skip
    out.result(result)


def _are_measures(text: str) -> bool:
    """Whether a text names measures of spans and no file."""
    return not Path(text).exists() and catalog.has(re.split(r"\W", text)[0], "spans")


def _annotated(path: str, stores: Any, doc: str | None) -> Any:
    """The spans of an annotated file; a table is read by the evaluation.

    Args:
        path: the file.
        stores: options of remote paths.
        doc: the key of documents in JSON, which also names the column; the usual keys need not be there.
    """
    suffix = PurePosixPath(path).suffix.lower()
    if suffix not in ANNOTATED and not Path(path).is_dir():
        return path
    if doc is None:
        return io.read_spans(path, storage_options=stores)
    try:
        spans = io.read_spans(path, doc=doc if suffix.startswith(".json") else None, storage_options=stores)
    except (MalformedFile, MissingColumn):
        if doc != "doc_id":
            raise
        spans = io.read_spans(path, storage_options=stores)
    return spans.rename({"doc_id": doc})


def _in_fragments(spans: Any) -> bool:
    """Whether spans of an annotated file are in several fragments."""
    return not isinstance(spans, str) and "fragment" in spans.columns and bool((spans["fragment"] > 0).any())


def _tokens(path: str, stores: Any) -> Any:
    """The tokens of columns as the CoNLL scorer reads them; a table is read by the evaluation."""
    if PurePosixPath(path).suffix.lower() in TABLES:
        return path
    return io.read_tags(path, "conlleval", storage_options=stores)
