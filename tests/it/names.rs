//! Names from elsewhere: `tests/numpy/names.txt`, of which each is accepted or has a message of its own, and
//! `rewritten.txt`, whose calls give what NumPy gives, with the code that the message proposes.

use crate::lab;
use arrlang::diagnostic::Diagnostic;
use arrlang::diagnostic::fix::{self, Fixes};
use arrlang::ops;
use arrlang::ops::elsewhere::{self, Counterpart};
use arrlang::promotion::verdict::Mode;
use arrlang::session::Reply;
use std::collections::HashSet;
use std::fmt::Write;

const ARRAYS: &str = "let x = [3.0f64, 1.0, 2.0, 5.0]
let y = [1.0f64, 4.0, 2.0, 0.5]
let i = [7, -3, 12, 0]
let m = arange(12.0).reshape(3, 4)
let s = [[2.0f64, 1.0], [1.0, 3.0]]
let h = [1.0f64, nan, -2.0, nan]
let z = [1 + 2j, 3 - 1j]
let b = [true, false, true, true]
let c = [[0], [1], [2]]
";

fn file(name: &str) -> String {
    std::fs::read_to_string(lab::root("tests/numpy").join(name)).expect("the file is there")
}

/// The name that was meant is looked for as often as errors are shown, and not for each of thousands.
#[test]
fn few_of_many_unknown_names_have_advice() {
    for unknown in ["quantity000", "quantity000(1)"] {
        let lines = (0..300).map(|at| format!("let a{at} = {}\n", unknown.replace("000", &format!("{at:03}"))));
        let text = format!("let other = 1\nfn quantity(x) = x\n{}", lines.collect::<String>());
        let (_, prepared) = lab::check(&text, Mode::All);
        let errors: Vec<&Diagnostic> = prepared.diagnostics.iter().filter(|found| found.is_error()).collect();
        let advice = |found: &&Diagnostic| found.helps.iter().any(|help| help.text.contains("`quantity`"));
        let advised = errors.iter().filter(|found| advice(found)).count();
        assert!(errors.len() == 300 && (100..300).contains(&advised), "{unknown}: {advised} of {}", errors.len());
    }
}

#[test]
fn what_is_too_small_is_told_the_smallest_number() {
    let (_, prepared) = lab::check("1e-50f32", Mode::All);
    let labels = prepared.diagnostics.iter().flat_map(|found| &found.labels);
    let labels: Vec<&str> = labels.map(|label| label.message.as_str()).collect();
    assert_eq!(labels, ["the smallest f32 above 0 is about 1.4013e-45"]);
}

