"""`ireval citations`: citations of generated answers, and whether they support them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from ireval_frames import io
from ireval_frames.cli.options.arguments import only_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Arguments, OutputOptions
from ireval_frames.cli.options.evaluation import TableOptions, ValueOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.errors import InvalidParameter

if TYPE_CHECKING:
    from ireval_frames.declaration import Measure

EXAMPLES = """\b
Examples:
  ireval citations answers.jsonl support.csv
  ireval citations answers.jsonl support.csv "CitationPrecision(first=1) CitationRecall(first=1)" -q
  ireval citations sentences.csv support.csv CitationF --citations citations.csv --policy unjudged=skip
  ireval citations sentences.csv support.csv "CitationRecall(convention='alce')" \\
      --citations citations.csv --policy alce,together=any,labels=graded

\b
ANSWERS are JSON lines of TREC RAG, or a table of sentences: run_id query_id sentence_id, with
--citations for the rows of what they cite: doc_id, and rank.  SUPPORT has a label for each
sentence and passage: 0, 1, 2, or no_support, partial_support, full_support.
`ireval measures citations` lists the measures.
Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = "CitationPrecision CitationRecall CitationF HallucinationRate"


@dataclass(frozen=True)
class OfAnswers(ValueOptions):
    """The measures, and the queries that are answered."""

    arguments: Arguments = None
    queries: Annotated[
        str | None,
        Option("--queries", metavar="FILE", help="A table of the queries to answer; it may have columns of --by."),
    ] = None

    def parse(self) -> list[Measure]:
        """The measures that are named, or the default ones."""
        more = "ANSWERS and SUPPORT come first; what sentences cite is named: --citations FILE"
        return only_measures([*(self.measures or ()), *(self.arguments or ())], DEFAULT, "citations", more=more)


@command(epilog=EXAMPLES)
def citations(
    answers: Annotated[
        str, Argument(metavar="ANSWERS", help="Answers in JSON lines of TREC RAG, or a table of their sentences.")
    ],
    support: Annotated[str, Argument(metavar="SUPPORT", help="Labels of support: CSV, TSV, JSON lines, Parquet.")],
    cited: Annotated[
        str | None, Option("--citations", metavar="FILE", help="What sentences cite, where ANSWERS is a table.")
    ] = None,
    *,
    items: OfAnswers,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate what generated answers cite by labels of support."""
    measures = items.parse()
    from ireval_frames.citations import Citations
    from ireval_frames.io.generated.records import has_list

    with working("evaluating"):
        of_answers: tuple[Any, ...] = (answers, cited, items.queries)
        if cited is None:
            if not has_list(answers, tables.stores, "answer"):
                raise InvalidParameter(
                    f"{answers} has no answers in JSON lines of TREC RAG; a table of sentences needs one of citations.",
                    "Write it: --citations citations.csv",
                )
            of_answers = io.read_citations(answers, storage_options=tables.stores)
        sentences, citations_of, answered = of_answers
        # Answers without sentences are answers, too.
        queries = answered if items.queries is None and not items.by else items.queries
        subject = Citations(sentences, citations_of, support, queries=queries, by=items.by or (), **tables.arguments())
        result = items.values(capture(subject.evaluate(measures)), measures)
    out.result(result)
