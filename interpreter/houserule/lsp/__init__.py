"""The language server: what `language_service` knows, spoken in the Language Server Protocol."""
