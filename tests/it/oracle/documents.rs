//! The tables that the documents print, and what the modes make of them.

use super::{cells, read};
use arrlang::ops;
use arrlang::promotion::explain::{self, Verdict};
use arrlang::promotion::grid::{Grid, GridType};
use arrlang::promotion::join::{Join, Scalars};
use arrlang::promotion::systems::{
    self, InPlace, OperationRules, StorageTypes, System, SystemChecks, SystemPage, WeakRules, WidthRules,
};
use arrlang::promotion::table::{Cell, Table, cell, update_of};
use arrlang::promotion::verdict::{self, Effect, Mode};
use arrlang::promotion::{Class, Operand, Rule, laws};
use arrlang::types::{DType, Elem};
use std::sync::LazyLock;

/// The tables, each with the system and the operation that it is of. An update is `add=`.
const TABLES: &[(&str, &str, &str)] = &[
    ("rfc_proposed_add", "rfc", "add"),
    ("rfc_proposed_truediv_struck", "rfc", "divide"),
    ("rfc_proposed_assign_add", "rfc", "add="),
    ("rfc_deprecated_mode1_implicit_f64", "rfc-draft-1", "add"),
    ("rfc_deprecated_mode2_implicit_nof64", "rfc-draft-2", "add"),
    ("rfc_deprecated_mode3_noimplicit_f64", "rfc-draft-3", "add"),
    ("rfc_deprecated_mode4_noimplicit_nof64", "rfc-draft-4", "add"),
    ("rfc_current_add", "tf", "add"),
    ("rfc_current_assign_add", "tf", "add="),
    ("jep_numpy", "numpy", "add"),
    ("jep_tensorflow", "tf", "add"),
    ("jep_pytorch", "torch", "add"),
    ("jep_jax_numpy", "jax", "add"),
    ("jep_jax_lax", "jax-lax", "add"),
    ("joins_lattice_jax_final", "jax", "where"),
    ("joins_lattice_option0", "jep-0", "where"),
    ("joins_lattice_option1", "jep-1", "where"),
    ("joins_lattice_option2", "jep-2", "where"),
    ("joins_lattice_option3", "jep-3", "where"),
    ("joins_lattice_option3_bf16", "jep-3-bf16", "where"),
];

/// Where the documents are of another time than the libraries, and why.
fn outdated(table: &str, left: &str, right: &str) -> Option<&'static str> {
    let either = |names: &[&str]| names.contains(&left) || names.contains(&right);
    match table {
        "jep_numpy" if either(&["bf16"]) => Some("the proposal's NumPy has no bfloat16"),
        "jep_pytorch" if either(&["u16", "u32", "u64"]) => Some("the proposal's PyTorch has no u16, u32 and u64"),
        "jep_tensorflow" if left.ends_with('*') => {
            Some("that table is of tf.add, to which a literal on the left is a tensor")
        }
        "jep_pytorch" if left == right && left.ends_with('*') => Some("two literals are Python's numbers there"),
        _ => None,
    }
}

fn ours(system: &'static System, op: &str, operands: [Elem; 2]) -> Cell {
    match op.strip_suffix('=') {
        Some(op) => {
            let op = ops::find(op).expect("an operation");
            update_of(system, op, &operands.map(Operand::array))
        }
        None => cell(system, ops::find(op).expect("an operation"), &operands),
    }
}

