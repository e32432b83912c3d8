//! The seventeen dtypes, a row each, with the one match to a Rust type.
//!
//! Everything that depends on a dtype reads its row: the promotion rules compare value bits and exponents, the
//! file formats read the NumPy name, the kernels read the size.
#![expect(unsafe_code, reason = "an element may be any bits, which whoever implements the trait promises")]

pub use half::{bf16, f16};
use std::fmt;
use std::str::FromStr;

/// A dtype of arrays and scalars.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum DType {
    Bool,
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
    F8E4m3,
    F8E5m2,
    Bf16,
    F16,
    F32,
    F64,
    C64,
    C128,
}

use DType::{Bf16, Bool, C64, C128, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};

/// What sort of number a dtype holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Truth values.
    Bool,
    /// Integers from 0.
    Unsigned,
    /// Integers in two's complement.
    Signed,
    /// Binary floating point.
    Float,
    /// Pairs of floats.
    Complex,
}

impl Kind {
    /// Whether it holds integers; truth values are none.
    pub const fn is_integer(self) -> bool {
        matches!(self, Kind::Unsigned | Kind::Signed)
    }

    /// Whether its numbers are rounded: floats, and pairs of them. Truth values and integers are exact.
    pub const fn is_inexact(self) -> bool {
        matches!(self, Kind::Float | Kind::Complex)
    }
}

/// What is known of a dtype.
#[derive(Debug)]
pub struct DTypeRow {
    /// The dtype of this row.
    pub dtype: DType,
    /// `f32`
    pub name: &'static str,
    /// NumPy's name, `float32`; accepted as a synonym.
    pub long: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// Bytes of one element in memory.
    pub size: usize,
    /// Bits of an integer's value without its sign; of a float's significand with its hidden bit (of each part, for
    /// complex).
    pub value_bits: u32,
    /// Largest exponent `e` such that `2^e` is finite; of an integer, the same number as `value_bits - 1`.
    pub max_exponent: i32,
    /// Exponent of the smallest positive value: 0 for integers, subnormal for floats.
    pub min_exponent: i32,
    /// What operations on its elements are computed in: another dtype for small floats, whose results are rounded.
    pub computed_in: DType,
    /// Whether a float has infinities; where it has none, what is too large is not a number.
    pub infinities: bool,
    /// NumPy's name of its memory, as `.npy` files have it: `<f4`. What begins with `V` is anonymous bytes.
    pub descr: &'static str,
    /// The type of an element in C.
    pub c_type: &'static str,
    /// Its name in the headers of safetensors, if the format has it.
    pub safetensors: Option<&'static str>,
}

#[expect(clippy::too_many_arguments, reason = "one argument for each column")]
const fn row(
    dtype: DType,
    name: &'static str,
    long: &'static str,
    kind: Kind,
    size: usize,
    value_bits: u32,
    max_exponent: i32,
    min_exponent: i32,
) -> DTypeRow {
    DTypeRow {
        dtype,
        name,
        long,
        kind,
        size,
        value_bits,
        max_exponent,
        min_exponent,
        computed_in: dtype,
        infinities: kind.is_inexact(),
        descr: "",
        c_type: "",
        safetensors: None,
    }
}

impl DTypeRow {
    /// Elements are computed in another dtype.
    const fn computed_in(self, dtype: DType) -> DTypeRow {
        DTypeRow { computed_in: dtype, ..self }
    }

    /// What is too large for a number is not one.
    const fn without_infinities(self) -> DTypeRow {
        DTypeRow { infinities: false, ..self }
    }

    /// How NumPy, C and safetensors call the memory of an element.
    const fn stored(self, descr: &'static str, c_type: &'static str, safetensors: &'static str) -> DTypeRow {
        DTypeRow { descr, c_type, safetensors: Some(safetensors), ..self }
    }
}

