"""A family whose tables have a name in every role; items with all that families read."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

DICE = random.Random(1)
N = 24
ITEMS = pl.DataFrame(
    {
        "item_id": [f"i{i}" for i in range(N)],
        "label": [DICE.choice("xy") for _ in range(N)],
        "prediction": [DICE.choice("xy") for _ in range(N)],
        "score": [DICE.random() for _ in range(N)],
        "weight": [float(DICE.randint(1, 3)) for _ in range(N)],
        "user": [f"u{i % 3}" for i in range(N)],
        "part": [f"g{i % 2}" for i in range(N)],
        "cluster_id": [DICE.randint(1, 3) for _ in range(N)],
        "first": [DICE.random() for _ in range(N)],
        "second": [DICE.random() for _ in range(N)],
        "relevance": [DICE.randint(0, 2) for _ in range(N)],
    }
)
Columns = Mapping[str, str]


@dataclass(frozen=True)
class Family:
    """The tables of an evaluation, all of whose columns have a role, and how they are evaluated."""

    tables: dict[str, pl.DataFrame]
    evaluate: Callable[..., Any]

    @property
    def roles(self) -> list[str]:
        """The columns of all tables."""
        return list(dict.fromkeys(c for table in self.tables.values() for c in table.columns))

    def renamed(self, names: Columns) -> dict[str, pl.DataFrame]:
        """The tables with renamed columns."""
        return {
            name: table.rename({k: v for k, v in names.items() if k in table.columns})
            for name, table in self.tables.items()
        }

    def of(self, tables: Mapping[str, Any], names: Columns, **options: Any) -> Any:
        """The evaluation of tables with renamed columns."""
        return self.evaluate(tables, {r: r for r in self.roles} | dict(names), **options)
