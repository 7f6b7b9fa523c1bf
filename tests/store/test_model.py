"""A store is a mapping from ids to values, whatever is done with it in whatever order."""

from __future__ import annotations

import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import ireval_frames as ir
from ireval_frames.errors import UnknownName
from tests.store.cases import evaluation

EVALUATIONS = [evaluation(name, shift, "P@1 RR") for name in ("one", "two") for shift in (0.0, -5.0)]
VALUES = [sorted(e.per_unit().select("run_id", "query_id", "measure", "value").rows()) for e in EVALUATIONS]
MEANS = [{(r, m): v for r, m, v in e.summary().select("run_id", "measure", "value").rows()} for e in EVALUATIONS]
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
WHICH = st.integers(0, len(EVALUATIONS) - 1)
NAMES = st.sampled_from(["main", "it's", "*"])
COLLECTIONS = st.sampled_from(["c", "d"])


class Model:
    """What a store holds: evaluations with their occasions, and names."""

    def __init__(self) -> None:
        self.occasions: dict[int, list[tuple[datetime, str]]] = {}
        self.names: set[tuple[str, datetime, int]] = set()

    def history(self) -> list[tuple[str, datetime, str, float]]:
        """Every occasion's mean of RR."""
        return sorted(
            (collection, at, run, value)
            for i, occasions in self.occasions.items()
            for at, collection in occasions
            for (run, measure), value in MEANS[i].items()
            if measure == "RR"
        )


class Stores(RuleBasedStateMachine):
    """Two stores and their models."""

    @initialize()
    def start(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.stores = [ir.Store(self.folder / name) for name in "ab"]
        self.models = [Model(), Model()]
        self.ids: dict[int, str] = {}
        self.now = FIRST
        self.files: dict[Path, set[str]] = {}

    def teardown(self) -> None:
        if hasattr(self, "stores"):
            for store in self.stores:
                assert store.check().is_empty()
            shutil.rmtree(self.folder)

    @rule(of=st.integers(0, 1), which=WHICH, collection=COLLECTIONS)
    def add(self, of: int, which: int, collection: str) -> None:
        self.now += timedelta(hours=1)
        self.ids[which] = self.stores[of].add(EVALUATIONS[which], collection=collection, at=self.now)
        self.models[of].occasions.setdefault(which, []).append((self.now, collection))

    @precondition(lambda self: any(self.models[0].occasions.values()))
    @rule(which=WHICH)
    def add_again(self, which: int) -> None:
        """On the same occasion: nothing changes."""
        for at, collection in self.models[0].occasions.get(which, ()):
            assert self.stores[0].add(EVALUATIONS[which], collection=collection, at=at) == self.ids[which]

    @rule(which=WHICH, name=NAMES)
    def tag(self, which: int, name: str) -> None:
        model, store = self.models[0], self.stores[0]
        if which in model.occasions:
            store.tag(name, self.ids[which])
            model.names.add((name, max(store.table("tags").collect()["made_at"]), which))
        elif which in self.ids:
            with pytest.raises(UnknownName):
                store.tag(name, self.ids[which])

    @rule(which=WHICH)
    def remove(self, which: int) -> None:
        model, store = self.models[0], self.stores[0]
        if which in model.occasions:
            store.remove(self.ids[which])
            del model.occasions[which]
            model.names = {name for name in model.names if name[2] != which}
        elif which in self.ids:
            with pytest.raises(UnknownName):
                store.remove(self.ids[which])

    @rule(of=st.integers(0, 1))
    def compact(self, of: int) -> None:
        self.stores[of].compact()
        assert self.stores[of].compact() == 0

    @rule(into=st.integers(0, 1))
    def merge(self, into: int) -> None:
        here, there = self.models[into], self.models[1 - into]
        new = there.occasions.keys() - here.occasions.keys()
        assert self.stores[into].merge(self.stores[1 - into]) == len(new)
        for which, occasions in there.occasions.items():
            here.occasions[which] = sorted({*here.occasions.get(which, ()), *occasions})
        here.names |= there.names

    @rule(of=st.integers(0, 1))
    def open_again(self, of: int) -> None:
        self.stores[of] = ir.Store(self.folder / "ab"[of], create=False)

    @rule()
    def export(self) -> None:
        path = self.stores[0].export(self.folder / "sent.duckdb")
        with duckdb.connect(str(path), read_only=True) as con:
            exported = con.execute("SELECT collection, epoch_us(made_at), run_id, value FROM history('RR')").fetchall()
        path.unlink()
        expected = [(c, int(at.timestamp()) * 1_000_000, r, v) for c, at, r, v in self.models[0].history()]
        assert sorted(exported) == expected

    @invariant()
    def holds_what_its_model_holds(self) -> None:
        for store, model in zip(getattr(self, "stores", ()), getattr(self, "models", ()), strict=True):
            rows = store.table("values").select("evaluation_id", "run_id", "unit_id", "measure", "value").collect()
            groups = rows.group_by("evaluation_id")
            stored = {str(k[0]): sorted(part.drop("evaluation_id").rows()) for k, part in groups}
            assert stored == {self.ids[which]: VALUES[which] for which in model.occasions}
            # DuckDB takes longer to open than all else; it reads the same files.
            files = {path.name for path in store.path.rglob("*.parquet")}
            if self.files.get(store.path) != files:
                assert sorted(store.sql("FROM evaluations")["evaluation_id"]) == sorted(stored)
                self.files[store.path] = files
            if stored:
                history = store.history("RR").select("collection", "made_at", "run_id", "value").collect()
                assert sorted(history.rows()) == model.history()
                assert board(store) == latest(model)

    @invariant()
    def finds_names(self) -> None:
        for store, model in zip(getattr(self, "stores", ()), getattr(self, "models", ()), strict=True):
            # The last evaluation that has a name; a name is gone with its evaluations.
            last = {name: self.ids[which] for name, _, which in sorted(model.names, key=lambda name: name[1])}
            for name in ("main", "it's", "*"):
                if name in last:
                    assert store.find(name) == last[name]
                else:
                    with pytest.raises(UnknownName):
                        store.find(name)


def board(store: ir.Store) -> set[Any]:
    rows = store.leaderboard(measures="RR").select("collection", "run_id", "value").collect().rows()
    return {*rows}


def latest(model: Model) -> set[Any]:
    last: dict[tuple[str, str], tuple[datetime, float]] = {}
    for collection, at, run, value in model.history():
        if (collection, run) not in last or last[collection, run][0] < at:
            last[collection, run] = (at, value)
    return {(*key, value) for key, (_, value) in last.items()}


TestStores = Stores.TestCase
TestStores.settings = settings(
    max_examples=5,
    stateful_step_count=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
