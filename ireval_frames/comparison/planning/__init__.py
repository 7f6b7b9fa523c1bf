"""How many units a comparison needs."""
