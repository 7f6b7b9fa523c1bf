"""What is said of measures that are pooled over units where values per unit are compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ireval_frames.errors import listed


def notes_on_pooled(measures: Sequence[str], unit: str, without: Sequence[str] = ()) -> Iterator[str]:
    """That pooled measures are compared by their values per unit, not by those that summaries give.

    Args:
        measures: the pooled ones.
        unit: what units are called.
        without: those of them of which no unit has a value.
    """
    unit = unit or "units"
    for names, here in (
        ([m for m in measures if m not in without], f"compared here by means over {unit}"),
        (without, f"not compared here, as no {unit} has a value of its own"),
    ):
        if names:
            are = "are" if len(names) > 1 else "is"
            yield (
                f"{listed(names)} {are} pooled over {unit} in summaries, and {here}; "
                "ir.resampling.bootstrap(…).compare() compares the pooled values."
            )
