//! A loop's body as steps on virtual vectors: what every code generator reads.
//!
//! A virtual vector has a lane for each element of a chunk; how many those are is the generator's business. A step
//! names an operation, not an instruction, and each vector is written once, by the step whose number it has. Complex
//! numbers are two vectors, functions are sequences of operations.
//!
//! ```text
//! v0 : f32 = load 0
//! v1 : f32 = const 2.0
//! v2 : f32 = mul v0 v1
//! store 0 v2
//! ```

use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

/// A virtual vector: the result of the step with this number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(in crate::exec::jit) struct Virtual(pub(in crate::exec::jit) u32);

/// What a step does.
///
/// Of functions there are the operations of [`Lanes`](crate::scalar::math::lanes::Lanes) that no prim is; the others
/// are prims, which mean the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::exec::jit) enum VectorOp {
    /// The same bits in every lane.
    Const(u128),
    /// The elements of an input, or their real (0) or imaginary (1) parts.
    Load {
        input: usize,
        part: usize,
    },
    /// The next values of a counting input.
    Count {
        input: usize,
    },
    /// Stores a vector in the elements of an output, or two vectors in their parts.
    Store {
        output: usize,
    },
    /// A prim of whole vectors.
    Prim(Prim),
    /// A prim that has no operations on vectors: of one element after the other.
    Call(Prim),
    /// Chooses between a result and the prim itself. The operands are a truth value, the result, and the operands of
    /// the prim. The prim is computed only if the truth value is true in some lane.
    SlowPath(Prim),
    /// `c - a * b`, rounded once.
    NegatedFma,
    /// The smaller of two floats. Not-a-number in the first operand stays.
    AtMost,
    /// The larger of two floats. Not-a-number in the first operand stays.
    AtLeast,
    /// Negates the first operand where bit 1 of the second is set.
    NegateByTurns,
    /// `a * 2^floor(b)`; the third is `b` added to a large number, which leaves it in the last bits, `below` of which
    /// are behind the binary point. `normal` if both numbers are.
    Scale {
        below: u8,
        normal: bool,
    },
    /// `a * 2^-b` for a whole number `b`. Where `b` is more than 100, the caller gives 0 for `a`.
    ScaleDown,
    /// The first operand's sign, and the size of the smaller.
    Limit,
    /// Whether the bits have a 1.
    Odd,
    /// Tells whether the first operand is not less than the second.
    NotLess,
    /// The exponent that goes with a rest from 3/4 up to 3/2, and that rest; `normal` if nothing is subnormal.
    Exponent {
        normal: bool,
    },
    Mantissa {
        normal: bool,
    },
    /// The first as the logarithm of the second.
    Logarithm,
    /// Elements of a table, which has the second number, by the bits of a float from the first one on.
    Lookup(u8, usize),
}

/// The operands of a step.
pub(in crate::exec::jit) type VectorOperands = [Option<Virtual>; 5];

/// One step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::exec::jit) struct VectorStep {
    pub(in crate::exec::jit) op: VectorOp,
    /// The dtype of the result's lanes. For a store it is that of the first operand.
    pub(in crate::exec::jit) dtype: DType,
    pub(in crate::exec::jit) operands: VectorOperands,
}

/// The body of a loop. Tables are bits of floats of a dtype.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::exec::jit) struct VectorBody {
    pub(in crate::exec::jit) steps: Vec<VectorStep>,
    pub(in crate::exec::jit) tables: Vec<(DType, Vec<u64>)>,
}

impl VectorStep {
    /// An operation on vectors.
    pub(in crate::exec::jit) fn new(op: VectorOp, dtype: DType, args: &[Virtual]) -> VectorStep {
        let mut operands = [None; 5];
        operands.iter_mut().zip(args).for_each(|(operand, &arg)| *operand = Some(arg));
        VectorStep { op, dtype, operands }
    }

    /// The operands that there are.
    pub(in crate::exec::jit) fn args(&self) -> impl Iterator<Item = Virtual> + '_ {
        self.operands.iter().flatten().copied()
    }
}

impl VectorBody {
    pub(in crate::exec::jit) fn step(&self, value: Virtual) -> &VectorStep {
        &self.steps[value.0 as usize]
    }

    pub(in crate::exec::jit) fn dtype(&self, value: Virtual) -> DType {
        self.step(value).dtype
    }

