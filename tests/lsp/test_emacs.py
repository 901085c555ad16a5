"""Emacs with eglot and the language server, without a screen: what is wrong is shown, explained, completed and mended."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.language_service.woods import GAME, write

SCRIPT = """
(package-initialize)
(unless (and (require 'eglot nil t) (require 'yaml-mode nil t)) (princ "MISSING") (kill-emacs))
(require 'flymake)
(add-to-list 'eglot-server-programs '(yaml-mode . ("%(python)s" "-m" "houserule" "lsp")))
(setq eglot-sync-connect 30)
(find-file "%(file)s")
(yaml-mode)
(apply #'eglot (eglot--guess-contact))
(let ((n 0))
  (while (and (< n 300) (null (flymake-diagnostics)))
    (flymake-start) (accept-process-output nil 0.1) (setq n (1+ n))))
(dolist (one (flymake-diagnostics))
  (princ (format "DIAGNOSTIC %%s %%s\n" (line-number-at-pos (flymake-diagnostic-beg one)) (flymake-diagnostic-text one))))
(defun ask (method) (jsonrpc-request (eglot--current-server-or-lose) method (eglot--TextDocumentPositionParams)))
(goto-char (point-min)) (search-forward "p.score")
(princ (format "ITEMS %%s\n" (mapcar (lambda (one) (plist-get one :label)) (plist-get (ask :textDocument/completion) :items))))
(goto-char (point-min)) (search-forward "forrest")
(princ (format "ACTIONS %%s\n"
  (mapcar (lambda (one) (plist-get one :title)) (eglot-code-actions (line-beginning-position) (line-end-position)))))
"""


@pytest.mark.skipif(shutil.which("emacs") is None, reason="Emacs is not installed")
def test_emacs_shows_what_is_wrong_and_offers_what_fits(tmp_path: Path) -> None:
    file = write(tmp_path / "woods")
    file.write_text(GAME.replace("from forest", "from forrest"), encoding="utf-8")
    script = tmp_path / "try.el"
    script.write_text(SCRIPT % {"python": sys.executable, "file": file}, encoding="utf-8")
    ran = subprocess.run(
        ["emacs", "--batch", "-l", str(script)], capture_output=True, text=True, timeout=90, check=False
    )
    if "MISSING" in ran.stdout:
        pytest.skip("Emacs has no eglot or no yaml-mode")
    assert "DIAGNOSTIC 28 houserule [HR501]: there is nothing called 'forrest' here" in ran.stdout, ran.stderr
    assert "ITEMS (basket score)" in ran.stdout
    assert "ACTIONS (Write 'forest' Fix everything that is certain Explain HR501)" in ran.stdout
