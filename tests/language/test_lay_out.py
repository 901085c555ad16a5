"""The layout of effects as text: where blanks stand, how far in lines begin, and what happens to comments."""

from __future__ import annotations

from textwrap import dedent

import pytest

from houserule.language.format import lay_out
from houserule.operations import PREPOSITIONS


def laid_out(text: str, is_effect: bool = True) -> str:
    return "\n".join(line.text for line in lay_out(text, PREPOSITIONS, is_effect))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x=1", "x = 1"),
        ("me . score+=2*( a+b )", "me.score += 2 * (a + b)"),
        ("x = - 1", "x = -1"),
        ("x = a-1", "x = a - 1"),
        ("x = a - -1", "x = a - -1"),
        ("x = f (a)-g(b) [ 1 ]-[c][ 2 ]", "x = f(a) - g(b)[1] - [c][2]"),
        ("rotate hand by-1", "rotate hand by -1"),
        ("move(c in S where P)to z", "move (c in S where P) to z"),
        ("draw [a] [1] from z", "draw [a][1] from z"),
        ("x = card.move[1]", "x = card.move[1]"),
        ("if not(a and(b)):leave", "if not (a and (b)): leave"),
        ("finish with(a)", "finish with (a)"),
        ("perform draw (m ,1)", "perform draw(m, 1)"),
        ("leave  ;  finish ;nothing", "leave; finish; nothing"),
        ('say   to p"a  b"', 'say to p "a  b"'),
        ('"Draw"when n<limit :leave', '"Draw" when n < limit: leave'),
        ("for n in 1 .. -2 : nothing", "for n in 1..-2: nothing"),
        ("for p in players   from next(me): nothing", "for p in players from next(me): nothing"),
        ("move card#1 to none", "move card#1 to none"),
        ("x = true-none", "x = true - none"),
        ("end game with victory of(p in S where P)", "end game with victory of (p in S where P)"),
        ("repeat n times: x = of (1)", "repeat n times: x = of(1)"),
    ],
)
def test_blanks_stand_between_words_and_nowhere_else(text: str, wanted: str) -> None:
    assert laid_out(text) == wanted
    assert laid_out(wanted) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("search ( metal m,int limit )", "search(metal m, int limit)"),
        ("list of 0 ..n+1   or none", "list of 0..n + 1 or none"),
        ("0..6=3", "0..6 = 3"),
        ("score  of p,  q changes", "score of p, q changes"),
        ("move (a)", "move(a)"),
    ],
)
def test_declarations_and_expressions_follow_the_same_rule(text: str, wanted: str) -> None:
    assert laid_out(text, is_effect=False) == wanted


def test_blocks_are_two_columns_further_in_and_lines_stay_lines() -> None:
    text = """\
    if a :  move b to c;nothing
    elif d:
          leave
          repeat 2 times:
           nothing
    else:
     choose "Go?" or pass:
       "Yes"  when e: nothing


       "No":
            if f: finish

    leave
    """
    assert laid_out(dedent(text)) == dedent(
        """\
        if a: move b to c; nothing
        elif d:
          leave
          repeat 2 times:
            nothing
        else:
          choose "Go?" or pass:
            "Yes" when e: nothing


            "No":
              if f: finish

        leave
        """
    )


def test_what_stands_in_brackets_is_further_in_by_the_brackets_that_are_open() -> None:
    text = """\
    if any(c in hand
               where c.cost in [
       1,  # cheap
                 # dear
    9
    ]
           ):
        x = (a
              + b)
    """
    assert laid_out(dedent(text)) == dedent(
        """\
        if any(c in hand
          where c.cost in [
            1,  # cheap
            # dear
            9
          ]
        ):
          x = (a
            + b)
        """
    )


def test_comments_are_kept_and_go_with_the_block_in_which_they_stand() -> None:
    text = """\
    # before all
    if a:
        # first of the block
        leave

        # last of the block
      # neither here nor there
    # of what follows
    elif b:
        if c:
            leave
            # deep
         # out of the inner block
            # still out of it
    #at the end
    """
    assert laid_out(dedent(text)) == dedent(
        """\
        # before all
        if a:
          # first of the block
          leave

          # last of the block
        # neither here nor there
        # of what follows
        elif b:
          if c:
            leave
            # deep
          # out of the inner block
          # still out of it
        #at the end
        """
    )


def test_comments_behind_code_keep_their_distance_or_the_column_that_they_share() -> None:
    text = """\
    x=1 # near
    nothing
    y=1      # far

    z=1            # in one column
    if a:          # with this
        b=count(c) # and this
    """
    assert laid_out(dedent(text)) == dedent(
        """\
        x = 1  # near
        nothing
        y = 1      # far

        z = 1           # in one column
        if a:           # with this
          b = count(c)  # and this
        """
    )
