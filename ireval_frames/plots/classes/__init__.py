"""Pictures of classifiers and clusterings."""
