//! Integer arithmetic that wraps or divides by zero.
//!
//! Arithmetic that always wraps is found in every dtype. Arithmetic that can wrap is found in 8 and 16 bits unless the
//! operands exclude it, because pictures and recordings wrap every day. In wider dtypes it is found where ranges are
//! stated, or follow from narrow integers that were made wider: `i32(u) * u`; of unsigned totals, where they fall below
//! 0. Both are kept as [`super::possible`] until the whole program is there: what the program does with the value may
//! say that wrapping is meant.

use super::apart::is_of_totals_apart;
use super::possible::{PossibleFinding, Refutation, WrappingIntent};
use super::{Lint, Pass};
use crate::check::infer::found::facts::{AppliedOp, Expansion};
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::report;
use crate::diagnostic::codes::{dtypes, lints};
use crate::diagnostic::{Diagnostic, Level};
use crate::ir::{Args, Fold, NodeId, NodeKind, Program, ProgramInput};
use crate::promotion::verdict::Mode;
use crate::promotion::{self, Class, Operation};
use crate::range::nodes::Ranges;
use crate::range::{Interval, Range, integer, integers};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Elem, Kind};

/// Arithmetic that wraps.
struct WrappedValues {
    /// What it gives if nothing wraps.
    exact: Range,
    /// Whether it wraps for the values that inputs are given, and nothing else says so.
    by_data: bool,
}

/// The most parts of arithmetic of narrow integers that are looked at.
const MAX_PARTS: usize = 64;

/// The passes over operations. Some refute what others find, so their order counts.
pub(super) const APPLIED: &[Pass<AppliedOp>] = &[
    |lint, it| lint.arithmetic(it),
    |lint, it| lint.masked_sum(it),
    |lint, it| lint.overflow_of_constants(it),
    |lint, it| lint.made_of_possible(it),
];

impl Lint<'_, '_> {
    /// Looks at the integer arithmetic of an operation. If it does not wrap, looks at a negative of unsigned integers.
    fn arithmetic(&mut self, made: &AppliedOp) {
        self.given_in_a_call(made);
        self.size_of_difference(made);
        // `jax.lax` has integers divided by `/` too.
        let is_given =
            made.operands.iter().any(|it| matches!(it.form, OperandForm::Node(node, _) if node == made.node));
        if made.op.class == Class::Division && !is_given && self.graph.builder.dtype(made.node).is_integer() {
            self.division_by_zero(made.node, made);
        }
        if !self.overflow(made) {
            self.unsigned_negation(made);
        }
    }

    /// `abs(a - b)` of unsigned integers leaves no node. But it asks for a difference that did not wrap, however its
    /// result is used.
    fn size_of_difference(&mut self, made: &AppliedOp) {
        let given = made.operands.iter().any(|it| matches!(it.form, OperandForm::Node(node, _) if node == made.node));
        let is_difference = matches!(self.graph.builder.program().node(made.node).kind, NodeKind::Map(Prim::Sub, _));
        if made.op.class == Class::Magnitude && given && is_difference {
            let walk = self.walk;
            for it in self.known.possible.iter_mut().filter(|it| it.walk == walk && report::covers(made.span, it.span))
            {
                if matches!(it.unless, Refutation::Indifferent(node) if node == made.node) {
                    it.unless = Refutation::Taken(made.node);
                }
            }
        }
    }

