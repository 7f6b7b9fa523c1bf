"""Estimates from judgments that are a sample: of a pool in strata, or with inclusion probabilities."""
