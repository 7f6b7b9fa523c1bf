"""Comparisons of two items at a time."""
