"""Diversity: what a list holds for queries that mean several things."""
