"""Work in a session of Spark on two cores, over Parquet files."""

import atexit
import functools
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import ireval_frames as ir

Found = dict[str, float]
MEMORY = "5g"

# The same five measures, written by hand: a window over the run, a join, and group-bys.
BY_HAND = """
WITH ranked AS (
  SELECT *, row_number() OVER (PARTITION BY query_id ORDER BY score DESC, doc_id DESC) AS rank FROM {run}
), judged AS (
  SELECT query_id, rank, relevance FROM ranked JOIN {qrels} USING (query_id, doc_id)
), counted AS (
  SELECT *, count_if(relevance >= 1) OVER (PARTITION BY query_id ORDER BY rank) AS hits FROM judged
), found AS (
  SELECT query_id,
    sum(CASE WHEN rank <= 10 THEN relevance / log2(rank + 1) ELSE 0 END) AS dcg,
    sum(CASE WHEN relevance >= 1 THEN hits / rank ELSE 0 END) AS precisions,
    min(CASE WHEN relevance >= 1 THEN rank END) AS first,
    count_if(relevance >= 1 AND rank <= 10) AS in_10,
    count_if(relevance >= 1 AND rank <= 100) AS in_100
  FROM counted GROUP BY query_id
), ideal AS (
  SELECT *, row_number() OVER (PARTITION BY query_id ORDER BY relevance DESC) AS place FROM {qrels}
), topics AS (
  SELECT query_id, count_if(relevance >= 1) AS relevant,
    sum(CASE WHEN place <= 10 THEN relevance / log2(place + 1) ELSE 0 END) AS ideal_dcg
  FROM ideal GROUP BY query_id
)
SELECT
  avg(coalesce(try_divide(dcg, ideal_dcg), 0)) AS `nDCG@10`,
  avg(coalesce(try_divide(precisions, relevant), 0)) AS `AP`,
  avg(coalesce(1 / first, 0)) AS `RR`,
  avg(coalesce(in_10 / 10, 0)) AS `P@10`,
  avg(coalesce(try_divide(in_100, relevant), 0)) AS `R@100`
FROM topics LEFT JOIN found USING (query_id)
"""


def by_hand(run: str, qrels: str) -> Callable[[], Found]:
    """What Spark takes for the same numbers, with no check."""
    tables = {"run": session().read.parquet(run), "qrels": session().read.parquet(qrels)}

    def work() -> Found:
        row: Found = session().sql(BY_HAND, **tables).collect()[0].asDict()
        return row

    return work


def ours(run: str, qrels: str, measures: Sequence[str], duplicates: str = "error") -> Callable[[], Found]:
    """An evaluation of frames of Spark."""
    tables = [session().read.parquet(path) for path in (qrels, run)]

    def work() -> Found:
        summary = ir.evaluate(*tables, measures, policy={"duplicates": duplicates}).summary()
        return dict(zip(summary["measure"], summary["value"], strict=True))

    return work


def counted(run: str, qrels: str, measures: Sequence[str]) -> Callable[[], Found]:
    """How many jobs, stages and shuffles an evaluation is."""
    work = ours(run, qrels, measures)

    def counts() -> Found:
        context = session().sparkContext
        store = context._jsc.sc().statusStore()
        tracker = context.statusTracker()
        context.setJobGroup("counted", "")
        before = set(tracker.getJobIdsForGroup("counted"))
        work()
        jobs = set(tracker.getJobIdsForGroup("counted")) - before
        ids = {stage for job in jobs for stage in tracker.getJobInfo(job).stageIds}
        stages = [store.lastStageAttempt(number) for number in ids]
        run = [stage for stage in stages if stage.status().name() == "COMPLETE"]
        written = [stage.shuffleWriteRecords() for stage in run]
        return {
            "jobs": len(jobs),
            "stages": len(run),
            "shuffles": sum(rows > 0 for rows in written),
            "rows": max(written),
        }

    return counts


@functools.cache
def session() -> Any:
    """A session with Spark's own settings but for memory, which lasts as long as the process."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    warnings.simplefilter("ignore")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = {
        "spark.driver.memory": MEMORY,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": tempfile.gettempdir(),
        "spark.log.level": "ERROR",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]").appName("benchmarks")
    for name, value in conf.items():
        builder = builder.config(name, value)
    out = builder.getOrCreate()

    def end() -> None:
        # Java's memory is counted only if its process has ended before this one.
        gateway = SparkContext._gateway
        out.stop()
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait(60)

    atexit.register(end)
    return out
