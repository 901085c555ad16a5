"""Archives of modules with their bytecode, without the tables of lines: pages start sooner, and compressed they are no larger.

The Python that runs in pages compiles them when a site is built (`compile.mjs`), so that it finds its own bytecode.
"""

from __future__ import annotations

import io
import marshal
import sys
import zipfile
from collections.abc import Sequence
from importlib.util import MAGIC_NUMBER, source_hash
from types import CodeType

UNCHECKED = 1
"""Bytecode that is not compared with its source."""
DATED = (1980, 1, 1, 0, 0, 0)


def compiled(archive: bytes, root: str, with_source: Sequence[str] = (), keep_docs: bool = True) -> bytes:
    """An archive with bytecode in place of each module, or beside it where the path begins so: what is translated is read. Nothing is compressed in it."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(made, "w") as new:
        for name in sorted(old.namelist()):
            content = old.read(name)
            if not name.endswith(".py"):
                new.writestr(zipfile.ZipInfo(name, DATED), content)
                continue
            code = compile(content, f"{root}/{name}", "exec", dont_inherit=True, optimize=0 if keep_docs else 2)
            head = MAGIC_NUMBER + UNCHECKED.to_bytes(4, "little") + source_hash(content)
            place = f"{name}c"
            if name.startswith(tuple(with_source)):
                new.writestr(zipfile.ZipInfo(name, DATED), content)
                folder, _, file = name.rpartition("/")
                place = f"{folder}/__pycache__/{file[:-3]}.{sys.implementation.cache_tag}.pyc"
            new.writestr(zipfile.ZipInfo(place, DATED), head + marshal.dumps(without_lines(code)))
    return made.getvalue()


def without_lines(code: CodeType) -> CodeType:
    """Code that does not know its lines, nor those of what it contains."""
    inside = (without_lines(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=tuple(inside))
