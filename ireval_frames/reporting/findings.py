"""What was found, in words, and how sure it is: a sentence per measure and group."""

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
class Found:
    """What sentences are made of.

    Attributes:
        values: the values per unit.
        means: the systems of every measure and group with their mean and its interval (`plots.intervals.means`).
        comparison: of the systems; none where there is one.
        confidence: of the intervals.
        resampled: what resampling tells of single values.
    """

    values: PerUnitValues
    means: pl.DataFrame
    comparison: Comparison | None
    confidence: float
    resampled: Resampled = field(default_factory=Resampled)

    def ordered(self) -> pl.DataFrame:
        """The means, the best first."""
        names = self.means["measure"].unique(maintain_order=True).to_list()
        return self.means.sort(turn("measure", names), "group", -gain(self.values, "value"), "run_id", nulls_last=True)

    @property
    def interval(self) -> str:
        """What the intervals are."""
        kind = "t interval of the mean" if self.resampled.ends is None else f"interval, {self.resampled.over}"
        return f"{_percent(self.confidence)} {kind}"

    @functools.cached_property
    def pairs(self) -> pl.DataFrame:
        """The pairs, by the test that tells them apart, under the columns of `means`; without comparison none.

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

    def against(self, measure: str, group: str, one: str) -> dict[str, dict[str, Any]]:
        """What is told of a system against each other one: difference, interval and verdict as seen from it."""
        here = (pl.col("measure") == measure) & (pl.col("group") == group)
        out = {}
        for row in self.pairs.filter(here).iter_rows(named=True):
            if row["system"] == one:
                out[row["baseline"]] = row
            elif row["baseline"] == one:
                turned = {BETTER: WORSE, WORSE: BETTER, NEITHER: NEITHER}
                negative = {n: None if row[n] is None else -row[n] for n in ("difference", "estimate")}
                low, high = (None if row[n] is None else -row[n] for n in ("ci_high", "ci_low"))
                out[row["system"]] = {
                    **row, **negative, "ci_low": low, "ci_high": high, "verdict": turned[row["verdict"]],
                }  # fmt: skip
        return out


def sentences(found: Found) -> list[str]:
    """A sentence per measure and group: which system is best, by how much, and how sure that is."""
    groups = found.ordered().group_by("measure", "group", maintain_order=True)
    return [_sentence(found, str(m), str(g), rows.drop_nulls("value")) for (m, g), rows in groups]


def _sentence(found: Found, measure: str, group: str, rows: pl.DataFrame) -> str:
    where = f"Where {name(group).text}: " if group else ""
    called = name(measure).text
    if not rows.height:
        return f"{where}{called} is undefined for every unit."
    best = rows.row(0, named=True)
    single = found.resampled.ends is not None
    units = counted(best["n_units"], unit_word(found.values))
    over = "" if single or best["n_units"] == 1 else f" over {units}"
    if rows.height == 1:
        who = f" of {name(best['run_id']).text}" if found.values.system else ""
        said = f"{where}{called}{who} is {number(best['value'])}"
        if best["low"] is None:
            return f"{said}, of {units}: ir.resampling.bootstrap tells its interval."
        ends = f"{number(best['low'])} to {number(best['high'])}"
        if single:
            return f"{said} ({found.interval}: {ends})."
        return f"{said}, the mean over {units} ({_percent(found.confidence)} interval of the mean {ends})."
    asked = None if found.comparison is None else found.comparison.options.baseline
    mean = "" if single else "mean "
    most = "lowest" if measure in found.values.lower_is_better else "highest"
    if asked is not None and (others := rows.filter(pl.col("run_id") != str(asked))).height:
        first = others.row(0, named=True)
        told = found.against(measure, group, first["run_id"]).get(str(asked))
        lead = (
            f"Of the {counted(others.height, 'system')} compared with {name(asked).text}, " if others.height > 1 else ""
        )
        does = f"{name(first['run_id']).text} has the {most} {mean}{called}" if lead else (
            f"{name(first['run_id']).text} has a {mean}{called} of {number(first['value'])}{over}"
        )  # fmt: skip
        value = f", {number(first['value'])}{over}" if lead else ""
        return f"{where}{lead}{does}{value}; {_certainty(told, str(asked))}."
    following = rows.row(1, named=True)["run_id"]
    told = found.against(measure, group, best["run_id"]).get(following)
    return (
        f"{where}{name(best['run_id']).text} has the {most} {mean}{called} of {counted(rows.height, 'system')}, "
        f"{number(best['value'])}{over}; {_certainty(told, following)}."
    )


def _certainty(told: dict[str, Any] | None, other: str) -> str:
    """The difference to another system, its interval, and whether it is significant."""
    against = name(other).text
    if told is None:
        return f"it was not compared with {against}"
    said = f"its difference to {against} is {signed(told['difference'])}"
    if told["status"] != "ok":
        return f"{said}, which is not tested ({told['status'].replace('_', ' ')})"
    of_means = told["estimate"] is not None and abs(told["estimate"] - told["difference"]) <= 1e-12
    ends = interval_of(told["ci_low"], told["ci_high"])
    alone = " (not corrected)" if told["correction"] != "none" and told["family_size"] > 1 else ""
    parts = [f"{_percent(told['confidence'])} interval{alone} {ends}"] if of_means and ends != "–" else []
    if told["p_adjusted"] is not None:
        corrected = f", {told['correction']} over {counted(told['family_size'], 'comparison')}"
        sided = "" if told["alternative"] == "two-sided" else f", one-sided: {told['alternative']}"
        at = p_value(told["p_adjusted"])
        parts.append(f"p {at if at.startswith('<') else '= ' + at} by {told['test']}{sided}{corrected}")
    said += f" ({'; '.join(parts)})" if parts else ""
    if told["significant"] is None:
        return f"{said}, of which the test {told['test']} tells no significance"
    verdicts = {
        BETTER: "it is significantly better",
        WORSE: "it is significantly worse",
        NEITHER: "the difference is not significant",
    }
    return f"{said}: {verdicts[told['verdict']]}"


def _percent(confidence: float) -> str:
    return f"{confidence * 100:g}%"
