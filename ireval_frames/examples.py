"""Tiny tables for trying things out; the examples of the measures' pages run on them."""

from __future__ import annotations

import datetime as dt
import math

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


def answers() -> tuple[pl.DataFrame, pl.DataFrame]:
    """The gold answers of five questions, of which one has none, and the predicted answers.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Answers(*ir.examples.answers()).evaluate("TokenF1").summary()["value"].round(4).item()
        0.7
    """
    golds = [["Denver Broncos"], ["Santa Clara, California", "Santa Clara", "Levi's Stadium"], ["1976"],
             ["gold", "golden"], []]  # fmt: skip
    predicted = ["The Denver Broncos", "at Levi's Stadium in Santa Clara", "1976.", "silver", ""]
    queries = [f"q{i}" for i in range(1, 6)]
    gold = pl.DataFrame({"query_id": queries, "answer": golds})
    return gold, pl.DataFrame({"query_id": queries, "answer": predicted})


def clusters() -> pl.DataFrame:
    """Seventeen items of three classes in three clusters.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("Purity").summary()["value"].round(4).item()
        0.7059
    """
    label = ["x"] * 5 + ["o"] + ["x"] + ["o"] * 4 + ["d"] + ["x"] * 2 + ["d"] * 3
    return pl.DataFrame({"item_id": range(17), "label": label, "cluster_id": [1] * 6 + [2] * 6 + [3] * 5})


