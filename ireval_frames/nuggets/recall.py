"""Recall of nuggets, and the length-based precision of TREC QA."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.nuggets.context import NuggetContext
from ireval_frames.parameters import UPWARDS, choice, flag, number
from ireval_frames.ratios import ratio

LEVEL = choice(
    "all", "vital", "weighted", "pyramid",
    what="which nuggets count, and how much: all alike, vital ones only, vital ones 1 and others ½, or by their weight",
)  # fmt: skip
STRICT = flag(default=False, what="partial support earns nothing")
ALLOWANCE = number(100.0, "the length that an answer may have for each nugget that it supports", 0.0)
TREC_RAG = "Pradeep et al., 2024 (TREC 2024 RAG track, AutoNuggetizer)"
TREC_QA = "Voorhees, 2003 (TREC 2003 QA track)"


@measure(
    "nuggets",
    "NuggetRecall",
    at="",
    parameters={"level": LEVEL, "strict": STRICT},
    named={
        "A": {"level": "all"},
        "A_strict": {"level": "all", "strict": True},
        "V": {"level": "vital"},
        "V_strict": {"level": "vital", "strict": True},
        "W": {"level": "weighted"},
        "W_strict": {"level": "weighted", "strict": True},
    },
    undefined=None,
    formula="Σ w_n·s_n / Σ w_n over the nuggets n of the query",
    source=f"{TREC_RAG}; of pyramids Lin & Demner-Fushman, 2006",
)
def NuggetRecall(q: NuggetContext, level: str, *, strict: bool) -> Expr:
    """The share of the query's nuggets that the answer supports; partial support is half of it.

    s is 1 for support, ½ for partial support (0 if `strict`), 0 for no support; of several judges it is the mean.
    w is 1 for all nuggets (`level="all"`); for vital nuggets only (`"vital"`); for vital ones, and ½ for others
    (`"weighted"`); or the nugget's weight (`"pyramid"`), which `ir.nuggets.pyramid` computes from votes.
    TREC RAG's names are `A`, `V`, `W`, and `A_strict`, `V_strict` (its main measure), `W_strict`.

    Columns: importance (vital or okay), weight (a number) in the nuggets table; label (support, partial_support,
    not_support) in the assignments.
    Range: 0 to 1, higher is better.  Undefined for queries without nuggets of the level (`undefined=0` makes that 0,
    as nuggetizer has it), and, with `missing=skip`, for queries without an answer.

    Errors:
        MissingColumn: the level needs importance or weights, and the nuggets have none.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Nuggets(*ir.examples.nuggets()).evaluate("A V_strict")
        >>> ev.summary()["value"].round(4).to_list()
        [0.5625, 0.25]
    """
    return q.value(q.recall(level, strict=strict))


@measure(
    "nuggets",
    "NuggetPrecision",
    at="",
    parameters={"allowance": ALLOWANCE, "strict": STRICT},
    undefined=None,
    formula="1 if length ≤ a·m, else a·m / length, with m = Σ s_n over all nuggets and a the allowance",
    source=TREC_QA,
)
def NuggetPrecision(q: NuggetContext, allowance: float, *, strict: bool) -> Expr:
    """How much of the answer's length the nuggets that it supports allow.

    The allowance is 100 characters that are no spaces for each nugget, vital or not.  Lengths in words need another
    one, such as `allowance=20`.  An empty answer has the value 1, and F 0.

    Columns: length (a number), or answer (text, whose characters other than spaces are counted) in the table of
    answers; label in the assignments.
    Range: 0 to 1, higher is better.  Undefined, with `missing=skip`, for queries without an answer.

    Errors:
        MissingColumn: there is no table of answers, or it has neither column.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Nuggets(*ir.examples.nuggets()).evaluate("NuggetPrecision").per_unit()["value"].to_list()
        [0.625, 1.0]
    """
    return q.value(q.precision(allowance, strict=strict))


@measure(
    "nuggets",
    "NuggetF",
    at="",
    parameters={
        "beta": number(3.0, "how many times as important recall is as precision", 0.0),
        "allowance": ALLOWANCE,
        "level": choice("vital", "all", "weighted", "pyramid", what=LEVEL.what),
        "strict": STRICT,
    },
    undefined=None,
    formula="(1+β²)·P·R / (β²·P + R)",
    source=f"{TREC_QA}; of pyramids Lin & Demner-Fushman, 2006",
)
def NuggetF(q: NuggetContext, beta: float, allowance: float, level: str, *, strict: bool) -> Expr:
    """The weighted harmonic mean of nugget recall and of precision by length.

    R is `NuggetRecall(level)`, P is `NuggetPrecision(allowance)`.  TREC QA took β = 5 in 2003 and 3 from
    2004 on, and knew support and no support only.  `level="pyramid"` is the nugget pyramid of TREC QA 2006 and 2007.

    Columns: importance or weight in the nuggets table; label in the assignments; length or answer in the answers.
    Range: 0 to 1, higher is better.  Undefined where recall is, and, with `missing=skip`, for queries without an
    answer.

    Errors:
        MissingColumn: a column is missing.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Nuggets(*ir.examples.nuggets()).evaluate("NuggetF").summary()["value"].round(4).item()
        0.3676
    """
    precision, recall = q.precision(allowance, strict=strict), q.recall(level, strict=strict)
    below = beta**2 * precision + recall
    f = when(below > 0).then(ratio((1.0 + beta**2) * precision * recall, below)).otherwise(0.0)
    return q.value(when(~recall.is_null()).then(f))


@measure(
    "nuggets",
    "NumNuggets",
    at="",
    parameters={"level": choice("all", "vital", what="count all nuggets, or vital ones only")},
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="|nuggets|",
    source="TREC RAG 2024",
)
def NumNuggets(q: NuggetContext, level: str) -> Expr:
    """The number of the query's nuggets, or of the vital ones.

    Columns: importance (vital or okay) in the nuggets table, for `level="vital"`.
    Range: 0 upwards; neither is better.

    Errors:
        MissingColumn: vital nuggets are counted, and the nuggets have no importance.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Nuggets(*ir.examples.nuggets()).evaluate("NumNuggets").summary()["value"].item()
        3.0
    """
    return q.num_nuggets(level)
