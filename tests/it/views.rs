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
