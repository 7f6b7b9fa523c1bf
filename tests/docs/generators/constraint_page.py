"""The page of formal constraints, `docs/constraints.md`: the verdicts that the tests hold measures to."""

from __future__ import annotations

from ireval_frames.constraints.kinds import CONSTRAINTS
from tests.constraints.verdicts import TABLES
from tests.docs.generators.markdown import escaped

INTRODUCTION = """\
# Formal constraints

A formal constraint says which of two outputs must score higher, in a case so simple that nobody doubts it.
`ir.constraints.check_constraints` makes many such cases and evaluates a measure on them, also one of your own.
The tables of this page are its verdicts; the tests hold every measure to them.

```python
import ireval_frames as ir

checked = ir.constraints.check_constraints("RBU(p=0.9) AP", instances=50)
print(*checked.select("measure", "constraint", "satisfied", "ties", "violated", "verdict").rows(), sep="\\n")
```

```text
('RBU(p=0.9)', 'priority', 50, 0, 0, 'OK')
('RBU(p=0.9)', 'deepness', 50, 0, 0, 'OK')
('RBU(p=0.9)', 'deepness threshold', 35, 0, 1, 'OK')
('RBU(p=0.9)', 'closeness threshold', 2, 0, 36, 'OK')
('RBU(p=0.9)', 'confidence', 50, 0, 0, 'OK')
('AP', 'priority', 50, 0, 0, 'OK')
('AP', 'deepness', 50, 0, 0, 'OK')
('AP', 'deepness threshold', 2, 0, 34, 'VIOLATED')
('AP', 'closeness threshold', 36, 0, 2, 'OK')
('AP', 'confidence', 0, 50, 0, 'TIES')
```

The columns `gold`, `better` and `worse` of the result are the first case that shows a verdict.
A measure *ties* where it does not react, and *fails* where it prefers the other output in some of 200 cases.
The thresholds are tried for growing n: that of deepness must hold from some n on, that of closeness for some n.
With fewer cases rare failures are missed, as those of AP above.
"""
WORDS = {"O": "OK", "T": "ties", "V": "fails"}
KINDS = {
    "retrieval": (
        "Rankings",
        {
            "priority": "swapping neighbours of which only the second is relevant makes a list better",
            "deepness": "the higher such a swap, the more it changes",
            "deepness threshold": "from some n on, one relevant document alone is better than n others followed by n "
            "relevant ones: some documents are never reached",
            "closeness threshold": "for some n, one relevant document alone is worse than n others followed by n "
            "relevant ones: some documents are always reached",
            "confidence": "a document that is not relevant, added at the end, makes a list worse",
        },
        "Amigó, Gonzalo and Verdejo, SIGIR 2013",
    ),
    "clustering": (
        "Clusterings",
        {
            "homogeneity": "splitting a cluster of two classes makes it better",
            "completeness": "merging two clusters of one class makes it better",
            "rag bag": "an item of no class is better in a cluster of many classes than in a clean one",
            "size versus quantity": "one error in a large cluster is better than one in each of many small ones",
        },
        "Amigó, Gonzalo, Artiles and Verdejo, Information Retrieval 12, 2009",
    ),
    "filtering": (
        "Filters",
        {
            "class-oriented": "outputs without information score higher the more they return",
            "utility": "such outputs score linearly in how many they return, with a slope by the number of relevant "
            "documents",
            "informativeness": "such outputs all score the same",
            "zero ends": "such outputs score 0 if they return nothing or everything, above 0 in between",
        },
        "Amigó, Gonzalo and Verdejo, SIGIR 2013",
    ),
    "ordinal": (
        "Ordered classes",
        {
            "ordinal invariance": "other numbers in the same order change nothing",
            "ordinal monotonicity": "a prediction nearer to its label, on the same side of it, is better",
            "class imbalance": "one item of a frequent class in the neighbouring class is better than one of a rare "
            "class",
        },
        "after Amigó, Gonzalo, Mizzaro and Carrillo-de-Albornoz, ACL 2020",
    ),
    "diversity": (
        "Diversity",
        {
            "aspect diversity": "a document that is relevant to one more aspect is better in the same place",
            "redundancy": "at the end, a document of a new aspect is better than one of an aspect that was there",
            "monotonic redundancy": "of two aspects that were there, a document of the less frequent one is better",
            "aspect weight": "of two new aspects, that with the larger weight is better",
        },
        "after Amigó, Spina and Carrillo-de-Albornoz, SIGIR 2018",
    ),
}
# The rows of the poster's grids, with the measures of each, and how often the cells say OK, read in rows of four.
POSTER = {
    "clustering": {
        "Purity, inverse purity, clustering F": ("Purity", "InversePurity", "PurityF", "ClusterF"),
        "Rand, Jaccard, F&M": ("Rand", "Jaccard", "FowlkesMallows"),
        "Entropy, mutual information, VI": ("Entropy", "MI", "VI"),
        "Edit distance": ("EditDistance",),
        "BCubed": ("BCubedF",),
    },
    "retrieval": {
        "P@n, RR": ("P@10", "RR"),
        "Kendall, AUC": ("GradeTau(variant='a', unretrieved=True)", "AUC(n_docs=2000)"),
        "MRR, Bpref": ("RR", "Bpref"),
        "MAP, DCG, Q-measure": ("AP", "DCG", "QMeasure"),
        "RBP": ("RBP",),
    },
}
CELLS = (2, 2, 3, 2, 4)
OPEN = """\
## The grids of the poster

The poster of SIGIR 2013 has a grid of OK and FAIL for clusterings and one for rankings.
Its text leaves the places of the cells open: it has the names of rows and columns, and the same twenty words in the
same order for both grids (that of clusterings has one more, "OK?").
Read in rows of four they have 2, 2, 3, 2 and 4 times OK.
For rankings ten more follow beside the name of a fifth constraint, confidence: five times FAIL, which we read as its
column, and five times OK, as a sixth row whose name is "???????", and which `RS` fills.
Below stand the numbers of the first four constraints, and those that each measure satisfies here: of clusterings in
both settings.
"""
CLOSING = """\
What this says:

- Of clusterings the numbers of the text fit the rows in the order of their names, but for single measures: purity and
  inverse purity satisfy 2 together, as their F does; Jaccard and Fowlkes-Mallows tie on homogeneity where no two items
  agree; of the third row only VI satisfies 3.
- Of rankings they do not: DCG satisfies 3 constraints and Bpref 2, where the third and the fourth row of the text have
  3 (that of Bpref) and 2.
  So the order of the cells is not that of the names, and a FAIL cannot be assigned to a constraint.
- RR is in two rows, as RR and as MRR, and satisfies 1.
- AP and Q satisfy deepness as published, except in rare lists that have many relevant documents between the two swaps.
- No measure of the five rows satisfies confidence, as in the text.
  Besides `RS`, set F does (`SetF`), which is in no row, and `RBU`, which counts the reader's effort.
- For filters the text has no grid: it names three families of measures, and says of `RS` that its ends are 0.
"""


