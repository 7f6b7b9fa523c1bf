"""The tables that results have, each as the line that gives it, on the tables of the examples."""

from __future__ import annotations

import functools
from typing import Any

import polars as pl

import ireval_frames as ir

TABLES = (
    "rankings.summary()",
    "rankings.per_unit()",
    "rankings.per_unit(wide=True)",
    "rankings.coverage()",
    "rankings.ranks()",
    "rankings.ranks(wide=True)",
    "two.diagnose('a', 'b').summary()",
    "two.diagnose('a', 'b').topics()",
    "ir.Rankings(*ir.examples.ranking()).curve('precision-recall')",
    "labels.summary()",
    "ir.Labels(ir.examples.labels()).evaluate('F1').per_class()",
    "ir.Labels(ir.examples.labels()).confusion()",
    "ir.Labels(ir.examples.labels()).report()",
    "ir.Labels(ir.examples.scores(), positive=True).curve('roc')",
    "clusters.summary()",
    "ir.Clusters(ir.examples.clusters()).contingency()",
    "ir.Coreference(*ir.examples.coreference()).contingency()",
    "ir.Coreference(*ir.examples.coreference()).mentions()",
    "spans.summary()",
    "ir.Spans(*ir.examples.spans()).counts()",
    "ir.Spans(*ir.examples.spans()).report()",
    "ir.Spans(*ir.examples.spans()).errors()",
    "ir.Spans(*ir.examples.spans()).confusion()",
    "points.summary()",
    "ir.Points(ir.examples.points(), ['x', 'y'], cluster='k2').silhouettes()",
    "ratings.summary()",
    "ir.Ratings(ir.examples.ratings()).pairwise()",
    "ir.Ratings(ir.examples.ratings()).aggregate('majority').consensus()",
    "answers.summary()",
    "nuggets.summary()",
    "ir.Nuggets(*ir.examples.nuggets()).credits()",
    "timings.summary()",
    "citations.summary()",
    "ir.Citations(*ir.examples.citations()).supported()",
    "verdicts.summary()",
    "clicks.summary()",
    "ir.Impressions(ir.examples.click_log()).rates()",
    "ir.Impressions(ir.examples.click_log()).counts('CTR')",
    "ir.Impressions(ir.examples.click_log()).check()",
    "ir.compare(values).table()",
    "ir.compare(values).differences()",
    "ir.compare(values).effects()",
    "ir.comparison.sample_size(difference=0.1, deviation=0.2)",
    "ir.comparison.discriminative_power(values).table()",
    "ir.comparison.rank_stability(values, n_resamples=20).table()",
    "ir.resampling.bootstrap(ir.Labels(ir.examples.labels()), 'Accuracy', n_resamples=20).table()",
    "ir.resampling.jackknife(ir.Labels(ir.examples.labels()), 'Accuracy').table()",
    "ir.resampling.jackknife(ir.Labels(ir.examples.labels()), 'Accuracy').influence()",
    "experiment.analyze('Mean(clicks)').table()",
    "experiment.aggregates('Mean(clicks)').frame",
    "experiment.srm()",
    "experiment.plan('Mean(clicks)', difference=1)",
    "ir.gate(old, old, 'AP no significant loss').table()",
    "ir.replication.reproduction(values, values).table()",
    "ir.measures()",
    "ir.policies()",
)


def columns(call: str) -> list[str]:
    """The names and types of the columns of a table."""
    tables: Any = eval(call, {"ir": ir, "pl": pl, **results()})
    return [f"{name} {dtype}" for name, dtype in tables.schema.items()]


@functools.cache
def results() -> dict[str, Any]:
    """What the lines speak of."""
    values = pl.DataFrame({"query_id": [1, 2, 3, 4], "a": [0.1, 0.4, 0.3, 0.2], "b": [0.5, 0.5, 0.2, 0.6]})
    qrels, run = ir.examples.ranking()
    return {
        "rankings": ir.evaluate(qrels, run, "AP nDCG@10"),
        "two": ir.evaluate(qrels, pl.concat(run.with_columns(run_id=pl.lit(name)) for name in "ab"), "AP"),
        "labels": ir.Labels(ir.examples.labels()).evaluate("F1(average='macro') Accuracy"),
        "clusters": ir.Clusters(ir.examples.clusters()).evaluate("BCubedF"),
        "points": ir.Points(ir.examples.points(), ["x", "y"], cluster="k2").evaluate("DaviesBouldin"),
        "ratings": ir.Ratings(ir.examples.ratings()).evaluate("KrippendorffAlpha"),
        "spans": ir.Spans(*ir.examples.spans()).evaluate("F1"),
        "coreference": ir.Coreference(*ir.examples.coreference()).evaluate("CoNLL"),
        "links": ir.Links(*ir.examples.links()).evaluate("F1"),
        "relations": ir.Relations(*ir.examples.relations()),
        "timings": ir.Timings(ir.examples.timings()).evaluate("Latency(p=50)"),
        "nuggets": ir.Nuggets(*ir.examples.nuggets()).evaluate("V_strict"),
        "answers": ir.Answers(*ir.examples.answers()).evaluate("TokenF1"),
        "exposure": ir.FairExposure(**ir.examples.exposure()).evaluate("AWRF"),
        "recommendations": ir.Recommendations(**ir.examples.recommendations()).evaluate("MIUF@3"),
        "citations": ir.Citations(*ir.examples.citations()).evaluate("CitationF"),
        "verdicts": ir.verdicts.Verdicts(ir.examples.verdicts()).evaluate("Faithfulness"),
        "clicks": ir.Impressions(ir.examples.click_log()).evaluate("CTR"),
        "experiment": ir.Experiment(ir.examples.experiment()),
        "values": values,
        "old": values.select("query_id", AP="a"),
    }
