"""`ireval coreference`: mentions and the entities that they refer to."""

from __future__ import annotations

from typing import Annotated, Any

from ireval_frames import io
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Cluster, Coverage, OutputOptions
from ireval_frames.cli.options.documents import DocumentOptions
from ireval_frames.cli.options.evaluation import TableOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.io.coreference import has_coreference

EXAMPLES = """\b
Examples:
  ireval coreference gold.conll predicted.conll                    MUC B3 CEAFe CoNLL
  ireval coreference gold.csv predicted.csv "CoNLL LEA" --by genre
  ireval coreference gold.csv predicted.csv CoNLL --policy match=head,singletons=drop
  ireval coreference gold.csv predicted.csv "MUCR MUCP" -q -o values.parquet
  ireval coreference gold.csv predicted.csv --contingency --format csv
  ireval coreference gold.csv predicted.csv --mentions -o mentions.csv

\b
Files have a row per mention with doc_id, start and end (or mention_id) and cluster_id, or
are those of CoNLL 2011 and 2012.  `ireval measures coreference` lists the measures.
Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = "MentionF MUCR MUCP MUCF B3R B3P B3F CEAFeR CEAFeP CEAFeF CoNLL"
FILE = "{} mentions: CSV, TSV, JSON lines, Parquet, Arrow, or CoNLL's column of coreference."


@command(epilog=EXAMPLES)
def coreference(
    gold: Annotated[str, Argument(metavar="GOLD", help=FILE.format("Gold"))],
    predicted: Annotated[str, Argument(metavar="PREDICTED", help=FILE.format("Predicted"))],
    start: Annotated[str | None, Option("--start", metavar="COLUMN", help="The column of starts.")] = None,
    end: Annotated[str | None, Option("--end", metavar="COLUMN", help="The column of ends.")] = None,
    mention: Annotated[str | None, Option("--mention", metavar="COLUMN", help="The column of ids of mentions.")] = None,
    cluster: Cluster = None,
    head: Annotated[str | None, Option("--head", metavar="COLUMN", help="The column of heads.")] = None,
    inclusive: Annotated[bool, Option("--inclusive", help="The end of a mention is its last position.")] = False,
    coverage: Coverage = False,
    contingency: Annotated[bool, Option("--contingency", help="The contingency table of entities.")] = False,
    mentions: Annotated[bool, Option("--mentions", help="The mentions of both sides with their entities.")] = False,
    *,
    items: DocumentOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate coreference: which mentions of a document refer to the same entity."""
    items.at_most_one(contingency=contingency, mentions=mentions, coverage=coverage)
    measures = items.parse("coreference", DEFAULT)
    from ireval_frames.coreference import Coreference

    def located(path: str) -> Any:
        """The mentions of a file of CoNLL; another one is read by the evaluation."""
        if path == "-" or not has_coreference(path, storage_options=tables.stores):
            return path
        return io.read_coreference(path, storage_options=tables.stores)

    with working("evaluating"):
        subject = Coreference(
            located(gold), located(predicted), start=start, end=end, mention=mention, cluster=cluster, head=head,
            offsets="inclusive" if inclusive else "exclusive", **items.of_subject(), **tables.arguments(),
        )  # fmt: skip
        result = (
            subject.evaluate(measures).coverage() if coverage
            else subject.contingency() if contingency
            else subject.mentions() if mentions
            else items.values(capture(subject.evaluate(measures)), measures)
        )  # fmt: skip
    out.result(result)
