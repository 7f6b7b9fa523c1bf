"""What raters say together, and what that tells of each of them."""
