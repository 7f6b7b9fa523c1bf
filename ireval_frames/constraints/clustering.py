"""The constraints on clustering: homogeneity, completeness, rag bag, size versus quantity.

In a *closed* case the classes of a constraint are only in its clusters; in an *open* one they have further items in
other clusters (for size versus quantity the large one, for rag bag the clean one).  All cases have other clusters of
other classes.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from ireval_frames.constraints.cases import Case, Verdict, always

VERDICTS: Mapping[str, Verdict] = dict.fromkeys(
    ("homogeneity", "completeness", "rag bag", "size versus quantity"), always
)
SETTINGS = ("closed", "open")


def cases(constraint: str, n: int, rng: random.Random, setting: str) -> list[Case]:
    """Random cases of a constraint."""
    return [_RANDOM[constraint](_CaseBuilder(rng, constraint, setting)) for _ in range(n)]


class _CaseBuilder:
    """Builds a case."""

    def __init__(self, rng: random.Random, constraint: str, setting: str) -> None:
        self.rng, self.constraint, self.setting = rng, constraint, setting
        self.gold: dict[str, str] = {}
        self.clusters: dict[str, str] = {}
        self._around()

    def items(self, label: str, number: int, cluster: str) -> list[str]:
        """New items of a class in a cluster."""
        start = sum(c == label for c in self.gold.values())
        names = [f"{label}{start + i + 1}" for i in range(number)]
        self.gold |= dict.fromkeys(names, label)
        self.clusters |= dict.fromkeys(names, cluster)
        return names

    def _around(self) -> None:
        """Other clusters of other classes, mixed."""
        for _ in range(self.rng.choice([0, 3, 10, 20] if self.setting == "closed" else [5, 10, 20])):
            self.items(f"x{self.rng.randint(1, 4)}_", 1, f"around{self.rng.randint(1, 4)}")

    def elsewhere(self, *labels: str) -> None:
        """Add further items of these classes to other clusters of open cases."""
        if self.setting == "closed":
            return
        for label in labels:
            for _ in range(self.rng.randint(1, 3)):
                self.items(label, self.rng.choice([1, 1, 2, 4, 8]), f"around{self.rng.randint(1, 4)}")

    def case(self, better: Mapping[str, str], worse: Mapping[str, str]) -> Case:
        """The case, with the changes of each output."""
        return Case(self.constraint, self.gold, {**self.clusters, **better}, {**self.clusters, **worse}, self.setting)


def _homogeneity(m: _CaseBuilder) -> Case:
    """Splitting a cluster of two classes into its classes makes it better."""
    m.items("a", m.rng.randint(1, 5), "C")
    b = m.items("b", m.rng.randint(1, 5), "C")
    m.elsewhere("a", "b")
    return m.case(dict.fromkeys(b, "D"), {})


def _completeness(m: _CaseBuilder) -> Case:
    """Merging two clusters of one class makes it better."""
    m.items("a", m.rng.randint(1, 5), "C")
    other = m.items("a", m.rng.randint(1, 5), "D")
    m.elsewhere("a")
    return m.case(dict.fromkeys(other, "C"), {})


def _rag_bag(m: _CaseBuilder) -> Case:
    """An unrelated item does less harm in a cluster of many classes than in one of a single class."""
    n = m.rng.randint(2, 8)
    m.items("a", n, "clean")
    for i in range(n):
        m.items(f"b{i + 1}_", 1, "rag_bag")
    new = m.items("c", 1, "new")
    m.elsewhere("a")
    return m.case(dict.fromkeys(new, "rag_bag"), dict.fromkeys(new, "clean"))


def _size_versus_quantity(m: _CaseBuilder) -> Case:
    """One error in a large cluster is better than an error in each of many small ones."""
    n = m.rng.randint(2, 8)
    big = m.items("a", n + 1, "C")
    pairs = [m.items(f"b{i + 1}_", 2, f"D{i + 1}") for i in range(n)]
    m.elsewhere("a")
    return m.case({big[-1]: "E"}, {pair[1]: f"E{i + 1}" for i, pair in enumerate(pairs)})


_RANDOM = {
    "homogeneity": _homogeneity,
    "completeness": _completeness,
    "rag bag": _rag_bag,
    "size versus quantity": _size_versus_quantity,
}


def text(output: Mapping[str, int | str]) -> str:
    """Clusters as text; the name of an item is its class and a number."""
    clusters: dict[int | str, list[str]] = {}
    for item, cluster in output.items():
        clusters.setdefault(cluster, []).append(item)
    return " ".join(f"{{{' '.join(items)}}}" for items in clusters.values())
