"""A small evaluation of every family, as code."""

from __future__ import annotations

# What is evaluated again and again, by family; steps in Python are among the measures where a family has any.
EVALUATIONS = {
    "ranking": 'ir.evaluate(*ir.examples.ranking(), "nDCG AP infAP", engine=engine)',
    "labels": "ir.Labels(ir.examples.labels(), engine=engine).evaluate(\"F1(average='macro') MCC\")",
    "clusters": 'ir.Clusters(ir.examples.clusters(), engine=engine).evaluate("AMI ClusteringAccuracy")',
    "points": 'ir.Points(ir.examples.points(), ["x", "y"], cluster="k3", engine=engine).evaluate("SSE Silhouette Dunn")',
    "organization": 'ir.Organization(*ir.examples.ranking(), engine=engine).evaluate("RS")',
    "ratings": 'ir.Ratings(ir.examples.ratings(), engine=engine).evaluate("CohenKappa FleissKappa Alpha")',
    "clicks": 'ir.Impressions(ir.examples.click_log(), engine=engine).evaluate("CTR COEC Abandonment MRRFirstClick")',
    "spans": "ir.Spans(*ir.examples.spans(), engine=engine).evaluate(\"F1 F1(match='partial') TokenF1\")",
    "relations": 'ir.Relations(*ir.examples.relations(), engine=engine).evaluate("F1")',
    "links": 'ir.Links(*ir.examples.links(), engine=engine).evaluate("F1")',
    "coreference": 'ir.Coreference(*ir.examples.coreference(), engine=engine).evaluate("MUCF CEAFeF")',
    "segmentation": 'ir.Segmentation(ir.examples.segments(), engine=engine).evaluate("Pk BoundarySimilarity")',
    "nuggets": 'ir.Nuggets(*ir.examples.nuggets(), engine=engine).evaluate("V_strict NuggetF")',
    "answers": 'ir.Answers(*ir.examples.answers(), engine=engine).evaluate("TokenF1 ROUGEL")',
    "citations": 'ir.Citations(*ir.examples.citations(), engine=engine).evaluate("CitationF")',
    "recommendations": 'ir.Recommendations(**ir.examples.recommendations(), engine=engine).evaluate("MIUF@3 ItemGini@3")',
    "exposure": 'ir.FairExposure(**ir.examples.exposure(), engine=engine).evaluate("AWRF ExposureRatio")',
    "timings": 'ir.Timings(ir.examples.timings(), engine=engine).evaluate("Latency(p=95) Throughput")',
    "verdicts": 'ir.verdicts.Verdicts(ir.examples.verdicts(), engine=engine).evaluate("ContextPrecision")',
    "similarity": 'ir.Similarity(RUNS, engine=engine).evaluate("KendallTau TauAP RBO")',
}
# What this code needs besides `ir` and the name of the engine.
RUNS = 'pl.concat([ir.examples.ranking()[1].with_columns(run_id=pl.lit(name)) for name in "ab"])'
