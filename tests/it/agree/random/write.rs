//! A statement, written from a list of choices.

use super::super::elementwise;
use arrlang::ops::{self, Form, Op, Role};
use arrlang::types::DType;
use std::fmt::Write;

/// A value that statements may use.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) dtype: DType,
    pub(super) shape: Vec<usize>,
}

impl Name {
    pub(super) fn new(text: &str, dtype: DType, shape: Vec<usize>) -> Name {
        Name { text: text.to_owned(), dtype, shape }
    }
}

/// Writes one statement.
pub(super) struct Writer<'a> {
    pub(super) names: Vec<Name>,
    /// Functions of earlier statements, which take one or two arguments.
    functions: &'a [String],
    choices: std::slice::Iter<'a, u16>,
    /// The number of the statement, which its names end in.
    pub(super) number: usize,
    /// The functions that it defines.
    pub(super) defined: Vec<String>,
}

const LITERALS: [&str; 14] =
    ["1", "2", "0", "-1", "3", "7", "0.5", "-2.5", "true", "1j", "255u8", "1e10", "-0.0", "64"];
const INFIX: [&str; 16] = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "<", "==", "and", "or"];

impl<'a> Writer<'a> {
    pub(super) fn new(names: &[Name], functions: &'a [String], choices: &'a [u16], number: usize) -> Writer<'a> {
        Writer { names: names.to_vec(), functions, choices: choices.iter(), number, defined: Vec::new() }
    }

    /// A number below a bound; 0 when all choices are used.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::from(*self.choices.next().unwrap_or(&0)) % bound
    }

    pub(super) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A value of an earlier statement, later ones more often.
    pub(super) fn name(&mut self) -> Name {
        let at = self.below(3 * self.names.len());
        let last = self.names.len() - 1;
        self.names[if at.is_multiple_of(3) { last } else { at % (last + 1) }].clone()
    }

    /// Such a value with an axis, if there is one.
    pub(super) fn array(&mut self) -> Name {
        let name = self.name();
        if !name.shape.is_empty() {
            return name;
        }
        self.names.iter().rev().find(|name| !name.shape.is_empty()).cloned().unwrap_or(name)
    }

    pub(super) fn dtype(&mut self) -> DType {
        self.one_of(&DType::ALL)
    }

    pub(super) fn infix(&mut self) -> &'static str {
        self.one_of(&INFIX)
    }

    pub(super) fn literal(&mut self) -> &'static str {
        self.one_of(&LITERALS)
    }

    /// An operand.
    pub(super) fn term(&mut self) -> String {
        match self.below(12) {
            9 => self.literal().to_owned(),
            10 => format!("{}({})", self.dtype(), self.name().text),
            11 => {
                let symbol = self.one_of(&["<", "!=", ">=", "+", "-"]);
                format!("({} {symbol} 0)", self.name().text)
            }
            _ => self.name().text,
        }
    }

    /// The lines of a statement that has at least one output.
    pub(super) fn statement(&mut self) -> String {
        let number = self.number;
        match self.below(27) {
            24..=26 => self.looped(),
            20 | 21 => self.function(),
            22 => self.variable(),
            23 => {
                let name = self.array();
                let dims: Vec<String> = (0..name.shape.len()).map(|axis| format!("d{number}_{axis}")).collect();
                let size = dims.first().cloned().unwrap_or_else(|| "1".to_owned());
                let dims = if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) };
                let term = self.term();
                format!("let t{number}: _{dims} = {}\noutput v{number} = {term} + {size} * t{number}\n", name.text)
            }
            _ => format!("output v{number} = {}\n", self.expression()),
        }
    }

    /// An expression of a few terms.
    pub(super) fn expression(&mut self) -> String {
        match self.below(28) {
            26 | 27 => self.chosen(),
            0 => format!("{}({})", self.dtype(), self.term()),
            1 => format!("saturate({}, {})", self.term(), self.dtype()),
            // Not of floats: the payload of a NaN is not specified.
            2 => {
                let dtype = self.dtype();
                format!("bitcast(i{}({}), {dtype})", 8 * dtype.size(), self.term())
            }
            3 => format!("where({} > {}, {}, {})", self.term(), self.term(), self.term(), self.term()),
            4 | 5 => self.operators(),
            6 => format!("{} < {} <= {}", self.term(), self.term(), self.term()),
            7..=9 => self.reduction(),
            10 => self.product(),
            11..=13 => {
                let name = self.array();
                format!("{}[{}]", name.text, self.index(&name))
            }
            14..=17 => self.layout(),
            18 => self.made(),
            19 => self.call_again(),
            _ => self.elementwise(),
        }
    }

    fn operators(&mut self) -> String {
        let (first, second) = (self.infix(), self.infix());
        format!("({} {first} {}) {second} {}", self.term(), self.term(), self.term())
    }

    /// A reduction or a scan, along axes that are there.
    fn reduction(&mut self) -> String {
        let combining = |op: &&Op| matches!(op.form, Form::Fold(_) | Form::Scan(_));
        let rows: Vec<&Op> = ops::all().filter(combining).collect();
        let op = self.one_of(&rows);
        let name = self.array();
        let operand = match self.below(4) {
            0 => format!("({} {} {})", name.text, self.infix(), self.literal()),
            _ => name.text.clone(),
        };
        let takes = |wanted: &str| op.params.iter().any(|param| param.name == wanted);
        let rank = name.shape.len();
        let mut args = operand;
        match self.below(4) {
            1 if rank > 0 => {
                let _ = write!(args, ", axis={}", self.below(rank));
            }
            2 if rank > 0 => args += ", axis=-1",
            3 if rank > 1 && op.params.iter().any(|param| param.role == Role::Axes) => args += ", axis=(0, -1)",
            _ => {}
        }
        if takes("keepdims") && self.below(3) == 1 {
            args += ", keepdims=true";
        }
        if takes("ddof") && self.below(3) == 1 {
            args += ", ddof=1";
        }
        format!("{}({args})", op.name)
    }

    /// A product of an array with itself and others of its shape, or a part of a matrix.
    fn product(&mut self) -> String {
        let name = self.array();
        let other = self.names.iter().rev().find(|other| other.shape == name.shape).unwrap_or(&name).text.clone();
        let (x, literal) = (name.text.clone(), self.literal());
        match (name.shape.len(), self.below(8)) {
            (2.., 0) => format!("{x} @ swapaxes({other}, -1, -2)"),
            (2.., 1) => format!("swapaxes({x}, -1, -2) @ ({other} + {literal})"),
            (2.., 2) => format!("einsum(\"...ij,...ij->...j\", {x}, {other})"),
            (2.., 3) => format!("tril({x}, k=1) + triu({other})"),
            (2.., 4) => format!("einsum(\"...ij,...kj->...ki\", {x}[::-1], {other} * {literal})"),
            (2.., 5) => format!("diagonal({x}, axis1=-1, axis2=0)"),
            (1, 0) => format!("{x} @ {other}"),
            (1, 1) => format!("({x}[:, None] * {literal}) @ {other}[None, :7]"),
            (_, 6) => format!("kron({x}[:3], {other}[:2])"),
            _ => format!("vecdot({x}, {other})"),
        }
    }

    /// A row that works element by element.
    fn elementwise(&mut self) -> String {
        // The sign of a NaN is not specified either.
        let taken = |op: &&Op| op.name != "copysign" && !matches!(op.form, Form::Layout(_));
        let rows: Vec<&Op> = elementwise().filter(taken).collect();
        let op = self.one_of(&rows);
        let args: Vec<String> = op
            .params
            .iter()
            .filter(|param| param.default.is_none())
            .map(|param| match param.role {
                Role::Number => "2".to_owned(),
                Role::Condition => format!("bool({})", self.term()),
                _ => self.term(),
            })
            .collect();
        format!("{}({})", op.name, args.join(", "))
    }

    /// A function of an earlier statement, with other arguments.
    fn call_again(&mut self) -> String {
        let functions = self.functions;
        if functions.is_empty() {
            return self.operators();
        }
        let function = &functions[self.below(functions.len())];
        match self.below(3) {
            0 => format!("{function}({}, {})", self.term(), self.term()),
            1 => format!("{}.{function}({})", self.name().text, self.term()),
            _ => format!("{function}({})", self.term()),
        }
    }
}
