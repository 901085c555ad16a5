"""Writes the pages of docs/reference/ and the JSON schemas of rule files from the code that they describe.

`python docs/generate.py` writes them; with `--check` it only says whether they are what the code says.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator
from enum import Enum
from functools import cache, cached_property
from pathlib import Path
from typing import Any, get_args, get_type_hints

from typer.models import ArgumentInfo

import houserule
from houserule.cli.application import COMMANDS, EXAMPLES, source_of
from houserule.codes import CHANGED_GAME, CODES, PLAYED_GAME
from houserule.definition.files import GAME, SCENARIO, VARIANT
from houserule.definition.sorts import Key, Sort
from houserule.language import nodes
from houserule.operations import FUNCTIONS, VERBS
from houserule.operations.table import Function, Verb

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference"
SCHEMA = ROOT / "schema"
GENERATED = "<!-- Written by `make reference`. Change the code that it is made from, not this page. -->\n\n"


def words(name: str) -> str:
    """A class name as words: FinishWith is "Finish with"."""
    return re.sub(r"(?<!^)([A-Z])", lambda found: f" {found[1].lower()}", name)


def snake(name: str) -> str:
    """A class name as the grammar writes it: FinishWith is finish_with."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def fence(text: str, language: str = "") -> str:
    """A block of code."""
    return f"```{language}\n{text.rstrip()}\n```\n"


def cell(text: str) -> str:
    """Text that can stand in a cell of a table."""
    return " ".join(text.replace("|", "\\|").split())


# --- the language -----------------------------------------------------------------------------------------------------


def alternatives() -> dict[str, list[str]]:
    """For each node the alternatives of the grammar that make it."""
    grammar = (ROOT / "interpreter" / "houserule" / "language" / "effects.lark").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for line in grammar.split("\n"):
        match = re.match(r"\s*(?:[?!]?\w+(?:\.\d+)?\s*:|\|)\s*(.*?)\s*->\s*(\w+)", line)
        if match:
            found.setdefault(match[2], []).append(" ".join(match[1].split()))
    return found


def language_page() -> str:
    """What can be written in an effect: a paragraph for each node."""
    source = inspect.getsource(nodes)
    written = alternatives()
    parts = [
        "# Syntax of the effect language\n\nA paragraph for each node of the tree, and the grammar that makes it.\n"
    ]
    for piece in re.split(r"^(?=# --- )", source, flags=re.MULTILINE)[1:]:
        heading = re.match(r"# --- (.*?) -*$", piece.split("\n")[0])
        assert heading is not None
        parts.append(f"## {heading[1][0].upper()}{heading[1][1:]}\n")
        for name in re.findall(r"^class (\w+)", piece, re.MULTILINE):
            parts.append(f"### {words(name)}\n\n{inspect.getdoc(getattr(nodes, name))}\n")
            if snake(name) in written:
                parts.append(fence("\n".join(written[snake(name)])))
    return "\n".join(parts)


# --- operations -------------------------------------------------------------------------------------------------------


def verb_signature(verb: Verb) -> str:
    """How a verb is written: `draw NUMBER from PILE to PILE`."""
    parts = [verb.name, verb.argument.upper()]
    for preposition, pattern in verb.prepositions.items():
        part = f"{preposition} {pattern.removesuffix('?').upper()}"
        parts.append(f"[{part}]" if pattern.endswith("?") else part)
    return " ".join(parts)


def function_signature(function: Function) -> str:
    """How a function is written: `count(LIST)`."""
    shown = []
    for pattern in function.parameters:
        word = pattern.rstrip("?*").upper()
        shown.append(f"{word}, …" if pattern.endswith("*") else f"[{word}]" if pattern.endswith("?") else word)
    return f"{function.name}({', '.join(shown)})"


def operations_page() -> str:
    """Every verb and function with its meaning and its example."""
    parts = ["# Operations\n", "## Verbs\n"]
    for name in sorted(VERBS):
        verb = VERBS[name]
        parts.append(f"### {name}\n\n`{verb_signature(verb)}`\n\n{verb.says}\n")
        if verb.uses_chance:
            parts.append("Uses chance.\n")
        if verb.example:
            parts.append(fence(verb.example))
    parts.append("## Functions\n")
    for name in sorted(FUNCTIONS):
        parts.append(f"### {name}\n")
        for function in FUNCTIONS[name]:
            optional = " May be none: test it before you use it." if function.may_be_none else ""
            parts.append(f"`{function_signature(function)}`\n\n{function.says}{optional}\n")
            if function.example:
                parts.append(fence(function.example))
    return "\n".join(parts)


