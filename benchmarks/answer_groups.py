"""Generated answers: recall of nuggets beside nuggetizer, and battles of models beside evalica and a regression."""

from dataclasses import replace

from benchmarks.jobs import Bench, Missing, Result
from benchmarks.rows import Row, faster, peak, shown
from benchmarks.sizes import thousands
from benchmarks.work.peers_nuggets import MEASURES

# Nuggets of each query.
PER_QUERY = 20
MODELS, DRAWS = 100, 1_000
# A regression over battles takes too long for all draws; evalica's loop is of as many as show what one takes.
OF_REGRESSION, OF_EVALICA = 5, 50


def answers(bench: Bench) -> list[Row]:
    """Generated answers: labels of nuggets for the answers of many runs, and strengths of models from battles."""
    return [*_nuggets(bench), *_battles(bench)]


def _nuggets(bench: Bench) -> list[Row]:
    """Labels of nuggets for the answers of many runs."""
    runs, queries = bench.sizes.answered
    what = f"{thousands(runs * queries * PER_QUERY)} labels of nuggets"
    folder = bench.path(f"answered_of_{runs}_{queries}_{PER_QUERY}", "")
    ours, files, on_duckdb = (
        bench.work(f"ours_nuggets.{name}", calls=2, folder=folder, measures=" ".join(MEASURES), engine=engine)
        for name, engine in (("frames", "polars"), ("files", "polars"), ("files", "duckdb"))
    )
    few = bench.path(f"answered_of_{max(runs // 10, 1)}_{queries}_{PER_QUERY}", "")
    peer = bench.work("peers_nuggets.nuggetizer", folder=few)
    of_few = bench.work("ours_nuggets.frames", folder=few, measures=" ".join(MEASURES), engine="polars")
    return [
        shown(f"{what}, {len(MEASURES)} measures, frames", str(ours)),
        peak("… peak memory", ours, "<", 4.0),
        shown("… Parquet files", str(files)),
        shown("… Parquet files, DuckDB", str(on_duckdb)),
        faster("a tenth of the runs, nuggetizer on records", of_few, peer),
    ]


def _battles(bench: Bench) -> list[Row]:
    """Strengths of models from battles, with intervals by resampling."""
    n = bench.sizes.battles
    path = bench.path(f"battles_of_{n}_{MODELS}", "battles.parquet")
    what = f"{thousands(n)} battles of {MODELS} models"
    one = bench.work("ours_arenas.strengths", calls=2, path=path)
    evalica = bench.work("peers_arenas.evalica", path=path, draws=0)
    rows = [faster(f"{what}, strengths, evalica", one, evalica)]
    ours = bench.work("ours_arenas.strengths", path=path, draws=DRAWS)
    drawn = bench.work("peers_arenas.evalica", path=path, draws=OF_EVALICA)
    regression = bench.work("peers_regressions.logistic", path=path, draws=OF_REGRESSION)
    rows.append(
        faster(f"… {DRAWS} draws, evalica on the same counts, of {OF_EVALICA} draws", ours, _scaled(drawn, OF_EVALICA))
    )
    rows.append(
        faster(
            f"… {DRAWS} draws, scikit-learn's regression of battles, of {OF_REGRESSION}",
            ours,
            _scaled(regression, OF_REGRESSION),
        )
    )
    users = bench.work("ours_arenas.strengths", path=path, cluster="user", method="sandwich")
    rows.append(shown("… variance between users", str(users)))
    return rows


def _scaled(result: Result, draws: int) -> Result:
    """The seconds of all draws from those of some."""
    return result if isinstance(result, Missing) else replace(result, seconds=result.seconds * DRAWS / draws)
