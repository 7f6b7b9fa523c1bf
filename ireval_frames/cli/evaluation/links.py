"""`ireval links`: links of mentions to entities, and slots with their fillers."""

from __future__ import annotations

from typing import Annotated, Any

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Coverage, OutputOptions, key_values, split_names
from ireval_frames.cli.options.documents import DocumentOptions
from ireval_frames.cli.options.evaluation import TableOptions
from ireval_frames.cli.output.running import capture, working

EXAMPLES = """\b
Examples:
  ireval links gold.csv predicted.csv                           Precision Recall F1
  ireval links gold.csv predicted.csv "F1(on='strong_link_match') F1(match='weak')"
  ireval links gold.csv predicted.csv --on start,end,type --where type=PER
  ireval links gold.csv predicted.csv F1 --where linked --documents documents.csv --by genre
  ireval links gold.csv predicted.csv --on strong_typed_all_match --report
  ireval links gold.csv predicted.csv --on entity_match --errors --format csv
  ireval links slots.csv answers.csv --doc query_id --on slot,value --policy tac-kbp --counts

\b
Files have a row per link with doc_id and the columns that are compared, such as start, end,
type and kb_id; of judged answers the gold has class_id and judgment, too.
`ireval measures links` lists the measures.
Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = "Precision Recall F1"
FILE = "{} links: CSV, TSV, JSON lines, Parquet, Arrow."


@command(epilog=EXAMPLES)
def links(
    gold: Annotated[str, Argument(metavar="GOLD", help=FILE.format("Gold"))],
    predicted: Annotated[str, Argument(metavar="PREDICTED", help=FILE.format("Predicted"))],
    on: Annotated[
        list[str] | None,
        Option("--on", metavar="COLUMNS", help="What must be equal, comma-separated; or a name, strong_link_match …"),
    ] = None,
    where: Annotated[
        list[str] | None,
        Option("--where", metavar="TEXT", help="Links that count: linked, nil, or COLUMN=VALUE; repeatable."),
    ] = None,
    start: Annotated[str | None, Option("--start", metavar="COLUMN", help="The column of starts.")] = None,
    end: Annotated[str | None, Option("--end", metavar="COLUMN", help="The column of ends.")] = None,
    type: Annotated[str | None, Option("--type", metavar="COLUMN", help="The column of types.")] = None,
    kb_id: Annotated[str | None, Option("--kb-id", metavar="COLUMN", help="The column of entities.")] = None,
    inclusive: Annotated[bool, Option("--inclusive", help="The end of a span is its last position.")] = False,
    nil: Annotated[
        str, Option("--nil", metavar="TEXT", help="What ids of entities in no knowledge base begin with.")
    ] = "NIL",
    coverage: Coverage = False,
    counts: Annotated[bool, Option("--counts", help="Numbers of each document, and why some are wrong.")] = False,
    report: Annotated[bool, Option("--report", help="Precision, recall and F1 of every type, and averages.")] = False,
    errors: Annotated[bool, Option("--errors", help="Every link: correct, missed or spurious.")] = False,
    *,
    items: DocumentOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate links of mentions to entities, or slots, by what must be equal."""
    items.at_most_one(coverage=coverage, counts=counts, report=report, errors=errors)
    measures = items.parse("links", DEFAULT)
    from ireval_frames.links import Links

    compared = split_names(on)
    with working("evaluating"):
        subject = Links(
            gold, predicted, on=(compared[0] if len(compared) == 1 else compared) or None, where=_where(where),
            start=start, end=end, type=type, kb_id=kb_id, offsets="inclusive" if inclusive else "exclusive",
            nil=nil or None, **items.of_subject(), **tables.arguments(),
        )  # fmt: skip
        result = (
            subject.evaluate(measures).coverage() if coverage
            else subject.counts() if counts
            else subject.report() if report
            else subject.errors() if errors
            else items.values(capture(subject.evaluate(measures)), measures)
        )  # fmt: skip
    out.result(result)


def _where(texts: list[str] | None) -> Any:
    """The links that count: "linked", "nil", or values by column."""
    if texts and len(texts) == 1 and "=" not in texts[0]:
        return texts[0]
    out: dict[str, list[str]] = {}
    for text in texts or ():
        for name, value in key_values([text], "--where", "COLUMN=VALUE", "type=PER").items():
            out.setdefault(name, []).append(value)
    return out or None
