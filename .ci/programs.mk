# What the page is made of, for `.ci/page`: as many at once as there are processors. Cargo takes part
# in make's counting, so all compilers together are no more than that. The longest come first; those
# whose last step keeps one processor busy come before those that share their work out.
.PHONY: all trunk app search wasm-bindgen natives wasm-opt tests harness
all: trunk app search wasm-bindgen natives wasm-opt

# With "+", the counting is handed on.
trunk wasm-bindgen wasm-opt:
	+@.ci/page part "get $@" .ci/setup $@
app:
	+@.ci/page part "compile the page" .ci/page app
search:
	+@.ci/page part "compile the checker" .ci/page search
natives:
	+@.ci/page part "compile the server, the lesson compiler and the divider" .ci/page natives

# Beside them, for `.ci/test`. Each waits for what keeps the lock of its folder before it.
tests: natives
	+@.ci/page part "compile the tests" .ci/page natives-of-tests
harness: search wasm-bindgen
	+@.ci/page part "compile what browser tests load" .ci/page harness
