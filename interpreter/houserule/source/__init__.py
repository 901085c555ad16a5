"""From YAML files to nodes with places: every mistake becomes a diagnostic, never an exception."""

from houserule.source.files import open_source
from houserule.source.nodes import (
    Entry,
    Fragment,
    Mapping,
    Scalar,
    Sequence,
    Source,
    Style,
    Yaml,
    content_of,
    entries_at,
    in_language,
    listed,
    plain,
    source_of,
    text_at,
    value_at,
    walk,
)
from houserule.source.read import document_of, documents_of, read_documents, read_file, read_text

__all__ = [
    "Entry",
    "Fragment",
    "Mapping",
    "Scalar",
    "Sequence",
    "Source",
    "Style",
    "Yaml",
    "content_of",
    "document_of",
    "documents_of",
    "entries_at",
    "in_language",
    "listed",
    "open_source",
    "plain",
    "read_documents",
    "read_file",
    "read_text",
    "source_of",
    "text_at",
    "value_at",
    "walk",
]
