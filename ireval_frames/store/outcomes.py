"""What was found as rows of the store's tables, once it is found: comparisons, bootstraps, gates and all else."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.comparison.values.sources import Values
from ireval_frames.errors import InvalidParameter
from ireval_frames.evaluation.systems import planned_of
from ireval_frames.store.adding import Occasion
from ireval_frames.store.evaluations import Keyed, canonical, encoded, identified, short
from ireval_frames.store.findings import of_finding
from ireval_frames.store.folder.files import write
from ireval_frames.store.tables import TABLES

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.gating.result import Gate
    from ireval_frames.resampling.result import Bootstrap


def kept(root: Path, found: Any, occasion: Occasion, *, run: str | None, name: str) -> str:
    """Write what a comparison, a bootstrap, a gate or another analysis found; its id.

    Raises:
        InvalidParameter: it is no such result.
        WrongType: a column holds what is not kept.
    """
    if hasattr(found, "exit_code"):
        return _written(root, "gates", "gate_id", of_gate(found), occasion)
    if callable(getattr(found, "replicates", None)):
        return _written(root, "bootstraps", "bootstrap_id", of_bootstrap(found, run), occasion)
    if isinstance(getattr(found, "values", None), Values) and hasattr(found, "options"):
        return _written(root, "comparisons", "comparison_id", of_comparison(found), occasion)
    if (rows := of_finding(found, name)) is not None:
        return _written(root, "findings", "finding_id", rows, occasion)
    raise InvalidParameter(
        f"A store keeps evaluations and results with a table, not {type(found).__name__}.",
        "Write store.add(ir.evaluate(…)).",
    )


def of_comparison(comparison: Comparison) -> pl.DataFrame:
    """A row per measure, group, pair and test."""
    frame, by = comparison.table(), comparison.values.by
    return _told("comparisons", frame.with_columns(encoded({n: n for n in by})), by)


def of_bootstrap(bootstrap: Bootstrap, run: str | None) -> pl.DataFrame:
    """A row per run, group and measure."""
    evaluation, options = bootstrap.evaluation, bootstrap.options
    keyed = Keyed(evaluation, run)
    frame = bootstrap.table()
    planned = planned_of(evaluation)
    back = {theirs: alias for alias, theirs in planned.named.items() if alias in planned.groups}
    frame = frame.rename({n: a for n, a in back.items() if n in frame.columns})
    return _told(
        "bootstraps",
        frame.with_columns(
            keyed.run_id(),
            keyed.groups(),
            evaluation_id=pl.lit(identified(evaluation, run=run).id),
            confidence=pl.lit(options.confidence),
            seed=pl.lit(options.seed),
        ),
        [*keyed.runs, *keyed.by],
    )


def of_gate(gate: Gate) -> pl.DataFrame:
    """A row per rule, measure, candidate and segment, in the order of the gate."""
    columns = TABLES["gates"].schema
    rows = []
    for place, one in enumerate(gate.facts):
        said = {name: _plain(value) for name, value in one.values.items()}
        worst = [{name: _plain(value) for name, value in unit.items()} for unit in one.worst]
        rest = {n: v for n, v in said.items() if n not in columns and n != "candidate"}
        rows.append(
            {n: v for n, v in said.items() if n in columns}
            | {
                "place": place,
                "run_id": said["candidate"],
                "groups": _group(one.segment),
                "exit_code": gate.exit_code,
                "baseline_id": getattr(gate, "baseline_id", None),
                "candidate_id": getattr(gate, "candidate_id", None),
                "numbers": canonical({**rest, "worst": worst}),
            }
        )
    there = {n: t for n, t in columns.items() if not rows or n in rows[0]}
    return pl.DataFrame(rows, schema=there)


def _group(segment: Mapping[str, Any] | None) -> str:
    by = {name: name for name in segment or {}}
    return str(pl.DataFrame({n: [v] for n, v in (segment or {}).items()}).select(encoded(by)).item())


def _plain(value: Any) -> Any:
    """A value that JSON has."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _told(table: str, frame: pl.DataFrame, apart: Sequence[str]) -> pl.DataFrame:
    """The columns that the table has, and in `more` the others."""
    columns = TABLES[table].schema
    rest = [c for c in frame.columns if c not in columns and c not in apart]
    more = [pl.struct(rest).struct.json_encode().alias("more")] if "more" in columns and rest else []
    return frame.select(*(pl.col(c).cast(t) for c, t in columns.items() if c in frame.columns), *more)


def _written(root: Path, table: str, key: str, rows: pl.DataFrame, occasion: Occasion) -> str:
    """Write rows under an id that follows from them and from what was said of the occasion."""
    columns = TABLES[table].schema
    facts = {n: v for n, v in occasion.facts.items() if n in columns}
    at = occasion.made_at.isoformat() if occasion.timed else None
    found = short([json.loads(rows.write_json()), {**facts, "at": at}])
    said = {n: pl.lit(v, dtype=columns[n]) for n, v in facts.items()}
    whole = rows.with_columns(
        pl.lit(found).alias(key), made_at=pl.lit(occasion.made_at, dtype=columns["made_at"]), **said
    )
    lacking = {c: pl.lit(None, dtype=t) for c, t in columns.items() if c not in whole.columns}
    write(root, table, found, whole.with_columns(**lacking))
    return found
