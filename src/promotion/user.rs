//! A user's own lattice, read from a file, checked before it is used.
//!
//! ```
//! let text = r#"
//! name = "small"
//! like = "jax"
//! edges = ["bool -> i*", "i* -> i32", "i32 -> f*", "f* -> f32"]
//! defaults = { int = "i32", float = "f32" }
//! "#;
//! let system = arrlang::promotion::user::from_toml(text).unwrap();
//! assert_eq!(system.name, "small");
//! ```
//!
//! `like` names the system whose rules of operations it takes, `jax` unless it says another. What is wrong is answered
//! with places and counterexamples: names that are no types, cycles, pairs without a least common type.

use super::join::Join;
use super::lattice::Lattice;
use super::laws;
use super::systems::{self, System, SystemChecks, SystemPage, WidthRules};
use crate::types::{DType, Elem, Kind};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Something wrong with a user's file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The bytes of the file that it is about.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// A counterexample, or what to write instead.
    pub help: Option<String>,
}

impl Problem {
    fn new(span: Range<usize>, message: impl Into<String>) -> Problem {
        Problem { span, message: message.into(), help: None }
    }

    fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }
}

/// An edge and where it is written.
struct Edge {
    from: Elem,
    to: Elem,
    span: Range<usize>,
}

/// How many counterexamples of one sort are reported.
const EXAMPLES: usize = 5;

/// Reads a lattice and checks that it is one.
///
/// # Errors
/// Everything that is wrong with it, in the order of the file; at most five counterexamples of a sort.
pub fn from_toml(text: &str) -> Result<System, Vec<Problem>> {
    let table = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..text.len());
        vec![Problem::new(span, error.message().to_owned())]
    })?;
    let mut reader = SystemReader { text, problems: Vec::new() };
    let read = reader.read(&table);
    if reader.problems.is_empty() {
        reader.check(&read.edges);
    }
    reader.problems.sort_by_key(|problem| problem.span.start);
    match reader.problems.is_empty() {
        true => Ok(read.system()),
        false => Err(reader.problems),
    }
}

/// Whether a text is meant as a lattice, however much is wrong with it: a line gives it edges.
pub fn has_edges(text: &str) -> bool {
    text.lines().any(|line| {
        let rest = line.trim_start().strip_prefix("edges");
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    })
}

/// What the file says.
struct ReadSystem {
    name: String,
    summary: String,
    like: &'static System,
    /// The defaults that it states.
    defaults: [Option<DType>; 3],
    edges: Vec<Edge>,
}

/// The kinds that the default integer, float and complex number may have.
const DEFAULT_KINDS: [&[Kind]; 3] = [&[Kind::Signed, Kind::Unsigned], &[Kind::Float], &[Kind::Complex]];

impl ReadSystem {
    fn system(self) -> System {
        let lattice = Lattice::from_edges(self.edges.iter().map(|edge| (edge.from, edge.to)).collect());
        let like = self.like;
        let defaults = [0, 1, 2].map(|place| self.default_of(&lattice, place));
        System {
            // A system lives as long as the program; there are as many as the user names files.
            name: Box::leak(self.name.into_boxed_str()),
            about: SystemPage {
                summary: Box::leak(self.summary.into_boxed_str()),
                source: "a file of the user",
                differs: &["It is the user's own."],
                current: false,
            },
            join: Join::Own(lattice),
            widths: WidthRules { defaults, narrow: false, ..like.widths },
            checks: SystemChecks { outside_laws: "", ..like.checks },
            ..*like
        }
    }

    /// A default that the file does not state is that of the system it is like. If the lattice has literals of the kind
    /// but not that dtype, it is the widest dtype of the kind in the lattice.
    fn default_of(&self, lattice: &Lattice, place: usize) -> DType {
        let (usual, kinds) = (self.like.widths.defaults[place], DEFAULT_KINDS[place]);
        let has = |dtype: DType| lattice.contains(Elem::Strong(dtype));
        let is_usual = has(usual) || !lattice.contains(System::weak_of(kinds[0]));
        let own = DType::ALL.into_iter().filter(|&it| has(it) && kinds.contains(&it.kind()));
        // Of two floats of as many bits it is the one of the wider range.
        let widest = own.max_by_key(|dtype| (dtype.bits(), dtype.exponent_bits())).filter(|_| !is_usual);
        self.defaults[place].or(widest).unwrap_or(usual)
    }
}

fn no_edges(span: Range<usize>) -> Problem {
    Problem::new(span, "there are no edges").help("write `edges = [\"bool -> i*\", \"i* -> i8 u8\"]`")
}

struct SystemReader<'t> {
    text: &'t str,
    problems: Vec<Problem>,
}

