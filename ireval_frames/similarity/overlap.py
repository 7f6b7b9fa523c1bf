"""Overlap of two lists at every depth d: the share of their top d items that is common.

The lists need not have the same items.
"""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, col, lit, max_horizontal, when
from ireval_frames.parameters import UPWARDS, choice, whole
from ireval_frames.ratios import ratio
from ireval_frames.similarity.context import Pair

CUTOFF = whole(None, "the depth; by default the end of the longer list")
TIES = choice(
    "a",
    "b",
    "w",
    what="ties count partly, by the mean over all their orders ('a'), also corrected for ties ('b'), or share one rank "
    "('w')",
)


@dataclass(frozen=True)
class Depths:
    """Agreement at the depths of two lists, under one treatment of ties.

    a: |shared| / d.  b: |shared| divided by the geometric mean of what each list shares with itself.  w: twice the
    number of shared items whose first tied position is within d, divided by the number of such items in both.  Beyond
    the end of the shorter list its missing items share nothing.
    """

    pair: Pair
    ties: str
    cutoff: int | None

    @property
    def depth(self) -> Expr:
        """The depth, from 1."""
        return self.pair.agreement.depth

    @property
    def cut_through(self) -> Expr:
        """The part of the long list's items tied at the depth that counts."""
        return lit(1.0) if self.ties == "w" else self.pair.agreement.part("long")

    @property
    def agreement(self) -> Expr:
        """The share of the first d items that is common."""
        shared = self.pair.agreement.started if self.ties == "w" else self.pair.agreement.shared
        return self.column(self.normalized(shared), "agreement")

    def column(self, expr: Expr, name: str) -> Expr:
        """A column of the depths."""
        return self.pair.agreement.depths.column(expr, name)

    def normalized(self, shared: Expr) -> Expr:
        """A number of shared items as agreement."""
        if self.ties == "a":
            return shared / self.depth
        if self.ties == "w":
            return 2.0 * shared / (max_horizontal(col("short_bottom").fill_null(0.0), self.depth) + col("long_bottom"))
        return shared / (self._with_itself("short") * self._with_itself("long")).sqrt()

    def _with_itself(self, side: str) -> Expr:
        """What a list shares with itself: items fully within the depth, and g parts of each of the g tied ones cut."""
        top = col(f"{side}_top")
        size = col(f"{side}_bottom") - col(f"{side}_top") + 1.0
        part = self.pair.agreement.part(side)
        return (top - 1.0 + size * part * part).fill_null(self.depth)

    def sum(self, term: Expr, where: Expr | None = None) -> Expr:
        """The sum over the depths down to the cutoff, where `where` holds."""
        inside = self.depth <= (float(self.cutoff) if self.cutoff is not None else col("long_size"))
        return self.pair.sum_of_depths(when(inside if where is None else inside & where).then(term).otherwise(0.0))

    @property
    def last(self) -> Expr:
        """Whether it is the last depth."""
        size = col("long_size")
        return self.depth == (
            size if self.cutoff is None else when(size < float(self.cutoff)).then(size).otherwise(float(self.cutoff))
        )


@measure(
    "similarity",
    "Overlap",
    parameters={"ties": TIES, "cutoff": CUTOFF},
    undefined=None,
    formula="|A ∩ B| / k over the top k of both lists",
    source="Webber, Moffat and Zobel, TOIS 2010 (agreement); Corsi and Urbano, SIGIR 2024 for ties",
)
def Overlap(pair: Pair, ties: str, cutoff: int | None) -> Expr:
    """The share of the top k items that both lists have.

    Overlap@k = |top k of one ∩ top k of the other| / k.  If the longer list ends before k, its length replaces k, so
    that equal short lists have 1; likewise without a cutoff.  Ties that k cuts through count partly (see `RBO`).

    Range: 0 (nothing in common) to 1.  Undefined where one of the lists is missing.

    Example:
        >>> import ireval_frames as ir
        >>> a = ir.similarity.ranking("a b c d e")
        >>> ir.Similarity(a, against=ir.similarity.ranking("b a f c g")).evaluate("Overlap@3 Overlap").wide().row(0)[2:]
        (0.6666666666666666, 0.6)
    """
    depths = Depths(pair, ties, cutoff)
    return depths.sum(depths.agreement, depths.last)


@measure(
    "similarity",
    "AO",
    parameters={"ties": TIES, "cutoff": CUTOFF},
    aliases=("AverageOverlap",),
    undefined=None,
    formula="1/k Σ_{d=1..k} Overlap@d",
    source="Fagin, Kumar and Sivakumar, SIAM Journal on Discrete Mathematics 2003; Wu and Crestani, SAC 2003",
)
def AO(pair: Pair, ties: str, cutoff: int | None) -> Expr:
    """Average overlap: the mean of the overlaps at depths 1 to k.

    AO@k = 1/k Σ_{d=1..k} |top d of one ∩ top d of the other| / d.  If the longer list ends before k, its length
    replaces k; likewise without a cutoff.

    Range: 0 (nothing in common) to 1.  Undefined where one of the lists is missing.

    Example:
        >>> import ireval_frames as ir
        >>> a = ir.similarity.ranking("a b c d e")
        >>> b = ir.similarity.ranking("b a f c g")
        >>> ir.Similarity(a, against=b).evaluate("AO@3").wide()["AO@3"].round(4).to_list()
        [0.5556]
    """
    depths = Depths(pair, ties, cutoff)
    return ratio(depths.sum(depths.agreement), pair.long_size(cutoff))


@measure(
    "similarity",
    "NumCommon",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    aggregation="sum",
    formula="|A ∩ B|",
    source="the items that rank correlations are over",
)
def NumCommon(pair: Pair) -> Expr:
    """The number of items that both lists have.

    Range: 0 to the length of the shorter list.  Undefined where one of the lists is missing.

    Example:
        >>> import ireval_frames as ir
        >>> a = ir.similarity.ranking("a b c d e")
        >>> b = ir.similarity.ranking("b a f c g")
        >>> ir.Similarity(a, against=b).evaluate("NumCommon").wide()["NumCommon"].to_list()
        [3.0]
    """
    return pair.num_common
