"""Many measures, units and runs in one call give what each gives alone."""

from __future__ import annotations

import polars as pl

from tests.contract.kit import (
    ENGINES,
    Frames,
    Kind,
    Values,
    by_measure,
    each,
    names,
    nothing_differs,
    restricted,
    values,
    worlds,
)


def several_runs(kind: Kind, where: str) -> list[str]:
    """The runs of a world that has several."""
    frames = kind.tables(kind.world(where), kind.way(kind.asked(where)[0]))
    found = sorted({r for f in frames.values() if "run_id" in f.columns for r in f["run_id"].drop_nulls()})
    return found if len(found) > 1 else []


@each("name", names, engines=False)
def test_measures_alone(kind: Kind, name: str) -> None:
    """A measure without company, every second one on DuckDB; with `--measure` all stand alone on both."""
    where = next(w for w in kind.worlds if kind.of(w, name))
    measure = kind.of(where, name)[-1]
    for engine in ENGINES if restricted() else [ENGINES[kind.position(name) % 2]]:
        alone = kind.evaluated(where, [measure], engine)[str(measure)]
        nothing_differs(alone, kind.found(where, engine)[str(measure)], kind.allowed(measure))


@each("where", lambda kind: worlds(kind)[:1])
def test_order_of_measures(kind: Kind, where: str, engine: str) -> None:
    for batch in kind.batches(kind.first(where)[::-1]):
        found = by_measure(values(kind.evaluation(where, batch, engine)))
        assert list(found) == [str(m) for m in batch]
        for m in batch:
            nothing_differs(found[str(m)], kind.found(where, engine)[str(m)], kind.allowed(m))


def only(frames: Frames, column: str, value: object) -> Frames:
    """The rows of one unit or run; tables without the column as they are."""
    return {n: f.filter(pl.col(column) == value) if column in f.columns else f for n, f in frames.items()}


@each("where", worlds)
def test_a_unit_alone(kind: Kind, where: str, engine: str) -> None:
    """Four units, three of them on Polars and one on DuckDB, each alone in its tables."""
    some = [m for m in kind.first(where) if m.name not in kind.together]
    (batch, *_) = kind.batches(some)
    frames = kind.tables(kind.world(where), kind.way(batch[0]))
    units = frames[kind.grouped][kind.unit].unique(maintain_order=True).to_list()
    at = (0, len(units) // 2, -1) if engine == "polars" else (len(units) // 3,)
    for unit in dict.fromkeys(units[i] for i in at):
        found = kind.evaluated(where, batch, engine, lambda f, unit=unit: only(f, kind.unit, unit))
        for m in batch:
            together = kind.found(where, engine)[str(m)]
            assert found[str(m)], unit
            nothing_differs(found[str(m)], {k: together[k] for k in found[str(m)]}, kind.allowed(m), f"{unit} alone")


@each("where", lambda kind: [w for w in worlds(kind) if several_runs(kind, w)], without="runs")
def test_a_run_alone(kind: Kind, where: str, engine: str) -> None:
    """Each run by itself, in tables that do not name it."""
    some = kind.first(where)
    for batch in kind.batches(some):
        for run in several_runs(kind, where):

            def change(frames: Frames, run: str = run) -> Frames:
                return {n: f.drop("run_id", strict=False) for n, f in only(frames, "run_id", run).items()}

            alone = kind.evaluated(where, batch, engine, change)
            for m in batch:
                together: Values = {
                    (k[0], *k[2:]): v for k, v in kind.found(where, engine)[str(m)].items() if k[1] == run
                }
                nothing_differs(alone[str(m)], together, kind.allowed(m), f"{run} alone")
