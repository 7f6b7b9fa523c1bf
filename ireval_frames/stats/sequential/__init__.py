"""Sequential tests."""