def spans() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Five gold and five predicted spans of two documents: two equal, one with a wrong end, one with a wrong type.

    Example:
        >>> import ireval_frames as ir
        >>> gold, predicted = ir.examples.spans()
        >>> ir.Spans(gold, predicted).evaluate("F1").summary()["value"].item()
        0.4
    """
    columns = ["doc_id", "start", "end", "type"]
    gold = [("a", 0, 2, "PER"), ("a", 5, 7, "LOC"), ("a", 9, 10, "ORG"), ("a", 12, 14, "PER"), ("b", 3, 5, "PER")]
    predicted = [("a", 0, 2, "PER"), ("a", 5, 6, "LOC"), ("a", 9, 10, "LOC"), ("a", 20, 21, "ORG"), ("b", 3, 5, "PER")]
    return tuple(pl.DataFrame(rows, columns, orient="row") for rows in (gold, predicted))  # type: ignore[return-value]


def tags() -> pl.DataFrame:
    """The tags of nine tokens of two documents; two of the three gold spans are predicted, one with a tag after O.

    Example:
        >>> import ireval_frames as ir
        >>> spans = ir.Spans.from_tags(ir.examples.tags(), convention="seqeval")
        >>> spans.evaluate("F1").summary()["value"].round(4).item()
        0.6667
    """
    gold = ["B-PER", "I-PER", "O", "B-LOC", "O", "B-ORG", "I-ORG", "I-ORG", "O"]
    predicted = ["B-PER", "I-PER", "O", "I-LOC", "O", "O", "I-ORG", "I-ORG", "O"]
    position = [0, 1, 2, 3, 4, 0, 1, 2, 3]
    rows = {"doc_id": ["a"] * 5 + ["b"] * 4, "position": position, "gold": gold, "predicted": predicted}
    return pl.DataFrame(rows)


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


def segments() -> pl.DataFrame:
    """A document of eight positions: segments of 3, 3 and 2 in the gold, and of 3, 2, 1 and 2 predicted.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Segmentation(ir.examples.segments()).evaluate("WindowDiff@2").summary()["value"].round(4).item()
        0.3333
    """
    gold, predicted = [1] * 3 + [2] * 3 + [3] * 2, [1] * 3 + [2] * 2 + [3] + [4] * 2
    return pl.DataFrame({"doc_id": ["d"] * 8, "position": range(8), "gold_segment": gold, "segment": predicted})


def ratings() -> pl.DataFrame:
    """Twelve units rated from 1 to 5 by four raters, with gaps: Krippendorff's example.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Ratings(ir.examples.ratings()).evaluate("KrippendorffAlpha").summary()["value"].round(3).item()
        0.743
    """
    ratings_by_rater = {
        "a": [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        "b": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        "c": [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        "d": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    }
    rows = [
        (f"u{i:02d}", rater, r)
        for rater, row in ratings_by_rater.items()
        for i, r in enumerate(row, 1)
        if r is not None
    ]
    return pl.DataFrame(rows, schema=["item_id", "rater_id", "rating"], orient="row")


def click_log() -> pl.DataFrame:
    """A click log of six result pages, one of which shows nothing, in three sessions of two users.

    Times are seconds.  The pages of query 1 show documents a, b and c, and those of query 2 d, e and f.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("NumPages NumResults NumClicks").wide().row(0)
        (6.0, 14.0, 5.0)
    """
    # page, query, session, user, time, seconds on the page, and the documents: seconds until a click and after it
    pages: list[tuple[int, int, str, str, float, float, dict[str | None, tuple[float, float] | None]]] = [
        (1, 2, "s1", "u1", 0.0, 12.0, {"d": None, "e": None, "f": None}),
        (2, 1, "s1", "u1", 30.0, 6.0, {"a": None, "b": (4.0, 50.0), "c": None}),
        (3, 1, "s2", "u2", 100.0, 30.0, {"a": (2.0, 10.0), "b": None, "c": (20.0, 40.0)}),
        (4, 1, "s2", "u2", 400.0, 2.0, {"b": (1.0, 60.0), "a": None, "c": None}),
        (5, 3, "s3", "u1", 1000.0, 5.0, {None: None}),
        (6, 2, "s3", "u1", 1020.0, 4.0, {"d": (3.0, 5.0), "e": None}),
    ]
    return pl.DataFrame(
        [
            {
                "serp_id": page,
                "query_id": query,
                "session_id": session,
                "user_id": user,
                "timestamp": time,
                "page_dwell": dwell,
                "doc_id": doc,
                "position": i if doc else None,
                "click": int(clicked is not None),
                "click_time": clicked and clicked[0],
                "dwell": clicked and clicked[1],
            }
            for page, query, session, user, time, dwell, shown in pages
            for i, (doc, clicked) in enumerate(shown.items(), 1)
        ]
    )


def click_model() -> pl.DataFrame:
    """Parameters of click models for the documents of `ranking()`, by query and document; d5 has none.

    Attraction and satisfaction are those of one model; continuation by position is DCM's, and examination that of PBM
    and, after each last click, of UBM: an evaluation reads what its measures name.

    Example:
        >>> import ireval_frames as ir
        >>> model = ir.examples.click_model()
        >>> ir.evaluate(*ir.examples.ranking(), "Seen@5", click_model=model).summary()["value"].item()
        0.8
    """
    documents = {"d1": (0.6, 0.3, 40.0), "d2": (0.2, 0.1, 30.0), "d3": (0.5, 0.8, 20.0), "d4": (0.3, 0.5, 2.0)}
    rows: list[tuple[str, str | None, str | None, int | None, int | None, float, float]] = []
    for doc, (attraction, satisfaction, n) in documents.items():
        rows.append(("attraction", "q", doc, None, None, attraction, n))
        rows.append(("satisfaction", "q", doc, None, None, satisfaction, n * attraction))
    for position in range(1, 6):
        rows.append(("continuation", None, None, position, None, 1.0 - 0.1 * position, 30.0))
        rows.append(("examination", None, None, position, None, 1.0 / position, 60.0))
        rows += [("examination", None, None, position, last, 1.0 / (position - last), 60.0) for last in range(position)]
    names = ("parameter", "query_id", "doc_id", "position", "last_click", "value", "n")
    types = (pl.String, pl.String, pl.String, pl.Int64, pl.Int64, pl.Float64, pl.Float64)
    return pl.DataFrame(rows, schema=dict(zip(names, types, strict=True)), orient="row")


def coreference() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Gold and predicted mentions of one document, by tokens, with their entities.

    Of the six gold mentions five are predicted, and two predicted ones are none of the gold.

    Example:
        >>> import ireval_frames as ir
        >>> gold, predicted = ir.examples.coreference()
        >>> ir.Coreference(gold, predicted).evaluate("MUCF B3F CEAFeF").summary()["value"].round(4).to_list()
        [0.3333, 0.5135, 0.5619]
    """
    # mention: first token, token behind the last, head, and its entities: gold and predicted
    mentions: list[tuple[int, int, int, str | None, int | None]] = [
        (0, 2, 1, "ada", 1),
        (4, 5, 4, "ada", 1),
        (9, 10, 9, "ada", 2),
        (6, 8, 7, "notes", 2),
        (11, 13, 12, "notes", None),
        (14, 15, 14, "paper", 3),
        (16, 18, 17, None, 3),
        (19, 20, 19, None, 4),
    ]
    table = pl.DataFrame(mentions, schema=["start", "end", "head", "gold", "predicted"], orient="row")
    gold, predicted = (
        table.filter(pl.col(side).is_not_null()).select("start", "end", "head", doc_id=pl.lit("d1"), cluster_id=side)
        for side in ("gold", "predicted")
    )
    order = ["doc_id", "start", "end", "head", "cluster_id"]
    return gold.select(order), predicted.select(order)


