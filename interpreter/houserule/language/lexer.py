"""The lexer of the effect language: a text and the terminals that the parser accepts next in, tokens out.

One regular expression finds the ends of words, and the accepted terminals decide what a word is: `top` is a name
where a name is accepted and a verb where a verb is. Lark's own lexer does the same with an expression for each set of
accepted terminals, fifty of them, which are compiled anew in each process. It takes over at the first word that
fits nowhere, so that it finds all mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from lark import Token
from lark.lexer import ContextualLexer, Lexer, LexerState

WORD = re.compile(
    r"""
      (?P<blank>  [ ]+ (?: \#[^\n]* )? )
    | (?P<line>   (?: \n [ ]* (?: \#[^\n]* )? )+ )
    | (?P<COPY>   [A-Za-z_][A-Za-z0-9_]* \# [0-9]+ )
    | (?P<word>   [A-Za-z_][A-Za-z0-9_]* )
    | (?P<NUMBER> [0-9]+ )
    | (?P<STRING> " (?: [^"\\\n] | \\[^\n] )* " )
    | (?P<sign>   //= | [-+*%]= | // | [=!<>]= | \.\. | [-+*%=<>.,:;!()\[\]] )
    """,
    re.VERBOSE,
)
PLAYERS_FROM = re.compile(r"players +from(?![A-Za-z0-9_])")


SIGNS = {
    sign: terminal
    for terminal, row in {
        "SIGN": "+ -",
        "FACTOR": "* // %",
        "AUGMENTED": "+= -= *= //= %=",
        "COMPARISON": "== != <= >= < >",
    }.items()
    for sign in row.split()
}
"""The terminals that consist of several signs, by each of them."""


class Words(Lexer):
    """The lexer of the effect language, as a class for Lark."""

    __future_interface__ = 2

    def __init__(self, conf: Any) -> None:
        self.conf = conf
        # Terminals by their only word or sign.
        self.literal = {t.pattern.value: t.name for t in conf.terminals if t.pattern.type == "str"}
        self._careful: ContextualLexer | None = None

    def careful(self, states: Any) -> ContextualLexer:
        """Lark's own lexer, made when it is first needed."""
        if self._careful is None:
            accepted: dict[int, Collection[str]] = {state: list(actions) for state, actions in states.items()}
            self._careful = ContextualLexer(self.conf, accepted, always_accept=self.conf.postlex.always_accept)
        return self._careful

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        """The tokens of a text, each when the parser has taken the one before."""
        # Since Lark 1.3 the text is in a slice.
        text: str = getattr(lexer_state.text, "text", lexer_state.text)  # type: ignore[arg-type]
        states = parser_state.parse_conf.states
        literal = self.literal
        position, end, line, start = 0, len(text), 1, 0
        last: Token | None = None
        while position < end:
            found = WORD.match(text, position)
            if found is None:
                break
            sort, word, after = found.lastgroup, found[0], found.end()
            if sort == "blank":
                position = after
                continue
            accepted = states[parser_state.position]
            type: str | None
            match sort:
                case "line":
                    type = "_NEWLINE"
                case "word":
                    type = literal.get(word)
                    if type not in accepted:
                        type = "TRUTH" if word in ("true", "false") and "TRUTH" in accepted else "NAME"
                    if (
                        word == "players"
                        and "PLAYERS_FROM" in accepted
                        and (both := PLAYERS_FROM.match(text, position))
                    ):
                        type, word, after = "PLAYERS_FROM", both[0], both.end()
                case "sign":
                    type = literal.get(word)
                    if type not in accepted:
                        type = SIGNS.get(word)
                case _:
                    type = sort
            if type not in accepted and type != "_NEWLINE":
                break
            assert type is not None
            column = position - start + 1
            begun = line
            if sort == "line":
                line += word.count("\n")
                start = position + word.rindex("\n") + 1
            last = Token(type, word, position, begun, column, line, after - start + 1, after)
            yield last
            position = after
        if position < end:
            counter = lexer_state.line_ctr
            counter.char_pos, counter.line, counter.line_start_pos = position, line, start
            counter.column = position - start + 1
            lexer_state.last_token = last
            yield from self.careful(states).lex(lexer_state, parser_state)
