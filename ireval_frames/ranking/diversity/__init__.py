"""Diversity of lists, for queries with several meanings."""
