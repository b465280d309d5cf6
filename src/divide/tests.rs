//! Modules made by hand, divided in every way, and run by node: whatever goes, they do the same.

use std::fs;
use std::process::Command;

use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, ExportKind,
    ExportSection, Function, FunctionSection, GlobalSection, GlobalType, ImportSection, MemArg,
    MemorySection, MemoryType, Module, RefType, TableSection, TableType, TypeSection, ValType,
};

use super::cut::{Cut, cut};
use super::module::Wasm;

const BYTE: MemArg = MemArg { offset: 0, align: 0, memory_index: 0 };

/// Functions that call one another directly, through the table and through an import, change a
/// variable, and read data: two are exported, three stand in the table.
pub(super) fn sample() -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([ValType::I32], [ValType::I32]);
    types.ty().function([], []);
    types.ty().function([ValType::I32, ValType::I64], [ValType::I64]);
    let mut imports = ImportSection::new();
    imports.import("js", "say", EntityType::Function(0));
    imports.import("js", "other", EntityType::Function(1));
    let mut functions = FunctionSection::new();
    for kind in [0, 0, 0, 2, 1, 0] {
        functions.function(kind);
    }
    let mut tables = TableSection::new();
    let (minimum, maximum) = (4, Some(4));
    let element_type = RefType::FUNCREF;
    tables.table(TableType { element_type, table64: false, minimum, maximum, shared: false });
    let mut memories = MemorySection::new();
    let (minimum, maximum, page_size_log2) = (1, None, None);
    let memory = MemoryType { minimum, maximum, memory64: false, shared: false, page_size_log2 };
    memories.memory(memory);
    let mut globals = GlobalSection::new();
    let kind = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
    globals.global(kind, &ConstExpr::i32_const(7));
    let mut exports = ExportSection::new();
    exports.export("run", ExportKind::Func, 2).export("count", ExportKind::Func, 7);
    exports.export("memory", ExportKind::Memory, 0);
    let mut elements = ElementSection::new();
    let listed = Elements::Functions([3, 4, 3].as_slice().into());
    elements.active(None, &ConstExpr::i32_const(1), listed);

    let mut code = CodeSection::new();
    let mut body = |build: &dyn Fn(&mut wasm_encoder::InstructionSink<'_>)| {
        let mut function = Function::new([]);
        build(&mut function.instructions());
        code.function(&function);
    };
    // 2 run(n): touches, then calls what stands at n % 3 + 1, adds what 5 makes of it.
    body(&|to| {
        to.call(6).local_get(0).local_get(0).i32_const(3).i32_rem_u().i32_const(1).i32_add();
        to.call_indirect(0, 0).local_get(0).i64_const(5).call(5).i32_wrap_i64().i32_add().end();
    });
    // 3: says n + the byte at 8 of memory.
    body(&|to| {
        to.local_get(0).i32_const(8).i32_load8_u(BYTE).i32_add().call(0).end();
    });
    // 4: 7(n) times the variable.
    body(&|to| {
        to.local_get(0).call(7).global_get(0).i32_mul().end();
    });
    // 5: n + m, and the byte at n + 100.
    body(&|to| {
        let far = MemArg { offset: 100, ..BYTE };
        to.local_get(0).i64_extend_i32_u().local_get(1).i64_add();
        to.local_get(0).i64_load8_u(far).i64_add().end();
    });
    // 6: one more in the variable.
    body(&|to| {
        to.global_get(0).i32_const(1).i32_add().global_set(0).end();
    });
    // 7 count(n): n + 1, up to 9; then what the import says of it.
    body(&|to| {
        to.local_get(0).i32_const(9).i32_lt_u().if_(wasm_encoder::BlockType::Empty);
        to.local_get(0).i32_const(1).i32_add().call(7).return_().end();
        to.local_get(0).call(0).end();
    });
    let mut data = DataSection::new();
    data.active(0, &ConstExpr::i32_const(8), [40, 0, 0, 2]);
    data.active(0, &ConstExpr::i32_const(100), (0..40).collect::<Vec<u8>>());

    let mut module = Module::new();
    module.section(&types).section(&imports).section(&functions).section(&tables);
    module.section(&memories).section(&globals).section(&exports).section(&elements);
    module.section(&code).section(&data);
    module.finish()
}

