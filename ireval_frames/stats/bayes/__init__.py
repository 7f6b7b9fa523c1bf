"""Posterior probabilities of being better."""