/// The rows, indexed by dtype.
pub static ROWS: [DTypeRow; DType::ALL.len()] = [
    row(Bool, "bool", "bool", Kind::Bool, 1, 1, 0, 0).stored("|b1", "uint8_t", "BOOL"),
    row(U8, "u8", "uint8", Kind::Unsigned, 1, 8, 7, 0).stored("|u1", "uint8_t", "U8"),
    row(U16, "u16", "uint16", Kind::Unsigned, 2, 16, 15, 0).stored("<u2", "uint16_t", "U16"),
    row(U32, "u32", "uint32", Kind::Unsigned, 4, 32, 31, 0).stored("<u4", "uint32_t", "U32"),
    row(U64, "u64", "uint64", Kind::Unsigned, 8, 64, 63, 0).stored("<u8", "uint64_t", "U64"),
    row(I8, "i8", "int8", Kind::Signed, 1, 7, 6, 0).stored("|i1", "int8_t", "I8"),
    row(I16, "i16", "int16", Kind::Signed, 2, 15, 14, 0).stored("<i2", "int16_t", "I16"),
    row(I32, "i32", "int32", Kind::Signed, 4, 31, 30, 0).stored("<i4", "int32_t", "I32"),
    row(I64, "i64", "int64", Kind::Signed, 8, 63, 62, 0).stored("<i8", "int64_t", "I64"),
    row(DType::F8E4m3, "f8_e4m3", "float8_e4m3fn", Kind::Float, 1, 4, 8, -9)
        .computed_in(F32)
        .stored("|V1", "uint8_t", "F8_E4M3")
        .without_infinities(),
    row(DType::F8E5m2, "f8_e5m2", "float8_e5m2", Kind::Float, 1, 3, 15, -16)
        .computed_in(F32)
        .stored("<f1", "uint8_t", "F8_E5M2"),
    row(Bf16, "bf16", "bfloat16", Kind::Float, 2, 8, 127, -133).computed_in(F32).stored("|V2", "uint16_t", "BF16"),
    row(F16, "f16", "float16", Kind::Float, 2, 11, 15, -24).computed_in(F32).stored("<f2", "uint16_t", "F16"),
    row(F32, "f32", "float32", Kind::Float, 4, 24, 127, -149).stored("<f4", "float", "F32"),
    row(F64, "f64", "float64", Kind::Float, 8, 53, 1023, -1074).stored("<f8", "double", "F64"),
    row(C64, "c64", "complex64", Kind::Complex, 8, 24, 127, -149).stored("<c8", "arr_c64", "C64"),
    DTypeRow {
        safetensors: None,
        ..row(C128, "c128", "complex128", Kind::Complex, 16, 53, 1023, -1074).stored("<c16", "arr_c128", "")
    },
];

/// All names, as a message has them.
pub const NAMES: &str = "bool, u8 to u64, i8 to i64, f8_e4m3, f8_e5m2, bf16, f16, f32, f64, c64, c128";

impl DType {
    /// All dtypes in the order of the tables.
    pub const ALL: [DType; 17] =
        [Bool, U8, U16, U32, U64, I8, I16, I32, I64, DType::F8E4m3, DType::F8E5m2, Bf16, F16, F32, F64, C64, C128];

