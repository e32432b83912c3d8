//! The range of every node of a program, found when first asked for.

use super::carried::KnownLoop;
use super::integer::{self, Ends};
use super::prims::{arithmetic, both, range_of_prim, round_to_dtype};
use super::relations::Relations;
use super::{Interval, Range, arms, data, lengths, routines, weighted};
use crate::ir::{Fold, Node, NodeId, NodeKind, Program};
use crate::scalar::prim::Prim;
use crate::types::DType;
use std::collections::{HashMap, HashSet};

/// How many nodes are looked at again for the values of arrays that are known.
const KNOWN_NODES: usize = 48;

/// The most elements of such an array.
const MAX_KNOWN_ELEMENTS: usize = 4096;

/// The most pairs of nodes whose order is kept.
const MAX_ORDERED_PAIRS: usize = 64;

/// Ranges of the nodes of a growing program.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    pub(super) known: Vec<Range>,
    declared: HashMap<NodeId, Range>,
    /// Pairs of which the script asserts that the first is at most the second, element by element.
    ordered: Vec<(NodeId, NodeId)>,
    /// What arithmetic in loops that were followed comes to if nothing wraps, over all steps.
    pub(super) exact: HashMap<NodeId, Range>,
    /// Arithmetic in loops that wraps in no step that takes it.
    pub(super) spared: HashSet<NodeId>,
    /// How many nodes were looked at to find it.
    pub(super) spared_work: u64,
    /// The loops that were looked at, in the order in which they end.
    pub(super) inner: Vec<KnownLoop>,
    /// How many nodes were looked at again for the loops around them.
    pub(super) inner_work: u64,
}

impl Ranges {
    /// States the range of a node, usually an input's.
    pub fn declare(&mut self, node: NodeId, range: Range) {
        if let Some(known) = self.known.get_mut(node.index()) {
            *known = range;
        }
        self.declared.insert(node, range);
    }

    /// Takes note of a condition that holds from here on.
    pub fn assume(&mut self, program: &Program, condition: NodeId) {
        self.of(program, condition);
        let facts = arms::facts_of_assertion(program, condition, &|node| self.known[node.index()]);
        for (node, range) in
            facts.into_iter().filter(|(node, _)| !matches!(program.node(*node).kind, NodeKind::Const(_)))
        {
            self.declare(node, range);
            self.inner.iter_mut().for_each(|it| it.says(node, range));
        }
    }

    /// Takes note of what a condition, which the program asserts, says of the order of its operands.
    pub fn relate(&mut self, program: &Program, condition: NodeId) {
        self.of(program, condition);
        let pairs = Relations::new(program, |node: NodeId| self.known[node.index()]).order_of_assertion(condition);
        let room = MAX_ORDERED_PAIRS.saturating_sub(self.ordered.len());
        self.ordered.extend(pairs.into_iter().take(room));
    }

    /// Pairs of nodes of which the program asserts that the first is at most the second, element by element.
    pub fn orders(&self) -> &[(NodeId, NodeId)] {
        &self.ordered
    }

    /// Whether the program asserts the order of two nodes, one that the first question is about and one that the other
    /// is about.
    pub fn asserts_order(&self, one: impl Fn(NodeId) -> bool, other: impl Fn(NodeId) -> bool) -> bool {
        self.ordered.iter().any(|&(small, large)| one(small) && other(large) || one(large) && other(small))
    }

    /// The range of a node.
    pub fn of(&mut self, program: &Program, node: NodeId) -> Range {
        for index in self.known.len()..=node.index() {
            let range = match self.declared.get(&NodeId(index as u32)) {
                Some(range) => *range,
                None => found(program, &program.nodes[index], |arg| self.known[arg.index()]),
            };
            self.known.push(range);
        }
        self.known[node.index()]
    }