    /// Looks at the integer arithmetic of an operation. Returns whether it wraps.
    fn overflow(&mut self, made: &AppliedOp) -> bool {
        let arithmetic = matches!(
            made.op.class,
            Class::Arithmetic
                | Class::Subtraction
                | Class::Power
                | Class::Magnitude
                | Class::Square
                | Class::FloorDivision
                | Class::Negation
                | Class::Integral
                | Class::Round
        );
        if !arithmetic && !matches!(made.how, Expansion::Inside) {
            return false;
        }
        let added = made.nodes.clone();
        // A node that was there before is looked at again: what excused it there need not hold here. An operand does
        // not belong to this operation. Nodes that are made inside may lie under views: `kron` gives its products
        // another shape.
        let is_given =
            |node: NodeId| made.operands.iter().any(|it| matches!(it.form, OperandForm::Node(own, _) if own == node));
        let mut result = made.node;
        while matches!(made.how, Expansion::Inside)
            && !is_given(result)
            && let NodeKind::View { arg, .. } = self.graph.builder.program().node(result).kind
        {
            result = arg;
        }
        let shared = (result.index() < made.nodes.start && !is_given(result)).then_some(result);
        let nodes = added.map(|index| NodeId(index as u32)).chain(shared);
        let nodes: Vec<NodeId> = nodes.filter(|&node| self.graph.builder.dtype(node).is_integer()).collect();
        if made.op.class == Class::FloorDivision {
            nodes.iter().for_each(|&node| self.division_by_zero(node, made));
        }
        if self.set(&dtypes::INTEGER_OVERFLOW) == Level::Allow {
            return false;
        }
        // The last product of a power is its result.
        let found = if made.op.class == Class::Round {
            self.rounds_beyond(made).map(|found| (made.node, found))
        } else {
            nodes.iter().rev().find_map(|&node| {
                let found = self.wraps(node, made.op.class, made.at)?;
                let fits = self.graph.fits_in_its_step(node, made.nodes.start);
                (!fits).then_some((node, found))
            })
        };
        let Some((node, WrappedValues { mut exact, by_data })) = found else { return false };
        if matches!(made.how, Expansion::Inside) && !exact.of_data && made.nodes.end == node.index() + 1 {
            let through = self.graph.ranges.unwrapped_through(self.graph.builder.program(), made.nodes.clone());
            exact = through.unwrap_or(exact);
        }
        self.wraps_perhaps((node, exact.interval), by_data, made);
        true
    }

    /// The multiples of a power of ten that integers are rounded to, if one of them does not fit. The nodes say less:
    /// they always compute the multiple above too, whether or not it is taken.
    fn rounds_beyond(&mut self, made: &AppliedOp) -> Option<WrappedValues> {
        let dtype = self.graph.builder.dtype(made.node);
        let (Expansion::Row(args, numbers), true) = (&made.how, dtype.is_integer()) else { return None };
        let range = self.graph.ranges.of(self.graph.builder.program(), *args.first()?);
        let exact = range.to_multiples(-*numbers.first()?, dtype)?;
        let narrow = dtype.bits() <= 16;
        let by_data = !narrow && is_by_data(&exact, dtype);
        is_worth_a_word(&exact, dtype, narrow).then_some(WrappedValues { exact, by_data })
    }

    /// Looks at the integer arithmetic of constants, which leaves no node to look at: the arithmetic is done again.
    fn overflow_of_constants(&mut self, made: &AppliedOp) {
        let args = match &made.how {
            Expansion::Row(args, _) => args.as_slice(),
            Expansion::Scaled(_, base, _) => std::slice::from_ref(base),
            Expansion::Compared | Expansion::Inside => return,
        };
        let dtype = self.graph.builder.dtype(made.node);
        let negative = made.op.class == Class::Negation && dtype.kind() == Kind::Unsigned;
        let known: Option<Vec<Scalar>> = args.iter().map(|&arg| self.graph.builder.as_constant(arg)).collect();
        let wanted = !self.known.settings.checked && dtype.is_integer() && !negative;
        let Some(known) = known.filter(|_| wanted) else { return };
        let program = std::mem::take(self.graph);
        let builder = &mut self.graph.builder;
        let mut operands = made.operands.clone();
        for operand in &mut operands {
            if let OperandForm::Node(node, _) = &mut operand.form
                && let Some(value) = program.builder.as_constant(*node)
            {
                *node = builder.constant(value);
            }
        }
        let args: Vec<NodeId> = known.into_iter().map(|value| builder.constant(value)).collect();
        let before = builder.program().nodes.len();
        builder.fold_constants(false);
        let node = made.how.again(made.op, builder, &args);
        let how = match &made.how {
            Expansion::Row(_, numbers) => Expansion::Row(args, numbers.clone()),
            how @ (Expansion::Scaled(..) | Expansion::Compared | Expansion::Inside) => how.clone(),
        };
        let nodes = before..builder.program().nodes.len();
        let kept = self.known.possible.len();
        self.overflow(&AppliedOp { operands, how, node, nodes, ..made.clone() });
        self.known.possible[kept..].iter_mut().for_each(|it| {
            it.unless = Refutation::Cast;
            // The node is no longer there when everything is known.
            it.shared = None;
        });
        *self.graph = program;
    }

