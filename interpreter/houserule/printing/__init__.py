"""A game on paper: its cards, tiles, tokens, dice and boards as sheets to print and cut, or as single pictures.

>>> from houserule import load
>>> from houserule.printing import Settings, pdf, stock
>>> Path("my_game.pdf").write_bytes(pdf(stock(load("my_game")), Settings()))
"""

from houserule.printing.aid import aid
from houserule.printing.drawing import TooMuch
from houserule.printing.pictures import Album, Picture, crafted, decks, products, rasters, single
from houserule.printing.sheets import (
    FLIPS,
    PAPERS,
    Item,
    Settings,
    Sheet,
    Stock,
    kinds_of,
    only_new,
    pdf,
    sheets,
    stock,
)

__all__ = [
    "FLIPS",
    "PAPERS",
    "Album",
    "Item",
    "Picture",
    "Settings",
    "Sheet",
    "Stock",
    "TooMuch",
    "aid",
    "crafted",
    "decks",
    "kinds_of",
    "only_new",
    "pdf",
    "products",
    "rasters",
    "sheets",
    "single",
    "stock",
]
