"""What a gate gives: a row per rule and what it looked at, the worst units, what differs, and one verdict."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import polars as pl

from ireval_frames.columns.user_names import refuse_taken
from ireval_frames.comparison.text.written import Tables
from ireval_frames.comparison.values.sources import Values
from ireval_frames.displayed import Displayed
from ireval_frames.gating import documents, services, telling
from ireval_frames.gating.changes import Changes
from ireval_frames.gating.facts import COLUMNS, Fact, fact
from ireval_frames.gating.sides import Side
from ireval_frames.gating.tested import GateOptions
from ireval_frames.gating.verdicts import Verdict, closed


class Gate(Displayed):
    """Rules and their verdicts (`ir.gate`).  It is true if all rules pass, and prints as a table with reasons.

    Attributes:
        exit_code: 0 if all rules pass, 3 if one failed, else 4 if something could not be compared.
        passed: whether all pass.
    """

    def __init__(
        self,
        verdicts: Sequence[Verdict],
        margins: Sequence[float | None],
        changes: Changes,
        options: GateOptions,
        values: Values,
        cluster: str | None,
        sides: Mapping[str, Side],
    ) -> None:
        refuse_taken((*values.by, *values.unit), {*COLUMNS, "segment"})
        self._changes, self._options, self._by = changes, options, values.by
        self._unit = values.unit if cluster is None else (cluster,)
        self._facts = tuple(
            fact(v, margin, options, values.by, self._unit) for v, margin in zip(verdicts, margins, strict=True)
        )
        self._sides = sides
        self._origins = {name: side.stored.origin() for name, side in sides.items() if side.stored is not None}
        self._overlap = {name: side.values.overlap for name, side in sides.items() if side.values.overlap}
        self.exit_code = closed(verdicts)
        self.passed = self.exit_code == 0

    def __bool__(self) -> bool:
        """Whether all rules pass."""
        return self.passed

    @property
    def baseline_id(self) -> str | None:
        """The id that a store gives the baseline's evaluation; None of a table, and where there is no baseline."""
        return self._sides["baseline"].evaluation_id if "baseline" in self._sides else None

    @property
    def candidate_id(self) -> str | None:
        """The id that a store gives the candidate's evaluation; None of a table."""
        return self._sides["candidate"].evaluation_id

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The verdicts as plain values."""
        return self._facts

    def table(self) -> pl.DataFrame:
        """A row per rule, measure, candidate and segment.

        Returns:
            rule, kind, measure, segment (in words; null for all units), [by …], baseline, candidate;
            verdict (pass, fail, undecided, incomparable), passed, reason;
            observed and limit: the number that the rule is about, and what it is held against: means; a drop; the
            largest loss that is possible, and the margin; p adjusted, and its level; the largest difference of a unit;
            a number of units;
            n (units with both values), n_undefined (units that neither has a value of), wins, ties, losses (units in
            which the candidate is better, as good, worse);
            mean_baseline, mean, difference (candidate − baseline), ci_low, ci_high (of "not worse by" the ends of both
            one-sided intervals), confidence;
            smallest_margin: what so many units could have shown with power 0.8 by the row's test; null where so few
            show no margin;
            test, p_value (of "not worse by" one-sided, of a loss that is the margin), p_adjusted (of "no harm", by Holm
            over all of them), status, lower_is_better.
        """
        return self._table

    @functools.cached_property
    def _table(self) -> pl.DataFrame:
        frame = pl.DataFrame([f.values for f in self._facts], schema=COLUMNS)
        segments = [f.segment for f in self._facts]
        words = [None if f.segment is None else f.where for f in self._facts]
        added = [pl.Series("segment", words, dtype=pl.String)]
        added += [pl.Series(n, [None if s is None else s[n] for s in segments], strict=False) for n in self._by]
        first = [*frame.columns[:3], *(s.name for s in added)]
        return frame.with_columns(added).select(*first, pl.exclude(first))

    def worst(self) -> pl.DataFrame:
        """The three units that lose most, of each measure, candidate and segment.

        Returns:
            measure, segment, baseline, candidate, unit (in words), value_baseline, value, difference.
        """
        rows = {}
        for f in self._facts:
            v = f.values
            rows[v["measure"], None if f.segment is None else f.where, v["baseline"], v["candidate"]] = f
        told = [
            (*key, telling.unit_of(one), one["baseline"], one["candidate"], one["difference"])
            for key, f in rows.items()
            for one in f.worst
        ]
        names = ("measure", "segment", "baseline", "candidate", "unit", "value_baseline", "value", "difference")
        types = [pl.Float64 if i > 4 else pl.String for i in range(len(names))]
        return pl.DataFrame(told, schema=dict(zip(names, types, strict=True)), orient="row")

    def judgments(self) -> pl.DataFrame | None:
        """The judgments that differ: ids, relevance_baseline, relevance_candidate; None where they are not known."""
        looked, found = self._changes.looked[1] and not self._changes.digests, self._changes.judgments
        return found if found is not None else telling.no_judgments() if looked else None

    def written(self) -> telling.Told:
        """All that texts are made of."""
        return telling.Told(self._facts, self._changes, self._options, self.exit_code, self._origins, self._overlap)

    def to_json(self) -> str:
        """All verdicts as JSON, numbers in full."""
        return documents.json_text(self.written())

    def to_markdown(self, limit: int = documents.COMMENT) -> str:
        """The verdicts in Markdown, as a comment on a pull request; at most `limit` characters.

        What does not fit is counted; what failed stands first.
        """
        return documents.markdown(self.written(), limit)

    def to_junit(self) -> str:
        """The verdicts as JUnit's XML: a suite per candidate, a case per rule."""
        return documents.junit(self.written())

    def to_gitlab(self) -> str:
        """What did not pass, as GitLab's report of code quality (JSON)."""
        return documents.gitlab(self.written())

    def annotations(self, service: str) -> str:
        """What did not pass, in the commands of a service: github, azure or teamcity.

        Raises:
            UnknownName: there is no such service.
        """
        return services.lines(self.written(), service)

    def _displays(self) -> Sequence[Tables]:
        """The verdicts as a table, and what is told besides."""
        return [telling.tables(self.written())]

    def __str__(self) -> str:
        return telling.text(self.written())
