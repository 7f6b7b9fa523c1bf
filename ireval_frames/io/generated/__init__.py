"""Files of generated answers, and of what people and models judge of them, as tables."""
