# Houserule. `make` alone prints the targets; everything runs in .venv, which the first target that needs it makes.

# Any Python from 3.11 on will do: `make test PYTHON=/path/to/python3.12`.
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,\
	$(if $(shell $(name) -c 'import sys; print(sys.version_info >= (3, 11) or "")' 2>/dev/null),$(name))))
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
GAME ?= $(firstword $(sort $(notdir $(wildcard games/*))))
PLAYERS ?= 3
MATCHES ?= 3000
SLIPS ?= 300
SEED ?= 1
FUZZ ?= 3000

.DEFAULT_GOAL := help
.PHONY: help setup demo site test test-long test-cluster test-installed test-bridges test-planted check format-check lint types reference reference-current bench bench-others invariants test-editors slips fuzz hooks accept format build clean test-browser test-matches bench-serve bench-editing bench-workers

help: ## print the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  make %-18s %s\n' "$$name" "$$text"; done

setup: $(READY) ## make the environment in .venv
$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Houserule needs Python 3.11 or later: make PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(READY) ## validate the bundled files, show one match between bots, simulate a few thousand
	$(BIN)/houserule games
	$(BIN)/houserule validate --bundled
	@echo 'Nothing to say about them: all is well.'
	$(BIN)/houserule play $(GAME) --players $(PLAYERS) --seats random --seed 7
	$(BIN)/houserule simulate $(GAME) -n $(MATCHES) --players $(PLAYERS) --seed 7

site: $(READY) ## write the web site of the bundled games into build/site (fetches Pyodide and the editor with npm)
	$(BIN)/houserule site --out build/site

test: $(READY) ## run the tests
	$(BIN)/python -m pytest -n auto --dist loadfile $(TESTS)

test-long: $(READY) ## play many games in many ways (without each optimisation, with pairs of house rules, against those by hand, to every end), and wait for time-outs
	$(BIN)/python -m pytest -m long -n auto --dist loadfile tests

test-cluster: $(READY) ## run the tests that start a Dask cluster on this machine
	$(BIN)/python -m pytest -m cluster tests/study tests/hostile

test-installed: $(READY) ## install the wheel and use it, run the hooks and the action, and start commands among a stranger's modules
	$(BIN)/python -m pytest -m "installed and not network" -n auto tests/test_wheel.py tests/test_hooks.py tests/hostile/test_current_folder.py

test-bridges: $(READY) ## play all games through PettingZoo, Gymnasium and OpenSpiel, and learn in one (takes minutes)
	$(BIN)/python -m pytest -m bridges -n auto -o faulthandler_timeout=0 tests/bridges

test-planted: $(READY) ## plant faults in house rules, and see how often a ladder of bots finds and names them (a quarter of an hour)
	$(BIN)/python -m pytest -m planted -n 0 -s tests/study/test_ladder.py

test-browser: $(READY) ## play in Chromium as people do, and with several processes on PostgreSQL where it is installed
	$(BIN)/python -m pytest -m "browser and not slow" tests/serve tests/site

test-matches: $(READY) ## play whole matches of all games in Chromium, by two people and by touch, and look for errors (takes minutes)
	$(BIN)/python -m pytest -m "browser and slow" tests/serve

check: format-check lint types test test-long reference-current ## everything that must pass before a change is merged

format-check: $(READY) ## report files that are not formatted
	$(BIN)/ruff format --check .
	$(BIN)/houserule format --check games

lint: $(READY) ## look for probable mistakes
	$(BIN)/ruff check .

types: $(READY) ## check the types
	$(BIN)/mypy

reference: $(READY) ## regenerate docs/reference/ from grammar, operations, codes and schemas
	$(BIN)/python docs/generate.py

reference-current: $(READY) ## report whether docs/reference/ is up to date
	$(BIN)/python docs/generate.py --check

bench: $(READY) ## measure the speed in turns on one core, and write docs/performance.md (ARGS="--quick", ARGS="--without NAME")
	$(BIN)/python -m benchmarks $(ARGS)

bench-others: ## install the other libraries of the benchmark in .bench: OpenSpiel, PettingZoo, and with npm boardgame.io
	$(PYTHON) -m venv .bench
	.bench/bin/python -m pip install --quiet --disable-pip-version-check open_spiel 'pettingzoo[classic]'
	if command -v npm >/dev/null; then npm install --prefix .bench --no-audit --no-fund --no-save boardgame.io; fi

bench-serve: $(READY) ## play in 500 rooms of four at once (ARGS="--processes 2 --database postgresql://…")
	$(BIN)/python -m benchmarks.rooms $(ARGS)

invariants: $(READY) ## test the invariants of all games over 5,000 matches for each number of players (takes long)
	HOUSERULE_MATCHES=100 $(BIN)/python -m pytest -m "long or not long" -n auto -o faulthandler_timeout=0 tests/games

test-editors: ## test and package the extension for VS Code (needs npm)
	cd editors/vscode && npm install --no-audit --no-fund && npm test && npm run package

bench-editing: $(READY) ## measure how long an author waits while typing in an editor (ARGS="--edits 10000")
	$(BIN)/python -m benchmarks.editing $(ARGS)

bench-workers: $(READY) ## time studies with one worker and with two (ARGS="aladdin --matches 100000 --rounds 1")
	$(BIN)/python -m benchmarks.workers $(ARGS)

hooks: $(READY) ## try the hooks with pre-commit in a repository of their own (fetches packages)
	$(BIN)/python -m pytest -m network tests/test_hooks.py

slips: $(READY) ## make typing mistakes in the bundled games and print the message for each (SLIPS=300 SEED=1)
	$(BIN)/python -m tests.broken.slips --count $(SLIPS) --seed $(SEED)

fuzz: $(READY) ## feed random input to reader, parser, checker and compiler, different in each run (FUZZ=3000 says how much)
	HOUSERULE_FUZZ=$(FUZZ) $(BIN)/python -m pytest -m "long or not long" -n auto -o faulthandler_timeout=0 \
		tests/hostile/test_fuzz.py tests/hostile/test_growth.py tests/compiler/test_flavours.py tests/compiler/test_any_rules.py tests/broken/test_any_slip.py tests/lsp/test_any_edits.py \
		tests/language tests/native/test_everything.py tests/workshop/test_formatting.py tests/test_source.py

accept: $(READY) ## rewrite the golden files from the current output; review the diff
	HOUSERULE_ACCEPT=1 $(BIN)/python -m pytest -q $(TESTS)

format: $(READY) ## format every file and apply automatic fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/houserule format games

build: $(READY) ## build the wheel into dist/
	$(BIN)/python -m build --wheel

clean: ## remove everything that was generated
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
