"""`ireval nuggets`: which facts the answers of systems support."""

from __future__ import annotations

from typing import Annotated, Any

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Coverage, OutputOptions
from ireval_frames.cli.options.documents import QueryOptions
from ireval_frames.cli.options.evaluation import TableOptions
from ireval_frames.cli.output.running import capture, working

EXAMPLES = """\b
Examples:
  ireval nuggets nuggets.csv assignments.csv                        A V V_strict W
  ireval nuggets nuggets.csv assignments.csv V_strict --policy nuggetizer -q -o values.parquet
  ireval nuggets nuggets.csv assignments.csv "NuggetF(beta=5)" --answers answers.csv
  ireval nuggets run.jsonl run.jsonl "V_strict A_strict"            records of nuggetizer
  ireval nuggets nuggets.csv judged.csv --judge assessor --agreement
  ireval nuggets nuggets.csv passages.csv --run doc_id --qrels --strict -o qrels.csv

\b
Nuggets have a row per query_id and nugget_id, with importance (vital or okay); assignments a row per
run_id, query_id and nugget_id with a label (support, partial_support, not_support).  Files of nuggetizer's
records are read as they are: one file, or one of nuggets and one of assignments.  `ireval measures nuggets`
lists the measures.
Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = "A V V_strict W"
AGREEMENT = "PercentAgreement KrippendorffAlpha"


@command(epilog=EXAMPLES)
def nuggets(
    nuggets: Annotated[
        str, Argument(metavar="NUGGETS", help="The nuggets of queries: CSV, TSV, JSON lines, Parquet, Arrow.")
    ],
    assignments: Annotated[str, Argument(metavar="ASSIGNMENTS", help="Their labels for answers.")],
    answers: Annotated[
        str | None, Option("--answers", metavar="FILE", help="The answers: their length, or their text.")
    ] = None,
    nugget: Annotated[str | None, Option("--nugget", metavar="COLUMN", help="The column of nuggets.")] = None,
    importance: Annotated[
        str | None, Option("--importance", metavar="COLUMN", help="The column of importance.")
    ] = None,
    run: Annotated[str | None, Option("--run", metavar="COLUMN", help="The column of systems, or passages.")] = None,
    label: Annotated[str | None, Option("--label", metavar="COLUMN", help="The column of labels.")] = None,
    judge: Annotated[str | None, Option("--judge", metavar="COLUMN", help="The column of judges.")] = None,
    weight: Annotated[str | None, Option("--weight", metavar="COLUMN", help="The weights of nuggets.")] = None,
    coverage: Coverage = False,
    credits: Annotated[bool, Option("--credits", help="Each nugget with what the answer earns.")] = False,
    agreement: Annotated[bool, Option("--agreement", help="How far the judges agree.")] = False,
    qrels: Annotated[bool, Option("--qrels", help="Labels of passages as judgments with subtopics.")] = False,
    strict: Annotated[
        bool, Option("--strict", help="Partial support counts as none, for --credits and --qrels.")
    ] = False,
    *,
    items: QueryOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate answers by the nuggets that they support."""
    items.at_most_one(coverage=coverage, credits=credits, agreement=agreement, qrels=qrels)
    measures = items.parse("nuggets", DEFAULT)
    from ireval_frames.nuggets import Nuggets

    with working("evaluating"):
        named = items.of_subject()
        first, second, third = _read(nuggets, assignments, answers)
        # The groups of agreement are columns of labels.
        groups = ["run" if name == (run or "run_id") else name for name in items.by or ()]
        if agreement:
            named["by"] = ()
        subject = Nuggets(
            first, second, third, query=named.pop("doc"), nugget=nugget, importance=importance, run=run, label=label,
            judge=judge, weight=weight, **named, **tables.arguments(),
        )  # fmt: skip
        result = (
            subject.evaluate(measures).coverage() if coverage
            else subject.credits(strict=strict) if credits
            else subject.ratings(by=groups).evaluate(AGREEMENT).summary() if agreement
            else subject.qrels(strict=strict) if qrels
            else items.values(capture(subject.evaluate(measures)), measures)
        )  # fmt: skip
    out.result(result)


def _read(nuggets: str, assignments: str, answers: str | None) -> tuple[Any, Any, Any]:
    """The tables: files as they are, or records of nuggetizer."""
    from ireval_frames.io.generated.nuggets import has_nuggets, read_nuggets

    if not (has_nuggets(nuggets) and has_nuggets(assignments)):
        return nuggets, assignments, answers
    first, second, third = read_nuggets(list(dict.fromkeys([nuggets, assignments])))
    return first, second, third if answers is None else answers