/// What newcomers write, and the advice that can be pasted.
#[test]
fn habits_have_advice_that_runs() {
    let helps = |text: &str| {
        let (_, prepared) = lab::check(text, Mode::All);
        let helps = prepared.diagnostics.iter().flat_map(|found| found.helps.iter().map(|help| help.text.clone()));
        helps.collect::<Vec<String>>().join("\n")
    };
    assert!(helps("let x = 3 // comment\nx").contains("comments begin with `#`"));
    assert!(helps("isclose([1.0], [1.0], dtype=bool)").contains("leave `dtype` out: `isclose` gives bool already"));
    let vectors = "var a = [1.0, 2.0]\nvar b = [1.0, 2.0]\n";
    assert!(helps(&format!("{vectors}np.add(a, b, out=b)")).contains("`b = add(a, b)`"));
    assert!(helps(&format!("{vectors}np.negative(a, out=a)")).contains("`a = neg(a)`"));
    assert!(helps(&format!("{vectors}np.multiply(a, b, a)")).contains("`a = multiply(a, b)`"));
    assert!(helps(&format!("{vectors}a @= b + 1")).contains("write `a = a @ (b + 1)`"));
    assert!(helps(&format!("{vectors}a @= a; a @= b")).contains("write `a = a @ a`"));
    assert!(helps(&format!("{vectors}a @= (a +\n b)")).contains("write `a = a @ …`"));
    assert!(helps(&format!("{vectors}a.shape = (2, 1)")).contains("`let a = a.reshape((2, 1))`"));
    assert!(helps(&format!("{vectors}a.flat[1] = 3")).contains("`a = put(a, [1], 3)`"));
    assert!(helps(&format!("{vectors}a.ravel()[1:] = 3")).contains("`a = put(a, arange(a.size)[1:], 3)`"));
    assert!(helps(&format!("{vectors}a.flat[b[0]] = 3")).contains("`a = put(a, [b[0]], 3)`"));
    assert!(helps(&format!("{vectors}a.flat[[0, 1]] = 3")).contains("`a = put(a, [0, 1], 3)`"));
    assert!(!helps(&format!("{vectors}a.flat[(0, 1)] = 3")).contains("put("));
    let long = format!("{vectors}a.shape = (a.size // 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)");
    assert!(helps(&long).contains("`let a = a.reshape(…)`"));
    assert!(helps(&format!("{vectors}np.add(a, b, out=(b,))")).contains("`b = add(a, b)`"));
    assert!(helps("var h = [1.0]\nnp.clip(h, 0, 1, out=(h,h))").contains("`let y = clip(h, 0, 1)`"));
    assert!(helps("fn f(x) {\nvar m = x\nm.fill(0)\nm\n}").contains("`m[:] = …` stores in all of the variable `m`"));
    assert!(helps("fn f(x) {\nvar m = x\nnp.copyto(m[0], x)\nm\n}").contains("`m = …` gives it another value"));
    assert!(helps("repeat 2 with m = [1] {\nm.fill(0)\nm\n}").contains("no call changes an array: `x[:] = …`"));
    assert!(!helps("fn f(x) {\nsum(x)\nx\n}").contains("no call changes an array"));
    assert!(helps("var g = zeros([2, 2])\nnp.diag(g)[:] = 1").contains("`g = fill_diagonal(g, 1)`"));
    assert!(helps("let p, n = 10, 20\np").contains("`let (p, n) = (10, 20)`"));
    assert!(helps("let x = 3; let p, n = 10, 20").contains("`let (p, n) = (10, 20)`"));
    assert!(helps("let p, n = (10,\n 20)\np").contains("`let (p, …) = …`"));
    assert!(helps("let p, n = len(\"a,b\")\np").contains("`let (p, …) = …`"));
    assert!(helps("let s = 0.0, m = 0.0\ns").contains("write `let m = …` on a line of its own"));
    assert!(helps("let a = 1; var b = 2, c = 3").contains("write `var c = …` on a line of its own"));
    assert!(helps("fn f(x) { let a = 1, b = 2\na }").contains("write `let b = …` on a line of its own"));
    assert!(helps("np.ndarray((2, 3))").contains("write `zeros((2, 3))`"));
    assert!(helps("let x = [1.0]\nx.nbytes").contains("`x.size * x.dtype.itemsize`"));
    assert!(helps("let x = [1.0]\nx.itemsize").contains("`x.dtype.itemsize`"));
    assert!(helps("var x = i64([1, 2])\nnp.bitwise_or.at(x, [0], 2)").contains("`x[[0]] |= 2`"));
    assert!(helps("np.mat([1.0])").contains("a matrix already"));
    assert!(helps("np.rec.fromarrays([1.0])").contains("there are no records"));
    assert!(!helps("input x: f64[n]\ninput k: i64\nx[::k]").contains("a bound is one integer"));
    assert!(!helps("let n = 3\nfor i in range(n):\n    i + 1").contains("`i8`"));
    let literals = helps("input b: u8[n]\nwhere(b > 100, b, -1)");
    assert!(literals.contains("`i16(…)` has room for both"), "{literals}");
    let bytes = "let z = u8([200, 100, 7])\n";
    let sums = "`segment_sum(astype(z, sum(z).dtype), searchsorted([0, 2], arange(z.shape[0]), side=\"right\") - 1";
    assert!(helps(&format!("{bytes}np.add.reduceat(z, [0, 2])")).contains(sums));
    let sums = "`moveaxis(segment_sum(moveaxis(astype(z, sum(z).dtype), 0, 0)";
    assert!(helps(&format!("{bytes}np.add.reduceat(z, [0, 2], axis=0)")).contains(sums));
    assert!(helps("np.sum([[1], [2]], 0, 1)").contains("write `np.sum([[1], [2]], [0, 1])`"));
    for comment in [
        "TODO: later",
        "3 values",
        "two words",
        "first, second",
        "isn't it",
        "(see above)",
        "see above)",
        "for all rows",
        "not used",
        "/ doc words",
    ] {
        assert!(helps(&format!("let x = 3 // {comment}\nx")).contains("comments begin with `#`"), "{comment}");
    }
    for text in ["let x = 3; // comment\nx", "let x = [1, // one\n  2]\nx"] {
        assert!(helps(text).contains("comments begin with `#`"), "{text}");
    }
    for text in ["comment + 1", "not y", "(a b)", "f(a b)"] {
        assert!(!helps(&format!("let x = 3 // {text}\nx")).contains("comments begin with `#`"), "{text}");
    }
    for body in ["x\n  - 1", "let y = x\n    - 1\n  y"] {
        let told = helps(&format!("fn f(x) {{\n  {body}\n}}\nf(3)"));
        assert!(told.contains("end that one with `-`"), "{body}: {told}");
    }
    assert!(helps("np.zeros(2, 3)").contains("write `np.zeros([2, 3])`"));
    assert!(helps("concatenate([1], [2], axis=0)").contains("write `concatenate([[1], [2]], axis=0)`"));
    assert!(helps("random.normal(random.key(0), 2, 3)").contains("write `random.normal(random.key(0), [2, 3])`"));
}

