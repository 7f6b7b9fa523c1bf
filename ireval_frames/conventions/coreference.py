"""The conventions of coreference, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import OURS, Choice, one_of
from ireval_frames.conventions.documents import DocumentPolicy

SCORER = "CoNLL scorer 8.01"
COREFUD = "CorefUD scorer"


@dataclass(frozen=True)
class CoreferencePolicy(DocumentPolicy):
    """The conventions in force for one evaluation of coreference.

    Fields:
        undefined: a ratio without a denominator is 0, as in the CoNLL scorer, undefined (None), or 1.
        twinless: mentions that one side has and the other lacks: `all` count as they are; predicted ones are left out
            (`drop`), or those of them that are alone in their entity (`rahman-ng`); or both sides get those of the
            other as entities of one mention (`sys`).
        singletons: entities of one mention: `keep`, or `drop` on both sides before mentions are matched.
        match: which mentions are the same: of `exact` spans; with the same `head`; or a predicted mention that is part
            of a gold mention and has its head (`partial`).  Exact spans come first; mentions are matched one to one.
        duplicates: a mention in several rows of one side: an `error`, or `drop` all but the one whose cluster is first
            in order.
        no_links: a kind of links is left out of BLANC where the gold has none (`key`), or where neither side has any
            (`both`).
        overlap: tables without a document in common are an `error`, tables with few give a warning; or both are
            evaluated without one (`allow`).

    Example:
        >>> from ireval_frames.coreference import CoreferencePolicy
        >>> CoreferencePolicy.named("corefud").match
        'head'
    """

    undefined: int | None = one_of(
        Choice(0, "A ratio without a denominator is 0.", SCORER),
        Choice(None, "A ratio without a denominator is undefined, and left out of averages.", "SQL"),
        Choice(1, "A ratio without a denominator is 1.", OURS),
    )
    twinless: str = one_of(
        Choice("all", "Mentions that the other side lacks count, in entities as they are.", SCORER),
        Choice("drop", "Predicted mentions that the gold lacks are left out.", "Stoyanov et al., 2009"),
        Choice(
            "sys",
            "Predicted mentions that the gold lacks are left out if alone in their entity; the others become gold "
            "entities of one mention, though not for the recall of B³, and missed ones predicted entities of one.",
            "Cai and Strube, 2010",
        ),
        Choice(
            "rahman-ng",
            "Predicted mentions that the gold lacks are left out if they are alone in their entity.",
            "Rahman and Ng, 2009",
        ),
    )
    singletons: str = one_of(
        Choice("keep", "Entities of one mention count.", SCORER),
        Choice("drop", "Entities of one mention are left out on both sides.", COREFUD),
    )
    match: str = one_of(
        Choice("exact", "Mentions are the same if their spans are.", SCORER),
        Choice("head", "Mentions are the same if their heads are.", COREFUD),
        Choice(
            "partial",
            "A predicted mention is a gold mention if it is part of its span and contains its head.",
            f"{COREFUD}; CorefUD 1.0",
        ),
    )
    duplicates: str = one_of(
        Choice("error", "A mention in several rows of one side is an error.", OURS),
        Choice("drop", "Of a mention's rows, that with the first cluster in order counts.", f"{SCORER}, first in file"),
    )
    no_links: str = one_of(
        Choice("key", "A kind of links that the gold lacks is left out of BLANC.", SCORER),
        Choice("both", "A kind of links that neither side has is left out of BLANC.", COREFUD),
    )


CoreferencePolicy.presets = {
    "conll": CoreferencePolicy(duplicates="drop"),
    "corefud": CoreferencePolicy(match="head", singletons="drop", no_links="both"),
}
