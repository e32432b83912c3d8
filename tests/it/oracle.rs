//! The promotion systems against what the real libraries do: every recorded cell of every operation.
//!
//! `tests/oracle/map` names for each system the one spelling of each operation; `tests/oracle/NAME.txt` holds the
//! cells as grids: rows and columns are operands, `-` a refusal, `!` one that is only a missing kernel, `.` a pair
//! that was not recorded, `~` after a result means that it is weak. Operands: `i*` a literal, `i*A` a computed weak
//! value, `i*W` a tensor made of a literal, `u8@0d` an array of no dimensions, `u8@sc` a scalar of the library.

use arrlang::constant::Const;
use arrlang::ops::{self, Form, Op, Rearrangement};
use arrlang::promotion::systems::{self, System};
use arrlang::promotion::table::{Cell, cell_of, update_of};
use arrlang::promotion::verdict::Mode;
use arrlang::promotion::{Class, Operand, Rank};
use arrlang::types::{DType, Elem, Kind};
use std::collections::{BTreeMap, HashMap};

mod documents;
mod rules;
mod together;

/// The file with this name under `tests/oracle`.
pub(crate) fn read(name: &str) -> String {
    let path = format!("{}/tests/oracle/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What the map says of an operation: its spelling, or why there is none.
type Spelling = Result<String, String>;

fn map() -> HashMap<String, HashMap<String, Spelling>> {
    let mut map: HashMap<String, HashMap<String, Spelling>> = HashMap::new();
    let mut current: Vec<String> = Vec::new();
    for line in read("map").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').expect("two columns");
        if word == "systems" {
            current = rest.split_whitespace().map(str::to_owned).collect();
            continue;
        }
        let spelling = match rest.strip_prefix("- ") {
            Some(reason) => Err(reason.to_owned()),
            None => Ok(rest.to_owned()),
        };
        for system in &current {
            map.entry(system.clone()).or_default().insert(word.to_owned(), spelling.clone());
        }
    }
    map
}

/// One recorded cell.
struct Recorded {
    operands: Vec<String>,
    answer: String,
}

fn cells(file: &str) -> HashMap<String, Vec<Recorded>> {
    let mut cells: HashMap<String, Vec<Recorded>> = HashMap::new();
    let (mut op, mut columns) = (String::new(), Vec::new());
    for line in read(file).lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["op", name] => (op, columns) = (name.to_owned(), Vec::new()),
            ["|", ..] => columns = words[1..].iter().map(|&word| word.to_owned()).collect(),
            _ => {
                let cells = cells.entry(op.clone()).or_default();
                let operands = |column: Option<&String>| {
                    std::iter::once(words[0].to_owned()).chain(column.cloned()).collect::<Vec<_>>()
                };
                if columns.is_empty() {
                    cells.push(Recorded { operands: operands(None), answer: words[1].to_owned() });
                }
                for (column, &answer) in columns.iter().zip(&words[1..]).filter(|(_, answer)| **answer != ".") {
                    cells.push(Recorded { operands: operands(Some(column)), answer: answer.to_owned() });
                }
            }
        }
    }
    cells
}

/// The constants that literals stand for in the oracle.
struct Ones([Const; 4]);

impl Ones {
    fn new() -> Ones {
        Ones([Const::Int(1.into()), Const::Int(1.into()), Const::float(1.0), Const::Complex(1.0, 0.0)])
    }

