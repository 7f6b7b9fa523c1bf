# /// script
# requires-python = ">=3.10"
# dependencies = []
# ///
"""Write the tables of this folder: worked examples of teaching texts and their figures.

    python data/worked/make.py

The inputs and the printed figures are typed from the texts (see README.md). The values are
computed here from the definitions, by plain loops, and owe nothing to the printed figures.
"""

import csv
import math
from pathlib import Path

HERE = Path(__file__).parent


# --- definitions ------------------------------------------------------------------------
# A ranking is the list of grades in rank order; rels is all positive grades of the query,
# retrieved or not.


def precision(grades, k):
    return sum(g > 0 for g in grades[:k]) / k


def recall(grades, rels, k):
    return sum(g > 0 for g in grades[:k]) / len(rels)


def average_precision(grades, rels):
    return math.fsum(precision(grades, k) for k, g in enumerate(grades, 1) if g > 0) / len(rels)


def reciprocal_rank(grades):
    return next((1 / k for k, g in enumerate(grades, 1) if g > 0), 0.0)


def interpolated(points, level):
    # The levels are exact tenths, so a recall of 0.3 must not miss the level 0.3.
    return max((p for p, r in points if r >= level - 1e-12), default=0.0)


def eleven_points(points):
    return math.fsum(interpolated(points, i / 10) for i in range(11)) / 11


def discount(rank, form):
    return 1 / math.log2(max(rank, 2)) if form == "jk" else 1 / math.log2(rank + 1)


def gain(grade, form):
    return 2**grade - 1 if form == "exp-log2" else grade


def dcg(grades, k, form):
    return math.fsum(gain(g, form) * discount(i, form) for i, g in enumerate(grades[:k], 1))


def ndcg(grades, rels, k, form):
    return dcg(grades, k, form) / dcg(sorted(rels, reverse=True), k, form)


def evaluate(measure, grades, rels):
    """The value of a measure written as in the tables."""
    name, _, cutoff = measure.partition("@")
    name, _, form = name.partition("(dcg='")
    form = form.rstrip("')") or "log2"
    points = [(precision(grades, k), recall(grades, rels, k)) for k in range(1, len(grades) + 1)]
    if name == "IPrec":
        return interpolated(points, float(cutoff))
    k = int(cutoff) if cutoff else None
    return {
        "AP": lambda: average_precision(grades, rels),
        "RR": lambda: reciprocal_rank(grades),
        "Rprec": lambda: precision(grades, len(rels)),
        "IAP": lambda: eleven_points(points),
        "P": lambda: precision(grades, k),
        "R": lambda: recall(grades, rels, k),
        "CG": lambda: float(sum(grades[:k])),
        "DCG": lambda: dcg(grades, k, form),
        "nDCG": lambda: ndcg(grades, rels, k, form),
    }[name]()


# --- the tables -------------------------------------------------------------------------

TABLES = {}
EXPECTED = ["value", "printed", "digits", "note", "agrees"]


def add(table, **row):
    TABLES.setdefault(table, []).append(row)


def figure(value, printed="", note=""):
    """The last columns of an expected figure; printed is the text's own spelling."""
    digits = agrees = ""
    if printed == "NA":
        agrees = "yes" if value is None else "no"
    elif printed:
        digits = len(printed.partition(".")[2])
        agrees = "yes" if abs(value - float(printed)) <= 0.5 * 10**-digits * (1 + 1e-9) else "no"
    assert agrees != "no" or note, (value, printed)
    shown = "NA" if value is None else repr(float(value))
    return {"value": shown, "printed": printed, "digits": digits, "note": note, "agrees": agrees}


def ranking(example, ranked, judged, expected, query_id="q1"):
    """ranked: doc ids in order; judged: grade by doc id; expected: (measure, printed, note)."""
    for doc_id, grade in judged.items():
        add("rankings_qrels", example=example, query_id=query_id, doc_id=doc_id, relevance=grade)
    for rank, doc_id in enumerate(ranked, 1):
        score = len(ranked) + 1 - rank
        add("rankings_run", example=example, query_id=query_id, doc_id=doc_id, rank=rank, score=score)
    grades = [judged.get(d, 0) for d in ranked]
    rels = [g for g in judged.values() if g > 0]
    for measure, printed, note in expected:
        value = evaluate(measure, grades, rels)
        row = figure(value, printed, note)
        add("rankings_expected", example=example, query_id=query_id, measure=measure, **row)
    return grades, rels


