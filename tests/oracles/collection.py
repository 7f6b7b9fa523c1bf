"""Which judged documents a collection contains, as plain loops."""

from __future__ import annotations

from collections.abc import Sequence

Judged = tuple[str, str, float]


def largest(rows: Sequence[Judged]) -> dict[tuple[str, str], float]:
    """The largest grade of each document for a query; negative grades are no judgments."""
    grades: dict[tuple[str, str], float] = {}
    for query, document, grade in rows:
        if grade >= 0:
            grades[query, document] = max(grade, grades.get((query, document), grade))
    return grades


def per_query(documents: Sequence[str], rows: Sequence[Judged], rel: float) -> list[tuple[object, ...]]:
    """query, judgments, dangling judgments, relevant, dangling relevant, coverage."""
    grades = largest(rows)
    out: list[tuple[object, ...]] = []
    for query in sorted({query for query, _ in grades}):
        own = [(document, grade) for (q, document), grade in grades.items() if q == query]
        dangling = [document for document, _ in own if document not in documents]
        relevant = [document for document, grade in own if grade >= rel]
        lacking = [document for document in relevant if document not in documents]
        coverage = (len(relevant) - len(lacking)) / len(relevant) if relevant else None
        out.append((query, len(own), len(dangling), len(relevant), len(lacking), coverage))
    return out


def summary(documents: Sequence[str], rows: Sequence[Judged], rel: float) -> dict[str, object]:
    grades = largest(rows)
    judged = {document for _, document in grades}
    relevant = [document for (_, document), grade in grades.items() if grade >= rel]
    held = [document for document in relevant if document in documents]
    n = len(set(documents))
    return {
        "n_documents": n,
        "n_judged": len(judged & set(documents)),
        "n_never_judged": len(set(documents) - judged),
        "n_dangling": len(judged - set(documents)),
        "n_queries": len({query for query, _ in grades}),
        "n_judgments": len(grades),
        "n_dangling_judgments": sum(document not in documents for _, document in grades),
        "n_relevant": len(relevant),
        "n_dangling_relevant": len(relevant) - len(held),
        "coverage": len(held) / len(relevant) if relevant else None,
        "judged_share": len(judged & set(documents)) / n,
    }