    /// The exact values of a node, if it wraps for every value, or for some and that is worth a report.
    fn wraps(&mut self, node: NodeId, class: Class, at: Span) -> Option<WrappedValues> {
        let exact = self.graph.ranges.exact_range(self.graph.builder.program(), node)?;
        let dtype = self.graph.builder.dtype(node);
        let NodeKind::Map(prim, _) = self.graph.builder.program().node(node).kind else { return None };
        // In a division only the quotient wraps. Its correction and the remainder are taken only where they fit.
        if class == Class::FloorDivision && prim != Prim::FloorDiv {
            return None;
        }
        let is_certain = is_worth_a_word(&exact, dtype, false);
        let by_data = is_certain && is_by_data(&exact, dtype);
        if is_certain && !by_data {
            return Some(WrappedValues { exact, by_data });
        }
        match self.can_wrap(node, exact, class, at) {
            Some(found) => Some(WrappedValues { exact: if is_certain { exact } else { found }, by_data: false }),
            None => by_data.then_some(WrappedValues { exact, by_data }),
        }
    }

    /// The exact values of a node, if it wraps for some values and that is worth a report whatever the data.
    fn can_wrap(&mut self, node: NodeId, exact: Range, class: Class, at: Span) -> Option<Range> {
        let dtype = self.graph.builder.dtype(node);
        let NodeKind::Map(prim, args) = self.graph.builder.program().node(node).kind else { return None };
        // A division wraps only for the smallest integer by -1. So the divisor must be known, or what somebody wrote
        // bounds it and leaves -1. `unsigned-negation` is about negatives.
        let is_quiet = match (prim, args) {
            (Prim::Convert, _) => true,
            (Prim::FloorDiv, [_, Some(divisor), _]) => {
                let (program, ranges) = (self.graph.builder.program(), &mut self.graph.ranges);
                let range = ranges.of(program, divisor);
                let is_said = range.low_stated || range.high_stated || range.interval.single().is_some();
                !is_said || ranges.is_never(program, divisor, -1)
            }
            _ => class == Class::Negation && dtype.kind() == Kind::Unsigned,
        };
        let (narrow, program) = (dtype.bits() <= 16, self.graph.builder.program());
        if is_quiet || exact.interval.exists_in(dtype) {
            return None;
        }
        // Hashes wrap in unsigned integers, but do not mean to fall below 0.
        let falls = matches!(exact.interval, Interval::Integer { low, .. } if low < 0);
        let is_number = dtype.kind() == Kind::Signed || falls;
        if !narrow && is_number && !at.source.is_library() && is_widened(program, &mut self.graph.ranges, node) {
            return Some(exact);
        }
        let is_natural = dtype.kind() == Kind::Unsigned && falls;
        if !narrow && is_natural && !at.source.is_library() && is_of_totals_apart(program, &mut self.graph.ranges, node)
        {
            return Some(exact);
        }
        if !narrow && !is_of_literals(program, node, at) {
            return None;
        }
        let now = self.graph.ranges.unwrapped_now(program, node)?;
        is_worth_a_word(&now, dtype, narrow).then_some(now)
    }