impl SystemReader<'_> {
    fn read(&mut self, table: &Spanned<DeTable<'_>>) -> ReadSystem {
        let jax = systems::default();
        let mut read = ReadSystem {
            name: "file".to_owned(),
            summary: "a lattice of the user".to_owned(),
            like: jax,
            defaults: [None; 3],
            edges: Vec::new(),
        };
        let mut has_edges = false;
        for (key, value) in table.get_ref() {
            match key.get_ref().as_ref() {
                "name" => read.name = self.string(value).unwrap_or_default(),
                "summary" => read.summary = self.string(value).unwrap_or_default(),
                "like" => self.like(value, &mut read),
                "defaults" => self.defaults(value, &mut read.defaults),
                "edges" => {
                    has_edges = true;
                    self.edges(value, &mut read.edges);
                }
                other => {
                    let problem = Problem::new(key.span(), format!("`{other}` is nothing that a lattice has"));
                    self.problems.push(problem.help("there are `name`, `summary`, `like`, `edges` and `defaults`"));
                }
            }
        }
        if !has_edges {
            self.problems.push(no_edges(0..self.text.len().min(1)));
        }
        read
    }

    fn string(&mut self, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let DeValue::String(text) = value.get_ref() else {
            self.problems.push(Problem::new(value.span(), "a string is expected here"));
            return None;
        };
        if text.contains(char::is_control) {
            self.problems.push(Problem::new(value.span(), "control characters have no place in this text"));
            return None;
        }
        Some(text.clone().into_owned())
    }

    fn like(&mut self, value: &Spanned<DeValue<'_>>, read: &mut ReadSystem) {
        let Some(name) = self.string(value) else { return };
        match systems::find(&name) {
            Some(system) => read.like = system,
            None => {
                let names: Vec<&str> = systems::ALL.iter().map(|system| system.name).collect();
                let problem = Problem::new(value.span(), format!("there is no system `{name}`"));
                self.problems.push(problem.help(format!("there are {}", names.join(", "))));
            }
        }
    }

    fn defaults(&mut self, value: &Spanned<DeValue<'_>>, defaults: &mut [Option<DType>; 3]) {
        let DeValue::Table(table) = value.get_ref() else {
            self.problems
                .push(Problem::new(value.span(), "defaults are a table: `{ int = \"i64\", float = \"f64\" }`"));
            return;
        };
        for (key, value) in table {
            let place = match key.get_ref().as_ref() {
                "int" => 0,
                "float" => 1,
                "complex" => 2,
                other => {
                    let message = format!("`{other}` has no default; there are `int`, `float` and `complex`");
                    self.problems.push(Problem::new(key.span(), message));
                    continue;
                }
            };
            let Some(name) = self.string(value) else { continue };
            match name.parse::<DType>() {
                Ok(dtype) if DEFAULT_KINDS[place].contains(&dtype.kind()) => defaults[place] = Some(dtype),
                _ => self.problems.push(Problem::new(value.span(), format!("`{name}` is no dtype of that kind"))),
            }
        }
    }

    fn edges(&mut self, value: &Spanned<DeValue<'_>>, edges: &mut Vec<Edge>) {
        let DeValue::Array(lines) = value.get_ref() else {
            self.problems.push(Problem::new(value.span(), "edges are an array of strings: `[\"u8 -> u16 i16\"]`"));
            return;
        };
        if lines.is_empty() {
            self.problems.push(no_edges(value.span()));
        }
        for line in lines {
            let Some(text) = self.string(line) else { continue };
            let Some((from, to)) = text.split_once("->") else {
                let problem = Problem::new(line.span(), format!("`{text}` is no edge"));
                self.problems.push(problem.help("write `u8 -> u16 i16`: a type, an arrow, the types directly above"));
                continue;
            };
            let from = self.node(from.trim(), line.span());
            let targets: Vec<&str> = to.split_whitespace().collect();
            if targets.is_empty() {
                self.problems.push(Problem::new(line.span(), "nothing stands behind the arrow"));
            }
            for to in targets {
                let to = self.node(to, line.span());
                if let (Some(from), Some(to)) = (from, to) {
                    edges.push(Edge { from, to, span: line.span() });
                }
            }
        }
    }

    fn node(&mut self, name: &str, line: Range<usize>) -> Option<Elem> {
        let found = name.parse::<Elem>().ok();
        if found.is_none() {
            let at = self.text[line.clone()].find(name).filter(|_| !name.is_empty());
            let span = at.map_or(line.clone(), |at| line.start + at..line.start + at + name.len());
            let names: Vec<&str> = Elem::all().map(Elem::name).collect();
            let problem = Problem::new(span, format!("`{name}` is no dtype"));
            self.problems.push(problem.help(format!("there are {}", names.join(", "))));
        }
        found
    }

    /// Acyclicity, then existence; what has both is a lattice, but the other laws are tried all the same.
    fn check(&mut self, edges: &[Edge]) {
        let lattice = Lattice::from_edges(edges.iter().map(|edge| (edge.from, edge.to)).collect());
        for edge in edges.iter().filter(|edge| lattice.reaches(edge.to, edge.from)).take(1) {
            let way: Vec<&str> = lattice.path(edge.to, edge.from).iter().map(|elem| elem.name()).collect();
            let way = if edge.from == edge.to { edge.to.name().to_owned() } else { way.join(" → ") };
            let message = format!("{} is above itself", edge.from);
            self.problems.push(Problem::new(edge.span.clone(), message).help(format!("{} → {way}", edge.from)));
        }
        if !self.problems.is_empty() {
            return;
        }
        let nodes: Vec<Elem> = Elem::all().filter(|&elem| lattice.contains(elem)).collect();
        let mut missing = Vec::new();
        for (at, &left) in nodes.iter().enumerate() {
            missing
                .extend(nodes[at + 1..].iter().filter(|&&it| lattice.join([left, it]).is_none()).map(|&it| (left, it)));
        }
        for &(left, right) in missing.iter().take(EXAMPLES) {
            let above: Vec<Elem> =
                nodes.iter().copied().filter(|&it| lattice.reaches(left, it) && lattice.reaches(right, it)).collect();
            let lowest = |&it: &Elem| !above.iter().any(|&other| other != it && lattice.reaches(other, it));
            let lowest: Vec<&str> = above.iter().filter(|it| lowest(it)).map(|elem| elem.name()).collect();
            let help = match lowest.is_empty() {
                true => "no type is above both".to_owned(),
                false => format!("{} are above both, and none of them is the lowest", lowest.join(" and ")),
            };
            let touches = |edge: &&Edge| [left, right].iter().any(|it| edge.from == *it || edge.to == *it);
            let span = edges.iter().rfind(touches).map_or(0..0, |edge| edge.span.clone());
            let message = format!("{left} and {right} have no common type");
            self.problems.push(Problem::new(span, message).help(help));
        }
        if missing.len() > EXAMPLES {
            let span = edges.last().map_or(0..0, |edge| edge.span.clone());
            let more = format!("and {} more pairs have no common type", missing.len() - EXAMPLES);
            self.problems.push(Problem::new(span, more));
        }
        if missing.is_empty() {
            self.laws(&lattice, &nodes, edges);
        }
    }

    fn laws(&mut self, lattice: &Lattice, nodes: &[Elem], edges: &[Edge]) {
        let number = |elem: Option<Elem>| nodes.iter().position(|&it| Some(it) == elem);
        let pairs = nodes.iter().flat_map(|&left| nodes.iter().map(move |&right| [left, right]));
        let joins = laws::Joins {
            names: nodes.iter().map(|elem| elem.name().to_owned()).collect(),
            cells: pairs.map(|pair| number(lattice.join(pair))).collect(),
        };
        let report = laws::check_joins(&joins);
        let broken: Vec<String> = report
            .unordered
            .iter()
            .map(ToString::to_string)
            .chain(report.ungrouped.iter().map(ToString::to_string))
            .collect();
        for line in broken.into_iter().take(EXAMPLES) {
            let span = edges.first().map_or(0..0, |edge| edge.span.clone());
            self.problems.push(Problem::new(span, "the order of operands matters").help(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<(String, String)> {
        let problems = from_toml(text).expect_err("a bad lattice");
        problems.into_iter().map(|it| (text[it.span].to_owned(), it.message)).collect()
    }

    #[test]
    fn a_pair_without_a_common_type_is_shown() {
        let text = "edges = [\"i8 -> i16\", \"u8 -> u16\"]";
        let first = &problems(text)[0];
        assert_eq!(first.1, "u8 and i8 have no common type");
    }

    #[test]
    fn two_lowest_types_above_a_pair_are_named() {
        let text = "edges = [\"u8 -> i16 f16\", \"i8 -> i16 f16\", \"i16 -> f32\", \"f16 -> f32\"]";
        let problem = &from_toml(text).expect_err("no lattice")[0];
        assert_eq!(problem.message, "u8 and i8 have no common type");
        assert_eq!(problem.help.as_deref(), Some("i16 and f16 are above both, and none of them is the lowest"));
    }

    #[test]
    fn a_cycle_is_shown_at_its_edge() {
        let found = problems("edges = [\"i8 -> i16\", \"i16 -> i8\"]");
        assert_eq!(found, [("\"i8 -> i16\"".to_owned(), "i8 is above itself".to_owned())]);
    }

    #[test]
    fn names_keys_and_text_that_are_wrong_have_places() {
        assert_eq!(problems("edges = [\"i8 -> i15\"]")[0].0, "i15");
        assert!(problems("egdes = []").iter().any(|it| it.0 == "egdes"));
        assert!(from_toml("edges = [").is_err());
        assert_eq!(problems("edges = []"), [("[]".to_owned(), "there are no edges".to_owned())]);
    }

    #[test]
    fn defaults_are_in_the_lattice_unless_the_file_states_others() {
        let edges = "edges = [\"bool -> i*\", \"i* -> u8\", \"u8 -> f*\", \"f* -> f16\", \"f16 -> f32\"]\n";
        let defaults = |more: &str| from_toml(&format!("{edges}{more}")).expect("a lattice").widths.defaults;
        assert_eq!(defaults("")[..2], [DType::U8, DType::F32]);
        let halves = "edges = [\"f* -> f16 bf16\", \"f16 -> c64\", \"bf16 -> c64\"]";
        assert_eq!(from_toml(halves).expect("a lattice").widths.defaults[1], DType::Bf16);
        let stated = "defaults = { float = \"f16\" }\nlike = \"numpy\"\n";
        assert_eq!(defaults(stated)[..2], [DType::U8, DType::F16]);
    }
}
