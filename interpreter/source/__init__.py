"""From YAML files to nodes with places: whatever is wrong with one becomes a diagnostic, never an exception."""

from interpreter.source.files import open_source
from interpreter.source.nodes import Entry, Fragment, Mapping, Scalar, Sequence, Source, Style, Yaml, plain
from interpreter.source.read import documents_of, read_documents, read_file, read_text

__all__ = [
    "Entry",
    "Fragment",
    "Mapping",
    "Scalar",
    "Sequence",
    "Source",
    "Style",
    "Yaml",
    "documents_of",
    "open_source",
    "plain",
    "read_documents",
    "read_file",
    "read_text",
]
