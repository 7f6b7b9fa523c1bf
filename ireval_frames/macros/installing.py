"""The macros of measures: as a file of SQL, or in a connection."""

from __future__ import annotations

import functools
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
from ireval_frames.macros.making import measure_macro
from ireval_frames.macros.shapes import SAID, SHAPES
from ireval_frames.macros.writing import MacroText
from ireval_frames.subject import request_of

FAMILIES = ("ranking", "labels", "clusters", "organization", "similarity")
# Macros of parameters that decide the plan, which many ask for.
_AVERAGED = [f"{m}(average={a!r})" for m in ("Precision", "Recall", "F1") for a in ("macro", "micro", "weighted")]
MORE = {
    "ranking": ["nDCG(dcg='exp-log2')", "SDCG@10"],
    "labels": [*_AVERAGED, "Kappa(weights='quadratic')"],
}
PREFIX = "ireval_"
Asked = str | Measure | Iterable[str | Measure] | None


# A macro follows from its measure alone, and is written in longer time than any database takes to make it.
_macro_of = functools.cache(measure_macro)


@dataclass
class Macros:
    """The macros of some measures.

    Attributes:
        made: the macros.
        left_out: the measures that none can be made of, and why; empty where they were asked for by name.
    """

    made: list[Macro] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


def macros_of(measures: Asked = None, *, family: str | None = None) -> Macros:
    """The macros of measures, with those that evaluate several together and compare systems.

    Args:
        measures: "nDCG@10 AP", measures, or several of either; by default all that are queries.
        family: where measures are looked for, if several families have one of that name.

    Raises:
        UnknownName, InvalidParameter: there is no such measure or family, or a value is not allowed.
        NotDefined: a measure that was asked for cannot be said in SQL, or reads other tables than macros do.
    """
    if family is not None and family not in FAMILIES:
        raise UnknownName(f"There are no macros of {family!r}.", nearest(family, FAMILIES) or "Write ranking.")
    families = [family] if family else FAMILIES
    out = Macros()
    if measures is None:
        for measure in (m for one in families for m in _measures_of(one)):
            for says in SAID.get(measure.definition.family, ("",)):
                try:
                    out.made.append(_macro_of(measure, says))
                except NotDefined as error:
                    out.left_out[f"{measure.definition.family}: {measure.name}"] = error.what.partition(": ")[2]
        for one in {f"{family}: {m.name}" for family in families for m in _asked_too(family)}:
            out.left_out.pop(one, None)
    else:
        asked = catalog.parse_all(measures, family)
        out.made = [_macro_of(m, says) for m in asked for says in SAID.get(m.definition.family, ("",))]
    twice = {m.name for m in out.made if sum(n.name == m.name for n in out.made) > 1}
    if twice:
        raise InvalidParameter(
            f"Several measures would make the macro {min(twice)}: their values are its parameters.",
            "Ask for one of them, and give the value where it is called.",
        )
    if "ranking" in families:
        out.made.append(evaluate_macro())
    out.made.append(compare_macro())
    return out


def _measures_of(family: str) -> list[Measure]:
    """The measures of a family, and those that are asked for with values of their parameters."""
    return [*(d() for d in catalog.definitions(family)), *_asked_too(family)]


def _asked_too(family: str) -> list[Measure]:
    return [catalog.parse(m, family) for m in MORE.get(family, [])]


def prefixed(schema: str | None) -> str:
    """What stands before the names of macros."""
    return PREFIX if schema is None else f"{identifier(schema)}."


def statements(measures: Asked = None, *, family: str | None = None, schema: str | None = None) -> str:
    """The SQL that makes the macros: what `ireval macros` prints (see `install_macros`)."""
    found = macros_of(measures, family=family)
    made = [s for macro in found.made for s in macro.statements(prefixed(schema))]
    left = [f"-- No macro of {name}: {why}" for name, why in found.left_out.items()]
    first = [f"CREATE SCHEMA IF NOT EXISTS {identifier(schema)}"] if schema else []
    return "\n\n".join([*(f"{s};" for s in (*first, *made)), *(["\n".join(left)] if left else [])]) + "\n"


def install_macros(
    con: Any, measures: Asked = None, *, family: str | None = None, schema: str | None = None
) -> list[str]:
    """Make table macros of measures in a DuckDB connection, so that SQL alone evaluates.

    A macro takes the names of tables, and the numbers among the measure's parameters:
    `FROM ireval_ndcg('qrels', 'run', k := 10)` gives run_id, query_id and value.  A run without a run_id is called as
    its table.  Macros of labels and clusters (`ireval_labels_mcc('labels')`, `ireval_clusters_purity('clusters')`) give
    run_id, unit_id and value; without a column unit_id all items are one unit.  `ireval_evaluate('qrels', 'run')` gives
    the means of common measures, `ireval_compare('results')` compares the systems of a table of values.  Each has a
    comment that says what it gives.

    Args:
        con: the connection; macros of the same names are replaced.
        measures: "nDCG AP(rel=2)", measures, or several of either; what they say of numbers becomes the default.  By
            default all measures of rankings, labels, clusters, organization and similarity that are queries.
        family: where measures are looked for, if several families have one of that name.
        schema: where the macros are made, which is made if it is not there; their names then have no `ireval_`.

    Returns:
        The names of the macros.

    Raises:
        UnknownName, InvalidParameter: there is no such measure or family, or a value is not allowed.
        NotDefined: a measure that was asked for cannot be said in SQL, or reads other tables than macros do.
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
            f"con is of type {type(con).__name__}, which is no DuckDB connection.",
            'Write con = duckdb.connect("my.db").',
        )
    found, prefix = macros_of(measures, family=family), prefixed(schema)
    try:
        # A database may have the name of the schema.
        ((database,),) = con.execute("SELECT current_database()").fetchall()
        if schema is not None:
            con.execute(f"CREATE SCHEMA IF NOT EXISTS {identifier(database)}.{identifier(schema)}")
        where = "" if schema is None else f"{identifier(database)}."
        for macro in found.made:
            for statement in macro.statements(where + prefix):
                con.execute(statement)
    except duckdb.Error as error:
        raise engine_error(error) from error
    return [prefix + macro.name for macro in found.made]


COMMON = "nDCG@10 AP RR P@10 R@100 R@1000 Judged@10"


def evaluate_macro() -> Macro:
    """The macro of common measures: a row per run and measure, as `summary()` gives them."""
    measures, shape = catalog.parse_all(COMMON, "ranking"), SHAPES[0]
    engine = MacroText(shape.doors(), ())
    with engine.errors():
        built = plan_of(request_of(shape.subject(**shape.empty()), measures), engine)
        rows = built.summary_results().ordered()
        for check in built.checks:
            check()
        body, _ = engine.written(rows)
    sentence = f"The means of {', '.join(map(str, measures))} of every run over the judged queries."
    options = tuple(shape.options)
    return Macro("evaluate", tuple(shape.tables), options, shape.guarded(body, options), sentence)
