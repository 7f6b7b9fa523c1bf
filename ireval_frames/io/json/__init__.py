"""Documents of JSON as tables."""
