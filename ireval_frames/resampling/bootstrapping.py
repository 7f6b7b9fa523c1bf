"""`bootstrap` and `jackknife`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ireval_frames.conventions.base import Conventions
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.resampling.draws import Weights
from ireval_frames.resampling.intervals import Method
from ireval_frames.resampling.jackknifed import Jackknife
from ireval_frames.resampling.options import ResamplingOptions
from ireval_frames.resampling.result import Bootstrap
from ireval_frames.resampling.subjects import Columns, Measures, Resampled
from ireval_frames.subject import Subject


def bootstrap(
    subject: Subject[Any, Any] | Evaluation,
    measures: Measures = None,
    *,
    unit: Columns = None,
    cluster: Columns = None,
    stratify: Columns = None,
    by: Columns = None,
    system: str | None = None,
    method: Method = "percentile",
    confidence: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
    weights: Weights | None = None,
    policy: Conventions | str | Mapping[str, Any] | None = None,
) -> Bootstrap:
    """Intervals of any measure of labels, clusterings or rankings by resampling.

    In a replicate every unit is weighted by the number of its draws.  All replicates are groups of one plan.

    Args:
        subject: `Labels`, `Clusters` (items are resampled), `Rankings` (queries are) or another subject with units;
            or an `Evaluation`, whose units are resampled.
        measures: of the subject; an evaluation has its own.
        unit: columns of the groups of items that are evaluated separately and then averaged, instead of the subject's.
        cluster: columns of what is drawn with all its items: users, documents.
        stratify: columns within whose groups units are drawn, so that each group keeps its number of units.
        by: columns that group results, instead of the subject's.
        system: the column of systems, if it is not run_id.  All systems have the same draws.
        method: percentile, basic, normal, bca, or studentised, which is for means of units; without replicates delta
            (first order, if there are few different rows), wilson (shares of items) and delong (ROC AUC).
        confidence: of intervals.
        n_resamples: the number of replicates.
        seed: of the draws; a replicate does not depend on their number.
        weights: "hash": the number of draws of each unit is a hash of its position among the sorted ids; "cells": equal
            items are drawn together, which is the same in distribution and fast.  By default "hash" for clusters and
            for several systems of the same items, else "cells".
        policy: the conventions, instead of the subject's.

    The draws of a unit are Poisson(1), so that the number of units varies a little between replicates; within strata
    they are multinomial.  They depend on the seed and the ids alone: not on the order of rows, on threads, or on the
    engine, which runs one GROUP BY (by unit and by the columns that the measures read).  Replicates are evaluated in
    this process.  Copies of an item that is a cluster stay together.

    Not for measures that are a largest or smallest value; with fewer than 20 clusters intervals are too short.  The
    column `status` says so for both.

    Raises:
        InvalidParameter, UnknownName: an argument is not allowed.
        MissingColumn: a column does not exist.
        NotDefined: there is nothing to resample.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993; Chamandy and others, Estimating uncertainty
    for massive data streams, 2012 (Poisson weights).

    Example:
        >>> import ireval_frames as ir
        >>> labels = ir.Labels(ir.examples.labels())
        >>> b = ir.resampling.bootstrap(labels, "Accuracy F1(average='macro')", n_resamples=200)
        >>> b.table().select("measure", "value", "n_resampled", "status").rows()
        [('Accuracy', 0.625, 8, 'ok'), ("F1(average='macro')", 0.611111111111111, 8, 'ok')]
    """
    options = ResamplingOptions.parse(method=method, confidence=confidence, n_resamples=n_resamples, seed=seed)
    resampled = Resampled.of(subject, measures, unit, cluster, stratify, by, system, weights, policy)
    return Bootstrap(resampled.measures, resampled.population, resampled.evaluation, options, resampled.system)


def jackknife(
    subject: Subject[Any, Any] | Evaluation,
    measures: Measures = None,
    *,
    unit: Columns = None,
    cluster: Columns = None,
    by: Columns = None,
    policy: Conventions | str | Mapping[str, Any] | None = None,
) -> Jackknife:
    """The values of measures without each unit in turn: their influence, standard errors and bias.

    influence θ₍ᵢ₎ − θ; se √((n − 1)/n Σ(θ₍ᵢ₎ − θ̄)²); bias (n − 1)(θ̄ − θ), θ̄ the mean of θ₍ᵢ₎.

    Args:
        subject: `Labels`, `Clusters`, `Rankings` or another subject with units, or an `Evaluation`.
        measures: of the subject; an evaluation has its own.
        unit: columns of the groups of items that are evaluated separately, instead of the subject's.
        cluster: columns of what is left out with all its items: users, documents.  By default items, of which equal
            ones have one row, or the units of a subject that has no items.
        by: columns that group results, instead of the subject's.
        policy: the conventions, instead of the subject's.

    Raises:
        InvalidParameter, UnknownName: an argument is not allowed.
        MissingColumn: a column does not exist.
        NotDefined: there is nothing to leave out.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 11.

    Example:
        >>> import ireval_frames as ir
        >>> j = ir.resampling.jackknife(ir.Labels(ir.examples.labels()), "Accuracy")
        >>> j.influence().select("label", "prediction", "n", "value_without").row(-1)
        ('dog', 'dog', 2, 0.5714285714285714)
    """
    resampled = Resampled.of(subject, measures, unit, cluster, None, by, None, None, policy)
    return Jackknife(resampled.population, resampled.evaluation)
