"""Experiments and click models from a click log."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ireval_frames.clicks.inputs import ClickInputs
    from ireval_frames.clicks.models import FittedModel, GradedLog
    from ireval_frames.conventions.rankings import ClickPolicy
    from ireval_frames.experiments import Experiment


class Modelled:
    """A click log as data of experiments and click models."""

    policy: ClickPolicy

    @abstractmethod
    def inputs(self, by: str | Sequence[str] | None = None) -> ClickInputs:
        """The log under our names."""

    def experiment(
        self,
        variant: str = "variant",
        *,
        unit: str | None = None,
        baseline: Any = None,
        time: str | None = None,
        by: str | Sequence[str] = (),
        units: str = "error",
        several_variants: str = "error",
        judgments: Any = None,
        cutoff: int = 10,
    ) -> Experiment:
        """The log as an A/B test of users: `analyze()` gives click-through rate, abandonment, clicks per page and more.

        Rates are ratios of sums over users, so that pages of one user may depend on each other.  The rows
        of the experiment are pages, with the columns pages (1), shown, clicks, clicked, abandoned and first_click (1 /
        position of the first click, 0 without one), from which other metrics can be made: `Ratio(clicks, pages)`.  The
        data is checked now.

        Args:
            variant: the column of variants.
            unit: the column of what was randomised, such as that of pages; by default that of users.
            baseline: the variant that others are compared with; by default every two are compared.
            time: the column of days.
            by: columns that group users.
            units: pages without a user or a variant: "error", or left out ("drop-null").
            several_variants: users that were in several: "error", left out ("drop"), or counted in each ("keep").
            judgments: by query and document, or a fitted click model (of other days than these): adds the metric
                nDCG@10, the mean over pages of queries with a positive grade, and the columns ndcg and judged.
            cutoff: of nDCG.

        Raises:
            MissingColumn: the log has no such column, or no users; or no queries, where there are judgments.
            NotDefined: the log has weights.
            InvalidValue, DuplicateRows: the log breaks a check.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> log = ir.examples.click_log().with_columns(variant=pl.col("user_id") == "u2")
            >>> table = ir.Impressions(log).experiment().analyze().table()
            >>> table.select("metric", pl.col("value_baseline", "value").round(3)).head(3).rows()
            [('CTR', 0.25, 0.5), ('PageCTR', 0.5, 1.0), ('Abandonment', 0.5, 0.0)]
        """
        from ireval_frames.clicks.experiment import experiment

        left_out = {"units": units, "several_variants": several_variants}
        return experiment(self, variant, unit, baseline, time, by, left_out, judgments=judgments, cutoff=cutoff)

    def fit(
        self,
        name: str,
        *,
        by: str | Sequence[str] | None = None,
        iterations: int | None = None,
        tolerance: float | None = None,
        prior: tuple[float, float] | None = None,
        initial: float | Mapping[str, float] | None = None,
        no_clicks: str | None = None,
        shortest: int | None = None,
        fixed: Mapping[str, float] | None = None,
        convention: str | None = None,
        start: FittedModel | None = None,
        confidence: float = 0.95,
    ) -> FittedModel:
        """Fit a click model: GCTR, RCTR, DCTR, DRCTR, CM, DCM, SDBN in closed form, PBM, UBM, DBN, CCM by iteration.

        The engine counts the distinct pages or rows of the log once; the estimates are made of the counts.

        Args:
            name: of the model.
            by: each group of these columns has parameters of its own; by default those of the constructor.
            iterations: the largest number, 500 by default; a `ConvergenceWarning` says where it does not suffice.
            tolerance: the largest change of a parameter at which iterations end, 1e-6 by default; 0 runs all of them.
            prior: pseudo-counts (a, b), by default (1, 1): a parameter is (hits + a) / (trials + a + b).  (0, 0) is
                plain maximum likelihood.
            initial: the initial value of parameters, 0.5 by default: a number, or a mapping such as {"continuation":
                0.9}.
            no_clicks: pages without clicks were "examined" to their end, or are "dropped".
            shortest: pages of fewer results are left out, by default none.
            fixed: parameters that keep a value, such as {"continuation": 0.9}.
            convention: "pyclick" or "clickmodels": the defaults of these tools, without their faults.
            start: a fitted model of the same name, from whose parameters iteration starts.
            confidence: of the intervals.

        Raises:
            UnknownName: there is no such model or convention.
            InvalidParameter: an option is not allowed.
            MissingColumn: the log lacks a column of the model, such as `query_id`.
            InvalidValue: the log breaks a check, or is empty; or, for models of complete pages, positions are not 1,
                2 … n or go beyond 200.

        Example:
            >>> import ireval_frames as ir
            >>> log = ir.Impressions(ir.examples.click_log())
            >>> log.fit("SDBN", prior=(0, 0)).relevance().select("query_id", "doc_id", "relevance", "n").rows()[:2]
            [(1, 'a', 0.0, 2.0), (1, 'b', 0.6666666666666666, 3.0)]
        """
        from ireval_frames.clicks import models

        options: dict[str, Any] = {
            "iterations": iterations, "tolerance": tolerance, "prior": prior, "initial": initial,
            "no_clicks": no_clicks, "shortest": shortest, "fixed": fixed, "convention": convention,
        }  # fmt: skip
        return models.fit(self, name, by=by, start=start, confidence=confidence, **options)

    def graded(self, judgments: Any = None) -> GradedLog:
        """The log with grades instead of documents: click models of it have parameters by grade.

        Measures of click models (`EBU`, `uSDBN` …) take such parameters for documents that the log never showed:
        `ir.evaluate(qrels, run, "uSDBN@10", click_model=log.graded(qrels).fit("SDBN"))`.

        Args:
            judgments: by query and document; by default the column `grade` of the log.  Documents of judged queries
                that are not judged have grade 0, and pages of queries without judgments are left out.

        Raises:
            MissingColumn: with the first fit, there are neither judgments nor a column of grades.

        Source: Chuklin, Serdyukov and de Rijke, SIGIR 2013; clickmodels (TRAIN_FOR_METRIC).

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> log = ir.Impressions(ir.examples.click_log())
            >>> qrels = pl.DataFrame({"query_id": [1, 1], "doc_id": ["b", "c"], "relevance": [2, 1]})
            >>> log.graded(qrels).fit("SDBN", prior=(0, 0)).relevance().select("grade", "relevance").rows()
            [(0.0, 0.0), (1.0, 1.0), (2.0, 0.6666666666666666)]
        """
        from ireval_frames.clicks.models.graded_log import GradedLog

        return GradedLog(self, judgments)