    /// An operand of the oracle as one of ours; nothing where `arr` has no such value.
    fn operand(&self, system: &System, token: &str) -> Option<Operand<'_>> {
        let weak = |name: &str| name.parse::<Elem>().ok();
        if let Some(dtype) = token.strip_suffix("@0d").or(token.strip_suffix("@sc")) {
            return Some(Operand { rank: Rank::Zero, ..Operand::array(dtype.parse().ok()?) });
        }
        if let Some(name) = token.strip_suffix('A') {
            return Some(Operand { constant: false, ..Operand::array(weak(name)?) });
        }
        if let Some(name) = token.strip_suffix('W') {
            let elem = weak(name)?;
            let operand = Operand { constant: false, ..Operand::array(elem) };
            // Only tf-numpy has weak tensors: elsewhere they have the default dtype.
            let plain = Elem::Strong(match elem {
                Elem::WeakInt => DType::I32,
                Elem::WeakFloat => DType::F32,
                _ => DType::C128,
            });
            return Some(if system.name == "tf-numpy" { operand } else { Operand::array(plain) });
        }
        if token == "bool*" {
            // A Python bool is a scalar of dtype bool; TensorFlow converts it to what it meets, and arr cannot say
            // that.
            let scalar = Operand { rank: Rank::Zero, constant: true, ..Operand::array(DType::Bool.into()) };
            return (!system.name.starts_with("tf")).then_some(scalar);
        }
        let elem = token.parse::<Elem>().ok()?;
        let value = match elem {
            Elem::WeakInt => Some(&self.0[1]),
            Elem::WeakFloat => Some(&self.0[2]),
            Elem::WeakComplex => Some(&self.0[3]),
            Elem::Strong(_) => None,
        };
        Some(Operand { value, ..Operand::array(elem) })
    }
}

/// Counts of one system.
#[derive(Default)]
struct Count {
    compared: usize,
    equal: usize,
    no_kernel: usize,
    refuses: usize,
    not_ours: usize,
    rules: BTreeMap<&'static str, usize>,
    unexplained: Vec<String>,
}

fn show(system: &System, cell: Cell) -> String {
    match cell.result {
        None => "-".to_owned(),
        Some(elem) => format!("{}{}", system.harden(elem), if cell.weak { "~" } else { "" }),
    }
}

/// What is compared with the cells of a file.
#[derive(Clone, Copy, PartialEq)]
enum What {
    /// The result of an operation.
    Result,
    /// The same where only what mode `safe` allows counts.
    Safe,
    /// The dtype of `x` after `x op= y`.
    Update,
}

fn compare(what: What, system: &'static System, op: &'static Op, recorded: &Recorded, count: &mut Count) {
    let ones = Ones::new();
    let operands: Option<Vec<Operand>> = recorded.operands.iter().map(|token| ones.operand(system, token)).collect();
    let known = |answer: &str| answer == "-" || answer == "!" || answer.trim_end_matches('~').parse::<Elem>().is_ok();
    let (Some(operands), true) = (operands, known(&recorded.answer)) else {
        count.not_ours += 1;
        return;
    };
    let complex = operands.iter().any(|operand| operand.elem.kind() == Kind::Complex);
    if recorded.answer == "!" {
        count.no_kernel += 1;
        return;
    }
    // A literal of the library is a scalar, which has no lines: such a call is about its shape.
    let scalar = recorded.operands.iter().any(|operand| operand.ends_with(['*', 'A']) || operand.ends_with("@sc"));
    if recorded.answer == "-" && scalar && matches!(op.form, Form::Lines(_) | Form::Spectrum(_)) {
        count.not_ours += 1;
        return;
    }
    let cell = match what {
        What::Result => cell_of(system, op, &operands),
        What::Safe => match cell_of(system, op, &operands) {
            Cell { mode: Some(Mode::All), .. } => Cell::REFUSED,
            cell => cell,
        },
        What::Update => update_of(system, op, &operands),
    };
    let ours = show(system, cell);
    let ordered = [
        Class::Ordering,
        Class::Extremum,
        Class::Search,
        Class::Quantile,
        Class::Interpolation,
        Class::Histogram,
        Class::Rank,
    ];
    if complex && recorded.answer != ours && ordered.contains(&op.class) && ours == "-" {
        count.refuses += 1;
        return;
    }
    count.compared += 1;
    if ours == recorded.answer {
        count.equal += 1;
    } else if let Some(rule) = rules::explain(system, op, &recorded.operands) {
        *count.rules.entry(rule).or_default() += 1;
    } else {
        let call = recorded.operands.join(", ");
        count.unexplained.push(format!("{}({call}) = {} but {ours}", op.name, recorded.answer));
    }
}

