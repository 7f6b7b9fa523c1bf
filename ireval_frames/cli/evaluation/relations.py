"""`ireval relations`: relations between entities, and events with their arguments."""

from __future__ import annotations

from typing import Annotated, Any

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Coverage, Label, OutputOptions, split_names
from ireval_frames.cli.options.documents import DocumentOptions
from ireval_frames.cli.options.evaluation import TableOptions
from ireval_frames.cli.output.running import capture, working

EXAMPLES = """\b
Examples:
  ireval relations gold.csv predicted.csv                       Precision Recall F1
  ireval relations gold.csv predicted.csv "F1 F1(match='boundary') F1(average='macro')"
  ireval relations gold.csv predicted.csv --match entities --undirected spouse,sibling
  ireval relations gold.csv predicted.csv F1 --documents documents.csv --by genre
  ireval relations gold.csv predicted.csv --report --match boundary
  ireval relations gold.csv predicted.csv --errors -o errors.parquet
  ireval relations events.csv predicted_events.csv --counts --match argument-classification
  ireval relations events.csv predicted_events.csv "F1(match='trigger-classification') ArgumentScore"

\b
Files have a row per relation with doc_id, label, head_start, head_end, head_type, tail_start,
tail_end and tail_type (or head_id and tail_id), or a row per argument of an event.
`ireval measures relations` lists the measures.
Formats: table (four decimals), and csv, json, parquet (in full).
"""
MEASURES = ("Precision", "Recall", "F1")
FILE = "{} relations: CSV, TSV, JSON lines, Parquet, Arrow."


@command(epilog=EXAMPLES)
def relations(
    gold: Annotated[str, Argument(metavar="GOLD", help=FILE.format("Gold"))],
    predicted: Annotated[str, Argument(metavar="PREDICTED", help=FILE.format("Predicted"))],
    label: Label = None,
    undirected: Annotated[
        list[str] | None,
        Option("--undirected", metavar="LABELS", help="Labels whose arguments have no order, comma-separated; or all."),
    ] = None,
    match: Annotated[
        str | None,
        Option("--match", metavar="NAME", help="What is compared where a measure does not say it: strict, boundary …"),
    ] = None,
    attached: Annotated[bool, Option("--attached", help="An event's argument is that of one trigger.")] = False,
    coverage: Coverage = False,
    counts: Annotated[bool, Option("--counts", help="Numbers of each document and label.")] = False,
    report: Annotated[bool, Option("--report", help="Precision, recall and F1 of every label, and averages.")] = False,
    errors: Annotated[bool, Option("--errors", help="Every relation: correct, missed or spurious.")] = False,
    *,
    items: DocumentOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate relations between entities, or events with their arguments."""
    items.at_most_one(coverage=coverage, counts=counts, report=report, errors=errors)
    compared: dict[str, Any] = ({} if match is None else {"match": match}) | ({"attached": True} if attached else {})
    measures = [
        m(**{k: v for k, v in compared.items() if k in m.definition.parameters and k not in dict(m.values)})
        for m in items.parse("relations", " ".join(MEASURES))
    ]
    from ireval_frames.relations import Relations

    with working("evaluating"):
        subject = Relations(
            gold, predicted, label=label, undirected=True if undirected == ["all"] else split_names(undirected),
            **items.of_subject(), **tables.arguments(),
        )  # fmt: skip
        result = (
            subject.evaluate(measures).coverage() if coverage
            else subject.counts(**compared) if counts
            else subject.report(**compared) if report
            else subject.errors(**compared) if errors
            else items.values(capture(subject.evaluate(measures)), measures)
        )  # fmt: skip
    out.result(result)
