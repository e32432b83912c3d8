//! The laws that make promotion predictable, with counterexamples in systems that break them.
//!
//! *Existence*: every two types have a common type. *Commutativity*: the order of two operands does not matter.
//! *Associativity*: nor does the grouping of three. A lattice keeps all of them by construction; tables need not:
//!
//! ```
//! use arrlang::promotion::{laws, systems};
//! let report = laws::check(systems::find("numpy").unwrap());
//! assert_eq!((report.ungrouped.len(), report.triples), (28, 2744));
//! assert!(report.ungrouped.iter().any(|it| it.to_string() == "(u8 + i8) + f16 = f32, u8 + (i8 + f16) = f16"));
//! ```

use super::systems::System;
use super::{Operand, grid::GridType};
use crate::types::Elem;
use serde_json::{Value, json};
use std::fmt;
use std::fmt::Write;

/// Names, and what any two of them are joined to.
#[derive(Clone, Debug)]
pub struct Joins {
    /// The names of the types.
    pub names: Vec<String>,
    /// The join of each pair, row by row, as an index of `names`.
    pub cells: Vec<Option<usize>>,
}

impl Joins {
    /// The join of two types by their numbers.
    pub fn join(&self, left: usize, right: usize) -> Option<usize> {
        self.cells[left * self.names.len() + right]
    }

    /// The types of a system for which it states laws: those of its document.
    pub fn of(system: &System) -> Joins {
        let all = match (system.grid(), system.lattice()) {
            (Some(grid), _) => {
                let size = grid.names().len();
                let cells = (0..size * size).map(|at| grid.cell(at / size, at % size)).collect();
                Joins { names: grid.names().to_vec(), cells }
            }
            (None, Some(lattice)) => Joins::over(Elem::all().filter(|&elem| lattice.contains(elem)), system),
            (None, None) => Joins::over(Elem::all(), system),
        };
        all.without(system.checks.outside_laws)
    }

    fn over(elems: impl Iterator<Item = Elem>, system: &System) -> Joins {
        let elems: Vec<Elem> = elems.collect();
        let join = |left: Elem, right: Elem| {
            let joined = system.join(&[Operand::array(left), Operand::array(right)]).ok()?;
            elems.iter().position(|&elem| GridType::from(elem) == joined)
        };
        let cells = elems.iter().flat_map(|&left| elems.iter().map(move |&right| (left, right)));
        let cells = cells.map(|(left, right)| join(left, right)).collect();
        Joins { names: elems.iter().map(|elem| elem.name().to_owned()).collect(), cells }
    }

    fn without(self, names: &str) -> Joins {
        let left_out = |name: &String| names.split_whitespace().any(|it| it == name);
        let kept: Vec<usize> = (0..self.names.len()).filter(|&at| !left_out(&self.names[at])).collect();
        let renumbered = |cell: usize| kept.iter().position(|&at| at == cell);
        let pairs = kept.iter().flat_map(|&row| kept.iter().map(move |&column| (row, column)));
        let cells = pairs.map(|(row, column)| self.join(row, column).and_then(renumbered)).collect();
        Joins { names: kept.iter().map(|&at| self.names[at].clone()).collect(), cells }
    }
}

/// Two types without a common one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingJoin {
    /// The types.
    pub pair: [String; 2],
}

/// Two types whose order matters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderMatters {
    /// The types.
    pub pair: [String; 2],
    /// What they are joined to as written, and the other way round.
    pub results: [Option<String>; 2],
}

/// Three types whose grouping matters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupedTypes {
    /// The types.
    pub triple: [String; 3],
    /// `(a + b) + c` and `a + (b + c)`.
    pub results: [Option<String>; 2],
}

fn shown(result: Option<&str>) -> &str {
    result.unwrap_or("nothing")
}

impl fmt::Display for MissingJoin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {} have no common type", self.pair[0], self.pair[1])
    }
}

impl fmt::Display for OrderMatters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.pair;
        write!(
            f,
            "{a} + {b} = {}, {b} + {a} = {}",
            shown(self.results[0].as_deref()),
            shown(self.results[1].as_deref())
        )
    }
}

impl fmt::Display for GroupedTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([a, b, c], [left, right]) = (&self.triple, &self.results);
        write!(f, "({a} + {b}) + {c} = {}, {a} + ({b} + {c}) = {}", shown(left.as_deref()), shown(right.as_deref()))
    }
}

