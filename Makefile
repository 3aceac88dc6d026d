# One short target per task. Everything Python lives in .venv, everything Rust in target/.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# Names a stage, and says what it took.
STAGE = @$(BIN)/python -m tools.stage
# Of `make wheel`: TARGET=triple, CPU=x86-64 for every processor.
WHEEL_ENV := target/wheel/env
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
# On a machine that builds once, what makes the next build quicker is work for nothing: a tenth of the compilation of the tests.
ifdef CI
export CARGO_INCREMENTAL := 0
endif

.PHONY: target/tests-of-dependencies help setup demo test test-rust test-python test-lowest test-newest test-envs lint soak bench wheel wheel-check sdist clean

help:
	@echo "demo   install what playing needs, then play Forbidden City against a bot"
	@echo "setup  make .venv, build the package into it, with the tools of the tests"
	@echo "test   set up, then run every check"
	@echo "test-lowest, test-newest  the tests of command line and package with the lowest and newest dependencies"
	@echo "test-envs  the suites of PettingZoo, Gymnasium, OpenSpiel and RLlib, with two resolutions of versions"
	@echo "soak   the large counts of the tests, with their seeds"
	@echo "bench  measure (criterion and pytest-benchmark)"
	@echo "wheel  build the wheel for other machines into dist/, audit it and try it in an empty environment"
	@echo "sdist  build the source distribution into dist/, and the package from it in an empty environment"

define check-python
	@test -n "$(PYTHON)" || { echo "python 3.11 or later is needed: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is older than 3.11: make PYTHON=/path/to/python3" >&2; exit 1; }
endef

$(BIN)/python:
	$(check-python)
	$(PYTHON) -m venv $(VENV)

# Builds only what has changed; the packages of the `dev` extra are installed on the way.
setup: $(BIN)/python
	@$(BIN)/python -m tools.install --extras dev

demo: $(BIN)/python
	@$(BIN)/python -m tools.install --wheel
	@echo "== the command is $(BIN)/forbidden-games; '. $(BIN)/activate' puts it on the path of this shell"
	@$(BIN)/forbidden-games play forbidden_city --seat human --seat greedy

test: lint test-rust test-python

lint: $(BIN)/python
	$(STAGE) "cargo fmt" -- cargo fmt --all --check
	$(STAGE) "cargo clippy" -- cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
	$(STAGE) "cargo doc" -- env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

test-rust: $(BIN)/python
	$(STAGE) "cargo test" --tick -- cargo test --workspace --locked --quiet

test-python: setup
	$(STAGE) "ruff check" -- $(BIN)/ruff check
	$(STAGE) "ruff format" -- $(BIN)/ruff format --check
	$(STAGE) "circles of files" -- $(BIN)/python -m tools.imports
	$(STAGE) "mypy" -- $(BIN)/mypy
	$(STAGE) "stub of the module" -- $(BIN)/python -m mypy.stubtest forbidden_games._rust
	$(STAGE) "pytest" -- $(BIN)/pytest

# The compiled module is for every Python from 3.11 on (abi3), so the one that `setup` made goes into these environments as a wheel.
TESTS_OF_DEPENDENCIES = tests/test_cli tests/test_package.py
TOOLS_OF_TESTS = hypothesis mypy pytest pytest-benchmark
WHEEL_OF_TESTS = target/tests-of-dependencies

$(WHEEL_OF_TESTS): setup
	rm -rf $@
	$(BIN)/maturin build --quiet --release --locked --skip-auditwheel --out $@

test-lowest: $(WHEEL_OF_TESTS)
	$(PYTHON) -m venv --clear .venv-lowest
	.venv-lowest/bin/pip install --quiet $$($(BIN)/python -m tools.lowest) $(TOOLS_OF_TESTS)
	.venv-lowest/bin/pip install --quiet --no-deps $(WHEEL_OF_TESTS)/*.whl
	.venv-lowest/bin/pip list
	@# Of an old typer a new click says that it is old; that is not what is tested.
	.venv-lowest/bin/python -m pytest -W ignore::DeprecationWarning $(TESTS_OF_DEPENDENCIES)

test-newest: $(WHEEL_OF_TESTS)
	$(PYTHON) -m venv --clear .venv-newest
	.venv-newest/bin/pip install --quiet --upgrade $$($(BIN)/python -m tools.lowest | sed 's/==[^ ]*//g') $(TOOLS_OF_TESTS)
	.venv-newest/bin/pip install --quiet --no-deps $(WHEEL_OF_TESTS)/*.whl
	.venv-newest/bin/pip list
	.venv-newest/bin/python -m pytest $(TESTS_OF_DEPENDENCIES)

# What other libraries demand of environments: with the versions that RLlib and AgileRL pin, and with the newest.
ENVS_PINNED = gymnasium==1.2.2 pettingzoo==1.26.1 open_spiel shimmy sb3-contrib torchrl 'ray[rllib]'
ENVS_NEWEST = gymnasium pettingzoo open_spiel shimmy sb3-contrib torchrl

test-envs: $(WHEEL_OF_TESTS)
	$(PYTHON) -m venv --clear .venv-envs
	.venv-envs/bin/pip install --quiet $(ENVS_PINNED) $(TOOLS_OF_TESTS)
	.venv-envs/bin/pip install --quiet $(WHEEL_OF_TESTS)/*.whl
	.venv-envs/bin/python -m pytest tests/test_envs -m "slow or not slow"
	.venv-envs/bin/pip uninstall --quiet --yes ray
	.venv-envs/bin/pip install --quiet --upgrade $(ENVS_NEWEST)
	.venv-envs/bin/python -m pytest tests/test_envs -m "slow or not slow"

soak: setup
	cargo test --workspace --locked -- --ignored --nocapture soak
	HYPOTHESIS_PROFILE=slow $(BIN)/pytest -m "slow or hypothesis"

# Figures of what wheels are built with, but for the processor level; the Python ones are of the module that `setup` built.
bench: setup
	cargo run --profile bench --locked --quiet -p forbidden-games-benches
	cargo bench --locked -p forbidden-games-benches
	$(BIN)/python benches/python/vector.py
	$(BIN)/python benches/python/environments.py
	$(BIN)/pytest benches/python --benchmark-enable --benchmark-group-by=group --benchmark-columns=min,median,ops,rounds

$(WHEEL_ENV)/bin/python:
	$(check-python)
	$(PYTHON) -m venv $(WHEEL_ENV)
	$(WHEEL_ENV)/bin/pip install --quiet 'maturin>=1.9.4,<2' 'ziglang>=0.14' 'auditwheel>=6' abi3audit 'twine>=6' 'build>=1.2'

wheel: $(WHEEL_ENV)/bin/python
	@$(WHEEL_ENV)/bin/python -m tools.wheel $(if $(TARGET),--target $(TARGET)) $(if $(CPU),--cpu $(CPU))
	@$(MAKE) --no-print-directory wheel-check

# PYTHONS="python3.12 python3.13" tries it with these.
wheel-check: $(WHEEL_ENV)/bin/python
	@$(WHEEL_ENV)/bin/python -m tools.check_wheel $(addprefix --python ,$(PYTHONS))

sdist: $(WHEEL_ENV)/bin/python
	@$(WHEEL_ENV)/bin/python -m tools.stage "source distribution, and a wheel from it" --tick -- \
		$(WHEEL_ENV)/bin/python -m build --outdir dist/source
	@$(WHEEL_ENV)/bin/twine check --strict dist/source/*

clean:
	rm -rf $(VENV) .venv-envs .venv-lowest .venv-newest target
