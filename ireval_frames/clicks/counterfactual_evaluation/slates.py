"""`ir.clicks.off_policy`: the value of stochastic rankers from lists that another stochastic ranker showed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from scipy import special

from ireval_frames.clicks.checks import check, known
from ireval_frames.clicks.counterfactual_evaluation import weights
from ireval_frames.clicks.counterfactual_evaluation.slate_estimators import SlateEstimator, parsed
from ireval_frames.clicks.counterfactual_evaluation.slate_tables import SlateEstimation, SlateTables
from ireval_frames.clicks.counterfactual_evaluation.summarised import Summarised, normal_interval
from ireval_frames.clicks.subject import Impressions
from ireval_frames.columns.user_names import columns_named
from ireval_frames.drawable import Estimates
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import concat
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.expr import col, lit
from ireval_frames.io import sql as sql_files
from ireval_frames.parameters import CONFIDENCE, choice
from ireval_frames.plan import Plan
from ireval_frames.results import Result, TableQuery, table_method

COLUMNS = ("policy", "measure", "estimator", "baseline", "difference", "p_value")


@dataclass(frozen=True)
class _Given:
    """What was asked, under the user's names."""

    log: Impressions
    targets: tuple[str, ...]
    by: tuple[str, ...]
    reads: Mapping[str, str]
    asked: SlateEstimation
    confidence: float


class OffPolicy(Summarised):
    """Values of stochastic rankers from the lists of another; made by `ir.clicks.off_policy`; prints as its summary."""

    def __init__(self, given: _Given) -> None:
        super().__init__()
        self._given, self.engine = given, given.log.engine
        with self.engine.errors():
            self._tables(self.engine, None)

    @table_method
    def summary(self) -> Result:
        """A row per policy, group, measure and estimator.

        Returns:
            [by …] policy measure estimator value se low high n_pages [n_users] ess mean_weight largest_weight status.
            `mean_weight` is near 1 where the logged propensities are right; `ess` is (Σw)² / Σw² over the places.  The
            status is "ok", "one_cluster" (no variance of one page or user) or "no_overlap": every weight is 0.
        """
        return self._result(None)

    def compare(self, baseline: str | None = None) -> pl.DataFrame:
        """Each policy against a baseline, on the same pages: differences with their intervals and normal tests.

        Args:
            baseline: the column of the baseline; by default the first target.

        Raises:
            NotDefined: there is one policy.
            UnknownName: no target has that name.
        """
        targets = self._given.targets
        if len(targets) < 2:
            raise NotDefined("A comparison needs two policies, and there is one.", 'Write target=["one", "other"].')
        baseline = targets[0] if baseline is None else baseline
        if baseline not in targets:
            raise UnknownName(f"There is no target {baseline!r}.", nearest(str(baseline), targets))
        found = self._result(targets.index(baseline)).collect().filter(pl.col("policy") != baseline)
        z = (found["value"] / found["se"]).abs().fill_null(float("nan")).to_numpy()
        p = pl.Series("p_value", 2.0 * special.ndtr(-z)).fill_nan(None)
        named = found.rename({"value": "difference"}).with_columns(p, baseline=pl.lit(baseline))
        sizes = [c for c in ("n_pages", "n_users") if c in found.columns]
        keys = [*self._given.by, "policy", "baseline", "measure", "estimator"]
        return named.select(*keys, "difference", "se", "low", "high", "p_value", *sizes, "status")

    def estimated(self) -> Estimates:
        """The summary, for pictures and reports."""
        rows = self.summary()
        named = {"system": pl.col("policy"), "measure": pl.format("{} {}", "measure", "estimator")}
        given = self._given
        made = rows.with_columns(**named, n=pl.col("n_pages"))
        return Estimates(made, given.by, "page", normal_interval(given.confidence))

    # ---- within

    def _tables(self, engine: Engine, baseline: int | None) -> tuple[SlateTables, list[Any]]:
        given = self._given
        extra = tuple(dict.fromkeys((*given.by, *given.reads.values())))
        inputs = given.log.inputs(extra, engine=engine)
        inputs.needs("propensity", *(("user_id",) if given.asked.user else ()))
        alias = {name: f"by_{i}" for i, name in enumerate(extra)}
        columns = {f"group_{i}": col(alias[n]) for i, n in enumerate(given.by)}
        # Probabilities and rewards are numbers, whatever kind of numbers they were.
        columns |= {ours: col(alias[theirs]).cast(pl.Float64) for ours, theirs in given.reads.items()}
        if "reward" not in columns:
            columns["reward"] = col("click").cast(pl.Float64)
        if "run_id" in inputs.keys:
            columns["system"] = col("run_id")
        kept = ["serp_id", "position", "propensity", *(["user_id"] if given.asked.user else [])]
        kept += ["weight"] if "weight" in inputs.impressions.columns else []
        rows = inputs.impressions.select(*kept, **columns)
        plan = Plan(engine)
        tables = SlateTables(plan, rows, given.asked, {f"target_{i}": n for i, n in enumerate(given.targets)}, baseline)
        users = [known(inputs, "user_id")] if given.asked.user else []
        return tables, [lambda: check(inputs), lambda: run_checks(engine, users), plan.check]

    def _result(self, baseline: int | None) -> Result:
        given = self._given

        def made(engine: Engine) -> TableQuery:
            tables, checks = self._tables(engine, baseline)
            return self._query(tables, checks)

        told = {
            "table": "off_policy",
            "policies": list(given.targets),
            "estimators": [str(e) for e in given.asked.estimators],
            "policy": {name: value for name, value, *_ in given.log.policy.described()},
        }
        return self._cached(baseline, Result(self.engine, made, sql_files.any_file, told))

    def _query(self, tables: SlateTables, checks: list[Any]) -> TableQuery:
        given = self._given
        z = float(special.ndtri((1.0 + given.confidence) / 2.0))
        rows = []
        for place, told in enumerate(tables.estimates()):
            rows.append(
                {
                    "policy": lit(given.targets[told.target]),
                    "measure": lit(given.asked.measures[told.measure].name),
                    "estimator": lit(str(told.estimator)),
                    "value": told.value,
                    "se": told.se,
                    "low": told.value - z * told.se,
                    "high": told.value + z * told.se,
                    **told.sizes,
                    "ireval_place": lit(place),
                }
            )
        frame = tables.plan.engine.shared(tables.groups.frame())
        keys = {name: col(f"group_{i}") for i, name in enumerate(given.by)}
        parts = [frame.select(**keys, **columns) for columns in rows]
        shown = tuple(c for c in parts[0].columns if c != "ireval_place")
        return TableQuery(tables.plan, concat(parts), (*keys, "ireval_place"), shown, checks)


