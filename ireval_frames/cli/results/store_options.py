"""The options and examples of `ireval store`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import polars as pl

from ireval_frames.cli.options.command import Argument, Option
from ireval_frames.cli.options.common import OutputFile, OutputFormat, key_values, refuse_trec
from ireval_frames.cli.output.tables import deliver_table, format_of

if TYPE_CHECKING:
    from ireval_frames.store import Store

Folder = Annotated[str, Option("--store", metavar="FOLDER", envvar="IREVAL_STORE", help="The folder of the store.")]
Runs = Annotated[list[str] | None, Option("--run", metavar="NAME", help="Only values of this run; repeatable.")]
Tags = Annotated[list[str] | None, Option("--set", metavar="NAME=VALUE", help="A tag, such as k1=1.2; repeatable.")]
CollectionName = Annotated[str, Option("--collection", metavar="NAME", help="The name of the collection.")]
Who = Annotated[bool, Option("--who", help="Store the names of the machine and of the user.")]
Evaluation = Annotated[str, Argument(metavar="ID", help="An evaluation: its id, the beginning of it, or a tag.")]


def open_store(folder: str, *, create: bool = False) -> Store:
    """The store in a folder, which is created if requested."""
    from ireval_frames.store import Store

    return Store(folder, create=create)


def deliver(table: pl.DataFrame, shape: OutputFormat, output: OutputFile) -> None:
    """Write a table."""
    deliver_table(table, refuse_trec(format_of(shape, output)), output)


def parse_tags(texts: list[str] | None) -> dict[str, str | int | float | bool]:
    """The tags of --set; numbers are numbers."""
    return {name: _parse_value(value) for name, value in key_values(texts, "--set", "NAME=VALUE", "k1=1.2").items()}


def _parse_value(text: str) -> str | int | float | bool:
    """A number, true or false if the text is one."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, int | float) else text


def seconds() -> pl.Expr:
    """The column of times, to the second."""
    return pl.col("made_at").dt.strftime("%Y-%m-%d %H:%M:%S")


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
  ireval store page results -o results-page
  ireval store tag main 3f2a
  ireval store export results.duckdb
  ireval store compact && ireval store check

\b
The store is the folder `results`, or that of --store or IREVAL_STORE; add and import create it.
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
    "report": (
        "ireval store report -o results.html",
        'ireval store report --store nightly --title "Nightly"',
        "ireval store report --interactive -o report   (a folder, with SQL over its tables in the browser)",
    ),
    "page": (
        "ireval store page results -o results-page",
        'ireval store page -o nightly-page --store nightly --title "Nightly"',
    ),
    "export": (
        "ireval store export results.duckdb   (tables, views and macros, for DuckDB 1.5 and later)",
        "ireval store export news.csv --collection news   (the last values of every run)",
    ),
    "merge": ("ireval store merge colleague/results", "ireval store merge nightly --store all"),
    "check": ("ireval store check", "ireval store check --store nightly --format json"),
    "compact": ("ireval store compact",),
    "tag": ("ireval store tag main 3f2a", "ireval store tag before-the-change main"),
    "remove": ("ireval store remove 3f2a",),
}


def examples(verb: str) -> str:
    """The text below the help of a verb."""
    return "\n".join(["\b", "Examples:" if len(_OF[verb]) > 1 else "Example:", *(f"  {line}" for line in _OF[verb])])
