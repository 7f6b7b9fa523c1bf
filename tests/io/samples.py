"""A small run, and what it reads as."""

CLEAN = b"q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 1.25 bm25\n007 Q0 NA 1 -3 bm25\n"
ROWS = [("bm25", "q1", "d1", 2.5), ("bm25", "q1", "d2", 1.25), ("bm25", "007", "NA", -3.0)]
