"""Makes `log.csv`: result pages of a simulated shop, with users who read from the top and stop when satisfied.

Run `python data/clicks/make.py`; the same Python gives the same bytes.
"""

import csv
import random
from pathlib import Path

QUERIES = ["tea", "coffee", "mug", "kettle", "teapot", "sugar", "spoon", "cup"]
# A user goes on to the next result with this chance, and misspells a query with that one: then nothing is shown.
GOES_ON, MISSPELLS = 0.85, 0.04
NOISE = {"old": 0.6, "new": 0.15}
COLUMNS = (
    "serp_id", "session_id", "user_id", "day", "timestamp", "ranker", "query_id", "doc_id", "position", "click",
    "click_time", "dwell",
)  # fmt: skip


def main() -> None:
    """Write the log."""
    rng, rows, page = random.Random(1), [], 0
    good = {(q, d): rng.betavariate(0.8, 1.6) for q in QUERIES for d in range(8)}
    for session in range(110):
        user, clock = f"u{rng.randrange(40):02d}", 0.0
        ranker = "new" if int(user[1:]) % 2 else "old"
        query = rng.choices(QUERIES, weights=range(len(QUERIES), 0, -1))[0]
        for _ in range(3):
            page += 1
            about = (f"p{page:03d}", f"s{session:03d}", user, f"2026-03-0{1 + session * 7 // 110}", clock, ranker)
            if rng.random() < MISSPELLS:
                rows.append((*about, query[:-1] + "q", "", "", 0, "", ""))
                clock += round(rng.uniform(3, 9), 1)
                continue
            noise = NOISE[ranker]
            order = sorted(range(8), key=lambda d: -(good[query, d] + noise * rng.random()))  # noqa: B023
            shown, satisfied, spent = order[:5], False, 0.0
            reads = True
            for position, d in enumerate(shown, 1):
                clicked = reads and rng.random() < 0.15 + 0.7 * good[query, d]
                after = dwell = ""
                if clicked:
                    spent += rng.uniform(1, 6)
                    after, stayed = round(spent, 1), round(rng.expovariate(1 / (5 + 90 * good[query, d])), 1)
                    dwell, satisfied, spent = stayed, stayed >= 30, spent + stayed
                rows.append((*about, query, f"{query}-{d}", position, int(clicked), after, dwell))
                reads = reads and not (clicked and satisfied) and rng.random() < GOES_ON
            clock = round(clock + spent + rng.uniform(2, 20), 1)
            if satisfied or rng.random() < 0.5:
                break
            query = rng.choice(QUERIES)
    with (Path(__file__).parent / "log.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main()
