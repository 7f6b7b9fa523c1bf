"""Validity of the results of an experiment."""
