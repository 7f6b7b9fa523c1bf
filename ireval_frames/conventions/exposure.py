"""The conventions of fair exposure, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import OURS, Choice, of_two_tables, one_of
from ireval_frames.conventions.documents import DocumentPolicy

DIAZ, TREC_FAIR, SAPIEZYNSKI = "Diaz et al., CIKM 2020", "TREC Fair Ranking 2022", "Sapiezynski et al., 2019"


@dataclass(frozen=True)
class ExposurePolicy(DocumentPolicy):
    """The conventions in force for one evaluation of exposure.

    Fields:
        overlap: lists without a document in the table of groups, or without a judged query, are an `error`, and a
            warning tells how many documents have no group; or nothing is told (`allow`).
        browsing: the attention that rank r gets, where a measure does not say: `log` 1/log2(r+1), `trecfair`
            1/log2(max(r, 2)), `geometric` p^(r−1), `cascade` p^(r−1) (1−stop)^(relevant above), `reciprocal` 1/r, or
            the same for all ranks (`none`).
        ties: documents of equal score are ranked by descending ids as in the family of rankings (`trec_eval`), or by
            ascending ids (`doc_id`).
        unknown: documents without a group are left out where groups are compared (`skip`), or are a group called
            unknown (`group`).
        members: the documents of a query that are members of groups: those of its lists (`retrieved`), or also judged
            ones that no list has, whose exposure is 0 (`judged`).

    Example:
        >>> from ireval_frames.exposure import ExposurePolicy
        >>> ExposurePolicy.named("trecfair").browsing
        'trecfair'
    """

    overlap: str = of_two_tables()
    browsing: str = one_of(
        Choice("log", "The attention at rank r is 1 / log2(r+1).", "Singh and Joachims, KDD 2018"),
        Choice("trecfair", "The attention at rank r is 1 / log2(max(r, 2)).", TREC_FAIR),
        Choice("geometric", "The attention at rank r is p^(r−1).", f"{SAPIEZYNSKI}; expeval"),
        Choice(
            "cascade", "The attention at rank r is p^(r−1), times 1−stop for each relevant document above.", "expeval"
        ),
        Choice("reciprocal", "The attention at rank r is 1 / r.", OURS),
        Choice("none", "The attention is the same at all ranks.", OURS),
    )
    ties: str = one_of(
        Choice("trec_eval", "Documents of equal score are ranked by descending ids.", "trec_eval"),
        Choice("doc_id", "Documents of equal score are ranked by ascending ids.", "Lin and Yang 2019"),
    )
    unknown: str = one_of(
        Choice("skip", "A document without a group is left out where groups are compared.", TREC_FAIR),
        Choice("group", "Documents without a group are a group, called unknown.", "expeval"),
    )
    members: str = one_of(
        Choice("retrieved", "The members of groups are the documents of a query's lists.", "Singh and Joachims 2018"),
        Choice("judged", "Judged documents that no list has are members of groups, too, without exposure.", OURS),
    )


ExposurePolicy.presets = {
    "trecfair": ExposurePolicy(browsing="trecfair"),
    "expeval": ExposurePolicy(browsing="cascade"),
}
