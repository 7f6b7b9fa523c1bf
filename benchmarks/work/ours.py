"""This project's work."""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

import ireval_frames as ir
from benchmarks.work.database import database
from ireval_frames.catalog import definitions

Means = dict[str, float]


# What ids may be.
IDS = {"text": pl.String, "integers": pl.Int64, "categories": pl.Categorical}


def frames(
    run: str, qrels: str, measures: Sequence[str], duplicates: str = "error", ids: str = ""
) -> Callable[[], Means]:
    """Evaluate frames in memory; ids are those of the files, or become of one of `IDS`."""
    loaded = [pl.read_parquet(path) for path in (qrels, run)]
    if ids:
        loaded = [frame.with_columns(pl.col("query_id", "doc_id").cast(IDS[ids])) for frame in loaded]
    return lambda: means(*loaded, measures, policy={"duplicates": duplicates})


def everything() -> list[str]:
    """All measures that trec_eval's `all_trec` asks for."""
    from ireval_frames.trec_eval import names as trec_names

    # Measures that only the command computes, to the last bit of C's, stand in the catalog in another form.
    printed = trec_names.printed(*trec_names.parse_measures(["all_trec"]), trec_names.Conventions())
    known = {d.name for d in definitions("ranking")}
    return list(dict.fromkeys(str(part) for p in printed for part in p.parts if part.name in known))


def all_trec(run: str, qrels: str) -> Callable[[], Means]:
    """Evaluate all that trec_eval's `all_trec` asks for, on frames in memory."""
    measures = everything()
    loaded = pl.read_parquet(qrels), pl.read_parquet(run)
    return lambda: means(*loaded, measures)


def files(run: str, qrels: str, measures: Sequence[str]) -> Callable[[], Means]:
    """Evaluate files where they are."""
    return lambda: means(qrels, run, measures)


def tables(run: str, qrels: str, measures: Sequence[str], duplicates: str = "error") -> Callable[[], Means]:
    """Evaluate tables inside DuckDB."""
    con = database(run, qrels)
    return lambda: means("qrels", "run", measures, con=con, policy={"duplicates": duplicates})


def views(run: str, qrels: str, measures: Sequence[str], memory_limit: str, spill: str) -> Callable[[], Means]:
    """Evaluate Parquet files through DuckDB, which may use so much memory and, beyond that, a folder."""
    con = database(run, qrels, kind="VIEW", config={"memory_limit": memory_limit, "temp_directory": spill})
    return lambda: means("qrels", "run", measures, con=con)


def read(run: str) -> Callable[[], Means]:
    """Read a run."""

    def work() -> Means:
        frame = ir.read_run(run)
        return {"rows": frame.height, "score": frame.select(pl.col("score").mean()).item()}

    return work


def means(qrels: Any, run: Any, measures: Sequence[str], **options: Any) -> Means:
    """The means by measure."""
    summary = ir.evaluate(qrels, run, measures, **options).summary()
    return dict(zip(summary["measure"], summary["value"], strict=True))