    /// The row of this dtype.
    pub fn row(self) -> &'static DTypeRow {
        &ROWS[self as usize]
    }

    /// `f32`
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Its kind.
    pub fn kind(self) -> Kind {
        self.row().kind
    }

    /// Bytes of one element.
    pub fn size(self) -> usize {
        self.row().size
    }

    /// Bits of one element in memory.
    pub fn bits(self) -> u32 {
        self.size() as u32 * 8
    }

    /// Whether it is an integer dtype; `bool` is none.
    pub fn is_integer(self) -> bool {
        self.kind().is_integer()
    }

    /// Whether it is a real floating dtype.
    pub fn is_float(self) -> bool {
        self.kind() == Kind::Float
    }

    /// Whether it is a complex dtype.
    pub fn is_complex(self) -> bool {
        self.kind() == Kind::Complex
    }

    /// The dtype that operations on its elements are computed in; results are rounded to this one.
    pub fn computed_in(self) -> DType {
        self.row().computed_in
    }

    /// Whether it is a small float, which is [computed in](DType::computed_in) another dtype.
    pub fn is_small_float(self) -> bool {
        self.computed_in() != self
    }

    /// Bits of a float's fraction: of its significand without the hidden one.
    pub fn fraction_bits(self) -> u32 {
        self.row().value_bits - 1
    }

    /// Bits of a float's exponent.
    pub fn exponent_bits(self) -> u32 {
        self.part().bits() - self.row().value_bits
    }

    /// The dtype of the parts of a complex dtype; every other dtype is its own part.
    pub fn part(self) -> DType {
        match self.kind() {
            Kind::Complex if self == C64 => F32,
            Kind::Complex => F64,
            Kind::Bool | Kind::Unsigned | Kind::Signed | Kind::Float => self,
        }
    }

    /// The complex dtype with parts of this float dtype.
    pub fn complex(self) -> DType {
        if self == F64 || self == C128 { C128 } else { C64 }
    }

    /// The largest finite value of a float dtype.
    pub fn largest(self) -> Option<f64> {
        self.is_float().then(|| self.largest_part())
    }

    /// The largest finite value of a float dtype, or of the parts of a complex one.
    pub fn largest_part(self) -> f64 {
        let row = self.row();
        // Where there are no infinities, their greatest exponent has numbers too; but its last significand is NaN.
        let last = row.value_bits as i32 - 1 - i32::from(!row.infinities);
        (2.0 - 2f64.powi(-last)) * 2f64.powi(row.max_exponent)
    }

    /// What no number of a float dtype is above: infinity, or the largest number where there is none.
    pub fn top(self) -> f64 {
        if self.row().infinities { f64::INFINITY } else { self.largest_part() }
    }

    /// The smallest positive value of a float dtype with all its digits.
    pub fn smallest_normal(self) -> f64 {
        let row = self.row();
        2f64.powi(row.min_exponent + row.value_bits as i32 - 1)
    }

    /// Smallest and largest value of an integer dtype or bool.
    pub fn integer_range(self) -> Option<(i128, i128)> {
        let row = self.row();
        let above = (1i128 << row.value_bits) - 1;
        match row.kind {
            Kind::Bool | Kind::Unsigned => Some((0, above)),
            Kind::Signed => Some((-above - 1, above)),
            Kind::Float | Kind::Complex => None,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for DType {
    type Err = ();
    /// Reads `f32` and NumPy's `float32`.
    fn from_str(text: &str) -> Result<DType, ()> {
        ROWS.iter().find(|row| row.name == text || row.long == text).map(|row| row.dtype).ok_or(())
    }
}

/// The Rust type that holds an element of a dtype.
///
/// # Safety
/// Every bit pattern of `size_of::<Self>()` bytes must be a value, and the type must have the layout that the
/// dtype's row states. (`bool` arrays are held as bytes 0 and 1.)
pub unsafe trait Element: Copy + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The dtype of this type.
    const DTYPE: DType;
    /// The element as the low bits of a word.
    fn to_bits(self) -> u128;
    /// The element whose bits these are; higher bits are ignored.
    fn from_bits(bits: u128) -> Self;
}

/// An element of dtype `bool`: the byte 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(transparent)]
pub struct Flag(pub u8);

/// A complex element.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
#[repr(C)]
pub struct Complex<T> {
    /// The real part.
    pub re: T,
    /// The imaginary part.
    pub im: T,
}

/// A float of 4 bits of exponent and 3 of fraction, without infinities: `ml_dtypes`' `float8_e4m3fn`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(transparent)]
pub struct F8E4m3(pub u8);

/// A float of 5 bits of exponent and 2 of fraction, the upper byte of an `f16`: `ml_dtypes`' `float8_e5m2`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(transparent)]
pub struct F8E5m2(pub u8);

macro_rules! elements {
    ($($ty:ty => $dtype:ident, |$x:ident| $to:expr, |$b:ident| $from:expr;)*) => {
        $(
            // SAFETY: a plain number of the size that the dtype's row states; every bit pattern is one.
            unsafe impl Element for $ty {
                const DTYPE: DType = DType::$dtype;
                fn to_bits(self) -> u128 { let $x = self; $to }
                fn from_bits($b: u128) -> Self { $from }
            }
        )*
    };
}

elements! {
    Flag => Bool, |x| u128::from(x.0 != 0), |b| Flag(u8::from(b & 0xff != 0));
    u8 => U8, |x| u128::from(x), |b| b as u8;
    u16 => U16, |x| u128::from(x), |b| b as u16;
    u32 => U32, |x| u128::from(x), |b| b as u32;
    u64 => U64, |x| u128::from(x), |b| b as u64;
    i8 => I8, |x| u128::from(x as u8), |b| b as i8;
    i16 => I16, |x| u128::from(x as u16), |b| b as i16;
    i32 => I32, |x| u128::from(x as u32), |b| b as i32;
    i64 => I64, |x| u128::from(x as u64), |b| b as i64;
    F8E4m3 => F8E4m3, |x| u128::from(x.0), |b| F8E4m3(b as u8);
    F8E5m2 => F8E5m2, |x| u128::from(x.0), |b| F8E5m2(b as u8);
    bf16 => Bf16, |x| u128::from(x.to_bits()), |b| bf16::from_bits(b as u16);
    f16 => F16, |x| u128::from(x.to_bits()), |b| f16::from_bits(b as u16);
    f32 => F32, |x| u128::from(x.to_bits()), |b| f32::from_bits(b as u32);
    f64 => F64, |x| u128::from(x.to_bits()), |b| f64::from_bits(b as u64);
    Complex<f32> => C64, |x| u128::from(x.re.to_bits()) | u128::from(x.im.to_bits()) << 32,
        |b| Complex { re: f32::from_bits(b as u32), im: f32::from_bits((b >> 32) as u32) };
    Complex<f64> => C128, |x| u128::from(x.re.to_bits()) | u128::from(x.im.to_bits()) << 64,
        |b| Complex { re: f64::from_bits(b as u64), im: f64::from_bits((b >> 64) as u64) };
}

/// Runs an expression with a type name bound to the Rust type of a dtype: the one match on dtypes. Where it says among
/// which, the answer is `None` for others: `reals` (`bool` too), `numbers` (no small floats), `integers`, `floats` (no
/// small ones) or `bits` (integers and `bool`).
///
/// ```
/// use arrlang::types::dtype::{DType, Element};
/// let size = arrlang::with_element!(DType::I16, T => size_of::<T>());
/// assert_eq!(size, 2);
/// assert_eq!(arrlang::with_element!(DType::F64, T in integers => T::MAX as f64), None);
/// ```
#[macro_export]
macro_rules! with_element {
    ($dtype:expr, $T:ident => $body:expr) => {
        $crate::with_element!(@reals $dtype, $T => $body, [
            C64 $crate::types::dtype::Complex<f32>, C128 $crate::types::dtype::Complex<f64>
        ], [])
    };
    ($dtype:expr, $T:ident in reals => $body:expr) => {
        $crate::with_element!(@reals $dtype, $T => Some($body), [], [C64 C128])
    };
    ($dtype:expr, $T:ident in numbers => $body:expr) => {
        $crate::with_element!(@integers $dtype, $T => $body, [F32 f32, F64 f64])
    };
    ($dtype:expr, $T:ident in integers => $body:expr) => {
        $crate::with_element!(@integers $dtype, $T => $body, [])
    };
    ($dtype:expr, $T:ident in floats => $body:expr) => {
        $crate::with_element!(@match $dtype, $T => Some($body), [F32 f32, F64 f64], [_])
    };
    ($dtype:expr, $T:ident in bits => $body:expr) => {
        $crate::with_element!(@integers $dtype, $T => $body, [Bool $crate::types::dtype::Flag])
    };
    // What is written for each real dtype stands here, and nowhere else.
    (@reals $dtype:expr, $T:ident => $body:expr, [$($name:ident $Type:ty),*], [$($none:ident)*]) => {
        $crate::with_element!(@match $dtype, $T => $body, [
            Bool $crate::types::dtype::Flag, U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64,
            F8E4m3 $crate::types::dtype::F8E4m3, F8E5m2 $crate::types::dtype::F8E5m2, Bf16 $crate::types::dtype::bf16,
            F16 $crate::types::dtype::f16, F32 f32, F64 f64 $(, $name $Type)*
        ], [$($crate::types::dtype::DType::$none),*])
    };
    (@integers $dtype:expr, $T:ident => $body:expr, [$($name:ident $Type:ty),*]) => {
        $crate::with_element!(@match $dtype, $T => Some($body), [
            U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64 $(, $name $Type)*
        ], [_])
    };
    (@match $dtype:expr, $T:ident => $body:expr, [$($name:ident $Type:ty),*], [$($none:pat),*]) => {
        match $dtype {
            $($crate::types::dtype::DType::$name => {
                type $T = $Type;
                $body
            })*
            $($none => None,)*
        }
    };
}
