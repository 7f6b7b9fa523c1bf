"""A file is described once for as long as it stays as it is, and never from memory where it may have changed."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from ireval_frames import io
from ireval_frames.io.detect import file as detected

TREC = "q1 Q0 d1 1 2.5 bm25\n"


@pytest.fixture
def described(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of files that were looked into."""
    names: list[str] = []
    look = detected._describe_file
    monkeypatch.setattr(detected, "_known", {})
    monkeypatch.setattr(detected, "_describe_file", lambda f, *rest: names.append(f.name) or look(f, *rest))
    return names


def test_a_file_is_looked_into_once_until_it_changes(
    tmp_path: Path, described: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detected, "SETTLED", 0.0)
    path = tmp_path / "bm25.run"
    path.write_text(TREC * 3)
    assert [io.describe(path)[0].format for _ in range(3)] == ["trec"] * 3
    assert len(described) == 1
    # Read as something else it is looked into again.
    io.describe(path, format="trec")
    assert len(described) == 2
    # Of the same size and time, but another file.
    before = path.stat()
    time.sleep(0.02)
    path.write_text("query_id,doc_id,score\nq1,d1,2\n"[: before.st_size].ljust(before.st_size))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert io.describe(path)[0].format == "csv"
    assert len(described) == 3


def test_a_file_that_changed_a_moment_ago_is_looked_into_again(tmp_path: Path, described: list[str]) -> None:
    path = tmp_path / "bm25.run"
    for text, name in ((TREC, "trec"), ("query_id,doc_id,score\nq1,d1,2\n", "csv")):
        path.write_text(text)
        assert io.describe(path)[0].format == name
    assert len(described) == 2


def test_what_holds_a_whole_file_is_not_remembered(
    tmp_path: Path, described: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detected, "SETTLED", 0.0)
    path = tmp_path / "run.json"
    path.write_text('{"q1": {"d1": 2.5}}')
    assert [io.describe(path)[0].document is None for _ in range(2)] == [False, False]
    assert len(described) == 2
    assert not detected._known


def test_few_descriptions_are_remembered(tmp_path: Path, described: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detected, "SETTLED", 0.0)
    monkeypatch.setattr(detected, "MOST_KNOWN", 3)
    for i in range(7):
        (tmp_path / f"{i}.run").write_text(TREC)
        io.describe(tmp_path / f"{i}.run")
        assert len(detected._known) <= 3
    assert len(described) == 7
