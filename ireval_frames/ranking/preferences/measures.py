"""Measures of preferences between documents."""

from __future__ import annotations

from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.declaration import TrecName
from ireval_frames.expr import Expr, col
from ireval_frames.parameters import UPWARDS, Parameter, choice
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.preferences.balanced import balanced
from ireval_frames.ranking.preferences.implied import Preferences
from ireval_frames.ranking.preferences.pairs import PreferencePairs

BUCKLEY = "trec_eval (Buckley)"


def _how_many(value: object) -> int:
    if isinstance(value, bool) or value not in (0, 1, 2):
        raise ValueError("0, 1 or 2")
    return int(value)


def _none_or_both(value: object) -> int:
    if isinstance(value, bool) or value not in (0, 2):
        raise ValueError("0 or 2")
    return int(value)


def _mean(value: object) -> object:
    if value not in (None, "mean"):
        raise ValueError("None or 'mean'")
    return value


RETRIEVED = Parameter(0, "count preferences of which at least this many documents were retrieved", _how_many)
ASSESSORS = Parameter(None, "None pools the preferences of all assessors, 'mean' averages over the assessors", _mean)
READS: dict[str, Any] = {
    "reads": ("assessor_id", "subgroup_id"),
    "without": ("subtopics", "assessors"),
    "cost": "with a column subgroup_id, the transitive closure of the preferences of an assessor: about n·p in its "
    "documents and preferences",
}


def fulfilled(q: Query, retrieved: int) -> Expr:
    """The number of preferences that the list fulfils."""
    if "subgroup_id" not in q.tables.facets:
        return Preferences(q).fulfilled(retrieved)
    known = PreferencePairs(q)
    return known.fulfilled(known.pairs, col("n"), retrieved)


def possible(q: Query, retrieved: int) -> Expr:
    """The number of preferences."""
    if "subgroup_id" not in q.tables.facets:
        return Preferences(q).possible(retrieved)
    known = PreferencePairs(q)
    return known.possible(known.pairs, col("n"), retrieved)


@measure(
    "ranking",
    "PrefsSimp",
    aliases=("prefs_simp",),
    parameters={"retrieved": RETRIEVED, "assessors": ASSESSORS},
    trec=[
        TrecName("prefs_simp"),
        TrecName("prefs_simp_imp", fixed={"retrieved": 1}),
        TrecName("prefs_simp_ret", fixed={"retrieved": 2}),
        TrecName("prefs_avgjg", fixed={"assessors": "mean"}),
        TrecName("prefs_avgjg_imp", fixed={"assessors": "mean", "retrieved": 1}),
        TrecName("prefs_avgjg_ret", fixed={"assessors": "mean", "retrieved": 2}),
    ],
    relevant=None,
    formula="preferences fulfilled / preferences",
    source=BUCKLEY,
    **READS,
)
def PrefsSimp(q: Query, retrieved: int) -> Expr:
    """The share of preferences that the list fulfils.

    A preference for one document over another is fulfilled if the first is ranked before the second; documents that
    were not retrieved come after all others, and none of them before another one.  With
    `retrieved=1` preferences of which no document was retrieved do not count (trec_eval's _imp), with `retrieved=2`
    only those of which both were (_ret).  The same preference of two assessors counts twice; `assessors="mean"` gives
    every assessor the same weight (trec_eval's prefs_avgjg): one without a preference that counts has 0.

    Columns: an assessor prefers the document of the larger `relevance` (negative ones are just smaller); `assessor_id`
    names the assessor; with `subgroup_id` grades are compared within a group only, and preferences that follow from
    several groups are added.
    Range: 0 to 1, higher is better.  Without preferences it is 0.  Preferences that contradict each other are an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "PrefsSimp").wide()["PrefsSimp"].round(4).to_list()
        [0.4444]
    """
    return q.ratio(fulfilled(q, retrieved), possible(q, retrieved))


