//! The primitive operations that every elementwise operation is made of.
//!
//! A prim works on one element of each operand and has no conversions hidden in it: operands have the dtypes that
//! [`Prim::result`] asks for. Complex numbers are taken apart and put together by [`Prim::Real`], [`Prim::Imag`]
//! and [`Prim::Pair`]; no other prim meets one. A new prim is a variant here, its row in the table, its
//! meaning in `scalar::eval`, and, where blocks are too slow for it, its code in `exec::jit`.

use crate::types::{DType, Kind};

/// A primitive operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the table says what each is")]
pub enum Prim {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Rem,
    Neg,
    Abs,
    Min,
    Max,
    Pow,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    Copysign,
    Fma,
    Fmod,
    Nextafter,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Cbrt,
    Hypot,
    Erf,
    Erfc,
    Gamma,
    Lgamma,
    Sigmoid,
    Gelu,
    Eq,
    Ne,
    Lt,
    Le,
    And,
    Or,
    Xor,
    Not,
    Shl,
    Shr,
    Popcount,
    Clz,
    Gcd,
    Select,
    Convert,
    Bitcast,
    Real,
    Imag,
    Pair,
}

/// Which operand dtypes a prim takes, and what it gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrimSignature {
    /// Operands of one dtype of these kinds; the result has it too.
    Same(Domain),
    /// Operands of one dtype; the result is `bool`.
    Test(Domain),
    /// `bool`, then two operands of one dtype; the result has it too. Any real dtype or `bool`.
    Choice,
    /// One operand; the result's dtype is chosen freely among the real dtypes and `bool`.
    Free,
    /// One complex operand; the result is its part.
    Part,
    /// Two floats of one dtype; the result is complex.
    Whole,
}

/// The dtypes that a prim works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Integers and `f32`, `f64`. Small floats are computed in `f32` by whoever builds the program.
    Numbers,
    /// `f32` and `f64`.
    Floats,
    /// Integers.
    Integers,
    /// Integers and `bool`.
    Bits,
    /// Every real dtype and `bool`.
    Real,
}

impl Domain {
    /// Whether a dtype belongs to it.
    pub fn contains(self, dtype: DType) -> bool {
        let full_float = dtype.is_float() && !dtype.is_small_float();
        match self {
            Domain::Numbers => dtype.is_integer() || full_float,
            Domain::Floats => full_float,
            Domain::Integers => dtype.is_integer(),
            Domain::Bits => dtype.is_integer() || dtype == DType::Bool,
            Domain::Real => !dtype.is_complex(),
        }
    }
}

/// What computing a prim takes, roughly: it decides what is fused, and how work is shared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PrimCost {
    /// An instruction or a few.
    Light,
    /// An instruction or a few, after which small floats are rounded.
    Rounded,
    /// A division of floats, or a root.
    Division,
    /// A division that rounds down, and its remainder.
    Quotient,
    /// A polynomial.
    Function,
    /// Several polynomials.
    Long,
    /// A function that is called for one element at a time.
    Single,
    /// A function that is called for one element at a time, with loops of its own.
    Slow,
}

impl PrimCost {
    /// Picoseconds for each byte of the operands, which are small floats if `half` is true.
    pub fn picoseconds(self, half: bool) -> f64 {
        match self {
            PrimCost::Rounded if half => 40.0,
            PrimCost::Light | PrimCost::Rounded => 4.0,
            PrimCost::Division => 30.0,
            PrimCost::Function => 55.0,
            PrimCost::Quotient => 80.0,
            PrimCost::Long => 200.0,
            PrimCost::Single => 1500.0,
            PrimCost::Slow => 2500.0,
        }
    }
}

/// All that is known of a prim.
#[derive(Clone, Copy, Debug)]
pub struct PrimRow {
    prim: Prim,
    /// The name in printed programs.
    pub name: &'static str,
    /// How many operands it takes.
    pub arity: usize,
    /// The dtypes of its operands and of its result.
    pub signature: PrimSignature,
    /// What computing it takes.
    pub cost: PrimCost,
}

const fn row(prim: Prim, name: &'static str, arity: usize, signature: PrimSignature, cost: PrimCost) -> PrimRow {
    PrimRow { prim, name, arity, signature, cost }
}

