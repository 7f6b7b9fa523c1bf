"""Rows of the report: two measurements, their ratio, and the target."""

import operator
from collections.abc import Iterable
from dataclasses import dataclass, replace

from benchmarks.jobs import Measured, Missing, Result, gigabytes

# Other tools compare scores as 32-bit floats or order ties differently, which the tables' few ties show below this.
AGREE = 1e-7

HEADER = ("case", "this project", "peer", "ratio", "target")
_SIGNS = {"≥": operator.ge, "≤": operator.le, "<": operator.lt}


@dataclass(frozen=True)
class Row:
    """A line of the report."""

    case: str
    ours: str
    peer: str
    value: float | None
    """The ratio or, with a unit, the measured value itself that the target limits."""
    sign: str = ""
    limit: float = 0.0
    unit: str = "×"
    difference: float | None = None
    """The largest difference between means that both sides found."""

    def cells(self, *, judged: bool) -> tuple[str, ...]:
        """The line's cells; `judged` says whether the target was met."""
        ratio = f"{self.value:.2f}×" if self.value is not None and self.unit == "×" else ""
        target = f"{self.sign} {self.limit:g}{self.unit if self.unit == '×' else ' ' + self.unit}" if self.sign else ""
        if target and judged:
            target += (
                ", not measured"
                if self.value is None
                else ", met"
                if _SIGNS[self.sign](self.value, self.limit)
                else ", **missed**"
            )
        return self.case, self.ours, self.peer, ratio, target


def faster(case: str, ours: Result, peer: Result, limit: float | None = None) -> Row:
    """How many times as long the peer takes; the target is at least that."""
    return Row(
        case,
        str(ours),
        str(peer),
        _ratio(peer, ours),
        "≥" if limit else "",
        limit or 0.0,
        difference=_difference(ours, peer),
    )


def within(case: str, ours: Result, base: Result, limit: float | None = None) -> Row:
    """How many times as long ours takes as a base; the target is at most that."""
    return Row(
        case,
        str(ours),
        str(base),
        _ratio(ours, base),
        "≤" if limit else "",
        limit or 0.0,
        difference=_difference(ours, base),
    )


def within_per_row(case: str, ours: Result, rows: int, base: Result, base_rows: int, limit: float) -> Row:
    """How many times as long a row takes in a large table as in a small one."""
    if isinstance(ours, Missing) or isinstance(base, Missing):
        return Row(case, str(ours), str(base), None, "≤", limit)
    each, base_each = ours.seconds / rows, base.seconds / base_rows
    return Row(case, f"{each * 1e9:.0f} ns per row", f"{base_each * 1e9:.0f} ns per row", each / base_each, "≤", limit)


def faster_per_row(case: str, ours: Result, rows: int, peer: Result, peer_rows: int, limit: float) -> Row:
    """How many times as long the peer takes for a row; the target is at least that."""
    row = within_per_row(case, ours, rows, peer, peer_rows, limit)
    return replace(row, value=1 / row.value if row.value else None, sign="≥")


def peak(case: str, ours: Result, sign: str, limit: float) -> Row:
    """A limit on memory, in GB."""
    if isinstance(ours, Missing):
        return Row(case, str(ours), "", None, sign, limit, "GB")
    return Row(case, gigabytes(ours.peak), "", ours.peak / 1e9, sign, limit, "GB")


def below(case: str, ours: Result, limit: float) -> Row:
    """A limit on seconds."""
    return Row(case, str(ours), "", ours.seconds if isinstance(ours, Measured) else None, "<", limit, "s")


def shown(case: str, ours: str, *, difference: float | None = None) -> Row:
    """What was found, without a peer or a target."""
    return Row(case, ours, "", None, difference=difference)


def table(rows: Iterable[Row], *, judged: bool) -> str:
    """A Markdown table."""
    cells = [HEADER, *(row.cells(judged=judged) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in cells
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def agreement(rows: Iterable[Row]) -> str:
    """Where the means of both sides differ, or that they do not."""
    compared = [(row.case, row.difference) for row in rows if row.difference is not None]
    if not compared:
        return "No means to compare."
    different = [
        f"- {case}: the means differ by up to {difference:.1e}" for case, difference in compared if difference > AGREE
    ]
    if different:
        return "\n".join(different)
    return f"The means of all {len(compared)} pairs agree; the largest difference is {max(d for _, d in compared):.1e}."


def _ratio(long: Result, short: Result) -> float | None:
    if isinstance(long, Missing) or isinstance(short, Missing):
        return None
    return long.seconds / short.seconds


def _difference(ours: Result, peer: Result) -> float | None:
    if isinstance(ours, Missing) or isinstance(peer, Missing):
        return None
    both = ours.values.keys() & peer.values.keys()
    return max((abs(ours.values[name] - peer.values[name]) for name in both), default=None)
