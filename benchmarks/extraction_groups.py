"""What is extracted from documents."""

from benchmarks.coreference_groups import coreference
from benchmarks.jobs import Bench
from benchmarks.rows import Row
from benchmarks.spans_groups import spans
from benchmarks.tags_groups import tags


def extraction(bench: Bench) -> list[Row]:
    """Spans of tags and of tables, coreference."""
    return [*tags(bench), *spans(bench), *coreference(bench)]
