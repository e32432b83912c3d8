//! The cost of a promotion, computed from the dtypes' parameters.
//!
//! A promotion of operands to `r` loses precision when some value of a strong operand is not exactly representable in
//! `r`. It loses range when some finite value of one overflows there. It widens when `r` has more bits than every
//! operand, and changes kind when integers meet as a float. No list of pairs is stored anywhere.

use crate::types::{DType, Elem, Kind};

/// What one promotion does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// Strong dtypes differ, whatever comes of it.
    Implicit,
    /// Some value of this operand is not representable in the result.
    PrecisionLoss {
        /// Index of the operand.
        operand: usize,
    },
    /// Some finite value of this operand overflows in the result.
    RangeLoss {
        /// Index of the operand.
        operand: usize,
    },
    /// The result has more bits than every operand.
    Widening,
    /// Integers meet as a float.
    KindChange,
}

/// The modes, from the loosest to the strictest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Mode {
    /// Implicit promotion is allowed; what loses is a warning.
    #[default]
    All,
    /// What loses or widens is an error.
    Safe,
    /// Any implicit promotion of strong operands is an error.
    None,
}

impl Mode {
    /// The modes in the order of tables.
    pub const ALL: [Mode; 3] = [Mode::All, Mode::Safe, Mode::None];

    /// `all`, `safe`, `none`.
    pub fn name(self) -> &'static str {
        match self {
            Mode::All => "all",
            Mode::Safe => "safe",
            Mode::None => "none",
        }
    }

    /// The mode with this name.
    pub fn find(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// Whether every value of `from` is a value of `to`.
pub fn exact(from: DType, to: DType) -> bool {
    fits_kind(from, to) && !loses_precision(from, to) && !loses_range(from, to)
}

fn fits_kind(from: DType, to: DType) -> bool {
    let rank = |kind| match kind {
        Kind::Bool => 0,
        Kind::Unsigned | Kind::Signed => 1,
        Kind::Float => 2,
        Kind::Complex => 3,
    };
    rank(from.kind()) <= rank(to.kind())
}

/// Whether some value of `from` has no exact counterpart in `to`.
pub fn loses_precision(from: DType, to: DType) -> bool {
    let (source, target) = (from.row(), to.row());
    if from.kind() == Kind::Signed && matches!(to.kind(), Kind::Unsigned | Kind::Bool) {
        return true;
    }
    let floats = from.kind().is_inexact();
    source.value_bits > target.value_bits || (floats && source.min_exponent < target.min_exponent)
}

/// Whether some finite value of `from` is infinite in `to` (floats) or wraps (integers).
pub fn loses_range(from: DType, to: DType) -> bool {
    let (source, target) = (from.row(), to.row());
    if from.is_integer() && to.kind().is_inexact() {
        // The largest value is below 2^value_bits and rounds up to it unless it is exact.
        let largest = if source.value_bits > target.value_bits { source.max_exponent + 1 } else { source.max_exponent };
        return largest > target.max_exponent;
    }
    source.max_exponent > target.max_exponent
}

/// What happens when these operands meet as `to`; weak operands count with the dtypes that `harden` answers.
pub fn effects(operands: &[Elem], to: Elem, harden: impl Fn(Elem) -> DType) -> Vec<Effect> {
    let target = harden(to);
    let mut strong = operands.iter().filter_map(|operand| operand.strong());
    let mut effects = Vec::new();
    let first = strong.next();
    if first.is_some_and(|first| strong.any(|other| other != first)) {
        effects.push(Effect::Implicit);
    }
    for (operand, elem) in operands.iter().enumerate() {
        let Some(dtype) = elem.strong() else { continue };
        // Integers that integers cannot hold are out of range: they wrap, and none is merely rounded.
        let integers = dtype.is_integer() && target.is_integer();
        let inexact = loses_precision(dtype, target);
        if inexact && !integers {
            effects.push(Effect::PrecisionLoss { operand });
        }
        if loses_range(dtype, target) || inexact && integers {
            effects.push(Effect::RangeLoss { operand });
        }
    }
    let dtypes: Vec<DType> = operands.iter().map(|&elem| harden(elem)).collect();
    let any_strong = operands.iter().any(|elem| !elem.is_weak());
    if any_strong && dtypes.iter().all(|dtype| dtype.bits() < target.bits()) && !dtypes.is_empty() {
        effects.push(Effect::Widening);
    }
    let integers = dtypes.iter().all(|dtype| dtype.is_integer() || *dtype == DType::Bool);
    if any_strong && integers && target.kind().is_inexact() {
        effects.push(Effect::KindChange);
    }
    effects
}

/// The strictest mode that allows a promotion with these effects.
pub fn strictest(effects: &[Effect]) -> Mode {
    match effects {
        [] => Mode::None,
        [Effect::Implicit] => Mode::Safe,
        _ => Mode::All,
    }
}

/// Whether an operation that computes in floats takes integers that are too wide for them: `i64 / i64` in `f64`.
pub fn inexact(operands: &[Elem], compute: Elem, harden: impl Fn(Elem) -> DType) -> bool {
    let to = harden(compute);
    let integers = operands.iter().all(|elem| !elem.kind().is_inexact());
    integers
        && to.kind().is_inexact()
        && operands.iter().filter_map(|elem| elem.strong()).any(|from| loses_precision(from, to))
}
