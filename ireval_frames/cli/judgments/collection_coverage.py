"""`ireval collection-coverage`: which judged documents a collection has, and which of its documents were judged."""

from __future__ import annotations

from typing import Annotated, Any, cast

from ireval_frames import io
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import EngineName, OutputOptions, Qrels, StorageOptions, at_most_one, storage
from ireval_frames.cli.output.running import working
from ireval_frames.cli.output.tables import Format, write_bytes

EXAMPLES = """\b
Examples:
  ireval collection-coverage qrels.txt corpus.jsonl                  in words
  ireval collection-coverage qrels.txt corpus.jsonl --format csv     the same numbers as a table
  ireval collection-coverage qrels.txt corpus.jsonl --dangling       judged documents that it does not have
  ireval collection-coverage qrels.txt corpus.jsonl --never-judged -o unjudged.txt --format csv
"""


@command(epilog=EXAMPLES)
def collection_coverage(
    qrels: Qrels,
    documents: Annotated[
        list[str], Argument(metavar="DOCS", help="The documents: tables, or files of collections; several or patterns.")
    ],
    rel: Annotated[float, Option("--rel", help="The lowest grade that counts as relevant.")] = 1.0,
    docs_format: Annotated[
        str | None, Option("--docs-format", metavar="NAME", help="The format of the documents; detected by default.")
    ] = None,
    qrels_format: Annotated[
        str | None, Option("--qrels-format", metavar="NAME", help="The format of the judgments; detected by default.")
    ] = None,
    per_query: Annotated[bool, Option("--per-query", "-q", help="A row per topic.")] = False,
    dangling: Annotated[bool, Option("--dangling", help="The judgments of documents that it does not have.")] = False,
    never_judged: Annotated[bool, Option("--never-judged", help="The documents that are judged for no topic.")] = False,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    *,
    out: OutputOptions,
) -> None:
    """Show which judged documents a collection has, and which of its documents were never judged."""
    from ireval_frames import pools

    at_most_one(per_query=per_query, dangling=dangling, never_judged=never_judged)
    stores = storage(storage_option)
    with working("reading"):
        docs = io.scan_documents(documents, format=cast(Any, docs_format or "auto"), storage_options=stores)
        judged = io.scan_qrels(qrels, format=cast(Any, qrels_format or "auto"), storage_options=stores)
        coverage = pools.collection_coverage(docs, judged, rel=rel, engine=engine)
        if per_query:
            table = coverage.per_query()
        else:
            table = coverage.dangling() if dangling else coverage.never_judged() if never_judged else coverage.summary()
        words = not (per_query or dangling or never_judged) and out.shape is Format.table
        text = str(coverage) if words else ""
    if words:
        write_bytes(f"{text}\n".encode(), out.output)
    else:
        out.table(table)
