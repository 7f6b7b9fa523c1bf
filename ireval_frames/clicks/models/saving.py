"""A click model as a file of its parameters: Parquet, with the options of the fit as metadata."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.clicks.models.declared import ClickModel, Trace
from ireval_frames.clicks.models.options import Options
from ireval_frames.errors import DuplicateRows, FileError, InvalidParameter, MissingColumn, listed
from ireval_frames.io.storage.atomic import replacing
from ireval_frames.io.storage.failures import READ_ERRORS, cause
from ireval_frames.version import __version__

KEY = "ireval_click_model"

_FAILURES: tuple[type[BaseException], ...] = (*READ_ERRORS, ValueError, RecursionError)


def metadata(
    name: str,
    groups: Mapping[str, str],
    options: Options,
    trace: Trace,
    confidence: float,
    longest: int,
    *,
    graded: bool,
) -> dict[str, Any]:
    """The options of a fit and its trace, as plain values."""
    return {
        "name": name,
        "groups": dict(groups),
        "options": options.described(),
        "trace": {k: v for k, v in dataclasses.asdict(trace).items() if k != "last_change"},
        "confidence": confidence,
        "longest": longest,
        "graded": graded,
        "version": __version__,
    }


def save(rows: pl.DataFrame, path: str | os.PathLike[str], of: dict[str, Any]) -> None:
    """Write the parameters and the metadata.

    Raises:
        FileError: it cannot be written; an older file remains.
    """
    with replacing(Path(path)) as stream:
        rows.write_parquet(stream, metadata={KEY: json.dumps(of)})


def read(path: str | os.PathLike[str]) -> tuple[pl.DataFrame, dict[str, Any]]:
    """The parameters and the metadata.

    Raises:
        FileError: it does not exist, or is no click model.
    """
    try:
        # Polars takes no path of bytes.
        with Path(path).open("rb") as stream:
            text = pl.read_parquet_metadata(stream).get(KEY)
            stream.seek(0)
            rows = pl.read_parquet(stream)
        stored: dict[str, Any] = {} if text is None else json.loads(text)
    except _FAILURES as error:
        raise FileError(
            f"{os.fspath(path)} cannot be read: {cause(error)}.", "Name a file that model.save(path) wrote."
        ) from error
    if text is None:
        raise FileError(f"{os.fspath(path)} is no click model.", "Name a file that model.save(path) wrote.")
    return rows, stored


def checked(model: ClickModel[Any], rows: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """A table of parameters, if it is one of the model.

    Raises:
        MissingColumn: a column is not there.
        InvalidParameter: a parameter has no value, or one that is no probability.
        DuplicateRows: it has several.
    """
    needed = {"parameter", "value", *by, *(k for p in model.parameters for k in p.keys)}
    for column in sorted(needed - {*rows.columns}):
        raise MissingColumn(
            f"The table of parameters has no column {column!r} (it has: {listed(rows.columns, 20)}).",
            f"{model.name} has the parameters " + ", ".join(f"{p.name} by {p.keys}" for p in model.parameters) + ".",
        )
    present = set(rows["parameter"].to_list())
    for parameter in model.parameters:
        if parameter.name not in present:
            raise InvalidParameter(
                f"The table of parameters has no {parameter.name!r}, which {model.name} needs.",
                f"Give it rows with parameter={parameter.name!r}.",
            )
    bad = rows.filter(~pl.col("value").is_between(0.0, 1.0))
    if bad.height:
        raise InvalidParameter(
            f"The {bad['parameter'][0]} of a row is {bad['value'][0]!r}; values are probabilities.",
            'Find them: parameters.filter(~pl.col("value").is_between(0, 1))',
        )
    for parameter in model.parameters:
        own = rows.filter(pl.col("parameter") == parameter.name).select(*by, *parameter.keys)
        if (twice := own.filter(own.is_duplicated())).height:
            of = ", ".join(f"{k} {v!r}" for k, v in twice.row(0, named=True).items())
            raise DuplicateRows(
                f"The {parameter.name}{of and f' of {of}'} has several values.",
                "Keep one row of each.",
            )
    return rows
