"""Where a measure deliberately gives another number than a tool: why, a table of at most three rows, and both numbers.

The pages of measures show these, and a test runs them.  `ours` and `theirs` are expressions over the rows:

- rankings: frames `qrels` and `run`, and `judged` and `found`, which map queries to documents to grades and scores;
- labels, clusters, segmentations and spans: a `frame`, and its columns as lists;
- links and answers: frames `gold` and `predicted`;
- similarity: frames `one` and `other`, and their items in order as lists `first` and `second`.

A tool that cannot run beside the tests has its number stored (`stored=True`); `theirs` then says how it was asked for.
"""

from __future__ import annotations

from typing import Any

from tests.reference.difference import Difference, Value
from tests.reference.differences_of_documents import DIFFERENCES as OF_DOCUMENTS

LISTED = ("doc_id", "score", "relevance")
IR_MEASURES = "ir_measures.calc_aggregate([ir_measures.parse_measure({0!r})], judged, found)"


def _ir_measures(
    measure: str, why: str, rows: tuple[tuple[Any, ...], ...], ours: Value, theirs: Value, **more: Any
) -> Difference:
    name = measure.partition("(")[0].partition("@")[0]
    columns = more.pop("columns", LISTED)
    return Difference(
        name,
        "ir-measures",
        why,
        columns,
        rows,
        f'ir.evaluate(qrels, run, "{measure}")',
        ours,
        IR_MEASURES.format(measure),
        theirs,
        **more,
    )


