"""Evaluate the five runs of the small collection beside this file, as frames and as SQL in DuckDB.

Run it with

    python data/demo.py
"""

from pathlib import Path

import duckdb
import polars as pl

import ireval_frames as ir

HERE = Path(__file__).parent / "stdlib"
MEASURES = "nDCG@10 AP P@10 RR Bpref Judged@10"
FIRST_LINES = 24


def main() -> None:
    """Print the comparison three times: from frames, the SQL text, and from DuckDB."""
    pl.Config.set_tbl_hide_dataframe_shape(True).set_tbl_hide_column_data_types(True).set_float_precision(
        4
    ).set_tbl_rows(40).set_tbl_cols(12)

    qrels, runs = ir.read_qrels(HERE / "qrels.parquet"), ir.read_run(HERE / "runs.parquet")
    queries = qrels["query_id"].n_unique()
    print(
        f"{runs['run_id'].n_unique()} runs, {runs.height} retrieved documents, {qrels.height} judgments of {queries} "
        "topics."
    )

    evaluation = ir.evaluate(qrels, runs, MEASURES)
    print('\nfrom frames: ir.evaluate(qrels, runs, "' + MEASURES + '")')
    print(evaluation.wide())

    with duckdb.connect() as con:
        for table, file in (("qrels", "qrels.parquet"), ("run", "runs.parquet")):
            con.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{HERE / file}')")
        text = ir.evaluate("qrels", "run", MEASURES, con=con).sql("summary", wide=True)
        lines = text.splitlines()
        print(f'\nthe same as SQL: .sql("summary", wide=True), the first {FIRST_LINES} of {len(lines)} lines')
        print("\n".join(f"    {line}" for line in lines[:FIRST_LINES]))

        print("    …\n\nwhat DuckDB answers, over two Parquet files")
        table = con.sql(text).pl()
    print(table.sort("run_id"))


if __name__ == "__main__":
    main()
