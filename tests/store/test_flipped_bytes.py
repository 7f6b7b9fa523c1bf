"""A changed byte in any file of a store: the values stay, or a warning or an error names the file."""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, IrevalError, StoreWarning
from ireval_frames.store import input_tables
from ireval_frames.store.folder import parquet
from tests.store.cases import QRELS, TOPICS, evaluation, run


def filled(root: Path) -> ir.Store:
    """A store with a file of every kind."""
    store = ir.Store(root)
    id = store.add(evaluation(), queries=TOPICS, collection="c", tags={"k": 1})  # noqa: A001
    store.add(evaluation("two", -5.0), queries=TOPICS, collection="c")
    store.tag("main", id)
    runs = pl.concat([run("one"), run("two", -5.0)])
    compared = ir.evaluate(QRELS, runs, "RR").compare("one")
    store.add(compared)
    store.add(pl.DataFrame({"a": [1.5]}), name="mine")
    store.keep(QRELS, run())
    return store


def answers(store: ir.Store) -> list[pl.DataFrame]:
    """What a store answers, one way and another."""
    digests = store.runs().collect()["digest"].drop_nulls().unique().sort()
    there = {path.stem for path in (store.path / input_tables.FOLDER).iterdir()}
    return [
        store.leaderboard("c").collect(),
        store.history("RR").collect().drop("made_at"),
        # Read by the store; what is lazy is read by whoever collects it.
        store.compare("one", "two", "RR", collection="c").table(),
        store.findings().collect().drop("made_at"),
        store.sql('SELECT run_id, count(*) AS n, sum(value) AS total FROM "values" GROUP BY ALL ORDER BY ALL'),
        store.sql("SELECT count(*) AS n FROM comparisons, tags, queries, inputs"),
        *(store.kept(digest).collect() for digest in digests if digest[:32] in there),
    ]


def flipped(content: bytes, places: list[int], chance: random.Random) -> Iterator[tuple[int, bytes]]:
    for place in places:
        changed = bytearray(content)
        changed[place] ^= 1 << chance.randrange(8)
        yield place, bytes(changed)


def answered(store: ir.Store) -> tuple[list[pl.DataFrame] | None, str]:
    """What a store answers, and what it says of its files."""
    actual, failed = None, ""
    with warnings.catch_warnings(record=True) as messages:
        warnings.simplefilter("always")
        try:
            actual = answers(store)
        except IrevalError as error:
            failed = str(error)
    assert all(issubclass(w.category, StoreWarning) for w in messages)
    return actual, "\n".join([failed, *(str(w.message) for w in messages)])


def same(one: list[pl.DataFrame] | None, other: list[pl.DataFrame]) -> bool:
    return one is not None and len(one) == len(other) and all(a.equals(b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("kind", ["of one evaluation", "packed", "older", "older, packed"])
def test_one_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    packed, sealed = "packed" in kind, "older" not in kind
    if not sealed:
        # As older releases wrote them.
        monkeypatch.setattr(parquet, "_position", lambda *_: None)
        monkeypatch.setattr(parquet, "KEY", "no.check")
    store, chance = filled(tmp_path), random.Random(7)
    if packed:
        store.compact()
    monkeypatch.undo()
    before = answers(store)
    kinds = {path.parent.name: path for path in sorted(tmp_path.rglob("*.parquet"))}
    assert len(kinds) >= 13
    # Packs are distinguished by their metadata, which is the same in all kinds; of files without a checksum
    # some kinds are tried.
    every = 6 if packed else 1 if sealed else 3
    for path in list(kinds.values())[::every]:
        content = path.read_bytes()
        for place, changed in flipped(content, chance.sample(range(len(content)), 1), chance):
            path.write_bytes(changed)
            actual, messages = answered(ir.Store(tmp_path))
            if sealed:
                assert same(actual, before) or path.name in messages, (path, place)
            else:
                assert actual is not None or path.name in messages, (path, place, messages)
        path.write_bytes(content)
    assert same(answers(ir.Store(tmp_path)), before)


def test_every_byte_is_in_the_checksum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS", 2)
    store = filled(tmp_path)
    for path in tmp_path.rglob("*.parquet"):
        assert not parquet.is_damaged(path)
    # The file of few rows is written by Polars, that of many by PyArrow.
    for path in (next((tmp_path / "evaluations").iterdir()), next((tmp_path / "values").iterdir())):
        content = path.read_bytes()
        for place, changed in flipped(content, [*range(0, len(content), 29), *range(-40, 0)], random.Random(1)):
            path.write_bytes(changed)
            # A key that is not found says nothing, and such a file is no file of the table, or as it was.
            ends = place < 4 or -8 <= place < 0 or place >= len(content) - 8
            assert parquet.is_damaged(path) or ends or parquet.KEY.encode() not in changed, place
        path.write_bytes(content)
    assert store.check().is_empty()


def test_the_format(tmp_path: Path) -> None:
    ir.Store(tmp_path)
    path, content = tmp_path / "FORMAT", b"ireval-store 1\n"
    assert path.read_bytes() == content
    for bit in range(8 * len(content)):
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        with suppress(FileError):
            # What is refused is named, and what is not is what was there.
            ir.Store(tmp_path)
            assert path.read_text().strip() == content.decode().strip()
            continue
        with pytest.raises(FileError, match=re.escape(str(tmp_path))):
            ir.Store(tmp_path)
