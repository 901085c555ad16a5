"""From YAML files to nodes with places: whatever is wrong with one becomes a diagnostic, never an exception."""

from interpreter.source.nodes import Entry, Fragment, Mapping, Scalar, Sequence, Source, Style, Yaml, plain
from interpreter.source.read import read_documents, read_file, read_text

__all__ = [
    "Entry",
    "Fragment",
    "Mapping",
    "Scalar",
    "Sequence",
    "Source",
    "Style",
    "Yaml",
    "plain",
    "read_documents",
    "read_file",
    "read_text",
]
