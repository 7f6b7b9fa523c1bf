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

# Measures of click models declare that they read this column.
READS = "parameter"


@dataclass(frozen=True)
class ModelParameters:
    """A click model's parameters under our names.

    Attributes:
        frame: [parameter (query_id doc_id | relevance) (position) (last_click) value (n)].
        graded: whether the parameters of documents are by grade.
        prior: the mean of the prior of its fit, if known.
    """

    frame: Frame
    graded: bool
    prior: float | None


def open_model(model: Any, engine: Engine) -> tuple[Frame, float | None]:
    """The user's click model as a frame of the engine, and the mean of the prior of a fitted model.

    Raises:
        NotDefined: the model was fitted by group.
    """
    table, prior = model, None
    if hasattr(model, "parameters") and hasattr(model, "options"):
        if model.by:
            raise NotDefined(
                f"The click model has parameters for each {', '.join(model.by)}, and an evaluation reads one group.",
                'Choose a group: model.parameters().filter(pl.col("locale") == "de").',
            )
        a, b = model.options.prior
        table, prior = model.parameters(), (a / (a + b) if a + b > 0 else None)
    return open_source(Source(table, "click_model", TABLE), engine), prior


def canonical_parameters(frame: Frame, resolved: Mapping[str, str], *, text: bool) -> Frame:
    """The columns that measures read, under our names; with `text` numbers may be text, as in files.

    Raises:
        MissingColumn: there is no column of documents or grades.
    """
    paired = {"query_id", "doc_id"} <= resolved.keys()
    if not paired and "relevance" not in resolved:
        raise MissingColumn(
            "The click_model table has neither query_id and doc_id nor relevance, so its parameters belong to no "
            f"document (it has: {listed(frame.columns, 20)}).",
            "Pass model.parameters(), whose rows are by query and document, or by grade.",
        )
    left_out = ("relevance",) if paired else ("query_id", "doc_id")
    types = frame.collect_schema()
    names = {column: name for column, name in resolved.items() if column not in left_out}

    def loose(column: str) -> bool:
        """Whether a number may be text, as in text files, or the column has only nulls and no type."""
        dtype = types[names[column]]
        return CLICK_MODEL[column].kind != "id" and (dtype in UNTYPED or (text and dtype == pl.String))

    cast = {o: number(CLICK_MODEL.name, t, types[t], text=text) for o, t in names.items() if loose(o)}
    typed = {o: t for o, t in names.items() if o not in cast}
    return frame.select(*canonical(CLICK_MODEL, frame, typed), **cast)
