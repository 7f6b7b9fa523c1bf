"""Tests of means: Student's, Welch's, the analysis of variance and what follows it."""
