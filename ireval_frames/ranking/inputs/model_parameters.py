"""The parameters of a click model as a table of an evaluation: by query and document, or by grade."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.columns.schema import CLICK_MODEL, UNTYPED, canonical, number
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.errors import MissingColumn, NotDefined, listed
from ireval_frames.io.reading import TABLE

# What a measure of click models declares among what it reads.
READS = "parameter"


@dataclass(frozen=True)
class ModelParameters:
    """A click model's parameters under our names.

    Attributes:
        frame: [parameter (query_id doc_id | relevance) (position) (last_click) value (n)].
        graded: the parameters of documents are by grade.
        prior: the mean of the prior of its fit, where that is known.
    """

    frame: Frame
    graded: bool
    prior: float | None


def opened(given: Any, engine: Engine) -> tuple[Frame, float | None]:
    """What was handed in as a frame of the engine, and the mean of the prior of a fitted model.

    Raises:
        NotDefined: a model has groups, and an evaluation takes one.
    """
    prior = None
    if hasattr(given, "parameters") and hasattr(given, "options"):
        if given.by:
            raise NotDefined(
                f"The click model has parameters for each {', '.join(given.by)}, and an evaluation takes those of one.",
                'Choose a group: model.parameters().filter(pl.col("locale") == "de").',
            )
        a, b = given.options.prior
        prior, given = (a / (a + b) if a + b > 0 else None), given.parameters()
    return open_source(Source(given, "click_model", TABLE), engine), prior


def canonical_parameters(frame: Frame, found: Mapping[str, str], *, text: bool) -> Frame:
    """The columns that measures read, under our names; with `text` numbers may be text, as in files.

    Raises:
        MissingColumn: nothing says whose parameters they are.
    """
    paired = {"query_id", "doc_id"} <= found.keys()
    if not paired and "relevance" not in found:
        raise MissingColumn(
            "The click_model table has neither query_id and doc_id nor relevance, so its parameters are of no "
            f"document (it has: {listed(frame.columns, 20)}).",
            "Hand in model.parameters(), whose rows are by query and document, or by grade.",
        )
    left_out = ("relevance",) if paired else ("query_id", "doc_id")
    types = frame.collect_schema()
    kept = {ours: theirs for ours, theirs in found.items() if ours not in left_out}

    def loose(ours: str) -> bool:
        """In files of text numbers are text; of a column of nulls alone no type is known."""
        dtype = types[kept[ours]]
        return CLICK_MODEL[ours].kind != "id" and (dtype in UNTYPED or (text and dtype == pl.String))

    read = {o: number(CLICK_MODEL.name, t, types[t], text=text) for o, t in kept.items() if loose(o)}
    columns = {o: t for o, t in kept.items() if o not in read}
    return frame.select(*canonical(CLICK_MODEL, frame, columns), **read)
