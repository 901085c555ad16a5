"""The protocol's names for the kinds of tokens, symbols and completions."""

from __future__ import annotations

from lsprotocol import types

TOKENS = (
    "keyword",
    "function",
    "variable",
    "property",
    "enumMember",
    "number",
    "string",
    "comment",
    "type",
    "parameter",
    "method",
)
TOKEN_OF = {
    "verb": "method",
    "keyword": "keyword",
    "function": "function",
    "action": "function",
    "variable": "variable",
    "option": "variable",
    "zone": "property",
    "attribute": "property",
    "member": "enumMember",
    "piece": "enumMember",
    "enum": "type",
    "kind": "type",
    "table": "property",
    "number": "number",
    "string": "string",
    "comment": "comment",
    "local name": "parameter",
}
KINDS = {
    "option": types.SymbolKind.Constant,
    "enum": types.SymbolKind.Enum,
    "member": types.SymbolKind.EnumMember,
    "kind": types.SymbolKind.Class,
    "piece": types.SymbolKind.Object,
    "attribute": types.SymbolKind.Property,
    "zone": types.SymbolKind.Namespace,
    "variable": types.SymbolKind.Variable,
    "table": types.SymbolKind.Array,
    "function": types.SymbolKind.Function,
    "action": types.SymbolKind.Method,
    "trigger": types.SymbolKind.Event,
    "effect": types.SymbolKind.Event,
    "step": types.SymbolKind.Module,
}
ITEMS = {
    "verb": types.CompletionItemKind.Method,
    "keyword": types.CompletionItemKind.Keyword,
    "function": types.CompletionItemKind.Function,
    "action": types.CompletionItemKind.Function,
    "variable": types.CompletionItemKind.Variable,
    "zone": types.CompletionItemKind.Field,
    "member": types.CompletionItemKind.EnumMember,
    "piece": types.CompletionItemKind.EnumMember,
    "attribute": types.CompletionItemKind.Property,
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.Value,
}
