"""Formal constraints on measures of retrieval, clustering and filtering, as tests of any measure."""

from ireval_frames.constraints.checking import check_constraints

__all__ = ["check_constraints"]
