"""Games as written and as checked: files in, a definition that compiles out."""
