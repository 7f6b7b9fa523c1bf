"""The formal constraints on measures of retrieval, clustering and filtering, as tests that anyone can run."""

from ireval_frames.constraints.checking import check_constraints

__all__ = ["check_constraints"]
