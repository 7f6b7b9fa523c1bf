"""Generated answers: battles of models."""

from dataclasses import replace

from benchmarks.jobs import Bench, Missing, Result
from benchmarks.rows import Row, faster, shown
from benchmarks.sizes import thousands

MODELS, DRAWS = 100, 1_000
# A regression over battles takes too long for all draws; evalica's loop is of as many as show what one takes.
OF_REGRESSION, OF_EVALICA = 5, 50


def answers(bench: Bench) -> list[Row]:
    """Judges of generated answers: strengths of models from battles, with intervals by resampling."""
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
