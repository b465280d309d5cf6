# `make help` lists what can be made. Everything gets what it needs by itself (.ci/setup).

PORT ?= 8080
CARGO ?= cargo

# The page is newer than all of these, or it is built again. Folders are among them, so that a
# removed file counts too.
SOURCES = $(shell find src static index.html Trunk.toml Cargo.toml Cargo.lock)

.PHONY: help serve build
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: dist/index.html ## the release page, into dist/

dist/index.html: $(SOURCES)
	@.ci/setup wasm trunk wasm-bindgen wasm-opt
	@echo "building the release page (usually 1 minute at first, 10 seconds after a change)"
	@RUST_BACKTRACE=0 .ci/with trunk --skip-version-check --quiet build --release
	@touch $@
