"""What the rows of a table of a plan must not be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from ireval_frames.expr import Expr
from ireval_frames.plan.tables import Table


@dataclass(frozen=True)
class Requirement:
    """Rows that must not exist, and the error that says so."""

    table: Table
    bad: Expr
    error: Callable[[pl.DataFrame, int], Exception]