DIFFERENCES = (
    *OF_DOCUMENTS,
    _ir_measures(
        "SetF(beta=0.5)", "It takes the given β for β².",
        (("a", 3, 1), ("b", None, 1), ("c", None, 1)), 0.7142857142857143, 0.6,
    ),
    _ir_measures(
        "RR@10", "With a cutoff it breaks ties by ascending id, without one by descending id.",
        (("a", 1, 0), ("b", 1, 0), ("c", 1, 1)), 1.0, 1 / 3,
    ),
    _ir_measures(
        "NumRel", "It does not count queries that the run lacks.",
        (("p", "a", 1, 1), ("q", "a", None, 1), ("q", "b", None, 1)), 3.0, 1.0,
        columns=("query_id", *LISTED),
    ),
    _ir_measures(
        "Accuracy", "It divides by zero where only relevant documents are found; the value is undefined.",
        (("a", 2, 1), ("b", 1, 1), ("c", None, 0)),
        None, "ZeroDivisionError",
    ),
    _ir_measures(
        "Judged@2", "It takes a negative grade (pooled, not judged) for a judgment.",
        (("a", 2, -1), ("b", 1, 1)), 0.5, 1.0,
    ),
    _ir_measures(
        "Compat(p=0.95)",
        "It looks as deep as the longer list of the two, where the authors' program looks 1000 deep; "
        "`max_depth='longest'` gives its number.",
        (("a", 3, 1), ("x", 2, None), ("b", 1, 1)), 0.9104922794193091, 0.8138471587197909,
    ),
    Difference(
        "Compat", "ir-measures",
        "Among scores below 0 it puts documents that were not retrieved before those that were.",
        LISTED, (("a", -1, 1), ("x", -2, None), ("b", None, 1)),
        "ir.evaluate(qrels, run, \"Compat(max_depth='longest')\")", 0.7564102564102564,
        IR_MEASURES.format("Compat"), 0.24358974358974358,
    ),
    Difference(
        "IPrec", "pytrec-eval-terrier",
        "It wraps version 9, which takes recall level x for reached at ⌊x·R+0.9⌋ relevant documents; "
        "version 10 rounds x·R."
        "  The policy `trec_eval-9` gives its number.",
        LISTED, (("a", 3, 1), ("b", 2, 0), ("c", 1, 1)),
        'ir.evaluate(qrels, run, "IPrec@0.6")', 1.0,
        'pytrec_eval.RelevanceEvaluator(judged, {"iprec_at_recall.0.6"}).evaluate(found)["q"]', 2 / 3,
    ),
    Difference(
        "RR", "pytrec-eval-terrier",
        "It compares scores as 32-bit floats, to which these are equal; so do all its measures."
        "  The policy `trec_eval-9` gives its number.",
        LISTED, (("a", 0.50000002, 1), ("b", 0.50000001, 0)),
        'ir.evaluate(qrels, run, "RR")', 1.0,
        'pytrec_eval.RelevanceEvaluator(judged, {"recip_rank"}).evaluate(found)["q"]', 0.5,
    ),
    Difference(
        "AP", "pytrec-eval-terrier",
        "For single queries its geometric mean is the logarithm of the value.",
        LISTED, (("a", 2, 0), ("b", 1, 1)),
        "ir.evaluate(qrels, run, \"AP(aggregation='geometric')\")", 0.5,
        'pytrec_eval.RelevanceEvaluator(judged, {"gm_map"}).evaluate(found)["q"]', -0.6931471805599453,
    ),
    Difference(
        "AP", "cwl-eval",
        "It divides by the relevant documents that were found; `over='retrieved'` gives its number.",
        LISTED, (("a", 2, 1), ("b", 1, 1), ("c", None, 1)),
        'ir.evaluate(qrels, run, "AP")', 2 / 3,
        'cwl.APCWLMetric().measure(Ranking("q", [1.0, 1.0], [1.0, 1.0], max_n=1000))', 1.0,
    ),
    Difference(
        "nDCG", "trec_eval",
        "It sorts gains closer than 1 to each other wrongly: with `-m ndcg.1=0.5,3=0.7`, the same in another order, "
        "it gives our number.",
        LISTED, (("b", 3, 1), ("a", 2, 3), ("c", None, 1)),
        'ir.evaluate(qrels, run, "nDCG(gains={1: 0.5, 3: 0.7})")', 0.7441145501341817,
        "trec_eval -m ndcg.3=0.7,1=0.5", 0.8080, stored=True,
    ),
    Difference(
        "IAP", "trec_eval",
        "It divides by the length of a list that is empty once unjudged documents are taken out.",
        LISTED, (("u", 3, None), ("a", None, 1)),
        'ir.evaluate(qrels, run, "IAP(judged_only=True)", policy="overlap=allow")', 0.0,
        "trec_eval -J -c -m 11pt_avg", "nan", stored=True,
    ),
    Difference(
        "PrefsRnonrel", "trec_eval",
        "Its code compares the non-relevant documents with each other and with themselves; "
        "`counting='trec_eval'` gives its number.",
        LISTED, (("r", 2, 1), ("v", 1, 0), ("w", None, 0)),
        'ir.evaluate(qrels, run, "PrefsRnonrel")', 1.0,
        "trec_eval -R qrels_prefs -m prefs_avgjg_Rnonrel", 0.3333, stored=True,
    ),
    Difference(
        "PrefsSimp", "trec_eval",
        "Only in its measures of preferences it breaks ties by ascending id; "
        "the policy `ties=doc_id` gives its number.",
        LISTED, (("a", 1, 1), ("b", 1, 0)),
        'ir.evaluate(qrels, run, "PrefsSimp")', 0.0,
        "trec_eval -R qrels_prefs -m prefs_simp", 1.0, stored=True,
    ),
    Difference(
        "Bpref", "ranx 0.3.21",
        "It divides by zero where no document is judged to be not relevant; "
        "trec_eval's definition gives 1 for each found one.",
        LISTED, (("x", 3, None), ("a", 2, 1), ("b", None, 1)),
        'ir.evaluate(qrels, run, "Bpref")', 0.5,
        'ranx.evaluate(qrels, run, "bpref")', "nan", stored=True,
    ),
    Difference(
        "RBP", "ranx 0.3.21",
        "It takes grades for gains, so that the value is no probability; `max_rel=3` makes gains of them.",
        LISTED, (("a", 3, 3), ("b", 2, 3), ("c", 1, 3)),
        'ir.evaluate(qrels, run, "RBP(p=0.8, max_rel=3)")', 0.488,
        'ranx.evaluate(qrels, run, "rbp.80")', 1.464, stored=True,
    ),
    Difference(
        "RR", "ranx 0.3.21",
        "It leaves tied documents as they stand in the run, in long lists in any order; so do all its measures.",
        LISTED, (("a", 1, 0), ("b", 1, 0), ("c", 1, 1)),
        'ir.evaluate(qrels, run, "RR")', 1.0,
        'ranx.evaluate(qrels, run, "mrr")', 1 / 3, stored=True,
    ),
    Difference(
        "nDCG", "scikit-learn",
        "It takes the mean over all orders of tied documents; the policy `ties=expectation` gives its number.",
        LISTED, (("a", 1, 0), ("b", 1, 0), ("c", 1, 1)),
        'ir.evaluate(qrels, run, "nDCG")', 1.0,
        "metrics.ndcg_score([[0, 0, 1]], [[1.0, 1.0, 1.0]])", 0.7103099178571525,
    ),
    Difference(
        "ERR_IA", "pyndeval",
        "At cutoff 1 it does not divide by what a list can have; so with alpha-DCG.",
        ("doc_id", "subtopic_id", "score", "relevance"), (("x", "1", 2, 1), ("x", "2", 2, 1)),
        'ir.evaluate(qrels, run, "ERR_IA@1")', 1.0,
        'pyndeval.RelevanceEvaluator([("q", "1", "x", 1), ("q", "2", "x", 1)], ["ERR-IA@1"])'
        '.evaluate([("q", "x", 2.0)])["q"]', 2.0,
    ),
    Difference(
        "Precision", "scikit-learn",
        "Where nothing is predicted to be of the class it gives 0 and warns; the value is undefined."
        "  The policy `undefined=0` gives its number.",
        ("label", "prediction"), ((0, 0), (0, 0), (1, 0)),
        'ir.Labels(frame, positive=1).evaluate("Precision")', None,
        "metrics.precision_score(label, prediction)", 0.0, family="labels",
    ),
    Difference(
        "MI", "scikit-learn",
        "It measures information in nats, we in bits; `base=2.718281828459045` gives its number.",
        ("label", "prediction"), ((0, 0), (0, 0), (1, 1)),
        'ir.Labels(frame).evaluate("MI")', 0.9182958340544896,
        "metrics.mutual_info_score(label, prediction)", 0.6365141682948128, family="labels",
    ),
    Difference(
        "BCubedR", "bcubed",
        "It leaves out items that are in no cluster; they are clusters of their own.  `policy='missing=skip'` gives "
        "its number.",
        ("label", "cluster_id"), (("a", 1), ("a", None), ("b", 2)),
        'ir.Clusters(frame).evaluate("BCubedR")', 2 / 3,
        'bcubed.recall({0: {1}, 2: {2}}, {0: {"a"}, 1: {"a"}, 2: {"b"}})', 1.0, family="clusters",
    ),
    Difference(
        "Rand", "scikit-learn",
        "It takes noise for a cluster; so do we, unless `noise_cluster=` names it.",
        ("label", "cluster_id"), (("a", 0), ("a", -1), ("b", -1)),
        'ir.Clusters(frame, noise_cluster=-1).evaluate("Rand")', 2 / 3,
        "metrics.rand_score(label, cluster_id)", 1 / 3, family="clusters",
    ),
    Difference(
        "FowlkesMallows", "scikit-learn",
        "It gives 0 where no two items are together on any side; that is 0 / 0, and undefined.",
        ("label", "cluster_id"), (("a", 0), ("b", 1), ("c", 2)),
        'ir.Clusters(frame).evaluate("FowlkesMallows")', None,
        "metrics.fowlkes_mallows_score(label, cluster_id)", 0.0, family="clusters",
    ),
    Difference(
        "RBO", "rbo",
        "Its `rbo` stops at the end of the shorter list, its `rbo_ext` extrapolates as we do; "
        "`estimate='truncated'` gives the first.",
        ("item", "first", "second"), (("a", 1, 2), ("b", 2, 1), ("c", 3, None)),
        'ir.Similarity(one, against=other).evaluate("RBO")', 0.9,
        "rbo.RankingSimilarity(first, second).rbo(p=0.9)", 0.09, family="similarity", stored=True,
    ),
    Difference(
        "Entropy", "PyEvALL",
        "It takes the share of a class and a cluster among all items for that among the cluster's items, and bits: a "
        "perfect clustering has an entropy.",
        ("label", "cluster_id"), (("a", "x"), ("a", "x"), ("b", "y")),
        'ir.Clusters(frame).evaluate("Entropy(base=2)")', 0.0,
        "Entropy", 0.43609027817842005, family="clusters", stored=True,
    ),
    Difference(
        "VI", "PyEvALL", "It does not divide by the number of items.",
        ("label", "cluster_id"), (("a", "x"), ("a", "y"), ("b", "y")),
        'ir.Clusters(frame).evaluate("VI(base=2)")', 4 / 3,
        "VariationOfInformation", 4.0, family="clusters", stored=True,
    ),
    Difference(
        "RBP", "PyEvALL", "Its gains are the grades themselves, so that it may exceed 1.",
        LISTED, (("a", 3, 2), ("b", 2, 0), ("c", 1, 1)), 'ir.evaluate(qrels, run, "RBP(max_rel=2)")', 0.264,
        "RBP", 0.528, stored=True,
    ),
    Difference(
        "RBU", "RBU",
        "It divides by zero where a retrieved document is judged for a subtopic without relevant ones; here nothing is "
        "gained for that one.",
        ("doc_id", "score", "subtopic_id", "relevance"), (("a", 2, "1", 1), ("b", 1, "2", 0)),
        "ir.evaluate(qrels, run, \"RBU(subtopics='mean')\")", 0.0392,
        "java -jar rbu-0.1.jar 0.8 0.03 gold.tsv output.tsv", "nan", stored=True,
    ),
    Difference(
        "ICMSoft", "PyEvALL", "It fails where all items have one share of a class; such a share holds no information.",
        ("item_id", "yes", "no", "p"), ((1, 1.0, 0.0, 0.75), (2, 1.0, 0.0, 0.5)),
        'ir.Labels(frame, soft_labels=["yes", "no"], probabilities={"yes": "p", "no": "p"}).evaluate("ICMSoft")', -1.0,
        "ICMSoft", "StatisticsError", family="labels", stored=True,
    ),
)  # fmt: skip
