# One short target per task. Everything Python lives in .venv, everything Rust in target/.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python

.PHONY: help setup demo test test-rust test-python lint soak bench clean

help:
	@echo "setup  make .venv, build the package into it"
	@echo "demo   set up, then play Forbidden City against a bot"
	@echo "test   set up, then run every check"
	@echo "soak   the large counts of the tests, with their seeds"
	@echo "bench  measure (criterion and pytest-benchmark)"

$(BIN)/maturin:
	@test -n "$(PYTHON)" || { echo "python 3.11 or later is needed: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is older than 3.11: make PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet 'maturin>=1.9.4,<2'

# Builds only what has changed; the packages of the `dev` extra are installed on the way.
setup: $(BIN)/maturin
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --release --locked --quiet --extras dev

demo: setup
	$(BIN)/forbidden-games play forbidden_city --seat human --seat greedy

test: lint test-rust test-python

lint: $(BIN)/maturin
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

test-rust: $(BIN)/maturin
	cargo test --workspace --locked --quiet

test-python: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest forbidden_games._rust
	$(BIN)/pytest

soak: setup
	cargo test --workspace --locked -- --ignored --nocapture soak
	HYPOTHESIS_PROFILE=slow $(BIN)/pytest -m "slow or hypothesis"

bench: setup
	cargo run --release --locked --quiet -p forbidden-games-benches
	cargo bench --locked -p forbidden-games-benches
	$(BIN)/pytest benches/python --benchmark-enable --benchmark-group-by=group --benchmark-columns=min,median,ops,rounds

clean:
	rm -rf $(VENV) target
