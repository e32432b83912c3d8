//! Values as text.

use crate::scalar::Scalar;

/// A scalar in its shortest form that reads back as the same bits: `-1`, `0.1`, `true`, `(1+2j)`.
pub fn scalar_text(scalar: Scalar) -> String {
    format!("{:#x}", scalar.bits)
}