fn print(title: &str, count: &Count) -> bool {
    let by_rule: usize = count.rules.values().sum();
    let Count { compared, equal, no_kernel, refuses, not_ours, .. } = count;
    println!("{title:<18}{compared:>8}{equal:>8}{no_kernel:>10}{refuses:>12}{not_ours:>9}{by_rule:>8}");
    for (rule, cells) in &count.rules {
        println!("    {cells:>4}  {rule}");
    }
    for line in count.unexplained.iter().take(40) {
        println!("    {title}: {line}");
    }
    if count.unexplained.len() > 40 {
        println!("    {title}: and {} more", count.unexplained.len() - 40);
    }
    *compared > 0 && count.unexplained.is_empty() && by_rule * 200 <= *compared
}

const HEADING: &str = "                  compared   equal no-kernel arr-refuses not-ours by-rule";

/// The cells of a file that the map has spellings for.
fn count(what: What, system: &'static System, file: &str, spellings: &HashMap<String, Spelling>) -> Count {
    let cells = cells(file);
    let mut count = Count::default();
    for op in ops::all().filter(|op| op.operand_count() > 0) {
        let Some(Ok(spelling)) = spellings.get(op.name) else { continue };
        for recorded in cells.get(spelling).into_iter().flatten() {
            // What a product of matrices makes of a scalar is a matter of shapes.
            if matches!(op.form, Form::Matrices(_)) && rules::scalars(&recorded.operands) {
                count.not_ours += 1;
                continue;
            }
            compare(what, system, op, recorded, &mut count);
        }
    }
    count
}

#[test]
fn every_recorded_cell_is_reproduced_or_falls_under_a_rule() {
    let map = map();
    let mut good = rules::ALL.len() <= 30;
    println!("{HEADING}");
    for &system in systems::ALL.iter() {
        let Some(spellings) = map.get(system.name) else { continue };
        good &= print(system.name, &count(What::Result, system, &format!("{}.txt", system.name), spellings));
        if system.name == "tf-numpy" {
            good &= print("tf-numpy, safe", &count(What::Safe, system, "tf-numpy-safe.txt", spellings));
        }
    }
    assert!(good);
}

#[test]
fn updates_in_place_are_allowed_where_the_libraries_allow_them() {
    let cells = cells("inplace.txt");
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for (name, recorded) in &cells {
        let (system, op) = name.split_once(':').expect("a system and an operation");
        let (system, op) = (systems::find(system).expect("a system"), ops::find(op).expect("an operation"));
        for recorded in recorded {
            compare(What::Update, system, op, recorded, counts.entry(system.name).or_default());
        }
    }
    println!("{HEADING}");
    assert!(counts.iter().fold(true, |good, (name, count)| print(&format!("{name}, op="), count) && good));
}

#[test]
fn the_map_speaks_of_every_operation_in_every_system() {
    for (system, spellings) in map() {
        let cells = cells(&format!("{system}.txt"));
        // What is written in the language has the cells of what it is written in; grids and copies promote nothing.
        let promotes = |op: &&Op| {
            let copies = matches!(op.form, Form::Layout(Rearrangement::Arrange(_)));
            op.operand_count() > 0 && !copies && !matches!(op.form, Form::Written(_) | Form::Question(_))
        };
        for op in ops::all().filter(promotes) {
            match spellings.get(op.name) {
                Some(Ok(spelling)) => assert!(cells.contains_key(spelling), "{system}: no cells of {spelling}"),
                Some(Err(reason)) => assert!(!reason.is_empty(), "{system}: {} has no reason", op.name),
                None => panic!("{system}: the map does not speak of {}", op.name),
            }
        }
    }
}
