//! Awkward arrays.

use arrlang::array::Array;
use arrlang::scalar::Scalar;
use arrlang::types::{DType, Kind};

/// A small random number generator: the tests need the same numbers on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33) as usize % bound
    }

    pub(crate) fn scalar(&mut self, dtype: DType) -> Scalar {
        let part = dtype.part();
        let mut bits = self.real(part);
        if dtype != part {
            bits |= self.real(part) << part.bits();
        }
        Scalar { dtype, bits }
    }

    fn real(&mut self, dtype: DType) -> u128 {
        let mask = u128::MAX >> (128 - dtype.bits());
        let random = u128::from(self.next()) & mask;
        let kind = self.below(4);
        match (dtype, dtype.kind()) {
            (DType::Bool, _) => random & 1,
            (_, Kind::Float) if kind < 3 => {
                let small = (self.next() % 4001) as f64 / 100.0 - 20.0;
                let value = if kind == 0 { AWKWARD[self.below(AWKWARD.len())] } else { small };
                match dtype {
                    DType::F64 => value.to_bits().into(),
                    DType::F32 => (value as f32).to_bits().into(),
                    DType::Bf16 => u128::from((value as f32).to_bits() >> 16),
                    _ => random,
                }
            }
            (_, Kind::Float) => random,
            _ if kind == 0 => {
                [0, 1, 2, 7, 31, 63, 64, mask, mask >> 1, (mask >> 1) + 1, mask - 1][self.below(11)] & mask
            }
            _ if kind == 1 => u128::from(self.next() % 41).wrapping_sub(20) & mask,
            _ => random,
        }
    }
}

const AWKWARD: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    1e-45,
    1e-39,
    2147483648.0,
    -2147483649.0,
    9223372036854775808.0,
    18446744073709551616.0,
    255.5,
    -0.5,
    65504.0,
    88.8,
    709.9,
    1e10,
];

/// Elements in C order.
pub(crate) fn array(random: &mut Random, dtype: DType, shape: &[usize]) -> Array {
    let count: usize = shape.iter().product();
    Array::from_scalars(dtype, shape, (0..count).map(|_| random.scalar(dtype)))
}

/// Elements in some layout: transposed, repeated, backwards, with gaps, off the alignment.
pub(crate) fn laid_out(random: &mut Random, dtype: DType, shape: &[usize]) -> Array {
    let rank = shape.len();
    let filled = rank > 0 && !shape.contains(&0);
    match random.below(6) {
        0 if filled => {
            let mut small = shape.to_vec();
            small[random.below(rank)] = 1;
            laid_out(random, dtype, &small).broadcast_to(shape)
        }
        1 if rank > 1 => {
            let turned: Vec<usize> = shape.iter().rev().copied().collect();
            let array = array(random, dtype, &turned);
            let strides: Vec<isize> = array.strides().iter().rev().copied().collect();
            array.view(shape.to_vec(), strides, 0)
        }
        2 if filled => {
            let axis = random.below(rank);
            let mut larger = shape.to_vec();
            larger[axis] *= 2;
            let array = array(random, dtype, &larger);
            let mut strides = array.strides().to_vec();
            let offset = (larger[axis] - 1) * strides[axis] as usize;
            strides[axis] *= -2;
            array.view(shape.to_vec(), strides, offset)
        }
        3 if filled && dtype != DType::Bool => unaligned(random, dtype, shape),
        _ => array(random, dtype, shape),
    }
}

/// Elements that begin one byte behind where they should, as in a file with an odd header.
pub(crate) fn unaligned(random: &mut Random, dtype: DType, shape: &[usize]) -> Array {
    let count: usize = shape.iter().product();
    let mut bytes = vec![0];
    (0..count).for_each(|_| bytes.extend_from_slice(&random.scalar(dtype).bits.to_le_bytes()[..dtype.size()]));
    let strides = arrlang::array::c_strides(shape, dtype.size());
    let buffer = arrlang::array::Buffer::Mapped(Box::new(bytes));
    Array::new(dtype, shape.to_vec(), strides, 1, buffer.into())
}

/// Every value of a dtype of at most two bytes.
pub(crate) fn all(dtype: DType) -> Array {
    let count = 1usize << dtype.bits();
    Array::from_scalars(dtype, &[count], (0..count).map(|bits| Scalar { dtype, bits: bits as u128 }))
}

/// Every pair of values of a dtype of one byte.
pub(crate) fn pairs(dtype: DType) -> (Array, Array) {
    let of = |bits: fn(u128) -> u128| {
        Array::from_scalars(dtype, &[65_536], (0..65_536).map(|at| Scalar { dtype, bits: bits(at) }))
    };
    (of(|at| at >> 8), of(|at| at & 255))
}
