"""Our statement in the words of other databases."""
