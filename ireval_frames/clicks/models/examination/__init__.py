"""Models in which a click needs attraction and examination, each on its own."""
