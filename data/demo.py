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
import polars as pl

import ireval_frames as ir

HERE = Path(__file__).parent
STDLIB = HERE / "stdlib"
MEASURES = "nDCG@10 AP P@10 RR Judged@10"
FIRST_LINES = 8


def families() -> Iterator[tuple[str, str, object]]:
    """Every family: what it is, the line that evaluates, and what that gives."""
    examples = {
        "labels": "ir.Labels(ir.examples.labels()).evaluate(\"Accuracy F1(average='macro') MCC\")",
        "clusterings, by classes": 'ir.Clusters(ir.examples.clusters()).evaluate("AdjustedRand AMI BCubedF")',
        "clusterings, by distances": 'ir.Points(ir.examples.points(), ["x", "y"], cluster=["k2", "k3"])'
        '.evaluate("Silhouette SSE")',
        "document organization": 'ir.Organization(*ir.examples.ranking()).evaluate("Reliability Sensitivity RS")',
        "similarity of rankings": 'ir.Similarity(ir.similarity.ranking("a b c d"), '
        'against=ir.similarity.ranking("b a c d")).evaluate("Tau RBO")',
        "click logs": 'ir.Impressions(ir.examples.click_log()).evaluate("CTR Abandonment MRRFirstClick")',
        "agreement of raters": 'ir.Ratings(ir.examples.ratings()).evaluate("KrippendorffAlpha FleissKappa")',
    }
    for what, line in examples.items():
        yield what, line, eval(line, {"ir": ir})


def main(folder: Path) -> None:
    """Print each example after the line that gives it."""
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
        text = ir.evaluate("qrels", "run", MEASURES, con=con).sql("summary", wide=True)
        lines = text.splitlines()
        print(f'\nthe same in SQL: .sql("summary", wide=True), the first {FIRST_LINES} of {len(lines)} lines')
        print("\n".join(f"    {line}" for line in lines[:FIRST_LINES]))
        print("    …\n\nwhat DuckDB answers, over two Parquet files")
        print(con.sql(text).pl().sort("run_id"))

    for what, line, given in families():
        print(f"\n{what}: {line}\n{given}")

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