def experiment() -> pl.DataFrame:
    """An A/B test of 600 users over a week: a row per user and day, with what the user spent a week before.

    Pages are searches, of which some were clicked; clicks come a little more often in variant b, and revenue a little
    higher.  The numbers are drawn, the same ones always.

    Example:
        >>> import ireval_frames as ir
        >>> ir.examples.experiment().select("user_id", "variant", "day", "pages", "clicks").row(0)
        (0, 'a', datetime.date(2026, 3, 2), 4, 0)
    """
    state, rows = 11, []

    def drawn() -> float:
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) / 2**31

    for user in range(600):
        variant, country = "ab"[drawn() < 0.5], ("de", "fr")[drawn() < 0.4]
        taste, purse = 0.1 + 0.5 * drawn(), -math.log(1.0 - drawn())
        for day in range(7):
            if drawn() < 0.55:
                continue
            pages = 1 + int(4 * drawn())
            share = taste + (0.05 if variant == "b" else 0.0)
            clicks = sum(drawn() < share for _ in range(pages))
            before, now = (round(20 * purse * drawn(), 2) for _ in range(2))
            rows.append(
                {
                    "user_id": user,
                    "variant": variant,
                    "country": country,
                    "day": dt.date(2026, 3, 2 + day),
                    "pages": pages,
                    "clicks": clicks,
                    "revenue_before": before,
                    "revenue": round(now + (1.0 if variant == "b" else 0.0), 2),
                    "bought": drawn() < 0.1,
                }
            )
    return pl.DataFrame(rows)


