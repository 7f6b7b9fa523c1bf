"""Values per unit, from whatever holds them."""