# --- diagnostics ------------------------------------------------------------------------------------------------------


def codes_page() -> str:
    """Every code: why it matters, with a broken and a fixed example."""
    parts = ["# Diagnostics\n\n`houserule explain CODE` prints one of these.\n"]
    for code, row in CODES.items():
        parts.append(f"## {code}: {row.title}\n\n{row.why}\n")
        if row.broken:
            if code == next(code for code, one in CODES.items() if one.document == "scenario"):
                parts.append(f"The examples of scenarios play this game:\n\n{fence(PLAYED_GAME, 'yaml')}")
            if code == next(code for code, one in CODES.items() if one.document == "variant"):
                parts.append(f"The examples of variants change this game:\n\n{fence(CHANGED_GAME, 'yaml')}")
            parts.append(f"Broken:\n\n{fence(row.broken, 'yaml')}")
        if row.mended:
            parts.append(f"Fixed:\n\n{fence(row.mended, 'yaml')}")
    return "\n".join(parts)


# --- files ------------------------------------------------------------------------------------------------------------


def kind_of(schema: dict[str, Any], definitions: dict[str, Any]) -> str:
    """What a key holds, in a few words."""
    target = schema
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        target = definitions.get(name, {})
        title = str(target.get("title", name))
        return f"[{title}](#{name})" if "properties" in target else title
    if "enum" in target:
        return " or ".join(f"`{value}`" for value in target["enum"])
    if "const" in target:
        return f"`{target['const']}`"
    return str(target.get("title", target.get("type", "")))


def key_rows(schema: dict[str, Any], definitions: dict[str, Any], before: str = "") -> Iterator[str]:
    """A row for each key that a map may have, and for those of the maps inside it."""
    for key, inside in schema.get("properties", {}).items():
        description = inside.get("description") or definitions.get(inside.get("$ref", "").rsplit("/", 1)[-1], {}).get(
            "description", ""
        )
        yield f"| `{before}{key}` | {cell(kind_of(inside, definitions))} | {cell(description)} |"
        if "$ref" not in inside:
            yield from key_rows(inside, definitions, f"{before}{key}.")
            for named in inside.get("patternProperties", {}).values():
                kind, says = kind_of(named, definitions), named.get("description", "")
                yield f"| `{before}{key}.NAME` | {cell(kind)} | {cell(says)} |"


def files_page() -> str:
    """Every key of every file, as the JSON schemas have them."""
    parts = ["# Files\n"]
    record = json.loads((SCHEMA / "record.schema.json").read_text(encoding="utf-8"))
    for file, schema in sorted({**schemas(), "record.schema.json": record}.items()):
        definitions = schema.get("$defs", {})
        parts.append(f"## {schema.get('title', file)}\n\n{schema.get('description', '')}\n")
        for name, definition in [("", schema), *definitions.items()]:
            rows = list(key_rows(definition, definitions))
            if rows:
                if name:
                    parts.append(f"### {name}\n\n{definition.get('description', definition.get('title', ''))}\n")
                parts.append("\n".join(["| key | value | meaning |", "|---|---|---|", *rows]) + "\n")
    return "\n".join(parts)


# --- JSON schemas -----------------------------------------------------------------------------------------------------