def relations() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Relations between entities of two documents: five of the gold, and five predicted ones.

    Of the predicted ones two are right in all, one has an argument of another type, one has a shorter span, and one is
    spurious.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Relations(*ir.examples.relations()).evaluate("F1(match='entities')").summary()["value"].item()
        0.8
    """
    names = ["doc_id", "label", *(f"{a}_{c}" for a in ("head", "tail") for c in ("start", "end", "type", "id"))]
    gold = [
        ("d1", "born_in", 0, 2, "PER", "e1", 5, 6, "LOC", "e2"),
        ("d1", "works_for", 0, 2, "PER", "e1", 8, 10, "ORG", "e3"),
        ("d1", "spouse", 0, 2, "PER", "e1", 12, 14, "PER", "e4"),
        ("d2", "born_in", 1, 3, "PER", "e5", 6, 7, "LOC", "e2"),
        ("d2", "spouse", 1, 3, "PER", "e5", 9, 10, "PER", "e6"),
    ]
    predicted = [
        gold[0],
        gold[1],
        ("d1", "works_for", 12, 14, "PER", "e4", 8, 10, "ORG", "e3"),
        ("d2", "born_in", 2, 3, "PER", "e5", 6, 7, "LOC", "e2"),
        ("d2", "spouse", 1, 3, "PER", "e5", 9, 10, "ORG", "e6"),
    ]
    return pl.DataFrame(gold, schema=names, orient="row"), pl.DataFrame(predicted, schema=names, orient="row")


def events() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Events of two documents: three of the gold with four arguments, and three predicted ones with four.

    One of them has no argument: its row has none.  It is predicted with another type.

    Example:
        >>> import ireval_frames as ir
        >>> events = ir.Relations(*ir.examples.events())
        >>> events.evaluate("F1(match='argument-classification')").summary()["value"].item()
        0.5
    """
    names = ["doc_id", "trigger_start", "trigger_end", "event_type", "argument_start", "argument_end", "role"]
    gold = [
        ("d1", 4, 5, "Attack", 0, 2, "Attacker"),
        ("d1", 4, 5, "Attack", 6, 8, "Target"),
        ("d1", 10, 11, "Meet", None, None, None),
        ("d2", 2, 3, "Attack", 0, 1, "Attacker"),
        ("d2", 2, 3, "Attack", 5, 6, "Place"),
    ]
    predicted = [
        gold[0],
        ("d1", 4, 5, "Attack", 6, 8, "Place"),
        ("d1", 10, 11, "Attack", None, None, None),
        gold[4],
        ("d2", 2, 3, "Attack", 8, 9, "Target"),
    ]
    return pl.DataFrame(gold, schema=names, orient="row"), pl.DataFrame(predicted, schema=names, orient="row")


def links() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Mentions of two documents with their entities: five of the gold, and five predicted ones.

    Entities Q1 to Q4 are in the knowledge base, NIL1 and NIL2 are not.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Links(*ir.examples.links()).evaluate("F1(on='strong_mention_match')").summary()["value"].item()
        0.8
    """
    names = ["doc_id", "start", "end", "type", "kb_id"]
    gold = [
        ("d1", 0, 5, "PER", "Q1"),
        ("d1", 9, 14, "ORG", "Q2"),
        ("d1", 20, 26, "LOC", "NIL1"),
        ("d2", 3, 8, "PER", "Q3"),
        ("d2", 10, 15, "PER", "NIL2"),
    ]
    predicted = [
        ("d1", 0, 5, "PER", "Q1"),
        ("d1", 9, 14, "ORG", "NIL1"),
        ("d1", 20, 26, "LOC", None),
        ("d2", 3, 6, "PER", "Q3"),
        ("d2", 10, 15, "LOC", "Q4"),
    ]
    return pl.DataFrame(gold, schema=names, orient="row"), pl.DataFrame(predicted, schema=names, orient="row")


def slots() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Fillers of slots of one person, judged by assessors, and five predicted ones.

    The two titles that are correct say the same, as their class tells.

    Example:
        >>> import ireval_frames as ir
        >>> slots = ir.Links(*ir.examples.slots(), doc="query_id", on=["slot", "value"], policy="tac-kbp")
        >>> slots.evaluate("NumCorrect NumRedundant NumInexact NumWrong").summary()["value"].to_list()
        [2.0, 1.0, 1.0, 1.0]
    """
    gold = [
        ("q", "title", "professor", 1, "correct"),
        ("q", "title", "prof.", 1, "correct"),
        ("q", "title", "a professor of", 0, "inexact"),
        ("q", "children", "Ada", 2, "correct"),
        ("q", "children", "Ada B.", 2, "correct"),
        ("q", "children", "Bob", 3, "correct"),
        ("q", "children", "Eve", 0, "wrong"),
    ]
    answers = [
        ("title", "professor"),
        ("title", "a professor of"),
        *(("children", n) for n in ("Ada", "Ada B.", "Eve")),
    ]
    names = ["query_id", "slot", "value", "class_id", "judgment"]
    predicted = [("q", *answer) for answer in answers]
    return pl.DataFrame(gold, schema=names, orient="row"), pl.DataFrame(predicted, schema=names[:3], orient="row")
