"""What many raters say together: models of answers, over arrays of whole numbers; no table, no measure."""
