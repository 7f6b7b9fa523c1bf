"""The conventions of a comparison, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ireval_frames.comparison.options import FAMILIES, ComparisonOptions
from ireval_frames.comparison.values.grids import ERROR, INTERSECT, Grid
from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.stats.corrections import find_correction

# Fewer units than these make a bootstrap's interval too short.
FEW_UNITS = 50


def explain(grids: Sequence[Grid], values: PerUnitValues, options: ComparisonOptions, table: pl.DataFrame) -> str:
    """What was compared, and how: unit sets, directions, ties, tests, intervals, draws, corrections; of what ran."""
    sections = {
        "compared": _compared(grids, values, options),
        "units": _units(grids, values, options),
        "tests": _tests(grids, options, table),
        "p-values": _corrections(options),
    }
    lines: list[str] = []
    for title, section in sections.items():
        lines += [*([""] if lines else []), title, *(f"  {line}" for line in section)]
    return "\n".join(lines)


def _compared(grids: Sequence[Grid], values: PerUnitValues, options: ComparisonOptions) -> list[str]:
    measures = {g.measure: g for g in grids}
    systems = max(len(g.systems) for g in grids)
    pairs = systems - 1 if options.baseline is not None else systems * (systems - 1) // 2
    against = f"each with {options.baseline!r}" if options.baseline is not None else "every two"
    by = f", in {len(grids) // len(measures)} groups of {', '.join(values.by)}" if values.by else ""
    less = [name for name, grid in measures.items() if grid.lower_is_better]
    return [
        f"{systems} systems ({values.system}), {against}: {pairs} pairs{by}",
        f"measures: {', '.join(measures)}",
        "differences are system − baseline; more is better" + (f", but less of {', '.join(less)}" if less else ""),
    ]


def _units(grids: Sequence[Grid], values: PerUnitValues, options: ComparisonOptions) -> list[str]:
    rules = {
        ERROR: "systems must have the same units",
        INTERSECT: "each pair on the units that both have; tests of all systems on those that all have",
    }
    rule = rules.get(str(options.missing), f"missing values count {options.missing}")
    if not options.pairs_units:
        rule = "each system on its own units"
    if options.of_moments:
        rule += ", of which the engine tells number, mean and variance, in one GROUP BY"
    lines = [f"unit: {', '.join(values.unit) or 'a row'}", f"missing = {options.missing}: {rule}"]
    lines += [*values.notes, *values.pooled]
    lacking = [g for g in grids if np.isnan(g.values).any()]
    if lacking and options.pairs_units:
        lines.append("pairs were compared on different units, so they are not one design")
    if options.tolerance is not None:
        lines.append(f"tolerance = {options.tolerance:g}: differences of at most that are ties, in tests of signs too")
    else:
        lines.append("tolerance: differences within the rounding of both values of a unit are ties")
    return lines


def _tests(grids: Sequence[Grid], options: ComparisonOptions, table: pl.DataFrame) -> list[str]:
    lines = []
    side = {"greater": "the system is better", "less": "the system is worse", "two-sided": "either"}
    for test in options.tests:
        lines.append(f"{test.name}: {test.description} ({test.source})")
        lines.append(f"    statistic: {test.statistic}; design: {test.design}; effect size: {test.effect or 'none'}")
        lines += [
            f"    {name} = {options.more.get(name, parameter.default)!r}" for name, parameter in test.reads.items()
        ]
        if (own := options.alternative_of(test)) != options.alternative:
            lines.append(f"    alternative = {own}: {side[own]}, or no worse than by the margin")
    lines.append(f"alternative = {options.alternative}: {side[options.alternative]}")
    lines.append(f"confidence = {options.confidence:g}")
    if drawn := table.filter(pl.col("n_resamples") > 0)["test"].unique(maintain_order=True).to_list():
        blocks = f"n_resamples = {options.n_resamples}, seed = {options.seed}, in blocks, each with a seed of its own"
        lines.append(blocks + ("" if len(drawn) == len(options.tests) else f": of {', '.join(drawn)}"))
    fewest = min(g.sizes[0] for g in grids)
    if fewest < FEW_UNITS and any(t.name == "bootstrap" for t in options.tests) and _unstudentised(options):
        lines.append(f"note: with {fewest} units this bootstrap rejects too often; t and randomization do not")
    return lines


def _unstudentised(options: ComparisonOptions) -> bool:
    """Whether the bootstrap's p-value is not studentised."""
    kind, interval = options.more.get("kind", "interval"), options.more.get("interval", "studentised")
    return bool(kind == "shift" or (kind == "interval" and interval != "studentised"))


def _corrections(options: ComparisonOptions) -> list[str]:
    correction = find_correction(options.correction)
    within = "any" if correction.dependence == "any" else correction.dependence
    corrected = [t.name for t in options.tests if t.p_values and not t.adjusted]
    own = [t.name for t in options.tests if t.adjusted]
    none = [t.name for t in options.tests if not t.p_values]
    lines = []
    if corrected:
        of = "" if len(corrected) == len(options.tests) else f", of {', '.join(corrected)}"
        controls = f"controls {correction.controls} for {within} tests"
        lines += [
            f"correction = {correction.name}: {correction.description}; {controls}{of}",
            f"family = {options.family}: {FAMILIES[options.family]}",
            "p-values that are undefined stay so and are not counted",
        ]
    lines += [f"{', '.join(own)}: adjusted for all pairs by the test itself"] if own else []
    return [*lines, *([f"{', '.join(none)}: posterior probabilities, no p-values"] if none else [])]
