"""A game on paper: its cards, tiles, tokens, dice and boards as sheets to print and cut, or as single pictures.

>>> from houserule import load
>>> from houserule.printing import Settings, pdf, stock
>>> Path("my_game.pdf").write_bytes(pdf(stock(load("my_game")), Settings()))
"""

from houserule.printing.aid import aid
from houserule.printing.pictures import Album, Picture, crafted, decks, products, rasters, single
from houserule.printing.sheets import FLIPS, Settings, Sheet, pdf, sheets
from houserule.printing.stock import PAPERS, Item, Stock, kinds_of, only_new, stock
from houserule.printing.text import TooMuch

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
