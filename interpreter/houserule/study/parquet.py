"""The headers of pages in Parquet files: Arrow makes what they say, and the footer of a file may say less."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, BinaryIO

COMPRESSIONS = ("SNAPPY", "UNCOMPRESSED")
"""How columns are compressed. A page may be larger than its header says, and Snappy makes at most 22 bytes of one; others, thousands."""
DATA, DICTIONARY = 0, 2
"""The types of pages that a study writes."""
PLAIN, RLE, RLE_DICTIONARY = 0, 3, 8
"""The encodings that a study writes. Others make long texts of parts of earlier ones."""


class WrongPages(ValueError):
    """The pages of a column are not those that its file says it has, or not such as a study writes."""


class Compact:
    """Structs in Thrift's compact protocol: only the types in headers of pages, with fields in their order, each once."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.place = 0

    def byte(self) -> int:
        if self.place >= len(self.content):
            raise WrongPages
        self.place += 1
        return self.content[self.place - 1]

    def varint(self) -> int:
        found = 0
        for shift in range(0, 64, 7):
            byte = self.byte()
            found |= (byte & 127) << shift
            if byte < 128:
                return found
        raise WrongPages

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """The fields of a struct by number; texts are skipped. Raises WrongPages."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self.byte():
            step, kind = divmod(head, 16)
            if not step:
                raise WrongPages
            number += step
            fields[number] = self.value(kind, depth)
        return fields

    def value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2):  # true, false
            return kind == 1
        if kind in (5, 6):  # numbers of 32 and 64 bits
            found = self.varint()
            return found >> 1 ^ -(found & 1)
        if kind == 8:  # texts
            size = self.varint()
            self.place += size
            return None
        if kind == 12 and depth < 2:
            return self.struct(depth + 1)
        raise WrongPages


def chunks_of(metadata: Any) -> Iterator[Any]:
    """What a Parquet file says of each of its columns in each of its groups of rows."""
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        yield from map(group.column, range(group.num_columns))


def see_pages(stream: BinaryIO, column: Any, most: int) -> None:
    """See that a column, of which the footer says this, has as many values in its pages as it says, and none makes more bytes than `most`.

    Raises WrongPages.
    """
    if column.num_values == 0:  # then Arrow reads no page
        return
    start, size = column.data_page_offset, column.total_compressed_size
    if column.has_dictionary_page and 0 < column.dictionary_page_offset < start:
        start = column.dictionary_page_offset
    if not 0 <= size <= stream.seek(0, os.SEEK_END) - start or start < 0:
        raise WrongPages
    stream.seek(start)
    read = Compact(stream.read(size))
    values = made = 0
    while read.place < size:
        header = read.struct()
        kind, unpacked, packed = (whole(header.get(field)) for field in (1, 2, 3))
        inner = header.get({DATA: 5, DICTIONARY: 7}.get(kind, 0))
        if not isinstance(inner, dict) or inner.get(2) not in (PLAIN, RLE_DICTIONARY):
            raise WrongPages
        number = whole(inner.get(1))
        if kind == DATA:
            values += number
            if inner.get(3) != RLE or inner.get(4) != RLE:
                raise WrongPages
        made += unpacked
        if max(made, number) > most:
            raise WrongPages
        read.place += packed
    if read.place != size or values != column.num_values:
        raise WrongPages


def whole(found: object) -> int:
    """A number that is not negative and has 31 bits. Raises WrongPages."""
    if type(found) is not int or not 0 <= found < 1 << 31:
        raise WrongPages
    return found
