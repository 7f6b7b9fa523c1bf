"""The C/W/L family: readers who stop depending on the rank, on the gain so far, or on both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr
from ireval_frames.parameters import choice, number, whole
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.cwl.decay import even, geometric, harmonic, inverse_square, linear, logarithmic
from ireval_frames.ranking.cwl.rank_grid import DEEPEST
from ireval_frames.ranking.cwl.readers import (
    CWL_EVAL,
    ENDLESS,
    MEASUREMENT,
    RESIDUAL,
    cascading_reader,
    position_reader,
    readable,
)
from ireval_frames.ranking.cwl.scales import MAX_REL, MIN_REL, positive_gains, require_span, scaled
from ireval_frames.ranking.parameters import JUDGED_ONLY, REQUIRED_CUTOFF

ERR_IS_NOT_CWL = "Azzopardi, Mackenzie and Moffat, ICTIR 2021"
TARGET_GAIN = number(1.0, "the target gain of the reader", low=0.0, high=1e9, open_ends=True)
READER_OPTIONS = {"min_rel": MIN_REL, "max_rel": MAX_REL, "measurement": MEASUREMENT, "residual": RESIDUAL}
COST = number(1.0, "what reading a document costs", low=0.0, high=1e9, open_ends=True)
# Sums of fractions differ in their last digits; a total this close to the target has reached it.
CLOSE = 1e-9


def chance(gain: Expr, _: Expr) -> Expr:
    """Stops at a document with the probability of its gain."""
    return gain


@measure(
    "ranking",
    "SDCG",
    parameters={
        "dcg": choice("log2", what="the discount 1/log2(i+1)"),
        **READER_OPTIONS,
        "cutoff": whole(what=REQUIRED_CUTOFF.what, high=DEEPEST),
        "judged_only": JUDGED_ONLY,
    },
    relevant=positive_gains,
    formula="DCG@k / Σ_{i≤k} 1/log2(i+1), gains from 0 to 1",
    source=f"Järvelin and Kekäläinen, ACM TOIS 20(4), 2002; {CWL_EVAL}; ir_measures",
    check=require_span,
)
def SDCG(
    q: Query,
    dcg: str,  # noqa: ARG001 its one value names the discount
    min_rel: float,
    max_rel: float,
    measurement: str,
    *,
    residual: bool,
    cutoff: int,
) -> Expr:
    """Scaled discounted cumulative gain: nDCG with k documents of the largest grade as the ideal.

    SDCG@k = Σ_{i≤k} g_i/log2(i+1) / Σ_{i≤k} 1/log2(i+1), with gains (grade − min_rel) / (max_rel − min_rel).  A reader
    continues from rank i with probability log2(i+1)/log2(i+2), to rank k at most.

    Range: 0 to 1, higher is better; for the other measurements see the user models in the documentation.  Defined for
    every query.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "SDCG(max_rel=3)@3").summary()["value"].round(4).to_list()
        [0.3911]
    """
    return position_reader(q, scaled(q, min_rel, max_rel), logarithmic(cutoff), measurement, residual=residual)


@measure(
    "ranking",
    "INSQ",
    parameters={"T": TARGET_GAIN, **READER_OPTIONS, "max_depth": ENDLESS, "judged_only": JUDGED_ONLY},
    relevant=positive_gains,
    formula="Σ W_i g_i, W_i ∝ 1/(i+2T−1)²",
    source="Moffat, Scholer and Thomas, ADCS 2012",
    check=require_span,
)
def INSQ(
    q: Query, T: float, min_rel: float, max_rel: float, measurement: str, *, residual: bool, max_depth: int | None
) -> Expr:
    """The rate of gain of a reader who becomes more patient down the list, the sooner the smaller the target gain T.

    C_i = ((i+2T−1) / (i+2T))², so the weight of rank i is proportional to 1/(i+2T−1)².  Gains are
    (grade − min_rel) / (max_rel − min_rel).  Readers stop at `max_depth`, 1000 as in cwl_eval and ir_measures;
    max_depth=None is the infinite list of the definition, in closed form.

    Range: 0 to 1, higher is better; for the other measurements see the user models in the documentation.  Defined for
    every query.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "INSQ(max_rel=3)").summary()["value"].round(4).to_list()
        [0.2265]
    """
    return position_reader(
        q, scaled(q, min_rel, max_rel), inverse_square(2.0 * T, max_depth), measurement, residual=residual
    )


@measure(
    "ranking",
    "NERR8",
    parameters={**READER_OPTIONS, "cutoff": REQUIRED_CUTOFF, "judged_only": JUDGED_ONLY},
    relevant=positive_gains,
    formula="Σ W_i g_i, C_i = 1−g_i for i < k",
    source=f"{ERR_IS_NOT_CWL}, equation 8",
    check=require_span,
)
def NERR8(q: Query, min_rel: float, max_rel: float, measurement: str, *, residual: bool, cutoff: int) -> Expr:
    """The rate of gain of a reader who stops at a document with the probability of its gain, and at rank k.

    C_i = 1 − g_i for i < k.  Gains are (grade − min_rel) / (max_rel − min_rel).  It is near ERR, which is no C/W/L
    measure. With `residual=True` it looks at every rank down to k.

    Range: 0 to 1, higher is better; for the other measurements see the user models in the documentation.  Defined for
    every query.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "NERR8(max_rel=3)@3").summary()["value"].round(4).to_list()
        [0.4286]
    """
    return cascading_reader(q, scaled(q, min_rel, max_rel), even(cutoff), chance, measurement, residual=residual)


@measure(
    "ranking",
    "NERR9",
    parameters={**READER_OPTIONS, "cutoff": REQUIRED_CUTOFF, "judged_only": JUDGED_ONLY},
    relevant=positive_gains,
    formula="Σ W_i g_i, C_i = i/(i+1) · (1−g_i) for i < k",
    source=f"{ERR_IS_NOT_CWL}, equation 9",
    check=require_span,
)
def NERR9(q: Query, min_rel: float, max_rel: float, measurement: str, *, residual: bool, cutoff: int) -> Expr:
    """The rate of gain of a reader as in NERR8 who also loses patience as 1/i.

    C_i = i/(i+1) · (1 − g_i) for i < k.  Gains are (grade − min_rel) / (max_rel − min_rel).  With `residual=True` it
    looks at every rank down to k.

    Range: 0 to 1, higher is better; for the other measurements see the user models in the documentation.  Defined for
    every query.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "NERR9(max_rel=3)@3").summary()["value"].round(4).to_list()
        [0.3571]
    """
    return cascading_reader(q, scaled(q, min_rel, max_rel), harmonic(cutoff), chance, measurement, residual=residual)


@measure(
    "ranking",
    "NERR10",
    parameters={
        "p": number(
            0.9, "the probability of continuing after a document without gain", low=0.0, high=1.0, open_ends=True
        ),
        **READER_OPTIONS,
        "max_depth": ENDLESS,
        "judged_only": JUDGED_ONLY,
    },
    relevant=positive_gains,
    formula="Σ W_i g_i, C_i = p·(1−g_i)",
    source=f"{ERR_IS_NOT_CWL}, equation 10",
    check=readable,
)
def NERR10(
    q: Query, p: float, min_rel: float, max_rel: float, measurement: str, *, residual: bool, max_depth: int | None
) -> Expr:
    """The rate of gain of a reader as in NERR8 who continues as in RBP, without a cutoff.

    C_i = p · (1 − g_i).  Gains are (grade − min_rel) / (max_rel − min_rel).  Readers stop at `max_depth`, 1000 as in
    cwl_eval and ir_measures; max_depth=None is an infinite list, in closed form.  With `residual=True` it looks at
    every rank down to `max_depth`.

    Range: 0 to 1, higher is better; for the other measurements see the user models in the documentation.  Defined for
    every query.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "NERR10(max_rel=3)").summary()["value"].round(4).to_list()
        [0.4081]
    """
    return cascading_reader(
        q, scaled(q, min_rel, max_rel), geometric(p, max_depth), chance, measurement, residual=residual
    )


@measure(
    "ranking",
    "NERR11",
    parameters={"T": TARGET_GAIN, **READER_OPTIONS, "max_depth": ENDLESS, "judged_only": JUDGED_ONLY},
    relevant=positive_gains,
    formula="Σ W_i g_i, C_i = ((i+2T−1)/(i+2T))² · (1−g_i)",
    source=f"{ERR_IS_NOT_CWL}, equation 11",
    check=readable,
)
def NERR11(
    q: Query, T: float, min_rel: float, max_rel: float, measurement: str, *, residual: bool, max_depth: int | None
) -> Expr:
    """The rate of gain of a reader as in NERR8 who continues as in INSQ, without a cutoff.

    C_i = ((i+2T−1) / (i+2T))² · (1 − g_i).  Gains are (grade − min_rel) / (max_rel − min_rel).  Readers stop at
    `max_depth`, 1000 as in cwl_eval and ir_measures; max_depth=None is an infinite list, in closed form.  With
    `residual=True` it looks at every rank down to `max_depth`.

    Range: 0 to 1, higher is better; for the other measurements see the user models in the documentation.  Defined for
    every query.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "NERR11(max_rel=3)").summary()["value"].round(4).to_list()
        [0.3418]
    """
    return cascading_reader(
        q, scaled(q, min_rel, max_rel), inverse_square(2.0 * T, max_depth), chance, measurement, residual=residual
    )


def _require_some_continue(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse an empty scale, and readers who within the precision of floats all stop or all continue.

    Raises:
        InvalidParameter: there are any.
    """
    require_span(measure, arguments)
    cost, halflife = arguments["cost"], arguments["halflife"]
    if not 0.0 < 2.0 ** (-cost / halflife) < 1.0:
        raise InvalidParameter(
            f"{measure}: a document costs {cost:g}, and readers stop by half every {halflife:g}; one is negligible "
            "beside the other.",
            "Give both in one unit, such as seconds: TBG(cost=30, halflife=224).",
        )


