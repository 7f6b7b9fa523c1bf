"""Tests and intervals by drawing: bootstraps, permutations and random signs."""
