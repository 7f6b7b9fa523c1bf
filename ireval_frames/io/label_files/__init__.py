"""Files of published collections that say the classes of items: a file per kind."""