/// What the laws say of a system.
#[derive(Clone, Debug)]
pub struct Report {
    /// The types that were tried.
    pub names: Vec<String>,
    /// How many ordered pairs.
    pub pairs: usize,
    /// How many ordered triples.
    pub triples: usize,
    /// Pairs without a common type.
    pub missing: Vec<MissingJoin>,
    /// Pairs whose order matters, each once.
    pub unordered: Vec<OrderMatters>,
    /// Triples whose grouping matters; those of which no grouping has an answer are left out.
    pub ungrouped: Vec<GroupedTypes>,
}

/// Tries all pairs and triples of a system.
pub fn check(system: &System) -> Report {
    check_joins(&Joins::of(system))
}

/// Tries all pairs and triples.
pub fn check_joins(joins: &Joins) -> Report {
    let size = joins.names.len();
    let name = |at: usize| joins.names[at].clone();
    let named = |at: Option<usize>| at.map(name);
    let mut report = Report {
        names: joins.names.clone(),
        pairs: size.pow(2),
        triples: size.pow(3),
        missing: Vec::new(),
        unordered: Vec::new(),
        ungrouped: Vec::new(),
    };
    for a in 0..size {
        for b in 0..size {
            let (left, right) = (joins.join(a, b), joins.join(b, a));
            if left.is_none() {
                report.missing.push(MissingJoin { pair: [name(a), name(b)] });
            }
            if a < b && left != right {
                report.unordered.push(OrderMatters { pair: [name(a), name(b)], results: [named(left), named(right)] });
            }
            for c in 0..size {
                let left = left.and_then(|ab| joins.join(ab, c));
                let right = joins.join(b, c).and_then(|bc| joins.join(a, bc));
                if left != right {
                    let triple = [name(a), name(b), name(c)];
                    report.ungrouped.push(GroupedTypes { triple, results: [named(left), named(right)] });
                }
            }
        }
    }
    report
}

impl Report {
    /// Whether every law holds.
    pub fn holds(&self) -> bool {
        self.missing.is_empty() && self.unordered.is_empty() && self.ungrouped.is_empty()
    }

    /// The report in words, with at most this many counterexamples of each law.
    pub fn text(&self, examples: usize) -> String {
        let mut text = format!("{} types: {}\n", self.names.len(), self.names.join(" "));
        let mut law = |title: &str, of: usize, what: &str, lines: Vec<String>| {
            let _ = writeln!(text, "{title}: {} of {of} {what}", if lines.is_empty() { 0 } else { lines.len() });
            for line in lines.iter().take(examples) {
                let _ = writeln!(text, "    {line}");
            }
            if lines.len() > examples {
                let _ = writeln!(text, "    and {} more", lines.len() - examples);
            }
        };
        let pairs = self.pairs;
        law("existence", pairs, "pairs have no common type", lines(&self.missing));
        law("commutativity", pairs, "pairs depend on their order", lines(&self.unordered));
        law("associativity", self.triples, "triples depend on their grouping", lines(&self.ungrouped));
        text
    }

    /// The report as JSON, with every counterexample.
    pub fn json(&self) -> Value {
        let missing: Vec<_> = self.missing.iter().map(|it| json!(it.pair)).collect();
        let unordered: Vec<_> =
            self.unordered.iter().map(|it| json!({ "operands": it.pair, "results": it.results })).collect();
        let ungrouped: Vec<_> =
            self.ungrouped.iter().map(|it| json!({ "operands": it.triple, "results": it.results })).collect();
        json!({
            "types": self.names,
            "holds": self.holds(),
            "existence": { "of": self.pairs, "count": missing.len(), "counterexamples": missing },
            "commutativity": { "of": self.pairs, "count": unordered.len(), "counterexamples": unordered },
            "associativity": { "of": self.triples, "count": ungrouped.len(), "counterexamples": ungrouped },
        })
    }
}

fn lines(items: &[impl fmt::Display]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promotion::systems;

    fn counts(name: &str) -> (usize, usize, usize) {
        let report = check(systems::find(name).expect("a system"));
        (report.ungrouped.len(), report.triples, report.missing.len())
    }

    #[test]
    fn systems_keep_or_break_the_laws_as_their_documents_say() {
        // Floats of one byte meet no other floats.
        assert_eq!(counts("jax"), (0, 8000, 30));
        assert_eq!(counts("numpy"), (28, 2744, 0));
        assert_eq!(counts("tf-numpy"), (0, 8000, 0));
        assert_eq!(counts("rfc"), (40, 3375, 0));
        assert_eq!(counts("clr"), (64, 3375, 0));
        assert!(counts("jep-0").2 > 0 && counts("jep-3").2 > 0);
    }

    #[test]
    fn order_matters_nowhere_but_between_literals_of_tensorflow() {
        for system in systems::ALL.iter() {
            let report = check(system);
            assert_eq!(report.unordered.is_empty(), system.name != "tf", "{}", system.name);
        }
    }
}
