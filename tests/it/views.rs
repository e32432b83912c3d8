//! Indexing and layout against NumPy: `tests/numpy/index.txt`, `advanced.txt` and `layout.txt`, written by the scripts
//! beside them.
//!
//! Every expression is run on arrays that are known now and, with its index computed, on the way that only the run can
//! check.

use crate::lab;
use arrlang::promotion::verdict::Mode;
use arrlang::session::Input;

const ARRAYS: &str = "let a = arange(24).reshape(2, 3, 4)
let b = arange(36).reshape(3, 2, 3, 2)
let m = arange(12).reshape(3, 4)
let v = arange(5)
let o = arange(1)
let e = zeros((0, 3), dtype=i64)
";

/// An expression with the shape and the elements that NumPy gives it; nothing where it raises an error.
struct Case {
    expression: String,
    value: Option<(Vec<usize>, Vec<i64>)>,
}

fn cases(file: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(lab::root("tests/numpy").join(file)).expect("the file is there");
    let numbers =
        |text: &str| text.split_whitespace().map(|word| word.parse().expect("a number")).collect::<Vec<i64>>();
    text.lines()
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let value = (columns[1] != "error").then(|| {
                let shape = numbers(columns[1]).into_iter().map(|size| size as usize).collect();
                (shape, numbers(columns.get(2).copied().unwrap_or_default()))
            });
            Case { expression: columns[0].to_owned(), value }
        })
        .collect()
}

/// A case as a script: what is assigned to is a variable, which is the value.
fn script(case: &Case, number: usize) -> String {
    match case.expression.split_once(" = ") {
        Some((place, value)) => {
            let (name, index) = place.split_at(1);
            format!("var {name}{number} = {name}\n{name}{number}{index} = {value}\n{name}{number}\n")
        }
        None => format!("{}\n", case.expression),
    }
}

/// Runs all expressions that have a value as one script, and checks each of the others by itself.
fn compare(cases: &[Case]) -> Vec<String> {
    let mut wrong = Vec::new();
    let valued: Vec<&Case> = cases.iter().filter(|case| case.value.is_some()).collect();
    let mut text = ARRAYS.to_owned();
    for (number, case) in valued.iter().enumerate() {
        text.push_str(&script(case, number));
    }
    let reply = lab::session(Mode::All).evaluate(&Input::new("views.arr", &text));
    let messages = lab::messages(&reply.diagnostics);
    assert_eq!(reply.values.len(), valued.len(), "{}", messages.join("\n"));
    for (case, shown) in valued.iter().zip(&reply.values) {
        let found = (shown.array.shape().to_vec(), shown.array.to_vec::<i64>());
        let wanted = case.value.clone().expect("these have values");
        if found != wanted {
            wrong.push(format!("{} is {found:?}, and {wanted:?} in NumPy", case.expression));
        }
    }
    for case in cases.iter().filter(|case| case.value.is_none()) {
        let text = format!("{ARRAYS}{}", script(case, 0));
        let reply = lab::session(Mode::All).evaluate(&Input::new("views.arr", &text));
        if reply.diagnostics.error_count() == 0 {
            wrong.push(format!("{} has a value, and is an error in NumPy", case.expression));
        }
    }
    wrong
}

#[test]
fn indexing_is_that_of_numpy() {
    let cases = cases("index.txt");
    assert!(cases.len() >= 600);
    let wrong = compare(&cases);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn masks_and_positions_are_those_of_numpy() {
    let cases = cases("advanced.txt");
    assert!(cases.len() >= 800);
    let wrong = compare(&cases);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn layout_is_that_of_numpy() {
    let cases = cases("layout.txt");
    assert!(cases.len() >= 300);
    let wrong = compare(&cases);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same positions, where no compile-time integer says them: `i32` values of a computed array.
#[test]
fn computed_positions_are_those_of_numpy() {
    let computed = |case: &Case| {
        let (name, index) = case.expression.split_once('[').expect("an index");
        let items = index.trim_end_matches(']').split(", ");
        let items = items.map(|item| match item.parse::<i64>() {
            Ok(position) => format!("sum(i32([{position}]))"),
            Err(_) => item.to_owned(),
        });
        Case { expression: format!("{name}[{}]", items.collect::<Vec<_>>().join(", ")), value: case.value.clone() }
    };
    let cases: Vec<Case> = cases("index.txt").iter().map(computed).collect();
    assert!(cases.iter().filter(|case| case.expression.contains("sum")).count() > 200);
    let wrong = compare(&cases);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A store in what is a view in NumPy, or by a call, is refused; what is said instead runs.
#[test]
fn stores_that_are_refused_say_what_to_write() {
    let cases = [
        ("h.fill(0)", "h[:] = 0"),
        ("m[0].fill(2)", "m[0] = 2"),
        ("np.copyto(h, [3, 4])", "h[:] = [3, 4]"),
        ("np.copyto(h, [3, 4], where=h > 1)", "h[:] = np.where(h > 1, [3, 4], h)"),
        ("np.random.shuffle(h)", "h = random.permutation(random.key(0), h)"),
        ("np.add(h, 2, out=h)", "h = add(h, 2)"),
        ("np.add(h, 2, out=h, where=h > 1)", "h = where(h > 1, add(h, 2), h)"),
        ("np.add.at(h, [0], 1)", "h = add_at(h, [0], 1)"),
        ("h.flat = 0", "h = put(h, arange(h.size), 0)"),
        ("h.flat[0] *= 1 + 1", "h = put(h, [0], ravel(h)[0] * (1 + 1))"),
        ("h.T[1] = 1", "var part = h.T; part[1] = 1; h = part.T"),
        ("m.T[0] += 2", "var part = m.T; part[0] += 2; m = part.T"),
        ("m.swapaxes(0, 1)[0] = 2", "var part = m.swapaxes(0, 1); part[0] = 2; m = part.swapaxes(0, 1)"),
        ("m.reshape(4)[2] = 9", "var part = m.reshape(4); part[2] = 9; m = part.reshape(m.shape)"),
    ];
    for (store, advice) in cases {
        let start = "var h = [1, 2]\nvar m = [[1, 2], [3, 4]]\n";
        let (_, refused) = lab::check(&format!("{start}{store}"), Mode::All);
        let helps = refused.diagnostics.iter().flat_map(|found| found.helps.iter().map(|help| help.text.clone()));
        let helps: Vec<String> = helps.collect();
        assert!(helps.iter().any(|help| help.contains(&format!("`{advice}`"))), "{store}: {helps:?}");
        let (_, mended) = lab::check(&format!("{start}{advice}"), Mode::All);
        assert!(!mended.diagnostics.has_errors(), "{advice}: {:?}", lab::messages(&mended.diagnostics));
    }
}
