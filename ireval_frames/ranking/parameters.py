"""Parameters that measures of several files have, and the sources they name."""

from ireval_frames.parameters import flag, number, whole

REL = number(1.0, "the lowest grade that counts as relevant")
CUTOFF = whole(None, "only the first so many documents count")
NEEDED = whole(what="only the first so many documents count")
JUDGED_ONLY = flag(what="take unjudged documents out before ranks are given")
DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TREC_EVAL = "trec_eval (NIST)"
