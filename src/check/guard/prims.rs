//! Guards of prims: the run-time faults that are silent otherwise, as conditions of the program.
//!
//! After an operation is expanded, each integer prim it is made of gets a predicate that is true where the prim
//! went wrong; the index of the first such element is one more result of the fused loop. No evaluator knows of this.
//! What ranges prove to go right gets none. Sums and products of many elements are in [`super::totals`].

use crate::check::infer::found::facts::{Fact, GuardedArithmetic, Subject, WrappingPlace};
use crate::check::infer::found::findings::Findings;
use crate::check::infer::state::graph::Graph;
use crate::check::report;
use crate::ir::routine::{Routine, Scatter};
use crate::ir::{Check, Fault, Fold, NodeId, NodeKind};
use crate::ops::cast;
use crate::ops::expand::Expand;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Kind};

/// Adds the conditions of what was inferred under `--checked`, each where it would stand had it been written.
pub(in crate::check) fn guard(graph: &mut Graph, findings: &Findings, facts: &[Fact]) {
    let mut guards = Guards { graph, place: 0, written: 0, calls: Vec::new() };
    let mut added = 0;
    for fact in facts {
        let Subject::Guarded(GuardedArithmetic { what, at, checks, written }) = &fact.about else { continue };
        (guards.place, guards.written) = (checks + added, *written);
        let path = findings.path(fact.walk, *at).into_iter().rev().map(|(place, _)| place);
        guards.calls = path.filter(|&place| !report::covers(place, *at)).collect();
        match what {
            WrappingPlace::Nodes(nodes, shown) => guards.nodes(nodes.clone(), shown, *at),
            WrappingPlace::Cast(from, to) => guards.cast(*from, *to, *at),
        }
        added = guards.place - checks;
    }
}

/// The guards at work.
pub(super) struct Guards<'g> {
    pub(super) graph: &'g mut Graph,
    /// The place of the next condition among those of the program.
    place: usize,
    /// How many nodes there were when what is guarded was written.
    written: usize,
    /// The calls that led to it, the innermost first.
    calls: Vec<Span>,
}

impl Guards<'_> {
    /// Guards the integer arithmetic among the nodes of an operation, which is written as `shown`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only maps, sums and products can wrap")]
    fn nodes(&mut self, nodes: std::ops::Range<usize>, shown: &str, at: Span) {
        for index in nodes {
            let id = NodeId(index as u32);
            let node = self.graph.builder.program().node(id);
            if !node.dtype.is_integer() {
                continue;
            }
            match node.kind {
                NodeKind::Map(prim, args) => {
                    let operands: Vec<NodeId> = args.into_iter().flatten().collect();
                    self.guard_prim(prim, operands, id, at);
                }
                NodeKind::Fold { fold: Fold::Sum | Fold::Prod, .. }
                | NodeKind::Scan { fold: Fold::Sum | Fold::Prod, .. }
                | NodeKind::Routine {
                    routine:
                        Routine::Segment(Fold::Sum | Fold::Prod) | Routine::Scatter(Scatter::With(Fold::Sum | Fold::Prod)),
                    ..
                } => self.guard_total(id, shown, at),
                NodeKind::Routine { routine: Routine::Product, .. } => self.guard_product(id, shown, at),
                _ => {}
            }
        }
    }

    fn guard_prim(&mut self, prim: Prim, operands: Vec<NodeId>, id: NodeId, at: Span) {
        let Some(op) = notation(prim) else { return };
        let dtype = self.graph.builder.dtype(id);
        let exact = self.graph.ranges.exact_range(self.graph.builder.program(), id);
        let fits = prim != Prim::Pow && exact.is_some_and(|exact| exact.interval.within(dtype));
        let mut e = self.graph.expand();
        let wrapped = if fits { None } else { where_wrapped(&mut e, prim, &operands, id) };
        if matches!(prim, Prim::FloorDiv | Prim::Rem) {
            let zero = e.integer(dtype, 0);
            let by_zero = e.prim(Prim::Eq, &[operands[1], zero]);
            let wrong = wrapped.map_or(by_zero, |wrapped| e.prim(Prim::Or, &[by_zero, wrapped]));
            self.guard(wrong, Fault::Division { op, operands, dtype }, at);
        } else if let Some(wrapped) = wrapped {
            self.guard(wrapped, Fault::Overflow { op, operands, dtype }, at);
        }
    }

    /// Guards a cast: integers that wrap, floats that are NaN or beyond the integers that they become.
    fn cast(&mut self, from: NodeId, to: NodeId, at: Span) {
        let (source, target) = (self.graph.builder.dtype(from), self.graph.builder.dtype(to));
        if !target.is_integer() || !matches!(source.kind(), Kind::Unsigned | Kind::Signed | Kind::Float) {
            return;
        }
        if source.is_integer() && self.graph.ranges.of(self.graph.builder.program(), from).interval.within(target) {
            return;
        }
        let changed = cast::changes(&mut self.graph.expand(), from, to);
        self.guard(changed, Fault::LossyCast { value: from, dtype: target }, at);
    }

    /// Adds the condition that `fault` is nowhere true.
    pub(super) fn guard(&mut self, fault_at: NodeId, fault: Fault, span: Span) {
        if let Some(check) = self.graph.condition(fault_at, fault, span) {
            let check = Check { written: self.written, calls: self.calls.clone(), ..check };
            self.graph.builder.check_at(self.place, check);
            self.place += 1;
        }
    }
}

