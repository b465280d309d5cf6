# `make help` lists what can be made. Everything gets what it lacks by itself (.ci/setup).

PORT ?= 8080

# The page is newer than all of these, or it is built again. Folders are among them, so that a
# removed file counts too.
SOURCES := $(shell find src static build.rs index.html Trunk.toml Cargo.toml Cargo.lock .cargo 2>/dev/null)

# Says when dist/ got a release page. `trunk serve` puts its debug page there too; what is newer than
# this file is not ours.
BUILT := target/page-built
FOREIGN := $(shell [ -e dist/index.html ] && [ ! dist/index.html -nt $(BUILT) ] || echo rebuild)

.PHONY: rebuild help serve build test test-long test-quick record size scorm oembed release bench lint fmt clean
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: build ## the release page on http://127.0.0.1:8080; PORT=8081 for another port
	@cargo run --quiet --bin proxy -- --listen 127.0.0.1:$(PORT)

build: $(BUILT) ## the release page, into dist/; with BASE=https://…, where it will stand, oEmbed files too
	@$(if $(BASE),cargo run --quiet --bin check -- oembed $(BASE))

$(BUILT): $(SOURCES) $(FOREIGN)
	@.ci/page
	@mkdir -p $(@D) && touch $@

test: ## every test: native, against a real redis-server, in real browsers
	@.ci/test

test-long: ## tests that explore widely, TIMES=10 times as far as `make test`; prints their figures
	@.ci/test long

test-quick: ## in a minute, for the hand: the library's fast tests, the rules of the house
	@.ci/test quick

record: build ## finds out what a first visit runs, by which the page is divided, and builds it again; LESSON="…" for some alone
	@.ci/setup browser fonts
	@cargo build --quiet --bin proxy --bin divide
	@node tests/browser/record.mjs $(LESSON)
	@$(MAKE) --no-print-directory build

size: build ## what a first visit loads, compressed, and what until its first film has played
	@.ci/size

scorm: ## packages for course platforms; LESSON=, CHAPTER= or ALL=1, BASE=https://… (where the page is), LESSON_LANG=
	@$(if $(BASE),,$(MAKE) -s build)
	@cargo run --quiet --bin check -- scorm $(if $(BASE),--base $(BASE)) $(if $(LESSON),--lesson $(LESSON)) \
		$(if $(CHAPTER),--chapter $(CHAPTER)) $(if $(ALL),--all) \
		$(if $(LESSON_LANG),--lang $(LESSON_LANG))

oembed: build ## the same as `make build` with a BASE
	@$(if $(BASE),,echo "make oembed BASE=https://…: where will the page stand?" >&2; exit 2)

release: build ## archives of the page and of the program for this machine, with checksums: target/archives
	@rm -rf target/archives
	@.ci/release page program sums

bench: ## the benchmarks, beside lua5.1, redis-server and servers in JavaScript
	@.ci/bench

lint: ## formatting, clippy for both targets, cargo doc, shellcheck, actionlint, cargo-deny
	@.ci/lint

fmt: ## formats the Rust sources
	@cargo fmt

clean: ## removes what was built (the tools stay in ~/.cache/interleave)
	@cargo clean
	@rm -rf dist tests/browser/node_modules tests/browser/shots
