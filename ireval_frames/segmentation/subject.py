"""Documents segmented by gold and predictions, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames.conventions.segmentation import SegmentationPolicy
from ireval_frames.documents.subject import DocumentSubject
from ireval_frames.engines.base import Engine
from ireval_frames.errors import InvalidParameter
from ireval_frames.segmentation.inputs import RATERS
from ireval_frames.segmentation.request import SegmentationRequest
from ireval_frames.subject import RESULT_COLUMNS


class Segmentation(DocumentSubject[SegmentationPolicy]):
    """Documents whose positions (sentences, tokens, utterances …) gold and predictions divide into segments.

    Args:
        segments: a table with a row per position of a document, and the segment that it is in by the gold
            (`gold_segment`) and by the predictions (`segment`).  Or, with `system`, the gold's table: positions with
            their segment, or boundaries alone.
        system: the table of predictions: positions with their segment, or boundaries alone.
        doc, position, gold, predicted: the names of the columns where they differ from doc_id, position, gold_segment,
            segment (and the names other tools use).
        rater: a column of annotators: each pair that segmented a document is compared, the one whose name is first as
            the gold.  The table has a row per document, annotator and position, with the segment (`gold`); results have
            the columns `rater_a` and `rater_b`.
        documents: the ids of all documents, or a table of them with optional columns `weight`, `length` (the number of
            positions) and those of `by`; by default the documents of the tables count.
        by: columns that group documents.
        policy: the conventions (see `SegmentationPolicy`), such as `policy="nltk"`.
        engine: "polars", "duckdb" or "spark"; by default where the segments are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    A boundary is between two positions whose segments differ, in the order of `position`; its number is that of the
    positions before it.  In a table of boundaries this number is the `position`: where the positions of a document are
    numbered from 0, that of the first one of a segment, numbered from 1, that of the last one.  The ends of a document
    are no boundaries, and may be listed.  A `run_id` column in the predictions means many systems at once.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"doc_id": ["d"] * 6, "position": range(6), "gold": [1, 1, 1, 2, 2, 2],
        ...                       "segment": [1, 1, 2, 2, 2, 2]})
        >>> ir.Segmentation(frame).evaluate("Pk WindowDiff BoundarySimilarity").summary()["value"].to_list()
        [0.5, 0.5, 0.5]
        >>> gold = pl.DataFrame({"doc_id": ["d", "e"], "position": [3, 5]})
        >>> system = pl.DataFrame({"doc_id": ["d", "e"], "position": [2, 5]})
        >>> ir.Segmentation(gold, system).evaluate("BoundaryF BoundaryF(tolerance=1)").summary()["value"].to_list()
        [0.5, 1.0]
    """

    family = "segmentation"
    _conventions = SegmentationPolicy
    _requests = SegmentationRequest
    _result_columns = (*RESULT_COLUMNS, "doc_id", *RATERS, "n_gold", "n_predicted")

    def __init__(
        self,
        segments: Any,
        system: Any = None,
        *,
        doc: str | None = None,
        position: str | None = None,
        gold: str | None = None,
        predicted: str | None = None,
        rater: str | None = None,
        documents: Any = None,
        by: str | Sequence[str] = (),
        policy: SegmentationPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        if rater is not None:
            for name, value in (("system", system), ("documents", documents)):
                if value is not None:
                    raise InvalidParameter(
                        f"rater= compares the annotators of one table, and {name} is another one.",
                        f"Leave {name} out.",
                    )
            gold = predicted = gold or predicted
        super().__init__(
            segments,
            system,
            named={"doc_id": doc, "position": position, "gold_segment": gold, "segment": predicted},
            documents=documents,
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            columns=columns,
            storage_options=storage_options,
        )
        self._rater = rater
