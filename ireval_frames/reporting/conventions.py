"""The section of conventions, versions, digests and SQL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from ireval_frames.errors import IrevalError
from ireval_frames.escaping import plain
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.reporting.cells import table
from ireval_frames.reporting.findings import Findings
from ireval_frames.reporting.page import Block, Section, Table, Text
from ireval_frames.store.evaluations import identify
from ireval_frames.version import __version__


def conventions(findings: Findings, evaluation: Any, command: str) -> Section:
    """The policy of an evaluation, how systems were compared, the measures, versions, and the statement in SQL."""
    blocks: list[Block] = []
    notes: list[str] = []
    versions: dict[str, str] = {}
    if isinstance(evaluation, Evaluation):
        rows = [(n, str(value), meaning, source) for n, value, meaning, source in evaluation.conventions]
        columns = ("convention", "value", "what it means", "as in")
        frame = pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")
        blocks.append(table(frame, "The conventions in force", prose=("what it means", "as in")))
        provenance = evaluation.provenance
        versions = {n: str(provenance[n]) for n in ("family", "engine", "ireval_frames", "polars", "python")}
    blocks.append(origin(versions, command))
    if isinstance(evaluation, Evaluation):
        blocks += _tables(evaluation, notes)
    if findings.resampled.explained:
        blocks.append(Text("How intervals were computed", lines(findings.resampled.explained)))
    elif findings.comparison is not None:
        blocks.append(Text("How systems were compared", lines(findings.comparison.explain())))
    if isinstance(evaluation, Evaluation):
        try:
            blocks.append(Text("The statement in SQL", lines(evaluation.per_unit.sql())))
        except IrevalError as error:
            notes.append(plain(f"There is no statement in SQL: {error.what}"))
    return Section("conventions", "Conventions and origin", blocks=tuple(blocks), notes=tuple(notes))


def origin(versions: Mapping[str, str], command: str) -> Table:
    """The origin of a page: versions, and the command."""
    values = {"ireval_frames": __version__, **versions, **({"command": command} if command else {})}
    frame = pl.DataFrame({"what": list(values), "which": list(values.values())})
    return replace(table(frame, "Versions and command", prose=("which",)), name="versions")


def _tables(evaluation: Evaluation, notes: list[str]) -> list[Block]:
    """The digests of the evaluated tables, as in a store."""
    try:
        identity = identify(evaluation)
    except IrevalError as error:
        notes.append(plain(f"There are no digests: {error.what}"))
        return []
    tables = identity.inputs.select(table="name", n_rows="n_rows", digest="digest", kind="digest_kind")
    named = identity.runs.filter(pl.col("run_id") != "")
    runs = named.select(pl.format("run {}", "run_id").alias("table"), "n_rows", "digest", kind="digest_kind")
    caption = f"The evaluated tables; the id of the evaluation in a store is {identity.id}"
    return [replace(table(pl.concat([tables, runs]), caption, prose=("digest",)), name="inputs")]


def lines(text: str) -> str:
    """Text with each of its lines escaped."""
    return "\n".join(map(plain, text.split("\n")))
