"""How large the tables are."""

from dataclasses import dataclass

# Numbers of ids in the collections that the tables are made like.
QUERIES, PASSAGES, DOCUMENTS = 1_185_869, 8_841_823, 10_000_000


@dataclass(frozen=True)
class Sizes:
    """Numbers of queries and of documents per query."""

    name: str
    passages: tuple[int, int]
    """Ids are text, like those of MS MARCO passages."""
    big: tuple[int, int]
    """Ids are integers."""
    billion: tuple[int, int]
    """Of the same kind as `big`, with longer lists, in several files."""
    texts: tuple[int, int]
    """Ids are text, as in `passages`."""
    million: tuple[int, int]
    """Of the same kind as `big`."""
    spark: tuple[int, int]
    """Of the same kind as `big`; `skewed` has as many rows, a third of them in one query."""
    small: tuple[int, int]
    """Of the same kind as `passages`."""

    labels: int
    """Items."""
    users: tuple[int, int]
    """Items, and the users whom they belong to, each to as many."""
    repeats: int
    """Small evaluations in one process."""
    systems: tuple[int, int]
    """Systems, and units of each."""
    pages: int
    """Result pages of a click log."""
    pooled: tuple[int, int, int]
    """Runs, queries, and documents of each list."""
    fused: tuple[int, int]
    """Queries of ten runs, beside another tool and alone."""
    battles: int
    """Battles of a hundred models."""
    recommended: int
    """Users, to each of whom ten items are recommended."""
    answered: tuple[int, int]
    """Runs, and queries that each answers."""
    scale: tuple[int, ...]
    """Rows of the tables by which growth is measured; other tables have a hundredth of the last."""

    def rows(self, table: str) -> int:
        """How many rows the run of that table has."""
        queries, depth = getattr(self, table)
        return int(queries * depth)

    def described(self, table: str) -> str:
        """The number of rows for people: "7 M rows"."""
        return f"{thousands(self.rows(table))} rows"


def thousands(number: int) -> str:
    """A number for people: "7 M"."""
    if number < 1_000:
        return str(number)
    return f"{number / 1e6:.0f} M" if number >= 1e6 else f"{number / 1e3:.0f} k"


FULL = Sizes(
    "full",
    passages=(6_980, 1_003),
    big=(100_000, 1_000),
    billion=(100_000, 10_000),
    texts=(100_000, 1_000),
    million=(1_000, 1_000),
    spark=(20_000, 1_000),
    small=(100, 1_003),
    labels=10_000_000,
    users=(100_000_000, 100_000_000),
    repeats=1_000,
    systems=(2_000, 5_000),
    pages=10_000_000,
    pooled=(100, 1_000, 1_000),
    fused=(700, 7_000),
    battles=1_000_000,
    recommended=1_000_000,
    answered=(100, 5_000),
    scale=(10_000, 100_000, 1_000_000, 10_000_000, 100_000_000),
)
QUICK = Sizes(
    "quick",
    passages=(200, 1_003),
    big=(2_000, 1_000),
    billion=(1_000, 10_000),
    texts=(2_000, 1_000),
    million=(20, 1_000),
    spark=(2_000, 1_000),
    small=(100, 1_003),
    labels=200_000,
    users=(2_000_000, 2_000_000),
    repeats=100,
    systems=(200, 500),
    pages=200_000,
    pooled=(10, 100, 1_000),
    fused=(20, 100),
    battles=20_000,
    recommended=20_000,
    answered=(10, 1_000),
    scale=(100_000, 1_000_000),
)
SIZES = {sizes.name: sizes for sizes in (FULL, QUICK)}
