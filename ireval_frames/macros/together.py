"""`ireval_evaluate`: common measures of rankings from one plan, summarised."""

from __future__ import annotations

from ireval_frames import catalog
from ireval_frames.evaluation.request import plan_of
from ireval_frames.macros.macro import Macro
from ireval_frames.macros.shapes import SHAPES
from ireval_frames.macros.writing import MacroText
from ireval_frames.subject import request_of

COMMON = "nDCG@10 AP RR P@10 R@100 R@1000 Judged@10"


def evaluate_macro() -> Macro:
    """The macro of common measures: a row per run and measure, as `summary()` gives them."""
    measures, shape = catalog.parse_all(COMMON, "ranking"), SHAPES[0]
    engine = MacroText(shape.doors(), ())
    with engine.errors():
        built = plan_of(request_of(shape.subject(**shape.empty()), measures), engine)
        rows = built.summary_results().ordered()
        for check in built.checks:
            check()
        body, _ = engine.written(rows)
    sentence = f"The means of {', '.join(map(str, measures))} of every run over the judged queries."
    options = tuple(shape.options)
    return Macro("evaluate", tuple(shape.tables), options, shape.guarded(body, options), sentence)
