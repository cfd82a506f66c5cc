# Everything a person types. `make` alone lists it.
PORT ?= 8000
PYTHON ?= python3
POSTGRES_15 ?= /usr/lib/postgresql/15/bin
TESTS ?= tests
export PORT PYTHON

python = .venv/bin/python
# As many test processes as processors, each with a database server of its own; a file's tests stay together.
together = --numprocesses=auto --dist=loadfile
have_run = .venv/.run-installed
have_dev = .venv/.dev-installed

.DEFAULT_GOAL := help
.PHONY: help setup run test test-postgres15 check fix bench db-stop lock

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | awk -F '\t' '{ printf "  make %-16s %s\n", $$1, $$2 }'

setup: $(have_run) ## prepare .venv, and nothing else
	@echo "Ready: .venv/bin/python"

run: $(have_run) ## start Countersign on http://127.0.0.1:8000 (PORT, DATA_DIR, DATABASE_URL, LOAD_SAMPLE=0)
	@exec $(python) manage.py run

test: $(have_dev) ## run every test (TESTS=tests/unit for some)
	@.requirements/system.sh chromium chromium
	@$(python) -m pytest $(together) $(TESTS)

test-postgres15: $(have_dev) ## run the database and API tests on Debian's PostgreSQL 15
	@.requirements/system.sh postgresql-15 $(POSTGRES_15)/postgres
	@POSTGRES_BIN=$(POSTGRES_15) $(python) -m pytest $(together) tests/db tests/api

check: $(have_dev) ## lint, types, import rules, Django's own checks
	@.venv/bin/ruff check
	@.venv/bin/ruff format --check --quiet
	@.venv/bin/mypy .
	@.venv/bin/lint-imports
	@$(python) manage.py check
	@$(python) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run

fix: $(have_dev) ## format, and repair what the linter can repair
	@.venv/bin/ruff format
	@.venv/bin/ruff check --fix

bench: $(have_dev) ## measure; each benchmark prints one table
	@for script in benchmarks/*.py; do echo "$$script"; PYTHONPATH=. $(python) "$$script" || exit 1; done

db-stop: $(have_run) ## stop the embedded database
	@$(python) manage.py database stop

lock: ## choose the newest packages that fit, and write them with hashes to .requirements/
	@python3 -m venv .venv/lock && .venv/lock/bin/pip install --quiet --disable-pip-version-check uv
	@$(lock) --output-file .requirements/run.txt
	@$(lock) --group dev --output-file .requirements/dev.txt

lock = .venv/lock/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.12 --generate-hashes \
	--upgrade --no-header --no-emit-index-url --no-emit-find-links

$(have_run): .requirements/run.txt .requirements/environment.sh
	@.requirements/environment.sh run.txt
	@touch $@

$(have_dev): .requirements/dev.txt .requirements/environment.sh
	@.requirements/environment.sh dev.txt
	@touch $@ $(have_run)