def table(measure, printed, notes=None):
    """One expected figure for each cutoff 1, 2, 3 …, printed as one string."""
    notes = notes or {}
    return [(f"{measure}@{k}", p, notes.get(k, "")) for k, p in enumerate(printed.split(), 1)]


# ist2018: precision against recall

JUDGED = {d: int(d in ("d2", "d5", "d8", "d15")) for d in [f"d{i}" for i in range(1, 11)] + ["d15"]}
NOT_PRINTED = "not printed in the text"
ranking(
    "ist2018-precision-recall",
    [f"d{i}" for i in range(1, 11)],
    JUDGED,
    [
        ("P@2", "0.50", ""),
        ("R@2", "0.25", ""),
        ("P@5", "0.40", ""),
        ("R@5", "0.50", ""),
        ("P@8", "0.38", ""),
        ("R@8", "0.75", ""),
    ]
    + [
        (f"IPrec@{i / 10}", p, "")
        for i, p in enumerate("0.50 0.50 0.50 0.40 0.40 0.40 0.38 0.38 0.00 0.00 0.00".split())
    ]
    + [(m, "", NOT_PRINTED) for m in ("IAP", "AP", "Rprec", "RR", "P@10", "R@10")],
)

# irmetrics: three systems, and graded positions

JUDGED = {f"d{i}": int(i in (1, 2, 5)) for i in range(1, 11)}
for system, order, printed, note in [
    (
        1,
        [1, 5, 4, 6, 7, 2],
        "0.89",
        "the third relevant document is at rank 6 and adds 3/6, not 2/6; and (1 + 1 + 2/6)/3 is 7/9, not 8/9",
    ),
    (2, [1, 2, 5, 3, 4], "1", ""),
    (3, [6, 7, 1, 2, 3, 4, 5], "0.41", "(1/3 + 2/4 + 3/7)/3 is 0.4206, which is 0.42 both rounded and cut off"),
]:
    ranking(f"irmetrics-ap-system{system}", [f"d{i}" for i in order], JUDGED, [("AP", printed, note)])

ranking(
    "irmetrics-ndcg",
    [f"d{i}" for i in range(1, 6)],
    dict(zip([f"d{i}" for i in range(1, 6)], [2, 1, 2, 0, 1])),
    [
        (
            "DCG(dcg='exp-log2')@5",
            "",
            NOT_PRINTED + "; gain 2^r - 1, discount 1/log(1 + position); the text gives no base, here 2",
        ),
        ("nDCG(dcg='exp-log2')@5", "", NOT_PRINTED + "; the base of the logarithm cancels"),
    ],
)

# manrique: precision and recall at K, 20 relevant documents of which 13 are not retrieved

HITS = {1, 3, 4, 5, 6, 7, 9}
ranked = [f"d{i:02}" for i in range(1, 11)]
judged = {d: int(i in HITS) for i, d in enumerate(ranked, 1)} | {f"u{i:02}": 1 for i in range(1, 14)}
ranking(
    "manrique-at-k",
    ranked,
    judged,
    table("P", "1.0 0.5 0.67 0.75 0.80 0.83 0.86 0.75 0.78 0.70")
    + table("R", "0.05 0.05 0.10 0.15 0.20 0.25 0.30 0.30 0.35 0.35"),
)

# manrique: average precision, 10 relevant documents, all among 20 retrieved

HITS = {1, 3, 4, 5, 6, 7, 9, 11, 14, 20}
ranked = [f"d{i:02}" for i in range(1, 21)]
judged = {d: int(i in HITS) for i, d in enumerate(ranked, 1)}
R_BASE = "0.10 0.10 0.20 0.30 0.40 0.50 0.60 0.60 0.70 0.70 0.80 0.80 0.80 0.90 0.90 0.90 0.90 0.90 0.90 1.00"
P_BASE = "1.00 0.50 0.67 0.75 0.80 0.83 0.86 0.75 0.78 0.70 0.73 0.67 0.62 0.64 0.60 0.56 0.53 0.50 0.47 0.50"


def exchanged(i, j):
    order = list(ranked)
    order[i - 1], order[j - 1] = order[j - 1], order[i - 1]
    return order


def with_figure(figures, rank, printed):
    figures = figures.split()
    figures[rank - 1] = printed
    return " ".join(figures)


