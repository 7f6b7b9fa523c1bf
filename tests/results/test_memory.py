"""Many small evaluations in one process: memory, objects and threads stay level, whatever the family."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ireval_frames import catalog

# What is evaluated again and again, by family; steps in Python are among the measures where a family has any.
SMALL = {
    "ranking": 'ir.evaluate(*ir.examples.ranking(), "nDCG AP infAP", engine=E)',
    "labels": "ir.Labels(ir.examples.labels(), engine=E).evaluate(\"F1(average='macro') MCC\")",
    "clusters": 'ir.Clusters(ir.examples.clusters(), engine=E).evaluate("AMI ClusteringAccuracy")',
    "points": 'ir.Points(ir.examples.points(), ["x", "y"], cluster="k3", engine=E).evaluate("SSE Silhouette Dunn")',
    "organization": 'ir.Organization(*ir.examples.ranking(), engine=E).evaluate("RS")',
    "ratings": 'ir.Ratings(ir.examples.ratings(), engine=E).evaluate("CohenKappa FleissKappa Alpha")',
    "clicks": 'ir.Impressions(ir.examples.click_log(), engine=E).evaluate("CTR COEC Abandonment MRRFirstClick")',
    "spans": "ir.Spans(*ir.examples.spans(), engine=E).evaluate(\"F1 F1(match='partial') TokenF1\")",
    "relations": 'ir.Relations(*ir.examples.relations(), engine=E).evaluate("F1")',
    "links": 'ir.Links(*ir.examples.links(), engine=E).evaluate("F1")',
    "coreference": 'ir.Coreference(*ir.examples.coreference(), engine=E).evaluate("MUCF CEAFeF")',
    "segmentation": 'ir.Segmentation(ir.examples.segments(), engine=E).evaluate("Pk BoundarySimilarity")',
    "nuggets": 'ir.Nuggets(*ir.examples.nuggets(), engine=E).evaluate("V_strict NuggetF")',
    "answers": 'ir.Answers(*ir.examples.answers(), engine=E).evaluate("TokenF1 ROUGEL")',
    "citations": 'ir.Citations(*ir.examples.citations(), engine=E).evaluate("CitationF")',
    "recommendations": 'ir.Recommendations(**ir.examples.recommendations(), engine=E).evaluate("MIUF@3 ItemGini@3")',
    "exposure": 'ir.FairExposure(**ir.examples.exposure(), engine=E).evaluate("AWRF ExposureRatio")',
    "timings": 'ir.Timings(ir.examples.timings(), engine=E).evaluate("Latency(p=95) Throughput")',
    "verdicts": 'ir.verdicts.Verdicts(ir.examples.verdicts(), engine=E).evaluate("ContextPrecision")',
    "similarity": 'ir.Similarity(RUNS, engine=E).evaluate("KendallTau TauAP RBO")',
}
LOOP = """
import gc, sys
import polars as pl
import ireval_frames as ir

E, times = sys.argv[1], int(sys.argv[2])
RUN = ir.examples.ranking()[1]
RUNS = pl.concat([RUN.with_columns(run_id=pl.lit(r)) for r in "ab"])

def status(name):
    (line,) = (line for line in open("/proc/self/status") if line.startswith(name))
    return int(line.split()[1])

for family, made in FAMILIES.items():
    for part in range(3):
        for _ in range(times):
            made().summary()
        gc.collect()
        print(family, status("VmRSS") // 1024, status("Threads"), len(gc.get_objects()))
"""


def test_all_families_are_here() -> None:
    assert set(SMALL) == {d.family for d in catalog.definitions()}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell memory and threads")
@pytest.mark.parametrize("engine, times", [("polars", 6), ("duckdb", 2)])
def test_what_an_evaluation_took_is_given_back(engine: str, times: int) -> None:
    """From the first third of them to the last, in a process of its own."""
    families = ", ".join(f"{family!r}: lambda: {evaluate}" for family, evaluate in SMALL.items())
    result = subprocess.run(
        [sys.executable, "-c", LOOP.replace("FAMILIES", f"{{{families}}}"), engine, str(times)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "POLARS_MAX_THREADS": "2"},
    )
    seen: dict[str, list[tuple[int, ...]]] = {}
    for family, *numbers in map(str.split, result.stdout.splitlines()):
        seen.setdefault(family, []).append(tuple(map(int, numbers)))
    assert set(seen) == set(SMALL)
    grown = {
        family: parts
        for family, parts in seen.items()
        if parts[-1][0] - parts[0][0] > (4 if engine == "polars" else 45)  # megabytes; DuckDB keeps what it had
        or parts[-1][1] - parts[0][1] > 1  # threads
        or parts[-1][2] - parts[0][2] > 10 * times  # objects that Python knows
    }
    assert not grown
