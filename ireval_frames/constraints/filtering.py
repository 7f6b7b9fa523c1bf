"""Families of filtering measures, by their values for outputs without information.

Such an output returns the same share of the relevant documents as of the others: of 10 and 40 documents 3 and 12, say.
With the share returned, a *class-oriented* measure increases; a *utility* measure is linear, with a slope that depends
on the number of relevant documents; a measure of *informativeness* has the same value for all such outputs.  A measure
with *zero ends* is 0 if nothing or everything is returned, and only then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ireval_frames.constraints.cases import Case, Compared, Verdict, always

VERDICTS: Mapping[str, Verdict] = dict.fromkeys(("class-oriented", "utility", "informativeness", "zero ends"), always)
# The numbers of relevant and of other documents, of which all tenths are integers.
MIXES = ((10, 10), (10, 40), (40, 10), (20, 80), (70, 30))
TENTHS = range(11)


def cases() -> list[Case]:
    """The outputs of every mix as neighbours: a share, and the next smaller one."""
    return [_case(p, n, i, i - 1) for p, n in MIXES for i in TENTHS[1:]]


def _case(relevant: int, others: int, more: int, less: int) -> Case:
    gold = {f"r{i + 1}": 1 for i in range(relevant)} | {f"n{i + 1}": 0 for i in range(others)}
    return Case("class-oriented", gold, _output(relevant, others, more), _output(relevant, others, less))


def _output(relevant: int, others: int, tenths: int) -> dict[str, int]:
    return {f"r{i + 1}": 1 for i in range(relevant * tenths // 10)} | {
        f"n{i + 1}": 1 for i in range(others * tenths // 10)
    }


def outcomes(constraint: str, compared: Sequence[Compared], tolerance: float) -> list[tuple[str, Compared]]:
    """The outcome of every case for a family, from all values."""
    curves = [_curve(compared[i : i + 10]) for i in range(0, len(compared), 10)]
    match constraint:
        case "class-oriented":
            return [(c.outcome(tolerance), c) for c in compared if c.better is not None and c.worse is not None]
        case "informativeness":
            known = [v for curve in curves for v in curve if v is not None]
            median = known[len(known) // 2] if known else 0.0
            pairs = [(v, c) for c in compared for v in (c.better,) if v is not None]
            return [("satisfied" if abs(v - median) <= tolerance else "violated", c) for v, c in pairs]
        case "utility":
            slopes = [_slope(curve, tolerance) for curve in curves]
            return [
                (_linear(s, slopes[:1] + slopes[1:2], i, tolerance), compared[10 * i]) for i, s in enumerate(slopes)
            ]
    return [(_zero_ends(curve, tolerance), compared[10 * i]) for i, curve in enumerate(curves)]


def _curve(compared: Sequence[Compared]) -> list[float | None]:
    """The values by share, from nothing to everything."""
    return [compared[0].worse, *(c.better for c in compared)]


def _slope(curve: Sequence[float | None], tolerance: float) -> float | None:
    """The slope of a straight line, or None; ends may be undefined."""
    known = [(i, v) for i, v in enumerate(curve) if v is not None]
    if len(known) < len(curve) - 2:
        return None
    (first, low), (last, high) = known[0], known[-1]
    slope = (high - low) / (last - first)
    return (
        slope
        if all(abs(low + slope * (i - first) - v) <= tolerance * max(1.0, abs(high), abs(low)) for i, v in known)
        else None
    )


def _linear(slope: float | None, first: Sequence[float | None], i: int, tolerance: float) -> str:
    """Whether the slope differs from that of the first mix (for the first: of the second)."""
    other = first[1 if i == 0 else 0]
    if slope is None or other is None:
        return "violated"
    return "ties" if abs(slope - other) <= tolerance else "satisfied"


def _zero_ends(curve: Sequence[float | None], tolerance: float) -> str:
    ends, inside = (curve[0], curve[-1]), curve[1:-1]
    zero = all(v is not None and abs(v) <= tolerance for v in ends)
    return "satisfied" if zero and all(v is not None and v > tolerance for v in inside) else "violated"


def text(output: Mapping[str, int | str]) -> str:
    """The numbers of returned documents, as text."""
    relevant = sum(d[0] == "r" for d in output)
    return f"{relevant} relevant and {len(output) - relevant} others"


def gold_text(gold: Mapping[str, int | str]) -> str:
    """The numbers of documents, as text."""
    relevant = sum(bool(v) for v in gold.values())
    return f"{relevant} relevant and {len(gold) - relevant} others"
