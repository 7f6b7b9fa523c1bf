"""Measures of decisions: of the confusion matrix, and of sets of labels."""
