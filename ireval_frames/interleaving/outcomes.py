"""`ir.interleaving.Interleaving`: which ranking the clicks on interleaved lists prefer."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
from scipy import special

from ireval_frames.clicks.counterfactual_evaluation.summarised import Summarised, normal_interval
from ireval_frames.clicks.subject import Impressions
from ireval_frames.columns.user_names import columns_named, refuse_reserved
from ireval_frames.comparison.comparing import compare
from ireval_frames.comparison.comparison import Comparison
from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.drawable import Estimates
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import concat
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.interleaving.long_tail import WEIGHTINGS, by_query
from ireval_frames.interleaving.methods import TAU
from ireval_frames.interleaving.options import GRADED, OutcomeOptions
from ireval_frames.interleaving.outcome_log import OutcomeLog, columns_of, missing_lists, runs_of
from ireval_frames.interleaving.outcome_tables import OutcomeTables, keys_of
from ireval_frames.interleaving.significance import matrix, tested
from ireval_frames.io import sql as sql_files
from ireval_frames.parameters import ALPHA, choice
from ireval_frames.results import Result, TableQuery, table_method

RESULT_COLUMNS = (
    "run", "baseline", "n", "wins", "ties", "losses", "delta", "se", "low", "high", "status", "credit", "mean",
)  # fmt: skip
# The names and the numbers of a row of a result.
Row = tuple[Mapping[str, Expr], Mapping[str, Expr]]


class Interleaving(Summarised):
    """An interleaving test: lists combined from several rankings, with their clicks; it prints as its summary.

    Args:
        log: the impressions and clicks: `Impressions`, or a table with its columns; with the columns of
            `interleave`: `team` (team draft), `rank_<run>` (balanced, probabilistic, pairwise),
            `credit_<run>` (optimized; for probabilistic instead of ranks), `candidates` (pairwise).
        method: how the lists were interleaved: "team-draft", "balanced", "probabilistic", "optimized" or "pairwise".
        runs: the names of the rankings; by default those named by the columns or the teams.
        credit: which clicks count: all ("clicks"), the "first" or the "last" of a page, or "any": a ranking's credit
            for a page is 1 if it has any (team draft, balanced).
        unit: what has an outcome: a "page", or all pages of a "user" or "query".
        cluster: what is sampled independently, for standard errors: by default the unit; "user" for pages of users.
        common_prefix: whether clicks count on a prefix that all rankings share.
        min_dwell: the smallest `dwell` in seconds of a click that counts.
        confidence: of the intervals, which are normal.
        depth, tau: of probabilistic lists without credits: how deep rankings were read, and the exponent of ranks.
        by: columns of the log that group pages.
        columns: the names of columns of a table, ours → theirs, as of `Impressions`.
        engine: "polars", "duckdb" or "spark"; by default where the log is.
        con: a DuckDB connection or a Spark session.

    A page's credit for a ranking: its team's clicks (team draft); the clicks among its top k, where k is the better
    rank of the lowest clicked result (balanced); the sum of the probabilities that it added the clicked results
    (probabilistic); the sum of its credits for the clicked results (optimized); or preferences for clicked over
    unclicked results above and over the next unclicked one, ±1 by its order of the two, divided by the probability that
    both were undrawn (pairwise).

    Random clicks prefer no ranking, except with balanced lists: there the ranking that has most documents one position
    higher wins without any preference, which no test detects (Radlinski, Kurup and Joachims, CIKM 2008).

    Raises:
        MissingColumn, WrongType: columns of the log are missing, or of another type.
        UnknownName, InvalidParameter: an argument is not allowed.
        NotDefined: the method does not allow the argument, or the log has weights.
        MismatchedTables: with the first result, no result is of the team of a ranking.
        InvalidValue: with the first result, a rank, credit or user is invalid.

    Source: as of `ir.interleaving.interleave`; Chapelle and others, TOIS 2012 (credit functions, Δ).

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> log = pl.DataFrame({"serp_id": [1, 1, 2, 2, 3, 3], "query_id": ["q"] * 6, "doc_id": ["x", "y"] * 3,
        ...                     "position": [1, 2] * 3, "click": [1, 0, 0, 1, 1, 0], "team": ["a", "b"] * 3})
        >>> ir.interleaving.Interleaving(log).summary().select("run", "wins", "ties", "losses", "delta").rows()
        [('b', 1, 0, 2, -0.16666666666666666)]
    """

    def __init__(
        self,
        log: Any,
        method: str = "team-draft",
        *,
        runs: Sequence[str] | None = None,
        credit: str = "clicks",
        unit: str = "page",
        cluster: str | None = None,
        common_prefix: bool = True,
        min_dwell: float | None = None,
        confidence: float = 0.95,
        depth: int = 10,
        tau: float = TAU,
        by: str | Sequence[str] | None = None,
        columns: Mapping[str, str] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
    ) -> None:
        options = OutcomeOptions.parse(
            method=method,
            runs=runs,
            credit=credit,
            unit=unit,
            cluster=cluster,
            common_prefix=common_prefix,
            min_dwell=min_dwell,
            confidence=confidence,
            depth=depth,
            tau=tau,
        )
        if not isinstance(log, Impressions):
            log = Impressions(log, columns=columns, engine=engine, con=con)
        elif columns is not None:
            raise InvalidParameter("An Impressions has names of columns of its own.", "Leave out columns=.")
        groups = log.by if by is None else columns_named(by, "by")
        refuse_reserved(groups, RESULT_COLUMNS, "by")
        super().__init__()
        self.engine, self._by, self._confidence = log.engine, groups, options.confidence
        with self.engine.errors():
            names = runs_of(log, method) if options.runs is None else options.runs
            if not names:
                raise missing_lists(columns_of(log), method)
            if len(names) < 2 or len(set(names)) != len(names):
                raise InvalidParameter(
                    f"The rankings are {listed(names)}; a test needs two or more.",
                    Hint("Name them: ", Argument("runs", ["a", "b"])),
                )
            self.runs = tuple(names)
            self._read = OutcomeLog(log, groups, replace(options, runs=self.runs))
            self._read.tables(self.engine)

    # ---- results

    @table_method
    def summary(self) -> Result:
        """A row per pair of rankings: how often one wins, and by how much.

        Returns:
            [by …] run baseline n wins ties losses delta se low high credit_difference credit_se n_clusters status.
            Δ = (wins + ties/2) / n − 1/2 of the run over the baseline, from −½ to ½, with a normal interval from
            the standard error by clusters.  For probabilistic, optimized and pairwise lists, where random clicks may
            let one ranking win more often than another, Δ is half the mean difference of credits per click, which is 0
            for random clicks.  The status is "ok"; "no_outcome": every unit is a tie;
            "one_cluster": one cluster has no variance; "constant_shift": all have the same outcome.  Then there is no
            interval.
        """
        return self._summary(self._read)

    @table_method
    def per_unit(self) -> Result:
        """The credit of each ranking for each page, query or user: [by …] serp_id (query_id, user_id) run credit."""

        def query(engine: Engine) -> TableQuery:
            tables, checks = self._read.tables(engine)
            credit_of_unit = [tables.units.column(c.cast(pl.Float64), "credit") for c in tables.unit_credits]
            frame = engine.shared(tables.units.frame())
            unit = keys_of(self._read.groups, self._read.options.unit)[-1]
            keys = {name: col(f"group_{i}") for i, name in enumerate(self._by)} | {unit: col(unit)}
            names_of_runs = enumerate(self.runs)
            parts = [
                frame.select(**keys, run=lit(name), credit=credit_of_unit[i], ireval_place=lit(i))
                for i, name in names_of_runs
            ]
            return TableQuery(tables.plan, concat(parts), (*keys, "ireval_place"), (*keys, "run", "credit"), checks)

        return self._result("credits", query, self._by)

    @table_method
    def credits(self) -> Result:
        """The total credit of each ranking: a row per ranking.

        Returns:
            [by …] run n credit mean se low high n_clusters status: the number of units, the sum of their credits, and
            their mean with a normal interval by clusters.  The status is "ok"; "one_cluster": one cluster has no
            variance; "no_variance": all have the same credit.  Then there is no interval.
        """

        def rows(tables: OutcomeTables) -> Iterator[Row]:
            for i, name in enumerate(self.runs):
                with tables.plan.requesting(f"credit of {name}"):
                    numbers = tables.credit(i)
                yield {"run": lit(name)}, self._with_interval(numbers, "mean", "n", "credit")

        return self._stacked("credits in all", self._read, rows)

    def matrix(self) -> pl.DataFrame:
        """Δ + ½ of every two rankings, the share of units that the row's wins over the column's.

        Raises:
            NotDefined: pages are grouped.
        """
        if self._by:
            raise NotDefined("A matrix is of all pages, and these are grouped.", "Leave out by=.")
        return matrix(self.summary(), self.runs)

    def tests(self, *, correction: str = "holm") -> pl.DataFrame:
        """Whether a ranking wins more often than it loses, from the counts alone.

        sign: the exact binomial test of wins among wins and losses; z = (wins − losses) / √(wins + losses), its
        normal approximation; clustered: Δ over its standard error by clusters, and t: the mean difference of credits
        over its own, both t with clusters − 1 degrees of freedom.  The first two assume independent units, and are null
        where random clicks let rankings win unequally (probabilistic, optimized and pairwise lists).
        `ir.compare(interleaving, test="bootstrap")` has other tests, of values per unit.

        Args:
            correction: of each test's p-values over the pairs of rankings, as in `ir.compare`.

        Returns:
            [by …] run baseline n wins losses p_sign p_z p_clustered p_t, and the same adjusted, as `adjusted_sign` ….
        """
        return tested(self.summary(), self._by, correction, graded=self._graded)

    def compare(self, baseline: Any = None, **options: Any) -> Comparison:
        """Compare credits per unit by any test of `ir.compare`: t, sign, bootstrap, permutation …, with corrections.

        Args:
            baseline: the ranking that all others are compared with; by default all pairs are compared.
            options: those of `ir.compare`.
        """
        return compare(self, baseline=baseline, **options)

    def long_tail(self, weighting: str = "significance", *, alpha: float = 0.05) -> pl.DataFrame:
        """Δ over queries, weighted by the certainty of their winners, so that few frequent ones do not decide.

        A query's winner is the ranking that wins more of its pages; p is the exact binomial test of wins and losses.

        Args:
            weighting: "significance": the weight of a query is 1 − p; "pruning": 1 if p < alpha, else 0; "equal": 1.
            alpha: for "pruning".

        Returns:
            [by …] run baseline weighting n_queries n_counted delta se low high p_value.  Δ = Σ w (win + tie/2) / Σ w
            − ½; se over queries, to first order; Wilson's interval, of (Σ w)² / Σ w² queries; p is that of all
            exchanges of both rankings in some queries (for many queries by the normal distribution).

        Raises:
            NotDefined: units are not pages, or lists are probabilistic, optimized or pairwise.

        Source: Benedetti and Ruggero, ECIR 2023.
        """
        choice(*WEIGHTINGS).check("weighting", weighting)
        if self._read.options.unit != "page":
            raise NotDefined(
                "Queries are weighted by the outcomes of their pages.", Hint("Write ", Argument("unit", "page"), ".")
            )
        if self._graded:
            raise NotDefined(
                f"Random clicks let rankings win {self._read.options.method} lists unequally.",
                Hint("If the log has teams, use these: ", Argument("method", "team-draft"), "."),
            )
        ALPHA.check("alpha", alpha)
        queries = self._summary(self._read.grouped("query_id")).collect()
        return by_query(queries, self._by, weighting, alpha, self._confidence)

    def _estimates(self) -> Estimates:
        """Δ of every two rankings, for pictures and reports."""
        rows = self.summary().rename({"run": "system", "delta": "value"})
        estimates = rows.with_columns(measure=pl.lit("Δ"))
        return Estimates(estimates, self._by, self._read.options.unit, normal_interval(self._confidence))

    # ---- as an evaluation, for `ir.compare`

    def _values_of_units(self) -> PerUnitValues:
        """The credits per unit.

        Raises:
            NotDefined: units are sampled in clusters, and a comparison assumes independent units.
        """
        options = self._read.options
        if options.cluster != options.unit:
            raise NotDefined(
                f"A comparison assumes independent {options.unit}s, and they are sampled by {options.cluster}.",
                Hint("Compare the credits per cluster: ", Argument("unit", options.cluster), "."),
            )
        engine, rows = PolarsEngine(), self.per_unit()
        unit = keys_of((), options.unit)[-1]
        by = {f"by_{i}": pl.col(n) for i, n in enumerate(self._by)}
        frame = rows.select(**by, unit_0=unit, measure=pl.lit("credit"), system="run", value="credit")
        return PerUnitValues(engine, engine.from_polars(frame), "run", (unit,), self._by, ("credit",))

    def grouped(self, by: str | Sequence[str]) -> Interleaving:
        """The same with pages grouped by other columns of the log."""
        return Interleaving(self._read.log, by=by, **self._read.options.arguments())

    @property
    def _graded(self) -> bool:
        return self._read.options.method in GRADED

    def _summary(self, read: OutcomeLog) -> Result:
        """The outcomes of every two rankings, by the groups of the log."""

        def rows(tables: OutcomeTables) -> Iterator[Row]:
            for earlier, later in itertools.combinations(range(len(self.runs)), 2):
                one, other = self.runs[later], self.runs[earlier]
                with tables.plan.requesting(f"{one} over {other}"):
                    numbers = tables.outcome(later, earlier)
                names = {"run": lit(one), "baseline": lit(other)}
                yield names, self._with_interval(numbers, "delta", "n", "wins", "ties", "losses")

        return self._stacked("interleaving", read, rows)

    def _with_interval(self, numbers: Mapping[str, Expr], of: str, *first: str) -> dict[str, Expr]:
        """The columns of a row, with the interval after the value and its standard error."""
        z = float(special.ndtri((1.0 + self._confidence) / 2.0))
        # Without variance there is no interval.
        half_width = when(numbers["se"] > 0).then(z * numbers["se"])
        ends = {"low": numbers[of] - half_width, "high": numbers[of] + half_width}
        first_columns = {n: numbers[n] for n in (*first, of, "se")}
        return {**first_columns, **ends, **{n: e for n, e in numbers.items() if n not in first_columns}}

    def _stacked(self, name: str, read: OutcomeLog, rows: Callable[[OutcomeTables], Iterator[Row]]) -> Result:
        """A row per group and element of `rows`."""

        def table_query(engine: Engine) -> TableQuery:
            tables, checks = read.tables(engine)
            named_rows = [{**names, **numbers} for names, numbers in rows(tables)]
            frame = engine.shared(tables.groups.frame())
            keys = {name: col(f"group_{i}") for i, name in enumerate(read.by)}
            parts = [frame.select(**keys, **row, ireval_place=lit(i)) for i, row in enumerate(named_rows)]
            columns = tuple(c for c in parts[0].columns if c != "ireval_place")
            return TableQuery(tables.plan, concat(parts), (*keys, "ireval_place"), columns, checks)

        return self._result(name, table_query, read.by)

    def _result(self, name: str, query: Callable[[Engine], TableQuery], by: tuple[str, ...]) -> Result:
        options = self._read.options
        provenance = {
            "table": name,
            "method": options.method,
            "runs": list(self.runs),
            "credit": options.credit,
            "unit": options.unit,
            "cluster": options.cluster,
            "policy": {name: value for name, value, *_ in self._read.log.policy.described()},
        }
        return self._cached((name, by), Result(self.engine, query, sql_files.any_file, provenance))
