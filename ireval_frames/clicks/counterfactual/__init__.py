"""What a ranking would have been worth to the users whose clicks another ranking got."""
