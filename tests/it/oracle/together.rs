//! Operands of one call are joined together: in every order the answer is one, and it is that of the libraries.

use super::read;
use arrlang::promotion::join::Join;
use arrlang::promotion::systems::{self, System};
use arrlang::promotion::{Class, Operand, result};
use arrlang::types::Elem;
use std::collections::BTreeMap;

type Triple = [Elem; 3];

/// The six orders of three operands.
fn orders([a, b, c]: Triple) -> [Triple; 6] {
    [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]]
}

/// What a system makes of operands; `-` for a refusal.
fn of(system: &System, class: Class, operands: &[Elem]) -> String {
    let operands: Vec<Operand> = operands.iter().map(|&elem| Operand::array(elem)).collect();
    let decision = result(system, class, &operands);
    decision.map_or("-".to_owned(), |decision| system.harden(decision.result).name().to_owned())
}

/// What NumPy answers, with slashes between the answers that it gives in different orders.
fn recorded() -> BTreeMap<Triple, String> {
    let text = read("together.txt");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let elem = |name: &str| name.parse::<Elem>().expect("a type");
    let all: Vec<Elem> = lines.next().expect("a line of names").split(' ').map(elem).collect();
    let mut recorded = BTreeMap::new();
    for line in lines {
        let (pair, cells) = line.split_once(": ").expect("two operands and cells");
        let (first, second) = pair.split_once(' ').expect("two operands");
        let (first, second) = (elem(first), elem(second));
        let thirds = all.iter().skip_while(|&&third| third != second);
        recorded.extend(thirds.zip(cells.split(' ')).map(|(&third, cell)| ([first, second, third], cell.to_owned())));
    }
    recorded
}

#[test]
fn e30_three_operands_meet_as_in_numpy_in_every_order() {
    let system = systems::find("numpy").expect("a system");
    let recorded = recorded();
    assert_eq!(recorded.len(), 18 * 19 * 20 / 6);
    let mut wrong = Vec::new();
    // Of a Python number beside bfloat16 and a third operand NumPy makes an array of its default dtype; here it stays a
    // literal.
    let named = |triple: &Triple, name: &str| triple.iter().any(|elem| elem.name() == name);
    let literal = |triple: &Triple| named(triple, "bf16") && triple.iter().any(|elem| elem.is_weak());
    for (triple, cell) in recorded.iter().filter(|(triple, _)| !literal(triple)) {
        for operands in orders(*triple) {
            let ours = of(system, Class::Selection, &operands);
            let first = of(system, Class::Selection, triple);
            if ours != first || !cell.split('/').any(|theirs| theirs == ours) {
                wrong.push(format!("{operands:?}: {cell} but {ours}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong, the first {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

#[test]
fn e30_arithmetic_of_three_operands_meets_as_in_numpy() {
    let system = systems::find("numpy").expect("a system");
    let known = |elem: &Elem| elem.name() != "bf16";
    for (triple, cell) in recorded().iter().filter(|(triple, _)| triple.iter().all(known)) {
        for operands in orders(*triple) {
            for class in [Class::Arithmetic, Class::Extremum] {
                assert_eq!(of(system, class, &operands), *cell, "{class:?} {operands:?}");
            }
        }
    }
}

#[test]
fn e30_in_no_system_does_the_order_of_operands_change_the_dtype() {
    let elems: Vec<Elem> = Elem::all().collect();
    for &system in systems::ALL.iter() {
        let strong_only = matches!(system.join, Join::Chain(_));
        for (at, &a) in elems.iter().enumerate() {
            for (place, &b) in elems.iter().enumerate().skip(at) {
                for &c in &elems[place..] {
                    let answers = orders([a, b, c]).map(|operands| of(system, Class::Selection, &operands));
                    // Between literals alone TensorFlow lets the first decide, and a chain refuses what it meets first.
                    let literals = [a, b, c].iter().all(|elem| elem.is_weak());
                    let refusals = strong_only || literals && system.name.starts_with("tf");
                    let mut given: Vec<&String> = answers.iter().filter(|answer| *answer != "-").collect();
                    let refused = given.len() < answers.len();
                    given.dedup();
                    assert!(given.len() <= 1, "{}: {a} {b} {c}: {answers:?}", system.name);
                    assert!(given.is_empty() || !refused || refusals, "{}: {a} {b} {c}: {answers:?}", system.name);
                }
            }
        }
    }
}

#[test]
fn e30_a_lattice_joins_together_what_it_joins_in_pairs() {
    for name in ["jax", "jax32"] {
        let system = systems::find(name).expect("a system");
        for a in Elem::all() {
            for b in Elem::all() {
                for c in Elem::all() {
                    let pair = |x: Elem, y: Elem| {
                        let operands = [x, y].map(|elem| Operand { constant: false, ..Operand::array(elem) });
                        let decision = result(system, Class::Selection, &operands).ok()?;
                        Some(if decision.weak { System::weak_of(decision.result.kind()) } else { decision.result })
                    };
                    let paired = pair(a, b).and_then(|both| pair(both, c)).map(|joined| system.harden(joined));
                    let paired = paired.map_or("-", |dtype| dtype.name());
                    assert_eq!(of(system, Class::Selection, &[a, b, c]), paired, "{name}: {a} {b} {c}");
                }
            }
        }
    }
}

#[test]
fn e30_torch_promotes_from_left_to_right() {
    let system = systems::find("torch").expect("a system");
    let strong: Vec<Elem> = Elem::all().filter(|elem| !elem.is_weak()).collect();
    for &a in &strong {
        for &b in &strong {
            for &c in &strong {
                let pair = of(system, Class::Selection, &[a, b]);
                let chained = match pair.parse::<Elem>() {
                    Ok(pair) => of(system, Class::Selection, &[pair, c]),
                    Err(()) => "-".to_owned(),
                };
                assert_eq!(of(system, Class::Selection, &[a, b, c]), chained, "{a} {b} {c}");
            }
        }
    }
}
