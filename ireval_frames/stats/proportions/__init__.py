"""Tests and intervals of proportions."""
