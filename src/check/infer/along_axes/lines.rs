//! Calls over whole lines. The axis of an argument becomes the line, and the results go back to their places.

use super::line_axes::LineAxes;
use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::found::facts::{FoldedAxes, Subject};
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::build::LengthNames;
use crate::ir::{Fault, NodeId, View};
use crate::ops::lines::{LineArrangement, LineCall, Lines, ResultDType};
use crate::ops::{Op, Param, Role};
use crate::promotion::rule::to_part;
use crate::promotion::{self, Class, Decision};
use crate::source::Span;
use crate::types::{DType, Dim, Elem, Kind, Shape};

/// The arguments of a call, by what they stand for.
struct LinesArguments {
    operands: Vec<Operand>,
    positions: Vec<Operand>,
    fractions: Option<Operand>,
    weights: Option<Operand>,
    /// The axes as they are given, or as the row writes the default. `None` stands for all of them.
    axes: Option<(Vec<i64>, Span)>,
    keep: bool,
    asked: LineCall,
}

impl LinesArguments {
    /// None yet, for a call that asks for nothing yet.
    fn of(asked: LineCall) -> LinesArguments {
        let (operands, positions) = (Vec::new(), Vec::new());
        LinesArguments { operands, positions, fractions: None, weights: None, axes: None, keep: false, asked }
    }
}

/// Elements with weights.
struct WeightedLine {
    decision: Decision,
    /// The weights.
    node: NodeId,
    /// The elements in the dtype of both, where the system brings them to one.
    of: NodeId,
}

