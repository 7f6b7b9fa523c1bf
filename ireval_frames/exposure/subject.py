"""Rankings whose documents, or groups of documents, should get a fair share of attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import results
from ireval_frames.columns.exposure import TABLES
from ireval_frames.columns.user_names import Columns, TableNames, columns_named
from ireval_frames.conventions.exposure import ExposurePolicy
from ireval_frames.documents.subject import ids_as_table
from ireval_frames.engines.base import Engine
from ireval_frames.engines.inputs.frames import is_path
from ireval_frames.errors import Argument, Hint, InvalidParameter, UnknownName, nearest
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.exposure.context import ExposureContext
from ireval_frames.exposure.inputs import TARGETS, ListOptions
from ireval_frames.exposure.request import ExposureRequest
from ireval_frames.exposure.tables import ExposureTables
from ireval_frames.expr import Expr, col
from ireval_frames.kernels.browsing import BROWSING, CONTINUING, STOP
from ireval_frames.plan import Table
from ireval_frames.ratios import ratio
from ireval_frames.results import Result
from ireval_frames.subject import RESULT_COLUMNS, Subject


class FairExposure(Subject[ExposurePolicy, Evaluation]):
    """Rankings, the groups of their documents, and the shares of attention that groups should get.

    Args:
        run: a row per query and document, with a score or a rank.  With a run_id column, many systems at once.
        groups: a row per document and group, or per document with a list of them; with a `share` if documents are in
            several: shares of a document are divided by their sum.
        target: the share that each group should get: a table of group and share (and query_id, if it differs), a
            mapping, or "equal" (the same for each), "groups" (their shares of the documents in the table of groups),
            "lists" (those of the documents of the query's lists), "relevant" (those of its relevant documents).  A
            group that the table or the mapping lacks should get nothing.
        relevant: judgments: a row per query and document with its grade, or its utility; without such a column the
            documents in it are relevant.
        samples: the column of the run that tells the lists of a query apart, which a stochastic ranker gave.
        browsing: the attention that ranks get, where a measure does not say; short for `policy="browsing=…"`.
        queries: the queries: ids, or a table of them, which may have a `weight` and the columns of `by`.  By default
            those with a list, and those with judgments.
        group: the column of groups; of several, each combination of their values is a group.
        rank: the column of ranks, by which lists are then ordered; without it by scores, if there are any.  Documents
            of a list are at 1, 2, 3 …, also where ranks have gaps: a run is to have all that users saw.
        by: columns of `queries` that group them; without such a table, of the run.
        policy: the conventions (see `ExposurePolicy`), such as `policy="trecfair"`.
        engine: "polars", "duckdb" or "spark"; by default where the run is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what columns are called, ours → theirs, for every table that has such a column; for one table
            `{"groups": {"doc_id": "page"}}`.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> ev = fair.evaluate("GroupExposure(group='new') AWRF ExposureRatio(group='new')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.3008, 0.9792, 0.6453]
    """

    family = "exposure"
    _conventions = ExposurePolicy
    _requests = ExposureRequest
    _evaluations = Evaluation
    _result_columns = (*RESULT_COLUMNS, "n_retrieved", "group", "exposure", "members", "target")

    def __init__(
        self,
        run: Any,
        groups: Any = None,
        target: Any = None,
        relevant: Any = None,
        *,
        samples: str | None = None,
        browsing: str | None = None,
        queries: Any = None,
        group: str | Sequence[str] | None = None,
        rank: str | None = None,
        by: str | Sequence[str] = (),
        policy: ExposurePolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Columns | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        attributes = columns_named(group, "group")
        named = {"rank": rank, "sample": samples}
        short: dict[str, Any] = {ours: name for ours, name in named.items() if name is not None}
        self.names = TableNames({**short, **(columns or {})}, TABLES)
        computed = target if isinstance(target, str) and target in TARGETS else ""
        if isinstance(target, str) and not computed and con is None and not is_path(target) and "." not in target:
            raise UnknownName(
                f"target is {target!r}, which is neither a file nor one of {', '.join(TARGETS)}.",
                nearest(target, TARGETS),
            )
        if isinstance(target, Mapping):
            target = _as_table(target)
        self.options = ListOptions(rank is not None, samples, attributes, computed)
        if browsing is not None:
            BROWSING.check("browsing", browsing)
            policy = self._conventions.of(policy).with_fields({"browsing": browsing})
        called = self.names.of
        super().__init__(
            {
                "run": run,
                "groups": groups,
                "target": None if computed else target,
                "relevant": relevant,
                "queries": ids_as_table(queries, called("queries").get("query_id", "query_id"), "queries"),
            },
            first="run",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )

    @results.table_method
    def exposure(
        self,
        *,
        p: float = 0.5,
        stop: float = 0.5,
        cutoff: int | None = None,
        by: str | Sequence[str] | None = None,
        policy: ExposurePolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """The exposure of each group in each query, beside its share of the members and of the target.

        Args:
            p: for geometric and cascade browsing, the probability of continuing.
            stop: for cascade browsing, the probability of stopping at a relevant document.
            cutoff: documents below this rank get no attention.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's; `browsing` is one of them.

        Returns:
            [run_id, by …] query_id group exposure members [target]: `exposure` is the group's share of the attention,
            null in queries without a document that has a group; `members` is its share of the query's documents.

        Raises:
            NotDefined: there are no groups.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> table = ir.FairExposure(**ir.examples.exposure()).exposure()
            >>> table.with_columns(pl.col("exposure", "members").round(4)).rows()
            [('q', 'known', 0.6992, 0.6, 0.5), ('q', 'new', 0.3008, 0.4, 0.5)]
        """
        CONTINUING.check("p", p)
        STOP.check("stop", stop)
        request: ExposureRequest = self._request(by=by, policy=policy, columns=self._result_columns)

        def select(tables: ExposureTables) -> tuple[Table, dict[str, Expr]]:
            c = ExposureContext(tables, "exposure()", self.options.target)
            grid, documents, memberships = tables.grid, tables.documents, c.memberships
            of = memberships.lookup(c.exposure(c.attention(None, p, stop, cutoff)), of=tables.members)

            def part(value: Expr) -> Expr:
                total = grid.lookup(memberships.sum(value, into=documents), of=documents)
                return grid.column(ratio(memberships.sum(value, into=grid), total))

            target = {"target": grid.column(c.target_share)} if c.has_target else {}
            return grid, {
                **{k: col(k) for k in (*tables.keys, "group")},
                "exposure": part(of * col("share")),
                "members": part(col("share")),
                **target,
            }

        def order(tables: ExposureTables) -> list[pl.Expr]:
            return [pl.col(tables.inputs.names["item_id"]), pl.col("group")]

        return request.table(select, "exposure", order)


def _as_table(target: Mapping[Any, Any]) -> pl.DataFrame:
    """The table of a mapping from groups to shares.

    Raises:
        InvalidParameter: it is empty, groups are of several types, or shares are no numbers.
    """
    if not target:
        raise InvalidParameter("target is {}, which has no group.", Hint("Write ", Argument("target", "equal"), "."))
    try:
        shares = pl.Series("share", [float(share) for share in target.values()], dtype=pl.Float64)
        return pl.DataFrame({"group": list(target), "share": shares})
    except (TypeError, ValueError) as error:
        raise InvalidParameter(
            f"target is {dict(target)!r}, which are no shares of groups: {str(error).splitlines()[0]}.",
            Hint("Write ", Argument("target", {"a": 0.5, "b": 0.5}), "."),
        ) from error
