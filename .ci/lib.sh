# What the scripts of this folder share: where tools are, and how to speak to a person.
# Read by the other scripts, never run by itself. Plain sh, so that dash, bash 3
# (macOS) and busybox read it.
# shellcheck shell=sh

root=$(cd "$(dirname "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/interleave
wasm_target=wasm32-unknown-unknown

# shellcheck source=.ci/versions
. "$root/.ci/versions"

# The crates beside the library, for cargo.
# shellcheck disable=SC2034 # for the scripts that read this
crates='--workspace --exclude interleave'

processors() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

have() { command -v "$1" >/dev/null 2>&1; }

# The version of crate $1 in Cargo.lock.
locked() {
    awk -v want="name = \"$1\"" '
        $0 == want { found = 1; next }
        found && /^version/ { gsub(/"/, "", $3); print $3; exit }
    ' "$root/Cargo.lock"
}

sha256() {
    if have sha256sum; then
        sha256sum "$1"
    else
        shasum -a 256 "$1"
    fi | cut -d ' ' -f 1
}

# ---- Cached tools -----------------------------------------------------------------------------

# Does tool $1, as found in PATH, call itself version $2?
in_path() { have "$1" && "$1" --version 2>/dev/null | tr ' ' '\n' | grep -qxF "$2"; }

# The folder in the cache that holds the programs of a tool.
trunk_bin() { echo "$cache/trunk-$TRUNK/bin"; }
wasm_bindgen_bin() { echo "$cache/wasm-bindgen-$(locked wasm-bindgen)/bin"; }
npm_servers() { echo "$cache/npm-servers-$NPM_SERVERS"; }
csharp_folder() { echo "$cache/stackexchange-redis-$DOTNET_SDK"; }
go_folder() { echo "$cache/go-$GO"; }
deny_bin() { echo "$cache/cargo-deny-$DENY/bin"; }
actionlint_folder() { echo "$cache/actionlint-$ACTIONLINT"; }
lighthouse_folder() { echo "$cache/lighthouse-$LIGHTHOUSE"; }
binaryen_bin() { echo "$cache/binaryen-$BINARYEN/bin"; }

# ---- The compiler for wasm --------------------------------------------------------------------

# Can the ordinary toolchain compile for wasm?
toolchain_has_wasm() {
    have rustc && [ -d "$(cd "$root" && rustc --print sysroot)/lib/rustlib/$wasm_target/lib" ]
}

# Debian's rustc-web, cargo-web and rust-web-src can, by building `std` from its sources.
debian_has_wasm() { debian_has_rust && wasm_linker >/dev/null; }

debian_has_rust() {
    [ -x /usr/bin/cargo ] && [ -x /usr/bin/rustc ] &&
        [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/std" ] &&
        at_least "$(/usr/bin/rustc --version | cut -d' ' -f2)" "$(minimum_rust)"
}

# A linker for Debian's compiler: the one that comes with the ordinary toolchain, or LLVM's own.
wasm_linker() {
    for linker in "$(rustc --print sysroot 2>/dev/null)"/lib/rustlib/*/bin/rust-lld \
        "/usr/bin/wasm-ld-$(debian_llvm)"; do
        [ -x "$linker" ] && echo "$linker" && return
    done
    return 1
}

# The LLVM that Debian's compiler is built on: an older linker may not read what it writes.
debian_llvm() { /usr/bin/rustc -vV 2>/dev/null | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p'; }

minimum_rust() { sed -n 's/^rust-version = "\(.*\)"/\1/p' "$root/Cargo.toml"; }

# Is dotted version $1 at least $2?
at_least() {
    awk -v a="$1" -v b="$2" 'BEGIN {
        split(a, x, "."); split(b, y, ".")
        for (i = 1; i <= 3; i++) if (x[i] + 0 != y[i] + 0) exit x[i] + 0 < y[i] + 0
    }'
}
