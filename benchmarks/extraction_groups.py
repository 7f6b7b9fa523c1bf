"""What is extracted from documents."""

from benchmarks.coreference_groups import coreference
from benchmarks.jobs import Bench
from benchmarks.rows import Row
from benchmarks.tags_groups import tags


def extraction(bench: Bench) -> list[Row]:
    """Spans of tags, coreference."""
    return [*tags(bench), *coreference(bench)]
