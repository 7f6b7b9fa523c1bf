"""What users are told of judgments that are a sample: measures that take them as complete, and parts without a draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import SampleWarning, listed, warn
from ireval_frames.expr import col, lit
from ireval_frames.ranking.inputs.facets import SAMPLE
from ireval_frames.ratios import indicator

ESTIMATES = "xinfAP, infNDCG, infP and infR estimate from strata, statAP, statP and statR from inclusion probabilities"
# The methods of prels.
METHODS = ("0", "1", "2")
# It estimates from a sample of the whole pool, and these compare judged documents alone.
FOR_INCOMPLETE = ("infAP", "Bpref")


def reads_samples(measure: Measure) -> bool:
    """Whether a measure estimates from a sample."""
    return not {*SAMPLE}.isdisjoint(measure.definition.reads)


def uses_strata(measure: Measure, columns: Sequence[str]) -> bool:
    """Whether it reads the strata of judgments with these columns."""
    if not reads_samples(measure) or "stratum" not in columns:
        return False
    rates = dict(measure.values).get("rates")
    return "iprob" not in measure.definition.reads or rates == "strata" or (rates is None and "iprob" not in columns)


def _uses_methods(measure: Measure) -> bool:
    """Whether it reads what selected each judged document."""
    values = dict(measure.values)
    reads = "method" in measure.definition.reads and measure.name != "SamplingVariance"
    return reads and values.get("chosen") != "drawn" and values.get("rates") != "strata"


def warn_of_samples(
    engine: Engine, judgments: Frame, canonical: Frame, measures: Sequence[Measure], *, judged_only: bool
) -> None:
    """Warn of what a sample does to these measures.

    Args:
        engine: where the judgments are.
        judgments: relevance, and stratum and iprob if there are such columns.
        canonical: the judgments under our names, with the columns of the sample where a measure reads them.
        measures: the measures.
        judged_only: unjudged documents are taken out of the lists.
    """
    sentences = list(_of_others(engine, judgments, measures, judged_only=judged_only))
    if any(uses_strata(m, canonical.columns) for m in measures):
        sentences += _of_strata(engine, canonical)
    if {"method", "iprob"} <= {*canonical.columns} and (reading := [m for m in measures if _uses_methods(m)]):
        sentences += _of_methods(engine, canonical, reading)
    if sentences:
        warn(" ".join(sentences), SampleWarning)


def _of_others(engine: Engine, judgments: Frame, measures: Sequence[Measure], *, judged_only: bool) -> Iterator[str]:
    """Sentences about measures that take the sample as complete, or as one of the whole pool."""
    columns = judgments.columns
    others = [
        str(m)
        for m in measures
        if m.definition.relevant is not None
        and not reads_samples(m)
        and m.name not in FOR_INCOMPLETE
        and not (judged_only or dict(m.values).get("judged_only"))
    ]
    drawn = indicator(col("iprob") < 1.0) if "iprob" in columns else lit(0.0)
    counts = [
        Aggregate("unjudged", "sum", indicator(col("relevance") < 0.0)),
        Aggregate("drawn", "sum", drawn),
        Aggregate("pooled", "count", lit(1.0)),
    ]
    numbers = {k: int(v or 0) for k, v in engine.numbers(engine.group(judgments, (), counts)).items()}
    if others and (numbers["unjudged"] or numbers["drawn"]):
        names = [repr(c) for c in columns if c != "relevance"]
        why = (
            f"{numbers['unjudged']} of {numbers['pooled']} pooled documents were not judged"
            if numbers["unjudged"]
            else f"{numbers['drawn']} of {numbers['pooled']} documents were drawn with a probability below 1"
        )
        sample = f"a sample (column{'s' * (len(names) > 1)} {listed(names)}; {why})"
        took = f"{listed(others, 5)} take{'s' * (len(others) == 1)} them as complete"
        yield f"The judgments are {sample}, and {took}; {ESTIMATES}."
    if "stratum" in columns and any(m.name == "infAP" for m in measures):
        n = engine.numbers(engine.group(judgments.select("stratum").unique(), (), [Aggregate("n", "count", lit(1.0))]))
        if (n["n"] or 0) > 1:
            yield f"infAP takes the pool as one stratum, and the judgments have {int(n['n'])}; xinfAP reads them."


def _of_strata(engine: Engine, judgments: Frame) -> Iterator[str]:
    """Sentences about strata of which nothing, or only what was drawn, is in the judgments."""
    keys = ("query_id", "stratum")
    of_strata = [
        Aggregate("judged", "sum", indicator(col("relevance") >= 0.0)),
        Aggregate("pooled", "count", lit(1.0)),
    ]
    if "iprob" in judgments.columns:
        of_strata.append(Aggregate("rate", "min", col("iprob")))
    strata = engine.group(judgments, keys, of_strata)
    empty = strata.filter(col("judged") == 0.0)
    if n := _number(engine, empty):
        yield (
            f"Strata without a judged document: {n} ({_first(engine, empty)}). Their documents add nothing to "
            "estimated numbers of relevant documents, which are too small."
        )
    if "iprob" in judgments.columns:
        complete = strata.filter((col("judged") == col("pooled").cast(pl.Float64)) & (col("rate") < 1.0))
        if n := _number(engine, complete):
            yield (
                f"Strata of judged documents alone, of which some were drawn with a probability below 1: {n} "
                f"({_first(engine, complete)}). If the judgments list only what was drawn, add the other pooled "
                "documents with grade -1: else the drawn ones count for themselves alone."
            )


def _of_methods(engine: Engine, judgments: Frame, measures: Sequence[Measure]) -> Iterator[str]:
    """A sentence about judged documents whose method means nothing here."""
    known = col("method").cast(pl.String).is_in(METHODS)
    other = judgments.filter((col("relevance") >= 0.0) & ~col("method").is_null() & ~known)
    if n := _number(engine, other):
        keys = ("query_id", "doc_id", "method")
        row = engine.collect(other.select(*keys).sort(*keys).head(1)).row(0)
        take = f"{listed(measures, 5)} take{'s' * (len(measures) == 1)} them"
        yield (
            f"The method of {n} judged documents is none of {listed(METHODS)} (the first: query_id {row[0]!r}, doc_id "
            f"{row[1]!r}, method {row[2]!r}), and {take} as drawn, with their iprob (0 is chosen by another method, "
            "1 drawn, 2 both; chosen='drawn' takes all so)."
        )


def _number(engine: Engine, rows: Frame) -> int:
    return int(engine.numbers(engine.group(rows, (), [Aggregate("n", "count", lit(1.0))]))["n"] or 0)


def _first(engine: Engine, strata: Frame) -> str:
    row = engine.collect(strata.select("query_id", "stratum").sort("query_id", "stratum").head(1)).row(0)
    return f"the first: query_id {row[0]!r}, stratum {row[1]!r}"
