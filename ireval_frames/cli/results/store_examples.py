"""Examples of `ireval store`: of all of it, and of each verb."""

from __future__ import annotations

EXAMPLES = """\b
Examples:
  ireval store add qrels.txt runs/*.run -m "nDCG@10 AP" --collection news --set k1=1.2
  ireval store keep --collection shop labels items.csv "F1(average='macro')"
  ireval store import old/bm25.eval --collection news
  ireval store list
  ireval store leaderboard --collection news -m nDCG@10
  ireval store history nDCG@10 --run bm25
  ireval store diff bm25 lsa nDCG@10
  ireval store sql "SELECT run_id, avg(value) FROM \\"values\\" GROUP BY ALL"
  ireval store report -o results.html
  ireval store tag main 3f2a
  ireval store export results.duckdb
  ireval store compact && ireval store check

\b
The store is the folder `results`, or the one that --store or IREVAL_STORE names; add and import make it.
"""
_OF = {
    "add": (
        'ireval store add qrels.txt bm25.run -m "nDCG@10 AP" --collection news',
        "ireval store add qrels.txt runs/*.run --set model=bm25 --set k1=1.2 --store nightly",
        "ireval store add qrels.txt bm25.run --queries topics.tsv --by lang",
    ),
    "keep": (
        "ireval store keep --name clf labels items.csv \"F1(average='macro') MCC\"",
        'ireval store keep --name spring --set week=12 experiment visits.parquet -m "Mean(revenue)" --baseline a',
        'ireval store keep clicks evaluate log.parquet "CTR COEC" --by day',
        "ireval store keep compare qrels.txt runs/*.run -m AP --baseline bm25",
    ),
    "findings": ("ireval store findings", "ireval store findings spring --format json", "ireval store findings -m CTR"),
    "import": (
        "ireval store import bm25.eval lsa.eval --collection news   (what trec_eval -q printed)",
        "ireval store import values.csv   (columns run_id, query_id, measure, value)",
        "ireval store import values.parquet --unit qid --system name",
        "ireval store import other/results   (a store: the same as merge)",
    ),
    "list": ("ireval store list", "ireval store list --collection news --format csv"),
    "show": ("ireval store show 3f2a", "ireval store show main --format json"),
    "history": ("ireval store history nDCG@10", "ireval store history AP --run bm25 --format csv"),
    "leaderboard": ("ireval store leaderboard --collection news", 'ireval store leaderboard -m "nDCG@10 AP"'),
    "diff": ("ireval store diff bm25 lsa nDCG@10", "ireval store diff bm25 lsa AP --collection news"),
    "sql": (
        "ireval store sql \"FROM latest('main')\"",
        'ireval store sql "SELECT measure, avg(value) FROM summaries GROUP BY ALL" --format csv',
        'ireval store sql "SELECT made_at, rule, verdict FROM gates ORDER BY ALL"',
    ),
    "report": ("ireval store report -o results.html", 'ireval store report --store nightly --title "Nightly"'),
    "export": (
        "ireval store export results.duckdb   (tables, views and macros, for DuckDB from 1.5 on)",
        "ireval store export news.csv --collection news   (the last values of every run)",
    ),
    "merge": ("ireval store merge colleague/results", "ireval store merge nightly --store all"),
    "check": ("ireval store check", "ireval store check --store nightly --format json"),
    "compact": ("ireval store compact",),
    "tag": ("ireval store tag main 3f2a", "ireval store tag before-the-change main"),
    "remove": ("ireval store remove 3f2a",),
}


def of(verb: str) -> str:
    """What stands below the help of a verb."""
    return "\n".join(["\b", "Examples:" if len(_OF[verb]) > 1 else "Example:", *(f"  {line}" for line in _OF[verb])])
