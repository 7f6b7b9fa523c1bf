"""Under which conventions the numbers hold, and of what they were made."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.comparison.comparison import Comparison
from ireval_frames.errors import IrevalError
from ireval_frames.escaping import plain
from ireval_frames.evaluation import Evaluation
from ireval_frames.reporting.cells import table
from ireval_frames.reporting.page import Block, Section, Text
from ireval_frames.version import __version__


def conventions(evaluation: Any, comparison: Comparison | None, command: str) -> Section:
    """The policy of an evaluation, how systems were compared, the measures, versions, and the statement in SQL."""
    blocks: list[Block] = []
    notes: list[str] = []
    made = {"ireval_frames": __version__}
    if isinstance(evaluation, Evaluation):
        rows = [(n, str(value), said, source) for n, value, said, source in evaluation.conventions]
        columns = ("convention", "value", "what it means", "as in")
        frame = pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")
        blocks.append(table(frame, "The conventions in force", prose=("what it means", "as in")))
        known = evaluation.provenance
        made = {n: str(known[n]) for n in ("family", "engine", "ireval_frames", "polars", "python")}
    if command:
        made["command"] = command
    frame = pl.DataFrame({"what": list(made), "which": list(made.values())})
    blocks.append(table(frame, "Of what this was made", prose=("which",)))
    if comparison is not None:
        blocks.append(Text("How systems were compared", lines(comparison.explain())))
    if isinstance(evaluation, Evaluation):
        try:
            blocks.append(Text("The statement in SQL", lines(evaluation.sql())))
        except IrevalError as error:
            notes.append(plain(f"There is no statement in SQL: {error.what}"))
    return Section("conventions", "Conventions and origin", blocks=tuple(blocks), notes=tuple(notes))


def lines(text: str) -> str:
    """Text in its lines, each made harmless."""
    return "\n".join(map(plain, text.split("\n")))
