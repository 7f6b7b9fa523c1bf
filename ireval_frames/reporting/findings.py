"""The findings in words, with their certainty: a sentence per measure and group."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ireval_frames.comparison.comparison import Comparison
from ireval_frames.comparison.text.tables import interval_of, number, p_value, signed
from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.plots.inputs import grouped, text
from ireval_frames.plots.verdicts import BETTER, NEITHER, WORSE, gain, significant, turn
from ireval_frames.plots.words import counted, unit_word
from ireval_frames.reporting.cells import name
from ireval_frames.reporting.resampled import Resampled


@dataclass(frozen=True, eq=False)
class Findings:
    """The content of sentences.

    Attributes:
        values: the values per unit.
        means: the systems of every measure and group with their mean and its interval (`plots.intervals.means`).
        comparison: of the systems; None for a single system.
        confidence: of the intervals.
        resampled: intervals and differences of single values by resampling.
    """

    values: PerUnitValues
    means: pl.DataFrame
    comparison: Comparison | None
    confidence: float
    resampled: Resampled = field(default_factory=Resampled)

    def ordered(self, rows: pl.DataFrame | None = None) -> pl.DataFrame:
        """The means, or other rows of these systems, the best first."""
        names = self.means["measure"].unique(maintain_order=True).to_list()
        rows = self.means if rows is None else rows
        return rows.sort(turn("measure", names), "group", -gain(self.values, "value"), "run_id", nulls_last=True)

    @property
    def interval(self) -> str:
        """The kind of the intervals."""
        kind = "t interval of the mean" if self.resampled.ends is None else f"interval, {self.resampled.over}"
        return f"{_percent(self.confidence)} {kind}"

    @functools.cached_property
    def pairs(self) -> pl.DataFrame:
        """The pairs by the test that marks differences; empty without a comparison.

        Returns:
            the table of the comparison with group, verdict, and baseline and system as text.
        """
        if self.comparison is None:
            return pl.DataFrame(schema={"measure": pl.String, "group": pl.String})
        if self.resampled.table is not None:
            return self.resampled.table
        test = self.comparison.options.marking or self.comparison.options.tests[0]
        rows = self.comparison.table().filter(pl.col("test") == test.name)
        rows = grouped(rows, self.values.by, self.values.by)
        return rows.with_columns(text("system"), text("baseline"), significant(self.values))

    def against(self, measure: str, group: str, system: str) -> dict[str, dict[str, Any]]:
        """The rows of a system against each other one: difference, interval and verdict of the system."""
        rows = self.pairs.filter((pl.col("measure") == measure) & (pl.col("group") == group))
        pairs = {}
        for row in rows.iter_rows(named=True):
            if row["system"] == system:
                pairs[row["baseline"]] = row
            elif row["baseline"] == system:
                reversed_verdict = {BETTER: WORSE, WORSE: BETTER, NEITHER: NEITHER}[row["verdict"]]
                negative = {n: None if row[n] is None else -row[n] for n in ("difference", "estimate")}
                low, high = (None if row[n] is None else -row[n] for n in ("ci_high", "ci_low"))
                pairs[row["system"]] = {
                    **row, **negative, "ci_low": low, "ci_high": high, "verdict": reversed_verdict,
                }  # fmt: skip
        return pairs


def sentences(findings: Findings) -> list[str]:
    """A sentence per measure and group: which system is best, by how much, and with which certainty."""
    groups = findings.ordered().group_by("measure", "group", maintain_order=True)
    return [_sentence(findings, str(m), str(g), rows.drop_nulls("value")) for (m, g), rows in groups]


def of_one_value(rows: pl.DataFrame, values: PerUnitValues) -> list[str]:
    """A sentence per measure and group: the value of the only system, or the best system with its value.

    Args:
        rows: run_id, group, measure and value.
        values: of which the measures are.
    """
    out = []
    for (measure, group), part in rows.group_by("measure", "group", maintain_order=True):
        where, label = f"Where {name(group).text}: " if group else "", name(measure).text
        best = part.sort(-gain(values, "value"), "run_id").row(0, named=True)
        value = number(best["value"])
        most = "lowest" if measure in values.lower_is_better else "highest"
        if part.height > 1:
            text = f"{name(best['run_id']).text} has the {most} {label} of {counted(part.height, 'system')}, {value}"
        else:
            system = f" of {name(best['run_id']).text}" if values.system else ""
            text = f"{label}{system} is {value}"
        out.append(f"{where}{text}, of all {unit_word(values)}s together.")
    return out


def _sentence(findings: Findings, measure: str, group: str, rows: pl.DataFrame) -> str:
    where = f"Where {name(group).text}: " if group else ""
    label = name(measure).text
    if not rows.height:
        return f"{where}{label} is undefined for every unit."
    best = rows.row(0, named=True)
    single = findings.resampled.ends is not None
    units = counted(best["n_units"], unit_word(findings.values))
    over = "" if single or best["n_units"] == 1 else f" over {units}"
    if rows.height == 1:
        system = f" of {name(best['run_id']).text}" if findings.values.system else ""
        start = f"{where}{label}{system} is {number(best['value'])}"
        if best["low"] is None:
            return f"{start}, of {units}; for its interval see ir.resampling.bootstrap."
        ends = f"{number(best['low'])} to {number(best['high'])}"
        if single:
            return f"{start} ({findings.interval}: {ends})."
        return f"{start}, the mean over {units} ({_percent(findings.confidence)} interval of the mean {ends})."
    baseline = None if findings.comparison is None else findings.comparison.options.baseline
    mean = "" if single or best["n_units"] == 1 else "mean "
    most = "lowest" if measure in findings.values.lower_is_better else "highest"
    if baseline is not None and (others := rows.filter(pl.col("run_id") != str(baseline))).height:
        first = others.row(0, named=True)
        system, value = name(first["run_id"]).text, number(first["value"])
        pair = findings.against(measure, group, first["run_id"]).get(str(baseline))
        if others.height > 1:
            count = f"Of the {counted(others.height, 'system')} compared with {name(baseline).text}"
            start = f"{count}, {system} has the {most} {mean}{label}, {value}{over}"
        else:
            start = f"{system} has a {mean}{label} of {value}{over}"
        return f"{where}{start}; {_certainty(pair, str(baseline))}."
    second = rows.row(1, named=True)["run_id"]
    pair = findings.against(measure, group, best["run_id"]).get(second)
    return (
        f"{where}{name(best['run_id']).text} has the {most} {mean}{label} of {counted(rows.height, 'system')}, "
        f"{number(best['value'])}{over}; {_certainty(pair, second)}."
    )


def _certainty(pair: dict[str, Any] | None, other: str) -> str:
    """The difference to another system, its interval, and whether it is significant."""
    against = name(other).text
    if pair is None:
        return f"it was not compared with {against}"
    start = f"its difference to {against} is {signed(pair['difference'])}"
    if pair["status"] != "ok":
        return f"{start}, which is not tested ({pair['status'].replace('_', ' ')})"
    of_means = pair["estimate"] is not None and abs(pair["estimate"] - pair["difference"]) <= 1e-12
    ends = interval_of(pair["ci_low"], pair["ci_high"])
    uncorrected = " (not corrected)" if pair["correction"] != "none" and pair["family_size"] > 1 else ""
    parts = [f"{_percent(pair['confidence'])} interval{uncorrected} {ends}"] if of_means and ends != "–" else []
    if pair["p_adjusted"] is not None:
        correction = f", {pair['correction']} over {counted(pair['family_size'], 'comparison')}"
        sided = "" if pair["alternative"] == "two-sided" else f", one-sided: {pair['alternative']}"
        p = p_value(pair["p_adjusted"])
        parts.append(f"p {p if p.startswith('<') else '= ' + p} by {pair['test']}{sided}{correction}")
    start += f" ({'; '.join(parts)})" if parts else ""
    if pair["significant"] is None:
        return f"{start}, and the test {pair['test']} has no significance"
    verdicts = {
        BETTER: "it is significantly better",
        WORSE: "it is significantly worse",
        NEITHER: "the difference is not significant",
    }
    return f"{start}: {verdicts[pair['verdict']]}"


def _percent(confidence: float) -> str:
    return f"{confidence * 100:g}%"