    /// The bits of a constant.
    pub(in crate::exec::jit) fn constant(&self, value: Option<Virtual>) -> Option<u128> {
        if let VectorOp::Const(bits) = self.step(value?).op { Some(bits) } else { None }
    }

    /// The exponent, if a value is a constant power of two.
    pub(in crate::exec::jit) fn power_of_two(&self, value: Option<Virtual>) -> Option<u32> {
        let (bits, dtype) = (self.constant(value)?, self.dtype(value?));
        let negative = dtype.kind() == Kind::Signed && bits >> (dtype.bits() - 1) != 0;
        (dtype.is_integer() && bits.is_power_of_two() && !negative).then(|| bits.trailing_zeros())
    }

    /// Which operand of a minimum or maximum of floats is a number that one comparison bounds the other by, and its
    /// bits: not NaN, and no zero that +0 should give way to.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only an `f32` or an `f64` is a plain bound")]
    pub(in crate::exec::jit) fn plain_bound(&self, operands: &VectorOperands, prim: Prim) -> Option<(usize, u128)> {
        (0..2).find_map(|index| {
            let (bits, dtype) = (self.constant(operands[index])?, self.dtype(operands[index]?));
            let number = match dtype {
                DType::F32 => f64::from(f32::from_bits(bits as u32)),
                DType::F64 => f64::from_bits(bits as u64),
                _ => f64::NAN,
            };
            let lesser_zero = number == 0.0 && number.is_sign_negative() && prim == Prim::Min;
            (!number.is_nan() && !lesser_zero).then_some((index, bits))
        })
    }

    /// Bytes of the widest lane; small floats are computed as `f32`.
    pub(in crate::exec::jit) fn widest(&self) -> usize {
        let bytes = |step: &VectorStep| if step.dtype.is_small_float() { 4 } else { step.dtype.size() };
        self.steps.iter().map(bytes).max().unwrap_or(1)
    }
}

impl std::fmt::Display for VectorBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, step) in self.steps.iter().enumerate() {
            if let VectorOp::Store { output } = step.op {
                write!(f, "  store {output}")?;
            } else {
                write!(f, "  v{at} : {} = ", step.dtype)?;
            }
            match step.op {
                VectorOp::Const(bits) => {
                    let scalar = Scalar { dtype: step.dtype, bits };
                    write!(f, "const {}", crate::array::show::scalar_text(scalar))?;
                }
                VectorOp::Load { input, part } => write!(f, "load {input}{}", ["", " imaginary"][part])?,
                VectorOp::Count { input } => write!(f, "count {input}")?,
                VectorOp::Store { .. } => {}
                VectorOp::Prim(prim) => write!(f, "{}", prim.name())?,
                VectorOp::Call(prim) => write!(f, "call {}", prim.name())?,
                VectorOp::SlowPath(prim) => write!(f, "slow-path {}", prim.name())?,
                VectorOp::NegatedFma => write!(f, "fnma")?,
                VectorOp::AtMost => write!(f, "at-most")?,
                VectorOp::AtLeast => write!(f, "at-least")?,
                VectorOp::NegateByTurns => write!(f, "turned")?,
                VectorOp::Scale { below, normal: true } => write!(f, "raise-{below}")?,
                VectorOp::Scale { below, normal: false } => write!(f, "scale-{below}")?,
                VectorOp::ScaleDown => write!(f, "lowered")?,
                VectorOp::Limit => write!(f, "limit")?,
                VectorOp::Odd => write!(f, "odd")?,
                VectorOp::NotLess => write!(f, "outside")?,
                VectorOp::Exponent { normal } => write!(f, "exponent{}", if normal { "-normal" } else { "" })?,
                VectorOp::Mantissa { normal } => write!(f, "mantissa{}", if normal { "-normal" } else { "" })?,
                VectorOp::Logarithm => write!(f, "logarithm")?,
                VectorOp::Lookup(from, table) => write!(f, "lookup-{from} t{table}")?,
            }
            step.args().try_for_each(|Virtual(arg)| write!(f, " v{arg}"))?;
            writeln!(f)?;
        }
        for (number, (dtype, table)) in self.tables.iter().enumerate() {
            writeln!(f, "  t{number} : {dtype} = {table:x?}")?;
        }
        Ok(())
    }
}
