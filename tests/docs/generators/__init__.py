"""The generators of pages, one per page or group of pages."""
