"""A reproduction as text: its tables, and its conventions in words."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from ireval_frames.comparison.text.tables import Block, Cell, Tables, interval_of, number, p_value, shown, signed
from ireval_frames.comparison.values.grids import ERROR, INTERSECT
from ireval_frames.errors import listed
from ireval_frames.replication.matching import Matched
from ireval_frames.replication.options import ITEMS, ReproductionOptions

# More pairs of systems are not listed in texts; `effects()` has them.
MAX_PAIRS = 30
EQUIVALENT = "≡"


def tables(
    matched: Matched, options: ReproductionOptions, scores: pl.DataFrame, effects: pl.DataFrame | None
) -> Tables:
    """The scores, and the effects if there are several systems."""
    interval = f"{options.confidence * 100:g}% interval"
    renamed = any(str(a) != str(b) for a, b in matched.systems.items())
    keys = ["measure", *matched.by, "system", *(["replica"] if renamed else [])]
    header = (*keys, "units", "original", "replication", "difference", interval, "RMSE", "nRMSE", "p", "")
    lines = []
    for row in scores.iter_rows(named=True):
        equivalent = EQUIVALENT if row["equivalent"] else ""
        numbers = (
            Cell(_units(row)),
            Cell(number(row["arp_original"])),
            Cell(number(row["arp_replica"])),
            Cell(signed(row["difference"]), mark=equivalent),
            Cell(interval_of(row["ci_low"], row["ci_high"])),
            Cell(number(row["rmse"])),
            Cell(number(row["nrmse"])),
            Cell(p_value(row["p_value"])),
            Cell("" if row["status"] == "ok" else row["status"]),
        )
        lines.append((*(Cell(shown(row[k])) for k in keys), *numbers))
    details = () if effects is None or effects.height > MAX_PAIRS else (_effects(matched, effects, interval),)
    return Tables(Block("", header, tuple(lines), len(keys)), details, tuple(_notes(scores, options)))


def _effects(matched: Matched, effects: pl.DataFrame, interval: str) -> Block:
    keys = ["measure", *matched.by, "baseline", "system"]
    header = (*keys, "original", "replication", "effect ratio", interval, "ΔRI", interval, "")
    lines = []
    for row in effects.iter_rows(named=True):
        status = dict.fromkeys(row[c] for c in ("ratio_status", "relative_status") if row[c] != "ok")
        numbers = (
            Cell(signed(row["effect_original"])),
            Cell(signed(row["effect_replica"])),
            Cell(number(row["effect_ratio"])),
            Cell(interval_of(row["ratio_low"], row["ratio_high"])),
            Cell(signed(row["relative_difference"])),
            Cell(interval_of(row["relative_low"], row["relative_high"])),
            Cell(", ".join(status)),
        )
        lines.append((*(Cell(shown(row[k])) for k in keys), *numbers))
    return Block("Effects: system − baseline", header, tuple(lines), len(keys))


def _units(row: dict[str, object]) -> str:
    if row["design"] == "paired":
        return str(row["n_common"])
    return f"{row['n_original']}/{row['n_replica']}"


def _notes(scores: pl.DataFrame, options: ReproductionOptions) -> Iterator[str]:
    tests = " or ".join(scores["test"].unique().sort())
    yield f"p: of no difference ({tests}); a large one does not show a reproduction."
    if options.margin is not None:
        yield f"{EQUIVALENT}: equivalent, within the margin at {1 - options.confidence:.3g}."


def explain(matched: Matched, options: ReproductionOptions) -> str:
    """The matched names, and how they are compared."""
    rules = {
        ERROR: "original and replica, and all systems, must have the same units",
        INTERSECT: "units of both",
    }
    paired = matched.matches[0].paired
    rule = rules.get(str(options.missing), f"missing values count {options.missing}")
    if not paired:
        rule = "each side on its own units; systems of one side must have the same units, unless missing is set"
    names = [f"{a} → {b}" if str(a) != str(b) else str(a) for a, b in matched.systems.items()]
    lines = [
        "compared",
        f"  {len(names)} systems ({matched.system}): {listed(names, 20)}",
        f"  measures: {', '.join(dict.fromkeys(match.grid.measure for match in matched.matches))}",
        *(
            f"  {what} of one side only: {listed(names_of_one, 20)}"
            for what, names_of_one in matched.unmatched.items()
            if names_of_one
        ),
        "  differences are replica − original, effects system − baseline",
        "",
        "units",
        f"  unit: {', '.join(matched.unit) or 'all rows'}",
        f"  design = {matched.matches[0].design}: "
        + ("units of one name are the same" if paired else "units of original and replica are different ones"),
        f"  missing = {options.missing}: {rule}",
        "",
        "tests",
        "  no difference: paired t" if paired else "  no difference: Welch's t",
        f"  equivalence: two one-sided tests at α = {1 - options.confidence:.3g}, margin = {options.margin}",
        "  effect ratio: Fieller's interval; difference of relative improvements: delta method",
        f"  confidence = {options.confidence:g}",
        "  p-values are of single tests, not corrected",
        f"  lists of documents: {ITEMS['union']}",
    ]
    return "\n".join(lines)