@measure(
    "ranking",
    "TBG",
    parameters={
        "halflife": number(
            224.0, "the cost after which half of the readers have stopped", low=0.0, high=1e9, open_ends=True
        ),
        "cost": COST,
        **READER_OPTIONS,
        "max_depth": ENDLESS,
        "judged_only": JUDGED_ONLY,
    },
    relevant=positive_gains,
    formula="Σ W_i g_i, W_i ∝ 2^(−(i−1)·cost/halflife)",
    source=f"Smucker and Clarke, SIGIR 2012; {CWL_EVAL}",
    check=_require_some_continue,
)
def TBG(
    q: Query,
    halflife: float,
    cost: float,
    min_rel: float,
    max_rel: float,
    measurement: str,
    *,
    residual: bool,
    max_depth: int | None,
) -> Expr:
    """Time-biased gain as a rate: half of the readers stop every `halflife`.

    C_i = 2^(−cost/halflife), with the same cost for every document (cwl_eval's may differ), so it is
    RBP with this p, and its ETU is time-biased gain itself.  Gains are (grade − min_rel) / (max_rel − min_rel).
    Readers stop at `max_depth`, 1000 as in cwl_eval; max_depth=None is an infinite list.

    Range: 0 to 1, higher is better; for the other measurements see the user models in the documentation.  Defined for
    every query.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "TBG(halflife=3,max_rel=3)").summary()["value"].round(4).to_list()
        [0.1987]
    """
    decay = geometric(2.0 ** (-cost / halflife), max_depth)
    return position_reader(q, scaled(q, min_rel, max_rel), decay, measurement, residual=residual, cost=cost)


