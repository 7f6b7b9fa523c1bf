"""C/W/L measures of readers with a target gain, who count the gain so far."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import choice, number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.cwl.decay import Column, even, trigamma
from ireval_frames.ranking.cwl.rank_grid import RankGrid
from ireval_frames.ranking.cwl.readers import (
    DEPTH,
    ENDLESS,
    MOFFAT,
    cascading_reader,
    grid_reader,
    measured,
    measured_on_grid,
    readable,
)
from ireval_frames.ranking.cwl.scales import Gains, positive_gains, require_span, scaled
from ireval_frames.ranking.cwl.user_models import CLOSE, READER_OPTIONS, TARGET_GAIN
from ireval_frames.ranking.parameters import JUDGED_ONLY, REQUIRED_CUTOFF
from ireval_frames.ratios import indicator


@measure(
    "ranking",
    "INST",
    # Below a quarter the probability of continuing is above 1.
    parameters={
        "T": number(1.0, TARGET_GAIN.what, low=0.25, high=1e9),
        **READER_OPTIONS,
        "max_depth": ENDLESS,
        "judged_only": JUDGED_ONLY,
    },
    relevant=positive_gains,
    formula="Σ W_i g_i, C_i = ((i+T+T_i−1)/(i+T+T_i))², T_i = T − gain so far",
    source=f"{MOFFAT}; Bailey, Moffat, Scholer and Thomas, SIGIR 2015",
    check=readable,
)
def INST(
    q: Query, T: float, min_rel: float, max_rel: float, measurement: str, *, residual: bool, max_depth: int | None
) -> Expr:
    """The rate of gain of a reader who grows more patient with the rank, and less patient with the gain so far.

    C_i = ((i+T+T_i−1) / (i+T+T_i))², where T_i = T − Σ_{j≤i} g_j is the gain still missing.  Gains are
    (grade − min_rel) / (max_rel − min_rel).  Readers stop at `max_depth`, 1000 as in cwl_eval and
    ir_measures; max_depth=None is the infinite list of the definition.  T is at least 0.25: below that C_i
    would be above 1.  Between two gains the C_i telescope, so judged rows are enough; with `residual=True` it
    looks at every rank down to `max_depth`.

    Range: 0 to 1, higher is better; for the other measurements see the user models in the documentation.  Defined for
    every query.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "INST(max_rel=3)").summary()["value"].round(4).to_list()
        [0.2626]
    """
    gains = scaled(q, min_rel, max_rel)
    value = measured(measurement, *_telescoped(q, gains, 2.0 * T, max_depth))
    if not residual:
        return value
    grid = RankGrid(q, max_depth, gains, best=True)
    # From 0.25 on the step is at least half of 1, and its square at most 1.
    step = grid.column(grid.rank + 2.0 * T - grid.total_gain, "step")
    return measured_on_grid(grid, grid.reach((1.0 - 1.0 / step) * (1.0 - 1.0 / step)), measurement) - value


def _telescoped(q: Query, gains: Gains, twice: float, last: int | None) -> tuple[Expr, Expr]:
    """The expected total utility and depth.

    From the judged rank a with total gain G to rank b, Π C_i over a ≤ i < b is ((a+2T−G−1) / (b+2T−G−1))².
    """
    rows, rank = q.rows, q.rank
    gain = rows.column(gains.worst, "gain")
    so_far = q.so_far(gain)
    above = rows.over(rank.shift(1), order_by=["rank"], name="rank_above")
    below = rows.over(rank.shift(-1), order_by=["rank"], name="rank_below")
    before = rows.column(twice - so_far + gain - 1.0, "before")
    step = when(above.is_null()).then(twice).otherwise(above + before) / (rank + before)
    root = rows.over(rows.column(step, "step").cum_prod(), order_by=["rank"], name="root")
    reach = rows.column(root * root, "reach")

    def until(rank: Expr) -> Expr:
        """The rank, at most the last one."""
        return rank if last is None else when(rank < last).then(rank).otherwise(last * 1.0)

    def rest(until: Expr, column: Column) -> Expr:
        """The sum of inverse squares after the next judged rank; 0 where there is none and no last rank."""
        return trigamma(until, column).fill_null(0.0)

    left = rows.column(twice - so_far, "left")
    rest_of_sum = trigamma(rank + left, rows.column) - rest(until(below) + left, rows.column)
    share = reach * (rank + left - 1.0) * (rank + left - 1.0)
    first = trigamma(twice) - rest(until(q.min(rank)) + twice, q.tables.units.column)
    depth = twice * twice * first + q.sum(share * rows.column(rest_of_sum, "behind"), last)
    return q.sum(gain * reach, last), depth


@measure(
    "ranking",
    "BPM",
    parameters={
        "T": TARGET_GAIN,
        "hb": number(0.0, "how much a gain above gain_med raises the target gain", low=0.0),
        "hc": number(
            0.0, "how much a gain above gain_med raises the number of documents the reader is ready to read", low=0.0
        ),
        "gain_med": number(0.5, "the gain that changes neither limit", low=0.0, high=1.0),
        **READER_OPTIONS,
        "max_depth": DEPTH,
        "cutoff": REQUIRED_CUTOFF,
        "judged_only": JUDGED_ONLY,
    },
    relevant=positive_gains,
    formula="gain so far / rank where the gain reaches T or the rank reaches k",
    source="Zhang, Liu, Li, Zhang, Xu and Ma, SIGIR 2017",
    check=require_span,
)
def BPM(
    q: Query,
    T: float,
    hb: float,
    hc: float,
    gain_med: float,
    min_rel: float,
    max_rel: float,
    measurement: str,
    *,
    residual: bool,
    max_depth: int,
    cutoff: int,
) -> Expr:
    """The Bejeweled player model: a reader stops when the gain reaches T, or the number of documents read k.

    BPM@k = Σ_{i≤s} g_i / s at the first rank s where Σ_{j≤s} g_j ≥ T or s ≥ k.  Gains are
    (grade − min_rel) / (max_rel − min_rel); a total within 1e-9 of T has reached it.  In the dynamic model (hb or hc
    above 0) both limits move: after each document T grows by hb·(g_i − gain_med) and k by hc·(g_i − gain_med).
    In cwl_eval's dynamic model k is fixed.  It looks at every rank down to `max_depth`; so does the static one with
    `residual=True`, down to k.

    Range: 0 to 1, higher is better; for the other measurements see the user models in the documentation.  Defined for
    every query.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.evaluate(*ir.examples.ranking(), "BPM(T=2,max_rel=3)@10 BPM(T=2,max_rel=3,hb=1,hc=1)@10")
        >>> ev.summary()["value"].round(4).to_list()
        [0.1333, 0.4444]
    """
    gains = scaled(q, min_rel, max_rel)
    if hb == 0.0 and hc == 0.0:
        return cascading_reader(
            q, gains, even(cutoff), lambda _, so_far: indicator(so_far >= T - CLOSE), measurement, residual=residual
        )

    def continue_(grid: RankGrid) -> Expr:
        surplus = grid.total_gain - grid.gain - (grid.rank - 1.0) * gain_med
        content, tired = grid.total_gain >= T + hb * surplus - CLOSE, grid.total_cost >= cutoff + hc * surplus - CLOSE
        return indicator(~content & ~tired)

    return grid_reader(q, gains, continue_, max_depth, measurement, residual=residual)


@measure(
    "ranking",
    "IFT",
    parameters={
        "model": choice(
            "goal-rate", "goal", "rate", what="what the reader considers: the gain so far, its rate, or both"
        ),
        "T": TARGET_GAIN,
        "b1": number(0.9, "how likely a reader is to continue regardless of the gain so far", low=0.0, high=1e9),
        "R1": number(1.0, "how much the gain so far matters", low=0.0, high=100.0),
        "A": number(0.2, "the rate of gain the reader is used to", low=0.0, high=1e9),
        "b2": number(0.9, "how likely a reader is to stop regardless of the rate", low=0.0, high=1e9),
        "R2": number(1.0, "how much the rate matters", low=0.0, high=100.0),
        **READER_OPTIONS,
        "max_depth": DEPTH,
        "judged_only": JUDGED_ONLY,
    },
    relevant=positive_gains,
    formula="Σ W_i g_i, C_i = (1 − 1/(1 + b1·e^((T−gain so far)·R1))) / (1 + b2·e^((A−rate so far)·R2))",
    source="Azzopardi, Thomas and Craswell, SIGIR 2018",
    check=require_span,
)
def IFT(
    q: Query,
    model: str,
    T: float,
    b1: float,
    R1: float,
    A: float,
    b2: float,
    R2: float,
    min_rel: float,
    max_rel: float,
    measurement: str,
    *,
    residual: bool,
    max_depth: int,
) -> Expr:
    """The rate of gain of a forager, who stops near the target gain T or when the rate of gain falls below A.

    C_i = C1_i · C2_i with C1_i = 1 − 1/(1 + b1·e^((T−G_i)·R1)) and C2_i = 1/(1 + b2·e^((A−G_i/i)·R2)), where G_i is the
    gain down to rank i and documents cost 1; "goal" takes C1 alone, "rate" C2 alone.  Gains are
    (grade − min_rel) / (max_rel − min_rel).  It looks at every rank down to `max_depth`.

    Range: 0 to 1, higher is better; for the other measurements see the user models in the documentation.  Defined for
    every query.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "IFT(max_rel=3)").summary()["value"].round(4).to_list()
        [0.2989]
    """

    def continue_(grid: RankGrid) -> Expr:
        goal = 1.0 - 1.0 / (1.0 + b1 * ((T - grid.total_gain) * R1).exp())
        rate = 1.0 / (1.0 + b2 * ((A - grid.total_gain / grid.total_cost) * R2).exp())
        return goal if model == "goal" else rate if model == "rate" else goal * rate

    return grid_reader(q, scaled(q, min_rel, max_rel), continue_, max_depth, measurement, residual=residual)
