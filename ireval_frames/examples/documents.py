"""Tables of what is in documents: spans, tags, relations, links, mentions, segments; and text answers."""

from __future__ import annotations

import polars as pl


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


def nuggets() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """The nuggets of two queries, their labels for the answers of one system, and the lengths of these.

    Example:
        >>> import ireval_frames as ir
        >>> nuggets, assignments, answers = ir.examples.nuggets()
        >>> ir.Nuggets(nuggets, assignments, answers).evaluate("A V W").summary()["value"].round(4).to_list()
        [0.5625, 0.375, 0.5]
    """
    keys = {"query_id": ["q1"] * 4 + ["q2"] * 2, "nugget_id": [1, 2, 3, 4, 1, 2]}
    nuggets = pl.DataFrame({**keys, "importance": ["vital", "vital", "okay", "okay", "vital", "okay"]})
    labels = ["support", "partial_support", "not_support", "support", "not_support", "support"]
    return (
        nuggets,
        pl.DataFrame({**keys, "label": labels}),
        pl.DataFrame({"query_id": ["q1", "q2"], "length": [400, 80]}),
    )


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


def segments() -> pl.DataFrame:
    """A document of eight positions: segments of 3, 3 and 2 in the gold, and of 3, 2, 1 and 2 predicted.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Segmentation(ir.examples.segments()).evaluate("WindowDiff@2").summary()["value"].round(4).item()
        0.3333
    """
    gold, predicted = [1] * 3 + [2] * 3 + [3] * 2, [1] * 3 + [2] * 2 + [3] + [4] * 2
    return pl.DataFrame({"doc_id": ["d"] * 8, "position": range(8), "gold_segment": gold, "segment": predicted})


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
    return pl.DataFrame(gold, columns, orient="row"), pl.DataFrame(predicted, columns, orient="row")


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
