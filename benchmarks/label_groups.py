"""The groups of cases about labels."""

from benchmarks.jobs import Bench
from benchmarks.rows import Row, faster, within


def labels(bench: Bench) -> list[Row]:
    """Classifiers: a report, scores, groups."""
    table = bench.path("labels", "run.parquet")
    report, bare = (
        bench.work("ours_labels.report", calls=3, table=table),
        bench.work("bare.group_by", calls=3, table=table),
    )
    inside = bench.work("ours_labels.inside", calls=3, table=table)
    rows = [faster("classification report, 20 text labels", report, bench.work("peers_labels.report", table=table), 40)]
    for case, score, limit in (("all scores distinct", "score", 3), ("10,000 scores", "rounded", 20)):
        ours = bench.work("ours_labels.curves", calls=3, table=table, score=score)
        rows.append(
            faster(
                f"ROC AUC and average precision, {case}",
                ours,
                bench.work("peers_labels.curves", table=table, score=score),
                limit,
            )
        )
    ours = bench.work("ours_labels.groups", calls=3, table=table)
    rows.append(
        faster("macro F1 and accuracy of 1,000 groups", ours, bench.work("peers_labels.groups", table=table), 50)
    )
    return [*rows, within("DuckDB, report's measures, bare GROUP BY", inside, bare, 2)]
