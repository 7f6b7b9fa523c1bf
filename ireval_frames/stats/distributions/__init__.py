"""Distributions: tail probabilities, quantiles, and the points at which integrals are taken."""
