"""Results of comparisons, bootstraps, gates and other analyses as rows of the store's tables."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.errors import InvalidParameter
from ireval_frames.store.adding import Occasion
from ireval_frames.store.evaluations import UnitKeys, canonical, groups_json, identify, short
from ireval_frames.store.findings import finding_rows
from ireval_frames.store.folder.files import write
from ireval_frames.store.tables import TABLES

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.gating.result import Gate
    from ireval_frames.resampling.result import Bootstrap

# How many digits of numbers ids depend on.
DIGITS = 9


def add_result(root: Path, result: Any, occasion: Occasion, *, run: str | None, name: str) -> str:
    """Write the result of a comparison, a bootstrap, a gate or another analysis, and return its id.

    Raises:
        InvalidParameter: it is not such a result.
        WrongType: a column has a type that cannot be stored.
    """
    if hasattr(result, "exit_code"):
        return _write(root, "gates", "gate_id", gate_rows(result), occasion)
    if callable(getattr(result, "replicates", None)):
        return _write(root, "bootstraps", "bootstrap_id", bootstrap_rows(result, run), occasion)
    if isinstance(getattr(result, "values", None), PerUnitValues) and hasattr(result, "options"):
        return _write(root, "comparisons", "comparison_id", comparison_rows(result), occasion)
    if (rows := finding_rows(result, name)) is not None:
        return _write(root, "findings", "finding_id", rows, occasion)
    raise InvalidParameter(
        f"A store keeps evaluations and results with a table, not {type(result).__name__}.",
        "Write store.add(ir.evaluate(…)).",
    )


def comparison_rows(comparison: Comparison) -> pl.DataFrame:
    """A row per measure, group, pair and test."""
    frame, by = comparison.table(), comparison.values.by
    return _with_more("comparisons", frame.with_columns(groups_json({n: n for n in by})), by)


def bootstrap_rows(bootstrap: Bootstrap, run: str | None) -> pl.DataFrame:
    """A row per run, group and measure."""
    evaluation, options = bootstrap.evaluation, bootstrap.options
    keys = UnitKeys(evaluation, run)
    frame = keys.rename(bootstrap.table())
    return _with_more(
        "bootstraps",
        frame.with_columns(
            keys.run_id(),
            keys.groups(),
            evaluation_id=pl.lit(identify(evaluation, run=run).id),
            confidence=pl.lit(options.confidence),
            seed=pl.lit(options.seed),
        ),
        [*keys.runs, *keys.by],
    )


def gate_rows(gate: Gate) -> pl.DataFrame:
    """A row per rule, measure, candidate and segment, in the order of the gate."""
    columns = TABLES["gates"].schema
    rows = []
    for place, result in enumerate(gate.rule_results):
        values = {name: _finite(value) for name, value in result.values.items()}
        worst = [{name: _finite(value) for name, value in unit.items()} for unit in result.worst]
        rest = {n: v for n, v in values.items() if n not in columns and n != "candidate"}
        rows.append(
            {n: v for n, v in values.items() if n in columns}
            | {
                "place": place,
                "run_id": values["candidate"],
                "groups": _groups_of(result.segment),
                "exit_code": gate.exit_code,
                "baseline_id": gate.baseline_id,
                "candidate_id": gate.candidate_id,
                "numbers": canonical({**rest, "worst": worst}),
            }
        )
    return pl.DataFrame(rows, schema={n: t for n, t in columns.items() if not rows or n in rows[0]})


def _groups_of(segment: Mapping[str, Any] | None) -> str:
    values = segment or {}
    return str(pl.DataFrame({n: [v] for n, v in values.items()}).select(groups_json({n: n for n in values})).item())


def _finite(value: Any) -> Any:
    """The value; None if JSON has no such number."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _with_more(table: str, frame: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """The columns of the table, and in `more` the others but the keys."""
    columns = TABLES[table].schema
    rest = [c for c in frame.columns if c not in columns and c not in keys]
    more = [pl.struct(rest).struct.json_encode().alias("more")] if "more" in columns and rest else []
    return frame.select(*(pl.col(c).cast(t) for c, t in columns.items() if c in frame.columns), *more)


def _identifying(value: Any) -> Any:
    """The value with numbers of DIGITS digits, also in JSON within it, since the last ones depend on the engine.

    Example:
        >>> _identifying([0.1 + 0.2, 3, {"row": '{"n":0.30000000000000004}'}])
        [0.3, 3, {'row': {'n': 0.3}}]
    """
    match value:
        case float():
            return float(f"{value:.{DIGITS}g}")
        case dict():
            return {name: _identifying(one) for name, one in value.items()}
        case list():
            return [_identifying(one) for one in value]
        case str() if value.startswith("{"):
            with suppress(ValueError):
                return _identifying(json.loads(value))
    return value


def _write(root: Path, table: str, key: str, rows: pl.DataFrame, occasion: Occasion) -> str:
    """Write rows under an id that follows from them and from the occasion."""
    columns = TABLES[table].schema
    names = {n: v for n, v in occasion.columns.items() if n in columns}
    result_id = short([_identifying(json.loads(rows.write_json())), {**names, "at": occasion.at}])
    complete = rows.with_columns(
        pl.lit(result_id).alias(key),
        made_at=pl.lit(occasion.made_at, dtype=columns["made_at"]),
        **{n: pl.lit(v, dtype=columns[n]) for n, v in names.items()},
    )
    missing = {c: pl.lit(None, dtype=t) for c, t in columns.items() if c not in complete.columns}
    write(root, table, result_id, complete.with_columns(**missing))
    return result_id
