"""The four counts of pairs of items, and further indices that are functions of them."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.clusters.context import ClusterContext
from ireval_frames.clusters.pairs import DESGRAUPES
from ireval_frames.expr import Expr
from ireval_frames.parameters import ANY_NUMBER, UPWARDS, flag


@measure(
    "clusters",
    "PairTP",
    at="",
    range=UPWARDS,
    higher_is_better=True,
    undefined=None,
    formula="Σ_ij C(n_ij, 2)",
    source="Hubert and Arabie, 1985",
)
def PairTP(c: ClusterContext) -> Expr:
    """The number of pairs of items in the same class and the same cluster.

    Weights must be whole numbers.

    Range: 0 to C(n, 2).  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("PairTP").summary()["value"].item()
        20.0
    """
    return c.pairs.tp


@measure(
    "clusters",
    "PairFP",
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="Σ_j C(b_j, 2) − TP",
    source="Hubert and Arabie, 1985",
)
def PairFP(c: ClusterContext) -> Expr:
    """The number of pairs of items in the same cluster, but in different classes.

    Weights must be whole numbers.

    Range: 0 to C(n, 2).  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("PairFP").summary()["value"].item()
        20.0
    """
    return c.pairs.fp


@measure(
    "clusters",
    "PairFN",
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="Σ_i C(a_i, 2) − TP",
    source="Hubert and Arabie, 1985",
)
def PairFN(c: ClusterContext) -> Expr:
    """The number of pairs of items in the same class, but in different clusters.

    Weights must be whole numbers.

    Range: 0 to C(n, 2).  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("PairFN").summary()["value"].item()
        24.0
    """
    return c.pairs.fn


@measure(
    "clusters",
    "PairTN",
    at="",
    range=UPWARDS,
    higher_is_better=True,
    undefined=None,
    formula="C(n, 2) − TP − FP − FN",
    source="Hubert and Arabie, 1985",
)
def PairTN(c: ClusterContext) -> Expr:
    """The number of pairs of items in different classes and different clusters.

    Weights must be whole numbers.

    Range: 0 to C(n, 2).  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("PairTN").summary()["value"].item()
        72.0
    """
    return c.pairs.tn


@measure(
    "clusters",
    "Mirkin",
    at="",
    parameters={"normalized": flag(what="divide by the number of pairs, which gives 1 − Rand")},
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="FP + FN",
    source="Mirkin, 1996",
)
def Mirkin(c: ClusterContext, *, normalized: bool) -> Expr:
    """The number of pairs of items that are together on one side only.

    Mirkin = FP + FN.  Texts that count ordered pairs have twice as many.

    Weights must be whole numbers.

    Range: 0 to C(n, 2), or to 1 if normalized; lower is better.  Normalized, it is undefined with fewer than two items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("Mirkin").summary()["value"].item()
        44.0
    """
    p = c.pairs
    return c.ratio(p.fp + p.fn, p.all) if normalized else p.fp + p.fn


@measure("clusters", "Kulczynski", at="", undefined=None, formula="(TP/(TP+FP) + TP/(TP+FN)) / 2", source=DESGRAUPES)
def Kulczynski(c: ClusterContext) -> Expr:
    """The mean of precision and recall over pairs of items.

    Kulczynski = (TP/(TP+FP) + TP/(TP+FN)) / 2.

    Weights must be whole numbers.

    Range: 0 to 1, higher is better.  Undefined where one side has no two items together.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("Kulczynski").summary()["value"].round(4).item()
        0.4773
    """
    p = c.pairs
    return c.ratio(p.tp * (p.in_class + p.in_cluster), 2.0 * p.in_class * p.in_cluster)


@measure(
    "clusters",
    "McNemar",
    at="",
    range=ANY_NUMBER,
    higher_is_better=None,
    undefined=None,
    formula="(FN − FP) / √(FN + FP)",
    source=DESGRAUPES,
)
def McNemar(c: ClusterContext) -> Expr:
    """Whether the pairs together on one side only are more often together in the classes or in the clusters.

    McNemar = (FN − FP) / √(FN + FP) over pairs of items: positive where classes are the coarser partition.

    Weights must be whole numbers.

    Range: any number; 0 is balanced.  Undefined for equal partitions.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("McNemar").summary()["value"].round(4).item()
        0.603
    """
    p = c.pairs
    return c.ratio(p.fn - p.fp, (p.fn + p.fp).sqrt())


@measure(
    "clusters",
    "HubertGamma",
    at="",
    aliases=("PairPhi",),
    range=(-1.0, 1.0),
    undefined=None,
    formula="(TP·TN − FP·FN) / √((TP+FP)(TP+FN)(FP+TN)(FN+TN))",
    source="Hubert and Arabie, 1985; " + DESGRAUPES,
)
def HubertGamma(c: ClusterContext) -> Expr:
    """The correlation, over pairs of items, of sharing a class and sharing a cluster.

    Γ = (TP·TN − FP·FN) / √((TP+FP)(TP+FN)(FP+TN)(FN+TN)).

    Weights must be whole numbers.

    Range: −1 to 1, higher is better.  Undefined where all pairs are together on one side, or none is.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("HubertGamma").summary()["value"].round(4).item()
        0.2435
    """
    p = c.pairs
    # Roots of two products each: the product of all four could overflow.
    below = (p.in_cluster * p.in_class).sqrt() * ((p.fp + p.tn) * (p.fn + p.tn)).sqrt()
    return c.ratio(p.tp * p.tn - p.fp * p.fn, below)


@measure("clusters", "RogersTanimoto", at="", undefined=None, formula="(TP+TN) / (TP+TN + 2(FP+FN))", source=DESGRAUPES)
def RogersTanimoto(c: ClusterContext) -> Expr:
    """The share of pairs treated alike, where those treated differently weigh twice.

    RogersTanimoto = (TP + TN) / (TP + TN + 2(FP + FN)).

    Weights must be whole numbers.

    Range: 0 to 1, higher is better.  Undefined with fewer than two items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("RogersTanimoto").summary()["value"].round(4).item()
        0.5111
    """
    p = c.pairs
    return c.ratio(p.tp + p.tn, p.all + p.fp + p.fn)


@measure("clusters", "RussellRao", at="", undefined=None, formula="TP / pairs", source=DESGRAUPES)
def RussellRao(c: ClusterContext) -> Expr:
    """The share of pairs of items that are together in both partitions.

    RussellRao = TP / C(n, 2).

    Weights must be whole numbers.

    Range: 0 to 1, higher is better.  Undefined with fewer than two items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("RussellRao").summary()["value"].round(4).item()
        0.1471
    """
    return c.ratio(c.pairs.tp, c.pairs.all)


@measure("clusters", "SokalSneath1", at="", undefined=None, formula="TP / (TP + 2(FP+FN))", source=DESGRAUPES)
def SokalSneath1(c: ClusterContext) -> Expr:
    """Jaccard's index of pairs, where pairs together on one side only weigh twice.

    SokalSneath1 = TP / (TP + 2(FP + FN)).

    Weights must be whole numbers.

    Range: 0 to 1, higher is better.  Undefined where no two items are together on any side.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("SokalSneath1").summary()["value"].round(4).item()
        0.1852
    """
    p = c.pairs
    return c.ratio(p.tp, p.tp + 2.0 * (p.fp + p.fn))


@measure("clusters", "SokalSneath2", at="", undefined=None, formula="(TP+TN) / (TP+TN + (FP+FN)/2)", source=DESGRAUPES)
def SokalSneath2(c: ClusterContext) -> Expr:
    """The share of pairs treated alike, where those treated differently weigh half.

    SokalSneath2 = (TP + TN) / (TP + TN + (FP + FN)/2).

    Weights must be whole numbers.

    Range: 0 to 1, higher is better.  Undefined with fewer than two items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("SokalSneath2").summary()["value"].round(4).item()
        0.807
    """
    p = c.pairs
    return c.ratio(p.tp + p.tn, p.all - (p.fp + p.fn) / 2.0)