/// Runs modules, and prints what comes of it: one line for each folder.
const RUN: &str = r#"
const fs = require("fs");
for (const folder of process.argv.slice(2)) {
  const read = (name) => new WebAssembly.Module(fs.readFileSync(`${folder}/${name}.wasm`));
  const said = [];
  let there = 0;
  const js = { say: (n) => (said.push(n), n * 2), other() {} };
  const load = (part) => {
    while (there < part) {
      Object.assign(first, new WebAssembly.Instance(read(++there), { js, first }).exports);
    }
  };
  const { exports } = new WebAssembly.Instance(read(0), { js, later: { load } });
  const first = { ...exports };
  if (fs.existsSync(`${folder}/before`)) load(2);
  const got = [];
  for (const n of [0, 1, 2, 3, 8, 30, 5, 1]) got.push(exports.run(n), exports.count(n));
  console.log(JSON.stringify([got, said]));
}
"#;

/// Runs the modules of every folder, and returns the lines that they print.
fn run(name: &str, cuts: &[(Cut, bool)]) -> Vec<String> {
    let root = std::env::temp_dir().join(format!("divide-{name}-{}", std::process::id()));
    let mut folders = Vec::new();
    for (number, (cut, before)) in cuts.iter().enumerate() {
        let folder = root.join(number.to_string());
        fs::create_dir_all(&folder).unwrap();
        for (part, module) in cut.modules.iter().enumerate() {
            fs::write(folder.join(format!("{part}.wasm")), module).unwrap();
        }
        if *before {
            fs::write(folder.join("before"), "").unwrap();
        }
        folders.push(folder);
    }
    let script = root.join("run.js");
    fs::write(&script, RUN).unwrap();
    let output = Command::new("node").arg(&script).args(&folders).output().unwrap();
    fs::remove_dir_all(&root).unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn whatever_goes_the_same_comes_out() {
    let bytes = sample();
    wasmparser::validate(&bytes).unwrap();
    let wasm = Wasm::read(&bytes).unwrap();
    let mut cuts = Vec::new();
    for set in 0..3_usize.pow(wasm.bodies.len() as u32) {
        let part_of = |place: usize| set / 3_usize.pow(place as u32) % 3;
        let part_of: Vec<usize> = (0..wasm.bodies.len()).map(part_of).collect();
        // The data at 100 is read by the fourth function alone, the byte at 8 by the second.
        let mut data = vec![(8..12, part_of[1]), (104..130, part_of[3])];
        data.retain(|(_, part)| *part > 0);
        let cut = cut(&wasm, 3, &part_of, &data).unwrap();
        for module in &cut.modules {
            wasmparser::validate(module).unwrap();
        }
        cuts.push((cut, set % 2 == 0));
    }
    let results = run("all", &cuts);
    assert_eq!(results.len(), 729);
    for (number, result) in results.iter().enumerate() {
        assert_eq!(result, &results[0], "functions {number}, in base 3");
    }
    assert!(results[0].len() > 60, "{}", results[0]);
}

#[test]
fn marks_are_set_for_what_runs() {
    let bytes = sample();
    let wasm = Wasm::read(&bytes).unwrap();
    let (marked, base) = super::record::record(&bytes, &wasm).unwrap();
    wasmparser::validate(&marked).unwrap();
    assert_eq!(base, 1 << 16);
    let again = Wasm::read(&marked).unwrap();
    assert_eq!(again.bodies.len(), wasm.bodies.len());
    assert_eq!(again.memories[0].initial, 2);
}
