"""One example of every family, as frames and as SQL in DuckDB, a comparison, and a report.

Run it with

    python data/demo.py [FOLDER]

The report goes into the folder, by default `build/demo`.
"""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import polars as pl

import ireval_frames as ir

HERE = Path(__file__).parent
STDLIB = HERE / "stdlib"
MEASURES = "nDCG@10 AP P@10 RR Judged@10"
FIRST_LINES = 8


# The probability that users examine each position.
EXAMINATION = [1 / k for k in range(1, 6)]


def clicked(qrels: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    """Interleaved lists of two runs, 20 pages per topic, whose users click relevant results that they examine."""
    one, other = (runs.filter(run_id=name) for name in ("bm25", "lsa"))
    topics = qrels["query_id"].unique().sort().to_list()
    pages = pl.DataFrame({"serp_id": range(20 * len(topics)), "query_id": topics * 20})
    shown = ir.interleaving.interleave(one, other, seed=1, depth=len(EXAMINATION), pages=pages, names=("bm25", "lsa"))
    judged = shown.join(qrels, on=["query_id", "doc_id"], how="left", maintain_order="left")
    examined = np.random.default_rng(1).random(shown.height) * shown["position"].to_numpy() < 1
    return shown.with_columns(click=(judged["relevance"] > 0).fill_null(value=False) & pl.Series(examined))


def families(qrels: pl.DataFrame, runs: pl.DataFrame) -> Iterator[tuple[str, str, object]]:
    """Every family: its name, a line of code, and its result."""
    examples = {
        "labels": "ir.Labels(ir.examples.labels()).evaluate(\"Accuracy F1(average='macro') MCC\")",
        "clusterings, by classes": 'ir.Clusters(ir.examples.clusters()).evaluate("AdjustedRand AMI BCubedF")',
        "clusterings, by distances": 'ir.Points(ir.examples.points(), ["x", "y"], cluster=["k2", "k3"])'
        '.evaluate("Silhouette SSE")',
        "document organization": 'ir.Organization(*ir.examples.ranking()).evaluate("Reliability Sensitivity RS")',
        "spans": "ir.Spans(*ir.examples.spans()).evaluate(\"Precision Recall F1 F1(match='partial')\")",
        "relations": "ir.Relations(*ir.examples.relations()).evaluate(\"F1 F1(match='boundary')\")",
        "links to entities": 'ir.Links(*ir.examples.links()).evaluate("Precision Recall F1")',
        "coreference": 'ir.Coreference(*ir.examples.coreference()).evaluate("MUCF B3F CEAFeF CoNLL")',
        "segmentations": 'ir.Segmentation(ir.examples.segments()).evaluate("Pk WindowDiff BoundarySimilarity")',
        "text answers": 'ir.Answers(*ir.examples.answers()).evaluate("ExactMatch TokenF1 ROUGEL")',
        "nuggets": 'ir.Nuggets(*ir.examples.nuggets()).evaluate("A V_strict NuggetF")',
        "similarity of rankings": 'ir.Similarity(ir.similarity.ranking("a b c d"), '
        'against=ir.similarity.ranking("b a c d")).evaluate("Tau RBO")',
        "click logs": 'ir.Impressions(ir.examples.click_log()).evaluate("CTR Abandonment MRRFirstClick")',
        "click models": 'ir.Impressions(ir.examples.click_log()).fit("SDBN").parameters()'
        '.select("parameter", "query_id", "doc_id", "value", "low", "high").head(3)',
        "interleaving of bm25 and lsa with simulated clicks": "ir.interleaving.Interleaving(log).summary()"
        '.select("run", "baseline", "wins", "ties", "losses", "delta", "low", "high")',
        "counterfactual value of a new ranking": 'ir.clicks.counterfactual(log, tfidf, "DCG@5", propensity=examination)'
        '.summary().select("measure", "estimator", "value", "low", "high", "ess")',
        "A/B tests": 'ir.Experiment(ir.examples.experiment(), baseline="a")'
        '.analyze("Mean(revenue, before=revenue_before) Ratio(clicks, pages)")',
        "agreement of raters": 'ir.Ratings(ir.examples.ratings()).evaluate("KrippendorffAlpha FleissKappa")',
    }
    names = {"ir": ir, "log": clicked(qrels, runs), "tfidf": runs.filter(run_id="tfidf").drop("run_id")}
    for title, line in examples.items():
        yield title, line, eval(line, names | {"examination": EXAMINATION})


def main(folder: Path) -> None:
    """Print each line of code with its result."""
    pl.Config.set_tbl_hide_dataframe_shape(True).set_tbl_hide_column_data_types(True).set_float_precision(
        4
    ).set_tbl_rows(40).set_tbl_cols(12)

    qrels, runs = ir.read_qrels(STDLIB / "qrels.parquet"), ir.read_run(STDLIB / "runs.parquet")
    print(
        f"{runs['run_id'].n_unique()} runs, {runs.height} retrieved documents, {qrels.height} judgments of "
        f"{qrels['query_id'].n_unique()} topics."
    )
    evaluation = ir.evaluate(qrels, runs, MEASURES)
    print(f'\nrankings: ev = ir.evaluate(qrels, runs, "{MEASURES}")\n{evaluation}')

    with duckdb.connect() as con:
        for table, file in (("qrels", "qrels.parquet"), ("run", "runs.parquet")):
            con.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{STDLIB / file}')")
        text = ir.evaluate("qrels", "run", MEASURES, con=con).summary.sql(wide=True)
        lines = text.splitlines()
        print(f"\nthe same in SQL: ev.summary.sql(wide=True), the first {FIRST_LINES} of {len(lines)} lines")
        print("\n".join(f"    {line}" for line in lines[:FIRST_LINES]))
        print("    …\n\nthe result in DuckDB, over two Parquet files")
        print(con.sql(text).pl().sort("run_id"))

    for title, line, result in families(qrels, runs):
        print(f"\n{title}: {line}\n{result}")

    print('\na comparison: ev.compare("bm25").table()')
    columns = ("measure", "system", "difference", "ci_low", "ci_high", "p_adjusted", "significant")
    print(evaluation.compare("bm25").table().filter(measure="AP").select(columns))

    if importlib.util.find_spec("jinja2"):
        folder.mkdir(parents=True, exist_ok=True)
        path = ir.report(ir.evaluate(qrels, runs, "nDCG@10 AP"), folder / "report.html", baseline="bm25")
        print(f'\na report: ir.report(ir.evaluate(qrels, runs, "nDCG@10 AP"), "report.html", baseline="bm25")\n{path}')
    else:
        print('\na report needs: pip install "ireval-frames[plots,report]"')


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "build" / "demo")
