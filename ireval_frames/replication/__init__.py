"""Whether an experiment was reproduced: the same scores on the same queries, or the same effects on other ones."""

from ireval_frames.replication.reproducing import reproduction
from ireval_frames.replication.reproduction import Reproduction

__all__ = ["Reproduction", "reproduction"]