ranking("manrique-ap-base", ranked, judged, table("R", R_BASE) + table("P", P_BASE) + [("AP", "0.76", "")])
ranking(
    "manrique-ap-swap-2-3",
    exchanged(2, 3),
    judged,
    table("R", with_figure(R_BASE, 2, "0.20")) + table("P", with_figure(P_BASE, 2, "1.00")) + [("AP", "0.79", "")],
)
ranking(
    "manrique-ap-swap-8-9",
    exchanged(8, 9),
    judged,
    table("R", with_figure(R_BASE, 8, "0.70")) + table("P", with_figure(P_BASE, 8, "0.88")) + [("AP", "0.77", "")],
)
ranking(
    "manrique-ap-best",
    ranked,
    {d: int(i <= 10) for i, d in enumerate(ranked, 1)},
    table("R", "0.10 0.20 0.30 0.40 0.50 0.60 0.70 0.80 0.90" + " 1.00" * 11)
    + table("P", "1.00 " * 10 + "0.91 0.83 0.77 0.71 0.67 0.63 0.59 0.56 0.53 0.50")
    + [("AP", "1.00", "")],
)
ranking(
    "manrique-ap-worst",
    ranked,
    {d: int(i > 10) for i, d in enumerate(ranked, 1)},
    table("R", "0.00 " * 10 + "0.10 0.20 0.30 0.40 0.50 0.60 0.70 0.80 0.90 1.00")
    + table("P", "0.00 " * 10 + "0.09 0.17 0.23 0.29 0.33 0.38 0.41 0.44 0.47 0.50")
    + [("AP", "0.33", "")],
)

# manrique: discounted cumulative gain in the original form


def steps(example, grades, form, columns):
    """The text's working by rank: columns is (quantity, printed string, notes by rank)."""
    for quantity, printed, notes in columns:
        for rank, shown in enumerate(printed.split(), 1):
            d = discount(rank, form)
            value = {"discount": d, "divisor": 1 / d, "gain": grades[rank - 1] * d}[quantity]
            row = figure(value, shown, notes.get(rank, ""))
            add("rankings_steps", example=example, query_id="q1", rank=rank, quantity=quantity, **row)


JK = "DCG(dcg='jk')"
GRADES = [4, 3, 4, 2, 0, 0, 0, 1, 1, 0]
ranked = [f"d{i:02}" for i in range(1, 11)]
judged = dict(zip(ranked, GRADES))
ideal = sorted(ranked, key=lambda d: (-judged[d], d))
ranking(
    "manrique-dcg",
    ranked,
    judged,
    table(JK, "4.00 7.00 9.52 10.52 10.52 10.52 10.52 10.86 11.17 11.17")
    + [
        ("nDCG(dcg='jk')@2", "0.875", ""),
        ("nDCG(dcg='jk')@10", "0.9538", "11.17/11.71, divided after rounding; unrounded 0.9541"),
    ],
)
ranking(
    "manrique-dcg-ideal",
    ideal,
    judged,
    table(JK, "4 8 9.89 10.89 11.32 11.71 11.71 11.71 11.71 11.71"),
)
steps(
    "manrique-dcg",
    GRADES,
    "jk",
    [
        ("discount", "1.00 1.00 0.63 0.50 0.43 0.39 0.36 0.33 0.32 0.30", {}),
        ("gain", "4.00 3.00 2.52 1.00 0.00 0.00 0.00 0.33 0.32 0.00", {}),
    ],
)
steps(
    "manrique-dcg-ideal",
    sorted(GRADES, reverse=True),
    "jk",
    [
        ("discount", "1 1 0.63 0.5 0.43 0.39 0.36 0.33 0.32 0.3", {}),
        ("gain", "4 4 1.89 1 0.43 0.39 0 0 0 0", {}),
    ],
)

# manrique: which list is the best possible at a cutoff

GRADES = [4, 4, 3, 3, 3, 2, 2, 0, 0]
POOL = [f"d{i}" for i in range(1, 10)]
BEST = "the text calls this list a best possible one at this cutoff; " + NOT_PRINTED
for example, order, cutoff in [
    ("manrique-best-at-1a", "d1 d3 d4 d5 d2 d6 d7 d8 d9", 1),  # 4 3 3 3 4 2 2 0 0
    ("manrique-best-at-1b", "d1 d8 d9 n1 n2 d2 n3 n4 n5", 1),  # 4 0 0 0 0 4 0 0 0
    ("manrique-best-at-4", "d1 d2 d3 d4", 4),  # 4 4 3 3
]:
    ranking(example, order.split(), dict(zip(POOL, GRADES)), [(f"nDCG(dcg='jk')@{cutoff}", "", BEST)])

# cs4104: average precision and its mean

