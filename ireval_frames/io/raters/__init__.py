"""Files of people who rate, and of models that are compared."""
