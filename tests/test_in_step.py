"""The stages are in step: what one knows, the others know."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import get_args

import pytest

from houserule.diagnostics import Report
from houserule.language import checked, format, nodes
from houserule.language.grammar import ALIAS, COMMENT, Grammar
from houserule.language.parse import parse
from houserule.language.typecheck import dispatch
from houserule.language.words import GRAMMAR, RESERVED, SOMETIMES_NAMES
from tests.reading import read_text

# Not made by an alternative of their own: a sentence is a word, and its parts are read one by one.
MADE_OF_WORDS = {"Text"}
# Makes no node: it widens the one inside the brackets.
NO_NODE = {"InBrackets"}


def node_classes() -> set[str]:
    """All kinds of nodes."""
    return {name for name, value in vars(nodes).items() if inspect.isclass(value) and issubclass(value, nodes.Node)} - {
        "Node"
    }


def cases(path: Path, function: str) -> set[str]:
    """The node classes that the `match` of a function names."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    (found,) = [n for n in ast.walk(module) if isinstance(n, ast.FunctionDef) and n.name == function]
    return {n.cls.attr for n in ast.walk(found) if isinstance(n, ast.MatchClass) and isinstance(n.cls, ast.Attribute)}


def test_each_alternative_of_the_grammar_makes_a_node_and_each_node_is_made() -> None:
    made = {
        "".join(word.capitalize() for word in alias.split("_"))
        for alias in ALIAS.findall(COMMENT.sub("", GRAMMAR.read_text(encoding="utf-8")))
    }
    assert made - NO_NODE == node_classes() - MADE_OF_WORDS


def test_what_has_no_name_is_inlined() -> None:
    """Otherwise the parser would make a tree of its own kind, which no pass knows."""
    grammar = Grammar({"move": ("to",)}, lambda builder, token: nodes.Text(builder.place(token), str(token), ()))
    for rule in grammar.lark.rules:
        if rule.alias is None and not rule.origin.name.startswith("_"):
            kept = [s for s in rule.expansion if rule.options.keep_all_tokens or not (s.is_term and s.filter_out)]
            assert rule.options.expand1, rule
            assert len(kept) == 1, rule


def test_the_formatter_writes_every_node() -> None:
    assert cases(Path(inspect.getfile(format)), "written") == node_classes()


def test_each_node_says_what_it_is_in_the_manual() -> None:
    for name in node_classes():
        assert inspect.getdoc(getattr(nodes, name)), name


# --- the checker, and the passes behind it --------------------------------------------------------------------------------

COMPILER = Path(inspect.getfile(checked)).parent.parent / "compiler"
# Looked at by the pass around them: a block by its statements, a line of a menu with its menu, a preposition with its verb …
PARTS = {"Block", "ChosenPart", "MenuItem", "Preposition", "Text"}
# What YAML keys and values declare: the symbol table is made of it.
DECLARATIONS = {"TypeName", "Declaration", "Parameter", "Signature", "Binding", "Event"}
# These cut a segment wherever they stand, so that what asks nobody never has one.
ASKING = {"Ask", "Together", "Race", "Pause"}


def named(path: Path, function: str) -> set[str]:
    """The classes of the checked tree that the `match` of a function names."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    (found,) = [n for n in ast.walk(module) if isinstance(n, ast.FunctionDef) and n.name == function]
    return {ast.unparse(n.cls).rpartition(".")[2] for n in ast.walk(found) if isinstance(n, ast.MatchClass)}


def members(union: object) -> set[str]:
    return {kind.__name__ for kind in get_args(union)}


def test_the_checker_has_a_case_for_every_node() -> None:
    statements = {kind.__name__ for kind in dispatch.STATEMENTS}
    expressions = {kind.__name__ for kind in (*dispatch.EXPRESSIONS, *dispatch.WANTING)}
    assert statements == members(nodes.Statement)
    assert expressions == members(nodes.Expression)
    assert expressions == {kind.__name__ for kind in dispatch.CONDITIONS}
    assert statements | expressions | PARTS | DECLARATIONS == node_classes()


def test_the_compiler_writes_every_form_of_the_checked_tree() -> None:
    assert named(COMPILER / "expressions.py", "emitted") == members(checked.Expression)
    assert named(COMPILER / "statements.py", "one_statement") == members(checked.Statement)


def test_the_segmenter_cuts_at_everything_that_asks_or_jumps() -> None:
    put = named(COMPILER / "blocks.py", "put")
    assert put >= ASKING | {"Branch", "Labelled", "Each", "Times", "Loop", "Jump", "Return", "Perform"}
    assert put <= members(checked.Statement)
    assert named(COMPILER / "blocks.py", "asks") >= ASKING


# --- words ----------------------------------------------------------------------------------------------------------------


def is_a_name(word: str) -> bool:
    """Whether a word is read as a name where a value can stand."""
    report = Report()
    written = read_text(f"value: '{word}'", "words.yaml", report)
    assert written is not None
    node = parse(written.entries["value"].value.fragment, "expression", report, {})
    return isinstance(node, nodes.Name) and node.id == word and not report.found


@pytest.mark.parametrize("word", sorted(SOMETIMES_NAMES))
def test_a_word_of_declarations_alone_can_be_a_name(word: str) -> None:
    assert is_a_name(word)


def test_every_other_word_of_the_grammar_is_reserved() -> None:
    grammar = Grammar({}, lambda builder, token: nodes.Text(builder.place(token), str(token), ()))
    words = {t.pattern.value for t in grammar.lark.terminals if t.pattern.type == "str" and t.pattern.value.isalpha()}
    assert words - SOMETIMES_NAMES <= RESERVED
    assert not [word for word in RESERVED if is_a_name(word)]
