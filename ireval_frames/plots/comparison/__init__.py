"""Pictures of systems beside each other."""
