"""Inlines small functions of the runtime into those that call them, which the compiler of modules does not do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from houserule.native.wasm import Op, text_of

INLINED = frozenset(
    "$after $append $bounded $copied $cut $distinct $divide $fill $index $insert $inside $modulo $new $pop $product $push $put "
    "$random $remove $room_for $seed_mixed $seed_stirred $slice $words".split()
)
"""The functions that gain by it; the others are long and seldom called, or gain nothing."""
HEAD = ("export", "param", "result", "local")
TOKEN = re.compile(r";;[^\n]*|[()]|[^\s()]+")


class Inliner:
    """The runtime as trees, and as `text`, in which its functions are inlined too."""

    def __init__(self, text: str) -> None:
        trees = parsed(text)
        self.functions = {str(tree.parts[0]): tree for tree in trees if tree.parts[0] in INLINED}
        self.done: dict[str, Op] = {}
        self.text = "\n".join(text_of(self.inlined(tree)) for tree in trees)

    def callee(self, name: str) -> Op | None:
        """A function that is inlined, after what it calls was inlined in it; None for others."""
        if name not in self.done and name in self.functions:
            self.done[name] = self.inlined(self.functions[name])
        return self.done.get(name)

    def inlined(self, function: Op) -> Op:
        """A function with a block in place of each call of a small one."""
        made: list[Op] = []
        sites = 0

        def visited(op: Op) -> Op:
            nonlocal sites
            if not op.parts:
                return op
            parts = [part if isinstance(part, str) else visited(part) for part in op.parts]
            callee = self.callee(str(parts[0])) if op.name == "call" else None
            if callee is None:
                return Op(op.name, *parts)
            sites += 1
            block, locals = in_place(callee, parts[1:], f"'{sites}")
            made.extend(locals)
            return block

        head, body = split(function)
        body = [visited(op) for op in body]
        return Op(function.name, *head, *made, *body)


def split(function: Op) -> tuple[list[Op | str], list[Op]]:
    """The head of a function, and its body."""
    head = [part for part in function.parts if isinstance(part, str) or part.name in HEAD]
    return head, [part for part in function.parts if isinstance(part, Op) and part.name not in HEAD]


def in_place(callee: Op, arguments: Sequence[Op | str], mark: str) -> tuple[Op, list[Op]]:
    """The block for a call, and its locals, whose names end with a mark; a return leaves the block."""
    head, body = split(callee)
    out = f"$out{mark}"
    given = iter(arguments)
    result: list[Op] = []
    locals: list[Op] = []
    begun: list[Op] = []
    for part in head[1:]:
        assert isinstance(part, Op)
        if part.name == "result":
            result = [part]
            continue
        name, wasm = f"{part.parts[0]}{mark}", str(part.parts[1])
        locals.append(Op("local", name, wasm))
        begun.append(Op("local.set", name, next(given) if part.name == "param" else Op(f"{wasm}.const", "0")))

    def renamed(op: Op) -> Op:
        if op.name.startswith("local."):
            local, *values = op.parts
            return Op(op.name, f"{local}{mark}", *(one if isinstance(one, str) else renamed(one) for one in values))
        parts = [one if isinstance(one, str) else renamed(one) for one in op.parts]
        return Op("br", out, *parts) if op.name == "return" else Op(op.name, *parts)

    return Op("block", out, *result, *begun, *map(renamed, body)), locals


def parsed(text: str) -> list[Op]:
    """The trees of a text without strings."""
    stack: list[list[Op | str]] = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            name, *parts = stack.pop()
            stack[-1].append(Op(str(name), *parts))
        elif not token.startswith(";;"):
            stack[-1].append(token)
    return [one for one in stack[0] if isinstance(one, Op)]
