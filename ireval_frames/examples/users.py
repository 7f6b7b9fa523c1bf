"""Tables of users: click logs, click models, experiments, ratings."""

from __future__ import annotations

import datetime as dt
import math

import polars as pl


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


def recommendations() -> dict[str, pl.DataFrame]:
    """What four users used before, what was recommended to them, and what they used later: arguments by name.

    Example:
        >>> for name, table in recommendations().items():
        ...     print(name, table.shape)
        recs (11, 3)
        train (8, 2)
        relevant (5, 2)
        catalogue (6, 1)
        features (8, 2)
    """
    lists = {"u1": "CDE", "u2": "BE", "u3": "CFE", "u4": "BCD"}
    used = {"u1": "AB", "u2": "AC", "u3": "ABD", "u4": "A"}
    later = {"u1": "D", "u2": "BF", "u3": "F", "u4": "E"}
    of_items = {"A": [1], "B": [1], "C": [1, 2], "D": [2], "E": [3], "F": [2, 3]}

    def pairs(items: dict[str, str]) -> pl.DataFrame:
        rows = [(user, item) for user, some in items.items() for item in some]
        return pl.DataFrame(rows, schema=["user_id", "item_id"], orient="row")

    ranks = [rank for items in lists.values() for rank in range(1, len(items) + 1)]
    features = [(item, f"g{number}") for item, numbers in of_items.items() for number in numbers]
    return {
        "recs": pairs(lists).with_columns(rank=pl.Series(ranks)),
        "train": pairs(used),
        "relevant": pairs(later),
        "catalogue": pl.DataFrame({"item_id": list(of_items)}),
        "features": pl.DataFrame(features, schema=["item_id", "feature"], orient="row"),
    }


def timings() -> pl.DataFrame:
    """Ten requests to each of two systems: how long each took and what it cost; one of "b" failed.

    Example:
        >>> import ireval_frames as ir
        >>> ir.examples.timings().row(0)
        ('a', 'q1', 0.0, 0.012, 200, 0.002)
    """
    milliseconds = {
        "a": (12, 15, 11, 18, 250, 14, 13, 16, 17, 900),
        "b": (20, 22, 19, 25, 30, 21, 18, 24, 200, 140),
    }
    return pl.DataFrame(
        [
            (run, f"q{i + 1}", i * 0.1, value / 1000, 503 if (run, i) == ("b", 9) else 200, cost)
            for (run, values), cost in zip(milliseconds.items(), (0.002, 0.005), strict=True)
            for i, value in enumerate(values)
        ],
        schema={
            "run_id": pl.String,
            "query_id": pl.String,
            "started": pl.Float64,
            "seconds": pl.Float64,
            "status": pl.Int64,
            "cost": pl.Float64,
        },
        orient="row",
    )