    /// What integer arithmetic or a conversion between integers would give if nothing wrapped, when the node is one.
    pub fn exact_range(&mut self, program: &Program, node: NodeId) -> Option<Range> {
        let NodeKind::Map(prim, args) = program.node(node).kind else { return None };
        let dtype = program.node(node).dtype;
        if !dtype.is_integer() {
            return None;
        }
        if let Some(exact) = self.exact.get(&node) {
            return Some(*exact);
        }
        let nodes: Vec<NodeId> = args.iter().flatten().copied().collect();
        let args: Vec<Range> = nodes.iter().map(|&arg| self.of(program, arg)).collect();
        if prim == Prim::Convert {
            return match args[0].interval {
                Interval::Integer { .. } => Some(args[0]),
                Interval::Float { .. } | Interval::Complex => None,
            };
        }
        if !integer::overflows(prim) {
            return None;
        }
        if let Some(last) = self.ordered.iter().map(|&(small, large)| small.max(large)).max() {
            self.of(program, last);
        }
        let known = Relations::new(program, |node: NodeId| self.known[node.index()]).with(&self.ordered);
        let (low, high) = known.exact(prim, dtype, &nodes, &args)?;
        Some(arithmetic(prim, &args, Interval::Integer { low, high }))
    }

    /// Whether what [`Ranges::exact_range`] says of a node was found in some steps of a loop, and may be otherwise in
    /// the others.
    pub fn is_of_some_steps(&mut self, program: &Program, node: NodeId) -> bool {
        let Some(kept) = self.exact.remove(&node) else { return false };
        let every = self.exact_range(program, node);
        self.exact.insert(node, kept);
        every.is_none_or(|every| every.interval != kept.interval)
    }

    /// Whether arithmetic in a loop is known to wrap in no step that takes it: `where(t < 8, s * 10, s)`.
    pub fn fits_where_taken(&self, node: NodeId) -> bool {
        self.spared.contains(&node)
    }

    /// As [`Ranges::exact_range`], where the values of some inputs are known by now: arrays that the program itself
    /// holds.
    pub fn unwrapped_now(&mut self, program: &Program, node: NodeId) -> Option<Range> {
        let NodeKind::Map(prim, args) = program.node(node).kind else { return None };
        self.of(program, node);
        let mut budget = KNOWN_NODES;
        let nodes: Vec<NodeId> = args.iter().flatten().copied().collect();
        let args: Vec<Range> = nodes.iter().map(|&arg| self.now(program, arg, &mut budget)).collect();
        let known = Relations::new(program, |node: NodeId| self.known[node.index()]);
        let (low, high) = known.exact(prim, program.node(node).dtype, &nodes, &args)?;
        Some(arithmetic(prim, &args, Interval::Integer { low, high }))
    }

