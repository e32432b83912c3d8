//! Functions of libraries: what goes in and what comes out.
//!
//! Fourier transforms take lines: complex ones, or real ones of whose spectrum half is enough.
//!
//! To add one, add a variant, its row, and its code in `exec::routine`.

use crate::types::{DType, Dim, Shape};

/// A function of a library.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Library {
    /// The discrete Fourier transform of complex lines.
    Fourier,
    /// The same with the other sign, not divided by the length.
    InverseFourier,
    /// Of real lines the half that is not the mirror of the other.
    RealFourier,
    /// Back from that half, not divided by the length.
    InverseRealFourier,
}

/// Which feature of this package brings the library.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Feature {
    /// `fft`
    Spectra,
}

impl Feature {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Spectra => "fft",
        }
    }

    /// Whether this build has it.
    pub fn is_built(self) -> bool {
        match self {
            Feature::Spectra => cfg!(feature = "fft"),
        }
    }
}

/// What a function takes and gives.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name in printed programs.
    pub name: &'static str,
    /// Where it comes from.
    pub feature: Feature,
    /// The dtype of the result for these of the operands, as many as it takes.
    pub dtype: fn(&[DType]) -> Option<DType>,
    /// How many axes are its own.
    pub axes: usize,
}

const fn spectrum(name: &'static str, dtype: fn(&[DType]) -> Option<DType>) -> Row {
    Row { name, feature: Feature::Spectra, dtype, axes: 1 }
}

/// Whether the libraries compute in a dtype.
fn is_computed(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F64 | DType::C64 | DType::C128)
}

fn complex(dtypes: &[DType]) -> Option<DType> {
    if let [only] = dtypes { (is_computed(*only) && only.is_complex()).then_some(*only) } else { None }
}

fn real_to_complex(dtypes: &[DType]) -> Option<DType> {
    if let [only] = dtypes { (is_computed(*only) && !only.is_complex()).then_some(only.complex()) } else { None }
}

fn complex_to_real(dtypes: &[DType]) -> Option<DType> {
    complex(dtypes).map(DType::part)
}

impl Library {
    /// Its row.
    pub fn row(self) -> Row {
        match self {
            Library::Fourier => spectrum("fourier", complex),
            Library::InverseFourier => spectrum("inverse_fourier", complex),
            Library::RealFourier => spectrum("real_fourier", real_to_complex),
            Library::InverseRealFourier => spectrum("inverse_real_fourier", complex_to_real),
        }
    }

    /// The own axes of the result for those of the operands, unless the node says them.
    pub fn lengths(self, operands: &[&[Dim]]) -> Option<Shape> {
        match self {
            Library::Fourier | Library::InverseFourier => operands.first().map(|own| own.to_vec()),
            Library::RealFourier => {
                let half =
                    operands.first()?.first()?.form()?.floor_divide(&crate::types::affine::Affine::constant(2))?;
                Some(vec![Dim::of(half)?.add_scaled(&Dim::Const(1), 1)?])
            }
            // Half a spectrum is that of two lengths.
            Library::InverseRealFourier => None,
        }
    }
}
