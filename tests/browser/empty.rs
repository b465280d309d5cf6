//! The wasm that every program has: the example `lua` without Lua. `.ci/lua-size` compares the two.

#[cfg(target_arch = "wasm32")]
mod exports {
    use wasm_bindgen::prelude::wasm_bindgen;

    /// The same bytes.
    #[wasm_bindgen]
    pub fn run(program: &[u8]) -> Vec<u8> {
        program.to_vec()
    }
}

fn main() {}
