//! Keys: unsigned words whose order is the order of elements.
//!
//! Not-a-number has the largest key, whatever its bits; `-0` has that of `+0`. Elements with equal keys are equal.
//!
//! ```text
//! f32   -inf  -1.0   -0, +0   1.0   inf   nan
//! key   small  …     8000_0000 …          ffff_ffff
//! ```

use crate::scalar::Scalar;
use crate::types::{DType, Kind};
use std::ops::{BitAnd, BitOr, BitXor, Not, Shr};

/// An unsigned word that elements are read as.
pub(super) trait SortBits:
    Copy
    + Ord
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shr<usize, Output = Self>
{
    /// Bytes of the word.
    const SIZE: usize;
    /// No bit.
    const ZERO: Self;
    /// The highest bit.
    const SIGN: Self;
    /// All bits.
    const ALL: Self;
    /// The word in bytes.
    fn read(bytes: &[u8]) -> Self;
    /// Puts the word into bytes.
    fn write(self, bytes: &mut [u8]);
    /// The low bits of a number.
    fn of(bits: u128) -> Self;
    /// As many low bits as a place of a table has.
    fn low(self) -> usize;
    /// The bits.
    fn bits(self) -> u128;
}

macro_rules! words {
    ($($W:ident)*) => {$(
        impl SortBits for $W {
            const SIZE: usize = size_of::<$W>();
            const ZERO: $W = 0;
            const SIGN: $W = 1 << ($W::BITS - 1);
            const ALL: $W = $W::MAX;
            #[inline(always)]
            fn read(bytes: &[u8]) -> Self {
                $W::from_le_bytes(bytes.try_into().expect("the bytes of a word"))
            }
            #[inline(always)]
            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
            fn of(bits: u128) -> Self {
                bits as $W
            }
            #[inline(always)]
            fn low(self) -> usize {
                self as usize
            }
            fn bits(self) -> u128 {
                self.into()
            }
        }
    )*};
}
words! { u8 u16 u32 u64 u128 }

/// How words of a dtype become keys.
#[derive(Clone, Copy)]
pub(super) struct KeyOrder<W> {
    /// What is flipped where the sign is not set.
    flip: W,
    /// What is flipped where the sign is set.
    negative: W,
    /// The bit of the sign.
    sign: W,
    /// The bits of infinity, or of the largest number where there is none; for what is no float all bits.
    infinity: W,
    float: bool,
}

impl<W: SortBits> KeyOrder<W> {
    /// The order of a real dtype.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the infinity of every other float is converted")]
    pub(super) fn of(dtype: DType) -> KeyOrder<W> {
        let (none, sign, all) = (W::ZERO, W::SIGN, W::ALL);
        let order = |flip, negative, infinity, float| KeyOrder { flip, negative, sign, infinity, float };
        match dtype.kind() {
            Kind::Bool | Kind::Unsigned => order(none, none, all, false),
            Kind::Signed => order(sign, sign, all, false),
            Kind::Float | Kind::Complex => {
                let infinity = match dtype.part() {
                    DType::F64 => f64::INFINITY.to_bits().into(),
                    DType::F32 => f32::INFINITY.to_bits().into(),
                    part => Scalar::of_f64(part, dtype.top()).bits,
                };
                order(sign, all, W::of(infinity), true)
            }
        }
    }

    /// The key of an element.
    #[inline(always)]
    pub(super) fn key(&self, bits: W) -> W {
        if !self.float {
            return bits ^ self.flip;
        }
        let size = bits & !self.sign;
        match () {
            () if size > self.infinity => W::ALL,
            () if size == W::ZERO => self.sign,
            () if bits == size => bits ^ self.flip,
            () => bits ^ self.negative,
        }
    }

    /// Whether two elements have one key; without a branch, so that vectors can ask it.
    #[inline(always)]
    #[expect(clippy::needless_bitwise_bool, reason = "without a branch it becomes vector code")]
    pub(super) fn same(&self, a: W, b: W) -> bool {
        let (x, y) = (a & !self.sign, b & !self.sign);
        let (zeros, nans) = ((x | y) == W::ZERO, (x > self.infinity) & (y > self.infinity));
        (a == b) | (self.float & (zeros | nans))
    }

    /// An element with a key: a zero is positive.
    #[inline(always)]
    pub(super) fn element(&self, key: W) -> W {
        if !self.float {
            return key ^ self.flip;
        }
        match () {
            () if key == W::ALL => self.infinity | (self.infinity >> 1),
            () if key >= self.sign => key ^ self.flip,
            () => key ^ self.negative,
        }
    }

    /// The key and the bits of zero where there are two zeros.
    pub(super) fn zeros(&self) -> Option<(W, W)> {
        self.float.then_some((self.sign, self.sign))
    }
}

/// The key of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ScalarKey {
    /// Which parts are no numbers: more says the real one.
    nans: u8,
    first: u64,
    second: u64,
}

/// The key of a scalar. Complex numbers are ordered by the real part, then by the imaginary one. Numbers with a NaN
/// come last; among them, those whose only NaN is the imaginary part come first.
pub(super) fn of_scalar(scalar: Scalar) -> ScalarKey {
    let real = |dtype: DType, bits: u128| match dtype.size() {
        1 => u64::from(KeyOrder::<u8>::of(dtype).key(bits as u8)),
        2 => u64::from(KeyOrder::<u16>::of(dtype).key(bits as u16)),
        4 => u64::from(KeyOrder::<u32>::of(dtype).key(bits as u32)),
        _ => KeyOrder::<u64>::of(dtype).key(bits as u64),
    };
    if !scalar.dtype.is_complex() {
        return ScalarKey { nans: 0, first: real(scalar.dtype, scalar.bits), second: 0 };
    }
    let part = scalar.dtype.part();
    let (width, most) = (part.bits(), u64::MAX >> (64 - part.bits()));
    let (first, second) = (real(part, scalar.bits & u128::from(most)), real(part, scalar.bits >> width));
    ScalarKey { nans: 2 * u8::from(first == most) + u8::from(second == most), first, second }
}
