//! Mistakes that the opening sentence promises to find are found by default, each by its name; and the same programs
//! mended are quiet.

use crate::lab;
use arrlang::diagnostic::fix::{self, Fixes};
use arrlang::diagnostic::{Diagnostic, Level, codes};
use arrlang::promotion::verdict::Mode;
use arrlang::session::{Preparation, Session};

const INPUTS: &str = "input a: u8[n]\ninput b: u8[n]\ninput img: u8[y, x]\ninput s: i16[t]\ninput f: f32[n]\n\
                      input i: i32[n]\ninput d: i32[n] in [0, 9]\ninput wide: i32[n] in [0, 2_000_000_000]\n";

/// A mistake, and the finding that names it.
const FOUND: &[(&str, &str)] = &[
    ("(a + b) / 2", "integer-overflow"),
    ("(a + b) // 2", "integer-overflow"),
    ("(a + b) >> 1", "integer-overflow"),
    ("abs(a - b)", "integer-overflow"),
    ("img + 50", "integer-overflow"),
    ("img - 50", "integer-overflow"),
    ("img * 2", "integer-overflow"),
    ("img - 128", "integer-overflow"),
    ("img ** 2", "integer-overflow"),
    ("square(img)", "integer-overflow"),
    ("diff(a)", "integer-overflow"),
    ("f32(a - b) ** 2", "integer-overflow"),
    ("u16(a + b)", "integer-overflow"),
    ("u8((a + b) // 2)", "integer-overflow"),
    ("saturate(a + b, u8)", "integer-overflow"),
    ("clip(img + 50, 0, 255)", "integer-overflow"),
    ("minimum(img + 50, 255)", "integer-overflow"),
    ("img * 77 >> 8", "integer-overflow"),
    ("where(a > b, b - a, 0)", "integer-overflow"),
    ("u8(a - b) // 2 + (a - b) // 2", "integer-overflow"),
    ("abs(s)", "integer-overflow"),
    ("-s", "integer-overflow"),
    ("s * 2", "integer-overflow"),
    ("s[1:] - s[:-1]", "integer-overflow"),
    ("mean(s * s)", "narrow-accumulation"),
    ("100u8 + 200u8", "integer-overflow"),
    ("u8([200]) + u8([100])", "integer-overflow"),
    ("2147483647i32 + 1i32", "integer-overflow"),
    ("16u8 ** 2", "integer-overflow"),
    ("-(-128i8) * 1i8", "integer-overflow"),
    ("wide + wide", "integer-overflow"),
    ("sum(a) - sum(b)", "integer-overflow"),
    ("-a", "unsigned-negation"),
    ("sum(a * b)", "narrow-accumulation"),
    ("cumsum(a)", "narrow-accumulation"),
    ("i // 0", "division-by-zero"),
    ("i % 0", "division-by-zero"),
    ("i // d", "division-by-zero"),
    ("i % (i & 3)", "division-by-zero"),
    ("where(d != 0, 0, i // d)", "division-by-zero"),
    ("5i32 // 0i32", "division-by-zero"),
    ("f == nan", "constant-comparison"),
    ("f != nan", "constant-comparison"),
    ("f < nan", "constant-comparison"),
    ("a < 0", "constant-comparison"),
    ("f + zeros(n)", "f64-appears"),
    ("f * ones(n)", "f64-appears"),
    ("f * linspace(0, 1, n)", "f64-appears"),
    ("f[:, None] + eye(n)", "f64-appears"),
    ("f32(arange(10)) * arange(0, 1, 0.1)", "f64-appears"),
    ("f - mean(i64(i))", "f64-appears"),
    ("f * (arange(n) / n)", "f64-appears"),
    ("where(f > 0, f, zeros(n))", "f64-appears"),
    ("f + sqrt(zeros(n)) * 2", "f64-appears"),
    ("img * zeros(x)", "f64-appears"),
    ("i * 1.5", "weak-default"),
    ("i * f", "precision-loss"),
    ("a << 8", "shift-out-of-range"),
];

