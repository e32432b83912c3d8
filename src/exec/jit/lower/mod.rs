//! The lowering of a loop to steps on virtual vectors.
//!
//! Functions that are defined over lanes are [traced](trace) into operations, complex numbers taken apart, and what is
//! the same is done once. Some prims are [a few others](expand); what no processor has vectors for is left as calls.

mod body;
mod bounds;
mod demanded;
mod expand;
#[cfg(feature = "object")]
mod tails;
mod trace;
mod verify;

pub(super) use body::{VectorBody, VectorOp, VectorOperands, VectorStep, Virtual};
pub(super) use bounds::Bounds;
#[cfg(feature = "object")]
pub(super) use tails::tail;

use crate::exec::stepping::{Loop, LoopInput};
use crate::hash::QuickMap;
use crate::kernel::{InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::DType;
use trace::Scaling;

/// The value of an instruction.
#[derive(Clone, Copy, Debug)]
enum OneOrTwo {
    One(Virtual),
    /// Real and imaginary.
    Two(Virtual, Virtual),
}

impl OneOrTwo {
    fn one(self) -> Virtual {
        match self {
            OneOrTwo::One(value) => value,
            OneOrTwo::Two(..) => unreachable!("a complex number has two parts"),
        }
    }
}

/// A body in the making. A step that there is already is not made again.
#[derive(Debug, Default)]
struct BodyBuilder {
    body: VectorBody,
    known: QuickMap<VectorStep, Virtual>,
}

impl BodyBuilder {
    fn push(&mut self, op: VectorOp, dtype: DType, args: &[Virtual]) -> Virtual {
        let step = VectorStep::new(op, dtype, args);
        *self.known.entry(step).or_insert_with(|| {
            self.body.steps.push(step);
            Virtual(self.body.steps.len() as u32 - 1)
        })
    }

    fn table(&mut self, table: (DType, Vec<u64>)) -> usize {
        self.body.tables.iter().position(|known| *known == table).unwrap_or_else(|| {
            self.body.tables.push(table);
            self.body.tables.len() - 1
        })
    }
}

/// What a code generator has one step for, where others get a few.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct TargetAbilities {
    /// [`VectorOp::Scale`] knows what to do with any exponent.
    pub(super) any_scale: bool,
    /// Bits are counted.
    pub(super) popcount: bool,
}

/// The steps of a loop.
pub(super) fn lower(code: &Loop, abilities: TargetAbilities) -> VectorBody {
    let used = used(code);
    let mut building = BodyBuilder::default();
    let mut values: Vec<Option<OneOrTwo>> = vec![None; used.len()];
    for index in (0..used.len()).filter(|&index| used[index]) {
        values[index] = Some(inst(code, index, &values, &mut building, abilities));
    }
    for (output, of) in code.outputs.iter().enumerate() {
        let op = VectorOp::Store { output };
        let dtype = code.dtype(of.value).part();
        match values[of.value.0 as usize].expect("outputs are used") {
            OneOrTwo::One(value) => building.push(op, dtype, &[value]),
            OneOrTwo::Two(re, im) => building.push(op, dtype, &[re, im]),
        };
    }
    debug_assert_eq!(verify::body(&building.body, code), Ok(()));
    building.body
}

/// Which values outputs depend on.
fn used(code: &Loop) -> Vec<bool> {
    let mut used = vec![false; code.body.insts.len()];
    code.outputs.iter().for_each(|output| used[output.value.0 as usize] = true);
    for index in (0..used.len()).rev() {
        if let (true, InstOp::Prim(_, args)) = (used[index], code.body.insts[index].op) {
            args.iter().flatten().for_each(|arg| used[arg.0 as usize] = true);
        }
    }
    used
}