    fn wraps_perhaps(&mut self, (node, exact): (NodeId, Interval), by_data: bool, made: &AppliedOp) {
        let found = self.wrapping_node(node, exact, made, (&[], None));
        let (shared, walk) = (self.shared_arithmetic(node, exact, made), self.walk);
        let possible = PossibleFinding::new(Refutation::Indifferent(node), made.span, found, walk);
        self.perhaps(possible.sharing(shared).by_data(by_data));
    }

    /// The finding about a node that wraps, with its exact values. What mends it holds `others` too, and has room for
    /// what is made of it `later`.
    pub(super) fn wrapping_node(
        &mut self,
        node: NodeId,
        exact: Interval,
        made: &AppliedOp,
        (others, later): (&[Interval], Option<Interval>),
    ) -> Diagnostic {
        let (dtype, operands) = (self.graph.builder.dtype(node), made.operands.as_slice());
        let written = self.written(operands, made.span);
        let (settings, class) = (self.known.settings.clone(), made.op.class);
        // Whether the operation is computed in a dtype when only some of its operands are cast to it.
        let enough = |casts: &[usize], wide: DType| {
            let asked: Vec<promotion::Operand> = operands
                .iter()
                .enumerate()
                .map(|(index, operand)| match casts.contains(&index) {
                    true => promotion::Operand {
                        elem: Elem::Strong(wide),
                        constant: false,
                        value: None,
                        ..operand.as_promotion_operand()
                    },
                    false => operand.as_promotion_operand(),
                })
                .collect();
            settings.mode != Mode::None
                && promotion::result(settings.system, Operation::from(class), &asked)
                    .is_ok_and(|new| settings.harden(new.compute) == wide)
        };
        // Whether a value of the wider dtype can meet one of the narrower dtype.
        let meets = |wide: DType| {
            let asked = [wide, dtype].map(|own| promotion::Operand::array(Elem::Strong(own)));
            promotion::result(settings.system, Class::Arithmetic, &asked).is_ok()
        };
        let ranges = self.intervals(operands);
        let level = self.set(&dtypes::INTEGER_OVERFLOW);
        let text: &str = self.text(made.span);
        let in_steps = self.graph.ranges.is_of_some_steps(self.graph.builder.program(), node);
        let begins_at = self.begins_at_an_end(exact, dtype, operands);
        let place = report::WrappedArithmetic {
            text,
            shown: made.op.shown(),
            written: &written,
            class,
            widest: self.widest(),
            meets: &meets,
            others,
            later,
            in_steps,
            begins_at: begins_at.as_deref(),
            at: made.at,
        };
        report::integer_overflow(level, &place, exact, dtype, operands, &ranges, &enough)
    }

    /// The end of a dtype as it is written, `i64.max` or `np.iinfo(np.int64).max`, where an operand of a sum that goes
    /// beyond it begins with it.
    fn begins_at_an_end(&self, exact: Interval, dtype: DType, operands: &[Operand]) -> Option<String> {
        let ((least, most), Interval::Integer { low, high }) = (integers(dtype), exact) else { return None };
        let end = match (high > most, low < least) {
            (true, _) if high <= 2 * most => ".max",
            (false, true) if low >= 2 * least => ".min",
            _ => return None,
        };
        let own = format!("{dtype}{end}");
        let written = |operand: &Operand| {
            let text = self.text(operand.origin);
            if text.contains(&own) { Some(own.clone()) } else { of_iinfo(text, end) }
        };
        operands.iter().find_map(written).filter(|_| dtype.bits() > 16)
    }

