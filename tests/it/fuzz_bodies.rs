//! What the fuzz targets do with their bytes: shared by `fuzz/fuzz_targets` and the tests that run on every machine.
//!
//! Each body panics when something is wrong.

use super::fuzz_edits as edits;
use arrlang::diagnostic::Outcome;
use arrlang::exec::{Engine, Options, RunError, run};
use arrlang::io::argument::Argument;
use arrlang::ir::Program;
use arrlang::session::{Input, Preparation, Reply, Session};
use arrlang::syntax::ast::{ExprKind, Stmt, StmtKind};
use arrlang::types::shape;
use std::ffi::OsStr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Most elements of a value that is computed: what is larger only takes time.
const MAX_ELEMENTS: usize = 1 << 16;

/// Any bytes are a text with a tree and with diagnostics that can be drawn, the same ones each time.
pub(crate) fn front_end(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let draw = || {
        let mut session = Session::default();
        let prepared = session.check(&Input::new("fuzz.arr", text));
        assert_eq!(prepared.checked.program.is_some(), !prepared.diagnostics.has_errors());
        whole(&prepared);
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

/// A program without errors has everything that its text gives and asserts, and no mistake of ours is told.
fn whole(prepared: &Preparation) {
    let ours = prepared.diagnostics.iter().find(|found| found.code.name == "internal-error");
    assert!(ours.is_none(), "{ours:?}");
    let Some(program) = &prepared.checked.program else { return };
    let named = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Output { .. });
    let outputs = program.outputs.iter().filter(|output| output.name.is_some()).count();
    assert_eq!(outputs, prepared.script.stmts.iter().filter(named).count(), "every output is given");
    // A name or a call may stand for a tuple of nothing, which prints nothing.
    let dropped = prepared.script.stmts.iter().find(|stmt| {
        let StmtKind::Expr { value, .. } = stmt.kind else { return false };
        let expr = prepared.script.expr(value);
        let single = matches!(expr.kind, ExprKind::Int | ExprKind::Float | ExprKind::Infix(..) | ExprKind::Compare(..));
        single && !program.outputs.iter().any(|output| output.span == expr.span)
    });
    assert!(dropped.is_none(), "{dropped:?} is not printed");
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

/// How many texts [`pipeline`] had, and how many of them ran both ways.
static TEXTS: AtomicUsize = AtomicUsize::new(0);
static RAN: AtomicUsize = AtomicUsize::new(0);

/// How many texts there were, and how many of them ran compiled and by the reference.
pub(crate) fn share() -> (usize, usize) {
    (TEXTS.load(Relaxed), RAN.load(Relaxed))
}

/// The program of a text, if the checker takes it and it is small enough.
fn program(text: &str) -> Option<Program> {
    static ARGUMENTS: LazyLock<Vec<Argument>> = LazyLock::new(|| {
        let parse = |text: &&str| Argument::parse(OsStr::new(text)).expect("a binding");
        edits::ARGUMENTS.iter().map(parse).collect()
    });
    let arguments: Vec<Argument> = ARGUMENTS.iter().filter(|it| text.contains(&it.name)).cloned().collect();
    let input = Input { arguments: &arguments, free_names: true, ..Input::new("fuzz.arr", text) };
    let program = Session::default().prepare(&input).checked.program?;
    let small = |node: &arrlang::ir::Node| {
        let sizes = shape::sizes(&node.shape).unwrap_or_default();
        sizes.iter().try_fold(1usize, |count, &size| count.checked_mul(size)).is_some_and(|count| count <= MAX_ELEMENTS)
    };
    (program.nodes.len() <= 10_000 && program.nodes.iter().all(small)).then_some(program)
}

/// Longest text that edits lead to.
const MAX_TEXT: usize = 1024;

/// A text after an edit that the checker takes, where a few tries find one; now and then any edit.
pub(crate) fn edited(text: &str, seed: u64) -> String {
    let mut random = edits::Random::new(seed);
    let any = random.below(40) == 0;
    let tries = (0..6).map(|_| edits::edited(text, &mut random));
    let taken = |new: &String| new.len() <= MAX_TEXT && (any || program(new).is_some());
    tries.filter(|new| new != text).find(taken).unwrap_or_else(|| text.to_owned())
}

/// Any text that the checker takes gives the same bits every way, or the same error. Answers whether it was taken.
pub(crate) fn pipeline(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    TEXTS.fetch_add(1, Relaxed);
    let Some(program) = program(text) else { return false };
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
        if engine == Engine::Jit && fast.is_ok() && meaning.is_ok() {
            RAN.fetch_add(1, Relaxed);
        }
    }
    true
}

/// The inputs of a session, with empty lines between them. One that fails leaves no trace: a session that never had it
/// answers the others the same.
pub(crate) fn session(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (mut all, mut valid) = (Session::default(), Session::default());
    for text in text.split("\n\n").take(MAX_INPUTS) {
        let options = Options { max_memory: Some(1 << 26), ..Options::default() };
        let input = Input { options, ..Input::new("fuzz.arr", text) };
        // A text that only asks for much is no find.
        if all.check(&input).checked.program.is_some_and(|program| !is_brief(&program)) {
            continue;
        }
        let reply = all.evaluate(&input);
        assert_ne!(reply.outcome, Outcome::Broken, "{text}");
        if reply.diagnostics.has_errors() || reply.outcome != Outcome::Done {
            continue;
        }
        let alone = valid.evaluate(&input);
        assert!(!alone.diagnostics.has_errors(), "{text}: {:?}", alone.diagnostics);
        let values = |reply: &Reply| {
            reply.values.iter().map(|it| (it.name.clone(), it.type_text(), it.array.clone())).collect::<Vec<_>>()
        };
        assert_eq!(values(&reply), values(&alone), "{text}");
    }
    assert_eq!(all.env.names(), valid.env.names());
}

/// Most inputs of a session.
const MAX_INPUTS: usize = 24;

/// Whether a program is known to take little time and memory.
fn is_brief(program: &Program) -> bool {
    let small = |node: &arrlang::ir::Node| {
        shape::sizes(&node.shape)
            .and_then(|sizes| sizes.iter().try_fold(1usize, |count, &size| count.checked_mul(size)))
            .is_some_and(|count| count <= MAX_ELEMENTS)
    };
    program.nodes.len() <= 10_000 && program.loops().is_empty() && program.nodes.iter().all(small)
}

/// A text that the checker takes is an object, or a message says why it is none. Answers whether it was taken.
#[cfg(all(feature = "object", target_arch = "x86_64"))]
pub(crate) fn object(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    // An object is made for types, without data.
    let types = edits::ARGUMENTS.iter().filter_map(|text| text.split('=').next());
    let arguments = types.filter(|it| it.split(':').next().is_some_and(|name| text.contains(name)));
    let arguments: Vec<Argument> = arguments.map(|text| Argument::parse(OsStr::new(text)).expect("a type")).collect();
    let input = Input { arguments: &arguments, free_names: true, ..Input::new("fuzz.arr", text) };
    let Some(program) = Session::default().check(&input).checked.program else { return false };
    if program.nodes.len() > 1000 {
        return false;
    }
    match arrlang::exec::jit::object::build(&[("fuzz", &program)], None, None) {
        Ok(built) => assert!(!built.object.is_empty() && !built.header.is_empty()),
        Err(refused) => assert!(!refused.reason.to_string().is_empty()),
    }
    true
}