#[test]
fn every_name_is_accepted_or_has_a_message_of_its_own() {
    let names = file("names.txt");
    let script: String = names.lines().fold("let x = [1.5, 2.5]\n".to_owned(), |mut script, name| {
        let _ = writeln!(script, "{name}(x)");
        script
    });
    let (session, prepared) = lab::check(&script, Mode::All);
    let guessed = ["there is no function", "nothing here is", "give it a value", "is that what is meant", "declare it"];
    let mut wrong = Vec::new();
    for found in &prepared.diagnostics {
        let helps: String = found.helps.iter().map(|help| help.text.as_str()).collect();
        let all = format!("{} {helps}", found.message);
        if guessed.iter().any(|words| all.contains(words)) || found.code.id == "E0201" && found.helps.is_empty() {
            wrong.push(format!("{}: {all}", session.sources.text(found.span().unwrap_or_default())));
        }
    }
    assert!(names.lines().count() >= 1100);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The messages of all names, to be read: `ARR_SHOW_NAMES=1 cargo test --test it names -- --nocapture`.
#[test]
fn the_messages_can_be_read() {
    if std::env::var_os("ARR_SHOW_NAMES").is_none() {
        return;
    }
    for name in file("names.txt").lines() {
        let (_, prepared) = lab::check(&format!("let x = [1.5, 2.5]\n{name}(x)"), Mode::All);
        for found in &prepared.diagnostics {
            let helps: Vec<&str> = found.helps.iter().map(|help| help.text.as_str()).collect();
            println!(
                "{name}: {} {} | {} | {}",
                found.code.id,
                found.message,
                helps.join(" | "),
                found.notes.join(" | ")
            );
        }
    }
}

#[test]
fn rows_name_what_there_is_and_every_name_once() {
    let mut seen = HashSet::new();
    for row in elsewhere::all() {
        for &name in row.names {
            assert!(seen.insert(name), "`{name}` is there twice");
            // What a module has of ours is found behind the longer names of the module by its row.
            let is_row_of_ours = matches!(row.becomes, Counterpart::Same(ours) if ours == name && name.contains('.'));
            assert!(
                ops::by_name(name).is_none() || is_row_of_ours,
                "`{name}` is an operation of ours: remove its row from src/ops/elsewhere"
            );
        }
        match row.becomes {
            Counterpart::Same(ours) => {
                let known = ops::by_name(ours).is_some() || ours.parse::<arrlang::types::DType>().is_ok();
                assert!(
                    known || matches!(ours, "inf" | "nan" | "None"),
                    "{:?} is `{ours}`, which nothing is",
                    row.names
                );
            }
            Counterpart::Code { forms, note, .. } => {
                assert!(!note.ends_with('.') && !forms.is_empty(), "{:?}", row.names);
                for form in forms {
                    let code = form.plain();
                    let code =
                        if code.starts_with('{') { format!("fn f({}) {code}", form.required_params()) } else { code };
                    let (_, prepared) = lab::check(&code, Mode::All);
                    let syntax = prepared.diagnostics.iter().find(|found| found.code.id.starts_with("E01"));
                    assert!(syntax.is_none(), "{:?}: `{code}`", row.names);
                }
            }
            Counterpart::Missing(sentence) | Counterpart::Advice(sentence) => {
                assert!(!sentence.ends_with('.') && !sentence.contains("  "), "{:?}: {sentence}", row.names);
            }
        }
    }
}

/// The code between the backquotes of ``write `…` ``.
fn proposed(found: &Diagnostic) -> Option<String> {
    let help = found.helps.iter().find_map(|help| help.text.strip_prefix("write `"))?;
    Some(help[..help.find('`')?].to_owned())
}

fn numbers(reply: &Reply) -> Vec<f64> {
    let mut found = Vec::new();
    for value in &reply.values {
        let complex = value.array.dtype().is_complex();
        let mut text = String::new();
        arrlang::array::json::write_json(&value.array, &mut text);
        let flat: Vec<f64> = text
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '+')))
            .filter(|word| !word.is_empty())
            .map(|word| match word {
                "true" => 1.0,
                "false" => 0.0,
                word => word.parse().unwrap_or(f64::NAN),
            })
            .collect();
        match complex {
            true => {
                found.extend(flat.iter().step_by(2));
                found.extend(flat.iter().skip(1).step_by(2));
            }
            false => found.extend(flat),
        }
    }
    found
}

