"""Judgments of retrieved documents alone: how many documents are relevant is unknown, and what asks it is refused."""

from __future__ import annotations

from collections.abc import Sequence

from ireval_frames.columns.schema import RETRIEVED_ONLY
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.errors import Argument, Hint, NotDefined, listed
from ireval_frames.plan import Plan, Table


def refuse_totals(plan: Plan, policy: RankingPolicy, measures: Sequence[Measure]) -> None:
    """Refuse measures that ask for anything of a query's judgments beside those of the documents that a run has.

    Args:
        plan: the plan, of which the measures have asked what they ask.
        policy: the conventions in force.
        measures: the measures.

    Raises:
        NotDefined: naming these measures, or the policy that asks it.
    """
    why = f"The judgments are those of retrieved documents alone (they have a column {RETRIEVED_ONLY!r}), so "
    if policy.no_relevant != "zero":
        raise NotDefined(
            f"{why}which queries have no relevant ones is unknown, and no_relevant={policy.no_relevant!r} asks it.",
            Hint("Write ", Argument("policy", "no_relevant=zero"), ", or hand in all judgments."),
        )
    asked = {
        who
        for table in plan.tables.values()
        if _of_judgments(table)
        for request in table.requests.values()
        for who in request.requested_by
    }
    wrong = [str(measure) for measure in measures if str(measure) in asked]
    if wrong:
        raise NotDefined(
            f"{why}how many documents are relevant, and their best order, is unknown; {listed(wrong)} "
            f"ask{'s' * (len(wrong) == 1)} for it.",
            "Hand in all judgments: of _rank_eval these are in the request. P, RR, Success, DCG, ERR and RBP need what "
            "was retrieved alone.",
        )


def _of_judgments(table: Table) -> bool:
    """Whether a table is made of judgments, without any run."""
    if not table.made.of:
        return table.name == "judgments"
    return all(_of_judgments(other) for other in table.made.of)