    /// Looks at a cast that somebody wrote, where there were `made` nodes before it. If the result has no more bits,
    /// arithmetic in it is meant to wrap.
    pub(super) fn cast(
        &mut self,
        (from, to): (NodeId, NodeId),
        operand: &Operand,
        written: Span,
        (span, made): (Span, usize),
    ) {
        let (own, dtype) = (self.graph.builder.dtype(from), self.graph.builder.dtype(to));
        if own.is_integer() && dtype.is_integer() && dtype.bits() <= own.bits() {
            let meant =
                if written == span { WrappingIntent::AsAsked(written) } else { WrappingIntent::Around(written) };
            self.meant_to_wrap(from, meant, dtype.bits());
        }
        // A value that has the dtype already is not converted.
        if from != to {
            self.cast_overflow((from, to), operand, (span, made));
        }
    }

    /// Reports a cast between integers that wraps where ranges are stated.
    fn cast_overflow(&mut self, (from, node): (NodeId, NodeId), operand: &Operand, (span, made): (Span, usize)) {
        let convert = matches!(self.graph.builder.program().node(node).kind, NodeKind::Map(Prim::Convert, _));
        if self.set(&dtypes::INTEGER_OVERFLOW) == Level::Allow || !convert {
            return;
        }
        let Some(WrappedValues { exact, by_data }) = self.wraps(node, Class::Arithmetic, span) else { return };
        let dtype = self.graph.builder.dtype(node);
        let total = self.known_fold(from).map(|(low, high)| Interval::Integer { low, high });
        let fits = total.is_some_and(|total| total.exists_in(dtype));
        if fits || self.graph.fits_in_its_step(node, made) || self.is_of_neighbours(from, dtype) {
            return;
        }
        let ranges = match total {
            Some(total) => vec![Some(total)],
            None => self.intervals(std::slice::from_ref(operand)),
        };
        let level = self.set(&dtypes::INTEGER_OVERFLOW);
        let text = self.text(span).to_owned();
        let exact = total.unwrap_or(exact.interval);
        let found = report::cast_overflow(level, &text, exact, dtype, operand, &ranges, span);
        let walk = self.walk;
        self.perhaps(PossibleFinding::new(Refutation::Indifferent(node), span, found, walk).by_data(by_data));
    }

    fn division_by_zero(&mut self, node: NodeId, made: &AppliedOp) {
        let NodeKind::Map(Prim::FloorDiv | Prim::Rem, [_, Some(divisor), _]) =
            self.graph.builder.program().node(node).kind
        else {
            return;
        };
        let range = self.graph.ranges.of(self.graph.builder.program(), divisor);
        let Interval::Integer { low, high } = range.interval else { return };
        let always = (low, high) == (0, 0);
        if !(always || range.is_stated() && low <= 0 && high >= 0) {
            return;
        }
        let [_, by] = made.operands.as_slice() else { return };
        let program = self.graph.builder.program();
        if is_list_without_zero(program, divisor) || self.graph.ranges.is_never(program, divisor, 0) {
            return;
        }
        if self.graph.is_divisor(node, divisor) {
            return;
        }
        let level = self.set(&lints::DIVISION_BY_ZERO);
        let text = self.text(by.span).to_owned();
        let checked = self.known.settings.checked;
        let found = report::division_by_zero(level, made.op, by, range.interval, &text, (checked, made.at));
        let walk = self.walk;
        self.perhaps(PossibleFinding::new(Refutation::Nonzero(node, divisor), made.span, found, walk));
    }
}

/// `np.iinfo(np.int64).max` in a text.
fn of_iinfo(text: &str, end: &str) -> Option<String> {
    let at = text.find("iinfo(")?;
    let close = at + text[at..].find(')')? + 1;
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let from = text[..at].trim_end_matches(is_path).len();
    text[close..].starts_with(end).then(|| format!("{}{end}", &text[from..close]))
}