/// What is right, and must stay quiet.
const QUIET: &[&str] = &[
    "255 - img",
    "a & 15",
    "a - minimum(a, b)",
    "maximum(a, b) - minimum(a, b)",
    "maximum(a, b) - b",
    "where(a > b, a - b, b - a)",
    "where(a >= b, a - b, 0)",
    "where(a > 255 - b, 255, a + b)",
    "(a - b) * (a > b)",
    "a + minimum(b, 255 - a)",
    "a - a % 16",
    "a - (a >> 2)",
    "img - min(img)",
    "max(img) - img",
    "max(img) - min(img)",
    "img - min(img, axis=1, keepdims=true)",
    "max(img, axis=1) - min(img, axis=1)",
    "(a & b) + ((a ^ b) >> 1)",
    "(a | b) - ((a ^ b) >> 1)",
    "a // 2 + b // 2",
    "u8(a + b)",
    "u8(a * 31 + b)",
    "i8(a - b)",
    "u8((a * 31 + b) ^ (a << 3))",
    "(a + b) & 127",
    "bitcast(a - b, i8)",
    "(u16(a) + b) // 2",
    "saturate(i16(a) - b, u8)",
    "abs(i16(a) - b)",
    "a & -a",
    "a & (a - 1)",
    "a - (a > 0)",
    "a + (a < 255)",
    "s - s // 2",
    "cumsum(u32(a)) - a",
    "minimum(a, b) + (maximum(a, b) - minimum(a, b)) // 2",
    "u8(100u8 + 200u8)",
    "i * 31 + 17",
    "s // 2",
    "i // maximum(d, 1)",
    "where(d != 0, i // d, 0)",
    "where(d == 0, 0, i % d)",
    "where(d > 0, i % d, 0)",
    "i % (d + 1)",
    "isnan(f)",
    "zeros(3) + linspace(0, 1, 3)",
    "f + zeros(n, dtype=f32)",
    "f + zeros(n, dtype=f64)",
    "f + zeros_like(f)",
    "f + f64(zeros(n))",
    "f64(f) + zeros(n)",
    "f * linspace(0f32, 1, n)",
    "f * 2.5",
    "f - mean(f)",
    "argmax(f) / n",
    "count_nonzero(f > 0) / n",
    "arange(n) / n",
    "sum(f > 0) / n",
    "sum(img > 0, axis=0) / y",
    "mean(f > 0)",
    "count_nonzero(img > 3) / img.size",
];

fn check(expression: &str) -> (Session, Preparation) {
    lab::check(&format!("{INPUTS}output result = {expression}\n"), Mode::All)
}

fn names(prepared: &Preparation) -> Vec<&'static str> {
    prepared.diagnostics.iter().map(|found| found.code.name).collect()
}

