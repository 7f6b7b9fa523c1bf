"""`ir.clicks.counterfactual`: what new rankings are worth, from the clicks on old ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ireval_frames.clicks.counterfactual_evaluation import weights
from ireval_frames.clicks.counterfactual_evaluation.build import CounterfactualBuild
from ireval_frames.clicks.counterfactual_evaluation.estimators import parsed
from ireval_frames.clicks.counterfactual_evaluation.evaluation import RESULT_COLUMNS, Counterfactual
from ireval_frames.clicks.counterfactual_evaluation.given_propensities import by_position
from ireval_frames.clicks.counterfactual_evaluation.tables import Estimation
from ireval_frames.clicks.subject import Impressions
from ireval_frames.columns.user_names import columns_named, refuse_taken
from ireval_frames.engines.base import Engine
from ireval_frames.errors import InvalidParameter
from ireval_frames.io import located
from ireval_frames.parameters import CONFIDENCE, choice


def counterfactual(
    log: Any,
    run: Any,
    measure: weights.Names = "DCG@10",
    *,
    propensity: Any = None,
    estimators: str | Iterable[str] = "IPS SNIPS",
    relevance: Any = None,
    cluster: str = "page",
    by: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    engine: str | Engine | None = None,
    con: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Counterfactual:
    """The value of new rankings by any measure that sums weights of ranks, from the clicks on old rankings.

    V = (1/S) Σ c/ρ · λ(rank) over the S pages of the log: a click counts by how rarely the place is looked at where it
    fell (ρ), and by where the new run puts the document (λ; 0 where it does not retrieve it).

    Args:
        log: the old log: `Impressions`, or a table with its columns.
        run: the new rankings: query_id, doc_id, score (or rank), and run_id for several.
        measure: DCG, P, RR, RBP and CG with the names and parameters of the ranking measures, or weights of
            your own from rank 1 on: `{"mine": [1, 0.5]}`.  A click counts as relevance 1, and RR weighs every click by
            1/rank.
        propensity: how likely a position is looked at: numbers from position 1 on, a mapping or table of positions,
            what `ir.clicks.propensities` gives, a fitted PBM or its parameters (as multiples of that of position 1,
            without positions that it cannot compare); by default the log's own column.
        estimators: of IPS, SNIPS, clipped(tau=0.1), naive, policy_aware, affine, DM, DR; see Estimators.
        relevance: for DM and DR, the estimated relevance: query_id, doc_id, relevance; by default clicks over the sum
            of propensities, from the log itself.  Results without an estimate have 0.
        cluster: what is drawn independently: "page", or "user", where pages of a user are alike.
        by: columns of the log that group pages.
        confidence: of the intervals, which are normal.
        engine: "polars", "duckdb" or "spark"; by default where the log is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        storage_options: what the stores of remote paths are told.

    Estimators:
        naive: Σ c λ / S, which rewards what stood above.
        IPS: Σ (c/ρ) λ / S; unbiased where clicks need examination and every page showed all of the run's results.
        clipped(tau): IPS with max(ρ, tau).
        SNIPS: Σ (c/ρ) λ / Σ c/ρ over all clicks: the mean weight of a relevant result, from 0 to the largest λ.
        policy_aware: Σ (c/ρ̄) λ / S with the mean ρ over the pages of the query, 0 on those that do not show the result.
        affine: Σ ((c − β)/α) λ / S with α and β by position, for clicks on what is not relevant.
        DM: Σ λ R / S over the run's results; DR: DM + Σ λ (c/ρ − R) / S over the shown ones.

    A standard error is that of a mean or ratio over clusters: √(C/(C−1) Σ (y − V x)²) / Σ x.  Where the log itself
    tells R or ρ̄ (policy_aware, DR), y is what the sum loses without the cluster, as in a jackknife.  With `by` they are
    those of each group.  Propensities and relevance that are handed in are taken as known.

    Raises:
        NotDefined: the measure is no sum of weights of ranks.
        UnknownName, InvalidParameter: an estimator or argument that does not exist.
        MissingColumn, WrongType, MismatchedTables: the tables lack columns or fit not together, or no query is in both.
        InvalidValue: with the first result, a click without a propensity above 0, and what a log must not hold.

    Source: Joachims, Swaminathan and Schnabel, WSDM 2017; Swaminathan and Joachims, NeurIPS 2015 (SNIPS); Oosterhuis
    and de Rijke, SIGIR 2020; Vardasbi, Oosterhuis and de Rijke, CIKM 2020; Oosterhuis, TOIS 2023 (DR).

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> log = pl.DataFrame({"serp_id": [1, 1, 2, 2], "query_id": ["q"] * 4, "doc_id": ["a", "b", "a", "b"],
        ...                     "position": [1, 2, 1, 2], "click": [1, 0, 0, 1]})
        >>> run = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["b", "a"], "score": [2.0, 1.0]})
        >>> found = ir.clicks.counterfactual(log, run, "RR", propensity=[1.0, 0.5])
        >>> found.summary().select("estimator", "value", "ess").rows()
        [('IPS', 1.25, 1.8), ('SNIPS', 0.8333333333333334, 1.8)]
    """
    choice("page", "user").check("cluster", cluster)
    confidence = CONFIDENCE.check("confidence", confidence)
    if not isinstance(log, Impressions):
        log = Impressions(log, engine=engine, con=con, storage_options=storage_options)
    elif engine is not None or con is not None:
        raise InvalidParameter("The log says where it is computed.", "Leave out engine= and con=.")
    names = log.by if by is None else columns_named(by, "by")
    refuse_taken(names, RESULT_COLUMNS, "by")
    positions, estimated = (None, False) if propensity is None else by_position(located(propensity, storage_options))
    asked = Estimation(
        weights.weights_of(measure),
        parsed(estimators),
        tuple(f"by_{i}" for i in range(len(names))),
        user=cluster == "user",
        estimated=estimated,
    )
    build = CounterfactualBuild(log, located(run, storage_options), positions, relevance, asked)
    return Counterfactual(build, names, confidence)
