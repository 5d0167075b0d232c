# make install    the environment in .venv, from the lock file
# make run        play the beginning of a demo of each game, then serve them at 127.0.0.1:8000 (PORT=… for another port)
# make test       lint, types, import arrows and all tests
# make lint       lint, types and import arrows only
# make texts      bring the German catalogues up to date with the texts in code and templates
# make full       all tests with the full counts (kills, whole games against the reckoning)
# make migration NAME="what it does"   write the next database migration from the changed tables
# make simulate   let bots play 5,000 games of each size (GAMES=… for another number, RULESET=… for one game only)
# make bench      how fast the judge is, against ceilings measured in the same run
# make picture    draw the pictures of the rules anew, and take the README's
# make wheel      sdist and wheel in dist/
# make lock       pin the newest dependencies in requirements.lock
# make clean      remove everything that can be made again
# make faults     let 500 things go wrong on the way to each forum (FAULTS=… for another number), and count its posts
# make forums     start three real forums (Misago, Spirit, PunkwebBB) with accounts to log in, until Ctrl-C
#
# PYTHON=python3.12 make install   takes another Python (3.11 or newer)

PYTHON ?= python3
PORT ?= 8000
GAMES ?= 5000
FAULTS ?= 500
BIN := .venv/bin
INSTALLED := .venv/installed

.PHONY: help install run test lint full migration texts simulate bench picture wheel lock clean forums faults

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

install: $(INSTALLED)

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Gamejudge needs Python 3.11 or newer; $(PYTHON) is not. Try: make install PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

run: install
	$(BIN)/judge demo --serve --port $(PORT)

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test: lint
	$(BIN)/pytest -n auto --dist loadgroup $(PYTEST)

full: install
	GAMEJUDGE_FULL=1 $(BIN)/pytest -n auto --dist loadgroup $(PYTEST)

migration: install
	$(BIN)/python -c 'from judge.store.migrate import write_migration; write_migration("$(NAME)")'
	$(BIN)/ruff format judge/store/migrations

# A changed text is translated anew, never guessed, and no date or line number makes two people's work collide.
texts: install
	@for package in judge $(patsubst %/__init__.py,%,$(wildcard rulesets/*/__init__.py)); do \
		sources=$$package; [ $$package = judge ] && sources="judge templates"; \
		mkdir -p build $$package/locale && \
		$(BIN)/pybabel --quiet extract --mapping=pyproject.toml --no-location --sort-output --no-wrap \
			--project=Gamejudge --header-comment="# Texts of $$package." --output=build/messages.pot $$sources && \
		$(BIN)/pybabel --quiet update --input-file=build/messages.pot --output-dir=$$package/locale --locale=de \
			--init-missing --no-fuzzy-matching --ignore-obsolete --no-wrap --update-header-comment && \
		sed --in-place --regexp-extended \
			'/^"(Project-Id|Report-Msgid|POT-|PO-|Last-Tr|Language-Team|Generated)/d; s/^# Translations template for /# /' \
			$$package/locale/*/LC_MESSAGES/messages.po || exit 1; \
	done

simulate: install
	$(BIN)/judge bots $(RULESET) --games $(GAMES)

bench: install
	@for bench in intake reading resolving verifying; do echo "== $$bench"; $(BIN)/python -m tests.bench.$$bench || exit 1; done

picture: install
	$(BIN)/python -m tests.pictures.rules
	$(BIN)/python -m tests.pictures.take

wheel: install
	$(BIN)/python -m build --no-isolation

# Pin with the oldest Python that must do (Debian 12 has 3.11.2): a newer one may choose releases that it cannot install.
lock:
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip pip-tools
	CUSTOM_COMPILE_COMMAND="make lock" build/lock/bin/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe \
		--strip-extras --extra dev --extra postgres --no-emit-index-url --no-emit-trusted-host --no-emit-find-links \
		--output-file requirements.lock pyproject.toml

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .grimp_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

forums: install
	@$(BIN)/python -m tests.forums

faults: install
	@$(BIN)/python -m tests.faults $(FAULTS)
