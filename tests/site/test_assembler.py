"""The page's assembler knows each instruction that translated rules have."""

from __future__ import annotations

import json
from pathlib import Path

from houserule.native.blueprint import Blueprint
from houserule.native.module import Written
from tests import node
from tests.bundled import load

SCRIPT = """
import { readFileSync } from "node:fs";
import { assembled } from "./assembler.js";
for (const text of JSON.parse(readFileSync("texts.json", "utf-8"))) console.log(WebAssembly.validate(assembled(text).bytes));
"""


def test_translated_rules_are_modules_of_a_page(tmp_path: Path) -> None:
    games = [load(name).program(2, told=False) for name in ("goofspiel", "tic_tac_toe")]
    texts = json.dumps([Written(Blueprint.of(game)).text for game in games])
    assert node.said(SCRIPT, tmp_path, "site/assembler.js", others={"texts.json": texts}) == ["true", "true"]
