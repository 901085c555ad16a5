"""The language server: `language_service` over the Language Server Protocol."""
