//! What the fuzz targets do with their bytes: shared by `fuzz/fuzz_targets` and the tests that run on every machine.
//!
//! Each body panics when something is wrong.

use arrlang::exec::{Engine, Options, RunError, run};
use arrlang::io::argument::Argument;
use arrlang::session::{Input, Session};
use arrlang::types::shape;
use std::ffi::OsStr;

/// Most elements of a value that is computed: what is larger only takes time.
const MAX_ELEMENTS: usize = 1 << 16;

/// Any bytes are a text with a tree and with diagnostics that can be drawn, the same ones each time.
pub(crate) fn front_end(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let draw = || {
        let mut session = Session::default();
        let prepared = session.prepare(&Input::new("fuzz.arr", text), false);
        assert_eq!(prepared.checked.program.is_some(), !prepared.diagnostics.has_errors());
        let mut drawn = Vec::new();
        let style = arrlang::diagnostic::render::Style { color: false, width: 80 };
        arrlang::diagnostic::render::render(prepared.diagnostics.iter(), &session.sources, &style, &mut drawn)
            .expect("a vector takes everything");
        drawn
    };
    let drawn = draw();
    assert_eq!(drawn, draw(), "the same text gives the same messages");
    let control = |c: &char| c.is_control() && !matches!(c, '\n');
    let shown = String::from_utf8(drawn).expect("messages are text");
    assert_eq!(shown.chars().find(control), None, "the terminal gets no control characters");
    let _ = arrlang::syntax::is_incomplete(text);
}

/// Any bytes are an array or an error, whatever the name says they are.
pub(crate) fn npy(bytes: &[u8]) {
    let name = match bytes {
        [0x93, ..] => "x.npy",
        [b'P', b'K', ..] => "x.npz:x",
        [_, _, _, 0, ..] => "x.safetensors:x",
        _ => "x.csv:a",
    };
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join(name);
    let file = folder.path().join(name.split(':').next().expect("a name"));
    std::fs::write(file, bytes).expect("the folder is writable");
    for copy in [false, true] {
        let options = arrlang::io::ReadOptions { copy, max_bytes: Some(1 << 24), ..Default::default() };
        let header = arrlang::io::header(&path, &options);
        match arrlang::io::read(&path, &options) {
            Ok((array, _)) => {
                let header = header.expect("what can be read has a header");
                assert_eq!((header.dtype, header.shape.as_slice()), (array.dtype(), array.shape()));
                (0..array.len()).take(100).for_each(|flat| {
                    std::hint::black_box(array.get(flat));
                });
                if let Some(last) = array.len().checked_sub(1) {
                    std::hint::black_box(array.get(last));
                }
            }
            Err(error) => assert!(!error.diagnostic().message.contains(|c: char| c.is_control())),
        }
    }
}

/// Values for the names that corpus texts use.
const ARGUMENTS: [&str; 7] = [
    "x:f32[5]=[1.5, -2, nan, 0, 1e30]",
    "y:f64[5]=[0.5, -inf, 3, -0.0, 7]",
    "i:i32[5]=[-2147483648, -1, 0, 7, 100]",
    "u:u8[3, 5]=9",
    "h:f16[3, 1]=2.5",
    "b:bool[5]=true",
    "z:c64[5]=1",
];

/// Any text that the checker takes gives the same bits every way, or the same error.
pub(crate) fn pipeline(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let arguments: Vec<Argument> = ARGUMENTS
        .iter()
        .filter(|argument| text.contains(&argument[..1]))
        .map(|argument| Argument::parse(OsStr::new(argument)).expect("a binding"))
        .collect();
    let input = Input { arguments: &arguments, free_names: true, ..Input::new("fuzz.arr", text) };
    let Some(program) = Session::default().prepare(&input, true).checked.program else { return };
    let small = |node: &arrlang::ir::Node| {
        let sizes = shape::sizes(&node.shape).unwrap_or_default();
        sizes.iter().try_fold(1usize, |count, &size| count.checked_mul(size)).is_some_and(|count| count <= MAX_ELEMENTS)
    };
    if program.nodes.len() > 10_000 || !program.nodes.iter().all(small) {
        return;
    }
    let with = |engine, verify| {
        let result = run(&program, &Options { engine, verify, max_memory: Some(1 << 26), ..Options::default() });
        assert!(!matches!(result, Err(RunError::Internal(_))), "{engine:?} {result:?}");
        result
    };
    let meaning = with(Engine::Reference, true);
    // They show the sign and payload of a NaN, which are not specified.
    let bits = text.contains("bitcast") || text.contains("copysign");
    for engine in [Engine::Jit, Engine::Blocks] {
        let fast = with(engine, true);
        let memory = |result: &Result<_, RunError>| matches!(result, Err(RunError::OutOfMemory { .. }));
        assert!(
            bits || fast == meaning || memory(&fast) || memory(&meaning),
            "{engine:?} {fast:?}\nreference {meaning:?}"
        );
    }
}