FILES = {
    "game": ("A game of Houserule", "The file game.yaml, and the files that its 'include' names."),
    "layout": ("The layout of a table", "The 'layout' of a game or of a house rule: how its table looks."),
}
"""The title and sentence of the schemas whose root is one of their definitions."""


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON schemas of all kinds of files, for editors, by the name of the file."""
    definitions: dict[str, dict[str, Any]] = {name: {} for name in ("game", "layout", "variant", "scenario")}
    found = {name: schema_of(sort, name, definitions) for name, sort in (("variant", VARIANT), ("scenario", SCENARIO))}
    for name, (title, says) in FILES.items():
        found[name] = {"title": title, "description": says, "$ref": f"#/$defs/{name}"}
    whole: dict[str, Any] = {}
    definitions["game"]["complete"] = complete(GAME, whole, ())
    definitions["game"] |= whole
    is_whole = {"required": ["edition"], "not": {"required": ["include"]}}
    found["game"] |= {"if": is_whole, "then": {"$ref": "#/$defs/complete"}}
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {
        f"{name}.schema.json": {**dialect, **schema, **({"$defs": definitions[name]} if definitions[name] else {})}
        for name, schema in found.items()
    }


def described(key: Key, file: str, definitions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The schema of the value of a key."""
    made = schema_of(key.sort, file, definitions)
    told = {"description": key.says, "examples": list(key.examples)}
    if "$ref" in made:
        return {**made, **({} if (key.says, key.examples) == (key.sort.says, key.sort.examples) else told)}
    return {"title": key.sort.title, **told, **made, **told} if key.says else made


