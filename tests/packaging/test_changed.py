"""Which tests `make test CHANGED=1` runs."""

from __future__ import annotations

import pytest

from tests.changed import select


@pytest.mark.parametrize("file, paths, families", [
    ("ireval_frames/clusters/checks.py", {"tests/clusters", "tests/cli/test_clusters.py"}, {"clusters"}),
    ("ireval_frames/stats/means/student.py", {"tests/stats", "tests/stats/test_student.py"}, set()),
    ("ireval_frames/columns/schema.py", {"tests/results"}, {"labels", "ranking", "clicks"}),
    ("tests/clusters/cases.py", {"tests/clusters/test_weights.py"}, {"clusters"}),
    ("tests/oracles/labels_of_a_class.py", {"tests/packaging/test_floors.py"}, {"labels"}),
    ("ireval_frames/catalog/index.py", {"tests/catalog"}, set()),
    ("data/formats/lines/make.py", {"tests/io"}, set()),
    ("tests/cli/test_sql.py", {"tests/cli/test_sql.py"}, set()),
    ("docs/sql.md", {"tests/docs"}, set()),
])  # fmt: skip
def test_what_is_near_a_file_is_selected(file: str, paths: set[str], families: set[str]) -> None:
    selected = select([file])
    assert paths <= set(selected.paths)
    assert families <= selected.families
    if len(families) < 2:
        assert selected.families == families


def test_no_file_no_tests() -> None:
    assert (select([]).paths, select(["LICENSE"]).paths) == ([], [])


def test_everything() -> None:
    assert select(["pyproject.toml"]).arguments() == ["-m", "not external"]


def test_a_folder_of_tests_that_need_other_tools() -> None:
    assert select(["ireval_frames/dialects/dialect.py"]).arguments()[0] == "tests/dialects"
