"""What is extracted from documents."""

from benchmarks.jobs import Bench
from benchmarks.rows import Row
from benchmarks.tags_groups import tags


def extraction(bench: Bench) -> list[Row]:
    """Spans of tags."""
    return tags(bench)