/// The table of prims, in the order of the variants.
const ROWS: [PrimRow; 67] = {
    use Domain::{Bits, Floats, Integers, Numbers, Real as Reals};
    use PrimCost::{Division, Function, Light, Long, Quotient, Rounded, Single, Slow};
    use PrimSignature::{Choice, Free, Part, Same, Test, Whole};
    [
        // Integers wrap.
        row(Prim::Add, "add", 2, Same(Numbers), Rounded),
        row(Prim::Sub, "sub", 2, Same(Numbers), Rounded),
        row(Prim::Mul, "mul", 2, Same(Numbers), Rounded),
        row(Prim::Div, "div", 2, Same(Floats), Division),
        // Rounds down; integers by zero give 0, `MIN // -1` wraps; floats as NumPy's `floor_divide`.
        row(Prim::FloorDiv, "floordiv", 2, Same(Numbers), Quotient),
        // The sign of the divisor; integers by zero give 0; floats as NumPy's `remainder`.
        row(Prim::Rem, "rem", 2, Same(Numbers), Quotient),
        row(Prim::Neg, "neg", 1, Same(Numbers), Light),
        row(Prim::Abs, "abs", 1, Same(Numbers), Light),
        // Not-a-number wins; +0 is greater than -0.
        row(Prim::Min, "min", 2, Same(Numbers), Light),
        row(Prim::Max, "max", 2, Same(Numbers), Light),
        // Integers: exact modulo 2^N, a negative exponent truncates the exact value, `0 ** -1` is 0.
        row(Prim::Pow, "pow", 2, Same(Numbers), Long),
        row(Prim::Sqrt, "sqrt", 1, Same(Floats), Division),
        row(Prim::Floor, "floor", 1, Same(Floats), Light),
        row(Prim::Ceil, "ceil", 1, Same(Floats), Light),
        row(Prim::Trunc, "trunc", 1, Same(Floats), Light),
        // Half to even.
        row(Prim::Round, "round", 1, Same(Floats), Light),
        row(Prim::Copysign, "copysign", 2, Same(Floats), Light),
        row(Prim::Fma, "fma", 3, Same(Floats), Light),
        // The remainder of truncating division, exact.
        row(Prim::Fmod, "fmod", 2, Same(Floats), Slow),
        row(Prim::Nextafter, "nextafter", 2, Same(Floats), Light),
        row(Prim::Exp, "exp", 1, Same(Floats), Function),
        row(Prim::Exp2, "exp2", 1, Same(Floats), Function),
        row(Prim::Expm1, "expm1", 1, Same(Floats), Function),
        row(Prim::Log, "log", 1, Same(Floats), Function),
        row(Prim::Log2, "log2", 1, Same(Floats), Function),
        row(Prim::Log10, "log10", 1, Same(Floats), Function),
        row(Prim::Log1p, "log1p", 1, Same(Floats), Function),
        row(Prim::Sin, "sin", 1, Same(Floats), Function),
        row(Prim::Cos, "cos", 1, Same(Floats), Function),
        row(Prim::Tan, "tan", 1, Same(Floats), Function),
        row(Prim::Asin, "asin", 1, Same(Floats), Single),
        row(Prim::Acos, "acos", 1, Same(Floats), Single),
        row(Prim::Atan, "atan", 1, Same(Floats), Single),
        row(Prim::Atan2, "atan2", 2, Same(Floats), Single),
        row(Prim::Sinh, "sinh", 1, Same(Floats), Single),
        row(Prim::Cosh, "cosh", 1, Same(Floats), Single),
        row(Prim::Tanh, "tanh", 1, Same(Floats), Function),
        row(Prim::Asinh, "asinh", 1, Same(Floats), Single),
        row(Prim::Acosh, "acosh", 1, Same(Floats), Single),
        row(Prim::Atanh, "atanh", 1, Same(Floats), Slow),
        row(Prim::Cbrt, "cbrt", 1, Same(Floats), Function),
        row(Prim::Hypot, "hypot", 2, Same(Floats), Function),
        row(Prim::Erf, "erf", 1, Same(Floats), Function),
        row(Prim::Erfc, "erfc", 1, Same(Floats), Long),
        row(Prim::Gamma, "gamma", 1, Same(Floats), Slow),
        row(Prim::Lgamma, "lgamma", 1, Same(Floats), Slow),
        row(Prim::Sigmoid, "sigmoid", 1, Same(Floats), Function),
        row(Prim::Gelu, "gelu", 1, Same(Floats), Long),
        // IEEE: not-a-number is unequal to everything and unordered.
        row(Prim::Eq, "eq", 2, Test(Reals), Light),
        row(Prim::Ne, "ne", 2, Test(Reals), Light),
        row(Prim::Lt, "lt", 2, Test(Reals), Light),
        row(Prim::Le, "le", 2, Test(Reals), Light),
        row(Prim::And, "and", 2, Same(Bits), Light),
        row(Prim::Or, "or", 2, Same(Bits), Light),
        row(Prim::Xor, "xor", 2, Same(Bits), Light),
        row(Prim::Not, "not", 1, Same(Bits), Light),
        // A count outside `0..bits` gives 0, or the sign for a signed right shift.
        row(Prim::Shl, "shl", 2, Same(Integers), Light),
        row(Prim::Shr, "shr", 2, Same(Integers), Light),
        row(Prim::Popcount, "popcount", 1, Same(Integers), Light),
        row(Prim::Clz, "clz", 1, Same(Integers), Light),
        row(Prim::Gcd, "gcd", 2, Same(Integers), Slow),
        row(Prim::Select, "select", 3, Choice, Light),
        // One rounding to nearest even; integers wrap; floats to integers truncate and saturate, NaN gives 0;
        // anything to `bool` is `!= 0`.
        row(Prim::Convert, "convert", 1, Free, Light),
        // Same size, same bits.
        row(Prim::Bitcast, "bitcast", 1, Free, Light),
        row(Prim::Real, "real", 1, Part, Light),
        row(Prim::Imag, "imag", 1, Part, Light),
        row(Prim::Pair, "pair", 2, Whole, Light),
    ]
};

