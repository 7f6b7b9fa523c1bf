"""Making the subject from tags of tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Self

import polars as pl

from ireval_frames import io
from ireval_frames.columns.user_names import columns_named, named_columns
from ireval_frames.conventions.spans import SpanPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.engines.opening import open_engine
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.spans.tags import reading
from ireval_frames.spans.tags_table import TagsAs, TagTable, tags_of
from ireval_frames.subject import request_of

# The policies of conventions that are called otherwise.
POLICIES = {"seqeval-strict": "seqeval"}
# The columns of spans beside the document.
OURS = ("start", "end", "type", "run_id")


class FromTags:
    """A subject of spans that can be made from tags."""

    @classmethod
    def from_tags(
        cls,
        tags: Any,
        *,
        doc: str | None = None,
        position: str | None = None,
        gold: str | None = None,
        predicted: str | Sequence[str] | None = None,
        sentence: str | None = None,
        scheme: Literal["IOB1", "IOB2", "BIO", "IOE1", "IOE2", "IOBES", "BIOES", "BILOU", "BILUO"] | None = None,
        repair: Literal["conll", "strict", "begin", "error"] | None = None,
        convention: Literal["seqeval", "seqeval-strict", "conlleval", "nervaluate"] | None = None,
        documents: Any = None,
        by: str | Sequence[str] = (),
        policy: Any = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> Self:
        """Spans from the tags of tokens, such as O, B-PER and I-PER, by gold and predictions.

        Args:
            tags: a table with a row per token: its document (`doc_id`), its `position`, its `gold` and its `predicted`
                tag.  Or a row per sentence with lists of tags, whose positions are those in the list.
            doc: the column of documents, if it is not doc_id (or a name that other tools use).
            position: the column of tokens' positions, if not position.
            gold: the column of gold tags, if not gold.
            predicted: the column of predicted tags, if not predicted.  Several columns are several systems, named in
                the column `run_id` of results.
            sentence: the column of sentences, if not sentence_id.  No span crosses a sentence; with sentences start and
                end count the tokens of the document, sentence after sentence, from 0.
            scheme: how spans are written as tags; by default IOB2, also called BIO.
            repair: what becomes of tags that the scheme does not allow where they are.  "conll" (the default): a tag
                that cannot go on with the one before it begins a span, whatever its letter.  "strict": spans that the
                scheme would write with other tags are dropped.  "begin": those without their first tag count, those
                without their last are dropped.  "error": they are an error.
            convention: a tool's way to read tags: "seqeval" and "nervaluate" repair as "conll", "seqeval-strict" drops
                as "strict", and "conlleval" repairs, too, but joins E and a following B of the same type.  Without
                `policy` the tool's policy holds, too.
            documents: all documents, with weights, as of the subject; by default those of the tags.
            by: columns of the tags that group documents.
            policy: the conventions of the measures.
            engine: "polars", "duckdb" or "spark"; by default where the tags are.
            con: a DuckDB connection or a Spark session.
            columns: what the columns are called, ours → theirs.
            storage_options: options of the stores of remote paths.

        The end of a span is the position after its last token.  Tags without a type, such as B, have the type `_`.

        Raises:
            MissingColumn, WrongType: the table lacks columns, or they have other types.
            UnknownName, InvalidParameter: a scheme, repair or convention that does not exist, or that do not agree.
            InvalidValue, DuplicateRows: tags are null or of another scheme, or a position is there twice; with the
                first result.

        Source: Ramshaw and Marcus 1995; Tjong Kim Sang and Veenstra 1999; the CoNLL-2000 scorer; seqeval.

        Example:
            >>> import ireval_frames as ir, polars as pl
            >>> tags = pl.DataFrame({"doc_id": ["a"] * 4, "position": range(4),
            ...     "gold": ["B-PER", "I-PER", "O", "B-LOC"], "predicted": ["B-PER", "I-PER", "O", "O"]})
            >>> ir.Spans.from_tags(tags).evaluate("Precision Recall").summary()["value"].to_list()
            [1.0, 0.5]
        """
        how = reading(scheme, repair, convention)
        if convention is not None and policy is None:
            # Spans of tags never are there twice.
            policy = replace(SpanPolicy.named(POLICIES.get(convention, convention)), duplicates="error")
        systems = () if isinstance(predicted, str) else columns_named(predicted, "predicted")
        one = predicted if isinstance(predicted, str) else None
        if len(systems) == 1:
            (one,), systems = systems, ()
        named = named_columns(
            columns,
            {"doc_id": doc, "position": position, "gold": gold, "predicted": one, "sentence_id": sentence},
        )
        groups = columns_named(by)
        table = TagTable(io.located(tags, storage_options), named, systems, groups if documents is None else (), how)
        opened = open_engine(tags, engine, con)
        document = table.on(opened).columns["doc_id"]
        if document in OURS:
            raise InvalidParameter(
                f"The column of documents is called {document!r}, which is a column of spans.",
                f'Rename it: tags.rename({{"{document}": "doc_id"}})',
            )
        subject: Callable[..., Self] = cls
        return subject(
            TagsAs(table, "gold"),
            TagsAs(table, "predicted"),
            doc=document,
            documents=TagsAs(table, "documents") if documents is None else documents,
            by=groups,
            policy=policy,
            engine=opened,
            con=con,
            storage_options=storage_options,
        )

    def repairs(self) -> pl.DataFrame:
        """What the repair of tags made and dropped: a row per column of tags.

        Returns:
            column, n_spans, n_repaired (spans that the scheme would write with other tags; null where a convention
            reads the tags of all schemes), n_dropped.

        Raises:
            NotDefined: the subject is not made from tags.

        Example:
            >>> import ireval_frames as ir, polars as pl
            >>> tags = pl.DataFrame({"doc_id": ["a"] * 2, "position": [0, 1], "gold": ["I-PER", "I-PER"],
            ...     "predicted": ["O", "B-PER"]})
            >>> ir.Spans.from_tags(tags).repairs().rows()
            [('gold', 1, 1, 0), ('predicted', 1, 0, 0)]
        """
        request = request_of(self)
        tags, engine = tags_of(request.user_tables), request.engine
        if tags is None:
            raise NotDefined("These spans are not made from tags, so nothing was repaired.", "Use Spans.from_tags.")
        opened = tags.on(engine)
        run_checks(engine, opened.checks())
        repairs = opened.repairs
        known = tags.how.scheme.is_known
        rows = [(name, n, made if known else None, dropped) for name, (n, made, dropped) in repairs.items()]
        types = {"column": pl.String, **dict.fromkeys(("n_spans", "n_repaired", "n_dropped"), pl.Int64)}
        return pl.DataFrame(rows, types, orient="row")
