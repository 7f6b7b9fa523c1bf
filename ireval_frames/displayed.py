"""Results that notebooks show as tables."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from ireval_frames.escaping import lines, plain
from ireval_frames.lazy import hook

_READ: dict[str, Any] = {
    "tbl_hide_dataframe_shape": True,
    "tbl_hide_column_data_types": True,
    "tbl_rows": 100,
    "float_precision": 4,
    "fmt_str_lengths": 60,
}

# Signs that are not seen; spaces are no such.
_CONTROL = r"[\p{C}\p{Zl}\p{Zp}]|##"


class Displayed(ABC):
    """What a notebook shows as tables, and a terminal as text."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in ("__str__", "__repr__"):
            if name in cls.__dict__:
                setattr(cls, name, _harmless(cls.__dict__[name]))

    @abstractmethod
    def _displays(self) -> Sequence[Any]:
        """Its parts in their order: frames, tables as text (`comparison.text.tables.Tables`) and lines of text."""

    def __repr__(self) -> str:
        """What it is; nothing is computed, as it is to print it."""
        return f"{type(self).__name__}: print() shows it"

    def _repr_html_(self) -> str | None:
        """The tables, in no need of scripts; None where Jinja2 is not installed."""
        html: str | None = hook("notebook tables")(self._displays())
        return html

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        text = {"text/plain": str(self)}
        tables = self._repr_html_()
        return text if tables is None else text | {"text/html": tables}


def displays_of(result: Displayed) -> Sequence[Any]:
    """The frames, tables and lines that show a result."""
    return result._displays()  # noqa: SLF001 - users print it


def _harmless(text: Callable[[Any], str]) -> Callable[[Any], str]:
    """The text of a method, without characters from data that a terminal acts on."""

    @functools.wraps(text)
    def escaped_text(self: Any) -> str:
        return lines(text(self))

    return escaped_text


def plainly(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with names and texts that stay on their line, and on which a terminal does not act."""
    names = {name: plain(name) for name in frame.columns}
    # Names that would become equal stay as they are.
    frame = frame.rename(names) if len({*names.values()}) == len(names) else frame
    texts = [c for c, t in frame.schema.items() if t in (pl.String, pl.Categorical, pl.Enum)]
    for column in texts:
        shown = frame[column].cast(pl.String)
        if shown.str.contains(_CONTROL).any():
            frame = frame.with_columns(shown.map_elements(plain, pl.String).alias(column))
    return frame


def read(frame: pl.DataFrame, **options: Any) -> str:
    """A frame as a terminal shows it: up to a hundred rows, four decimals; options are those of `pl.Config`."""
    with pl.Config(**_READ, **options):
        return str(plainly(frame))
