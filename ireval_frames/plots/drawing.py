"""What a picture draws: few rows, one per mark, and the words around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined
from ireval_frames.escaping import plain

# Altair refuses more.
MAX_ROWS = 5_000
# Engines add in an order that differs from one run to the next, and so do the last digits of what they add: drawn, they
# would move places and colours, or make a step of two equal values.
DIGITS = 10


@dataclass(frozen=True, eq=False)
class Drawing:
    """What a picture draws.

    Attributes:
        frame: a row per mark.
        title: of the picture.
        subtitle: lines about units, bars and what was left out.
        alt: a sentence for those who do not see it.
        more: what the picture needs besides.
        fewer: the argument that gives fewer rows, and a value of it.
    """

    frame: pl.DataFrame
    title: str
    subtitle: tuple[str, ...] = ()
    alt: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)
    fewer: tuple[str, Any] | None = None

    def drawable(self) -> Drawing:
        """The same without what no picture can show: ids are text, control signs written out, NaN null, digits cut.

        Raises:
            NotDefined: there is nothing to draw.
            InvalidParameter: there are more rows than marks that are legible.
        """
        if not self.frame.height:
            raise NotDefined(f"There is nothing to draw of {self.title!r}: no row has a value.", "Look at the table.")
        if self.frame.height > MAX_ROWS:
            how = Hint("Draw fewer: ", Argument(*self.fewer), ".") if self.fewer else "Draw a part of it."
            raise InvalidParameter(f"{self.frame.height:,} marks are more than a picture can show ({MAX_ROWS:,}).", how)
        texts = pl.selectors.string() | pl.selectors.categorical() | pl.selectors.enum()
        floats = pl.selectors.float()
        frame = self.frame.with_columns(
            texts.cast(pl.String).map_elements(plain, return_dtype=pl.String),
            pl.when(floats.is_finite()).then(rounded(floats)),
        )
        title, subtitle, alt = plain(self.title), tuple(map(plain, self.subtitle)), plain(self.alt)
        return replace(self, frame=frame, title=title, subtitle=subtitle, alt=alt, more=_plain(self.more))


def rounded(of: str | pl.Expr) -> pl.Expr:
    """A column without the last digits, in which sums of the same values may differ."""
    return (pl.col(of) if isinstance(of, str) else of).round_sig_figs(DIGITS)


def _plain(value: Any) -> Any:
    """Texts as they are drawn, inside of lists and mappings too: they are looked up among those of the frame."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, Mapping):
        return {_plain(k): _plain(v) for k, v in value.items()}
    return type(value)(_plain(v) for v in value) if isinstance(value, list | tuple) else value
