"""Files of generated answers with citations, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ireval_frames.errors import ReadingWarning, listed, warn
from ireval_frames.io.generated.records import add_records, id_of
from ireval_frames.io.storage.places import Options
from ireval_frames.io.storage.source import Source
from ireval_frames.io.text.grammar import Wrong

# Keys of a query's id, in a record or in its metadata.
_QUERIES = ("topic_id", "narrative_id", "query_id", "qid")
# The most words of an answer, and the most references of one, by the keys that the track used in a year.
MOST_WORDS = 400
MOST_REFERENCES = {"2024": 20, "2025": 100}
_ID = {"run_id": pl.String, "query_id": pl.String}
_TABLES: dict[str, dict[str, Any]] = {
    "sentences": {**_ID, "sentence_id": pl.Int64, "text": pl.String},
    "citations": {**_ID, "sentence_id": pl.Int64, "rank": pl.Int64, "doc_id": pl.String, "citation": pl.String},
    "answers": {**_ID, "n_sentences": pl.Int64, "n_words": pl.Int64, "n_references": pl.Int64,
                "response_length": pl.Int64},
}  # fmt: skip


def read_citations(
    source: Source, *, storage_options: Options | None = None
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """The sentences, citations and answers in JSON lines of TREC RAG.

    A record is an answer: run_id and topic_id, or metadata with run_id and narrative_id as in 2025; references, a list
    of ids of passages; and answer, a list of sentences with text and citations, each the number of a reference from 0,
    or its id.

    Args:
        source: the file, a pattern, or several files.
        storage_options: options of the stores of remote paths, as in `{"aws_region": "eu-central-1"}`.

    Returns:
        Sentences: run_id query_id sentence_id (from 1) text.  Citations: run_id query_id sentence_id rank (from 1)
        doc_id citation: what the file has; doc_id is null where that is no reference of the answer.  Answers: run_id
        query_id n_sentences n_words (between blanks) n_references, and response_length if records have it; an answer
        without sentences has a row here only.

    Warns:
        ReadingWarning: answers break the track's limits: 400 words; 20 references (100 where records have metadata),
            each once; citations of references only.

    Raises:
        FileError: the file cannot be read, or has no record.
        MalformedFile: lines are no such records, or a run answers a query twice; all such lines are named.

    Source: Pradeep et al., 2024 (TREC 2024 RAG track); Upadhyay et al., 2026 (TREC 2025 RAG track).

    Example:
        >>> import json, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "run.jsonl")
        >>> answer = [{"text": "Ada wrote a program.", "citations": [1, 0]}, {"text": "It is known.", "citations": []}]
        >>> row = {"run_id": "a", "topic_id": "q1", "references": ["d7", "d2"], "answer": answer}
        >>> _ = path.write_text(json.dumps(row))
        >>> sentences, citations, answers = read_citations(path)
        >>> sentences.rows()
        [('a', 'q1', 1, 'Ada wrote a program.'), ('a', 'q1', 2, 'It is known.')]
        >>> citations.rows()
        [('a', 'q1', 1, 1, 'd2', '1'), ('a', 'q1', 1, 2, 'd7', '0')]
        >>> answers.rows()
        [('a', 'q1', 2, 7, 2)]
    """
    read = _Read()
    add_records(source, storage_options, read.add)
    read.warn()
    return read.tables()


@dataclass
class _Read:
    """What was read so far, and which answers break a limit."""

    rows: dict[str, list[tuple[Any, ...]]] = field(default_factory=lambda: {name: [] for name in _TABLES})
    answered: set[tuple[str, str]] = field(default_factory=set)
    broken: dict[str, list[str]] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a record.

        Raises:
            Wrong: it is no answer with citations.
        """
        metadata = row.get("metadata")
        about = metadata if isinstance(metadata, Mapping) else row
        key = (_id(about, ("run_id",)), _id(about, _QUERIES))
        references, answer, length = row.get("references"), row.get("answer"), row.get("response_length")
        if not isinstance(references, list) or not all(isinstance(r, str | int) for r in references):
            raise Wrong("it has no references, a list of ids")
        if not isinstance(answer, list) or not all(isinstance(s, Mapping) for s in answer):
            raise Wrong("it has no answer, a list of sentences with text and citations")
        if isinstance(length, bool) or not isinstance(length, int | None):
            raise Wrong(f"response_length is {length!r}, which is no whole number")
        if key in self.answered:
            raise Wrong(f"the run {key[0]!r} answers the query {key[1]!r} in a record before it, too")
        ids = [str(r) for r in references]
        sentences, citations, n_words = [], [], 0
        for number, sentence in enumerate(answer, start=1):
            text, cites = sentence.get("text"), sentence.get("citations", [])
            if not isinstance(text, str):
                raise Wrong(f"sentence {number} has no text")
            if not isinstance(cites, list):
                raise Wrong(f"the citations of sentence {number} are {str(cites)[:40]!r}, which is no list")
            sentences.append((*key, number, text))
            citations += [(*key, number, rank, _cited(c, ids), str(c)) for rank, c in enumerate(cites, start=1)]
            n_words += len(text.split())
        self.answered.add(key)
        self.rows["sentences"] += sentences
        self.rows["citations"] += citations
        self.rows["answers"].append((*key, len(sentences), n_words, len(ids), length))
        most = MOST_REFERENCES["2024" if about is row else "2025"]
        for limit, is_broken in {
            f"more than {MOST_WORDS} words": n_words > MOST_WORDS,
            f"more than {most} references": len(ids) > most,
            "a reference twice": len({*ids}) < len(ids),
            "citations of nothing that is a reference": any(doc is None for *_, doc, _ in citations),
            "no sentence": not sentences,
        }.items():
            if is_broken:
                self.broken.setdefault(limit, []).append(f"{key[1]} of {key[0]}")

    def warn(self) -> None:
        """Warn of answers that break a limit."""
        if self.broken:
            parts = (f"{len(of):,} with {limit} ({listed(of, 3)})" for limit, of in self.broken.items())
            warn(f"Of {len(self.answered):,} answers there are {'; '.join(parts)}.", ReadingWarning)

    def tables(self) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
        """The three tables."""
        frames = {name: pl.DataFrame(self.rows[name], schema, orient="row") for name, schema in _TABLES.items()}
        answers = frames["answers"]
        if answers["response_length"].null_count() == answers.height:
            answers = answers.drop("response_length")
        return frames["sentences"], frames["citations"], answers


def _id(row: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    """The id that a record must have under one of these keys.

    Raises:
        Wrong: it has none, or one that is neither text nor a whole number.
    """
    if (out := id_of(row, keys)) is None:
        raise Wrong(f"it has no {' or '.join(keys)}")
    return out


def _cited(citation: Any, ids: list[str]) -> str | None:
    """The reference that a citation means: by its number from 0, or by its id; None if there is none.

    Raises:
        Wrong: it is neither.
    """
    if isinstance(citation, str):
        return citation if citation in ids else None
    if isinstance(citation, bool) or not isinstance(citation, int):
        raise Wrong(f"a citation is {citation!r}: neither the number of a reference nor its id")
    return ids[citation] if 0 <= citation < len(ids) else None
