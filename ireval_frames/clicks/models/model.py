"""A fitted click model."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ireval_frames.clicks.models import evaluating, explaining, saving, simulating, tables
from ireval_frames.clicks.models.counts import compaction
from ireval_frames.clicks.models.counts.cells import Cells
from ireval_frames.clicks.models.counts.keys import Keys
from ireval_frames.clicks.models.counts.pages import Pages, pages_of
from ireval_frames.clicks.models.counts.tallies import Tallies
from ireval_frames.clicks.models.declared import Array, ClickModel, Estimates, Trace
from ireval_frames.clicks.models.estimation import bootstrapping, intervals
from ireval_frames.clicks.models.estimation.iteration import Iterated
from ireval_frames.clicks.models.estimation.shares import with_interval
from ireval_frames.clicks.models.log import lists_of, of_documents, rows_of, same_documents
from ireval_frames.clicks.models.options import N_RESAMPLES, Options
from ireval_frames.clicks.models.relevance import judgment_table, relevance_table
from ireval_frames.displayed import Displayed
from ireval_frames.errors import MismatchedTables, NotDefined
from ireval_frames.parameters import CONFIDENCE, SEED

if TYPE_CHECKING:
    from ireval_frames.clicks.modelled import Modelled
    from ireval_frames.clicks.models.graded_log import GradedLog


@dataclass(frozen=True)
class FittedModel(Displayed):
    """A click model with its parameters; `log.fit(name)` makes it.

    Attributes:
        model: its definition.
        keys: the keys of the parameters.
        estimates: their values.
        options: how it was fitted.
        trace: how the iteration went.
        confidence: of its intervals.
        bounds: the interval of relevance, where it was resampled.
        groups: the user's names of the columns of groups, by alias.
        data: the counts it was fitted to; None for a model that was read.
        disconnected: by parameter, the values that cannot be compared with most others, of a model read from a file.
        graded: whether its documents are grades.
    """

    model: ClickModel[Any]
    keys: Keys
    estimates: Estimates
    options: Options
    trace: Trace
    confidence: float = 0.95
    bounds: tuple[Array, Array] | None = None
    groups: Mapping[str, str] = field(default_factory=dict)
    data: Cells | Pages | Tallies | None = None
    disconnected: Mapping[str, Any] | None = None
    graded: bool = False

    # ---- what it is

    @property
    def name(self) -> str:
        """Its name."""
        return self.model.name

    @property
    def by(self) -> tuple[str, ...]:
        """The columns of its groups."""
        return tuple(self.groups.values())

    def _of_grades(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Rows by query and document, or by grade, with the user's names of the columns of groups."""
        rows = rows.rename(dict(self.groups))
        return rows.drop("query_id").rename({"doc_id": "grade"}) if self.graded else rows

    @property
    def converged(self) -> bool:
        """Whether the last iteration changed no parameter by more than the tolerance; true of closed forms."""
        return self.trace.converged

    def __repr__(self) -> str:
        """The name, the number of parameters, and whether the iteration converged; `explain()` has the rest."""
        parts = [f"{e.value.size} {name}" for name, e in self.estimates.items()]
        if not self.model.closed:
            steps = len(self.trace.changes)
            parts.append(f"{steps} iterations, " + ("converged" if self.converged else "not converged"))
        return f"<{self.name}: {', '.join(parts)}>"

    def _displays(self) -> Sequence[str | pl.DataFrame]:
        """Its name and size, and its parameters."""
        return [repr(self), self.parameters()]

    def explain(self) -> str:
        """The model, its parameters, and how it was fitted: priors, initial values, pages, and convergence."""
        status = self.parameters()["status"]
        return explaining.explained(
            self.model, self.options, self.trace, self.by, status, longest=self.keys.longest, graded=self.graded
        )

    def convergence(self) -> pl.DataFrame:
        """[iteration log_likelihood objective change]: the data's log-likelihood after each iteration, 0 before any.

        The objective adds the logarithm of the prior's density, and never falls.  Empty for closed forms.
        """
        return explaining.steps(self.trace)

    # ---- its parameters

    @cached_property
    def _disconnected(self) -> Mapping[str, Any]:
        if self.disconnected is not None:
            return self.disconnected
        return {} if self.data is None else self.model.disconnected(self.data)

    @cached_property
    def _bounded(self) -> Estimates:
        """The estimates, with intervals where they are ratios of the counts of the model."""
        if self.data is None or not self.model.closed:
            return self.estimates
        prior, level = self.options.prior, self.confidence
        return {k: e if e.low is not None else with_interval(e, prior, level) for k, e in self.estimates.items()}

    @cached_property
    def _table(self) -> pl.DataFrame:
        return tables.table(
            self.model, self.keys, self._bounded, self.options.prior, self._disconnected, self._usual_status
        )

    @property
    def _usual_status(self) -> str:
        """The status of values without a flag."""
        return "converged" if self.trace.changes else "lower_bound" if self.model.of_bound else "ok"

    def parameters(self) -> pl.DataFrame:
        """[by …] parameter query_id doc_id position last_click (after) value n low high status.

        A model of a graded log has `grade` in the place of `query_id` and `doc_id`.
        A value is a probability.  `n` is the (expected) number of times it could have happened.  Closed forms have the
        central interval of their Beta posterior, others none before `intervals`.  `status` is "ok" of closed forms;
        "lower_bound" of those that maximise a lower bound of the likelihood, as do their intervals (DCM, SDBN: values
        are too high where users look on without a click); "converged" of iterations; "not_converged" in groups whose
        iteration stopped early; "unbounded" at 0 and 1, where the logit is infinite; "singular" where the information
        determines a value only together with others; "scale" of the value that others are relative to; "fixed";
        "prior" where the log has no data; "undefined" where there is no prior, either, and the value is null; or
        "disconnected" where PBM and UBM cannot compare it with most others.
        """
        return self._of_grades(self._table.drop("_hits"))

    def relevance(self) -> pl.DataFrame:
        """[by …] query_id doc_id relevance n low high status: attraction, times satisfaction if the model has it.

        `status` is that of `parameters()`: of attraction if that has a flag, else of satisfaction.

        Raises:
            NotDefined: GCTR, RCTR and DRCTR have no parameter of documents apart from positions.
        """
        prior = self.options.prior
        rows = relevance_table(self.model, self.keys, self._bounded, prior, self.confidence, self.bounds)
        status = tables.of_product(self.model.relevant, self._bounded, prior, self._disconnected, self._usual_status)
        return self._of_grades(rows.with_columns(status))

    def judgments(self, *, grades: int | Sequence[float] | None = None, min_n: float = 0) -> pl.DataFrame:
        """Relevance as judgments for `ir.evaluate`: [by …] query_id doc_id relevance n low high status.

        Args:
            grades: None for relevance from 0 to 1; k for the grades 0 … k − 1 by quantiles of all values; or ascending
                thresholds, of which the number that a relevance reaches is its grade.
            min_n: documents with fewer impressions get no judgment.

        Raises:
            NotDefined: the model has no relevance.
            InvalidParameter: `grades` or `min_n` is not allowed.
        """
        of_documents("judgments", graded=self.graded)
        return judgment_table(self.relevance(), self.by, grades, min_n)

    def run(self) -> pl.DataFrame:
        """[by …] run_id query_id doc_id score: the documents of each query scored by relevance, as a run."""
        of_documents("run", graded=self.graded)
        rows = self.relevance().filter(pl.col("relevance").is_not_null())
        return rows.select(*self.by, pl.lit(self.name).alias("run_id"), "query_id", "doc_id", score="relevance")

    def intervals(
        self, method: str = "information", *, of: intervals.Of = None, confidence: float | None = None
    ) -> FittedModel:
        """The model with intervals from the likelihood, at its maximum, which is searched from the estimates.

        For PBM and UBM one examination of each connected component has none (that of the most impressions): it is the
        scale of the others, which are only known in proportion.  Closed forms keep those of their posterior.

        Args:
            method: "information" (θ ± z standard errors in logits, from all second derivatives; none at 0 and 1),
                "profile" (every θ with 2 (max log L − max log L where it is θ) ≤ the quantile of χ² with one degree
                of freedom; some hundred E-steps for each), or "bootstrap" as `bootstrap` does.  A prior's density is
                part of L.
            of: which values: names of parameters, or rows of `parameters()`; by default all.
            confidence: of the intervals, by default that of the model.

        Raises:
            NotDefined: the model was read from a file, and has no data.
            UnknownName, InvalidParameter, MissingColumn: an argument is not allowed.
        """
        level = self.confidence if confidence is None else CONFIDENCE.check("confidence", confidence)
        if intervals.method_of(method) == "bootstrap":
            return self.bootstrap(confidence=level)
        data = self.data if isinstance(self.data, Tallies) else self._counts("look at")
        if isinstance(data, Tallies) or not isinstance(self.model, Iterated):
            return replace(self, confidence=level)
        if isinstance(of, pl.DataFrame):
            of = of.rename({name: alias for alias, name in self.groups.items()}, strict=False)
        estimates, bounds = intervals.bounded(self.model, data, self.estimates, self.options, method, of, level)
        return replace(self, estimates=estimates, bounds=bounds, confidence=level)

    def _counts(self, to: str) -> Cells | Pages:
        if self.data is None:
            raise NotDefined(f"A model that was read has no data to {to}.", "Fit it to a log first.")
        return self.data.pages() if isinstance(self.data, Tallies) else self.data

    def bootstrap(self, n_resamples: int = 100, *, seed: int = 0, confidence: float | None = None) -> FittedModel:
        """The model with percentile intervals, from fits to resampled pages.

        Args:
            n_resamples: how many fits, each from the estimates.
            seed: of the draws.
            confidence: of the intervals, by default that of the model.

        Raises:
            NotDefined: the model was read from a file, and has no data.
            InvalidParameter: a number is not allowed.
        """
        data = self._counts("draw from")
        N_RESAMPLES.check("n_resamples", n_resamples)
        SEED.check("seed", seed)
        level = self.confidence if confidence is None else CONFIDENCE.check("confidence", confidence)
        estimates, bounds = bootstrapping.bootstrapped(
            self.model, data, self.estimates, self.options, n_resamples, seed, level
        )
        return replace(self, estimates=estimates, bounds=bounds if self.model.relevant else None, confidence=level)

    # ---- what it predicts

    def evaluate(
        self,
        log: Modelled | GradedLog,
        measures: str | Iterable[str] = "LL Perplexity ConditionalPerplexity",
        *,
        convention: str | None = None,
    ) -> pl.DataFrame:
        """[by …] measure position value n_rows n_outside n_unseen: how well it predicts the clicks of a log.

        `position` is null for all positions together.  Rows that are impossible under the model, or have no value, are
        outside of it: `n_outside` counts them, and they are in no mean.  `n_unseen` counts rows of a query and document
        that it was not fitted to; their value is the mean of the prior, and without a prior they are outside.

        Args:
            log: an `ir.Impressions`.
            measures: LL (mean log-likelihood given the clicks above; at most 0, higher is better), Perplexity
                (of clicks whatever was clicked above; at least 1, lower is better), ConditionalPerplexity (given the
                clicks above), CTRPrediction (root of the mean squared error of the click rate of a query and document
                at position 1, by impressions; lower is better).
            convention: "pyclick", "clickmodels" or "clax": the definitions of these tools.

        Raises:
            WrongType: `log` is no click log.
            UnknownName: there is no such measure or convention.
        """
        requested = evaluating.measures_of(measures)
        rows, pages = self._pages(log)
        pair = [*self.groups, "query_id", *(["doc_1"] if pages.longest else [])]
        firsts = rows.select(pl.struct(pair).rank("dense")).to_series().to_numpy().astype(np.int64) - 1
        values = evaluating.evaluated(
            self.model, self.estimates, pages, self.options.unseen, requested, convention, firsts
        )
        return values.rename(dict(self.groups))

    def per_page(
        self, log: Modelled | GradedLog, measures: str | Iterable[str] = "LL", *, run_id: str | None = None
    ) -> pl.DataFrame:
        """[by …] run_id serp_id query_id measure value: a value per page, for `ir.compare(…, unit="serp_id")`.

        Args:
            log: an `ir.Impressions`.
            measures: LL (its mean over the page), Perplexity, ConditionalPerplexity.
            run_id: the name of the model in the result; by default its own.
        """
        requested = [m for m in evaluating.measures_of(measures) if m != "CTRPrediction"]
        rows, pages = self._pages(log, separate=True)
        values = evaluating.of_pages(self.model, self.estimates, pages, self.options.unseen, requested)
        rows = rows.rename(dict(self.groups))
        page = rows.select(*self.by, pl.lit(run_id or self.name).alias("run_id"), "serp_id", "query_id")
        return pl.concat(
            [page.with_columns(measure=pl.lit(m), value=pl.Series(v).fill_nan(None)) for m, v in values.items()]
        ).sort(*self.by, "measure", "serp_id")

    def _pages(self, log: Modelled | GradedLog, *, separate: bool = False) -> tuple[pl.DataFrame, Pages]:
        """The pages of a log, as rows and as arrays."""
        same_documents(log, graded=self.graded)
        log_rows = rows_of(log, [name for alias, name in self.groups.items() if alias != "run_id"])
        if {*log_rows.groups} != {*self.groups}:
            has = ", ".join(log_rows.groups.values()) or "none"
            raise MismatchedTables(
                f"The model has the groups {', '.join(self.by) or 'none'}, and the log {has}.",
                "Both need a column run_id, or neither.",
            )
        with log_rows.engine.errors():
            log_rows.checks()
            rows, longest = compaction.pages(
                log_rows.engine, log_rows.frame, self.keys.by, Options(), separate=separate
            )
        return pages_of(rows, longest, self.keys.by, self.keys)

    def simulate(self, pages: Any, seed: int = 0, *, con: Any = None) -> pl.DataFrame:
        """[by …] serp_id query_id doc_id position click: a log of the model's clicks on given lists.

        Unknown documents attract with the mean of the prior; without a prior they are not clicked.

        Args:
            pages: a table with `serp_id`, `query_id`, `doc_id`, `position` (and the columns of groups), or a log.
            seed: of the draws.  The same seed gives a page the same clicks on every engine.
            con: a DuckDB connection or a Spark session, where `pages` is the name of a table.

        Raises:
            MissingColumn: a column is not there.
        """
        SEED.check("seed", seed)
        same_documents(pages, graded=self.graded)
        lists = lists_of(pages, self.groups, con)
        with lists.engine.errors():
            lists.checks()
            fitted = (self.model, self.keys, self.estimates, self.options.unseen)
            clicks = simulating.simulated(*fitted, lists.engine, lists.frame, self.keys.by, seed)
        return clicks.rename(dict(self.groups))

    # ---- keeping it

    def _metadata(self) -> dict[str, Any]:
        fit = (self.name, self.groups, self.options, self.trace, self.confidence)
        return saving.metadata(*fit, longest=self.keys.longest, graded=self.graded)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the parameters and the options of the fit as a Parquet file; `load` reads it."""
        saving.save(self._table, path, self._metadata())