#[test]
fn mistakes_are_found_by_default() {
    let mut failures = Vec::new();
    for &(expression, wanted) in FOUND {
        let (_, prepared) = check(expression);
        let found = names(&prepared);
        let once = found.iter().filter(|name| **name == wanted).count() >= 1;
        if !once || prepared.diagnostics.has_errors() {
            failures.push(format!("{expression}: {wanted} is not among {found:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn what_is_right_stays_quiet() {
    let loud = |expression: &&&str| !names(&check(expression).1).is_empty();
    let failures: Vec<String> =
        QUIET.iter().filter(loud).map(|it| format!("{it}: {:?}", lab::messages(&check(it).1.diagnostics))).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Findings about what a program loses.
fn loses(found: &Diagnostic) -> bool {
    let row = found.code;
    row.levels == codes::dtypes::INTEGER_OVERFLOW.levels
        || [&codes::dtypes::WEAK_DEFAULT, &codes::lints::F64_APPEARS].iter().any(|other| other.id == row.id)
}

/// A fix that only writes down what happens anyway would hide the finding. None that `--fix` carries out is about a
/// loss. After one that is asked for the result is wider, or it is the finding's own other dtype.
#[test]
fn no_fix_hides_a_finding() {
    let (mut seen, mut failures) = (0, Vec::new());
    let pages = codes::all().map(|row| row.failing.script.to_owned());
    let own = FOUND.iter().map(|(expression, _)| format!("{INPUTS}output result = {expression}\n"));
    for text in pages.chain(own) {
        let (session, prepared) = lab::check(&text, Mode::All);
        let losses: Vec<&Diagnostic> = prepared.diagnostics.iter().filter(|found| loses(found)).collect();
        if losses.is_empty() || prepared.diagnostics.has_errors() {
            continue;
        }
        let source = prepared.script.source;
        let safe = losses.iter().flat_map(|found| &found.helps).filter_map(|help| help.fix.as_ref());
        failures.extend(safe.filter(|fix| fix.keeps_values).map(|_| format!("a safe fix in\n{text}")));
        let before = fix::apply(&text, &fix::chosen(losses.iter().copied(), source, Fixes::KeepingValues));
        assert_eq!(before.as_deref(), Some(text.as_str()), "nothing is carried out");
        let fixes = fix::chosen(losses.iter().copied(), source, Fixes::All);
        let narrows = losses.iter().all(|found| found.code.id == codes::lints::F64_APPEARS.id);
        if fixes.is_empty() || narrows {
            continue;
        }
        seen += 1;
        let mended = fix::apply(&text, &fixes).expect("edits lie in the text");
        let (_, after) = lab::check(&mended, Mode::All);
        let bits = |prepared: &Preparation| -> Option<u32> {
            let program = prepared.checked.program.as_ref()?;
            program.nodes.iter().map(|node| node.dtype.bits()).max()
        };
        let (old, new) = (bits(&prepared), bits(&after));
        let inside = mended.matches("64(").count() + mended.matches("32(").count() + mended.matches("16(").count();
        if new < old || inside == 0 {
            failures.push(format!("{old:?} became {new:?} in\n{mended}"));
        }
        drop(session);
    }
    assert!(seen > 20, "{seen} programs were mended");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is advised has a common dtype in the system, and what is said of its result is so.
#[test]
fn advice_about_casts_is_true() {
    let advice = [
        ("jax", "x: i32[n]", "y: f8_e4m3[n]", "x + y", "`f64(x) + f64(y)` converts both exactly (the result is f64)"),
        ("jax", "x: i32[n]", "y: f8_e4m3[n]", "x + y", "`f8_e4m3(x) + y` keeps f8_e4m3; what is too large becomes nan"),
        ("jax", "x: i32[n]", "y: f16[n]", "x + y", "`f16(x) + y` keeps f16; what is too large becomes inf"),
        ("torch", "x: i64", "y: i16[n]", "x * y", "`i16(x) * y` keeps i16; what is too large wraps"),
        ("torch", "x: u8[n]", "y: bool[n]", "x + y", "`i16(x) + y` holds every result, as i16"),
        ("torch", "x: u8[n]", "y: i32[n]", "x + x + y", "`i16(x) + x` holds every result, as i16"),
        ("torch", "x: u16[n]", "y: u16[n]", "x + y", "`u32(x) + u32(y)` holds every result, as u32"),
        ("numpy none", "x: u8[n]", "y: u16[n]", "hypot(x, y)", "`hypot(u16(x), y)` converts both exactly"),
        ("numpy none", "x: u8[n]", "y: f64[n]", "x == y", "`f64(x) == y` converts both exactly"),
        ("numpy none", "x: u8[n]", "y: u16[n]", "x + y", "`u16(x) + y` converts both exactly (the result is u16)"),
        ("jax", "x: f32[n]", "y: i32[n]", "repeat 3 with s = x { s + y }", "a state keeps its dtype: begin `s` as f64"),
        ("torch", "x: u8[n]", "y: i32", "x * y", "`i32(x) * y` computes in i32, which holds every operand as it is"),
        ("numpy", "x: i64[n]", "y: i64", "1/x", "`f64(x)` says that rounding is meant"),
        ("numpy", "x: i64[n]", "y: i64", "arctan2(1, x)", "`f64(x)` says that rounding is meant"),
        ("jax", "x: i32[n]", "y: i32", "2/(x + 1)", "`f64(x + 1)` converts exactly up to 2^53"),
        ("numpy", "x: f32[5]", "y: i64[5]", "x * (linspace(0, 1, 5) - y)", "`f32(linspace(0, 1, 5) - y)` keeps f32"),
        ("numpy", "x: f32[5]", "y: f32[5]", "x * (linspace(0, 1, 5) - 1)", "`linspace(0, 1, 5, dtype=f32)` keeps f32"),
        ("jax", "x: f32[n]", "y: c64[n]", "x[y]", "say which real number is meant: `real(z)` or `abs(z)`"),
        (
            "jax",
            "x: f32[n]",
            "y: f32",
            "exp(e)",
            "the base of the natural logarithm is `math.e`, and a power of it `exp(x)`",
        ),
        ("jax", "x: f32[n]", "y: f32", "x * PI", "the constant is `pi`"),
        (
            "jax",
            "x: i64[3]",
            "y: f64",
            "add_at(x, [0, 1], y)",
            "make `x` a float first, or say what is lost: `i64(…)` around what `add_at` puts there",
        ),
        ("jax", "x: f32[n]", "y: f32[n]", "softplus(x, beta=2)", "for another slope write `softplus(beta*x)/beta`"),
        (
            "jax",
            "x: f64[2, 3]",
            "y: i64[3]",
            "cov(x, fweights=y)",
            "repeat the observations: `cov(repeat(x, y, axis=-1))`",
        ),
        ("jax", "x: f32[n]", "y: f32[n]", "np.array(x, dtype=\"f4\")", "there is `f32`"),
        (
            "numpy safe",
            "x: u32[3]",
            "y: f16[3]",
            "add_at(x, [0, 1, 2], y)",
            "what is changed keeps its dtype: convert it first, to f64",
        ),
    ];
    for (system, x, y, expression, wanted) in advice {
        let text = format!("promotion {system}\ninput {x}\ninput {y}\n{expression}");
        let (_, prepared) = lab::check(&text, Mode::All);
        let helps: Vec<&str> =
            prepared.diagnostics.iter().flat_map(|found| &found.helps).map(|help| help.text.as_str()).collect();
        assert!(helps.contains(&wanted), "{text}\n{helps:?}");
    }
}

/// What is advised where lengths are not known to be equal can be written, and then they are.
#[test]
fn advice_about_lengths_is_true() {
    let advice = [
        (
            "input y: f64[n]\ny[:12] + zeros(12)",
            "if they are equal, say `assert n >= 12` before: the run checks it",
            "input y: f64[n]\nassert n >= 12\ny[:12] + zeros(12)",
        ),
        (
            "input x: f64[n]\nlet a = x[x > 0]\nlet b = x[x < 0]\nstack([a, b])",
            "where they are equal, give them names, and assert it, as in `assert len(a) == len(b)`: the run checks it",
            "input x: f64[n]\nlet a = x[x > 0]\nlet b = x[x < 0]\nassert len(a) == len(b)\nstack([a, b])",
        ),
        (
            "input x: f64[n, n]\ninput i: i64[m]\nlet j = i[i > 0]\nx[i, j]",
            "for pairs, where they are equal, give them names, and `assert len(i) == len(j)`: the run checks it",
            "input x: f64[n, n]\ninput i: i64[m]\nlet j = i[i > 0]\nassert len(i) == len(j)\nx[i, j]",
        ),
    ];
    for (text, wanted, mended) in advice {
        let (_, prepared) = lab::check(text, Mode::All);
        let helps: Vec<&str> =
            prepared.diagnostics.iter().flat_map(|found| &found.helps).map(|help| help.text.as_str()).collect();
        assert!(helps.contains(&wanted), "{text}\n{helps:?}");
        let (_, prepared) = lab::check(mended, Mode::All);
        assert!(!prepared.diagnostics.has_errors(), "{mended}\n{:?}", lab::messages(&prepared.diagnostics));
    }
}

/// Help about a call of a function that came with the language names nothing of its code, and no dtype that is there.
#[test]
fn help_about_a_call_is_of_the_call() {
    for (text, name) in [
        ("input q: i64[3] in [0, 4000000000]\nnanprod(q)", "narrow-accumulation"),
        ("vander([10, 20], 20)", "integer-overflow"),
    ] {
        let (_, prepared) = lab::check(text, Mode::All);
        let found = prepared.diagnostics.iter().find(|found| found.code.name == name);
        let found = found.unwrap_or_else(|| panic!("{text}: {:?}", lab::messages(&prepared.diagnostics)));
        assert!(found.helps.is_empty(), "{text}: {:?}", found.helps);
    }
}

/// What wraps in a step of a call is mended by the dtype that the step needs.
#[test]
fn a_step_of_a_call_says_which_dtype_holds_it() {
    let (_, prepared) = lab::check("input a: u8[n]\nnp.diff(a, prepend=np.uint8(0))", Mode::All);
    let found = prepared.diagnostics.iter().find(|found| found.code.name == "integer-overflow").expect("it wraps");
    let helps: Vec<&str> = found.helps.iter().map(|help| help.text.as_str()).collect();
    assert_eq!(helps, ["convert the arguments first, as in `i16(x)`: i16 holds all of this step"]);
}

/// A label says the type of what is written, and where a name is used.
#[test]
fn labels_are_true() {
    let labels = [
        ("numpy", "x: u8[h, w, 3]", "x @ [0.299, 0.587, 0.114]", "f64[3]"),
        ("jax", "x: f32[n]", "np.c_[x, x]", "a name of NumPy"),
        ("jax", "x: f32[n]", "x[x > 1] + x[x > 2]", "`k` is the count of this mask"),
        ("jax", "x: f32[n]", "x[x > 1] + x[x > 2]", "`k1` is the count of this mask"),
        ("jax", "x: i32[n]", "unique(x) + bincount(x)", "`k` is the length of what this gives"),
        ("jax", "x: i32[n]", "np.unique(x) + np.bincount(x)", "`k` is the length of what this gives"),
    ];
    for (system, x, expression, wanted) in labels {
        let text = format!("promotion {system}\ninput {x}\n{expression}");
        let (_, prepared) = lab::check(&text, Mode::All);
        let labels = prepared.diagnostics.iter().flat_map(|found| &found.labels);
        let said: Vec<&str> = labels.map(|label| label.message.as_str()).collect();
        assert!(said.contains(&wanted), "{text}\n{said:?}");
    }
}

/// A builtin that a name hides is called by its name also after that name is gone.
#[test]
fn renaming_leaves_calls_of_the_builtin() {
    let text = "let sum = 3\nlet x = [1, 2]\nsum + sum(x) + x.sum()\n";
    let mut session = lab::session(Mode::All);
    let input = arrlang::session::Input { whole: true, ..arrlang::session::Input::new("test.arr", text) };
    let prepared = session.check(&input);
    let shadowed: Vec<&Diagnostic> =
        prepared.diagnostics.iter().filter(|found| found.code.name == "shadowed-builtin").collect();
    assert!(shadowed.len() <= 1, "{:?}", lab::messages(&prepared.diagnostics));
    if let Some(found) = shadowed.first() {
        let fixes = fix::chosen([*found], prepared.script.source, Fixes::KeepingValues);
        let new = fix::apply(text, &fixes).expect("edits lie in the text");
        assert_eq!(new, "let sum_ = 3\nlet x = [1, 2]\nsum_ + sum(x) + x.sum()\n");
    }
}

/// In `check` an input has any value of its dtype, whatever its default is.
#[test]
fn a_default_is_no_value() {
    let programs = [
        ("input x: f32[n]\ninput k: i32 = 3\noutput y = x * k", "precision-loss"),
        ("input x: u8[n]\ninput k: u8 = 1\noutput y = x * 0 + k + 250", "integer-overflow"),
        ("input k: u16 = 6\ninput x: u8[n]\noutput y = u16(x) * k", "integer-overflow"),
        ("input x: i32[n]\ninput d: i32 in [0, 4] = 2\noutput y = x // d", "division-by-zero"),
        ("input k: i64 = 3\nfn f(x) = x * k\noutput y = f(1f32)", "precision-loss"),
    ];
    for (text, wanted) in programs {
        let (_, prepared) = lab::check(text, Mode::All);
        assert!(names(&prepared).contains(&wanted), "{text}: {:?}", names(&prepared));
        let (_, safe) = lab::check(text, Mode::Safe);
        let deny = safe.diagnostics.iter().any(|found| found.code.name == wanted && found.level == Level::Deny);
        assert!(deny || wanted == "division-by-zero", "{text}");
    }
    // A declared range is what it can be, and what shapes depend on is taken from the default.
    for text in [
        "input x: f32[n]\ninput k: i32 in [0, 100] = 3\noutput y = x * k",
        "input x: f32[n]\ninput k: i64 = 3\noutput y = x[k:] + x[k:2*k+n-k][:n-k]",
        "input x: f32[20]\ninput k: i64 = 3\noutput y = x[k-1:] + zeros(21-k, dtype=f32)",
        "input x: f32[n]\ninput k: i64 = 0\noutput y = x[k]",
        "input x: u8[n]\ninput shift: u8 = 3\noutput y = x >> shift",
        "input x: f32[y, x]\ninput axis: i64 = 0\noutput y = sum(x, axis=axis)",
        "input gain: f32[c, 1] = 1.0\ninput x: f32[c, t]\noutput y = x * gain",
    ] {
        let (_, prepared) = lab::check(text, Mode::Safe);
        assert!(prepared.diagnostics.is_empty(), "{text}: {:?}", lab::messages(&prepared.diagnostics));
    }
}

/// Whole numbers of a CSV column are as small as they are.
#[test]
fn data_that_is_there_says_its_range() {
    use crate::shell::Folder;
    let folder =
        Folder::with(&[("d.csv", b"v,w\n3,1.5\n90,2.5\n"), ("p.arr", b"input v: i64[n]\nv * 1.5f32\nv > 0\n")]);
    let ran = folder.arr(&["run", "p.arr", "v=d.csv:v", "--mode", "safe"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    folder.write("d.csv", b"v\n3\n16777217\n");
    assert_eq!(folder.arr(&["run", "p.arr", "v=d.csv:v", "--mode", "safe"]).code, 1);
}
