"""Reliability, Sensitivity, their harmonic mean F(R,S), and the number of documents."""

from __future__ import annotations

from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr
from ireval_frames.organization.context import OrganizationContext
from ireval_frames.parameters import UPWARDS, choice, flag, number
from ireval_frames.ratios import harmonic

SOURCE = "Amigó, Gonzalo and Verdejo, SIGIR 2013"

PARAMETERS = {
    "n": number(10.0, "the top n documents have the share W of the weight", low=1e-6),
    "W": number(0.8, "the share of the weight of the top n documents", low=0.0, high=1.0, open_ends=True),
    "weights": choice("exponential", "hyperbolic", "uniform", what="how weights decrease with the rank"),
    "pair_weight": choice(
        "anchor", "product", what="the weight of a relation: of its first document, or the product of both"
    ),
    "types": choice("separate", "pooled", what="count the relations of different tasks separately, or pooled"),
    "relation": choice("all", "priority", "relatedness", what="which relations count"),
    "strict": flag(default=True, what="ordering documents of one grade is an error"),
    "unrelated": choice("one", "undefined", what="the value of a document without relations"),
    "overlap": choice("relations", "pairs", what="several relations of two documents count each, or once"),
}


@measure(
    "organization",
    "Reliability",
    at="",
    parameters=PARAMETERS,
    undefined=None,
    formula="Σ_d w_X(d) · found_G(d) / relations_X(d)",
    source=SOURCE,
)
def Reliability(d: OrganizationContext, **options: Any) -> Expr:
    """The share of the relations in the system's output that the gold has: the precision of relations.

    R = Σ_d w(d)·Σ_d′ min(n_X(d,d′), n_G(d,d′)) / Σ_d′ n_X(d,d′), where n_X and n_G are the relations of two documents
    in the output and in the gold.  Relations of *priority*: one document is ranked above another; documents that were
    not retrieved are tied below all others.  Relations of *relatedness*: two documents share a cluster; a document
    shares all of its clusters with itself.

    Weights decrease with the rank in the system's list and sum to 1: the top `n` documents have the share `W`.  With
    C(k) = 1 − (1−W)^(k/n) (`exponential`) or k/(k+c), c = n(1−W)/W (`hyperbolic`), the weight of rank k is C(k) −
    C(k−1), equal scores share theirs, and documents that were not retrieved share the rest; if there are none, weights
    are divided by C of the list's length.  `uniform` weights are equal, as always if nothing is ranked.

    `pair_weight="product"` also weights d′, which can reward a wrong swap.  `strict=False` does not count pairs that
    the gold ties.  `types="separate"` is the harmonic mean over the tasks, `"pooled"` pools all relations of a
    document. `overlap="pairs"` averages over documents d′ instead of relations, as extended BCubed does.

    For clusters alone it is BCubed precision; for retrieved and discarded documents with uniform weights, the product
    of the precisions of both classes.

    Columns: relevance with score or rank, label with cluster_id, or all of them.
    Range: 0 to 1, higher is better.  Undefined for a topic without documents; a document without relations has 1, or
    with `unrelated="undefined"` does not count.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"relevance": [1, 0, 1, 0], "score": [4.0, 3.0, 2.0, None]})
        >>> ev = ir.Organization(frame).evaluate("Reliability Reliability(weights='uniform')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.5886, 0.5]
    """
    return d.reliability(**options)


@measure(
    "organization",
    "Sensitivity",
    at="",
    parameters=PARAMETERS,
    undefined=None,
    formula="Σ_d w_G(d) · found_X(d) / relations_G(d)",
    source=SOURCE,
)
def Sensitivity(d: OrganizationContext, **options: Any) -> Expr:
    """The share of the relations in the gold that the system's output has: the recall of relations.

    S = Σ_d w(d)·Σ_d′ min(n_X(d,d′), n_G(d,d′)) / Σ_d′ n_G(d,d′), with the relations and parameters of `Reliability`.
    The weights are those of the gold as an output: documents of the highest grade first, which share their weight, and
    documents of grade 0 not retrieved.  Pairs that the output ties are not found, regardless of `strict`.

    For clusters alone it is BCubed recall; for retrieved and discarded documents with uniform weights, the product of
    the recalls of both classes.

    Columns: relevance with score or rank, label with cluster_id, or all of them.
    Range: 0 to 1, higher is better.  Undefined for a topic without documents; a document without relations has 1, or
    with `unrelated="undefined"` does not count.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"label": ["a", "a", "b", "b"], "cluster_id": [1, 1, 1, 2]})
        >>> ir.Organization(frame).evaluate("Sensitivity").summary()["value"].to_list()
        [0.75]
    """
    return d.sensitivity(**options)


@measure(
    "organization",
    "RS",
    at="",
    aliases=("ReliabilitySensitivity",),
    parameters={"alpha": number(0.5, "the weight of Reliability", low=0.0, high=1.0), **PARAMETERS},
    undefined=None,
    formula="1 / (α/R + (1−α)/S)",
    source=SOURCE,
)
def RS(d: OrganizationContext, alpha: float, **options: Any) -> Expr:
    """F(R,S): the weighted harmonic mean of Reliability and Sensitivity.

    F = 1 / (α/R + (1−α)/S); 0 where R or S is.  Over several tasks with `types="separate"` R and S are harmonic means
    themselves, so with α = 0.5 it is the harmonic mean of the R and S of all tasks.  The parameters are those of
    `Reliability`.  With its defaults it satisfies the formal constraints on retrieval and on clustering (see
    `ir.constraints.check_constraints`), and is 0 for returning nothing and for returning everything.

    Columns: relevance with score or rank, label with cluster_id, or all of them.
    Range: 0 to 1, higher is better.  Undefined where R or S is.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> priority = {"relevance": [1, 0, 1, 0], "score": [4.0, 3.0, 2.0, None]}
        >>> frame = pl.DataFrame({**priority, "label": [*"aabb"], "cluster_id": [1, 1, 1, 2]})
        >>> ir.Organization(frame).evaluate("RS RS(relation='priority')").summary()["value"].round(4).to_list()
        [0.7193, 0.6595]
    """
    return harmonic([d.reliability(**options), d.sensitivity(**options)], [alpha, 1.0 - alpha])


@measure(
    "organization",
    "NumItems",
    at="",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="documents",
    source="counted",
)
def NumItems(d: OrganizationContext) -> Expr:
    """The number of documents of either side, without those that the policy leaves out.

    Range: 0 upwards.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Organization(*ir.examples.ranking()).evaluate("NumItems").per_unit()["value"].to_list()
        [6.0]
    """
    return d.tables.items.count()
