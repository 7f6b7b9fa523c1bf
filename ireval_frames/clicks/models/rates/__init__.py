"""Click-through rates: models that take clicks for independent of each other."""
