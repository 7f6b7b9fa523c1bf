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
from ireval_frames.columns.user_names import columns_named, refuse_taken
from ireval_frames.comparison.comparing import compare
from ireval_frames.comparison.comparison import Comparison
from ireval_frames.comparison.values.sources import Values
from ireval_frames.drawable import Estimates
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import concat
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.interleaving.long_tail import WEIGHTINGS, by_query
from ireval_frames.interleaving.methods import TAU
from ireval_frames.interleaving.options import GRADED, OutcomeOptions
from ireval_frames.interleaving.outcome_log import OutcomeLog, runs_of
from ireval_frames.interleaving.outcome_tables import OutcomeTables, keys_of
from ireval_frames.interleaving.significance import matrix, tested
from ireval_frames.io import sql as sql_files
from ireval_frames.parameters import ALPHA, choice
from ireval_frames.results import Result, TableQuery, table_method

RESULT_COLUMNS = (
    "run", "baseline", "n", "wins", "ties", "losses", "delta", "se", "low", "high", "status", "credit", "mean",
)  # fmt: skip
# Of a row of a result its names, and its numbers.
Row = tuple[Mapping[str, Expr], Mapping[str, Expr]]


class Interleaving(Summarised):
    """An interleaving test: lists made of several rankings, with the clicks they got; it prints as its summary.

    Args:
        log: what was shown and clicked: `Impressions`, or a table with its columns, and where each result came from, as
            `interleave` writes it: `team` (team draft), `rank_<run>` (balanced, probabilistic, pairwise),
            `credit_<run>` (optimized; of probabilistic instead of ranks), `candidates` (pairwise).
        method: how the lists were made: "team-draft", "balanced", "probabilistic", "optimized" or "pairwise".
        runs: the names of the rankings; by default those that the columns, or the teams, name.
        credit: which clicks count: all ("clicks"), the "first" or the "last" of a page, or "any": a ranking's credit of
            a page is 1 if it has some (team draft, balanced).
        unit: what has an outcome: a "page", or all pages of a "user" or "query" together.
        cluster: what is drawn independently, for standard errors: by default the unit; "user" for pages of users.
        common_prefix: whether clicks count on the first results that all rankings have at the same place.
        min_dwell: clicks count whose `dwell` is at least so many seconds.
        confidence: of the intervals, which are normal.
        depth, tau: of probabilistic lists without credits: how deep rankings were read, and the softening.
        by: columns of the log that group pages.
        engine: "polars", "duckdb" or "spark"; by default where the log is.
        con: a DuckDB connection or a Spark session.

    A page's credit for a ranking: its team's clicks (team draft); the clicks among its first k, where k is the better
    rank of the lowest clicked result (balanced); Σ of the probabilities that it added what was clicked (probabilistic);
    Σ of its credits of what was clicked (optimized); or preferences for clicked over unclicked results above and over
    the next unclicked one, ±1 by how it ranks the two, over the probability that both were left (pairwise).

    Clicks at random prefer no ranking, but for balanced lists: there the ranking that has most documents a place higher
    wins without any preference, and no test tells that from one (Radlinski, Kurup and Joachims, CIKM 2008).

    Raises:
        MissingColumn, WrongType: the log lacks columns.
        UnknownName, InvalidParameter: an argument is not allowed.
        NotDefined: the method does not go with the argument, or the log has weights.
        MismatchedTables: with the first result, no result is of the team of a ranking.
        InvalidValue: with the first result, a rank, credit or user is none.

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
        log = log if isinstance(log, Impressions) else Impressions(log, engine=engine, con=con)
        groups = log.by if by is None else columns_named(by, "by")
        refuse_taken(groups, RESULT_COLUMNS, "by")
        super().__init__()
        self.engine, self._by, self._confidence = log.engine, groups, options.confidence
        with self.engine.errors():
            names = runs_of(log, method) if options.runs is None else options.runs
            if len(names) < 2 or len(set(names)) != len(names):
                raise InvalidParameter(
                    f"The rankings are {listed(names) or 'none'}; a test has two or more.",
                    Hint("Name them: ", Argument("runs", ["a", "b"])),
                )
            self.runs = tuple(names)
            self._read = OutcomeLog(log, groups, replace(options, runs=self.runs))
            self._read.tables(self.engine)

    # ---- results

    @table_method
    def summary(self) -> Result:
        """A row per two rankings: who wins how often, and by how much.

        Returns:
            [by …] run baseline n wins ties losses delta se low high credit_difference credit_se n_clusters status.
            Δ = (wins + ties/2) / n − 1/2 of the run over the baseline, from −½ to ½, with a normal interval whose
            standard error is that of clusters.  Of probabilistic, optimized and pairwise lists, where clicks at random
            may let one ranking win more often than another, Δ is half the mean of the difference of credits per click,
            which they leave at 0.  The status is "ok"; "no_outcome": every unit is a tie;
            "one_cluster": one has no variance; "constant_shift": all have the same outcome.  Then there is no interval.
        """
        return self._summary(self._read)

    @table_method
    def per_unit(self) -> Result:
        """The credit of each ranking for each page, query or user: [by …] serp_id (query_id, user_id) run credit."""

        def made(engine: Engine) -> TableQuery:
            tables, checks = self._read.tables(engine)
            found = [tables.units.column(c.cast(pl.Float64), "credit") for c in tables.unit_credits]
            frame = engine.shared(tables.units.frame())
            unit = keys_of(self._read.groups, self._read.options.unit)[-1]
            keys = {name: col(f"group_{i}") for i, name in enumerate(self._by)} | {unit: col(unit)}
            of = enumerate(self.runs)
            parts = [frame.select(**keys, run=lit(name), credit=found[i], ireval_place=lit(i)) for i, name in of]
            return TableQuery(tables.plan, concat(parts), (*keys, "ireval_place"), (*keys, "run", "credit"), checks)

        return self._result("credits", made, self._by)

    @table_method
    def credits(self) -> Result:
        """The credit of each ranking in all: a row per ranking.

        Returns:
            [by …] run n credit mean se low high n_clusters status: the units, the sum of their credits, and the mean of
            a unit with a normal interval by clusters.  The status is "ok"; "one_cluster": one has no variance;
            "no_variance": all have the same credit.  Then there is no interval.
        """

        def made(tables: OutcomeTables) -> Iterator[Row]:
            for i, name in enumerate(self.runs):
                with tables.plan.requesting(f"credit of {name}"):
                    told = tables.credit(i)
                yield {"run": lit(name)}, self._ended(told, "mean", "n", "credit")

        return self._stacked("credits in all", self._read, made)

    def matrix(self) -> pl.DataFrame:
        """How each ranking does against each other one, Δ + ½, the share of units that it wins: a row and column each.

        Raises:
            NotDefined: pages are grouped; each group has a matrix of its own.
        """
        if self._by:
            raise NotDefined("A matrix is of all pages, and these are grouped.", "Leave out by=.")
        return matrix(self.summary(), self.runs)

    def tests(self, *, correction: str = "holm") -> pl.DataFrame:
        """Whether a ranking wins more often than it loses, from the counts alone.

        sign: the exact binomial test of wins among wins and losses; z = (wins − losses) / √(wins + losses), the same
        for many; clustered: Δ over its standard error by clusters, and t: the mean difference of credits over its own,
        both t with clusters − 1 degrees of freedom.  The first two take units as independent, and are null where
        clicks at random let rankings win unequally (probabilistic, optimized and pairwise lists).
        `ir.compare(interleaving, test="bootstrap")` has the others, from values per unit.

        Args:
            correction: of each test's p-values over the pairs of rankings, as of `ir.compare`.

        Returns:
            [by …] run baseline n wins losses p_sign p_z p_clustered p_t, and the same adjusted, as `adjusted_sign` ….
        """
        return tested(self.summary(), self._by, correction, graded=self._graded)

    def compare(self, baseline: Any = None, **options: Any) -> Comparison:
        """Compare credits per unit by any test of `ir.compare`: t, sign, bootstrap, permutation …, with corrections.

        Args:
            baseline: the ranking that all others are compared with; by default every two are compared.
            options: those of `ir.compare`.
        """
        return compare(self, baseline=baseline, **options)

    def long_tail(self, weighting: str = "significance", *, alpha: float = 0.05) -> pl.DataFrame:
        """Δ over queries, so that few frequent ones do not decide, each counting as sure as its own pages are.

        A query's winner is who wins more of its pages; p is the exact binomial test of its wins and losses.

        Args:
            weighting: "significance": a query counts 1 − p; "pruning": 1 if p < alpha, else nothing; "equal": 1.
            alpha: for "pruning".

        Returns:
            [by …] run baseline weighting n_queries n_counted delta se low high p_value.  Δ = Σ w (win + tie/2) / Σ w
            − ½; se over queries, to first order; Wilson's interval, of (Σ w)² / Σ w² queries; p is that of all ways to
            exchange both rankings in some queries (of many by the normal distribution).

        Raises:
            NotDefined: units are no pages, or lists are probabilistic, optimized or pairwise, whose wins say nothing.

        Source: Benedetti and Ruggero, ECIR 2023.
        """
        choice(*WEIGHTINGS).check("weighting", weighting)
        if self._read.options.unit != "page":
            raise NotDefined(
                "Queries are weighed by the outcomes of their pages.", Hint("Write ", Argument("unit", "page"), ".")
            )
        if self._graded:
            raise NotDefined(
                f"Clicks at random let rankings win {self._read.options.method} lists unequally.",
                Hint("Where the log has teams, read these: ", Argument("method", "team-draft"), "."),
            )
        ALPHA.check("alpha", alpha)
        queries = self._summary(self._read.grouped("query_id")).collect()
        return by_query(queries, self._by, weighting, alpha, self._confidence)

    def _estimates(self) -> Estimates:
        """Δ of every two rankings, for pictures and reports."""
        rows = self.summary().rename({"run": "system", "delta": "value"})
        made = rows.with_columns(measure=pl.lit("Δ"))
        return Estimates(made, self._by, self._read.options.unit, normal_interval(self._confidence))

    # ---- as an evaluation, for `ir.compare`

    def _values_of_units(self) -> Values:
        """The credits per unit.

        Raises:
            NotDefined: units are drawn in clusters, which a comparison takes as independent.
        """
        options = self._read.options
        if options.cluster != options.unit:
            raise NotDefined(
                f"A comparison takes {options.unit}s as independent, and they are drawn by {options.cluster}.",
                Hint("Compare the credits of all of one: ", Argument("unit", options.cluster), "."),
            )
        engine, rows = PolarsEngine(), self.per_unit()
        unit = keys_of((), options.unit)[-1]
        by = {f"by_{i}": pl.col(n) for i, n in enumerate(self._by)}
        frame = rows.select(**by, unit_0=unit, measure=pl.lit("credit"), system="run", value="credit")
        return Values(engine, engine.from_polars(frame), "run", (unit,), self._by, ("credit",))

    def grouped(self, by: str | Sequence[str]) -> Interleaving:
        """The same, its pages grouped by other columns of the log."""
        return Interleaving(self._read.log, by=by, **self._read.options.arguments())

    # ---- within

    @property
    def _graded(self) -> bool:
        return self._read.options.method in GRADED

    def _summary(self, read: OutcomeLog) -> Result:
        """Who wins how often, by the groups of what is read."""

        def made(tables: OutcomeTables) -> Iterator[Row]:
            for earlier, later in itertools.combinations(range(len(self.runs)), 2):
                one, other = self.runs[later], self.runs[earlier]
                with tables.plan.requesting(f"{one} over {other}"):
                    told = tables.outcome(later, earlier)
                names = {"run": lit(one), "baseline": lit(other)}
                yield names, self._ended(told, "delta", "n", "wins", "ties", "losses")

        return self._stacked("interleaving", read, made)

    def _ended(self, told: Mapping[str, Expr], of: str, *first: str) -> dict[str, Expr]:
        """The columns of a row, with both ends of the interval behind the value and its standard error."""
        z = float(special.ndtri((1.0 + self._confidence) / 2.0))
        # What does not vary tells nothing of how sure it is.
        reach = when(told["se"] > 0).then(z * told["se"])
        ends = {"low": told[of] - reach, "high": told[of] + reach}
        before = {n: told[n] for n in (*first, of, "se")}
        return {**before, **ends, **{n: e for n, e in told.items() if n not in before}}

    def _stacked(self, says: str, read: OutcomeLog, rows: Callable[[OutcomeTables], Iterator[Row]]) -> Result:
        """A row per group and what `rows` gives: its names, and its numbers."""

        def made(engine: Engine) -> TableQuery:
            tables, checks = read.tables(engine)
            found = [{**names, **numbers} for names, numbers in rows(tables)]
            frame = engine.shared(tables.groups.frame())
            keys = {name: col(f"group_{i}") for i, name in enumerate(read.by)}
            parts = [frame.select(**keys, **row, ireval_place=lit(i)) for i, row in enumerate(found)]
            shown = tuple(c for c in parts[0].columns if c != "ireval_place")
            return TableQuery(tables.plan, concat(parts), (*keys, "ireval_place"), shown, checks)

        return self._result(says, made, read.by)

    def _result(self, says: str, made: Callable[[Engine], TableQuery], by: tuple[str, ...]) -> Result:
        options = self._read.options
        told = {
            "table": says,
            "method": options.method,
            "runs": list(self.runs),
            "credit": options.credit,
            "unit": options.unit,
            "cluster": options.cluster,
            "policy": {name: value for name, value, *_ in self._read.log.policy.described()},
        }
        return self._cached((says, by), Result(self.engine, made, sql_files.any_file, told))
