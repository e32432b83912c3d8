//! Arrays of random numbers: the same for the same seed, on every machine.
//!
//! ```
//! use arrlang::{array::{Array, random::Random}, types::DType};
//! let draw = |seed| Random::new(seed).array(DType::I8, &[4], (1.0, 100.0)).unwrap();
//! assert_eq!(draw(7), draw(7));
//! assert!(draw(7) != draw(8));
//! ```

use super::bytes::{AlignedBytes, OutOfMemory};
use super::{Array, extent};
use crate::scalar::convert::ConvertTo;
use crate::types::DType;
use crate::with_element;

/// A source of random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A source that begins with a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number from 0 to 1, without 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 * 2f64.powi(-53)
    }

    /// An array of numbers between two bounds, spread evenly: whole ones where the dtype is one of integers (both
    /// bounds are among them), in both parts of complex ones.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn array(&mut self, dtype: DType, shape: &[usize], bounds: (f64, f64)) -> Result<Array, OutOfMemory> {
        let (_, len) = extent(shape, dtype.size()).ok_or(OutOfMemory { bytes: usize::MAX })?;
        let mut bytes = AlignedBytes::zeroed(len)?;
        let whole = !dtype.kind().is_inexact();
        let mut draw = || match whole {
            true => (bounds.0 + (self.unit() * (bounds.1 - bounds.0 + 1.0)).floor()).min(bounds.1),
            false => bounds.0 + self.unit() * (bounds.1 - bounds.0),
        };
        with_element!(dtype.part(), T in reals => write::<T>(bytes.as_mut_slice(), &mut draw));
        Ok(Array::from_bytes(dtype, shape.to_vec(), bytes))
    }
}

/// Fills bytes with elements.
fn write<T: ConvertTo>(bytes: &mut [u8], draw: &mut impl FnMut() -> f64) {
    let size = T::DTYPE.size();
    for place in bytes.chunks_exact_mut(size) {
        place.copy_from_slice(&T::of(draw()).to_bits().to_le_bytes()[..size]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_within_their_bounds_and_reach_them() {
        let small = Random::new(1).array(DType::U8, &[1000], (1.0, 4.0)).unwrap().to_vec::<u8>();
        assert_eq!((small.iter().min(), small.iter().max()), (Some(&1), Some(&4)));
        let floats = Random::new(1).array(DType::F32, &[1000], (-1.0, 1.0)).unwrap().to_vec::<f32>();
        assert!(floats.iter().all(|x| (-1.0..=1.0).contains(x)));
        assert!(floats.iter().any(|&x| x < -0.9) && floats.iter().any(|&x| x > 0.9));
        let top = Random::new(1).array(DType::U64, &[100], (0.0, 2f64.powi(64))).unwrap().to_vec::<u64>();
        assert!(top.iter().any(|&x| x > u64::MAX / 2));
    }

    #[test]
    fn every_dtype_is_filled() {
        for dtype in DType::ALL {
            let array = Random::new(3).array(dtype, &[5, 7], (0.0, 1.0)).unwrap();
            assert_eq!((array.dtype(), array.shape()), (dtype, [5, 7].as_slice()));
            assert!(array.scalars().any(|scalar| scalar.bits != 0), "{dtype}");
        }
    }
}
