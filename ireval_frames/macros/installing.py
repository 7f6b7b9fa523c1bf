"""The macros of measures, as a text of SQL or in a connection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.engines.duckdb.errors import engine_error
from ireval_frames.engines.inputs.frames import is_connection
from ireval_frames.engines.quoting import identifier
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.evaluation.request import plan_of
from ireval_frames.macros.comparing import compare_macro
from ireval_frames.macros.macro import Macro
from ireval_frames.macros.measure_macro import measure_macro
from ireval_frames.macros.shapes import SHAPES, SUFFIXES
from ireval_frames.macros.statement import MacroText
from ireval_frames.subject import request_of

FAMILIES = ("ranking", "labels", "clusters", "organization", "similarity")
# Common values of parameters that change the plan, and so are not options.
_AVERAGED = [f"{m}(average={a!r})" for m in ("Precision", "Recall", "F1") for a in ("macro", "micro", "weighted")]
_VARIANTS = {
    "ranking": ["nDCG(dcg='exp-log2')", "SDCG@10"],
    "labels": [*_AVERAGED, "Kappa(weights='quadratic')"],
}
PREFIX = "ireval_"
Measures = str | Measure | Iterable[str | Measure] | None


@dataclass
class Macros:
    """The macros of some measures.

    Attributes:
        macros: the macros.
        skipped: the measures without a macro, and why; empty where measures were named.
    """

    macros: list[Macro] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)


def macros_of(measures: Measures = None, *, family: str | None = None) -> Macros:
    """The macros of measures, and those that evaluate common measures and compare systems.

    Args:
        measures: "nDCG@10 AP", measures, or several of either; by default all that are queries.
        family: the family of the measures, if several families have one of that name.

    Raises:
        UnknownName, InvalidParameter: there is no such measure or family, or a value is not allowed.
        NotDefined: a named measure is not a query, or reads other tables than macros do.
    """
    if family is not None and family not in FAMILIES:
        raise UnknownName(f"There are no macros of {family!r}.", nearest(family, FAMILIES) or "Write ranking.")
    families = [family] if family else FAMILIES
    out = Macros()
    if measures is None:
        for measure in (m for name in families for m in measures_of(name)):
            for suffix in SUFFIXES.get(measure.definition.family, ("",)):
                try:
                    out.macros.append(measure_macro(measure, suffix))
                except NotDefined as error:
                    out.skipped[f"{measure.definition.family}: {measure.name}"] = error.what.partition(": ")[2]
        for name in {f"{family}: {m.name}" for family in families for m in _variants(family)}:
            out.skipped.pop(name, None)
    else:
        parsed = catalog.parse_all(measures, family)
        out.macros = [measure_macro(m, suffix) for m in parsed for suffix in SUFFIXES.get(m.definition.family, ("",))]
    ambiguous = {m.name for m in out.macros if sum(n.name == m.name for n in out.macros) > 1}
    if ambiguous:
        raise InvalidParameter(
            f"Several measures would make the macro {min(ambiguous)}: their values are its parameters.",
            "Name one of them, and pass the value in the call.",
        )
    if "ranking" in families:
        out.macros.append(evaluate_macro())
    out.macros.append(compare_macro())
    return out


def measures_of(family: str) -> list[Measure]:
    """The measures of a family, and common variants of them."""
    return [*(d() for d in catalog.definitions(family)), *_variants(family)]


def _variants(family: str) -> list[Measure]:
    return [catalog.parse(m, family) for m in _VARIANTS.get(family, [])]


def _prefix(schema: str | None) -> str:
    """The start of the names of macros."""
    return PREFIX if schema is None else f"{identifier(schema)}."


def statements(measures: Measures = None, *, family: str | None = None, schema: str | None = None) -> str:
    """The SQL that creates the macros, which `ireval macros` prints (see `install_macros`)."""
    macros = macros_of(measures, family=family)
    created = [s for macro in macros.macros for s in macro.statements(_prefix(schema))]
    skipped = [f"-- No macro of {name}: {why}" for name, why in macros.skipped.items()]
    first = [f"CREATE SCHEMA IF NOT EXISTS {identifier(schema)}"] if schema else []
    return "\n\n".join([*(f"{s};" for s in (*first, *created)), *(["\n".join(skipped)] if skipped else [])]) + "\n"


def install_macros(
    con: Any, measures: Measures = None, *, family: str | None = None, schema: str | None = None
) -> list[str]:
    """Create table macros of measures in a DuckDB connection, to evaluate in SQL alone.

    A macro takes names of tables, and the numbers among the measure's parameters:
    `FROM ireval_ndcg('qrels', 'run', k := 10)` returns run_id, query_id and value.  A run without a column run_id has
    the name of its table.  Macros of labels and clusters (`ireval_labels_mcc('labels')`,
    `ireval_clusters_purity('clusters')`) return run_id, unit_id and value; without a column unit_id, all items are one
    unit.  `ireval_evaluate('qrels', 'run')` returns the means of common measures, `ireval_compare('results')` compares
    the systems of a table of values.  Comments on the macros describe them.

    Args:
        con: the connection; macros of the same names are replaced.
        measures: "nDCG AP(rel=2)", measures, or several of either; their numbers become defaults.  By default all
            measures of rankings, labels, clusters, organization and similarity that are queries.
        family: the family of the measures, if several families have one of that name.
        schema: the schema of the macros, created if needed; their names then have no `ireval_`.

    Returns:
        The names of the macros.

    Raises:
        UnknownName, InvalidParameter: there is no such measure or family, or a value is not allowed.
        NotDefined: a named measure is not a query, or reads other tables than macros do.
        EngineError: DuckDB refuses.

    Example:
        >>> import duckdb, ireval_frames as ir
        >>> con = duckdb.connect()
        >>> for name, frame in zip(("qrels", "run"), ir.examples.ranking()):
        ...     con.from_arrow(frame.to_arrow()).create(name)
        >>> ir.macros.install_macros(con, "P RR")
        ['ireval_p', 'ireval_rr', 'ireval_evaluate', 'ireval_compare']
        >>> con.sql("FROM ireval_p('qrels', 'run', k := 2)").fetchall()
        [('run', 'q', 0.5)]
    """
    import duckdb

    if not is_connection(con):
        raise InvalidParameter(
            f"con is of type {type(con).__name__}, which is not a DuckDB connection.",
            'Write con = duckdb.connect("my.db").',
        )
    macros, prefix = macros_of(measures, family=family), _prefix(schema)
    try:
        # The schema may have the name of a database.
        ((database,),) = con.execute("SELECT current_database()").fetchall()
        if schema is not None:
            con.execute(f"CREATE SCHEMA IF NOT EXISTS {identifier(database)}.{identifier(schema)}")
        where = "" if schema is None else f"{identifier(database)}."
        for macro in macros.macros:
            for statement in macro.statements(where + prefix):
                con.execute(statement)
    except duckdb.Error as error:
        raise engine_error(error) from error
    return [prefix + macro.name for macro in macros.macros]


COMMON = "nDCG@10 AP RR P@10 R@100 R@1000 Judged@10"


def evaluate_macro() -> Macro:
    """The macro of common measures: a row per run and measure, as in `summary()`."""
    measures, shape = catalog.parse_all(COMMON, "ranking"), SHAPES[0]
    engine = MacroText(shape.selects(), ())
    with engine.errors():
        plan = plan_of(request_of(shape.subject(**shape.empty()), measures), engine)
        rows = plan.summary_results().ordered()
        for check in plan.checks:
            check()
        body, _ = engine.macro_text(rows)
    sentence = f"The means of {', '.join(map(str, measures))} of every run over the judged queries."
    options = tuple(shape.options)
    return Macro("evaluate", tuple(shape.tables), options, shape.guarded(body, options), sentence)
