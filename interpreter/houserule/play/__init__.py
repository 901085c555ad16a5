"""Coverage reports and trials of whole games."""
