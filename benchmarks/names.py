"""The measures that are asked, and what other tools call them."""

FIVE = ("nDCG@10", "AP", "RR", "P@10", "R@100")
FORTY = tuple(
    f"{measure}@{cutoff}" for measure in ("nDCG", "AP", "RR", "P", "R") for cutoff in (1, 3, 5, 10, 20, 50, 100, 1000)
)
HUNDRED = tuple(f"{measure}@{cutoff}" for cutoff in range(1, 21) for measure in ("nDCG", "AP", "RR", "P", "R"))

# The same as trec_eval names them.
TREC_EVAL = ("ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100")

RANX = {"nDCG@10": "ndcg@10", "AP": "map", "RR": "mrr", "P@10": "precision@10", "R@100": "recall@100"}
PYTREC_EVAL = {"nDCG@10": "ndcg_cut.10", "AP": "map", "RR": "recip_rank", "P@10": "P.10", "R@100": "recall.100"}
