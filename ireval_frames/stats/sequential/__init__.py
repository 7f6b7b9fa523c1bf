"""Tests that are looked at more than once."""