CUT = "cut off, not rounded"
ranked = [f"D{i}" for i in range(1, 9)]
Q1, Q2, Q2_MAP = [1, 0, 1, 1, 1, 0, 0, 1], [1, 0, 1, 0, 1, 1, 0, 1], [1, 0, 1, 0, 1, 1, 0, 0]
P_PRINTED = "1 0.5 0.66 0.75 0.8 0.66 0.57 0.63"
DIVISOR = "divides by the relevant documents found in the list; the same as R only because no other is known"
WRONG_P = "printed as for q1; it does not follow from q2's relevance list"
SUMS = {}
for example, second, printed_second, note in [
    ("cs4104-ap", Q2, "0.75", "computed with the wrong precision 0.80 at rank 5; " + DIVISOR),
    (
        "cs4104-map",
        Q2_MAP,
        "0.75",
        "computed with 0.80 at rank 5 and with rank 8 in place of rank 6; the terms printed give 0.77; " + DIVISOR,
    ),
]:
    for query_id, grades, ap, ap_note in [("q1", Q1, "0.77", DIVISOR), ("q2", second, printed_second, note)]:
        judged = dict(zip(ranked, grades))
        cut = {3: CUT, 6: CUT}
        wrong = {} if query_id == "q1" else {4: WRONG_P, 5: WRONG_P}
        if sum(grades) < 5:
            wrong[8] = WRONG_P
        expected = table("P", P_PRINTED, cut | wrong) + [("AP", ap, ap_note)]
        SUMS[example, query_id] = average_precision(*ranking(example, ranked, judged, expected, query_id))
mean = (SUMS["cs4104-map", "q1"] + SUMS["cs4104-map", "q2"]) / 2
add(
    "rankings_expected",
    example="cs4104-map",
    query_id="all",
    measure="AP",
    **figure(mean, "0.76", "the mean of the text's own two figures; the second is wrong"),
)

# cs4104: cumulative gain, plain and discounted

GRADES = [3, 2, 3, 0, 1, 2]
ranked = [f"D{i}" for i in range(1, 7)]
judged = dict(zip(ranked, GRADES))
FORMULA = "the formula is printed with rel - 1 and log2 i + 1; the figures are those of rel / log2(i + 1)"
ranking(
    "cs4104-dcg",
    ranked,
    judged,
    [
        ("CG@6", "11", ""),
        ("DCG@6", "6.9", FORMULA),
        ("nDCG@6", "0.96", FORMULA + "; 6.9/7.2 of figures already rounded, and 7.2 is itself wrong"),
    ],
)
ranking(
    "cs4104-dcg-ideal",
    sorted(ranked, key=lambda d: (-judged[d], d)),
    judged,
    [("DCG@6", "7.2", "the six terms printed add up to 7.1, the true terms to 7.14")],
)
DIVISORS = "1 1.6 2 2.3 2.6 2.8"
steps("cs4104-dcg", GRADES, "log2", [("divisor", DIVISORS, {}), ("gain", "3 1.3 1.5 0 0.4 0.7", {})])
steps(
    "cs4104-dcg-ideal",
    sorted(GRADES, reverse=True),
    "log2",
    [("divisor", DIVISORS, {}), ("gain", "3 1.8 1 0.9 0.4 0", {2: CUT + ": 3/log2(3) = 1.89"})],
)

# cs4104: interpolated precision from bare points

P = [0.1, 0.5, 0.6, 0.6, 0.5, 0.5, 0.7, 0.9, 1]
R = [1, 0.9, 0.7, 0.5, 0.4, 0.4, 0.3, 0.1, 0]
for i, (p, r) in enumerate(zip(P, R), 1):
    add("curves_points", example="cs4104-interpolated", point=i, precision=p, recall=r)
SIGN = "the formula is printed as a maximum over recalls up to r; the figure takes recalls from r upwards"
PRINTED = "1 0.9 0.7 0.7 0.6 0.6 0.6 0.6 0.5 0.5 0.1".split()
for i, p in enumerate(PRINTED):
    note = SIGN if i in (0, 5, 9, 10) else ""
    row = figure(interpolated(list(zip(P, R)), i / 10), p, note)
    add("curves_expected", example="cs4104-interpolated", measure=f"IPrec@{i / 10}", **row)
add("curves_expected", example="cs4104-interpolated", measure="IAP", **figure(eleven_points(list(zip(P, R))), "0.62"))

# cs4104: five models over one corpus of 120 documents, 100 of them relevant


def ratio(a, b):
    return a / b if b else None