impl Prim {
    /// All prims.
    pub const ALL: [Prim; ROWS.len()] = {
        let mut all = [Prim::Add; ROWS.len()];
        let mut at = 0;
        while at < ROWS.len() {
            all[at] = ROWS[at].prim;
            at += 1;
        }
        all
    };

    /// Its row.
    pub fn row(self) -> PrimRow {
        ROWS[self as usize]
    }

    /// What computing it takes.
    pub fn cost(self) -> PrimCost {
        self.row().cost
    }

    /// Whether computing it again costs more than writing its result to memory and reading it back.
    pub fn is_costly(self) -> bool {
        self.cost() >= PrimCost::Function
    }

    /// The name in printed programs.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// How many operands it takes.
    pub fn arity(self) -> usize {
        self.row().arity
    }

    /// The dtype of the result, if operands of these dtypes are legal. `wanted` matters for [`PrimSignature::Free`]
    /// alone.
    pub fn result(self, args: &[DType], wanted: DType) -> Option<DType> {
        let PrimRow { arity, signature, .. } = self.row();
        if args.len() != arity {
            return None;
        }
        let first = args[0];
        let same = args.iter().all(|&dtype| dtype == first);
        match signature {
            PrimSignature::Same(domain) => (same && domain.contains(first)).then_some(first),
            PrimSignature::Test(domain) => (same && domain.contains(first)).then_some(DType::Bool),
            PrimSignature::Choice => {
                (first == DType::Bool && args[1] == args[2] && !args[1].is_complex()).then_some(args[1])
            }
            PrimSignature::Free => {
                let real = !first.is_complex() && !wanted.is_complex();
                let fits = self != Prim::Bitcast || first.size() == wanted.size();
                (real && fits).then_some(wanted)
            }
            PrimSignature::Part => (first.kind() == Kind::Complex).then_some(first.part()),
            PrimSignature::Whole => (same && Domain::Floats.contains(first)).then(|| first.complex()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_holds_every_prim_once_in_order() {
        for (index, prim) in Prim::ALL.into_iter().enumerate() {
            assert_eq!(prim as usize, index, "{prim:?}");
        }
        assert_eq!(Prim::Pair as usize + 1, Prim::ALL.len());
    }
}