def schema_of(sort: Sort, file: str, definitions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The schema of a sort, or a reference to the file in which it is described."""
    home, _, name = sort.place.partition("/")
    if not name:
        return keywords(sort, file, definitions)
    if name not in definitions[home]:
        definitions[home][name] = {}  # it may refer to itself
        definitions[home][name] = keywords(sort, home, definitions)
    return {"$ref": f"{'' if home == file else f'{home}.schema.json'}#/$defs/{name}"}


def keywords(sort: Sort, file: str, definitions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The keywords of a sort."""
    types: Any = sort.types[0] if len(sort.types) == 1 else list(sort.types)
    more = {"not": {"type": ["object", "array", "number", "null"]}} if "boolean" in sort.types else {"type": types}
    named = f"^(?!({'|'.join(sort.keys)})$){sort.named}$" if sort.keys else f"^{sort.named}$"
    inner = schema_of(sort.under, file, definitions) if sort.under is not None else {}
    made: dict[str, Any] = {
        "title": sort.title,
        "x-text": sort.text,
        "description": sort.says,
        "examples": list(sort.examples),
        "type": types if not sort.offers else None,
        "anyOf": [{"enum": list(sort.offers)}, more] if sort.offers else None,
        "enum": list(sort.words),
        "minimum": sort.low,
        "maximum": sort.high,
        ("minProperties" if "object" in sort.types else "minItems"): sort.least,
        "properties": {name: described(key, file, definitions) for name, key in sort.keys.items()},
        "patternProperties": {named: inner} if sort.named else None,
        "required": [key.name for key in sort.keys.values() if key.is_required],
        "items": schema_of(sort.item, file, definitions) if sort.item is not None else None,
    }
    made = {name: value for name, value in made.items() if value}
    if sort.under is not None and not sort.named:
        made["additionalProperties"] = inner
    elif "properties" in made or "patternProperties" in made:
        made["additionalProperties"] = False
    return made


@cache
def has_needs(sort: Sort) -> bool:
    """Whether a whole game needs a key here or further inside."""
    waiting, seen = [sort], {sort}
    for one in waiting:
        if one.one_of or any(key.is_needed for key in one.keys.values()):
            return True
        inside = {*(key.sort for key in one.keys.values()), *([one.under] if one.under is not None else [])} - seen
        waiting += inside
        seen |= inside
    return False


def complete(sort: Sort, whole: dict[str, Any], around: tuple[Sort, ...]) -> dict[str, Any]:
    """What a game must have once its files are merged, at one place; what contains itself is kept in `whole`."""
    name = f"complete_{sort.place.partition('/')[2]}"
    if sort in around:
        whole[name] = {}
        return {"$ref": f"#/$defs/{name}"}
    inside = (*around, sort)
    needed = [key.name for key in sort.keys.values() if key.is_needed]
    keys = {key.name: complete(key.sort, whole, inside) for key in sort.keys.values() if has_needs(key.sort)}
    made: dict[str, Any] = {
        "required": needed,
        "anyOf": [{"required": [key]} for key in sort.one_of],
        "properties": keys,
        "patternProperties": {sort.pattern.pattern: complete(sort.under, whole, inside)}
        if sort.under is not None and has_needs(sort.under)
        else None,
    }
    made = {key: value for key, value in made.items() if value}
    if name in whole:
        whole[name] = made
        return {"$ref": f"#/$defs/{name}"}
    return made


# --- the library ------------------------------------------------------------------------------------------------------

SECTIONS = {
    "Rules": "load Game Changeable games find examples Example UnknownGame InvalidGame validate Diagnostic Span Related Fix format Formatted rule_files subjects allow_work",
    "Matches": "Match Choice Option IllegalAnswer RuleFault Sheet ScoreLine Team Event Record replay InvalidRecord OtherRules ENDINGS SPECTATOR",
    "Views": "View ZoneView PieceView VariableView",
    "Numbers for learning": "Actions Block Observations Entry",
    "Many matches": "simulate Study compare Comparison sweep Sweep ladder Ladders report Outcome ENGINES NotNative",
    "Scenarios": "rehearse ScenarioFile ScenarioResult ScenarioBudget Coverage Rule",
}
"""The public names by what they are for, in the order of the page."""
API_SETUP = """>>> import houserule
>>> game = houserule.load("tic_tac_toe")
>>> match = game.start(["Ann", "Ben"], seed=1)"""


def documented(name: str, found: Any, level: int = 3) -> Iterator[str]:
    """A public name: its signature, what it promises with its examples, and its methods."""
    called = f"({', '.join(plain_parameters(found))})" if callable(found) and not is_plain_class(found) else ""
    text = (inspect.getdoc(found) or "").strip() if callable(found) else ""
    yield f"{'#' * level} {name.partition('.')[2] or name}\n\n`{name}{called}`\n\n{with_fences(text)}\n"
    if inspect.isclass(found):
        yield from members(name, found, level + 1)


def is_plain_class(found: Any) -> bool:
    """Whether people do not make objects of a class by calling it."""
    return inspect.isclass(found) and (issubclass(found, Exception) or not hasattr(found, "__dataclass_fields__"))


def plain_parameters(found: Any) -> Iterator[str]:
    """The parameters of a function without their types."""
    for parameter in inspect.signature(found).parameters.values():
        if parameter.name != "self":
            star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
            has_default = parameter.default not in (parameter.empty,) and isinstance(
                parameter.default, int | str | tuple | None
            )
            yield f"{star}{parameter.name}" + (f"={parameter.default!r}" if has_default else "")


def members(name: str, found: Any, level: int) -> Iterator[str]:
    """The public methods and properties of a class, in the order of its source: that of its names changes when one is taken out and put back."""
    for member, value in sorted(vars(found).items(), key=lambda one: first_line(one[1])):
        inner = value.__func__ if isinstance(value, staticmethod | classmethod) else value
        if member.startswith("_") or not (inspect.isfunction(inner) or hasattr(inner, "__doc__")):
            continue
        if inspect.isfunction(inner):
            yield from documented(f"{name}.{member}", inner, level)
        elif isinstance(inner, property | cached_property) and inspect.getdoc(inner):
            yield f"{'#' * level} {member}\n\n`{name}.{member}`\n\n{with_fences(inspect.getdoc(inner) or '')}\n"


def first_line(value: Any) -> int:
    """The line at which the function of a method or property begins; 0 for anything else."""
    inner = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
    return inner.__code__.co_firstlineno if inspect.isfunction(inner) else 0


def with_fences(text: str) -> str:
    """A docstring with its examples as code."""
    parts = []
    for paragraph in text.split("\n\n"):
        parts.append(f"```pycon\n{paragraph.strip()}\n```" if paragraph.lstrip().startswith(">>>") else paragraph)
    return "\n\n".join(parts)


def api_page() -> str:
    """The public names of the library, from their docstrings."""
    parts = [
        "# The library\n\nEverything that `import houserule` offers. The examples of each entry go on from here:\n",
        fence(API_SETUP, "pycon"),
    ]
    for heading, names in SECTIONS.items():
        parts.append(f"## {heading}\n")
        for name in names.split():
            if name in houserule.__all__:
                parts += documented(name, getattr(houserule, name))
    listed = {name for names in SECTIONS.values() for name in names.split()}
    assert set(houserule.__all__) <= listed, f"docs/generate.py files {set(houserule.__all__) - listed} nowhere"
    return "\n".join(parts)


# --- the command ------------------------------------------------------------------------------------------------------


def parameter_row(name: str, annotation: Any) -> str:
    """A row for one argument or option of a command, from its annotation."""
    kind, described = get_args(annotation)[:2]
    if isinstance(described, ArgumentInfo):
        names = [str(described.metavar or name.upper())]
    else:
        # In an annotation Typer keeps the first of the names as the default.
        written = [described.default, *(described.param_decls or ())]
        names = [word for word in written if str(word).startswith("-")] or [f"--{name.replace('_', '-')}"]
    enums = [part for part in (kind, *get_args(kind)) if isinstance(part, type) and issubclass(part, Enum)]
    values = " or ".join(f"`{value.value}`" for enum in enums for value in enum) or str(described.metavar or "")
    shown = "" if isinstance(described, ArgumentInfo) else cell(values)
    return f"| {cell(', '.join(f'`{name}`' for name in names))} | {shown} | {cell(described.help or '')} |"


def command_section(name: str, callback: Any) -> str:
    """One command: its sentence, its arguments and options."""
    hints = get_type_hints(callback, include_extras=True)
    rows = [parameter_row(word, hint) for word, hint in hints.items() if word != "return"]
    table = ["", "| argument or option | values | meaning |", "|---|---|---|", *rows] if rows else []
    paragraphs = (inspect.getdoc(callback) or "").split("\n\n")
    about = [f"```\n{one}\n```" if one.startswith(EXAMPLES) else one for one in paragraphs]
    return "\n".join(["\n\n".join([f"## houserule {name}", *about]), *table]) + "\n"


def command_page() -> str:
    """Every command with its arguments and options."""
    parts = ["# The command houserule\n"]
    for name in COMMANDS:
        source = source_of(name)
        inside = getattr(source, "registered_commands", ())
        parts += [command_section(f"{name} {command.name}", command.callback) for command in inside]
        if not inside:
            parts.append(command_section(name, source))
    return "\n".join(parts)


# --- the code ---------------------------------------------------------------------------------------------------------


def module_row(module: Path) -> str:
    """A module and the sentence that it opens with."""
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    opening, *_ = text.split("\n\n")
    return f"| `{module.stem}` | {cell(opening)} |"


def modules_page() -> str:
    """Every module by its package, with the sentence that it opens with."""
    folder = ROOT / "interpreter" / "houserule"
    packages = [folder, *sorted(path.parent for path in folder.glob("*/__init__.py"))]
    parts = ["# Modules\n\nEach module with its opening sentence.\n"]
    for package in packages:
        rows = [module_row(module) for module in sorted(package.glob("*.py"))]
        heading = package.relative_to(ROOT).as_posix()
        parts.append("\n".join([f"## {heading}\n", "| module | purpose |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def pages() -> dict[Path, str]:
    """Every page and every schema, by its file."""
    made = {
        "syntax.md": language_page(),
        "operations.md": operations_page(),
        "diagnostics.md": codes_page(),
        "files.md": files_page(),
        "command.md": command_page(),
        "modules.md": modules_page(),
    }
    pages = {REFERENCE / name: GENERATED + text.rstrip() + "\n" for name, text in made.items()}
    pages[ROOT / "docs" / "api.md"] = GENERATED + api_page().rstrip() + "\n"
    return pages | {SCHEMA / name: written(schema) + "\n" for name, schema in schemas().items()}


def written(value: Any, indent: str = "") -> str:
    """JSON as a person would write it: on one line where it fits."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict) or len(indent) + len(line) < 120:
        return line
    inner = [f"{indent}  {json.dumps(key)}: {written(one, indent + '  ')}" for key, one in value.items()]
    return "{\n" + ",\n".join(inner) + f"\n{indent}}}"


def main() -> int:
    """Write the pages and schemas, or with `--check` say whether they are current."""
    made = pages()
    if "--check" in sys.argv[1:]:
        there = {file: file.read_text(encoding="utf-8") for file in {*REFERENCE.glob("*.md"), *made} if file.exists()}
        stale = sorted(file for file in made.keys() | there.keys() if made.get(file) != there.get(file))
        for file in stale:
            print(f"{file.relative_to(ROOT).as_posix()} is not current: make reference", file=sys.stderr)
        return 1 if stale else 0
    REFERENCE.mkdir(exist_ok=True)
    for file in REFERENCE.glob("*.md"):
        if file not in made:
            file.unlink()
    for file, text in made.items():
        file.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
