"""`ireval macros`: measures as table macros of DuckDB."""

from __future__ import annotations

from typing import Annotated

from ireval_frames.cli.options.command import Option, command
from ireval_frames.cli.output.tables import write_bytes

EXAMPLES = """\b
Examples:
  ireval macros -o ireval.sql
  ireval macros | duckdb my.db
  ireval macros -m "nDCG@10 AP" -m "P(rel=2)"
  ireval macros -m "F1(average='binary')" --family labels
  ireval macros --schema main | duckdb ireval.duckdb

In DuckDB then: FROM ireval_ndcg('qrels', 'run', k := 10), or with the last one
ATTACH 'ireval.duckdb' AS ireval; FROM ireval.ndcg('qrels', 'run', k := 10).
"""


@command(epilog=EXAMPLES)
def macros(
    measures: Annotated[
        list[str] | None,
        Option("-m", "--measure", metavar="TEXT", help="Measures, one or several; repeatable. By default all."),
    ] = None,
    family: Annotated[
        str | None,
        Option("--family", metavar="NAME", help="Only measures of this family."),
    ] = None,
    schema: Annotated[
        str | None, Option("--schema", metavar="NAME", help="Make them in this schema, without the prefix.")
    ] = None,
    output: Annotated[str | None, Option("-o", "--output", metavar="FILE", help="Write to a file.")] = None,
) -> None:
    """Print measures as table macros of DuckDB, so that SQL alone evaluates and compares.

    They are named ireval_ndcg, ireval_labels_mcc, ireval_clusters_purity and so on.
    """
    from ireval_frames.macros import statements

    write_bytes(statements(measures or None, family=family, schema=schema).encode(), output)
