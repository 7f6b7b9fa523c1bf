"""`ireval fuse`: several runs as one, and what each adds to it."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Annotated

import polars as pl

from ireval_frames import io
from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    Columns,
    EngineName,
    Measures,
    OutputFile,
    OutputFormat,
    at_most_one,
    key_values,
    mapping,
    split_names,
    table_names,
)
from ireval_frames.cli.options.rankings import RunOptions
from ireval_frames.cli.output.running import working
from ireval_frames.cli.output.tables import Format, deliver_table, format_of, write_bytes
from ireval_frames.columns.schema import QRELS, RUN
from ireval_frames.errors import InvalidParameter
from ireval_frames.fusion.options import FusionOptions

EXAMPLES = """\b
Examples:
  ireval fuse bm25.run dense.run -o fused.run
  ireval fuse runs/*.run --method combsum --normalize zmuv --top 100
  ireval fuse bm25.run dense.run --method wsum --weight bm25=0.3,dense=0.7 -o fused.run
  ireval fuse runs/*.run --method wsum --qrels qrels.txt --learned            the weights that judgments teach
  ireval fuse runs/*.run --qrels qrels.txt -m "AP nDCG@10" --gain             beside the best single run
  ireval fuse runs/*.run --qrels qrels.txt -m AP --leave-one-out
  ireval fuse runs/*.run --qrels qrels.txt --overlap
  ireval fuse runs/*.run --qrels qrels.txt --contributions
  ireval fuse runs/*.run --method condorcet --depth 20 --cycles

\b
A file is written as a TREC run, or as what its name says: .csv, .parquet.
Judgments are what a fused run is evaluated on, and what these methods learn from, each query from
those of other folds: mapfuse, posfuse, probfuse, segfuse, slidefuse, bayesfuse; wsum, wmnz and
mixed without --weight, and rrf with --fit learn their weights.
"""


@command(epilog=EXAMPLES)
def fuse(
    arguments: Annotated[list[str], Argument(metavar="RUN", help="Two runs or more: files or patterns.")],
    measures: Measures = None,
    qrels: Annotated[
        str | None, Option("--qrels", metavar="FILE", help="Judgments to learn from, or to evaluate on.")
    ] = None,
    weight: Annotated[
        list[str] | None, Option("--weight", metavar="RUN=NUMBER", help="Weights of runs, with commas between them.")
    ] = None,
    run_id: Annotated[
        str | None, Option("--run-id", metavar="NAME", help="The name of the fused run; by default the method.")
    ] = None,
    fit: Annotated[bool, Option("--fit", help="Fit the weights of rrf to the judgments.")] = False,
    learned: Annotated[bool, Option("--learned", help="What judgments teach.")] = False,
    gain: Annotated[bool, Option("--gain", help="The fused run beside the best of its runs.")] = False,
    leave_one_out: Annotated[bool, Option("--leave-one-out", help="The fusion without each of its runs.")] = False,
    overlap: Annotated[bool, Option("--overlap", help="What every two runs have in common.")] = False,
    contributions: Annotated[bool, Option("--contributions", help="What each run has, and has alone.")] = False,
    cycles: Annotated[
        bool, Option("--cycles", help="Documents whose majorities go in circles, for condorcet.")
    ] = False,
    column: Columns = None,
    engine: EngineName = None,
    format: OutputFormat = None,
    output: OutputFile = None,
    *,
    options: FusionOptions,
    reading: RunOptions,
) -> None:
    """Fuse several runs into one, and tell what each adds to it."""
    from ireval_frames.fusion import fuse as fused_of

    at_most_one(
        learned=learned, gain=gain, leave_one_out=leave_one_out, overlap=overlap, contributions=contributions,
        cycles=cycles,
    )  # fmt: skip
    evaluated = gain or leave_one_out
    judged = evaluated or overlap or contributions
    if (judged or fit) and qrels is None:
        raise InvalidParameter("There are no judgments to evaluate on, or to fit.", "Write --qrels qrels.txt.")
    if measures and not evaluated:
        raise InvalidParameter("Measures are for --gain and --leave-one-out.", "Write --gain, or leave out -m.")
    runs, parsed = runs_and_measures(arguments, measures or (), default=("AP", "P@10"))
    names = table_names(mapping(column), QRELS, RUN)
    judgments = None if qrels is None else io.scan_qrels(qrels, columns=names.of("qrels"))
    rankings = io.scan_run(runs, columns=names.of("run"), rank=options.ties == "rank", **reading.run_arguments())
    names.check_used()
    weights = {
        name: _number(name, text)
        for name, text in key_values(split_names(weight), "--weight", "RUN=NUMBER", "bm25=2").items()
    }
    learns = options.learns or fit or (options.method in ("wsum", "wmnz", "mixed") and not weights)
    with working("fusing"):
        fused = fused_of(
            rankings,
            weights=weights or None,
            qrels=judgments if learns else None,
            run_id=run_id,
            engine=engine,
            **options.arguments(),
        )
        if evaluated:
            table = (fused.gain if gain else fused.leave_one_out)(judgments, parsed)
        elif overlap or contributions:
            table = (fused.overlap if overlap else fused.contributions)(judgments, rel=options.rel)
        elif cycles:
            table = fused.cycles()
        else:
            table = fused.learned() if learned else fused.collect()
    if judged or learned or cycles:
        deliver_table(table, format_of(format, output), output)
    else:
        _write_run(table, format, output)


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidParameter(
            f"--weight {name} is {text!r}; it must be a number.", f"Write --weight {name}=1"
        ) from None


def _write_run(run: pl.DataFrame, format: Format | None, output: str | None) -> None:
    """A TREC run, or what the name of the file says; without a file a table."""
    named = output is not None and output != "-"
    shape = format_of(format, output)
    if named and (shape is Format.trec or (format is None and shape is not Format.json)):
        io.write_run(run, Path(str(output)))
    elif shape is Format.trec:
        lines = run.select("query_id", pl.lit("Q0"), "doc_id", "rank", "score", "run_id")
        stream = BytesIO()
        lines.write_csv(stream, separator=" ", include_header=False)
        write_bytes(stream.getvalue(), output)
    else:
        deliver_table(run, shape, output)