/// How integer arithmetic that can go wrong is written. It is `None` for other prims. A shift is not at fault for the
/// bits that it moves out.
#[expect(clippy::wildcard_enum_match_arm, reason = "no other prim of integers can go wrong")]
fn notation(prim: Prim) -> Option<&'static str> {
    Some(match prim {
        Prim::Add => "+",
        Prim::Sub | Prim::Neg => "-",
        Prim::Mul => "*",
        Prim::FloorDiv => "//",
        Prim::Rem => "%",
        Prim::Pow => "**",
        Prim::Abs => "abs",
        Prim::Gcd => "gcd",
        _ => return None,
    })
}

/// Where an integer prim's result is not the exact one.
#[expect(clippy::wildcard_enum_match_arm, reason = "no other prim of integers can wrap")]
pub(in crate::check) fn where_wrapped(e: &mut Expand, prim: Prim, x: &[NodeId], result: NodeId) -> Option<NodeId> {
    let dtype = e.dtype(result);
    let signed = dtype.kind() == Kind::Signed;
    let smallest = dtype.integer_range()?.0;
    Some(match prim {
        Prim::Add if signed => {
            // Operands of one sign and a result of the other.
            let (left, right) = (e.prim(Prim::Xor, &[x[0], result]), e.prim(Prim::Xor, &[x[1], result]));
            let both = e.prim(Prim::And, &[left, right]);
            e.is_negative(both)
        }
        Prim::Add => e.prim(Prim::Lt, &[result, x[0]]),
        Prim::Sub if signed => {
            let (signs, turned) = (e.prim(Prim::Xor, &[x[0], x[1]]), e.prim(Prim::Xor, &[x[0], result]));
            let both = e.prim(Prim::And, &[signs, turned]);
            e.is_negative(both)
        }
        Prim::Sub => e.prim(Prim::Lt, &[x[0], x[1]]),
        Prim::Mul => return product_wrapped(e, x, result),
        Prim::Neg if !signed => {
            let zero = e.integer(dtype, 0);
            e.prim(Prim::Ne, &[x[0], zero])
        }
        Prim::Neg | Prim::Abs => {
            let edge = e.integer(dtype, smallest);
            e.prim(Prim::Eq, &[x[0], edge])
        }
        // The magnitude of the smallest integer.
        Prim::Gcd if signed => e.is_negative(result),
        Prim::FloorDiv if signed => smallest_by_minus_one(e, x[0], x[1], smallest),
        Prim::Pow => power_wrapped(e, x, result),
        _ => return None,
    })
}

/// `x == MIN and y == -1`
fn smallest_by_minus_one(e: &mut Expand, x: NodeId, y: NodeId, smallest: i128) -> NodeId {
    let dtype = e.dtype(x);
    let (edge, minus_one) = (e.integer(dtype, smallest), e.integer(dtype, -1));
    let (first, second) = (e.prim(Prim::Eq, &[x, edge]), e.prim(Prim::Eq, &[y, minus_one]));
    e.prim(Prim::And, &[first, second])
}