fn inst(
    code: &Loop,
    index: usize,
    values: &[Option<OneOrTwo>],
    building: &mut BodyBuilder,
    abilities: TargetAbilities,
) -> OneOrTwo {
    let inst = code.body.insts[index];
    let (dtype, part) = (inst.dtype, inst.dtype.part());
    let mut both = |op: &dyn Fn(usize) -> VectorOp| {
        let first = building.push(op(0), part, &[]);
        if dtype.is_complex() { OneOrTwo::Two(first, building.push(op(1), part, &[])) } else { OneOrTwo::One(first) }
    };
    match inst.op {
        InstOp::Const(bits) => both(&|at| {
            let above = 128 - part.bits();
            VectorOp::Const(bits >> (at as u32 * part.bits()) << above >> above)
        }),
        InstOp::Load(input) => both(&|part| VectorOp::Load { input: input as usize, part }),
        InstOp::Iota(input) => {
            debug_assert_eq!(code.inputs[input as usize], LoopInput::Count);
            OneOrTwo::One(building.push(VectorOp::Count { input: input as usize }, dtype, &[]))
        }
        InstOp::Prim(prim, args) => {
            let args = args.iter().flatten().map(|&InstId(arg)| values[arg as usize].expect("operands come first"));
            of_prim(prim, dtype, &args.collect::<Vec<OneOrTwo>>(), building, abilities)
        }
    }
}

fn of_prim(
    prim: Prim,
    dtype: DType,
    args: &[OneOrTwo],
    building: &mut BodyBuilder,
    abilities: TargetAbilities,
) -> OneOrTwo {
    match (prim, args) {
        (Prim::Real, [OneOrTwo::Two(re, _)]) => return OneOrTwo::One(*re),
        (Prim::Imag, [OneOrTwo::Two(_, im)]) => return OneOrTwo::One(*im),
        (Prim::Pair, [re, im]) => return OneOrTwo::Two(re.one(), im.one()),
        _ => {}
    }
    let args: Vec<Virtual> = args.iter().map(|arg| arg.one()).collect();
    let from = building.body.dtype(args[0]);
    let scaling = if abilities.any_scale { Scaling::Any } else { Scaling::Bounded };
    if let Some(value) = expand::of_bytes(building, prim, dtype, &args, abilities) {
        return OneOrTwo::One(value);
    }
    OneOrTwo::One(if prim == Prim::Convert && from == dtype {
        args[0]
    } else if prim == Prim::Popcount && abilities.popcount {
        building.push(VectorOp::Prim(prim), dtype, &args)
    } else if expand::is_expanded(prim, from, dtype) {
        expand::expand(building, prim, args[0], dtype)
    } else if has_vectors(prim, from) {
        building.push(VectorOp::Prim(prim), dtype, &args)
    } else {
        trace::trace(prim, &args, building, scaling)
            .unwrap_or_else(|| building.push(VectorOp::Call(prim), dtype, &args))
    })
}

/// Whether a prim is an operation on vectors itself.
fn has_vectors(prim: Prim, from: DType) -> bool {
    match prim {
        Prim::Add | Prim::Sub | Prim::Mul | Prim::Neg | Prim::Abs | Prim::Min | Prim::Max | Prim::Div => true,
        Prim::Sqrt | Prim::Floor | Prim::Ceil | Prim::Trunc | Prim::Round | Prim::Copysign | Prim::Fma => true,
        Prim::And | Prim::Or | Prim::Xor | Prim::Not | Prim::Shl | Prim::Shr | Prim::Select => true,
        Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le | Prim::Convert | Prim::Bitcast => true,
        Prim::Real | Prim::Imag | Prim::Pair => true,
        Prim::FloorDiv | Prim::Rem => from.is_integer(),
        Prim::Pow | Prim::Fmod | Prim::Nextafter | Prim::Exp | Prim::Exp2 | Prim::Expm1 | Prim::Log | Prim::Log2 => {
            false
        }
        Prim::Log10 | Prim::Log1p | Prim::Sin | Prim::Cos | Prim::Tan | Prim::Asin | Prim::Acos | Prim::Atan => false,
        Prim::Atan2 | Prim::Sinh | Prim::Cosh | Prim::Tanh | Prim::Asinh | Prim::Acosh | Prim::Atanh => false,
        Prim::Cbrt | Prim::Hypot | Prim::Erf | Prim::Erfc | Prim::Gamma | Prim::Lgamma => false,
        Prim::Sigmoid | Prim::Gelu | Prim::Popcount | Prim::Clz | Prim::Gcd => false,
    }
}

/// The bits in `f32`, or in `f64`, of a number that both have.
pub(super) const fn float_bits(number: f64, is_single: bool) -> u128 {
    if is_single { (number as f32).to_bits() as u128 } else { number.to_bits() as u128 }
}
