"""What the user calls the columns of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence


class ColumnNames(dict[str, str]):
    """What the user calls the columns of one of several tables, ours → theirs.

    Args:
        of_one: names for this table: they must be there.
        of_all: names for whichever table has them.
        seen: is told the columns of the table, and which of ours were found by name.
    """

    def __init__(
        self,
        of_one: Mapping[str, str],
        of_all: Mapping[str, str],
        seen: Callable[[Sequence[str], Sequence[str]], None],
    ) -> None:
        super().__init__({**of_all, **of_one})
        self.of_one, self._seen = of_one, seen

    def within(self, names: Sequence[str]) -> dict[str, str]:
        """Those that count for a table of these columns."""
        out = {ours: theirs for ours, theirs in self.items() if ours in self.of_one or theirs in names}
        self._seen(names, list(out))
        return out


def within(columns: Mapping[str, str] | None, names: Sequence[str]) -> Mapping[str, str]:
    """What counts of a mapping for a table of these columns."""
    return columns.within(names) if isinstance(columns, ColumnNames) else columns or {}
