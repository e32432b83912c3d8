//! Lengths that a script uses as numbers.
//!
//! A sum of ones stands for a length. No array has fewer than 0 elements, so no such sum can stand for the number
//! `n - 3`, which may be below 0. This number is computed from lengths of arrays instead.
//!
//! ```text
//! %2 = broadcast %1       : i64[n-3]        %2 = broadcast %1       : i64[n]
//! %3 = sum %2 axes=0      : i64             %3 = sum %2 axes=0      : i64
//!                                           %5 = add %3 %4          : i64      with %4 = -3
//! ```

use super::counters::CounterSlices;
use super::number_writer::NumberWriter;
use super::started::StartedFold;
use super::unmade::UnmadeLengths;
use crate::ir::{Fold, Node, NodeId, NodeKind, Program, View};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::types::Dim;
use crate::types::affine::Affine;
use std::sync::Arc;

/// A program whose sums of ones are lengths of arrays for all inputs, and whose kernels hold no lengths as constants.
pub(super) struct CountedProgram {
    pub(super) program: Program,
    /// What must hold although perhaps no array is made with it: of arrays of which only the length is read, as in
    /// `len(x[3:]) + 1`, and of exponents of integers.
    pub(super) unmade: UnmadeLengths,
    /// Folds that may be of nothing, for what they give meets a value.
    pub(super) started: Vec<NodeId>,
}

impl CountedProgram {
    /// The program with other sums in place of those that may be below 0, with numbers in place of counters at places
    /// that lengths decide, and without copies of elements before a value that their fold starts with.
    pub(super) fn new(program: &Program) -> CountedProgram {
        let needed = program.needed_nodes();
        let counts = program.nodes.iter().zip(&needed).filter(|(_, needed)| **needed);
        let forms: Vec<Affine> = counts.filter_map(|(node, _)| counted_length(program, node)).collect();
        let mut unmade = UnmadeLengths::of(program);
        unmade.lengths.extend(exponents(program, &needed));
        let starts = || program.nodes.iter().any(|node| StartedFold::of(program, node).is_some());
        let counters = || program.nodes.iter().any(|node| CounterSlices::fixed_places(program, node).is_some());
        if forms.iter().all(is_length) && !starts() && !counters() {
            return CountedProgram { program: program.clone(), unmade, started: Vec::new() };
        }
        let (mut started, mut alone) = (Vec::new(), Vec::new());
        let mut writer = NumberWriter::default();
        let mut places: Vec<NodeId> = Vec::with_capacity(program.nodes.len());
        for (node, &is_needed) in program.nodes.iter().zip(&needed) {
            if is_needed && let Some(placed) = CounterSlices::fixed_places(program, node) {
                let mut slices = CounterSlices { program, places: &places, writer: &mut writer, unmade: &mut unmade };
                let place = slices.write(node, &placed);
                places.push(place);
                continue;
            }
            let start = StartedFold::of(program, node);
            let elements = start.as_ref().map(|of| of.elements);
            let mut own = node.clone();
            if let (NodeKind::Fold { arg, .. }, Some(elements)) = (&mut own.kind, elements) {
                *arg = elements;
            }
            own.kind.each_operand(|operand| *operand = places[operand.index()]);
            let place = match (counted_length(program, node).filter(|form| !is_length(form)), start) {
                (Some(form), _) => writer.number(&form),
                (None, Some(of)) => {
                    let values = of.values.iter().map(|value| places[value.index()]);
                    let fold = writer.add(own);
                    started.push(fold);
                    values.fold(fold, |met, value| writer.meeting(of.prim, met, value))
                }
                (None, None) => writer.add(own),
            };
            if matches!(node.kind, NodeKind::Fold { .. }) {
                alone.push(place);
            }
            places.push(place);
        }
        // What another fold gives is of something.
        started.retain(|fold| !alone.contains(fold));
        let mut program = Program { nodes: Arc::new(writer.nodes), read: Vec::new(), ..program.clone() };
        program.outputs.iter_mut().for_each(|output| output.node = places[output.node.index()]);
        for check in &mut program.checks {
            check.node = places[check.node.index()];
            check.fault.nodes().iter_mut().for_each(|node| *node = places[node.index()]);
        }
        CountedProgram { program, unmade, started }
    }
}

/// The length that a node stands for, if it is a sum of ones.
pub(super) fn counted_length(program: &Program, node: &Node) -> Option<Affine> {
    let NodeKind::Fold { fold: Fold::Sum, arg, keep: false, .. } = node.kind else { return None };
    let ones = program.node(arg);
    match ones.shape.as_slice() {
        [Dim::Affine(form)] if is_ones(program, ones) => Some((**form).clone()),
        _ => None,
    }
}

/// Whether a node repeats the integer 1.
fn is_ones(program: &Program, node: &Node) -> bool {
    let NodeKind::View { arg, view: View::Broadcast } = node.kind else { return false };
    program.node(arg).kind == NodeKind::Const(Scalar::of(1i64))
}

/// Whether a form is never below 0, and neither is any of its terms.
fn is_length(form: &Affine) -> bool {
    form.constant >= 0 && form.terms.iter().all(|(_, times)| *times > 0) && form.is_never_negative()
}

/// The exponents of integers that are lengths, and below 0 for some inputs. Such a power is no integer.
fn exponents(program: &Program, needed: &[bool]) -> Vec<Dim> {
    let mut found = Vec::new();
    for (node, _) in program.nodes.iter().zip(needed).filter(|(_, needed)| **needed) {
        let NodeKind::Map(Prim::Pow, [_, Some(exponent), _]) = node.kind else { continue };
        let mut number = program.node(exponent);
        while let NodeKind::Map(Prim::Convert, [Some(from), ..]) = number.kind {
            number = program.node(from);
        }
        let form = counted_length(program, number).filter(|form| node.dtype.is_integer() && !is_length(form));
        found.extend(form.map(|form| Dim::Affine(Box::new(form))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::CountedProgram;
    use crate::ir::build::ProgramBuilder;
    use crate::ir::{Fold, NodeKind, Program, ProgramOutput};
    use crate::scalar::Scalar;
    use crate::source::Span;
    use crate::types::{DType, Dim};

    /// The largest of elements and a value, and those of the elements alone if they are asked for.
    fn largest(alone: bool) -> Program {
        let mut b = ProgramBuilder::default();
        let x = b.input("x", Span::default(), DType::F64, vec![Dim::name("n")]);
        let value = b.constant(Scalar::of(0.5));
        let last = b.broadcast(value, &vec![Dim::Const(1)]);
        let all = b.concat(&[x, last], 0);
        let mut nodes = vec![b.fold(Fold::Max, all, &[0])];
        if alone {
            nodes.push(b.fold(Fold::Max, x, &[0]));
        }
        for node in nodes {
            b.output(ProgramOutput { name: None, node, span: Span::default(), weak: false });
        }
        b.finish()
    }

    #[test]
    fn elements_are_not_copied_to_stand_before_a_value() {
        for (alone, copies) in [(false, false), (true, true)] {
            let CountedProgram { program, started, .. } = CountedProgram::new(&largest(alone));
            let needed = program.needed_nodes();
            let is_copy = |kind: &NodeKind| matches!(kind, NodeKind::Concat { .. });
            let copied = program.nodes.iter().zip(needed).any(|(node, needed)| needed && is_copy(&node.kind));
            assert_eq!((copied, started.len()), (copies, usize::from(!copies)));
        }
    }
}