#[test]
fn the_tables_of_the_documents_are_reproduced() {
    let cells = cells("seed.txt");
    let mut wrong = Vec::new();
    for &(table, name, op) in TABLES {
        let system = systems::find(name).expect("a system");
        let (mut equal, mut outside) = (0, 0);
        for recorded in &cells[table] {
            let [left, right] = &recorded.operands[..] else { panic!("{table}: two operands") };
            let operands = [left, right].map(|name| name.parse::<Elem>().expect("a type"));
            let ours = ours(system, op, operands);
            let plain = recorded.answer.trim_end_matches(['!', '=']);
            let same = match (plain.parse::<Elem>(), ours.result) {
                (Err(()), result) => plain == "-" && result.is_none(),
                // Some documents print weak results as such, others as the dtype that they have by default.
                (Ok(theirs), Some(result)) => theirs == result || theirs == system.harden(result).into(),
                (Ok(_), None) => false,
            };
            let mode = match recorded.answer.strip_prefix(plain) {
                _ if !name.starts_with("rfc") || name.len() > 3 || plain == "-" => ours.mode,
                Some("=") => Some(Mode::None),
                Some("!") => Some(Mode::All),
                _ => Some(Mode::Safe),
            };
            match (same && mode == ours.mode, outdated(table, left, right)) {
                (true, _) => equal += 1,
                (false, Some(_)) => outside += 1,
                (false, None) => wrong.push(format!("{table} {left} {right}: {} but {ours:?}", recorded.answer)),
            }
        }
        println!("{table:<40}{equal:>5} equal{outside:>5} of another time");
    }
    assert!(wrong.is_empty(), "{} cells:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn tables_with_names_of_their_own_are_reproduced() {
    for (table, name) in [("seed002_symmetric", "clr"), ("tf_flexible_dtypes", "tf-numpy")] {
        let grid = systems::find(name).and_then(System::grid).expect("a table");
        let number = |name: &str| grid.names().iter().position(|it| it == name);
        for recorded in &cells("seed.txt")[table] {
            let [row, column] = [0, 1].map(|at| number(&recorded.operands[at]).expect("a name"));
            let answer = grid.cell(row, column).map_or("-", |at| grid.names()[at].as_str());
            assert_eq!(answer, recorded.answer.trim_end_matches('!'), "{table} {:?}", recorded.operands);
        }
    }
}

/// The rule of mode `safe` is computed; two documents coloured every pair by hand, and they agree.
#[test]
fn safe_agrees_with_every_coloured_pair_of_dtypes() {
    for (table, name) in [("rfc_proposed_add", "rfc"), ("tf_flexible_dtypes", "tf-numpy")] {
        let system = systems::find(name).expect("a system");
        let mut pairs = 0;
        for recorded in &cells("seed.txt")[table] {
            let dtypes: Vec<DType> = recorded.operands.iter().filter_map(|name| name.parse().ok()).collect();
            let [left, right] = dtypes[..] else { continue };
            let operands = [left, right].map(Elem::Strong);
            let joined = system.join(&operands.map(Operand::array)).expect("every pair has one");
            let effects = verdict::effects(&operands, joined.elem, |elem| system.harden(elem));
            let safe = verdict::strictest(&effects) >= Mode::Safe;
            assert_eq!(safe, !recorded.answer.ends_with('!'), "{table}: {left} {right}");
            pairs += 1;
        }
        assert_eq!(pairs, 225);
        println!("{table}: {pairs} pairs agree");
    }
}

#[test]
fn effects_are_what_the_dtypes_parameters_say() {
    let (mut system, mut pairs) = (systems::default(), 0);
    for line in read("flags.txt").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let [left, right, result, flags] = words[..] else {
            system = systems::find(words[1]).expect("a system");
            continue;
        };
        let operands = [left, right].map(|name| name.parse::<Elem>().expect("a dtype"));
        let ours = cell(system, ops::find("add").expect("a row"), &operands);
        let joined = system.join(&operands.map(Operand::array));
        let Ok(GridType { elem: joined, .. }) = joined else {
            assert_eq!((ours.result, flags), (None, "undefined"), "{} {left} {right}", system.name);
            continue;
        };
        let operands = operands.map(|elem| system.storage_type(elem));
        let effects = verdict::effects(&operands, joined, |elem| system.harden(elem));
        let has = |name: &str| flags.split(';').any(|flag| flag.starts_with(name));
        let of = |test: fn(&Effect) -> bool| effects.iter().any(test);
        let context = format!("{} {left} {right} {result}: {effects:?}", system.name);
        assert_eq!(has("precision_loss"), of(|it| matches!(it, Effect::PrecisionLoss { .. })), "{context}");
        assert_eq!(has("range_loss"), of(|it| matches!(it, Effect::RangeLoss { .. })), "{context}");
        assert_eq!(has("widening"), of(|it| *it == Effect::Widening), "{context}");
        pairs += 1;
    }
    println!("{pairs} pairs agree");
}

