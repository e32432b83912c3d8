//! Numbers that counters of loops make. With literals, in few steps, they have few values, which are all known.

use crate::check::infer::Ctx;
use crate::ir::{NodeId, NodeKind};
use crate::range::Interval;
use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use crate::types::DType;
use std::collections::{BTreeSet, HashMap};

/// The most nodes that such a number is made of.
const MAX_NODES: usize = 64;
/// The most values that the counters have together.
const MAX_VALUES: usize = 256;

impl Ctx<'_> {
    /// Whether a float loses in a dtype no more than the literal 0.1 does: all its values are known, none is so small
    /// that it has fewer digits there, and the integers as large as they are exist there.
    pub(super) fn is_rounded_as_literals(&mut self, node: NodeId, dtype: DType) -> bool {
        if !self.graph.builder.dtype(node).is_float() || !dtype.is_float() {
            return false;
        }
        let sizes = dtype.smallest_normal()..=2f64.powi(dtype.row().value_bits as i32);
        let is_alike = |size: f64| size == 0.0 || sizes.contains(&size);
        let values = self.values_in_steps(node);
        values.is_some_and(|values| values.iter().all(|value| is_alike(value.to_f64().abs())))
    }

    /// All values of a number that is made of constants and of the counters of few steps.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node has few values")]
    fn values_in_steps(&mut self, node: NodeId) -> Option<Vec<Scalar>> {
        let program = self.graph.builder.program();
        let (mut open, mut nodes) = (vec![node], BTreeSet::new());
        let mut trials: Vec<HashMap<NodeId, Scalar>> = vec![HashMap::new()];
        while let Some(node) = open.pop() {
            if !nodes.insert(node) {
                continue;
            }
            let found = program.node(node);
            if nodes.len() > MAX_NODES || !found.shape.is_empty() {
                return None;
            }
            match found.kind {
                NodeKind::Const(_) => {}
                NodeKind::Map(_, args) => open.extend(args.into_iter().flatten()),
                NodeKind::Param(_) if found.dtype == DType::I64 => {
                    let Interval::Integer { low, high } = self.graph.ranges.of(program, node).interval else {
                        return None;
                    };
                    let (low, high) = (i64::try_from(low).ok()?, i64::try_from(high).ok()?);
                    let count = usize::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
                    if count.checked_mul(trials.len())? > MAX_VALUES {
                        return None;
                    }
                    let with = |trial: &HashMap<NodeId, Scalar>, value: i64| {
                        let mut trial = trial.clone();
                        trial.insert(node, Scalar::of(value));
                        trial
                    };
                    trials =
                        trials.iter().flat_map(|trial| (low..=high).map(move |value| with(trial, value))).collect();
                }
                _ => return None,
            }
        }
        // What is made of constants alone was computed already.
        if trials.iter().any(HashMap::is_empty) {
            return None;
        }
        for known in &mut trials {
            // Operands come before what is made of them.
            for &node in &nodes {
                let found = program.node(node);
                let value = match found.kind {
                    NodeKind::Const(scalar) => scalar,
                    NodeKind::Map(prim, args) => {
                        let args: Option<Vec<Scalar>> =
                            args.into_iter().flatten().map(|arg| known.get(&arg).copied()).collect();
                        eval(prim, found.dtype, &args?)
                    }
                    _ => continue,
                };
                known.insert(node, value);
            }
        }
        trials.iter().map(|known| known.get(&node).copied()).collect()
    }
}
