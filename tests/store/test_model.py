"""A store is a mapping from ids to values, whatever is done with it in whatever order."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ireval_frames as ir
from tests.store.worlds import evaluation

EVALUATIONS = [evaluation(name, shift, "P@1 RR") for name in ("one", "two") for shift in (0.0, -5.0)]
VALUES = [sorted(e.per_unit().select("run_id", "query_id", "measure", "value").rows()) for e in EVALUATIONS]
STEPS = st.one_of(
    st.tuples(st.just("add"), st.integers(0, 3)),
    st.tuples(st.just("add"), st.integers(0, 3)),
    st.tuples(st.just("remove"), st.integers(0, 3)),
    st.tuples(st.just("tag"), st.integers(0, 3)),
    st.tuples(st.sampled_from(["compact", "merge", "open"]), st.just(0)),
)


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(st.lists(STEPS, min_size=2, max_size=8))
def test_any_sequence_of_operations(steps: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store, other = ir.Store(Path(folder) / "a"), ir.Store(Path(folder) / "b")
        model: dict[str, Any] = {}
        tags: dict[str, str] = {}
        there = {other.add(EVALUATIONS[0], collection="c"): VALUES[0]}
        ids: dict[int, str] = {}
        for what, i in steps:
            match what:
                case "add":
                    ids[i] = store.add(EVALUATIONS[i], collection="c")
                    model[ids[i]] = VALUES[i]
                case "remove" if ids.get(i) in model:
                    store.remove(ids[i])
                    del model[ids[i]]
                    tags = {n: t for n, t in tags.items() if t != ids[i]}
                case "tag" if ids.get(i) in model:
                    store.tag("main", ids[i])
                    tags["main"] = ids[i]
                case "compact":
                    store.compact()
                case "merge":
                    assert store.merge(other) == len(there.keys() - model.keys())
                    model |= there
                case "open":
                    store = ir.Store(Path(folder) / "a", create=False)
            rows = store.table("values").select("evaluation_id", "run_id", "unit_id", "measure", "value").collect()
            kept = {k[0]: sorted(part.drop("evaluation_id").rows()) for k, part in rows.group_by("evaluation_id")}
            assert kept == model
            found = store.sql("FROM evaluations")["evaluation_id"].to_list()
            assert sorted(found) == sorted(model)
            last = {r["name"]: r["evaluation_id"] for r in store.table("tags").sort("made_at").collect().to_dicts()}
            assert last.get("main") == tags.get("main") or "main" not in tags
        assert store.check().is_empty()
