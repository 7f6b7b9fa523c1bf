"""Narwhals' expressions as Polars' own, without Narwhals' checks, which cost more than small plans."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.engines import expressions
from ireval_frames.engines.expressions import Window
from ireval_frames.errors import NotDefined


def expression(expr: nw.Expr) -> pl.Expr:
    """The expression in Polars."""
    return expressions.translated(expr, _POLARS)


@functools.lru_cache(maxsize=256)
def dtype(of: Any) -> Any:
    """A Narwhals type as Polars' own."""
    return nw.to_native(nw.new_series("", [], of, backend="polars")).dtype


@functools.lru_cache(maxsize=256)
def narwhals_dtype(of: Any) -> Any:
    """A Polars type as Narwhals'."""
    return nw.from_native(pl.Series([], dtype=of), series_only=True).dtype


class _Polars:
    def column(self, name: str) -> pl.Expr:
        return _column(name)

    def literal(self, value: Any, of: Any) -> pl.Expr:
        if of is not None:
            return pl.lit(value, dtype=dtype(of))
        # Equal numbers of several types are one key, and so are 0.0 and -0.0; their texts differ.
        return _literal(value, repr(value)) if type(value) in (int, float, bool, str) else pl.lit(value)

    def operation(
        self,
        name: str,
        before: pl.Expr | None,
        others: Sequence[pl.Expr],
        options: Mapping[str, Any],
        window: Window | None,
    ) -> pl.Expr:
        out = self._plain(name, before, others, options)
        if window is None:
            return out
        if not window.keys:
            return out.over(pl.lit(1), order_by=list(window.order) or None)
        return out.over(list(window.keys), order_by=list(window.order) or None)

    def _plain(
        self, name: str, before: pl.Expr | None, others: Sequence[pl.Expr], options: Mapping[str, Any]
    ) -> pl.Expr:
        if before is None:
            if name not in _FIRST:
                raise _unwritten(name)
            return _FIRST[name](others, options)
        if name in _OTHERWISE:
            return _OTHERWISE[name](before, others, options)
        method: Any = before
        for part in name.split("."):
            method = getattr(method, part)
        out: pl.Expr = method(*others, **options)
        return out


@functools.lru_cache(maxsize=4096)
def _column(name: str) -> pl.Expr:
    # Some names mean several columns to Polars.
    return pl.selectors.by_name(name).as_expr() if name == "*" or name[:1] == "^" else pl.col(name)


@functools.lru_cache(maxsize=1024)
def _literal(value: float | str, text: str) -> pl.Expr:
    del text
    return pl.lit(value)


def _when(others: Sequence[pl.Expr], _: Mapping[str, Any]) -> pl.Expr:
    out = pl.when(others[0]).then(others[1])
    return out.otherwise(others[2]) if len(others) > 2 else out


def _filled(before: pl.Expr, others: Sequence[pl.Expr], options: Mapping[str, Any]) -> pl.Expr:
    if options.get("strategy") is not None:
        # Rows have no order.
        raise _unwritten(f"fill_null with strategy={options['strategy']!r}")
    return before.fill_null(others[0])


def _unwritten(what: str) -> NotDefined:
    return NotDefined(f"Polars is not told {what}: it is not translated here.", "Say it in other operations.")


# Operations that begin an expression.
_FIRST: dict[str, Callable[[Sequence[pl.Expr], Mapping[str, Any]], pl.Expr]] = {
    "when_then": _when,
    "len": lambda _, __: pl.len(),
    "concat_str": lambda o, x: pl.concat_str(*o, separator=x["separator"], ignore_nulls=x["ignore_nulls"]),
    "all_horizontal": lambda o, _: pl.all_horizontal(*o),
    "any_horizontal": lambda o, _: pl.any_horizontal(*o),
    "max_horizontal": lambda o, _: pl.max_horizontal(*o),
    "min_horizontal": lambda o, _: pl.min_horizontal(*o),
    "sum_horizontal": lambda o, _: pl.sum_horizontal(*o),
    "mean_horizontal": lambda o, _: pl.mean_horizontal(*o),
    "coalesce": lambda o, _: pl.coalesce(*o),
}
# Operations whose arguments are not Polars' own.
_OTHERWISE: dict[str, Callable[[pl.Expr, Sequence[pl.Expr], Mapping[str, Any]], pl.Expr]] = {
    "cast": lambda e, _, x: e.cast(dtype(x["dtype"])),
    "alias": lambda e, _, __: e,
    "is_in": lambda e, _, x: e.is_in(list(x["other"])),
    "clip_lower": lambda e, o, _: e.clip(o[0], None),
    "clip_upper": lambda e, o, _: e.clip(None, o[0]),
    "fill_null": _filled,
    # A list that is too short has null there, as in SQL.
    "list.get": lambda e, _, x: e.list.get(x["index"], null_on_oob=True),
    "is_between": lambda e, o, x: e.is_between(o[0], o[1], closed=x["closed"]),
}
_POLARS = _Polars()
