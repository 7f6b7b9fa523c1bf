"""The result of a gate: a row per rule and cell, the worst units, what differs, and one verdict."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import polars as pl

from ireval_frames.columns.user_names import refuse_reserved
from ireval_frames.comparison.text.tables import Tables
from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.displayed import Displayed
from ireval_frames.gating import documents, text
from ireval_frames.gating.changes import Changes
from ireval_frames.gating.inputs import Side
from ireval_frames.gating.options import GateOptions
from ireval_frames.gating.rule_results import COLUMNS, RuleResult, rule_result
from ireval_frames.gating.verdicts import Verdict, exit_code


class Gate(Displayed):
    """Rules and their verdicts (`ir.gate`).  It is true if all rules pass, and prints as a table with reasons.

    Attributes:
        exit_code: 0 if all rules pass, 3 if one failed, else 4 if something could not be compared.
        passed: whether all pass.
    """

    def __init__(
        self,
        verdicts: Sequence[Verdict],
        detectable: Sequence[float | None],
        changes: Changes,
        options: GateOptions,
        values: PerUnitValues,
        sides: Mapping[str, Side],
    ) -> None:
        refuse_reserved((*values.by, *values.unit), {*COLUMNS, "segment"})
        unit = values.unit if options.cluster is None else (options.cluster,)
        self._results = tuple(
            rule_result(verdict, difference, options, values.by, unit)
            for verdict, difference in zip(verdicts, detectable, strict=True)
        )
        self._changes, self._options, self._by, self._sides = changes, options, values.by, sides
        self.exit_code = exit_code(verdicts)
        self.passed = self.exit_code == 0

    def __bool__(self) -> bool:
        """Whether all rules pass."""
        return self.passed

    @property
    def baseline_id(self) -> str | None:
        """The id that a store gives the baseline's evaluation; None for a table, and without a baseline."""
        return self._sides["baseline"].evaluation_id if "baseline" in self._sides else None

    @property
    def candidate_id(self) -> str | None:
        """The id that a store gives the candidate's evaluation; None for a table."""
        return self._sides["candidate"].evaluation_id

    @property
    def rule_results(self) -> tuple[RuleResult, ...]:
        """The verdicts as plain values."""
        return self._results

    def table(self) -> pl.DataFrame:
        """A row per rule, measure, candidate and segment.

        Returns:
            rule, kind, measure, segment (in words; null for all units), [by …], baseline, candidate;
            verdict (pass, fail, undecided, incomparable), passed, reason;
            observed and limit: the number that the rule is about, and what it is compared with: means; a drop; the
            largest possible loss, and the margin; p adjusted, and its level; the largest difference of a unit; a
            number of units;
            n (units with both values), n_undefined (units with neither), wins, ties, losses (units in which the
            candidate is better, as good, worse);
            mean_baseline, mean, difference (candidate − baseline), ci_low, ci_high (of "non-inferior within" the ends
            of both one-sided intervals), confidence;
            detectable_difference: the smallest margin that these units would show with power 0.8 by the row's test, had
            nothing changed; null where they are too few to show any;
            test, p_value (of "non-inferior within" one-sided, of the hypothesis that the loss is the margin),
            p_adjusted (of "no significant loss", by Holm over all of them), status, lower_is_better.
        """
        return self._table

    @functools.cached_property
    def _table(self) -> pl.DataFrame:
        frame = pl.DataFrame([r.values for r in self._results], schema=COLUMNS)
        segments = [r.segment for r in self._results]
        words = [None if r.segment is None else r.where for r in self._results]
        columns = [pl.Series("segment", words, dtype=pl.String)]
        columns += [pl.Series(n, [None if s is None else s[n] for s in segments], strict=False) for n in self._by]
        first = [*frame.columns[:3], *(s.name for s in columns)]
        return frame.with_columns(columns).select(*first, pl.exclude(first))

    def worst(self) -> pl.DataFrame:
        """The three units with the largest losses, of each measure, candidate and segment.

        Returns:
            measure, segment, baseline, candidate, unit (in words), value_baseline, value, difference.
        """
        results = {}
        for result in self._results:
            v = result.values
            segment = None if result.segment is None else result.where
            results[v["measure"], segment, v["baseline"], v["candidate"]] = result
        rows = [
            (*key, text.unit_text(unit), unit["baseline"], unit["candidate"], unit["difference"])
            for key, result in results.items()
            for unit in result.worst
        ]
        names = ("measure", "segment", "baseline", "candidate", "unit", "value_baseline", "value", "difference")
        types = [pl.Float64 if i > 4 else pl.String for i in range(len(names))]
        return pl.DataFrame(rows, schema=dict(zip(names, types, strict=True)), orient="row")

    def judgments(self) -> pl.DataFrame | None:
        """The judgments that differ: ids, relevance_baseline, relevance_candidate; None where they are not known."""
        changes = self._changes
        if changes.judgments is None and changes.judgments_known and not changes.digests:
            return text.no_judgments()
        return changes.judgments

    @functools.cached_property
    def _report(self) -> text.GateReport:
        origins = {name: side.stored.origin() for name, side in self._sides.items() if side.stored is not None}
        overlap = {name: side.values.notes for name, side in self._sides.items() if side.values.notes}
        return text.GateReport(self._results, self._changes, self._options, self.exit_code, origins, overlap)

    def to_text(self, width: int | None = None) -> str:
        """The verdicts as `print` shows them, for a terminal of some width: a rule's numbers may stand below it."""
        return text.render(self._report, width)

    def to_json(self) -> str:
        """All verdicts as JSON, numbers in full."""
        return documents.json_text(self._report)

    def to_markdown(self, limit: int = documents.COMMENT) -> str:
        """The verdicts in Markdown, as a comment on a pull request; at most `limit` characters.

        What does not fit is counted; what failed stands first.
        """
        return documents.markdown(self._report, limit)

    def to_junit(self) -> str:
        """The verdicts as JUnit's XML: a suite per candidate, a case per rule."""
        return documents.junit(self._report)

    def to_gitlab(self) -> str:
        """What did not pass, as GitLab's report of code quality (JSON)."""
        return documents.gitlab(self._report)

    def annotations(self, service: str) -> str:
        """What did not pass, as commands of a service: github, azure or teamcity.

        Raises:
            UnknownName: there is no such service.
        """
        return documents.annotation_commands(self._report, service)

    def _displays(self) -> Sequence[Tables]:
        """The verdicts as a table, with notes."""
        return [text.tables(self._report)]

    def __str__(self) -> str:
        return self.to_text()