#[test]
fn proposed_code_gives_what_numpy_gives() {
    let (mut wrong, mut rewritten, mut calls) = (Vec::new(), 0, 0);
    for line in file("rewritten.txt").lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let (call, fixed) = (columns[0].trim_start_matches('~'), columns[0].starts_with('~'));
        let script = format!("{ARRAYS}{call}\n");
        calls += 1;
        let mut reply = lab::run(&script, Mode::All);
        if lab::lacks_a_library(&reply.diagnostics) {
            continue;
        }
        let mut code = call.to_owned();
        if reply.diagnostics.has_errors() {
            let found = reply.diagnostics.iter().find(|found| found.is_error()).expect("there is one");
            let source = found.span().map(|span| span.source).unwrap_or_default();
            let edits = fix::chosen(&reply.diagnostics, source, Fixes::KeepingValues);
            code = match fix::apply(&script, &edits).filter(|_| !edits.is_empty()) {
                Some(mended) => mended[ARRAYS.len()..].trim().to_owned(),
                None if fixed => {
                    wrong.push(format!("{call}: no fix: {:?}", lab::messages(&reply.diagnostics)));
                    continue;
                }
                None => match proposed(found) {
                    Some(code) => code,
                    None => {
                        wrong.push(format!("{call}: {:?}", lab::messages(&reply.diagnostics)));
                        continue;
                    }
                },
            };
            rewritten += 1;
            reply = lab::run(&format!("{ARRAYS}{code}\n"), Mode::All);
        }
        if reply.diagnostics.has_errors() {
            wrong.push(format!("{call}: `{code}`: {:?}", lab::messages(&reply.diagnostics)));
            continue;
        }
        let wanted: Vec<f64> = columns[2].split_whitespace().map(|word| word.parse().expect("a number")).collect();
        let found = numbers(&reply);
        let close =
            |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-9 * (1.0 + b.abs());
        if found.len() != wanted.len() || !found.iter().zip(&wanted).all(close) {
            wrong.push(format!("{call}: `{code}` is {found:?}, and {wanted:?} in NumPy"));
        }
    }
    assert!(rewritten >= 3 && calls >= 95, "{rewritten} of {calls}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How a reply differs from a call's shape and numbers in NumPy, relative to a tolerance.
fn unlike(columns: &[&str], reply: &Reply, tolerance: f64) -> Option<String> {
    let wanted: Vec<f64> = columns[2].split_whitespace().map(|word| word.parse().expect("a number")).collect();
    let found = numbers(reply);
    let close =
        |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance * (1.0 + b.abs());
    let shape = reply.values.first().map(|value| value.array.shape().to_vec()).unwrap_or_default();
    let sizes: Vec<usize> = columns[1].split_whitespace().map(|word| word.parse().expect("a size")).collect();
    let complex = reply.values.first().is_some_and(|value| value.array.dtype().is_complex());
    let same_shape = reply.values.len() != 1 || complex || shape == sizes;
    let same = same_shape && found.len() == wanted.len() && found.iter().zip(&wanted).all(close);
    (!same).then(|| format!("{} is {found:?} of shape {shape:?}, and {wanted:?} in NumPy", columns[0]))
}

/// `tests/numpy/first_hour.txt`: what somebody who knows NumPy types first.
#[test]
fn the_first_hour_gives_what_numpy_gives() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for line in file("first_hour.txt").lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let reply = lab::run(&format!("{ARRAYS}{}\n", columns[0]), Mode::All);
        count += 1;
        if reply.diagnostics.has_errors() {
            wrong.push(format!("{}: {:?}", columns[0], lab::messages(&reply.diagnostics)));
            continue;
        }
        wrong.extend(unlike(&columns, &reply, 1e-9));
    }
    assert!(count >= 140, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `tests/numpy/positional.txt`: what NumPy has at another place, or beside what is here. A call gives what NumPy
/// gives, or names the argument and says what to write instead; none is called unknown.
#[test]
fn positional_arguments_mean_what_they_mean_in_numpy() {
    let (mut wrong, mut same, mut refused) = (Vec::new(), 0, 0);
    for line in file("positional.txt").lines() {
        if let Some(call) = line.strip_prefix('!') {
            let (_, prepared) = lab::check(&format!("{ARRAYS}{call}\n"), Mode::All);
            let found = prepared.diagnostics.iter().find(|found| found.is_error());
            refused += 1;
            match found {
                Some(found) if found.code.id == "E0204" && !found.helps.is_empty() => {}
                _ => wrong.push(format!("{call}: {:?}", lab::messages(&prepared.diagnostics))),
            }
            continue;
        }
        let columns: Vec<&str> = line.split('\t').collect();
        let reply = lab::run(&format!("{ARRAYS}{}\n", columns[0]), Mode::All);
        same += 1;
        if lab::lacks_a_library(&reply.diagnostics) {
            continue;
        }
        if reply.diagnostics.has_errors() {
            wrong.push(format!("{}: {:?}", columns[0], lab::messages(&reply.diagnostics)));
            continue;
        }
        wrong.extend(unlike(&columns, &reply, 1e-6));
    }
    assert!(same >= 120 && refused >= 11, "{same} {refused}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What somebody writes who knows Python, and words of what to write instead.
const ADVICE: &[(&str, &str)] = &[
    ("pass", "leave it out"),
    ("with np.errstate(all=\"ignore\"):\n  x", "without it"),
    ("np.hypot(*x)", "`f(x[0], x[1])`"),
    ("beta, *_ = (1, 2, 3)", "`let (a, b, c) = x`"),
    ("output var = 3", "choose another name"),
    ("let sum = 3\nsum(m)", "hides the function `sum`"),
    ("var a = m\na = ravel(m), 2", "`[ravel(m), 2]`"),
    ("var a = m\na += 1, sum(m, axis=0)", "`[1, sum(m, axis=0)]`"),
    ("np.unravel_index(m, (2, 3), \"F\")", "`let (j, i) = unravel_index(m, (3, 2))`"),
    ("np.gradient(m, 1, 2)", "`gradient(m, (1, 2))`"),
    ("m.ravel(\"F\")", "`ravel(m.T)`"),
    ("m.flatten(\"F\")", "`ravel(m.T)`"),
    ("np.reshape(m, (4, 3), \"F\")", "transposing before and after"),
    ("m.reshape((4, 3), \"F\")", "transposing before and after"),
    ("sum(m, axis=1, keepdims=1)", "`keepdims=true`"),
    ("m.mean(1, None, None, True)", "`keepdims=true`"),
    ("var a = m\na[1][0] = 5", "`a[1, 0] = …`"),
    ("var a = m\na[1:][0] = 5", "`var part = a[1:]`, then `part[0] = …` and `a[1:] = part`"),
    ("var a = m\na[:, 1][0] = 5", "`a[:, 1] = part`"),
    ("var a = m\na[[2, 0]][0] = 5", "chooses copies"),
    ("np.mgrid[0:16, 0:16]", "`meshgrid(arange(0, 16), arange(0, 16), indexing=\"ij\")`"),
    ("np.mgrid[0:16]", "`arange(0, 16)`"),
    ("np.mgrid[-1:1:5j, :4:2]", "`meshgrid(linspace(-1, 1, 5), arange(0, 4, 2), indexing=\"ij\")`"),
    ("np.ogrid[0:3, 0:4]", "`meshgrid(arange(0, 3), arange(0, 4), indexing=\"ij\", sparse=true)`"),
    ("np.r_[y, 0, 1:4]", "`concat([y, [0], arange(1, 4)])`"),
    ("np.r_[x[0], y, -1, x.size]", "`concat([atleast_1d(x[0]), y, [-1], atleast_1d(x.size)])`"),
    ("np.mgrid[0:1:5J]", "`linspace(0, 1, 5)`"),
    ("np.c_[x, y]", "`column_stack([x, y])`"),
    ("einops.rearrange(m, \"a b -> b a\")", "`transpose(x, (0, 2, 1))`"),
    ("jax.lax.pad(x, 0.0, ((1, 1, 0),))", "`pad(x, ((1, 2),), value=0.0)`"),
    ("print(f\"x {x}\")", "prints its value"),
    ("plt.plot(x, y)", "`:plot x`"),
    ("np.polynomial.legendre.legval(x, y)", "`polyfit(x, y, deg)`"),
    ("q = p = 1", "`p = …`, then `q = p`"),
    ("let q = p = 1", "`let p = …`, then `let q = p`"),
    ("var a = m\na[0] = a[2 - 1] = 1", "`a[2 - 1] = …`, then `a[0] = a[2 - 1]`"),
    ("with np.errstate(divide='ignore'): x", "without it"),
    ("np.array([(x[:4 - k]*x[k:]).sum() for k in range(3)])", "`repeat 10 as k with r"),
    ("let q = [(v + 1).sum() for v in x]", "`f(x)` has `f(v)` for each `v` in `x`"),
    ("unknown.part.method(x)", "`let unknown = …`"),
    ("input w: i64[n]\nnp.unique(w) + np.bincount(w)", "`bincount(…, length=len(x))` is as long as `x`"),
    ("let (p, q, r) = scan x with s = 0.0 { (s + x, s, 2*s) }", "its last row, `rows[-1]`"),
    ("np.fromiter(x, dtype=f64)", "`f(arange(n))`"),
    ("(q := x + 1)", "`let q = …`"),
    ("let q = x[0] if x[1] > 0 else -x[0]", "`where(x[1] > 0, x[0], -x[0])`"),
    ("sum(x if x[0] > 0 else (y if y[0] > 0 else x))", "`where(x[0] > 0, x, …)`"),
    ("x.astype(str)", "there is no text"),
    ("x[end]", "`x[-1]`"),
    ("m'", "`x.T`"),
    ("x(1)", "an element with brackets"),
    ("x.^2", "write `**`"),
    ("x.*y", "write `*`"),
    ("x ~= y", "write `!=`"),
    ("let q = 1:10", "`arange(1, 10)`"),
    ("repeat 10: x", "carries"),
    ("let q = repeat 10: x", "carries"),
    ("del x", "leave it out"),
    ("x.at[0].set(1.0)", "`y[i] = v`"),
    ("torch.nn.Linear(3, 4)(x)", "`fn linear(x, w, b) = x @ w.T + b`"),
    ("jax.lax.scan(step, 0.0, x)", "`scan x with s = start"),
    ("np.ldexp.outer(x, i)", "`f(a[:, None], b)`"),
    ("np.subtract.reduce(x)", "`repeat len(x) as i with s = start { f(s, x[i]) }`"),
    ("np.subtract.accumulate(x)", "`scan x with s = start { let s = f(s, x); (s, s) }`"),
    ("np.logical_and.accumulate(b)", "`cummin(b, axis=0)` (of truth values)"),
    ("x.sum(skipna=True)", "`nansum(x)`"),
    ("x.sort_values(ascending=False)", "`sort(x, descending=true)`"),
    ("x.bfill()", "`flip(flip(x)["),
    ("m.flatten(1)", "`reshape(m, (m.shape[0], -1))`"),
    ("torch.flatten(m, start_dim=1)", "`reshape(m, (m.shape[0], -1))`"),
    ("torch.flatten(m[None], 1, 2)", "`reshape(m[None], (m[None].shape[0], -1, …))`"),
    ("torch.flatten(m[None], 0, 1)", "`reshape(m[None], (-1, …))`"),
    ("torch.flatten(m, end_dim=0)", "`reshape(m, (-1, …))`"),
    ("torch.flatten(m, -1)", "`reshape(m, …)`"),
    ("x.prod(skipna=True)", "`nanprod(x)`"),
    ("F.kl_div(x, y, reduction=\"median\")", "`kl_div(x, y, reduction=\"mean\")`"),
    ("m[None].transpose(1, 2)", "`swapaxes(m[None], 1, 2)`"),
    ("scipy.stats.pearsonr(x, y)", "`corrcoef(x, y)[0, 1]`"),
    ("scipy.ndimage.convolve(x, y[:3])", "mode=\"symmetric\"), y[:3], mode=\"valid\")`"),
    ("np.mgrid[y]", "`arange(a, b)`"),
    ("np.roots(y)", "-y[1:][None] / y[0]"),
    ("F.layer_norm(m, (3, 4))", "(x - mean(x, axis=-1"),
    ("F.pad(m, (1, 2, 0, 0, 3, 3))", "`pad(x, ((c, d), (a, b)))`"),
    ("torch.index_add(x, 0, i, y)", "`add_at(x, i, y)`"),
    ("jnp.repeat(x, i, total_repeat_length=9)", "`assert y.size == 9`"),
    ("np.fromfunction(hypot, (2, 2))", "`hypot(f64(arange("),
    ("ouput q = 3", "`output q = 3`"),
    ("inptu q: f32", "`input q: f32`"),
    ("Let q = 3", "`let q = 3`"),
    ("INPUT q: f32", "`input q: f32`"),
    ("int q = 3", "`let q: i64 = …`"),
    ("float32 q = 3", "`let q: f32 = …`"),
    ("5 mod 3", "`%`"),
    ("5 div 3", "`//`"),
    ("[1, 2, 3] as f32", "`f32(…)`"),
    ("(f32)3", "`f32(…)`"),
    ("fn f(x) = x\nf 3", "`f(3)`"),
    ("f\"{x}\"", "it is printed"),
    ("// c", "comments begin with `#`"),
    ("/* c */", "comments begin with `#`"),
    ("let q = 3 // three words", "comments begin with `#`"),
    ("-- hi there", "comments begin with `#`"),
    ("input q: np.float32[n]", "write `f32`"),
    ("let q: np.float32 = 3", "write `f32`"),
    ("2²", "`**2`"),
    ("q := 3", "`let q = 3`"),
    ("fn f(x) -> x + 1", "`fn f(x) = x + 1`"),
    ("fn f(x) -> x", "`fn f(x) = x`"),
    ("fn f(x): x + 1", "`fn f(x) = x + 1`"),
    ("fn f(x) => x", "`fn f(x) = x`"),
    ("1 <> 2", "`!=`"),
    ("3 |> sqrt", "`sqrt(3)`"),
];

#[test]
fn habits_of_python_are_answered_with_what_to_write() {
    let mut wrong = Vec::new();
    for (text, wanted) in ADVICE {
        let (_, prepared) = lab::check(&format!("{ARRAYS}{text}\n"), Mode::All);
        let errors: Vec<&Diagnostic> = prepared.diagnostics.iter().filter(|found| found.is_error()).collect();
        let helps: Vec<&str> = errors.iter().flat_map(|found| &found.helps).map(|help| help.text.as_str()).collect();
        if errors.len() != 1 || !helps.iter().any(|help| help.contains(*wanted)) {
            wrong.push(format!("{text}: {:?} {helps:?}", lab::messages(&prepared.diagnostics)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
