"""Files of nuggets and of their labels for answers, as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from ireval_frames.io.generated.records import add_records, has_list, id_of
from ireval_frames.io.storage.places import Options
from ireval_frames.io.storage.source import Source
from ireval_frames.io.text.grammar import Wrong

# Keys of a query's id, and of what is labelled: the answer of a run, or a passage.
_QUERIES = ("qid", "query_id", "topic_id")
_OWNERS = ("run_id", "docid")
_NAMES = {"run_id": "run_id", "docid": "doc_id"}
_TEXTS = ("answer_text", "candidate_text")


def read_nuggets(
    source: Source, *, storage_options: Options | None = None
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """The nuggets, assignments and answers in JSON lines of nuggetizer, or of TREC RAG's AutoNuggetizer.

    A record has a query (qid) and its nuggets with text and importance; with labels (assignment) also the run that
    answered (run_id), or the passage (docid), that they are of.  Files of nuggets and of assignments go together.

    Args:
        source: the file, a pattern, or several files.
        storage_options: options of the stores of remote paths, as in `{"aws_region": "eu-central-1"}`.

    Returns:
        Nuggets: query_id nugget_id importance text; ids are numbers from 1 in the order in which a query's nuggets
        first occur, and one text is one nugget.  Assignments: run_id (or doc_id) query_id nugget_id label.  Answers:
        run_id (or doc_id) query_id, response_length (words, as nuggetizer writes them) and answer, where records have
        them.  Without a run or passage in any record these columns are not there.  The label of a nugget that was not
        labelled is null, and no row of the assignments.

    Raises:
        FileError: the file cannot be read, or has no record.
        MalformedFile: lines are no such records, or records differ in the importance of a nugget; all such lines are
            named.

    Source: nuggetizer; Pradeep et al., 2024 (TREC 2024 RAG track).

    Example:
        >>> import json, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "assignments.jsonl")
        >>> nugget = {"text": "Ada wrote a program", "importance": "vital", "assignment": "support"}
        >>> _ = path.write_text(json.dumps({"qid": "q1", "run_id": "a", "response_length": 9, "nuggets": [nugget]}))
        >>> nuggets, assignments, answers = read_nuggets(path)
        >>> nuggets.rows(), assignments.rows(), answers.rows()
        ([('q1', 1, 'vital', 'Ada wrote a program')], [('a', 'q1', 1, 'support')], [('a', 'q1', 9)])
    """
    read = _Read()
    add_records(source, storage_options, read.add)
    return read.tables()


class _Read:
    """What was read so far."""

    def __init__(self) -> None:
        # By query: the numbers of nuggets by text and occurrence, and their importance.
        self.numbers: dict[str, dict[tuple[str, int], int]] = {}
        self.importance: dict[tuple[str, int], str | None] = {}
        self.texts: dict[tuple[str, int], str] = {}
        self.labels: list[tuple[Any, ...]] = []
        self.answers: list[tuple[Any, ...]] = []
        self.owner: str | None = None

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a record.

        Raises:
            Wrong: it is none of nuggets.
        """
        query = id_of(row, _QUERIES)
        if query is None:
            raise Wrong(f"it has no query: none of {', '.join(_QUERIES)}")
        nuggets = row.get("nuggets")
        if not isinstance(nuggets, list) or not all(isinstance(n, Mapping) for n in nuggets):
            raise Wrong("it has no list of nuggets")
        labelled = [n for n in nuggets if n.get("assignment") is not None]
        key = next((k for k in _OWNERS if row.get(k) is not None), None)
        owner = id_of(row, _OWNERS)
        if labelled:
            self._know_owner(key)
        rows = [(query, number, nugget) for number, nugget in self._numbered(query, nuggets)]
        for _, number, nugget in rows:
            label = nugget.get("assignment")
            if label is not None and not isinstance(label, str):
                raise Wrong(f"the assignment of a nugget is {label!r}, which is no text")
            if label is not None:
                self.labels.append((owner, query, number, label))
        length, text = row.get("response_length"), next((row[k] for k in _TEXTS if k in row), None)
        if labelled or length is not None or text is not None:
            if isinstance(length, bool) or not isinstance(length, int | None):
                raise Wrong(f"response_length is {length!r}, which is no whole number")
            if not isinstance(text, str | None):
                raise Wrong(f"the text of the answer is {str(text)[:40]!r}, which is no text")
            self._know_owner(key)
            self.answers.append((owner, query, length, text))

    def _know_owner(self, key: str | None) -> None:
        known = self.owner if self.answers or self.labels else key
        if known != key:
            what = {"run_id": "a run_id", "docid": "a docid", None: "neither a run_id nor a docid"}
            raise Wrong(f"it has {what[key]}, and records before it have {what[known]}")
        self.owner = key

    def _numbered(self, query: str, nuggets: list[Mapping[str, Any]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """The nuggets of a record with their numbers in the query."""
        numbers, occurrences = self.numbers.setdefault(query, {}), Counter[str]()
        for nugget in nuggets:
            text, importance = nugget.get("text"), nugget.get("importance")
            if not isinstance(text, str):
                raise Wrong("a nugget has no text")
            if not isinstance(importance, str | None):
                raise Wrong(f"the importance of a nugget is {importance!r}, which is no text")
            occurrences[text] += 1
            number = numbers.setdefault((text, occurrences[text]), len(numbers) + 1)
            known = self.importance.setdefault((query, number), importance)
            if importance is not None and known is not None and importance != known:
                raise Wrong(f"the nugget {text[:40]!r} is {importance}, and {known} in a record before it")
            self.importance[query, number] = known or importance
            self.texts[query, number] = text
            yield number, nugget

    def tables(self) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
        """The three tables."""
        nuggets = pl.DataFrame(
            [(*key, importance, self.texts[key]) for key, importance in self.importance.items()],
            schema={"query_id": pl.String, "nugget_id": pl.Int64, "importance": pl.String, "text": pl.String},
            orient="row",
        )
        owner = _NAMES.get(self.owner or "", "owner")
        ids = {owner: pl.String, "query_id": pl.String}
        labels = pl.DataFrame(self.labels, {**ids, "nugget_id": pl.Int64, "label": pl.String}, orient="row")
        answers = pl.DataFrame(self.answers, {**ids, "response_length": pl.Int64, "answer": pl.String}, orient="row")
        if self.owner is None:
            labels, answers = labels.drop(owner), answers.drop(owner)
        unknown = [c for c in ("response_length", "answer") if answers[c].null_count() == answers.height]
        return nuggets, labels, answers.drop(unknown)


def has_nuggets(source: Source, *, storage_options: Options | None = None) -> bool:
    """Whether it is a file of text whose first record has a list of nuggets."""
    return has_list(source, storage_options, "nuggets")