FROM_COUNTS = "undefined because P is; from the counts, 2TP/(2TP + FP + FN) would be 0"
TIMES_100 = NOT_PRINTED + "; the text defines it times 100"
MODELS = {
    1: (80, 0, 20, 20, "1", "0.8", "0.83", "0.89"),
    2: (70, 20, 30, 0, "0.78", "0.7", "0.58", "0.74"),
    3: (100, 20, 0, 0, "0.83", "1", "0.83", "0.91"),
    4: (0, 0, 100, 20, "NA", "0", "0.16", "NA"),
    5: (50, 0, 50, 20, "1", "0.5", "0.58", "0.67"),
}
for model, (tp, fp, fn, tn, p, r, accuracy, f1) in MODELS.items():
    add("labels_confusion", example="cs4104-models", model=model, tp=tp, fp=fp, fn=fn, tn=tn)
    pr, re = ratio(tp, tp + fp), ratio(tp, tp + fn)
    harmonic = None if pr is None or re is None else ratio(2 * pr * re, pr + re)
    margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    rows = [
        ("P", pr, p, "0/0" if pr is None else ""),
        ("R", re, r, ""),
        ("Accuracy", (tp + tn) / 120, accuracy, CUT if accuracy == "0.16" else ""),
        ("F1", harmonic, f1, FROM_COUNTS if pr is None else ""),
        ("FallOut", ratio(fp, fp + tn), "", NOT_PRINTED),
        ("Specificity", ratio(tn, tn + fp), "", NOT_PRINTED),
        ("MCC", ratio(tp * tn - fp * fn, math.sqrt(margins)), "", NOT_PRINTED + ("" if margins else "; 0/0")),
        ("Jaccard", ratio(tp, tp + fp + fn), "", TIMES_100),
    ]
    for measure, value, printed, note in rows:
        row = figure(value, printed, note)
        add("labels_expected", example="cs4104-models", model=model, measure=measure, label="", **row)

# ist2018: a confusion matrix of three classes; M[i][j] counts class i assigned to class j

M = [[5, 0, 0], [1, 3, 0], [1, 2, 4]]
for i, line in enumerate(M, 1):
    for j, count in enumerate(line, 1):
        add("labels_matrix", example="ist2018-confusion", label=i, prediction=j, count=count)
total = sum(map(sum, M))
diagonal = sum(M[i][i] for i in range(3))
precisions = [M[i][i] / sum(line[i] for line in M) for i in range(3)]
recalls = [M[i][i] / sum(M[i]) for i in range(3)]
f1s = [2 * p * r / (p + r) for p, r in zip(precisions, recalls)]
rows = [("Accuracy", "", diagonal / total)]
for name, values in (("P", precisions), ("R", recalls), ("F1", f1s)):
    rows += [(name, i, v) for i, v in enumerate(values, 1)]
    rows.append((f"{name}(average='micro')", "", diagonal / total))
    rows.append((f"{name}(average='macro')", "", math.fsum(values) / 3))
for measure, label, value in rows:
    note = NOT_PRINTED
    if measure == "F1(average='macro')":
        note += "; the mean of the three F1, not the F1 of the mean precision and recall"
    row = figure(value, "", note)
    add("labels_expected", example="ist2018-confusion", model="", measure=measure, label=label, **row)

# iir2008: seventeen documents of three classes in three clusters, by the definitions of ist2018 and of irmetrics

CLUSTERS = {1: "xxxxxo", 2: "xooood", 3: "xxddd"}
documents = [(label, cluster) for cluster, labels in CLUSTERS.items() for label in labels]
for i, (label, cluster) in enumerate(documents, 1):
    add("clusters_items", example="iir2008-clusters", item_id=f"d{i}", label=label, cluster_id=cluster)
n = len(documents)
tp = fp = fn = tn = 0
for i, (a, b) in enumerate(documents):
    for c, d in documents[:i]:
        tp, fp, fn, tn = tp + (a == c and b == d), fp + (a != c and b == d), fn + (a == c and b != d), tn + (a != c and b != d)


def entropy(parts):
    return -math.fsum(len(p) / n * math.log(len(p) / n) for p in parts)


def grouped(key):
    return [[x for x in documents if key(x) == k] for k in dict.fromkeys(map(key, documents))]


