"""`ir.clicks.off_policy`: the value of stochastic rankers from lists that another stochastic ranker showed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
from scipy import special

from ireval_frames.clicks.checks import check, known
from ireval_frames.clicks.counterfactual_evaluation.slate_estimators import parse_slate_estimators
from ireval_frames.clicks.counterfactual_evaluation.slate_tables import SlateRequest, SlateTables
from ireval_frames.clicks.counterfactual_evaluation.summarised import Summarised, normal_interval
from ireval_frames.clicks.counterfactual_evaluation.weights import Names, weights_of
from ireval_frames.clicks.subject import Impressions
from ireval_frames.columns.user_names import columns_named
from ireval_frames.drawable import Estimates
from ireval_frames.engines.base import Engine
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.expr import col, lit
from ireval_frames.io import sql as sql_files
from ireval_frames.parameters import CONFIDENCE, choice
from ireval_frames.plan import Plan
from ireval_frames.results import Result, TableQuery, table_method

COLUMNS = ("policy", "measure", "estimator", "baseline", "difference", "p_value")


class OffPolicy(Summarised):
    """Values of stochastic rankers from the lists of another; made by `ir.clicks.off_policy`; prints as its summary."""

    def __init__(self, request: SlateRequest) -> None:
        super().__init__()
        self._request, self.engine = request, request.log.engine
        with self.engine.errors():
            # Names, columns and types are checked now.
            plan_slates(request, self.engine)

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
        targets = self._request.targets
        if len(targets) < 2:
            raise NotDefined("A comparison needs two policies, and there is one.", 'Write target=["one", "other"].')
        baseline = targets[0] if baseline is None else baseline
        if baseline not in targets:
            raise UnknownName(f"There is no target {baseline!r}.", nearest(str(baseline), targets))
        rows = self._result(targets.index(baseline)).collect().filter(pl.col("policy") != baseline)
        z = (rows["value"] / rows["se"]).abs().fill_null(float("nan")).to_numpy()
        p = pl.Series("p_value", 2.0 * special.ndtr(-z)).fill_nan(None)
        named = rows.rename({"value": "difference"}).with_columns(p, baseline=pl.lit(baseline))
        sizes = [c for c in ("n_pages", "n_users") if c in rows.columns]
        keys = [*self._request.by, "policy", "baseline", "measure", "estimator"]
        return named.select(*keys, "difference", "se", "low", "high", "p_value", *sizes, "status")

    def _estimates(self) -> Estimates:
        named = {"system": pl.col("policy"), "measure": pl.format("{} {}", "measure", "estimator")}
        rows = self.summary().with_columns(**named, n=pl.col("n_pages"))
        return Estimates(rows, self._request.by, "page", normal_interval(self._request.confidence))

    def _result(self, baseline: int | None) -> Result:
        request = replace(self._request, baseline=baseline)
        provenance = {
            "table": "off_policy",
            "policies": list(request.targets),
            "estimators": [str(e) for e in request.estimators],
            "policy": {name: value for name, value, *_ in request.log.policy.described()},
        }
        result = Result(
            self.engine, lambda engine: summary_query(plan_slates(request, engine)), sql_files.any_file, provenance
        )
        return self._cached(baseline, result)


def plan_slates(request: SlateRequest, engine: Engine) -> SlateTables:
    """The tables of a request on an engine; names and types are checked now, the data by `SlateTables.checks`."""
    further = tuple(dict.fromkeys((*request.by, *request.columns.values())))
    inputs = request.log.inputs(further, engine=engine)
    user = ["user_id"] if request.per_user else []
    inputs.needs("propensity", *user)
    alias = {name: f"by_{i}" for i, name in enumerate(further)}
    columns = {group: col(alias[name]) for group, name in zip(request.groups, request.by, strict=True)}
    # Probabilities and rewards are numbers, whatever kind of numbers they were.
    columns |= {ours: col(alias[name]).cast(pl.Float64) for ours, name in request.columns.items()}
    if "reward" not in columns:
        columns["reward"] = col("click").cast(pl.Float64)
    if "run_id" in inputs.keys:
        columns["system"] = col("run_id")
    weight = ["weight"] if "weight" in inputs.impressions.columns else []
    rows = inputs.impressions.select("serp_id", "position", "propensity", *user, *weight, **columns)
    plan = Plan(engine)
    row_checks = [known(inputs, column) for column in user]
    return SlateTables(plan, rows, request, (lambda: check(inputs), lambda: run_checks(engine, row_checks), plan.check))


def summary_query(tables: SlateTables) -> TableQuery:
    """A row per policy, group, measure and estimator."""
    request = tables.request
    z = float(special.ndtri((1.0 + request.confidence) / 2.0))
    rows = [
        {
            "policy": lit(request.targets[estimate.target]),
            "measure": lit(request.measures[estimate.measure].name),
            "estimator": lit(str(estimate.estimator)),
            "value": estimate.value,
            "se": estimate.se,
            "low": estimate.value - z * estimate.se,
            "high": estimate.value + z * estimate.se,
            **estimate.sizes,
        }
        for estimate in tables.estimates()
    ]
    frame = tables.plan.engine.shared(tables.groups.frame())
    keys = {name: col(group) for group, name in zip(request.groups, request.by, strict=True)}
    return TableQuery.stacked(tables.plan, frame, keys, rows, tables.checks)


def off_policy(
    log: Any,
    target: str | Sequence[str] = "target",
    *,
    estimators: str | Iterable[str] = "IIPS RIPS SNRIPS",
    measure: Names = "CG",
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
            probabilities of a document at a place, for the others they are conditional on the results above.
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
    parsed = parse_slate_estimators(estimators)
    columns = {} if reward == "click" else {"reward": reward}
    targets = columns_named(target, "target")
    if not targets:
        raise InvalidParameter("target names no column.", Hint("Write ", Argument("target", "target"), "."))
    columns |= {f"target_{i}": name for i, name in enumerate(targets)}
    if any(e.name == "CascadeDR" for e in parsed):
        if expected is None or expected_target is None:
            raise InvalidParameter(
                "CascadeDR reads the expected rewards of what was shown, and of what would be.",
                Hint("Name them: ", Argument("expected", "q"), ", ", Argument("expected_target", "q_target"), "."),
            )
        columns |= {"expected": expected, "expected_target": expected_target}
    choice("page", "user").check("cluster", cluster)
    confidence = CONFIDENCE.check("confidence", confidence)
    if not isinstance(log, Impressions):
        log = Impressions(log, engine=engine, con=con)
    by = log.by if by is None else columns_named(by, "by")
    if taken := [n for n in by if n in COLUMNS or n in columns.values()]:
        raise InvalidParameter(f"by={taken[0]!r} is a column of the result, or read already.", "Rename it.")
    request = SlateRequest(
        log,
        targets,
        tuple(weights_of(measure)),
        tuple(parsed),
        confidence,
        by=by,
        columns=columns,
        per_user=cluster == "user",
    )
    return OffPolicy(request)
