"""The conventions of text answers, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import OURS, Choice, of_two_tables, one_of
from ireval_frames.conventions.documents import DocumentPolicy

SQUAD_1, SQUAD_2, ROUGE_SCORE = "SQuAD 1.1", "SQuAD 2.0", "rouge-score"


@dataclass(frozen=True)
class AnswerPolicy(DocumentPolicy):
    """The conventions in force for one evaluation of answers.

    Fields:
        overlap: tables without a query in common are an `error`, tables with few give a warning; or both are evaluated
            without one (`allow`).
        golds: gold answers of which normalisation leaves nothing, such as "A" without its article: left out, and a
            query without others has no answer (`drop`), or kept as empty texts (`keep`).
        empty: a text without words beside another has the value 1 if that has none either and else 0 (`equal`), or
            always 0 (`zero`).
        missing: queries without a predicted answer: 0 (`zero`), left out (`skip`), the answer that there is none
            (`empty`), or an `error`.

    Example:
        >>> from ireval_frames.answers import AnswerPolicy
        >>> AnswerPolicy.named("squad-1.1").golds
        'keep'
    """

    overlap: str = of_two_tables()
    golds: str = one_of(
        Choice(
            "drop",
            "A gold answer of which normalisation leaves nothing is left out; a query without others has no answer.",
            SQUAD_2,
        ),
        Choice("keep", "A gold answer of which normalisation leaves nothing is an empty text.", SQUAD_1),
    )
    empty: str = one_of(
        Choice("equal", "Where one text has no words, the value is 1 if the other has none either, else 0.", SQUAD_2),
        Choice("zero", "Where a text has no words, the value is 0.", f"{SQUAD_1}, {ROUGE_SCORE}"),
    )
    missing: str = one_of(
        Choice("zero", "A query without a predicted answer has the value 0.", SQUAD_1),
        Choice("skip", "A query without a predicted answer is left out.", SQUAD_2),
        Choice("empty", "A query without a predicted answer is answered by an empty text: there is none.", OURS),
        Choice("error", "A query without a predicted answer is an error.", OURS),
    )


AnswerPolicy.presets = {
    "squad-1.1": AnswerPolicy(golds="keep", empty="zero", missing="zero"),
    "squad-2.0": AnswerPolicy(golds="drop", empty="equal", missing="skip"),
    "rouge-score": AnswerPolicy(golds="keep", empty="zero", missing="error"),
}
