"""Tables of rankings and of items: labels, scores, clusters, points."""

from __future__ import annotations

import polars as pl


def ranking() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments and a run of one query: five documents retrieved, one of them unjudged, and a relevant one missed.

    The list is d1 (grade 1), d2 (grade 0), d3 (grade 3), d4 (no judgment), d5 (grade 0); d6 (grade 2) is not retrieved.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> ir.evaluate(qrels, run, "P@2 R@3").wide().row(0)
        (0.5, 0.6666666666666666)
    """
    qrels = pl.DataFrame(
        {"query_id": ["q"] * 5, "doc_id": ["d1", "d2", "d3", "d5", "d6"], "relevance": [1, 0, 3, 0, 2]}
    )
    run = pl.DataFrame(
        {"query_id": ["q"] * 5, "doc_id": ["d1", "d2", "d3", "d4", "d5"], "score": [5.0, 4.0, 3.0, 2.0, 1.0]}
    )
    return qrels, run


def pooled() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments of the first three documents of four runs of three teams, for two queries; and the runs.

    For query 1 only run c, of team z, retrieved the relevant document d7; for query 2 only runs a and b, of team x,
    retrieved d2 and d4.  The runs have five documents each, so some are not judged.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, runs = ir.examples.pooled()
        >>> ir.evaluate(qrels, runs, "P@3").wide()["P@3"].round(3).to_list()
        [0.833, 0.667, 0.5, 0.333]
    """
    lists = {
        ("a", "x"): ("d1 d2 d3 d9 d5", "d1 d2 d4 d8 d6"),
        ("b", "x"): ("d2 d1 d4 d9 d8", "d2 d1 d3 d9 d8"),
        ("c", "z"): ("d1 d7 d5 d2 d8", "d3 d1 d5 d4 d9"),
        ("d", "y"): ("d3 d5 d1 d4 d8", "d5 d3 d1 d9 d2"),
    }
    rows = [
        (run, team, query, document, 5.0 - i)
        for (run, team), documents in lists.items()
        for query, text in enumerate(documents, 1)
        for i, document in enumerate(text.split())
    ]
    runs = pl.DataFrame(rows, schema=["run_id", "team", "query_id", "doc_id", "score"], orient="row")
    grades = {
        1: {"d1": 1, "d2": 1, "d3": 0, "d4": 0, "d5": 0, "d7": 2},
        2: {"d1": 1, "d2": 1, "d3": 0, "d4": 1, "d5": 0},
    }
    judged = [(query, document, grade) for query, of in grades.items() for document, grade in of.items()]
    return pl.DataFrame(judged, schema=["query_id", "doc_id", "relevance"], orient="row"), runs


def sampled() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments of a pool that was sampled in two strata, and a run of one query.

    Stratum 1 has d1 (grade 1), d2 (0) and d3 (1), all judged; stratum 2 has d4 (1) and d6 (0), and d5 and d7, which
    were not drawn and have grade -1.  The list is d1, d5, d4, d9 (not pooled), d3.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.sampled()
        >>> ir.evaluate(qrels, run, "infNumRel").wide().row(0)
        (4.0,)
    """
    qrels = pl.DataFrame(
        {
            "query_id": ["q"] * 7,
            "doc_id": ["d1", "d2", "d3", "d4", "d5", "d6", "d7"],
            "relevance": [1, 0, 1, 1, -1, 0, -1],
            "stratum": ["1"] * 3 + ["2"] * 4,
            "iprob": [1.0] * 3 + [0.5] * 4,
        }
    )
    run = pl.DataFrame(
        {"query_id": ["q"] * 5, "doc_id": ["d1", "d5", "d4", "d9", "d3"], "score": [5.0, 4.0, 3.0, 2.0, 1.0]}
    )
    return qrels, run


def diversity() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments by subtopic and a run of one query: subtopics a (documents d1, d2, d4), b (d2, d6) and c (d5).

    The list is d1, d2, d3 (judged, relevant to nothing), d4, d5; d6 is not retrieved.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.diversity()
        >>> ir.evaluate(qrels, run, "StRecall@2").wide().row(0)
        (0.6666666666666666,)
    """
    qrels = pl.DataFrame(
        {
            "query_id": ["q"] * 8,
            "subtopic_id": ["a", "a", "b", "a", "b", "a", "b", "c"],
            "doc_id": ["d1", "d2", "d2", "d3", "d3", "d4", "d6", "d5"],
            "relevance": [1, 1, 2, 0, 0, 1, 1, 1],
        }
    )
    run = pl.DataFrame(
        {"query_id": ["q"] * 5, "doc_id": ["d1", "d2", "d3", "d4", "d5"], "score": [5.0, 4.0, 3.0, 2.0, 1.0]}
    )
    return qrels, run


