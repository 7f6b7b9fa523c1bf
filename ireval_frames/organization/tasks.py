"""The columns of tables of document organization, and the tasks that they define."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ireval_frames.columns.schema import RANK, RUN_ID, SCORE, Column, Schema
from ireval_frames.errors import Argument, Hint, MissingColumn

ITEM = Column("item_id", "id", ("doc_id", "docno", "docid", "item", "document_id", "id"), required=False)
RELEVANCE = Column("relevance", "number", ("rel", "judgment", "judgement", "grade", "gain", "priority"), required=False)
CLASS = Column("label", "class", ("class", "gold_cluster", "gold", "truth", "true_label"), required=False)
CLUSTER = Column("cluster_id", "class", ("cluster", "predicted_cluster"), required=False)

GOLD = Schema("gold", (ITEM, RELEVANCE, CLASS), ("item_id",))
SYSTEM = Schema("system", (RUN_ID, ITEM, SCORE, RANK, CLUSTER), ("run_id", "item_id"))
ONE = Schema("gold", (RUN_ID, ITEM, RELEVANCE, CLASS, SCORE, RANK, CLUSTER), ("run_id", "item_id"))

# The arguments of `Organization` that name a column, where they differ from it.
ARGUMENTS = {"item_id": "item", "cluster_id": "cluster"}
TASKS = ("priority", "relatedness")


def tasks_of(
    gold: Mapping[str, str], system: Mapping[str, str], named: Mapping[str, str], swapped: Collection[str], *, two: bool
) -> tuple[str, ...]:
    """The tasks that both sides have.

    Of two tables the system's may have only the retrieved documents.  `swapped` are the gold's columns in the system's
    table.

    Raises:
        MissingColumn: there is none, or one side of the task of a named column is missing.
    """
    ranked = "score" in system or "rank" in system or (two and "cluster_id" not in system)
    sides = {"priority": ("relevance" in gold, ranked), "relatedness": ("label" in gold, "cluster_id" in system)}
    needed = {"priority": ("relevance", "score"), "relatedness": ("label", "cluster_id")}
    task_of = {
        "relevance": "priority",
        "score": "priority",
        "rank": "priority",
        "label": "relatedness",
        "cluster_id": "relatedness",
    }
    for task in dict.fromkeys(task_of[c] for c in named if c in task_of):
        if not all(sides[task]):
            missing = needed[task][sides[task].index(False)]
            raise MissingColumn(
                f"The tables have one side of the task of {task} only: there is no column {missing!r}.",
                Hint("Name it: ", Argument(ARGUMENTS.get(missing, missing), "their_name")),
            )
    tasks = tuple(t for t in TASKS if all(sides[t]))
    if not tasks and two and ("relevance" in swapped or "label" in swapped):
        raise MissingColumn(
            "The tables are swapped: the second one has the gold's columns.", "Write ir.Organization(gold, system)."
        )
    if not tasks:
        raise MissingColumn(
            "The tables have no task in common: priority needs relevance and score (or rank), relatedness needs label "
            "and cluster_id.",
            Hint("Name the columns: ", Argument("relevance", "their_name"), ", ", Argument("score", "their_name")),
        )
    return tasks
