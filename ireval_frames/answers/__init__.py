"""Text answers to queries, compared with gold answers.

The family's measures are attributes of this module: `ir.answers.TokenF1(beta=2)`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.answers.subject import Answers
from ireval_frames.conventions.answers import AnswerPolicy
from ireval_frames.declaration import Measure

__all__ = ["AnswerPolicy", "Answers"]


def __getattr__(name: str) -> Measure:
    """The measure of answers of that name."""
    return _catalog.attribute(name, "answers", __name__)