def page() -> str:
    """The text of the page."""
    lines = [INTRODUCTION]
    for kind, (title, statements, source) in KINDS.items():
        assert list(statements) == list(CONSTRAINTS[kind].verdicts)  # type: ignore[index]
        lines += [f"## {title}", "", f'`kind="{kind}"`; {source}.', ""]
        lines += [f"- *{name}*: {statement}." for name, statement in statements.items()]
        if kind == "clustering":
            lines += ["", "Two verdicts are those of closed and of open cases, where the classes have items elsewhere."]
        lines += ["", f"| measure | {' | '.join(statements)} |", f"|{'---|' * (len(statements) + 1)}"]
        lines += [f"| {escaped(f'`{name}`')} | {' | '.join(verdicts)} |" for name, verdicts in _rows(kind)]
        lines.append("")
    lines.append(OPEN)
    for kind, rows in POSTER.items():
        lines += [f"| {KINDS[kind][0].lower()} | OK in the text | satisfied here |", "|---|---|---|"]
        for (row, measures), cells in zip(rows.items(), CELLS, strict=True):
            lines.append(f"| {escaped(row)} | {cells} of 4 | {', '.join(_satisfied(kind, m) for m in measures)} |")
        lines.append("")
    lines.append(CLOSING.strip("\n"))
    return "\n".join(lines) + "\n"


def _rows(kind: str) -> list[tuple[str, list[str]]]:
    """The measures of a kind with their verdicts as words; of two settings both, where they differ."""
    return [(name, _words(kind, letters)) for name, letters in TABLES[kind].items()]


def _words(kind: str, letters: str) -> list[str]:
    groups = letters.split() if kind == "clustering" else list(letters)
    return [" / ".join(WORDS[c] for c in dict.fromkeys(group)) for group in groups]


def _satisfied(kind: str, measure: str) -> str:
    """How many of the first four constraints a measure satisfies."""
    number = sum(words == "OK" for words in _words(kind, TABLES[kind][measure])[:4])
    return escaped(f"`{measure}` {number}")
