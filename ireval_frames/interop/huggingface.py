"""Hugging Face: a `Dataset` as a table and back, and results in model cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.errors import MalformedFile, WrongType, listed
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.interop.tables import any_rows, package
from ireval_frames.interop.trackers import key, selected
from ireval_frames.io.annotated.token_lists import tokens_of_lists
from ireval_frames.io.run_header import block

_RESULTS = {
    "run_id": pl.String, "task": pl.String, "dataset": pl.String, "split": pl.String, "measure": pl.String,
    "value": pl.Float64,
}  # fmt: skip


def from_dataset(dataset: Any) -> pl.DataFrame:
    """A `datasets.Dataset` as a frame, through Arrow; selections and orders of rows are kept.

    Args:
        dataset: one split.

    Raises:
        WrongType: it is not a dataset, or has several splits.

    Source: datasets (Lhoest and others, EMNLP 2021), `Dataset.with_format("arrow")`.
    """
    if isinstance(dataset, Mapping):
        raise WrongType(
            f"It is of type {type(dataset).__name__}, which has several splits ({listed(dataset)}).",
            f'Select one: dataset["{next(iter(dataset), "test")}"]',
        )
    if not hasattr(dataset, "with_format"):
        raise WrongType(
            f"It is of type {type(dataset).__name__}; a datasets.Dataset is needed.",
            "Read a streamed dataset first: datasets.Dataset.from_list(list(stream))",
        )
    return pl.DataFrame(pl.from_arrow(dataset.with_format("arrow")[:]))


def from_token_dataset(
    dataset: Any, *, gold: str = "ner_tags", predicted: str | None = None, names: Sequence[str] | None = None
) -> pl.DataFrame:
    """A dataset of sentences with lists of tokens and of tags, as a row per token for `ir.Spans.from_tags`.

    Args:
        dataset: one split.
        gold: the column of tags, or of numbers of tags.
        predicted: a column of predicted tags.
        names: the names of numbers of tags, by default those that the dataset has.

    Returns:
        doc_id (the column of that name, else document_id, id, or the number of the row), the columns without lists,
        position, token, gold and predicted.  Tokens whose number is −100 are left out.

    Raises:
        WrongType: it is not a dataset, or has several splits; tags are no lists, or numbers without names.
        MissingColumn, InvalidValue: it has no such column; a number has no name, or lists differ in length.

    Source: datasets (Lhoest and others, EMNLP 2021), `ClassLabel`.
    """
    frame = from_dataset(dataset)
    if names is None:
        of_tag = getattr(dataset.features.get(gold), "feature", None)
        names = getattr(of_tag, "names", None)
    return tokens_of_lists(frame, gold, predicted, names)


def to_dataset(table: Any) -> Any:
    """Any table as a `datasets.Dataset`.

    Args:
        table: a frame of any kind, a relation, or a path.

    Raises:
        EngineError: datasets is not installed.
    """
    rows = any_rows(table, "table")
    return package("datasets").Dataset.from_polars(rows)


def to_model_card(
    evaluation: Evaluation,
    *,
    model: str,
    task: str,
    dataset: str,
    dataset_name: str | None = None,
    split: str | None = None,
    revision: str | None = None,
    **where: Any,
) -> str:
    """The results of a model as the YAML of `model-index`, for the metadata of its card.

    Undefined values are left out.  A metric's type is `ir.interop.trackers.key(measure)`, its name the measure.

    Args:
        evaluation: of one system, or of several of which `where` selects one.
        model: the name of the model.
        task: the identifier of the task, such as "text-ranking".
        dataset: the dataset's id on the hub.
        dataset_name: its name; by default its id.
        split: the split of the dataset.
        revision: the revision of the dataset.
        where: selects one system or group: `run_id="bm25"`, and the columns of `by=`.

    Raises:
        NotDefined: there are several rows, and `where` does not select one.
        UnknownName: there is no such column or value.

    Source: Hugging Face, the model card's specification.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.evaluate(*ir.examples.ranking(), "P@5")
        >>> print(to_model_card(ev, model="bm25", task="text-ranking", dataset="BeIR/nfcorpus", split="test"))
        model-index:
          -
            name: bm25
            results:
              -
                task:
                  type: text-ranking
                dataset:
                  type: BeIR/nfcorpus
                  name: BeIR/nfcorpus
                  split: test
                metrics:
                  -
                    type: P_at_5
                    name: P@5
                    value: 0.4
    """
    rows = selected(evaluation, where)
    values = zip(rows["measure"].to_list(), rows["value"].to_list(), strict=True)
    metrics = [{"type": key(name), "name": name, "value": value} for name, value in values if value is not None]
    source = {"type": dataset, "name": dataset_name or dataset, "split": split, "revision": revision}
    result = {"task": {"type": task}, "dataset": {k: v for k, v in source.items() if v is not None}, "metrics": metrics}
    return "\n".join(block({"model-index": [{"name": model, "results": [result]}]}, ""))


def from_model_card(card: Any) -> pl.DataFrame:
    """The results in a model card: a row per model, task, dataset and metric, to compare (`ir.compare`).

    Values that are not numbers, such as "20.0 ± 1.2", are left out.

    Args:
        card: the metadata of a card as a dictionary (`huggingface_hub.ModelCard.load(…).data.to_dict()`), or its
            `model-index`, a list.

    Returns:
        run_id (the model), task, dataset, split (null where there is none), measure (the metric's name, else its
        type), value.

    Raises:
        MalformedFile: it is not such a list, or lacks a required field.

    Example:
        >>> metric = {"type": "P_at_5", "name": "P@5", "value": 0.4}
        >>> result = {"task": {"type": "text-ranking"}, "dataset": {"type": "x/y", "name": "y"}, "metrics": [metric]}
        >>> from_model_card({"model-index": [{"name": "bm25", "results": [result]}]}).row(0)
        ('bm25', 'text-ranking', 'x/y', None, 'P@5', 0.4)
    """
    try:
        index = card["model-index"] if isinstance(card, Mapping) else card
        return pl.DataFrame(list(_results(index)), _RESULTS, orient="row")
    except (AttributeError, KeyError, TypeError) as error:
        raise MalformedFile(
            f"It is not a model-index: {error!r}.",
            "A model has a name and results, each with task, dataset and metrics: huggingface.co/docs/hub/model-cards",
        ) from error


def _results(index: Any) -> Iterator[tuple[str, str, str, str | None, str, float]]:
    for model in index:
        for result in model["results"]:
            dataset = result["dataset"]
            for metric in result["metrics"]:
                value, name = metric["value"], metric.get("name") or metric["type"]
                if isinstance(value, int | float) and not isinstance(value, bool):
                    yield (
                        model["name"], result["task"]["type"], dataset["type"], dataset.get("split"), name, float(value)
                    )  # fmt: skip