/// Where a product is not the exact one. If one factor is constant, a range check of the other is enough. Else the
/// product is compared with its value in a dtype of twice the width. If no such dtype exists, it is compared with its
/// value in `f64`: a wrapped product differs by a multiple of 2^64, and rounding by less than 2^12.
fn product_wrapped(e: &mut Expand, x: &[NodeId], result: NodeId) -> Option<NodeId> {
    use DType::{Bf16, Bool, C64, C128, F8E4m3, F8E5m2, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    let dtype = e.dtype(result);
    if let Some((factor, other)) = (0..2).find_map(|at| Some((e.0.as_constant(x[at])?, x[1 - at]))) {
        return beyond_factor(e, factor.to_i128(), other);
    }
    let wide = match dtype {
        U8 => U16,
        U16 => U32,
        U32 => U64,
        I8 => I16,
        I16 => I32,
        I32 => I64,
        Bool | U64 | I64 | F8E4m3 | F8E5m2 | Bf16 | F16 | F32 | F64 | C64 | C128 => F64,
    };
    let [left, right, found] = [x[0], x[1], result].map(|value| e.convert(value, wide));
    let value = e.prim(Prim::Mul, &[left, right]);
    if wide != F64 {
        return Some(e.prim(Prim::Ne, &[value, found]));
    }
    let distance = e.prim(Prim::Sub, &[value, found]);
    let distance = e.prim(Prim::Abs, &[distance]);
    let far = e.of(F64, 2f64.powi(62));
    Some(e.prim(Prim::Le, &[far, distance]))
}

/// Where the product with a factor leaves the dtype. With 0 and 1 the product leaves it nowhere.
fn beyond_factor(e: &mut Expand, factor: i128, x: NodeId) -> Option<NodeId> {
    let dtype = e.dtype(x);
    let (smallest, largest) = dtype.integer_range()?;
    // Quotients are rounded towards 0: to the last values whose products are within.
    let (low, high) = match factor {
        0 | 1 => return None,
        2.. => (smallest / factor, largest / factor),
        _ => (largest / factor, smallest / factor),
    };
    let beyond = |e: &mut Expand, bound: i128, above: bool| {
        let bound = e.integer(dtype, bound);
        if above { e.prim(Prim::Lt, &[bound, x]) } else { e.prim(Prim::Lt, &[x, bound]) }
    };
    // Of -1 the upper bound is beyond the dtype.
    match (low > smallest, high < largest) {
        (true, true) => {
            let (below, above) = (beyond(e, low, false), beyond(e, high, true));
            Some(e.prim(Prim::Or, &[below, above]))
        }
        (true, false) => Some(beyond(e, low, false)),
        (false, true) => Some(beyond(e, high, true)),
        (false, false) => None,
    }
}

/// A power is compared with its value in `f64`: a wrapped one differs by a multiple of 2^N, far more than the
/// rounding. A negative exponent is at fault too: its value is a fraction, unless the base is 1 or -1.
fn power_wrapped(e: &mut Expand, x: &[NodeId], result: NodeId) -> NodeId {
    let (base, exponent) = (e.convert(x[0], DType::F64), e.convert(x[1], DType::F64));
    let value = e.prim(Prim::Pow, &[base, exponent]);
    let found = e.convert(result, DType::F64);
    let distance = e.prim(Prim::Sub, &[value, found]);
    let distance = e.prim(Prim::Abs, &[distance]);
    let magnitude = e.prim(Prim::Abs, &[value]);
    let slack = e.of(DType::F64, 2f64.powi(-40));
    let slack = e.prim(Prim::Mul, &[magnitude, slack]);
    let near = e.prim(Prim::Le, &[distance, slack]);
    e.not(near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::build::ProgramBuilder;
    use crate::scalar::Scalar;
    use crate::scalar::eval::eval;

    /// Whether a prim of nodes that are constants is true, or nothing is at fault.
    fn at_fault(dtype: DType, x: i128, y: i128, known: bool) -> bool {
        let mut b = ProgramBuilder::default();
        let input = b.input("x", Span::default(), dtype, Vec::new());
        let mut e = Expand(&mut b);
        let constant = |value: i128| {
            let bits = value as u128 & (u128::MAX >> (128 - dtype.bits()));
            Scalar { dtype, bits }
        };
        let factor = if known { e.integer(dtype, y) } else { e.0.input("y", Span::default(), dtype, Vec::new()) };
        let product = e.prim(Prim::Mul, &[input, factor]);
        let Some(fault) = product_wrapped(&mut e, &[input, factor], product) else { return false };
        let mut values: Vec<Scalar> = Vec::new();
        for node in b.program().nodes.iter() {
            values.push(match &node.kind {
                NodeKind::Input(0) => constant(x),
                NodeKind::Input(_) => constant(y),
                NodeKind::Const(scalar) => *scalar,
                NodeKind::Map(prim, args) => {
                    let args: Vec<Scalar> = args.iter().flatten().map(|arg| values[arg.index()]).collect();
                    eval(*prim, node.dtype, &args)
                }
                other => panic!("{other:?}"),
            });
        }
        values[fault.index()].bits != 0
    }

    #[test]
    fn products_that_do_not_fit_are_found_and_no_others() {
        for dtype in DType::ALL.into_iter().filter(|dtype| dtype.is_integer()) {
            let (smallest, largest) = dtype.integer_range().unwrap();
            let root = 1i128 << (dtype.bits() / 2);
            let mut values =
                vec![0, 1, 2, 3, 7, root - 1, root, root + 1, largest / 3, largest / 2, largest - 1, largest];
            values.extend([-1, -2, -3, -7, -root, -root - 1, smallest / 3, smallest / 2, smallest + 1, smallest]);
            values.retain(|value| (smallest..=largest).contains(value));
            for (&x, &y) in values.iter().flat_map(|x| values.iter().map(move |y| (x, y))) {
                let beyond = x.checked_mul(y).is_none_or(|product| !(smallest..=largest).contains(&product));
                for known in [false, true] {
                    assert_eq!(at_fault(dtype, x, y, known), beyond, "{dtype}: {x} * {y}, known: {known}");
                }
            }
        }
    }
}
