"""Results that notebooks show as tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import polars as pl

# What makes tables of results stands below them, so it is asked for by its name.
_TABLES = f"{__package__}.reporting.displays"
_READ: dict[str, Any] = {
    "tbl_hide_dataframe_shape": True,
    "tbl_hide_column_data_types": True,
    "tbl_rows": 100,
    "float_precision": 4,
    "fmt_str_lengths": 60,
}


class Displayed(ABC):
    """What a notebook shows as tables, and a terminal as text."""

    @abstractmethod
    def displays(self) -> Sequence[Any]:
        """What is seen of it, in its order: frames, tables to read (`comparison.written.Tables`) and lines of text."""

    def _repr_html_(self) -> str | None:
        """The tables, in no need of scripts; None where Jinja2 is not installed."""
        made: str | None = import_module(_TABLES).html(self.displays())
        return made

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        text = {"text/plain": repr(self)}
        tables = self._repr_html_()
        return text if tables is None else text | {"text/html": tables}


def read(frame: pl.DataFrame, **options: Any) -> str:
    """A frame as a terminal shows it: up to a hundred rows, four decimals; options are those of `pl.Config`."""
    with pl.Config(**_READ, **options):
        return str(frame)
