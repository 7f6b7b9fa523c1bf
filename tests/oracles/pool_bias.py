"""Runs with and without what only their group contributed, and estimates from that, as plain loops.

Judgments and runs are mappings from queries; a run's list is ordered. Groups map a run to its group. A measure is a
function of a list and the judgments of its query; a run's value is the mean over the judged queries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tests.oracles.relevance import Judgments, Ranking, is_judged, is_relevant

Qrels = dict[str, Judgments]
Lists = dict[str, Ranking]
Runs = dict[str, Lists]
Groups = dict[str, str]
OfList = Callable[[Ranking, Judgments], float]


def mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)


def value(lists: Lists, qrels: Qrels, measure: OfList) -> float:
    return mean(measure(lists.get(query, []), judgments) for query, judgments in qrels.items())


def contributors(runs: Runs, query: str, document: str, depth: int | None) -> set[str]:
    """The runs that retrieved a document down to the depth of the pool."""
    return {run for run, lists in runs.items() if document in lists.get(query, [])[:depth]}


def without(qrels: Qrels, runs: Runs, groups: Groups, left_out: set[str], depth: int | None) -> Qrels:
    """The judgments that would exist if these groups had not taken part; those nobody contributed exist anyway."""
    out: Qrels = {}
    for query, judgments in qrels.items():
        out[query] = {}
        for document, grade in judgments.items():
            by = {groups[run] for run in contributors(runs, query, document, depth)}
            if not by or by - left_out:
                out[query][document] = grade
    return out


def rank(run: str, values: dict[str, float]) -> int:
    return 1 + sum(v > values[run] + 1e-12 for v in values.values())


def webber_park(
    qrels: Qrels, runs: Runs, groups: Groups, measure: OfList, depth: int | None, held_out: str | None = None
) -> float:
    """The mean loss of the runs, those of one group left out before."""
    first = {held_out} - {None} if held_out is not None else set[str]()
    before = without(qrels, runs, groups, {g for g in first if g is not None}, depth)
    losses = []
    for run, lists in runs.items():
        if groups[run] == held_out:
            continue
        both = {groups[run]} | {g for g in first if g is not None}
        after = without(qrels, runs, groups, both, depth)
        losses.append(value(lists, before, measure) - value(lists, after, measure))
    return mean(losses)


def merged(own: Ranking, new: Ranking) -> Ranking:
    """A list in the order of another one: at a rank first who moved up, then who stayed, then who moved down."""

    def place(document: str) -> tuple[int, int, int]:
        rank = own.index(document) + 1
        if document not in new:
            return rank, 0, rank
        there = new.index(document) + 1
        return there, (there > rank) - (there < rank), rank

    return sorted(own, key=place)


def shares(lists: Lists, qrels: Qrels, cutoff: int) -> tuple[float, float, float]:
    """The mean shares of relevant, of judged and not relevant, and of other documents among the first ones."""
    relevant, other = [], []
    for query, judgments in qrels.items():
        first = lists.get(query, [])[:cutoff]
        relevant.append(sum(is_relevant(d, judgments, 1) for d in first) / cutoff)
        other.append(sum(is_judged(d, judgments) and not is_relevant(d, judgments, 1) for d in first) / cutoff)
    present = mean(float(bool(lists.get(query))) for query in qrels)
    return mean(relevant), mean(other), present - mean(relevant) - mean(other)


def lipani(new: Lists, qrels: Qrels, pooled: Runs, cutoff: int) -> tuple[float, float]:
    """The adjustment of precision at the cutoff, and λ."""
    changes = []
    for lists in pooled.values():
        moved = {q: merged(lists.get(q, []), new.get(q, [])) for q in qrels}
        changes.append([a - b for a, b in zip(shares(moved, qrels, cutoff), shares(lists, qrels, cutoff), strict=True)])
    s, anti, k = (mean(c[i] for c in changes) for i in range(3))
    own_s, own_anti, own_k = shares(new, qrels, cutoff)
    indicator = s * own_anti - anti * own_s
    return (own_k * max(k, 0.0) if indicator > 0 else 0.0), indicator