def labels() -> pl.DataFrame:
    """Eight items of three classes, five of them predicted rightly.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("Accuracy").summary()["value"].item()
        0.625
    """
    label = ["cat", "cat", "cat", "dog", "dog", "dog", "cow", "cow"]
    prediction = ["cat", "cat", "dog", "dog", "dog", "cow", "cow", "cat"]
    return pl.DataFrame({"item_id": range(8), "label": label, "prediction": prediction})


def scores() -> pl.DataFrame:
    """Eight items, four of them of the class 1, with scores of which two pairs are equal.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("ROCAUC").summary()["value"].item()
        0.75
    """
    return pl.DataFrame({"label": [1, 1, 0, 1, 0, 1, 0, 0], "score": [0.9, 0.8, 0.8, 0.6, 0.5, 0.3, 0.3, 0.1]})


def clusters() -> pl.DataFrame:
    """Seventeen items of three classes in three clusters.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("Purity").summary()["value"].round(4).item()
        0.7059
    """
    label = ["x"] * 5 + ["o"] + ["x"] + ["o"] * 4 + ["d"] + ["x"] * 2 + ["d"] * 3
    return pl.DataFrame({"item_id": range(17), "label": label, "cluster_id": [1] * 6 + [2] * 6 + [3] * 5})


def points() -> pl.DataFrame:
    """Nine points of the plane in three clusters, and in two.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("SSE").summary()["value"].item()
        22.0
    """
    x, y = [1, 1, 3, 3, 7, 7, 10, 13, 13], [1, 3, 1, 3, 7, 10, 7, 1, 3]
    k3, k2 = ["a"] * 4 + ["b"] * 3 + ["c"] * 2, ["a"] * 4 + ["b"] * 5
    return pl.DataFrame({"item_id": range(9), "x": x, "y": y, "k2": k2, "k3": k3})


def exposure() -> dict[str, pl.DataFrame]:
    """A list of five documents of new and known authors, of which two are relevant: arguments by name.

    Example:
        >>> import ireval_frames as ir
        >>> ir.FairExposure(**ir.examples.exposure()).evaluate("NumRetrieved").wide().row(0)
        (5.0,)
    """
    documents = list("abcde")
    return {
        "run": pl.DataFrame({"query_id": "q", "doc_id": documents, "rank": [1, 2, 3, 4, 5]}),
        "groups": pl.DataFrame({"doc_id": documents, "group": ["known", "known", "new", "known", "new"]}),
        "target": pl.DataFrame({"group": ["known", "new"], "share": [0.5, 0.5]}),
        "relevant": pl.DataFrame({"query_id": "q", "doc_id": ["a", "c"], "relevance": [1, 1]}),
    }


def expected_exposure() -> dict[str, pl.DataFrame]:
    """Two lists that a stochastic ranker gave for a query with three relevant documents: arguments by name.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.expected_exposure(), samples="sample", policy="expeval")
        >>> fair.evaluate("EED EER EEL").summary()["value"].round(6).to_list()
        [0.660156, 0.546875, 0.140625]
    """
    lists = {1: "abx", 2: "cax"}
    rows = [("q", sample, doc, rank) for sample, docs in lists.items() for rank, doc in enumerate(docs, 1)]
    return {
        "run": pl.DataFrame(rows, schema=["query_id", "sample", "doc_id", "rank"], orient="row"),
        "groups": pl.DataFrame({"doc_id": ["a", "b", "c", "x"], "group": ["one", "one", "two", "three"]}),
        "relevant": pl.DataFrame({"query_id": "q", "doc_id": ["a", "b", "c"], "relevance": [1, 1, 1]}),
    }
