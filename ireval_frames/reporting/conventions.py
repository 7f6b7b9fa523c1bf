"""Under which conventions the numbers hold, and of what they were made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from ireval_frames.errors import IrevalError
from ireval_frames.escaping import plain
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.reporting.cells import table
from ireval_frames.reporting.findings import Found
from ireval_frames.reporting.page import Block, Section, Table, Text
from ireval_frames.store.evaluations import identify
from ireval_frames.version import __version__


def conventions(found: Found, evaluation: Any, command: str) -> Section:
    """The policy of an evaluation, how systems were compared, the measures, versions, and the statement in SQL."""
    blocks: list[Block] = []
    notes: list[str] = []
    made: dict[str, str] = {}
    if isinstance(evaluation, Evaluation):
        rows = [(n, str(value), said, source) for n, value, said, source in evaluation.conventions]
        columns = ("convention", "value", "what it means", "as in")
        frame = pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")
        blocks.append(table(frame, "The conventions in force", prose=("what it means", "as in")))
        known = evaluation.provenance
        made = {n: str(known[n]) for n in ("family", "engine", "ireval_frames", "polars", "python")}
    blocks.append(origin(made, command))
    if isinstance(evaluation, Evaluation):
        blocks += _tables(evaluation, notes)
    if found.resampled.explained:
        blocks.append(Text("How intervals were made", lines(found.resampled.explained)))
    elif found.comparison is not None:
        blocks.append(Text("How systems were compared", lines(found.comparison.explain())))
    if isinstance(evaluation, Evaluation):
        try:
            blocks.append(Text("The statement in SQL", lines(evaluation.per_unit.sql())))
        except IrevalError as error:
            notes.append(plain(f"There is no statement in SQL: {error.what}"))
    return Section("conventions", "Conventions and origin", blocks=tuple(blocks), notes=tuple(notes))


def origin(made: Mapping[str, str], command: str) -> Table:
    """Of what a page was made: versions, and the command that did it."""
    told = {"ireval_frames": __version__, **made, **({"command": command} if command else {})}
    frame = pl.DataFrame({"what": list(told), "which": list(told.values())})
    return table(frame, "Of what this was made", prose=("which",))


def _tables(evaluation: Evaluation, notes: list[str]) -> list[Block]:
    """The digests of what was evaluated, as a store keeps them."""
    try:
        told = identify(evaluation)
    except IrevalError as error:
        notes.append(plain(f"There are no digests: {error.what}"))
        return []
    tables = told.inputs.select(table="name", n_rows="n_rows", digest="digest", kind="digest_kind")
    of_runs = told.runs.filter(pl.col("run_id") != "")
    runs = of_runs.select(pl.format("run {}", "run_id").alias("table"), "n_rows", "digest", kind="digest_kind")
    caption = f"The tables that were evaluated; a store calls the evaluation {told.id}"
    return [table(pl.concat([tables, runs]), caption, prose=("digest",))]


def lines(text: str) -> str:
    """Text in its lines, each made harmless."""
    return "\n".join(map(plain, text.split("\n")))
