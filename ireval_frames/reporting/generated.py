"""Generated answers: sections of nuggets and of citations, and the steps from retrieval to the answer as one page."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import polars as pl

from ireval_frames.citations.parameters import OF_CITATIONS
from ireval_frames.comparison.text.tables import number
from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import listed
from ireval_frames.escaping import plain
from ireval_frames.nuggets.steps import Chain
from ireval_frames.plots.drawing import rounded
from ireval_frames.plots.words import counted
from ireval_frames.reporting.cells import table
from ireval_frames.reporting.conventions import origin
from ireval_frames.reporting.figures import Figures
from ireval_frames.reporting.page import Block, Page, Section

# Sentences by what they cite and how much that supports them, in the order of the table.
_KINDS = {
    "full": pl.col("support") >= 1,
    "partial": (pl.col("support") > 0) & (pl.col("support") < 1),
    "cited_without_support": (pl.col("support") == 0) & (pl.col("n_citations") > 0),
    "not_cited": pl.col("n_citations") == 0,
}


def of_nuggets(evaluation: Any) -> list[Section]:
    """The nuggets that fewest answers state."""
    options = _options(evaluation, {"level", "strict"})
    rows = evaluation.subject.credits(**evaluation._options(), **options)  # noqa: SLF001 - not for users
    rows = rows.filter((pl.col("weight") > 0) & pl.col("credit").is_not_null())
    keys = [c for c in rows.columns if c not in ("run_id", "weight", "credit")]
    of_each = (
        rows.group_by(keys, maintain_order=True)
        .agg(n_answers=pl.len(), n_full=(pl.col("credit") == 1).sum(), mean_credit=in_order(pl.col("credit").mean()))
        .sort("mean_credit", *keys)
    )
    never, always = (of_each.filter(pl.col("mean_credit") == end).height for end in (0, 1))
    known = counted(of_each.height, "nugget")
    sentence = f"No answer has credit for {never:,} of {known}; every answer has full credit for {always:,}."
    shown = table(of_each, "Nuggets from those that answers state least", rest="nuggets.credits()")
    return [Section("nuggets", "Nuggets", (plain(sentence),), (shown,))]


def of_citations(evaluation: Any) -> list[Section]:
    """Sentences by their support, and those whose citations do not support them."""
    options = _options(evaluation, OF_CITATIONS)
    common = evaluation._options()  # noqa: SLF001 - not for users
    sentences = evaluation.subject.supported(**common, **options)
    by = [c for c in ("run_id", *common["by"]) if c in sentences.columns]
    counts = [pl.len().alias("sentences"), *(kind.fill_null(value=False).sum().alias(n) for n, kind in _KINDS.items())]
    counts.append(pl.col("support").is_null().sum().alias("left_out"))
    of_each = sentences.group_by(by, maintain_order=True).agg(counts).sort(by) if by else sentences.select(counts)
    wrong = sentences.filter(_KINDS["cited_without_support"]).drop("support")
    blocks: list[Block] = [table(of_each, "Sentences by the support of what they cite")]
    if wrong.height:
        blocks.append(table(wrong, "Sentences whose citations do not support them", rest="citations.supported()"))
    return [Section("sentences", "Sentences and their support", blocks=tuple(blocks))]


def of_chain(chain: Chain, title: str | None, command: str, figures: Figures) -> Page:
    """The page of the steps from retrieval to the answer."""
    figures.add("losses", chain)
    drawn, notes = figures.take()
    first, *others = (plain(s) for s in _sentences(chain))
    blocks = (
        *drawn,
        table(chain.summary(), "Means over queries", rest="chain.summary()"),
        table(chain.losses(), "What is lost at each step", rest="chain.losses()"),
    )
    correlations = table(chain.effects(), "Correlation with what is answered, over queries", rest="chain.effects()")
    cause = "Queries that are hard at every step correlate, too: a correlation is no proof that retrieval is the cause."
    lost = chain.queries.sort("answered", maintain_order=True)
    queries = table(lost, "Each run and query, those that state least first", rest="chain.queries")
    sections = (
        Section("steps", "Steps and losses", tuple(others), blocks, notes=notes),
        Section("effects", "Retrieval and answers", (cause,), (correlations,)),
        Section("queries", "Queries", blocks=(queries,)),
        Section("conventions", "Conventions and origin", blocks=(origin({}, command),)),
    )
    return Page(plain(title or "From retrieval to the answer"), first, sections)


def _sentences(chain: Chain) -> list[str]:
    """What each run states and where it loses most, the best first; and what is undefined."""
    means, losses = chain.summary().filter(pl.col("n_queries") > 0), chain.losses()
    out = []
    for row in means.sort("answered", descending=True, maintain_order=True).head(12).iter_rows(named=True):
        of_run = losses.filter(run_id=row["run_id"]) if "run_id" in row else losses
        most = of_run.filter((pl.col("loss") > 0) & (rounded("loss") == rounded("loss").max()))
        steps = listed((step.replace("_", " ") for step in most["step"]), 4)
        who = f"{row['run_id']} states" if "run_id" in row else "Answers state"
        where = f"the largest loss is {steps}" if most.height == 1 else f"the largest losses are {steps}"
        where = f"{where} ({number(most['loss'][0])})" if most.height else "nothing is lost"
        out.append(
            f"{who} {number(row['answered'])} of the nuggets over {counted(row['n_queries'], 'query')}; {where}."
        )
    if chain.n_undefined:
        undefined = counted(chain.n_undefined, "answer")
        out.append(f"{undefined} without a recall of nuggets {'is' if chain.n_undefined == 1 else 'are'} left out.")
    return out or ["No answer has a recall of nuggets."]


def _options(evaluation: Any, names: Container[str]) -> dict[str, Any]:
    """The parameters of those names of the first measure that has any."""
    of_each = ({n: v for n, v in measure.values if n in names} for measure in evaluation.measures)
    return next((found for found in of_each if found), {})
