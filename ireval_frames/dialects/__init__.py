"""Statements of DuckDB, rewritten for other databases."""
