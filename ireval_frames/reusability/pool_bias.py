"""`ir.pool_bias`: each run evaluated without what it, or its group, contributed to the judgments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from ireval_frames import catalog
from ireval_frames.columns.user_names import Columns
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.ranking.subject import Rankings
from ireval_frames.reusability.contributions import Contributions
from ireval_frames.reusability.groups import groups_of
from ireval_frames.reusability.lists import collected
from ireval_frames.reusability.options import PoolBiasOptions
from ireval_frames.reusability.result import PoolBias

DEFAULT = "AP P@10"


def pool_bias(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT,
    *,
    group: Any = None,
    depth: int | None = None,
    removed: str = "judged",
    rel: float = 1.0,
    policy: RankingPolicy | str | Mapping[str, Any] | None = None,
    engine: str | Engine | None = None,
    con: Any = None,
    columns: Columns | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> PoolBias:
    """Evaluate each run without the judgments that exist only because of it: what a run loses that was not pooled.

    A document is contributed by the runs that retrieved it down to `depth`; one that the runs of a single group
    contributed would not be judged without that group.  Without these documents' judgments the group's runs are what
    they would be had they not taken part: if their values and ranks hardly change, judgments can be reused for new runs
    (leave-uniques-out).  A judged document that no run retrieved stays judged.  Queries stay the same: one that loses
    all its relevant documents counts as `policy` says of such queries.

    Args:
        qrels: the judgments, as of `ir.evaluate`.
        runs: several runs: a table with run_id, or files.
        measures: of rankings, one or several; estimates of Lipani are of P@n.
        group: who contributed: a column of `runs`, a mapping from run_id to group, or a frame of run_id and one more
            column; by default each run is a group of its own.
        depth: of the pool; by default a document counts as contributed at any rank, so that fewer depend on one group.
        removed: "judged": all judged documents that only the group contributed; "relevant": only the relevant ones of
            them, as TREC does.  They differ for measures that tell judged from unjudged documents, such as Bpref.
        rel: the lowest grade that counts as relevant, for counts and for `removed="relevant"`.
        policy: the conventions: a `RankingPolicy`, a preset's name, or "field=value,…".
        engine: "polars", "duckdb" or "spark"; by default where the runs are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables, or paths.
        columns: names of the tables' columns where they differ from ours; for all tables, or by table.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Returns:
        what prints as sentences and a table, and gives them as frames: `summary()`, `table()` by run, `groups()`,
        `unique()`, `documents()`, `estimates(run)` for new runs, and `errors()` of the estimates.

    Raises:
        NotDefined: there is one run or group; or tied documents share their ranks (policy ties=expectation).
        InvalidParameter: a run has no group, or a number is not allowed.
        MissingColumn, MismatchedTables: there is no such column, or a run is in several groups.
        DataError, UsageError: as of `ir.evaluate`.

    Source: Zobel, SIGIR 1998; Buckley, Dimmick, Soboroff and Voorhees, Information Retrieval 2007; Voorhees, CIKM 2018
    for the τ and the drop of each team.

    Example:
        >>> import ireval_frames as ir
        >>> bias = ir.pool_bias(*ir.examples.pooled(), "P@3", group="team", depth=3)
        >>> a = bias.table().row(0, named=True)
        >>> a["run_id"], round(a["value"], 3), round(a["value_without"], 3), a["rank"], a["rank_without"]
        ('a', 0.833, 0.333, 1, 2)
        >>> bias.summary().select("largest_drop", "dropped_run", "n_unique_relevant", "reusability").row(0)
        (1, 'a', 4, 'another order')
    """
    parsed = tuple(catalog.parse_all(measures, "ranking"))
    options = PoolBiasOptions(depth=depth, removed=removed, rel=rel)
    make = partial(Rankings, policy=policy, engine=engine, con=con, columns=columns, storage_options=storage_options)
    rankings = make(qrels, runs)
    rankings.evaluate(parsed)
    lists = collected(rankings, parsed)
    of_runs = groups_of(group, rankings, lists.runs["run_id"])
    contributions = Contributions(lists, of_runs, options)
    return PoolBias(lists, contributions, make, qrels, runs, named=group is not None)