@measure(
    "ranking",
    "PrefsPair",
    aliases=("prefs_pair",),
    parameters={"retrieved": RETRIEVED},
    trec=[
        TrecName("prefs_pair"),
        TrecName("prefs_pair_imp", fixed={"retrieved": 1}),
        TrecName("prefs_pair_ret", fixed={"retrieved": 2}),
    ],
    relevant=None,
    formula="mean over pairs of documents of the share of assessors whose preference the list fulfils",
    source=BUCKLEY,
    **READS,
)
def PrefsPair(q: Query, retrieved: int) -> Expr:
    """The share of assessors whose preference the list fulfils, averaged over the pairs of documents.

    If three assessors prefer one document to another and two vice versa, a list with the first one before has 3/5 of
    that pair.  What counts as fulfilled, and `retrieved`, are those of PrefsSimp.

    Columns: those of PrefsSimp.
    Range: 0 to 1, higher is better.  Without preferences it is 0.  Contradictions within one assessor are an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "PrefsPair").wide()["PrefsPair"].round(4).to_list()
        [0.4444]
    """
    if "assessor_id" not in q.tables.facets:
        return q.ratio(fulfilled(q, retrieved), possible(q, retrieved))
    if "subgroup_id" in q.tables.facets:
        pairs = PreferencePairs(q)
        return q.ratio(
            pairs.fulfilled(pairs.shares, col("share"), retrieved),
            pairs.possible(pairs.shares, col("pair"), retrieved),
        )
    # A pair can be more than one preference only if several assessors judged both documents.
    pairs = PreferencePairs(q, shared=True)
    extra, difference = col("share") - col("n"), col("pair") - col("n")
    return q.ratio(
        fulfilled(q, retrieved) + pairs.fulfilled(pairs.shares, extra, retrieved),
        possible(q, retrieved) + pairs.possible(pairs.shares, difference, retrieved),
    )


@measure(
    "ranking",
    "NumPrefs",
    parameters={"retrieved": RETRIEVED},
    range=UPWARDS,
    higher_is_better=None,
    aggregation="sum",
    trec=[TrecName("prefs_num_prefs_poss", whole=True)],
    relevant=None,
    formula="number of preferences",
    source=BUCKLEY,
    **READS,
)
def NumPrefs(q: Query, retrieved: int) -> Expr:
    """The number of preferences; one that two assessors have counts twice.

    `retrieved` is that of PrefsSimp.  Columns: those of PrefsSimp.

    Range: 0 upwards.  Summed over queries.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "NumPrefs").wide()["NumPrefs"].to_list()
        [9.0]
    """
    return possible(q, retrieved)


@measure(
    "ranking",
    "NumPrefsFulfilled",
    parameters={"retrieved": RETRIEVED},
    range=UPWARDS,
    aggregation="sum",
    trec=[
        TrecName("prefs_num_prefs_ful", whole=True),
        TrecName("prefs_num_prefs_ful_ret", fixed={"retrieved": 2}, whole=True),
    ],
    relevant=None,
    formula="number of preferences that the list fulfils",
    source=BUCKLEY,
    **READS,
)
def NumPrefsFulfilled(q: Query, retrieved: int) -> Expr:
    """The number of preferences that the list fulfils; one that two assessors have counts twice.

    What counts as fulfilled, and `retrieved`, are those of PrefsSimp.  Columns: those of PrefsSimp.

    Range: 0 upwards, higher is better.  Summed over queries.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "NumPrefsFulfilled").wide()["NumPrefsFulfilled"].to_list()
        [4.0]
    """
    return fulfilled(q, retrieved)


@measure(
    "ranking",
    "PrefsRnonrel",
    aliases=("prefs_Rnonrel",),
    parameters={
        "retrieved": Parameter(0, "0, or 2 to count only preferences between retrieved documents", _none_or_both),
        "counting": choice("stated", "trec_eval", what="as trec_eval's documentation states, or as its code counts"),
    },
    trec=[
        TrecName("prefs_avgjg_Rnonrel", fixed={"counting": "trec_eval"}),
        TrecName("prefs_avgjg_Rnonrel_ret", fixed={"counting": "trec_eval", "retrieved": 2}),
    ],
    relevant=None,
    formula="PrefsSimp of each assessor with as many non-relevant documents as relevant ones, averaged",
    source=BUCKLEY,
    **READS,
)
def PrefsRnonrel(q: Query, retrieved: int, counting: str) -> Expr:
    """The share of preferences fulfilled, of as many non-relevant documents as relevant ones; the mean over assessors.

    Documents above grade 0 are relevant, R of them; the others are not, N of them.  If N is larger, only the first R of
    these count: first the retrieved ones by rank, then the others by id.  If R is larger, (R−N) further non-relevant
    documents are appended to the list: every relevant document is preferred to each, and those retrieved fulfil it.
    Binary judgments of one assessor make it akin to Bpref.  With `retrieved=2` all counts are of retrieved documents.

    With `counting="trec_eval"` it is what trec_eval prints, which differs where N is larger: for judgments in one group
    the non-relevant documents count as preferred to each other and to themselves (fulfilled where one of the first R
    stands before another); `retrieved=2` adds preferences for relevant documents that were not retrieved, and of
    judgments in several groups keeps R non-relevant documents, retrieved or not; and a query of which one assessor has
    no preference has 0.

    Columns: those of PrefsSimp.
    Range: 0 to 1, higher is better.  An assessor without preferences has 0.  Contradictions within one are an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "PrefsRnonrel").wide()["PrefsRnonrel"].round(4).to_list()
        [0.5]
    """
    return balanced(q, both=retrieved == 2, as_trec_eval=counting == "trec_eval")
