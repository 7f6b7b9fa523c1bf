"""`ir.fuse`: several runs as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import RUN
from ireval_frames.columns.user_names import Columns, TableNames
from ireval_frames.engines.base import Engine, Ranking
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.opening import Computed, open_engine
from ireval_frames.errors import Argument, Hint, InvalidParameter, listed
from ireval_frames.expr import Expr, col, lit
from ireval_frames.fusion.checks import checks_of
from ireval_frames.fusion.combination import scored
from ireval_frames.fusion.lists import KEYS, Lists, tables_of
from ireval_frames.fusion.options import WEIGHTED, FusionOptions
from ireval_frames.io import sql as sql_files
from ireval_frames.parameters import number
from ireval_frames.plan import Plan
from ireval_frames.results import Result, TableQuery

COLUMNS = (*KEYS, "score", "rank", "run_id")
WEIGHT = number(1.0, "a weight", 0.0)
Weights = Mapping[str, float] | Sequence[float]


@dataclass(frozen=True, repr=False)
class Fusion(Result, Computed):
    """The fused run (`ir.fuse`): as a frame, lazy, as SQL, and as a run of an evaluation.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> fused = ir.fuse({"one": run, "other": run.with_columns(score=-run["score"])}, "rrf")
        >>> ir.evaluate(qrels, fused, "RR").summary()["value"].to_list()
        [0.5]
    """

    names: tuple[str, ...] = ()

    def on(self, engine: Engine) -> Frame:
        """The fused run as a table of another plan, its data checked."""
        if engine.writes_sql or type(engine) is type(self.engine):
            query = self.query(engine)
            if not engine.writes_sql:
                for check in query.checks:
                    check()
            return query.frame.select(*query.columns)
        return engine.from_polars(self.collect())


def fuse(
    runs: Any,
    method: str = "rrf",
    *,
    k: int = 60,
    normalize: str | None = None,
    weights: Weights | None = None,
    missing: str | None = None,
    ties: str = "trec_eval",
    depth: int | None = None,
    top: int | None = None,
    constant: float = 1.0,
    phi: float = 0.8,
    gamma: float = 0.5,
    sigma: float = 0.01,
    run_id: str | None = None,
    columns: Columns | None = None,
    engine: str | Engine | None = None,
    con: Any = None,
) -> Fusion:
    """Fuse several runs into one, query by query.

    ```
    combsum Σ s      combmnz h · Σ s   combgmnz h^γ · Σ s   combanz Σ s / h   combmax, combmin, combmed of s
    wsum    Σ w · s  wmnz Σ w · s · Σ w of the lists that have it   mixed √h · Σ w · s
    rrf     Σ w / (k + r)     isr h · Σ 1/r²    logisr ln h · Σ 1/r²   lognisr ln(h + σ) · Σ 1/r²
    rbc     Σ (1 − φ) φ^(r−1)       borda Σ (c − r + 1), where a list of n lacks it (c − n + 1) / 2
    condorcet   C + M / (2 m c), by pairwise majorities
    ```

    s is the normalised score of the document in a list and r its rank, over the h lists that have it, of m in all; c is
    the number of documents that some list has for the query.  C is the number of documents that more lists put below it
    than above, less that of those above it, and M the sum of these margins (Copeland's order).

    Args:
        runs: a table of several runs (run_id, query_id, doc_id, score or rank), files, a list of tables, or tables by
            their names, as in `{"bm25": frame, "dense": other}`.
        method: one of the above.
        k: of rrf.
        normalize: for methods that read s, how the scores of a list are normalised: "minmax" (by default), "max",
            "sum", "zmuv", "l2", "dbsf", "rank", "borda" or "none"; see `docs/fusion.md`.
        weights: for rrf, wsum, wmnz and mixed, the weight of each run, by its name, or in the order of the tables.
        missing: what a document counts as in a list that lacks it: "skip" (passed over), "zero" or "min" (the lowest
            of the list, normalised); for methods that read r "skip" or "last" (one rank below the list's last).  By
            default "skip", but "min" after zmuv, whose mean is 0; the normalisation "borda", borda and condorcet have
            their own.  A list that lacks the whole query is passed over, or counts as 0 under "zero".
        ties: the order of documents of equal score, in the lists and in the fused one: "trec_eval" (descending ids),
            "doc_id" (ascending ids); "rank": lists are read by their own ranks, and fused ties have ascending ids;
            "average": tied documents of a list share their mean rank.
        depth: how deep lists are read; by default all of them.  A normalisation sees what is read.
        top: how many documents of each query are returned.
        constant: for minmax, the value of a list of equal scores, such as one of a single document: 1, or 0 as in ranx;
            under "sum" it is divided by their number.
        phi: the persistence of rbc.
        gamma: γ of combgmnz.
        sigma: σ of lognisr.
        run_id: the name of the fused run; by default the method.
        columns: your names of columns, as in `{"run_id": "system"}`.
        engine: "polars", "duckdb" or "spark"; by default where the runs are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables.

    Returns:
        query_id doc_id score rank run_id, as a `Fusion`: `collect()` gives the frame, `to_native()` it lazily in the
        engine of the runs, `sql()` the statement; `ir.evaluate(qrels, fused, …)` takes it as a run.  Sums follow the
        names of the runs, so that the result is the same on every engine.

    Raises:
        UnknownName, InvalidParameter: an argument is not allowed, or there is one run only.
        NotDefined: scores are read of a run that has ranks only.
        MissingColumn, WrongType, InvalidValue, DuplicateRows, MismatchedTables: a table is no run.

    Source: Fox and Shaw, TREC-2 1993 (comb…); Lee, SIGIR 1997 (combgmnz); Cormack, Clarke and Büttcher, SIGIR 2009
    (rrf); Mourão, Martins and Magalhães, CMIG 2014 (isr, logisr); Bailey et al., SIGIR 2017 (rbc); Aslam and Montague,
    SIGIR 2001 (borda); Montague and Aslam, CIKM 2002 (condorcet).

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> bm25 = pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ["a", "b", "c"], "score": [5.0, 3.0, 1.0]})
        >>> dense = pl.DataFrame({"query_id": ["q"] * 2, "doc_id": ["c", "d"], "score": [0.9, 0.8]})
        >>> ir.fuse({"bm25": bm25, "dense": dense}, "combsum").collect().select("doc_id", "score", "rank").rows()
        [('c', 1.0, 1), ('a', 1.0, 2), ('b', 0.5, 3), ('d', 0.0, 4)]
    """
    options = FusionOptions.parse(
        method=method, k=k, normalize=normalize, missing=missing, ties=ties, depth=depth, top=top, constant=constant,
        phi=phi, gamma=gamma, sigma=sigma,
    )  # fmt: skip
    tables = tables_of(runs)
    where = open_engine(next(iter(tables.values())) if isinstance(tables, Mapping) else tables[0], engine, con)

    def lists_on(engine: Engine, names: Sequence[str] | None = None) -> Lists:
        of_tables = TableNames(columns, {"run": (RUN,)})
        lists = Lists(tables, engine, options, of_tables.of("run"), names)
        of_tables.check_used()
        return lists

    with where.errors():
        names = tuple(lists_on(where).names)
    if len(names) < 2:
        raise InvalidParameter(
            f"There is one run{f', {names[0]!r}' if names and names[0] else ''}; a fusion needs two.",
            "Pass a table whose column run_id names several, or tables by names: {'bm25': frame, 'dense': other}.",
        )
    by_run = _weights_of(weights, names, tables, method)
    name = method if run_id is None else run_id

    def query(engine: Engine) -> TableQuery:
        return _query(lists_on(engine, names), options, by_run, name)

    def files(table: str, path: Any) -> tuple[str, Mapping[str, Any]]:
        del table
        of_file: dict[str, Any] = {"rank": True} if options.ties == "rank" else {}
        own = TableNames(columns, {"run": (RUN,)}).of("run")
        text = sql_files.select(io.describe(path, "run", columns=own), "run", **of_file)
        return text, io.scan_run(path, columns=own, **of_file).collect_schema()

    details = {"table": "fused run", "runs": list(names), **options.arguments(), "weights": weights}
    return Fusion(where, query, files, details, names=names)


def _query(lists: Lists, options: FusionOptions, weights: Sequence[Expr] | None, name: str) -> TableQuery:
    """The fused run in its order."""
    engine = lists.engine
    rows = engine.stage(scored(lists, options, weights), "fused")
    descending = options.ties in ("trec_eval", "average")
    order = Ranking(("query_id",), (("score", True), ("doc_id", descending)), unique=False, depth=options.top)
    ranked = engine.rank(rows, order, None).rows()
    out = ranked.select(*KEYS, "score", rank=col("rank").cast(pl.Int64), run_id=lit(name))
    return TableQuery(Plan(engine), out, ("query_id", "rank"), COLUMNS, checks_of(lists, options))


def _weights_of(
    weights: Weights | None, names: Sequence[str], tables: Mapping[str, Any] | list[Any], method: str
) -> list[Expr] | None:
    """The weights in the order of the names."""
    example = Argument("weights", dict.fromkeys(names[:2], 1.0))
    if weights is None:
        if method in WEIGHTED and method != "rrf":
            raise InvalidParameter(f"{method} needs weights.", Hint("Write ", example, "."))
        return None
    if method not in WEIGHTED:
        raise InvalidParameter(
            f"{method} has no weights.",
            Hint("Write ", Argument("method", "wsum"), " or ", Argument("method", "rrf"), "."),
        )
    if not isinstance(weights, Mapping):
        in_order = list(tables) if isinstance(tables, Mapping) else list(names) if len(tables) == len(names) > 1 else []
        if isinstance(weights, str) or len(in_order) != len(weights):
            raise InvalidParameter(f"weights is {weights!r}; runs are {listed(names)}.", Hint("Write ", example, "."))
        weights = dict(zip(in_order, weights, strict=True))
    if set(weights) != set(names):
        wrong = sorted(set(weights) ^ set(names))
        raise InvalidParameter(
            f"The weights are of {listed(weights)}, and the runs are {listed(names)}; they differ in {listed(wrong)}.",
            Hint("Give each run one: ", Argument("weights", dict.fromkeys(names, 1.0)), "."),
        )
    return [lit(WEIGHT.check(f"weights[{name!r}]", weights[name])) for name in names]