/// A new system is a table in a file and a row; literals go by kind where the table does not have them.
#[test]
fn a_system_is_added_by_a_table_and_a_row() {
    static MADE_UP: System = System {
        name: "made-up",
        about: SystemPage {
            summary: "the higher kind wins, then the greater width, then the sign",
            source: "nothing",
            differs: &["u64 with i64 is i64."],
            current: false,
        },
        join: Join::Table(LazyLock::new(|| {
            let defaults = [DType::I64, DType::F64, DType::C128];
            Grid::parse(include_str!("../../oracle/made-up.txt"), defaults).expect("a table")
        })),
        weak: WeakRules { scalars: Scalars::AsArrays, literals: false, results: false },
        widths: WidthRules { defaults: [DType::I64, DType::F64, DType::C128], is_option: true, narrow: false },
        rules: OperationRules { of_class: numpy_rule, exceptions: &[], in_place: InPlace::Exact },
        checks: SystemChecks { inexact: true, outside_laws: "", tensors: false },
        storage: StorageTypes::NOTHING,
    };
    fn numpy_rule(class: Class) -> Rule {
        (systems::find("numpy").expect("a system").rules.of_class)(class)
    }
    let result = |left: &str, right: &str| {
        let operands = [left, right].map(|name| name.parse::<Elem>().expect("a type"));
        explain::promote(&MADE_UP, Class::Arithmetic, &operands).shown()
    };
    assert_eq!(
        ["u64 i64", "u8 f16", "u8 i*", "u8 f*", "f32 c*"].map(|pair| {
            let (left, right) = pair.split_once(' ').expect("two");
            result(left, right)
        }),
        ["i64", "f16", "u8", "f64", "c64"]
    );
    assert!(laws::check(&MADE_UP).holds());
    assert_eq!(Table::of(&MADE_UP, "+", Class::Arithmetic, 2).csv().lines().count(), 401);
}

/// The answers of `arr promote` and the checker go by the same levels.
#[test]
fn explanations_have_the_levels_of_the_findings() {
    use arrlang::diagnostic::{Level, codes::dtypes};
    let findings = [
        (explain::finding(Effect::Implicit), &dtypes::IMPLICIT_PROMOTION),
        (explain::finding(Effect::PrecisionLoss { operand: 0 }), &dtypes::PRECISION_LOSS),
        (explain::finding(Effect::RangeLoss { operand: 0 }), &dtypes::RANGE_LOSS),
        (explain::finding(Effect::Widening), &dtypes::WIDENING),
        (explain::finding(Effect::KindChange), &dtypes::KIND_CHANGE),
        (explain::INEXACT, &dtypes::INEXACT_CONVERSION),
    ];
    for (finding, row) in findings {
        let levels = finding.verdicts.map(|verdict| match verdict {
            Verdict::Allowed => Level::Allow,
            Verdict::Warned => Level::Warn,
            Verdict::Refused => Level::Deny,
        });
        assert_eq!((finding.name, levels), (row.name, row.levels));
    }
}

#[test]
fn the_laws_hold_or_fail_as_often_as_they_should() {
    for (name, failures, triples) in
        [("jax", 0, 8000), ("numpy", 28, 2744), ("tf-numpy", 0, 8000), ("rfc", 40, 3375), ("clr", 64, 3375)]
    {
        let report = laws::check(systems::find(name).expect("a system"));
        assert_eq!((report.ungrouped.len(), report.triples), (failures, triples), "{name}");
    }
}
