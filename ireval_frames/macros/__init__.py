"""Measures as table macros of DuckDB, to evaluate and compare in SQL alone."""

from ireval_frames.macros.installing import install_macros, statements

__all__ = ["install_macros", "statements"]
