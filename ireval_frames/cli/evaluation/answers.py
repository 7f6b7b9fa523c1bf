"""`ireval answers`: text answers beside gold answers."""

from __future__ import annotations

from typing import Annotated

from ireval_frames.answers.parameters import NORMALIZE
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Coverage, OutputOptions, Prediction
from ireval_frames.cli.options.documents import QueryOptions
from ireval_frames.cli.options.evaluation import TableOptions
from ireval_frames.cli.output.running import capture, working

EXAMPLES = """\b
Examples:
  ireval answers gold.csv predicted.csv                             ExactMatch TokenF1
  ireval answers gold.csv predicted.csv "ROUGE1 ROUGEL(stemming='porter')" --by type
  ireval answers gold.jsonl predicted.csv TokenF1 --policy squad-1.1 -q -o values.parquet
  ireval answers gold.csv predicted.csv --pairs --normalize multilingual --format csv

\b
Files have a row per query_id and answer; in JSON lines and Parquet the gold answers of a query
may be a list.  `ireval measures answers` lists the measures.
Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = "ExactMatch TokenF1"


@command(epilog=EXAMPLES)
def answers(
    gold: Annotated[
        str, Argument(metavar="GOLD", help="Gold answers of queries: CSV, TSV, JSON lines, Parquet, Arrow.")
    ],
    predicted: Annotated[str, Argument(metavar="PREDICTED", help="The predicted answers.")],
    answer: Annotated[str | None, Option("--answer", metavar="COLUMN", help="The column of gold answers.")] = None,
    prediction: Prediction = None,
    coverage: Coverage = False,
    pairs: Annotated[bool, Option("--pairs", help="Each gold answer beside the predicted one.")] = False,
    normalize: Annotated[str, NORMALIZE] = "squad",
    *,
    items: QueryOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate text answers by the gold answers of their queries."""
    items.at_most_one(pairs=pairs, coverage=coverage)
    measures = items.parse("answers", DEFAULT)
    from ireval_frames.answers import Answers

    with working("evaluating"):
        named = items.of_subject()
        subject = Answers(
            gold, predicted, query=named.pop("doc"), answer=answer, prediction=prediction, **named,
            **tables.arguments(),
        )  # fmt: skip
        result = (
            subject.evaluate(measures).coverage() if coverage
            else subject.pairs(normalize=normalize) if pairs
            else items.values(capture(subject.evaluate(measures)), measures)
        )  # fmt: skip
    out.result(result)