    /// What the last of some nodes would give if none of them wrapped: `diff(x, n=2)` of `u8` lies in [-510, 510].
    pub fn unwrapped_through(&mut self, program: &Program, nodes: std::ops::Range<usize>) -> Option<Range> {
        let first = nodes.start;
        let mut found: Vec<Range> = Vec::with_capacity(nodes.len());
        for node in nodes.map(|index| NodeId(index as u32)) {
            let own = self.of(program, node);
            let of = |arg: NodeId| match arg.index().checked_sub(first) {
                Some(at) => found[at],
                None => self.known[arg.index()],
            };
            let range = if let NodeKind::View { arg, .. } = program.node(node).kind {
                of(arg)
            } else if let NodeKind::Map(prim, args) = program.node(node).kind
                && integer::overflows(prim)
                && program.node(node).dtype.is_integer()
            {
                let nodes: Vec<NodeId> = args.iter().flatten().copied().collect();
                let args: Vec<Range> = nodes.iter().map(|&arg| of(arg)).collect();
                let known = Relations::new(program, of);
                let exact = known.exact(prim, program.node(node).dtype, &nodes, &args);
                exact.map_or(own, |(low, high)| arithmetic(prim, &args, Interval::Integer { low, high }))
            } else {
                own
            };
            found.push(range);
        }
        found.last().copied()
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other nodes are not looked at again")]
    fn now(&self, program: &Program, node: NodeId, budget: &mut usize) -> Range {
        let known = self.known[node.index()];
        if *budget == 0 {
            return known;
        }
        *budget -= 1;
        match program.node(node).kind {
            NodeKind::Input(input) => {
                let value = program.inputs.get(input as usize).and_then(|input| input.value.as_ref());
                let small = value.filter(|array| !known.of_data && array.len() <= MAX_KNOWN_ELEMENTS);
                let written = |values| Range { of_data: true, ..Range::stated(values) };
                small.and_then(data::values).map_or(known, written)
            }
            NodeKind::View { arg, .. } => self.now(program, arg, budget),
            NodeKind::Map(prim, args) if prim != Prim::Select => {
                let args: Vec<NodeId> = args.iter().flatten().copied().collect();
                let ranges: Vec<Range> = args.iter().map(|&arg| self.now(program, arg, budget)).collect();
                let found = range_of_prim(prim, program.node(args[0]).dtype, program.node(node).dtype, &ranges);
                if found.of_data { found } else { known }
            }
            _ => known,
        }
    }

    /// Whether a node is never 0 where a condition holds, or where it does not.
    pub fn is_nonzero_under(&mut self, program: &Program, condition: NodeId, holds: bool, node: NodeId) -> bool {
        self.differs_under(program, condition, holds, (node, 0))
    }

    /// Whether a node never has a value where a condition holds, or where it does not.
    pub(super) fn differs_under(
        &mut self,
        program: &Program,
        condition: NodeId,
        holds: bool,
        (node, value): (NodeId, i128),
    ) -> bool {
        self.of(program, node.max(condition));
        let of = |node: NodeId| self.known[node.index()];
        let range = arms::under(program, condition, holds, node, &of);
        matches!(range.interval, Interval::Integer { low, high } if low > value || high < value)
            || Relations::new(program, of).under(condition, holds).says_differs(node, value)
    }

    /// Whether a node lies between two ends where conditions hold, or where they do not.
    pub fn is_between_under(
        &mut self,
        program: &Program,
        conditions: &[(NodeId, bool)],
        node: NodeId,
        (low, high): Ends,
    ) -> bool {
        let (mut least, mut most) = (i128::MIN, i128::MAX);
        for &(condition, holds) in conditions {
            self.of(program, node.max(condition));
            let range = arms::under(program, condition, holds, node, &|node: NodeId| self.known[node.index()]);
            let Interval::Integer { low, high } = range.interval else { return false };
            (least, most) = (least.max(low), most.min(high));
        }
        low <= least && most <= high
    }

    /// Whether arithmetic does not wrap where a condition holds, or where it does not.
    pub fn fits_under(&mut self, program: &Program, condition: NodeId, holds: bool, node: NodeId) -> bool {
        let NodeKind::Map(prim, args) = program.node(node).kind else { return false };
        self.of(program, node.max(condition));
        let dtype = program.node(node).dtype;
        let of = |node: NodeId| self.known[node.index()];
        let nodes: Vec<NodeId> = args.iter().flatten().copied().collect();
        let args: Vec<Range> = nodes.iter().map(|&arg| arms::under(program, condition, holds, arg, &of)).collect();
        if prim == Prim::Convert {
            // A cast of floats cuts the fraction off.
            return match args[0].interval {
                Interval::Float { low, high, nan, .. } if dtype.is_integer() => {
                    Interval::Float { low: low.trunc(), high: high.trunc(), nan, whole: true }.exists_in(dtype)
                }
                values @ (Interval::Integer { .. } | Interval::Float { .. } | Interval::Complex) => {
                    values.exists_in(dtype)
                }
            };
        }
        let known = Relations::new(program, of).under(condition, holds);
        // Of quotients only that by -1 wraps.
        let divides = prim == Prim::FloorDiv && dtype.is_integer();
        divides && known.says_differs(nodes[1], -1)
            || known
                .exact(prim, dtype, &nodes, &args)
                .is_some_and(|(low, high)| Interval::of_dtype(dtype).contains(low, high))
    }

    /// Between what sums of the integers of a node over some axes lie, where their weights are known one by one.
    pub fn sum_by_terms(&mut self, program: &Program, node: NodeId, axes: &[u32]) -> Option<Ends> {
        self.of(program, node);
        weighted::sum(program, node, axes, &|node: NodeId| self.known[node.index()])
    }

    /// Whether a sum or a product of integers, or running ones, is known to fit its dtype.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a sum or a product that is known to fit")]
    pub fn total_fits(&mut self, program: &Program, node: NodeId) -> bool {
        let node = program.node(node);
        let (fold, arg, least, most) = match &node.kind {
            NodeKind::Fold { fold, arg, axes, .. } => {
                let count = element_count(program, *arg, axes);
                (*fold, *arg, count.unwrap_or(0), count)
            }
            NodeKind::Scan { fold, arg, axis } => (*fold, *arg, 1, element_count(program, *arg, &[*axis])),
            _ => return false,
        };
        let Interval::Integer { low, high } = self.of(program, arg).interval else { return false };
        if let NodeKind::Fold { axes, .. } = &node.kind
            && fold == Fold::Sum
            && let Some((low, high)) = self.sum_by_terms(program, arg, axes)
            && Interval::of_dtype(node.dtype).contains(low, high)
        {
            return true;
        }
        let (low, high) = match fold {
            Fold::Sum => sum((low, high), least, most),
            Fold::Prod => match product((low, high), least, most, node.dtype) {
                Some(ends) => ends,
                None => return false,
            },
            _ => return false,
        };
        Interval::of_dtype(node.dtype).contains(low, high)
    }
}

/// The range of a node whose operands have ranges.
fn found(program: &Program, node: &Node, of: impl Fn(NodeId) -> Range) -> Range {
    let dtype = node.dtype;
    if let Some((low, high)) = lengths::sum_of_shares(program, node, &of) {
        return Range { low_stated: low == 0, ..Range::counted(0) }.with(Interval::Integer { low, high });
    }
    match &node.kind {
        NodeKind::Input(_) | NodeKind::Param(_) | NodeKind::Loop { .. } => Range::of_dtype(dtype),
        NodeKind::Const(scalar) => Range::stated(Interval::of_scalar(*scalar)),
        NodeKind::Iota { axis } => match node.shape[*axis as usize].known() {
            Some(len) => Range::stated(Interval::Integer { low: 0, high: i128::from(len.max(1)) - 1 }),
            None => Range::counted(0),
        },
        NodeKind::Map(Prim::Select, [Some(condition), Some(yes), Some(no)]) => {
            arms::selection(program, [*condition, *yes, *no], &of)
        }
        NodeKind::Map(prim, args) => {
            let args: Vec<NodeId> = args.iter().flatten().copied().collect();
            let ranges: Vec<Range> = args.iter().map(|&arg| of(arg)).collect();
            let range = range_of_prim(*prim, program.node(args[0]).dtype, dtype, &ranges);
            if matches!(prim, Prim::Add | Prim::Sub | Prim::Mul)
                && dtype.is_integer()
                && let Some((low, high)) = Relations::new(program, &of).exact(*prim, dtype, &args, &ranges)
                && Interval::of_dtype(dtype).contains(low, high)
            {
                arithmetic(*prim, &ranges, Interval::Integer { low, high })
            } else {
                range
            }
        }
        NodeKind::View { arg, .. } | NodeKind::Gather { arg, .. } => {
            let range = of(*arg);
            // A gather from nothing reads zeros.
            let empty = matches!(node.kind, NodeKind::Gather { .. })
                && program.node(*arg).shape.iter().any(|dim| dim.known() == Some(0));
            if empty { Range::of_dtype(dtype) } else { range }
        }
        NodeKind::Routine { routine, args } => routines::range(program, node, *routine, args, of),
        NodeKind::Concat { parts, .. } => parts.iter().map(|&part| of(part)).reduce(both).expect("there are parts"),
        NodeKind::Update { base, value, .. } => both(of(*base), of(*value)),
        NodeKind::Scan { fold, arg, axis } => {
            let count = element_count(program, *arg, &[*axis]);
            if matches!(fold, Fold::Min | Fold::Max) {
                of(*arg)
            } else {
                let most = lengths::most(program, *arg, &[*axis]);
                total(*fold, of(*arg), dtype, 1, count, most)
            }
        }
        NodeKind::Fold { fold, arg, axes, .. } => {
            let count = element_count(program, *arg, axes);
            match fold {
                Fold::Any | Fold::All => Range::stated(Interval::of_dtype(DType::Bool)),
                Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => {
                    let low = if *fold == Fold::FirstTrue { -1 } else { 0 };
                    let high = |count: u64| i128::from(count.max(1)) - 1;
                    count.map_or(Range::counted(low), |count| {
                        Range::stated(Interval::Integer { low, high: high(count) })
                    })
                }
                Fold::Min | Fold::Max => of(*arg),
                Fold::Sum | Fold::Prod => {
                    let most = lengths::most(program, *arg, axes);
                    let found = total(*fold, of(*arg), dtype, count.unwrap_or(0), count, most);
                    let by_terms = if *fold == Fold::Sum { weighted::sum(program, *arg, axes, &of) } else { None };
                    by_terms.map_or(found, |ends| found.or_within(of(*arg), ends, dtype))
                }
            }
        }
    }
}

/// The range of a sum or product of elements of the range `of`. There are at least `least` of them; exactly `known`, if
/// that is known; and at most `most`, if that is known.
fn total(fold: Fold, of: Range, dtype: DType, least: u64, known: Option<u64>, most: Option<u64>) -> Range {
    let Interval::Integer { low, high } = of.interval else {
        // Rounding adds up; only the sign of sums is kept.
        return match (fold, of.interval) {
            (Fold::Sum, Interval::Float { low, nan, whole, high }) if low >= 0.0 && !nan && high.is_finite() => {
                let high = known.map_or(f64::INFINITY, |count| {
                    let (count, unit) = (count as f64, 2f64.powi(1 - dtype.row().value_bits as i32));
                    round_to_dtype(high * count * (1.0 + count * f64::from(f32::EPSILON)) * (1.0 + unit), dtype)
                });
                if !high.is_finite() && !dtype.row().infinities {
                    return Range::of_dtype(dtype);
                }
                Range { low_stated: of.low_stated, high_stated: of.high_stated && known.is_some(), ..of }
                    .with(Interval::Float { low: 0.0, high, nan: false, whole })
            }
            _ => Range::of_dtype(dtype),
        };
    };
    if fold != Fold::Sum {
        let Some((least, most)) = product((low, high), least, known.or(most), dtype) else {
            return Range::of_dtype(dtype);
        };
        // The ends of negative factors are made of both of theirs.
        let (is_known, is_apart) = (known.is_some(), low >= 0);
        let low_stated = of.low_stated && (is_apart || of.high_stated) && (is_known || least == 0);
        let high_stated = of.high_stated && (is_apart || of.low_stated) && (is_known || most <= 1);
        return Range { low_stated, high_stated, ..of }.with(Interval::Integer { low: least, high: most });
    }
    let (low, high) = sum((low, high), least, known.or(most));
    match Interval::of_dtype(dtype).contains(low, high) {
        true => {
            let (low_stated, high_stated) =
                (of.low_stated && (known.is_some() || low == 0), of.high_stated && (known.is_some() || high == 0));
            Range { low_stated, high_stated, ..of }.with(Interval::Integer { low, high })
        }
        false => Range::of_dtype(dtype),
    }
}

/// How many elements are reduced into one. `None` when that is not known.
fn element_count(program: &Program, arg: NodeId, axes: &[u32]) -> Option<u64> {
    let dims = &program.node(arg).shape;
    axes.iter().try_fold(1u64, |count, &axis| count.checked_mul(dims[axis as usize].known()?))
}

/// Between what sums of `least` to `most` integers lie, of any number of them when `most` is not known.
fn sum((low, high): Ends, least: u64, most: Option<u64>) -> Ends {
    let unbounded = |end: i128| match end {
        0 => 0,
        end if end < 0 => i128::MIN,
        _ => i128::MAX,
    };
    let times = |end: i128, count: Option<u64>| count.map_or(unbounded(end), |n| end.saturating_mul(i128::from(n)));
    let ends = |end: i128| [Some(least), most].map(|count| times(end, count));
    let ([a, b], [c, d]) = (ends(low), ends(high));
    (a.min(b), c.max(d))
}

/// The ends between which products of `least` to `most` integers lie, or of any number of them if `most` is not known.
/// `None` where the dtype does not hold them all.
fn product((low, high): Ends, least: u64, most: Option<u64>, dtype: DType) -> Option<Ends> {
    if low >= -1 && high <= 1 {
        let (low, high) = if low < 0 { (-1, 1) } else { (low, high) };
        // The product of nothing is 1.
        return Some(if least == 0 { (low, 1) } else { (low, high) });
    }
    let every = Interval::of_dtype(dtype);
    let (mut now, mut met): (Ends, Option<Ends>) = ((1, 1), (least == 0).then_some((1, 1)));
    // A factor beyond 1 leaves every dtype after few steps.
    for count in 1..=most? {
        let ends = [(now.0, low), (now.0, high), (now.1, low), (now.1, high)].map(|(a, b)| a.saturating_mul(b));
        now = (ends.into_iter().min()?, ends.into_iter().max()?);
        if !every.contains(now.0, now.1) {
            return None;
        }
        if count >= least {
            met = Some(met.map_or(now, |(least, most)| (least.min(now.0), most.max(now.1))));
        }
    }
    met
}