@measure(
    "ranking",
    "UMeasure",
    parameters={
        "L": number(1000.0, "the cost at which the last reader has stopped", low=0.0, high=1e9, open_ends=True),
        "cost": COST,
        **READER_OPTIONS,
        "max_depth": ENDLESS,
        "judged_only": JUDGED_ONLY,
    },
    aliases=("U_measure",),
    relevant=positive_gains,
    formula="Σ W_i g_i, W_i ∝ max(0, 1 − (i−1)·cost/L)",
    source=f"Sakai and Dou, SIGIR 2013; {CWL_EVAL}",
    check=require_span,
)
def UMeasure(
    q: Query,
    L: float,
    cost: float,
    min_rel: float,
    max_rel: float,
    measurement: str,
    *,
    residual: bool,
    max_depth: int | None,
) -> Expr:
    """The U-measure as a rate: readers stop uniformly over the length read, the last one at L.

    W_i ∝ max(0, 1 − (i−1)·cost/L), with the same cost for every document (cwl_eval's costs may differ by document); its
    ETU is the U-measure itself.  Gains are (grade − min_rel) / (max_rel − min_rel).  Readers stop at `max_depth`;
    cwl_eval gives no weight to that last rank.

    Range: 0 to 1, higher is better; for the other measurements see the user models in the documentation.  Defined for
    every query.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "UMeasure(L=4,max_rel=3)").summary()["value"].round(4).to_list()
        [0.3333]
    """
    decay = linear(L / cost, max_depth)
    return position_reader(q, scaled(q, min_rel, max_rel), decay, measurement, residual=residual, cost=cost)
