"""Rankings that have no item in common: the error."""

from __future__ import annotations

from ireval_frames.engines.frame import Frame
from ireval_frames.errors import Argument, NothingInCommon
from ireval_frames.expr import col
from ireval_frames.overlap import LOOKED_AT, Side, nothing_in_common
from ireval_frames.similarity.inputs import SimilarityInputs


def nothing(inputs: SimilarityInputs) -> NothingInCommon | None:
    """The error that no two rankings share an item, of the first two of them; None where there is one ranking."""
    side = "side" if inputs.two_sides else "system"
    # Of two tables one may have no row.
    two = [0, 1] if inputs.two_sides else _ids(inputs, inputs.frame.lazy(), side)[:2]
    if len(two) < 2:
        return None
    frames = [inputs.frame.lazy().filter(col(side) == name) for name in two]
    names = ("runs", "against") if inputs.two_sides else tuple(f"ranking {name!r}" for name in two)
    instead = Argument("policy", "overlap=allow")
    for column, what in (("query_id", "query"), ("item", "item")):
        if column == "query_id" and not inputs.several_units:
            continue
        ids = [_ids(inputs, frame, column) for frame in frames]
        if column == "item" or not set(ids[0]) & set(ids[1]):
            one, other = (
                Side(name, inputs.called(column), some, frame=name if inputs.two_sides else "runs")
                for name, some in zip(names, ids, strict=True)
            )
            return nothing_in_common(f"No {what} is in two of the rankings", one, other, instead)
    return None


def _ids(inputs: SimilarityInputs, frame: Frame, column: str) -> list[object]:
    ids = frame.select(column).unique().sort(column).head(LOOKED_AT)
    return inputs.engine.collect(ids)[column].sort().to_list()
