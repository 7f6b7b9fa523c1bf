"""Quality against cost as one page: the front in words, its picture, and all systems."""

from __future__ import annotations

import polars as pl

from ireval_frames.escaping import plain
from ireval_frames.plots.words import counted
from ireval_frames.reporting.cells import table
from ireval_frames.reporting.conventions import origin
from ireval_frames.reporting.figures import Figures
from ireval_frames.reporting.page import Page, Section
from ireval_frames.tradeoffs.result import Tradeoff


def of_tradeoff(trade: Tradeoff, title: str | None, command: str, figures: Figures) -> Page:
    """The page of systems by quality and cost."""
    systems = trade.table()
    # Costs of 0 or less have no logarithm.
    finite = systems.filter(pl.col("cost").is_finite() & pl.col("quality").is_finite())
    figures.add("tradeoff", trade, scale="log" if finite.height and (finite["cost"] > 0).all() else "linear")
    drawn, notes = figures.take()
    sentences = [plain(s) for s in _sentences(trade, systems)]
    blocks = (*drawn, table(systems, "Systems from the cheapest on", rest="trade.table()"))
    sections = (
        Section("front", "Quality and cost", tuple(sentences[1:]), blocks, notes=notes),
        Section("conventions", "Conventions and origin", blocks=(origin({}, command),)),
    )
    default = f"{trade.quality_name} and {trade.cost_name} of {counted(systems.height, 'system')}"
    return Page(plain(title or default), sentences[0], sections)


def _sentences(trade: Tradeoff, systems: pl.DataFrame) -> list[str]:
    front = systems.filter("on_front")
    names = ", ".join(map(str, front["run_id"]))
    of = counted(systems.height, "system")
    out = [f"No other of {of} is at least as good and as cheap as {names}, from the cheapest to the best."]
    if trade.paired is not None:
        sure = systems.filter(pl.col("share_on_front") >= 0.95)["run_id"]
        which = f"{', '.join(map(str, sure))} {'is' if len(sure) == 1 else 'are'}" if len(sure) else "none is"
        out.append(f"In at least 95 % of the replicates {which} on the front.")
        if not trade.paired:
            out.append("The queries of quality and cost were drawn apart, since they differ.")
    return out
