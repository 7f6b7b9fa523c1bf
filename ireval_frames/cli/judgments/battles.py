"""`ireval battles`: strengths of systems that were compared two at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Columns, EngineName, OutputOptions, at_most_one, mapping
from ireval_frames.cli.output.running import working
from ireval_frames.errors import InvalidParameter
from ireval_frames.ratings.paired.options import StrengthOptions

if TYPE_CHECKING:
    import polars as pl

    from ireval_frames.ratings import PairedComparisons

EXAMPLES = """\b
Examples:
  ireval battles battles.csv                                Bradley and Terry's strengths
  ireval battles arena.jsonl --cluster judge --prior 0.5
  ireval battles arena.jsonl --covariates length,headers --first --method sandwich
  ireval battles arena.jsonl --effects --covariates length --first --form arena
  ireval battles battles.csv --model davidson --by topic
  ireval battles arena.jsonl --outcomes
  ireval battles arena.jsonl --win-rates -o rates.csv
  ireval battles arena.jsonl --bias
  ireval battles arena.jsonl --topics language --prior 0.5
  ireval battles pair.jsonl --merged --bias
  ireval battles annotations.json --length-controlled base
  ireval battles small/ large/ --layout lm-eval --measure acc --win-rates

\b
Files: tables of item_a, item_b and winner; Chatbot Arena's, MT-Bench's and AlpacaEval's; samples of lm-eval.
Formats: table (four decimals), and csv, json, parquet (in full).
"""


@command(epilog=EXAMPLES)
def battles(
    files: Annotated[
        list[str], Argument(metavar="FILE", help="Comparisons: JSON, JSON lines, CSV, Parquet, Arrow; one file.")
    ],
    layout: Annotated[
        str | None, Option("--layout", metavar="NAME", help="arena, mt-bench, alpaca-eval, lm-eval or table.")
    ] = None,
    measure: Annotated[
        str | None, Option("--measure", metavar="NAME", help="The metric of lm-eval whose larger value wins.")
    ] = None,
    unit: Annotated[str | None, Option("--unit", metavar="COLUMN", help="The column of prompts.")] = None,
    by: By = None,
    cluster: Annotated[
        str | None, Option("--cluster", metavar="COLUMN", help="What is resampled, such as prompts or users.")
    ] = None,
    order: Annotated[str | None, Option("--order", metavar="COLUMN", help="The order of comparisons, for Elo.")] = None,
    merged: Annotated[
        bool, Option("--merged", help="Both orders of a prompt and two items as one comparison, a tie if they differ.")
    ] = False,
    win_rates: Annotated[bool, Option("--win-rates", help="The share of its comparisons that each item won.")] = False,
    outcomes: Annotated[bool, Option("--outcomes", help="How often each item won, lost and tied.")] = False,
    bias: Annotated[bool, Option("--bias", help="What is preferred besides the better item.")] = False,
    effects: Annotated[bool, Option("--effects", help="The effects of covariates, instead of strengths.")] = False,
    topics: Annotated[
        str | None, Option("--topics", metavar="COLUMN", help="Strengths in each topic beside those in the others.")
    ] = None,
    length_controlled: Annotated[
        str | None, Option("--length-controlled", metavar="BASELINE", help="Win rates at equal lengths.")
    ] = None,
    difficulty: Annotated[
        str | None,
        Option(
            "--difficulty", metavar="COLUMN", help="The column of the difficulty of units, for --length-controlled."
        ),
    ] = None,
    column: Columns = None,
    engine: EngineName = None,
    *,
    options: StrengthOptions,
    out: OutputOptions,
) -> None:
    """Estimate the strengths of systems that were compared two at a time, such as in an arena."""
    at_most_one(
        win_rates=win_rates, outcomes=outcomes, bias=bias, effects=effects, topics=topics is not None,
        length_controlled=length_controlled is not None,
    )  # fmt: skip
    with working("estimating"):
        pairs = _pairs(
            files, layout, measure, unit=unit, order=order, by=by or (), engine=engine, columns=mapping(column)
        )
        pairs = pairs.merged() if merged else pairs
        arguments = options.arguments()
        del arguments["clustered"]
        confidence = options.confidence
        if win_rates:
            table = pairs.win_rates(confidence=confidence)
        elif outcomes:
            table = pairs.outcomes(confidence=confidence)
        elif bias:
            table = pairs.bias(confidence=confidence)
        elif length_controlled is not None:
            table = pairs.length_controlled(
                length_controlled, difficulty=difficulty, prior=options.prior, confidence=confidence
            )
        else:
            arguments["cluster"] = cluster
            if topics is not None:
                table = pairs.topics(topics, **_without(arguments, "covariates", "form", "first", "step"))
            elif effects:
                table = pairs.effects(**_without(arguments, "model", "step"))
            else:
                table = pairs.strengths(**arguments)
    out.table(table)


def _without(arguments: dict[str, Any], *names: str) -> dict[str, Any]:
    return {k: v for k, v in arguments.items() if k not in names}


def _pairs(files: list[str], layout: str | None, measure: str | None, **columns: Any) -> PairedComparisons:
    """The comparisons of a file, or of the samples of several models."""
    from ireval_frames import io
    from ireval_frames.io.raters.battles import layout_of
    from ireval_frames.ratings import PairedComparisons

    source: str | pl.DataFrame
    if layout == "lm-eval":
        source = _of_samples(files, measure)
    elif len(files) > 1:
        raise InvalidParameter(
            f"There are {len(files)} files; only samples of lm-eval are in several.", "Name one, or --layout lm-eval."
        )
    else:
        # Tables as they are, so that numbers in text files become numbers.
        source = files[0] if (layout or layout_of(files[0])) == "table" else io.read_battles(files[0], layout)
    return PairedComparisons(source, **columns)


def _of_samples(files: list[str], measure: str | None) -> pl.DataFrame:
    """Battles of models on the samples that lm-eval logged; each file or folder is of the model of its name."""
    import polars as pl

    from ireval_frames.interop import lm_eval
    from ireval_frames.ratings import battles

    samples = pl.concat([lm_eval.from_samples(path, run_id=Path(path).resolve().stem, task=None) for path in files])
    names = samples["measure"].unique().sort().to_list()
    if measure not in names:
        raise InvalidParameter(
            f"--measure is {measure!r}; the samples have {', '.join(names)}.", f"Write --measure {names[0]}"
        )
    return battles(samples.filter(measure=measure), unit=["task", "filter", "doc_id"]).with_columns(
        unit_id=pl.concat_str("task", "doc_id", separator=":")
    )