classes, clusters, cells = (grouped(key) for key in (lambda x: x[0], lambda x: x[1], lambda x: x))
h_classes, h_clusters = entropy(classes), entropy(clusters)
shared = h_classes + h_clusters - entropy(cells)
homogeneity, completeness = shared / h_classes, shared / h_clusters
expected = (tp + fp) * (tp + fn) / (tp + fp + fn + tn)
for measure, value, printed, note in [
    ("Purity", sum(max(map(labels.count, labels)) for labels in CLUSTERS.values()) / n, "0.71", ""),
    ("NMI", 2 * shared / (h_classes + h_clusters), "0.36", ""),
    ("Rand", (tp + tn) / (tp + fp + fn + tn), "0.68", ""),
    ("PairPrecision", tp / (tp + fp), "0.5", ""),
    ("PairRecall", tp / (tp + fn), "0.455", ""),
    ("PairF", 2 * tp / (2 * tp + fp + fn), "0.48", ""),
    ("PairF(beta=5)", 26 * tp / (26 * tp + 25 * fn + fp), "0.456", ""),
    ("AdjustedRand", (tp - expected) / ((2 * tp + fp + fn) / 2 - expected), "", NOT_PRINTED),
    ("MI", shared, "", NOT_PRINTED + "; in nats"),
    ("Homogeneity", homogeneity, "", NOT_PRINTED),
    ("Completeness", completeness, "", NOT_PRINTED),
    ("V", 2 * homogeneity * completeness / (homogeneity + completeness), "", NOT_PRINTED),
    ("FowlkesMallows", tp / math.sqrt((tp + fp) * (tp + fn)), "", NOT_PRINTED),
]:
    add("clusters_expected", example="iir2008-clusters", measure=measure, **figure(value, printed, note))

# cs4104: nine points of a plane in three clusters and one alone, by the text's definitions and those of irmetrics

POINTS = [(0, 0, "a"), (0, 2, "a"), (2, 0, "a"), (2, 2, "a"), (6, 6, "b"), (6, 9, "b"), (9, 6, "b"), (12, 0, "c"), (12, 2, "c"), (20, 20, "d")]
for i, (x, y, k) in enumerate(POINTS, 1):
    add("points_items", example="cs4104-points", item_id=f"p{i}", x=x, y=y, cluster_id=k)
members = {k: [p[:2] for p in POINTS if p[2] == k] for k in "abcd"}
centre = {k: tuple(math.fsum(c) / len(m) for c in zip(*m)) for k, m in members.items()}
middle = tuple(math.fsum(p[i] for p in POINTS) / len(POINTS) for i in (0, 1))


def silhouette(itself):
    """The mean over points; `itself` says whether a point counts among its cluster's, as in the text."""
    values = []
    for i, (x, y, k) in enumerate(POINTS):
        mean = {m: math.fsum(math.dist((x, y), p) for p in ps) / len(ps) for m, ps in members.items()}
        own = len(members[k])
        inner = mean[k] if itself else mean[k] * own / (own - 1) if own > 1 else 0
        outer = min(v for m, v in mean.items() if m != k)
        values.append((outer - inner) / max(inner, outer) if own > 1 else 0)
    return math.fsum(values) / len(values)


squares = math.fsum(math.dist(p, centre[k]) ** 2 for k, ps in members.items() for p in ps)
between = math.fsum(len(ps) * math.dist(centre[k], middle) ** 2 for k, ps in members.items())
spread = {k: math.fsum(math.dist(p, centre[k]) for p in ps) / len(ps) for k, ps in members.items()}
worst = [max((spread[k] + spread[m]) / math.dist(centre[k], centre[m]) for m in members if m != k) for k in members]
LITERAL = "the text divides by the size of the point's cluster, itself included"
for measure, value, note in [
    ("Silhouette", silhouette(itself=False), "as in irmetrics: the other points of the cluster"),
    ("Silhouette(self_in_mean=True)", silhouette(itself=True), LITERAL),
    ("DaviesBouldin", math.fsum(worst) / len(worst), ""),
    ("CalinskiHarabasz", between / 3 / (squares / (len(POINTS) - 4)), "with squared norms; the text prints none"),
    ("SSE", squares, "with squared distances; irmetrics says distance"),
]:
    row = figure(value, "", NOT_PRINTED + (f"; {note}" if note else ""))
    add("points_expected", example="cs4104-points", measure=measure, **row)


def main():
    for name, rows in TABLES.items():
        with open(HERE / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        wrong = sum(r.get("agrees") == "no" for r in rows)
        print(f"{name}.csv: {len(rows)} rows" + (f", {wrong} where the text prints another figure" if wrong else ""))


if __name__ == "__main__":
    main()
