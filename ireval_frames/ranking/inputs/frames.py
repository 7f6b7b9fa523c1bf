"""The user's tables as canonical frames of one engine, with ids of one type."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import (
    CLICK_MODEL,
    QRELS,
    QUERIES,
    RETRIEVED_ONLY,
    RUN,
    canonical,
    grouping_column,
    missing,
    resolve,
)
from ireval_frames.columns.user_names import TableNames
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.engines.base import Aggregate, Engine, Rule
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read, names_files
from ireval_frames.engines.inputs.parquet_files import Table
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import Argument, Hint, MismatchedTables, MissingColumn, NotDefined, listed
from ireval_frames.expr import Expr, col, when
from ireval_frames.io import sql as sql_files
from ireval_frames.io.reading import is_local, streams
from ireval_frames.io.runs import scanned, unread
from ireval_frames.items.checks import exact, floats_of_integers
from ireval_frames.ranking.inputs import model_parameters
from ireval_frames.ranking.inputs.facets import FACETS, SAMPLE, WEIGHT, of_sample
from ireval_frames.ranking.inputs.missing_columns import require_all, require_scores
from ireval_frames.ranking.inputs.model_parameters import ModelParameters
from ireval_frames.ranking.inputs.rules import run_rules

# The text of a 64-bit integer in its canonical form.
PLAIN_INTEGER = r"^(0|-?[1-9][0-9]{0,17}|-?[1-8][0-9]{18}|-?9[01][0-9]{17})$"
# The same without a sign, up to 18.4e18.
PLAIN_UNSIGNED = r"^(0|[1-9][0-9]{0,18}|1[0-7][0-9]{18}|18[0-3][0-9]{17})$"
LARGEST = 2**63 - 1
# From here on a number rounds to infinity as a 32-bit float, which engines handle differently.
FLOAT_END = 3.4028235677973366e38

# How the file of each table is read; grades may be fractions in an evaluation of frames, not in TREC files.
KINDS = {"qrels": (QRELS,), "run": (RUN,), "queries": (QUERIES,), "click_model": (CLICK_MODEL,)}
SCANS: dict[str, Callable[..., pl.LazyFrame]] = {"qrels": io.scan_qrels, "run": scanned, "queries": io.scan_queries}


class Inputs:
    """The canonical `qrels`, `run`, `queries` and `click_model` of one evaluation, and the table of its `by` columns.

    Args:
        tables: the user's tables.
        names: the names of the tables' columns.
        policy: the conventions in force.
        by: the columns that group queries.
        engine: where the plan runs.
        reads: the columns of the judgments that the measures read beyond query, document and grade.
        modelled: whether measures read the parameters of a click model.
        from_files: tables that were read from files, so have our names.
    """

    def __init__(
        self,
        tables: Mapping[str, Any],
        names: TableNames,
        policy: RankingPolicy,
        by: Sequence[str],
        engine: Engine,
        reads: Collection[str] = (),
        from_files: Collection[str] = (),
        *,
        modelled: bool = False,
    ) -> None:
        self.policy, self.by, self.engine = policy, tuple(by), engine
        self.notes: list[str] = []
        self.checks: list[Check] = []
        self.before_rounding: Frame | None = None
        self.score_rules: tuple[Rule, ...] = ()
        self.unread: list[str] = []
        self._called: dict[tuple[str, str], str] = {}
        self.left_out: dict[str, tuple[Frame, Frame]] = {}
        self._source_run, self._run_types = tables["run"], dict[str, Any]()
        self.by_aliases = tuple(f"by_{i}" for i in range(len(by)))
        wants_rank = policy.ties == "rank"
        self._table_names = names
        self._names = {t: names.unused(t) if t in from_files else names.of(t) for t in KINDS}

        def open_table(table: str, **options: Any) -> Frame:
            # Rounding scores to 32 bits makes many more ties than these.
            rounded = {"exact": False} if table == "run" and policy.precision == 32 else {}

            def read(path: Any) -> pl.LazyFrame:
                frame = SCANS[table](path, columns=names.of(table), **options, **rounded)
                self._names[table] = names.unused(table)
                return frame

            def parquet_tables(path: Any) -> Sequence[Table] | None:
                if not is_local(path):
                    return None
                return sql_files.tables(io.describe(path, table, columns=names.of(table)), table, **options)  # type: ignore[arg-type]

            frame = open_source(Source(tables[table], table, Read(read, parquet_tables, streams)), engine)
            if table in from_files:
                # SQL text reads the file under our names.
                self._names[table] = names.unused(table)
            return frame

        qrels, run = open_table("qrels", **second_field(reads)), open_table("run", rank=wants_rank)
        queries = None if tables.get("queries") is None else open_table("queries")
        _refuse_swapped(list(qrels.columns), list(run.columns))
        require_all({"qrels": qrels, "run": run} | ({} if queries is None else {"queries": queries}), self._resolve)
        self.by_in = self._find_by(
            list(queries.columns) if queries is not None else [], list(qrels.columns), list(run.columns)
        )
        self.retrieved_only = RETRIEVED_ONLY in list(qrels.columns)
        self.run = self._run(run)
        self.qrels = engine.compute_once(self._with_run_types(self._judgments(qrels, reads).lazy(), "qrels"))
        self.queries = None
        if queries is not None:
            self.queries = engine.compute_once(
                self._with_run_types(self._canonical("queries", queries, ("query_id",)).lazy().unique(), "queries")
            )
        self.click_model: ModelParameters | None = None
        if modelled and tables.get("click_model") is not None:
            frame, prior = model_parameters.open_model(tables["click_model"], engine)
            names_of_columns = self._resolve("click_model", frame)
            parameters = model_parameters.canonical_parameters(
                frame, names_of_columns, text=names_files(tables["click_model"])
            )
            self.click_model = ModelParameters(
                engine.compute_once(self._with_run_types(parameters.lazy(), "click_model")),
                "relevance" in parameters.columns,
                prior,
            )
        names.check_used()

    def unread_of_run(self) -> Sequence[str]:
        """The columns of the run that are not read, if none names runs; text first, if types are known."""
        run = self._source_run
        if names_files(run) and not self.engine.names_table(run):
            return unread(io.describe(run, "run", columns=self._table_names.of("run")))
        if isinstance(run, pl.LazyFrame) and (columns := unread(run)):
            return columns
        types, read = self._run_types, {c for table, c in self._called if table == "run"}
        names = {self.called("run", c) for c in read}
        others = [] if "run_id" in read else [c for c in types if c not in names]
        return sorted(others, key=lambda c: types[c] != pl.String)

    def called(self, table: str, column: str) -> str:
        """The user's name of a column of a table."""
        return self._called.get((table, column), column)

    def _resolve(self, table: str, frame: Frame) -> dict[str, str]:
        """The user's names of our columns."""
        names = list(frame.columns)
        try:
            return resolve(KINDS[table][0], names, self._names[table])
        except MissingColumn:
            if table == "run":
                require_scores(names, self._names[table])
            # The error of a named column that does not exist says more than that of a missing one.
            self._table_names.check_used()
            raise

    def _judgments(self, frame: Frame, reads: Collection[str]) -> Frame:
        """The judgments with their facets: subtopics always, assessors and groups if a measure reads them.

        A column `iteration` (the second one of a TREC file) is read as the subtopic or the assessor that a measure
        reads and no column has.
        """
        resolved = self._resolve("qrels", frame)
        iteration = resolved.pop("iteration", None)
        absent = [f for f in ("subtopic_id", "assessor_id") if f in reads and f not in resolved]
        if len(absent) > 1 and iteration is not None:
            raise NotDefined(
                f"The measures read subtopics and assessors, and the column {iteration!r} may be either.",
                Hint(
                    "Write which one: ",
                    Argument("columns", {"subtopic_id": iteration}),
                    " or ",
                    Argument("columns", {"assessor_id": iteration}),
                    ".",
                ),
            )
        if absent and iteration is not None:
            resolved[absent[0]] = iteration
            self.notes.append(f"The qrels table's column {iteration!r} was read as {absent[0]}.")
        sample = SAMPLE if {*SAMPLE} & {*reads} else ()
        self.sample = of_sample(frame, {c: name for c, name in resolved.items() if name not in self.by})
        required = [
            c
            for c in ("query_id", *FACETS, "doc_id", "relevance", WEIGHT, *sample)
            if c in resolved and (c not in FACETS[1:] or c in reads)
        ]
        self.unread = [c for c in FACETS if c in resolved and c not in required] + (
            ["iteration"] if iteration is not None and not absent else []
        )
        return self._canonical("qrels", frame, required, resolved)

    def _canonical(
        self, table: str, frame: Frame, columns: Sequence[str], resolved: Mapping[str, str] | None = None
    ) -> Frame:
        """Those of the columns that exist, and the `by` columns."""
        resolved = resolved or self._resolve(table, frame)
        self._called |= {(table, ours): name for ours, name in resolved.items()}
        names = dict(zip(self.by_aliases, self.by, strict=True)) if self.by_in == table else {}
        by = {alias: grouping_column(table, frame, name) for alias, name in names.items()}
        return frame.select(
            *canonical(KINDS[table][0], frame, {k: resolved[k] for k in columns if k in resolved}), **by
        )

    def _run(self, frame: Frame) -> Frame:
        """The rows of the run, by the policy."""
        run = self._ordered(frame)
        if self.policy.own_document == "drop":
            run = self._left_out("own_document", run, run.filter(~_is_own(run)))
        if self.policy.duplicates == "best":
            run = self._left_out("duplicates", run, self._best(run))
        return run

    def _left_out(self, by: str, before: Frame, after: Frame) -> Frame:
        self.left_out[by] = before.lazy(), after.lazy()
        return after

    def _best(self, run: Frame) -> Frame:
        """A row per list and document: the one with the best score or rank."""
        columns = run.columns
        order = "score" if "score" in columns else "given_rank"
        self.checks += [
            Check(run, rule.bad, rule.error) for rule in (*run_rules(columns, self.called), *self.score_rules)
        ]
        keys = [c for c in columns if c != order]
        best = Aggregate(order, "max" if order == "score" else "min", col(order))
        return self.engine.group(run.lazy(), keys, [best])

    def _ordered(self, frame: Frame) -> Frame:
        """The rows of the run with the column that orders them."""
        names = list(frame.columns)
        resolved = self._resolve("run", frame)
        self._run_types = dict(frame.collect_schema().items())
        if "score" not in resolved and "rank" not in resolved:
            self._table_names.check_used()
            raise missing(RUN, "score", names, resolved.values(), or_else="; a run without scores needs a rank column.")
        order = "rank" if "score" not in resolved or (self.policy.ties == "rank" and "rank" in resolved) else "score"
        run = self._canonical("run", frame, ("run_id", "query_id", "doc_id", order), resolved)
        if order == "rank":
            self.notes.append("The lists are ordered by the run's own ranks.")
            return run.rename({"rank": "given_rank"})
        if self.policy.precision == 32:
            self.before_rounding = run.lazy()
            score = col("score")
            fits = score.abs() < FLOAT_END
            return run.with_columns(
                score=when(fits).then(score.cast(pl.Float32).cast(pl.Float64)).otherwise(score * float("inf"))
            )
        dtype = frame.collect_schema()[resolved["score"]]
        self.score_rules = floats_of_integers(dtype, "score", resolved["score"])
        # A float does not keep the digits of a decimal.
        self.checks += exact(frame, resolved["score"]) if dtype.is_decimal() else []
        return run

    def _find_by(self, queries: Sequence[str], qrels: Sequence[str], run: Sequence[str]) -> str:
        """The table that holds every `by` column."""
        if not self.by:
            return ""
        for where, names in (("queries", queries), ("qrels", qrels), ("run", run)):
            if all(b in names for b in self.by):
                if where == "run" and self.policy.missing != "skip":
                    raise NotDefined(
                        f"by={listed(self.by)} is in the run only, so missing queries belong to no group.",
                        Hint(
                            "Pass ",
                            Argument("queries", "queries.csv"),
                            ", or leave missing queries out: ",
                            Argument("policy", "missing=skip"),
                            ".",
                        ),
                    )
                return where
        raise MissingColumn(
            f"No one table has the by column{'s' if len(self.by) > 1 else ''} {listed(self.by)} (queries: "
            f"{listed(queries) or 'none'};"
            f" qrels: {listed(qrels)}; run: {listed(run)}).",
            Hint("Pass a table of query_id and these columns: ", Argument("queries", "queries.csv"), "."),
        )

    def _with_run_types(self, frame: Frame, table: str) -> Frame:
        """The table with ids in the types of the run's; ids that do not fit are refused with the first result."""
        run, types = self.run.collect_schema(), frame.collect_schema()
        for column in ("query_id", "doc_id"):
            if column not in types.names() or types[column] == run[column]:
                continue
            if run[column] != pl.String:
                self.checks.append(self._fits(frame, column, table))
            frame = frame.with_columns(col(column).cast(run[column]))
            self.notes.append(f"The {table} table's {column} was cast to the run's type ({run[column]}) without loss.")
        return frame

    def _fits(self, frame: Frame, column: str, table: str) -> Check:
        """The check that ids can be cast to the run's type without loss."""
        table_type, run_type = frame.collect_schema()[column], self.run.collect_schema()[column]
        value = col(column)
        if table_type.is_integer():
            lost = value < 0 if run_type == pl.UInt64 else value > LARGEST
        else:
            lost = ~value.str.contains(PLAIN_UNSIGNED if run_type == pl.UInt64 else PLAIN_INTEGER)
        type_name = str(table_type) if table_type.is_integer() else "text"

        def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
            more = f"; {count} ids are not" if count > 1 else ""
            return MismatchedTables(
                f"Column {column!r} holds {run_type} in the run and {type_name} in the {table} table, and "
                f"{rows[column][0]!r} is not such an integer{more}.",
                f'Give both one type: frame.with_columns(pl.col("{column}").cast(pl.String)).',
            )

        return Check(frame, lost, error)


def _is_own(run: Frame) -> Expr:
    """Whether a document has the id of its query."""
    query, document, types = col("query_id"), col("doc_id"), run.collect_schema()
    if types["query_id"] != types["doc_id"]:
        query, document = query.cast(pl.String), document.cast(pl.String)
    return (query == document).fill_null(value=False)


def second_field(reads: Collection[str]) -> dict[str, str]:
    """How a file of judgments is read: with its second field where a measure may need it."""
    return {"second": "iteration"} if {*FACETS} & {*reads} else {}


def _refuse_swapped(qrels: Sequence[str], run: Sequence[str]) -> None:
    def has(names: Sequence[str], schema: Any, column: str) -> bool:
        folded = {n.lower() for n in names}
        return any(a in folded for a in (column, *schema[column].aliases))

    graded, scored = has(run, QRELS, "relevance"), has(qrels, RUN, "score")
    if graded and scored and not has(qrels, QRELS, "relevance") and not has(run, RUN, "score"):
        raise MismatchedTables(
            f"The tables are swapped: the first (judgments) has {listed(qrels)}, the second (run) has {listed(run)}.",
            "Judgments come first: ir.evaluate(qrels, run, measures).",
        )
