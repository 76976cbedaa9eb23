VENV   ?= .venv
PYTHON ?= python3
BIN    := $(abspath $(VENV))/bin
UV     := $(shell command -v uv 2>/dev/null)
export PATH := $(BIN):$(PATH)
# One thread a process: benchuq runs its own workers.
export OMP_NUM_THREADS ?= 1
# The same compiled code on every x86-64 processor, so that sampled digits do not depend on the machine.
export NUMBA_CPU_NAME ?= generic

.PHONY: help env lab hooks export reports test check lint benchmarks faults lock

help:
	@echo "make reports   environment, then every report into reports/"
	@echo "make test      environment, then lint, notebooks, pytest, and the check that exports are clean"
	@echo "make benchmarks  environment, then the measurements of speed in tests/benchmarks/"
	@echo "make faults    environment, then the fault bench and the fuzzer in tests/faults/"
	@echo "make lab       environment, then JupyterLab"
	@echo "make export    notebooks -> benchuq/ and README.md"

$(VENV)/.ready: requirements.lock setup.py settings.ini
ifneq ($(UV),)
	uv venv -q --clear --python $(PYTHON) $(VENV)
	uv pip install -q --compile-bytecode --no-deps --python $(BIN)/python -r requirements.lock
	uv pip install -q --no-deps --no-build-isolation --python $(BIN)/python -e .
else
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	@touch $@

env: $(VENV)/.ready

lab: hooks
	jupyter lab nbs

# Notebooks are committed clean and merge cell by cell; this checkout only, nothing in the home folder.
hooks: env
	git config core.hooksPath .githooks
	git config merge.nbdev-merge.driver "$(BIN)/nbdev_merge %O %A %B %P"

export: env
	nbdev_export
	python tools/readme.py

reports: env
	benchuq report --all

test: check lint
	nbdev_test --n_workers 2
	pytest -n 2

# Exporting anew must change nothing that is committed, and the layout must keep its rules.
check: env
	python tools/check_export.py
	python tools/check_structure.py

# Notebooks, tests, tools and the exported modules.
lint: env
	ruff check .
	ruff format --check .

# Minutes, and no test: what is printed is for reading.
benchmarks: env
	for file in tests/benchmarks/*.py; do echo "== $$file"; python $$file || exit 1; done

# Minutes: runs killed, filled, locked and damaged at random moments; damaged files read beside a count of its own.
faults: env
	python tests/faults/bench.py 200
	python tests/faults/fuzz.py 2000

lock:
	uv pip compile -q setup.py --extra dev --universal --python-version 3.11 --no-header --no-annotate \
	  --no-emit-package nvidia-nccl-cu12 --no-emit-package nvidia-nccl-cu13 -o requirements.lock
