"""What authors do with rule files: find them, check them, compare them, format them."""
