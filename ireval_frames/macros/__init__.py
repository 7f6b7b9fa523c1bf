"""Measures as table macros of DuckDB, made from their declarations: evaluating and comparing in SQL alone."""

from ireval_frames.macros.installing import install_macros, statements

__all__ = ["install_macros", "statements"]
