# SPDX-License-Identifier: Apache-2.0
# The one front door. Every rule is one call of a script in tools/, so that paths with spaces stay quoted.
# Variables: BUILD (build folder), JOBS (parallel compile jobs), MODEL, ELEMENTS and ARGS for draft.
SHELL := /bin/bash
export BUILD JOBS MODEL ELEMENTS ARGS
.DEFAULT_GOAL := help
.PHONY: help build draft test test-frame bench format lint bundle clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name text; do printf '  make %-11s %s\n' "$$name" "$$text"; done

build: ## install what is missing, build the program
	@bash tools/install_packages.sh packages/draft.txt && bash tools/build.sh release zhibi

draft: ## build the program and draft examples/private-lending.json
	@bash tools/draft.sh

test: ## everything that CI runs
	@bash tools/install_packages.sh packages/draft.txt packages/test.txt && python3 tools/run_tests.py

test-frame: ## the front door on odd machines: no sudo, read-only tree, 2 GB, clean root (slow, as root)
	@bash tools/install_packages.sh packages/draft.txt packages/test.txt && python3 tools/run_tests.py --only frame --slow

bench: ## measure this machine's limits and the model shapes
	@bash tools/bench.sh

format: ## format every tracked C++ file
	@bash tools/install_packages.sh packages/test.txt && python3 tools/lint.py --fix-format

lint: ## format check, layers, style, headers, clang-tidy on changed files
	@bash tools/install_packages.sh packages/draft.txt packages/test.txt && python3 tools/lint.py

bundle: ## program, shared objects, data and model in one folder and one archive
	@bash tools/install_packages.sh packages/draft.txt packages/test.txt && bash tools/bundle.sh

clean: ## remove the build folders of the presets
	@bash tools/clean.sh
