"""Matches for programs in any language: requests and responses as lines of JSON, and tools for assistants."""
