"""Tests by signs and ranks."""