impl Ctx<'_> {
    pub(in crate::check) fn call_lines(
        &mut self,
        op: &'static Op,
        lines: &Lines,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        self.lined(op, lines, given, span, at).unwrap_or(Value::Error)
    }

    /// Whether a line has as many elements as are asked for, where both are known.
    fn long_enough(&mut self, op: &'static Op, k: &Dim, line: NodeId, at: Span) -> Option<()> {
        let len = self.graph.builder.shape(line).last().cloned().unwrap_or(Dim::Const(0));
        if k.known().zip(len.known()).is_some_and(|(k, len)| k > len) {
            self.error(report::too_many_wanted(op, k, &len, at));
            return None;
        }
        self.note_long_enough(&len, k, at);
        Some(())
    }

    fn lined(&mut self, op: &'static Op, lines: &Lines, given: Vec<GivenValue>, span: Span, at: Span) -> Option<Value> {
        let names = LengthNames { free: self.fresh_lengths(lines.counts), span: at };
        let mut found = LinesArguments::of(LineCall::new(names));
        for (param, given) in op.params.iter().zip(given) {
            self.line_argument(op, lines, param, given, at, &mut found)?;
        }
        let LinesArguments { operands, positions, fractions, weights, axes, keep, mut asked } = found;
        let picks = self.picks_elements(op, lines, fractions.as_ref(), &mut asked);
        let (decision, nodes, joined) =
            self.decided_or_joined(op, &operands, weights.as_ref(), (fractions.as_ref(), picks), at)?;
        for index in &positions {
            asked.operands.positions.push(self.wide_positions(index)?);
            asked.operands.told.push(self.node(index)?);
        }
        asked.decided = decision.map_or(DType::I64, |decision| self.settings.harden(decision.result));
        let mut weighed = None;
        if let Some(weights) = &weights {
            let found = match joined {
                Some(joined) => joined,
                None => self.weighed(op, weights, operands.first().or(positions.first())?, at)?,
            };
            asked.operands.weights = Some(found.node);
            weighed = Some(found.decision);
        }
        let several = fractions.as_ref().is_some_and(|q| !q.shape.is_empty());
        if let Some(q) = &fractions {
            asked.operands.fractions = Some(self.fractions(q)?);
        }
        let moved = match lines.arrange {
            LineArrangement::Along | LineArrangement::Reduce => {
                self.lines_of_first(&operands[0], nodes[0], axes, &mut asked, span)?
            }
            LineArrangement::Lookup { values, any } => {
                self.lines_of_lookup(op, (values, any), &operands, nodes, &mut asked, at)?
            }
            LineArrangement::Groups => self.lines_of_groups(op, &operands, nodes, &positions, &mut asked, at)?,
            LineArrangement::Whole => self.whole_lines(op, &operands, nodes, &positions, &mut asked, at)?,
            LineArrangement::Matrices(wanted) => self.matrices_given(op, wanted, &operands, nodes, &mut asked, at)?,
            LineArrangement::Norms => self.norms_given(op, (&operands[0], nodes[0]), axes, &mut asked, span, at)?,
        };
        if let (LineArrangement::Along, Some(k)) = (lines.arrange, asked.options.sizes.first()) {
            self.long_enough(op, k, asked.operands.args[0], at)?;
        }
        if let (LineArrangement::Reduce | LineArrangement::Along, Some(decision)) = (lines.arrange, decision) {
            let (operand, node, axes) = (operands[0].clone(), asked.operands.args[0], moved.axes.clone());
            self.found(Subject::Folded(FoldedAxes { op, operand, node, axes, decision, asked: None, at }));
        }
        let before = self.graph.builder.program().nodes.len();
        let results = (lines.expand)(&mut self.graph.expand(), &mut asked);
        self.may_wrap(before, op.shown(), at);
        if lines.arrange == LineArrangement::Groups {
            self.found_groups(op, operands.first(), (&results, false), &asked, at);
        }
        // Weights that a system converts are wide enough.
        let own = |weights: &&Operand| weighed.is_some_and(|decision| decision.result == weights.elem);
        self.found_groups(op, weights.as_ref().filter(own), (&results, true), &asked, at);
        self.ask_of_matrices(op, before, &asked, at);
        for (fault, text, value) in asked.results.faults {
            self.graph.refuse(fault, Fault::Refused { text, value }, at);
        }
        let mut values = Vec::with_capacity(results.len());
        for (nth, node) in results.into_iter().enumerate() {
            let node = self.back(lines.arrange, node, &moved, keep, several, span)?;
            let gives = *lines.results.get(nth).or(lines.results.last())?;
            let gives = if asked.results.parts { ResultDType::Part } else { gives };
            values.push(self.line_result(gives, node, decision, weighed, span));
        }
        if values.is_empty() {
            self.error(report::not_a_vector(op, op.params[0].name, operands.first()?));
            return None;
        }
        Some(match values.len() {
            1 if !asked.results.tuple => values.remove(0),
            _ => Value::Tuple(values.into()),
        })
    }

    /// What a system decides of the operands, if there are any, and these in the dtype that is computed in.
    fn decided_lines(
        &mut self,
        op: &'static Op,
        operands: &[Operand],
        fractions: Option<&Operand>,
        picks: bool,
        at: Span,
    ) -> Option<(Option<Decision>, Vec<NodeId>)> {
        let Some(first) = operands.first() else { return Some((None, Vec::new())) };
        let keeps = picks && self.settings.system.rule_of(op.into()).asked.keeps_picked;
        let (decision, nodes) = match self.asked_array(op, fractions) {
            _ if keeps && first.elem.kind() != Kind::Complex => {
                self.meet(Class::Reduction, op.name, std::slice::from_ref(first), at)?
            }
            Some(asked) => self.meet_for(op, &[first.clone(), asked], at)?,
            None => self.accumulated_all(op, operands, at)?,
        };
        Some((Some(decision), nodes))
    }

    /// A result in the dtype that its row says; sums of weights have one of their own.
    fn line_result(
        &mut self,
        gives: ResultDType,
        node: NodeId,
        decision: Option<Decision>,
        weighed: Option<Decision>,
        span: Span,
    ) -> Value {
        match (gives, weighed.or(decision), decision) {
            (ResultDType::Decided, Some(decision), _) => self.made(node, decision, span, None),
            (ResultDType::Part, Some(decision), _) => {
                let decision = Decision { result: to_part(decision.result), ..decision };
                self.made(node, decision, span, None)
            }
            (ResultDType::Computed, _, Some(decision)) => {
                self.in_dtype(node, self.settings.harden(decision.compute), span)
            }
            (ResultDType::Own | ResultDType::Computed, ..) => {
                self.computed_value(node, self.graph.builder.dtype(node).into(), span)
            }
            (ResultDType::Count, ..) | (ResultDType::Decided | ResultDType::Part, None, _) => {
                self.in_dtype(node, self.whole_dtype(Class::Count), span)
            }
            (ResultDType::Place, ..) => self.in_dtype(node, self.whole_dtype(Class::Search), span),
        }
    }

    /// The lines of the only operand: along the axes that are given.
    fn lines_of_first(
        &mut self,
        operand: &Operand,
        node: NodeId,
        axes: Option<(Vec<i64>, Span)>,
        asked: &mut LineCall,
        span: Span,
    ) -> Option<LineAxes> {
        let axes = match axes {
            Some((list, axes_at)) => Some(self.resolve_axes(operand, &list, axes_at)?),
            None => None,
        };
        let (node, moved) = self.lines_along(operand, node, axes, span)?;
        asked.operands.args = vec![node];
        Some(moved)
    }

    /// A value in another dtype.
    fn in_dtype(&mut self, node: NodeId, dtype: DType, span: Span) -> Value {
        let node = self.graph.expand().convert(node, dtype);
        self.computed_value(node, dtype.into(), span)
    }

    /// The dtype in which the system counts, or says places.
    fn whole_dtype(&self, class: Class) -> DType {
        let counted = promotion::Operand::array(DType::I64.into());
        let decision = promotion::result(self.settings.system, class, &[counted]);
        decision.map_or(DType::I64, |decision| self.settings.harden(decision.result))
    }

    /// Whether the system brings the elements of a histogram and their weights to one dtype, which the edges have too.
    /// Complex weights have edges that are real.
    fn joins_weights(&self, op: &'static Op, operands: &[Operand], weights: &Operand) -> bool {
        let meets = op.class != Class::Weights && self.settings.system.rule_of(Class::Weights.into()).asked.meets;
        let is_real = |operand: &Operand| operand.elem.kind() != Kind::Complex;
        meets && operands.len() == 1 && is_real(weights) && operands.iter().all(is_real)
    }

    /// What is decided of operands, with the weights of a histogram where the system brings them and the elements to
    /// one dtype.
    fn decided_or_joined(
        &mut self,
        op: &'static Op,
        operands: &[Operand],
        weights: Option<&Operand>,
        (fractions, picks): (Option<&Operand>, bool),
        at: Span,
    ) -> Option<(Option<Decision>, Vec<NodeId>, Option<WeightedLine>)> {
        let Some(weights) = weights.filter(|weights| self.joins_weights(op, operands, weights)) else {
            let (decision, nodes) = self.decided_lines(op, operands, fractions, picks, at)?;
            return Some((decision, nodes, None));
        };
        let joined = self.weighed(op, weights, &operands[0], at)?;
        Some((Some(joined.decision), vec![joined.of], Some(joined)))
    }

    /// Weights, one for each element, in the dtype that their sums have.
    fn weighed(&mut self, op: &'static Op, weights: &Operand, of: &Operand, at: Span) -> Option<WeightedLine> {
        if weights.shape != of.shape {
            let counted = self.any_counted([&of.shape[..], &weights.shape]);
            self.error(report::lengths_differ(op, of, weights, counted, at));
            return None;
        }
        let (decision, nodes) = if op.class == Class::Weights {
            self.meet_for(op, std::slice::from_ref(weights), at)?
        } else if self.settings.system.rule_of(Class::Weights.into()).asked.meets {
            self.meet(Class::Weights, op.name, &[weights.clone(), of.clone()], at)?
        } else {
            self.meet(Class::Weights, op.name, std::slice::from_ref(weights), at)?
        };
        let len = Self::element_count(&weights.shape)?;
        let node = self.graph.builder.broadcast(nodes[0], &weights.shape);
        let node = self.graph.builder.view(node, View::Reshape, vec![len]);
        Some(WeightedLine { decision, node, of: nodes.get(1).copied().unwrap_or(nodes[0]) })
    }

    /// All elements of each operand as one line.
    fn whole_lines(
        &mut self,
        op: &'static Op,
        operands: &[Operand],
        nodes: Vec<NodeId>,
        positions: &[Operand],
        asked: &mut LineCall,
        at: Span,
    ) -> Option<LineAxes> {
        for (operand, node) in operands.iter().zip(nodes) {
            let count = self.known_count(operand, at)?;
            let own = self.node(operand)?;
            let own = self.graph.builder.view(own, View::Reshape, vec![count.clone()]);
            asked.operands.whole.push((operand.shape.clone(), own));
            asked.operands.args.push(self.graph.builder.view(node, View::Reshape, vec![count]));
        }
        for (labels, node) in positions.iter().zip(&mut asked.operands.positions) {
            if labels.shape.len() != 1 {
                self.error(report::not_a_vector(op, op.params[0].name, labels));
                return None;
            }
            let count = self.known_count(labels, at)?;
            *node = self.graph.builder.view(*node, View::Reshape, vec![count]);
        }
        Some(LineAxes { others: Shape::new(), axes: Vec::new() })
    }

    /// How many bins, or their edges.
    fn bins(&mut self, op: &'static Op, value: Value, at: Span, found: &mut LinesArguments) -> Option<()> {
        let number = if let Value::Computed(computed) = &value {
            self.now(computed.node).is_some_and(|scalar| scalar.dtype.is_integer())
        } else {
            matches!(value, Value::Dim(_) | Value::Const(crate::constant::Const::Int(_)))
        };
        if number {
            let size = self.size_given(value, at)?;
            if size == Dim::Const(0) {
                self.error(report::no_bins(op, at));
                return None;
            }
            found.asked.options.sizes.push(size);
            return Some(());
        }
        let edges = self.operand(value, at)?;
        if edges.shape.len() != 1 || edges.shape[0] == Dim::Const(0) {
            self.error(report::not_a_vector(op, "bins", &edges));
            return None;
        }
        found.operands.push(edges);
        Some(())
    }

    /// The two ends of an interval.
    fn interval_given(&mut self, param: &'static Param, value: Value, at: Span) -> Option<[NodeId; 2]> {
        let Value::Tuple(items) = &value else {
            self.error(report::not_an_interval(param.name, value.describe().to_owned(), at));
            return None;
        };
        let mut ends = Vec::with_capacity(2);
        for item in items.iter() {
            let end = self.operand(item.clone(), at)?;
            if !end.shape.is_empty() || end.elem.kind() == Kind::Complex {
                self.error(report::not_an_interval(param.name, end.describe(), at));
                return None;
            }
            let node = match end.elem {
                Elem::Strong(_) => self.node(&end)?,
                Elem::WeakInt | Elem::WeakFloat | Elem::WeakComplex => self.exact(&end, DType::F64, None)?,
            };
            ends.push(self.graph.expand().convert(node, DType::F64));
        }
        match <[NodeId; 2]>::try_from(ends) {
            Ok(ends) => Some(ends),
            Err(ends) => {
                self.error(report::not_an_interval(param.name, format!("{} values", ends.len()), at));
                None
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other parameter is an operand")]
    fn line_argument(
        &mut self,
        op: &'static Op,
        lines: &Lines,
        param: &'static Param,
        given: GivenValue,
        at: Span,
        found: &mut LinesArguments,
    ) -> Option<()> {
        match param.role {
            Role::Axis | Role::Axes => {
                let default = param.default.and_then(|text| text.parse::<i64>().ok());
                found.axes = match given {
                    Some((value, axes_at)) if param.role == Role::Axis => {
                        self.axis_given(op, value, axes_at)?.map(|list| (list, axes_at))
                    }
                    Some((value, axes_at)) => self.axes_given(value, axes_at)?.map(|list| (list, axes_at)),
                    None => default.map(|axis| (vec![axis], at)),
                };
            }
            Role::Keep => found.keep = self.flag_or_default(param, given)?,
            Role::Flag => {
                let flag = self.flag_or_default(param, given)?;
                found.asked.options.flags.push(flag);
            }
            Role::Text => {
                found.asked.options.words.push(self.word_given(param, given, lines.words, at)?);
            }
            Role::Size => {
                let default = param.default.and_then(|text| text.parse().ok());
                match given.filter(|(value, _)| default.is_none() || !matches!(value, Value::None)) {
                    Some((value, size_at)) => {
                        let size = self.size_given(value, size_at)?;
                        found.asked.options.sizes.push(size);
                    }
                    None => found.asked.options.sizes.extend(default.map(Dim::Const)),
                }
            }
            Role::Bins => match given {
                Some((Value::Str(_), bins_at)) => {
                    self.error(report::bins_by_word(op, bins_at));
                    return None;
                }
                Some((value, bins_at)) => self.bins(op, value, bins_at, found)?,
                None => {
                    found.asked.options.sizes.extend(param.default.and_then(|text| text.parse().ok()).map(Dim::Const));
                }
            },
            Role::Interval => {
                if let Some((value, interval_at)) = given.filter(|(value, _)| !matches!(value, Value::None)) {
                    found.asked.operands.interval = Some(self.interval_given(param, value, interval_at)?);
                }
            }
            Role::Weights => {
                if let Some((value, weights_at)) = given.filter(|(value, _)| !matches!(value, Value::None)) {
                    found.weights = Some(self.operand(value, weights_at)?);
                }
            }
            Role::Written => {}
            Role::Norm => self.norm_order(param, given, &mut found.asked)?,
            Role::Number => {
                found.asked.options.numbers.push(self.number_given(param, given)?);
            }
            Role::Positions => {
                let (value, index_at) = given?;
                let index = self.index_operand(value, index_at)?;
                found.positions.push(index);
            }
            Role::Fractions => {
                let (value, q_at) = given?;
                found.fractions = Some(self.operand(value, q_at)?);
            }
            _ => {
                let (value, value_at) = given?;
                found.operands.push(self.operand(value, value_at)?);
            }
        }
        Some(())
    }

    /// A flag as it is given, or as it is where nothing is said.
    fn flag_or_default(&mut self, param: &'static Param, given: GivenValue) -> Option<bool> {
        match given {
            Some((value, at)) => self.flag(param, value, at),
            None => Some(param.default == Some("true")),
        }
    }

    /// The place of a word among those that a call knows.
    pub(in crate::check::infer) fn word_given(
        &mut self,
        param: &'static Param,
        given: GivenValue,
        words: &'static [&'static str],
        at: Span,
    ) -> Option<usize> {
        let (word, text_at) = match given.filter(|(value, _)| !matches!(value, Value::None)) {
            Some((Value::Str(text), text_at)) => (text.to_string(), text_at),
            Some((value, text_at)) => {
                self.error(report::not_a_word(param.name, value.describe(), words, text_at));
                return None;
            }
            None => (param.default.unwrap_or_default().trim_matches('"').to_owned(), at),
        };
        let place = words.iter().position(|known| *known == word);
        if place.is_none() {
            self.error(report::not_a_word(param.name, &format!("\"{word}\""), words, text_at));
        }
        place
    }

    /// Operands in the dtype that their class computes in.
    fn accumulated_all(&mut self, op: &'static Op, operands: &[Operand], at: Span) -> Option<(Decision, Vec<NodeId>)> {
        match operands {
            [only] => {
                let (decision, node) = self.in_accumulator(op, only, at)?;
                Some((decision, vec![node]))
            }
            several => self.meet_for(op, several, at),
        }
    }

    /// Positions as `i64`; what is beyond 63 bits is far outside.
    pub(in crate::check) fn wide_positions(&mut self, index: &Operand) -> Option<NodeId> {
        let node = self.node(index)?;
        let mut e = self.graph.expand();
        let wide = e.convert(node, DType::I64);
        if e.dtype(node) != DType::U64 {
            return Some(wide);
        }
        let below = e.is_negative(wide);
        let far = e.whole(i64::MAX);
        Some(e.select(below, far, wide))
    }
}
