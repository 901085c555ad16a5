"""Neovim with the language server, without a screen: what is wrong is shown, and a completion is offered."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.test_server import GAME

SCRIPT = """
local client = vim.lsp.start_client({
  name = "houserule", cmd = { "%(python)s", "-m", "houserule", "lsp" }, root_dir = "%(folder)s",
})
vim.lsp.buf_attach_client(0, client)
local shown = vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 50)
for _, one in ipairs(vim.diagnostic.get(0)) do print("DIAGNOSTIC " .. one.lnum .. " " .. one.message) end
local place = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 19, character = 18 } }
local answers = vim.lsp.buf_request_sync(0, "textDocument/completion", place, 10000)
for _, answer in pairs(answers or {}) do
  for _, item in ipairs(answer.result and answer.result.items or {}) do print("ITEM " .. item.label) end
end
vim.cmd("qa!")
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_shows_what_is_wrong_and_offers_what_fits(tmp_path: Path) -> None:
    game = tmp_path / "game.yaml"
    game.write_text(GAME.replace("from deck", "from dekc"), encoding="utf-8")
    script = tmp_path / "try.lua"
    script.write_text(SCRIPT % {"python": sys.executable, "folder": tmp_path}, encoding="utf-8")
    command = ["nvim", "--headless", "--clean", str(game), "-c", f"luafile {script}"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    said = ran.stdout + ran.stderr
    assert "DIAGNOSTIC 18 there is nothing called 'dekc' here" in said
    assert "ITEM score" in said
    assert "ITEM hand" in said