def off_policy(
    log: Any,
    target: str | Sequence[str] = "target",
    *,
    estimators: str | Iterable[str] = "IIPS RIPS SNRIPS",
    measure: weights.Names = "CG",
    reward: str = "click",
    expected: str | None = None,
    expected_target: str | None = None,
    cluster: str = "page",
    by: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    engine: str | Engine | None = None,
    con: Any = None,
) -> OffPolicy:
    """The value of stochastic rankers from lists that another stochastic ranker showed, with logged probabilities.

    V = (1/S) Σ w · λ(position) · reward over the places of S pages, w from π_e / π_b of the places of a page:

        IIPS: the ratio of the place itself (users look at each place alone);
        SIPS: the product over the whole list; RIPS: the product down to the place (users read from the top);
        SNIIPS, SNRIPS, SNSIPS: weights over their mean, at each position as Open Bandit Pipeline does it for the first
        two, or over all places (`over='all'`), as it does for SNSIPS;
        CascadeDR: Σ w_k (r − q̂) + w_(k−1) E_πe q̂, w of RIPS.

    Each may change its weights: clip=c: min(w, c); sub_gaussian=s: w / (1 − s + s w); shrinkage=s: s w / (w² + s);
    switch=c: w where it is at most c, else 0.

    Args:
        log: `Impressions` with a column `propensity`, π_b of the document at its place, or a table with its columns.
        target: the column of π_e of the same document there; several are several policies.  For IIPS both are marginal
            probabilities of a document at a place, for the others they are given what stands above.
        estimators: of those above, with their parameters: "RIPS(clip=10)".
        measure: λ, as of `ir.clicks.counterfactual`, by position; by default every place counts 1.
        reward: the column of rewards.
        expected: for CascadeDR, the column of q̂: the expected reward of what was shown there.
        expected_target: for CascadeDR, the column of E_πe q̂: that of what the policy would show there.
        cluster: what is drawn independently: "page" or "user".
        by: columns of the log that group pages.
        confidence: of the intervals, which are normal.
        engine: "polars", "duckdb" or "spark"; by default where the log is.
        con: a DuckDB connection or a Spark session.

    A standard error is that of the mean over pages (or users); of self-normalised values to first order.

    Raises:
        MissingColumn, WrongType: the log lacks columns, or they hold something else.
        InvalidValue: with the first result, π_b is not in (0, 1], or π_e not in [0, 1].
        UnknownName, InvalidParameter, NotDefined: an estimator, measure or argument that does not exist.

    Source: Li, Abbasi-Yadkori, Kveton and others, KDD 2018 (IIPS); McInerney and others, KDD 2020 (RIPS); Kiyohara and
    others, WSDM 2022 (CascadeDR); Swaminathan and Joachims, NeurIPS 2015 (self-normalised).

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> log = pl.DataFrame({"serp_id": [1, 1, 2, 2], "doc_id": ["a", "b", "b", "a"], "position": [1, 2, 1, 2],
        ...                     "click": [1, 0, 0, 1], "propensity": [0.5, 1.0, 0.5, 1.0],
        ...                     "target": [0.9, 1.0, 0.1, 1.0]})
        >>> ir.clicks.off_policy(log, estimators="IIPS RIPS").summary().select("estimator", "value").rows()
        [('IIPS', 1.4), ('RIPS', 1.0)]
    """
    asked = parsed(estimators)
    reads = {} if reward == "click" else {"reward": reward}
    targets = columns_named(target, "target")
    if not targets:
        raise InvalidParameter("target names no column.", Hint("Write ", Argument("target", "target"), "."))
    reads |= {f"target_{i}": name for i, name in enumerate(targets)}
    if any(e.name == "CascadeDR" for e in asked):
        if expected is None or expected_target is None:
            raise InvalidParameter(
                "CascadeDR reads the expected rewards of what was shown, and of what would be.",
                Hint("Name them: ", Argument("expected", "q"), ", ", Argument("expected_target", "q_target"), "."),
            )
        reads |= {"expected": expected, "expected_target": expected_target}
    choice("page", "user").check("cluster", cluster)
    confidence = CONFIDENCE.check("confidence", confidence)
    if not isinstance(log, Impressions):
        log = Impressions(log, engine=engine, con=con)
    names = log.by if by is None else columns_named(by, "by")
    if taken := [n for n in names if n in COLUMNS or n in reads.values()]:
        raise InvalidParameter(f"by={taken[0]!r} is a column of the result, or read already.", "Rename it.")
    of = SlateEstimation(weights.weights_of(measure), asked, len(targets), len(names), user=cluster == "user")
    return OffPolicy(_Given(log, targets, names, reads, of, confidence))


__all__ = ["OffPolicy", "SlateEstimator", "off_policy"]