/// Whether exact values leave a dtype so that a report is due: they always do, or stated bounds do, or the dtype is
/// narrow.
fn is_worth_a_word(exact: &Range, dtype: DType, narrow: bool) -> bool {
    let (Interval::Integer { low, high }, Interval::Integer { low: least, high: most }) =
        (exact.interval, Interval::of_dtype(dtype))
    else {
        return false;
    };
    let always = low > most || high < least;
    always || high > most && (narrow || exact.high_stated) || low < least && (narrow || exact.low_stated)
}

/// Whether exact values leave a dtype only because inputs are given such values: they do so in no end that is stated.
fn is_by_data(exact: &Range, dtype: DType) -> bool {
    let (Interval::Integer { low, high }, Interval::Integer { low: least, high: most }) =
        (exact.interval, Interval::of_dtype(dtype))
    else {
        return false;
    };
    exact.of_data && !(high > most && exact.high_stated) && !(low < least && exact.low_stated)
}

/// Whether the operands of a node are literals: arrays that the script of a place itself holds, or numbers.
#[expect(clippy::wildcard_enum_match_arm, reason = "only views and conversions are looked through")]
fn is_of_literals(program: &Program, node: NodeId, at: Span) -> bool {
    let is_own = |input: &ProgramInput| input.is_literal() && input.span.source == at.source;
    let is_literal = |mut node: NodeId| loop {
        node = match program.node(node).kind {
            NodeKind::View { arg, .. } | NodeKind::Map(Prim::Convert, [Some(arg), ..]) => arg,
            NodeKind::Input(input) => break program.inputs.get(input as usize).is_some_and(is_own),
            NodeKind::Const(_) => break true,
            _ => break false,
        };
    };
    program.node(node).operands().all(is_literal)
}

/// Whether arithmetic is of narrow integers that were made wider, and of numbers: their dtypes say how far it reaches.
#[expect(clippy::wildcard_enum_match_arm, reason = "what other nodes give is any value of their dtype")]
fn is_widened(program: &Program, ranges: &mut Ranges, node: NodeId) -> bool {
    let mut parts: Vec<NodeId> = program.node(node).operands().collect();
    let (mut at, mut widens) = (0, false);
    while let Some(&part) = parts.get(at) {
        at += 1;
        let made_of: Args = match program.node(part).kind {
            NodeKind::Const(_) => [None; 3],
            NodeKind::View { arg, .. }
            | NodeKind::Gather { arg, .. }
            | NodeKind::Fold { fold: Fold::Min | Fold::Max, arg, .. } => [Some(arg), None, None],
            NodeKind::Map(Prim::Convert, [Some(arg), ..]) => {
                let narrow = program.node(arg).dtype;
                let is_narrow = narrow.bits() <= 16;
                // What wrapped before, as hashes do, can be any value; so can what inputs are given.
                let range = ranges.of(program, arg);
                let is_bounded = range.interval != Interval::of_dtype(narrow) && !range.of_data;
                let is_known = is_bounded && range.interval.exists_in(program.node(part).dtype);
                if !narrow.is_integer() || !is_narrow && !is_known {
                    return false;
                }
                widens |= is_narrow;
                [Some(arg).filter(|_| !is_narrow), None, None]
            }
            NodeKind::Map(Prim::Select, [_, yes, no]) => [yes, no, None],
            NodeKind::Map(prim, args) if integer::overflows(prim) || matches!(prim, Prim::Min | Prim::Max) => args,
            _ => return false,
        };
        let new: Vec<NodeId> = made_of.into_iter().flatten().filter(|arg| !parts.contains(arg)).collect();
        parts.extend(new);
        if parts.len() > MAX_PARTS {
            return false;
        }
    }
    widens
}

/// Whether a node is a list literal without 0, or a view of one.
fn is_list_without_zero(program: &Program, node: NodeId) -> bool {
    let NodeKind::Input(input) = program.node(program.below_views(node)).kind else { return false };
    let list = program.inputs.get(input as usize).filter(|input| input.is_literal());
    list.and_then(|input| input.value.as_ref()).is_some_and(|list| list.scalars().all(|element| element.bits != 0))
}
